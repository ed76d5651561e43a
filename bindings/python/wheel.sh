# SPDX-License-Identifier: MIT
#
# ./dev wheel: the Python package and its tests. ./dev farm: bakes through real schedulers, two of which are driven from
# Python. Sourced by ./dev.

# Packages of PyPI go into build/python, pinned by bindings/python/requirements.txt. The C++ build needs none of them.
command_wheel() {
    need build wheel
    local home=$root/build/python python=${LANEFOLD_PYTHON:-python3} component others=()
    local portable=0
    [[ ${1:-} != --portable ]] || { portable=1 && shift; }
    build release lanefold lanefold_reference lanefold_c lanefold_shared
    say "the wheel, for $("$python" --version)"
    rm -rf "$home/prefix" "$home/dist"
    mkdir -p "$home"
    for component in library runtime baking program; do # the package of CMake names the first two
        cmake --install "$root/build/release" --component $component --strip --prefix "$home/prefix" \
            >"$home/install.log"
    done
    ((!portable)) || portable_notices "$home/prefix/share/lanefold/licences"
    [[ -x $home/env/bin/python ]] || "$python" -m venv "$home/env"
    "$home/env/bin/pip" install -q --disable-pip-version-check -r "$root/bindings/python/requirements.txt"
    PATH=$home/env/bin:$PATH "$home/env/bin/pip" wheel -q --disable-pip-version-check --no-build-isolation --no-deps \
        -w "$home/dist" --config-settings "cmake.define.LANEFOLD_PREFIX=$home/prefix" \
        --config-settings "build-dir=$home/module" "$root/bindings/python" >"$home/wheel.log" 2>&1 || {
        tail -40 "$home/wheel.log" >&2
        fail "building the wheel failed; the output is in build/python/wheel.log"
    }
    if ((portable)); then
        portable_wheel "$home"
        [[ ${1:-} != --test ]] || { need portable && "$root/bindings/python/test_portable" "$home"/portable/*.whl; }
        say "done in $(elapsed): $(echo "$home"/portable/*.whl)"
        return
    fi
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

# The libraries that become part of a portable wheel, or whose headers did, by the Debian package with their notice.
portable_notices() {
    local package
    mkdir -p "$1"
    for package in libtbb12 libzstd1 libfmt9 libbullet3.24 libtinyobjloader2rc10 libxsimd-dev libxxhash-dev \
        libcli11-dev nlohmann-json3-dev; do
        cp "/usr/share/doc/$package/copyright" "$1/$package" || fail "the notice of $package is missing"
    done
}

# portable_wheel HOME: all libraries of this system that module and program link, but for those that every system has,
# become part of the wheel. Its name says the oldest glibc that it needs.
portable_wheel() {
    "$1/env/bin/pip" install -q --disable-pip-version-check -r "$root/bindings/python/requirements_portable.txt"
    rm -rf "$1/portable"
    PATH=$1/env/bin:$PATH "$1/env/bin/auditwheel" repair -w "$1/portable" "$1"/dist/*.whl >"$1/portable.log" 2>&1 || {
        tail -20 "$1/portable.log" >&2
        fail "auditwheel failed; the output is in build/python/portable.log"
    }
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
