# SPDX-License-Identifier: MIT
#
# ./dev wheel: the Python package and its tests. ./dev farm: bakes through real schedulers, two of which are driven from
# Python. Sourced by ./dev.

# Packages of PyPI go into the build folder, pinned by bindings/python/requirements.txt. The C++ build needs none.
command_wheel() {
    local machine=
    case ${1:-} in
        --portable) machine=x86_64 ;;
        --aarch64) machine=aarch64 ;;
    esac
    if [[ $machine ]]; then
        source "$root/bindings/python/portable_wheel.sh"
        portable_wheel "$machine" "${@:2}"
        return
    fi
    need build wheel
    local home=$root/build/python python=${LANEFOLD_PYTHON:-python3} others=()
    build release lanefold lanefold_reference lanefold_c lanefold_shared
    say "the wheel, for $("$python" --version)"
    install_for_wheel "$root/build/release" "$home"
    pip_wheel "$home"
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

# install_for_wheel BUILD HOME: HOME/prefix gets what the module links and what the wheel brings, from a build folder.
install_for_wheel() {
    local component
    rm -rf "$2/prefix" "$2/dist"
    mkdir -p "$2"
    for component in library runtime baking program; do # the package of CMake names the first two
        cmake --install "$1" --component $component --strip --prefix "$2/prefix" >"$2/install.log"
    done
}

# pip_wheel HOME [DEFINE...]: HOME/dist gets the wheel, by the pinned tools. DEFINE: NAME=VALUE for CMake.
pip_wheel() {
    local home=$1 define settings=()
    shift
    for define in "LANEFOLD_PREFIX=$home/prefix" "$@"; do settings+=(--config-settings "cmake.define.$define"); done
    python_tools "$home" requirements.txt
    PATH=$home/env/bin:$PATH "$home/env/bin/pip" wheel -q --disable-pip-version-check --no-build-isolation --no-deps \
        -w "$home/dist" "${settings[@]}" --config-settings "build-dir=$home/module" "$root/bindings/python" \
        >"$home/wheel.log" 2>&1 || {
        tail -40 "$home/wheel.log" >&2
        fail "building the wheel failed; the output is in $home/wheel.log"
    }
}

# python_tools HOME REQUIREMENTS: installs pinned packages into HOME/env.
python_tools() {
    [[ -x $1/env/bin/python ]] || "${LANEFOLD_PYTHON:-python3}" -m venv "$1/env"
    "$1/env/bin/pip" install -q --disable-pip-version-check -r "$root/bindings/python/$2"
}

# repair_wheel HOME: the wheel HOME/portable, whose name says the oldest glibc that it needs. All libraries that module
# and program link, but for those that every system has, would become part of it.
repair_wheel() {
    local home=$1
    python_tools "$home" requirements_portable.txt
    rm -rf "$home/portable"
    PATH=$home/env/bin:$PATH "$home/env/bin/auditwheel" repair -w "$home/portable" "$home"/dist/*.whl \
        >"$home/portable.log" 2>&1 || {
        tail -20 "$home/portable.log" >&2
        fail "auditwheel failed; the output is in $home/portable.log"
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
