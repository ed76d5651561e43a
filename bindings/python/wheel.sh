# SPDX-License-Identifier: MIT
#
# ./dev wheel: the Python package and its tests. ./dev farm: bakes through real schedulers, two of which are driven from
# Python. Sourced by ./dev.

# Packages of PyPI go into build/python, pinned by bindings/python/requirements.txt. The C++ build needs none of them.
command_wheel() {
    need build wheel
    local home=$root/build/python python=${LANEFOLD_PYTHON:-python3} component others=()
    build release lanefold lanefold_reference lanefold_c lanefold_shared
    say "the wheel, for $("$python" --version)"
    rm -rf "$home/prefix" "$home/dist"
    mkdir -p "$home"
    for component in library runtime baking; do # the package of CMake names the first two
        cmake --install "$root/build/release" --component $component --prefix "$home/prefix" >"$home/install.log"
    done
    [[ -x $home/env/bin/python ]] || "$python" -m venv "$home/env"
    "$home/env/bin/pip" install -q --disable-pip-version-check -r "$root/bindings/python/requirements.txt"
    PATH=$home/env/bin:$PATH "$home/env/bin/pip" wheel -q --disable-pip-version-check --no-build-isolation --no-deps \
        -w "$home/dist" --config-settings "cmake.define.LANEFOLD_PREFIX=$home/prefix" \
        --config-settings "build-dir=$home/module" "$root/bindings/python" >"$home/wheel.log" 2>&1 || {
        tail -40 "$home/wheel.log" >&2
        fail "building the wheel failed; the output is in build/python/wheel.log"
    }
    if [[ ${1:-} == --test ]]; then
        [[ ${2:-} != --long ]] || others=(-r "$root/bindings/python/requirements_arrays.txt" -r
            "$root/bindings/python/requirements_types.txt" -r "$root/bindings/python/requirements_gymnasium.txt" -r
            "$root/bindings/python/requirements_ray.txt")
        say "its tests, in a fresh virtual environment"
        rm -rf "$home/fresh"
        "$python" -m venv "$home/fresh"
        "$home/fresh/bin/pip" install -q --disable-pip-version-check -c "$root/bindings/python/requirements.txt" \
            "$home"/dist/*.whl pytest matplotlib "${others[@]}"
        (cd "$home" && LANEFOLD_ARRAYS_OF=${others:+jax} "$home/fresh/bin/python" -m pytest -q -p no:cacheprovider \
            "$root/bindings/python/tests") | tee "$home/test.log" ||
            fail "tests of the Python package failed; the output is in build/python/test.log"
    fi
    say "done in $(elapsed): $(echo "$home"/dist/*.whl)"
}

# Packages of PyPI go into build/python/cluster, pinned by examples/farm/requirements.txt.
command_farm() {
    local cluster=$root/build/python/cluster wanted=" ${*:-ray dask} "
    need build test farm
    build release lanefold
    if [[ $wanted == *" ray "* || $wanted == *" dask "* ]]; then
        command_wheel
        say "Ray and Dask, in build/python/cluster"
        [[ -x $cluster/bin/python ]] || "${LANEFOLD_PYTHON:-python3}" -m venv "$cluster"
        "$cluster/bin/pip" install -q --disable-pip-version-check -r "$root/examples/farm/requirements.txt"
        "$cluster/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps \
            "$root"/build/python/dist/*.whl
    fi
    "$root/tests/farm" "$root/build/release" "$@"
}
