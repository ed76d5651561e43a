# SPDX-License-Identifier: MIT
#
# ./dev wheel --portable and --aarch64: the wheel with all libraries inside for Linux with glibc 2.17 or newer, for
# x86-64 and for 64-bit ARM, by the cross compiler of cmake/zig.sh. Sourced by wheel.sh.

# portable_wheel MACHINE [--test]: the wheel is build/portable-MACHINE/portable/lanefold-*.whl.
portable_wheel() {
    local machine=$1 home=$root/build/portable-$1 python=${LANEFOLD_PYTHON:-python3} headers
    need portable-build
    [[ $machine == x86_64 ]] || need cross
    source "$root/cmake/zig.sh"
    zig_compiler "$machine-linux-gnu.2.17"
    zig_libraries
    say "lanefold for $machine"
    zig_configure "$home/build" -DLANEFOLD_BUILD_TESTS=OFF
    cmake --build "$home/build" -j "$jobs" --target lanefold lanefold_reference lanefold_c lanefold_shared
    say "the wheel for $machine, for $("$python" --version)"
    install_for_wheel "$home/build" "$home"
    zig_notices "$home/prefix/share/lanefold/licences"
    headers=$home/python-headers
    python_headers "$python" "$headers"
    python_tools "$home" requirements.txt
    portable_names "$machine" "$python" # of the module and of the wheel, which Python would take from this machine
    pip_wheel "$home" "CMAKE_TOOLCHAIN_FILE=$root/cmake/toolchain-zig.cmake" "Python_INCLUDE_DIR=$headers" \
        "CMAKE_CXX_FLAGS=-isystem $headers" "lanefold_DIR=$home/prefix/lib/cmake/lanefold" \
        "nanobind_DIR=$("$home/env/bin/python" -m nanobind --cmake_dir)" "${portable_stub[@]}"
    unset SETUPTOOLS_EXT_SUFFIX _PYTHON_HOST_PLATFORM # the tools of repair_wheel are for this machine
    repair_wheel "$home"
    [[ $(echo "$home"/portable/*.whl) == *manylinux_2_17_"$machine"* ]] ||
        fail "needs a newer glibc than 2.17: $(echo "$home"/portable/*.whl)"
    if [[ ${2:-} == --test ]]; then
        if [[ $machine == x86_64 ]]; then
            need portable && "$root/bindings/python/test_portable" "$home"/portable/*.whl
        else
            test_aarch64_wheel "$home"
        fi
    fi
    say "done in $(elapsed): $(echo "$home"/portable/*.whl)"
}

# portable_names MACHINE PYTHON: exports the names for another machine, and takes the types of the module from a wheel
# of this one: they are the same, and a module of ARM does not load here.
portable_names() {
    portable_stub=()
    [[ $1 != "$(uname -m)" ]] || return 0
    local tag
    tag=$("$2" -c 'import sys; print("{}{}".format(*sys.version_info))')
    export SETUPTOOLS_EXT_SUFFIX=.cpython-$tag-$1-linux-gnu.so _PYTHON_HOST_PLATFORM=linux-$1
    local stub=$root/build/portable-$(uname -m)/module/_native.pyi
    [[ -e $stub ]] || stub=$root/build/python/module/_native.pyi
    [[ -e $stub ]] || (unset SETUPTOOLS_EXT_SUFFIX _PYTHON_HOST_PLATFORM && command_wheel)
    portable_stub=("LANEFOLD_STUB=$stub")
}

# python_headers PYTHON FOLDER: copies the headers of a Python away from those of this system's C library. They are the
# same on all machines of 64 bits but for sizes that Python's interface has nowhere.
python_headers() {
    local from multiarch
    from=$("$1" -c 'import sysconfig; print(sysconfig.get_path("include"))')
    multiarch=$("$1" -c 'import sysconfig; print(sysconfig.get_config_var("MULTIARCH") or "")')
    rm -rf "$2"
    mkdir -p "$2"
    cp -rL "$from"/. "$2"
    [[ ! -d ${from%/*}/$multiarch/${from##*/} ]] || { # Debian keeps one of them apart
        mkdir -p "$2/$multiarch"
        cp -rL "${from%/*}/$multiarch/${from##*/}" "$2/$multiarch"
    }
}

# test_aarch64_wheel HOME: a Python of that architecture, emulated, that has the libraries of every system, NumPy and
# the wheel and nothing else: golden hashes, and the program.
test_aarch64_wheel() {
    local bare=$root/build/aarch64-python site=$1/site work=$1/tried numpy
    say "a Python of AArch64 with NumPy and the wheel"
    "$root/cmake/package_root" aarch64-python "$bare" arm64
    ! find "$bare/usr" -name 'libtbb*' -o -name 'libfmt*' -o -name 'libBullet*' | grep . ||
        fail "$bare is not bare"
    numpy=$(grep '^numpy==' "$root/bindings/python/requirements.txt")
    rm -rf "$site" "$work"
    mkdir -p "$work"
    "$1/env/bin/pip" install -q --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.11 \
        --implementation cp --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
        --platform manylinux_2_28_aarch64 --target "$site" "$numpy" "$1"/portable/*.whl
    local emulated=(qemu-aarch64-static -L "$bare")
    local python=("${emulated[@]}" -E "PYTHONPATH=$site" "$bare/usr/bin/python3.11" -s)
    "${python[@]}" -c "import platform; assert platform.machine() == 'aarch64'"
    say "golden hashes, emulated"
    "${python[@]}" "$root/bindings/python/tests/golden_hashes.py" "$root/tests/data/scenes" "$root/tests/data/golden"
    say "the program, emulated"
    local program=("${emulated[@]}" "$site/lanefold/bin/lanefold")
    "${program[@]}" --version
    "${program[@]}" generate debris "$work/scene" --bodies 100 --seed 3 --progress none >/dev/null
    "${program[@]}" collide "$work/scene" -o "$work/contacts" --margin 0.02 --progress none >/dev/null
    "${program[@]}" verify "$work/scene" "$work/contacts" --progress none | grep -E 'missed +0$'
}
