# SPDX-License-Identifier: MIT
#
# ./dev wheel --aarch64 [--test]: the wheel for Python 3.11 on 64-bit ARM, cross-compiled against Debian's libraries of
# that architecture, with all of them inside; its test under qemu. Sourced by wheel.sh.

aarch64_wheel() {
    need cross
    local home=$root/build/python-aarch64 libraries=$root/build/aarch64-wheel-root
    local stub=$root/build/python/module/_native.pyi
    [[ -e $stub ]] || command_wheel # types are those of any machine, and a module of ARM does not load here
    say "libraries for AArch64"
    "$root/cmake/package_root" aarch64-wheel "$libraries" arm64
    export LANEFOLD_CROSS_ROOT=$libraries
    say "the wheel for AArch64"
    cmake -S "$root" -B "$root/build/aarch64-wheel" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchain-aarch64.cmake" -DLANEFOLD_BUILD_TESTS=OFF -DLANEFOLD_WERROR=OFF \
        >"$root/build/aarch64-wheel.configure.log"
    cmake --build "$root/build/aarch64-wheel" -j "$jobs" --target lanefold lanefold_reference lanefold_c lanefold_shared
    install_for_wheel "$root/build/aarch64-wheel" "$home"
    portable_notices "$home/prefix/share/lanefold/licences" "$libraries/usr/share/doc"
    # Names of the module and of the wheel, which Python would take from this machine.
    SETUPTOOLS_EXT_SUFFIX=.cpython-311-aarch64-linux-gnu.so _PYTHON_HOST_PLATFORM=linux-aarch64 \
        pip_wheel "$home" "CMAKE_TOOLCHAIN_FILE=$root/cmake/toolchain-aarch64.cmake" "LANEFOLD_STUB=$stub" \
        "Python_INCLUDE_DIR=$libraries/usr/include/python3.11" "CMAKE_CXX_FLAGS=-isystem $libraries/usr/include"
    repair_wheel "$home" --ldpaths "$libraries/usr/lib/aarch64-linux-gnu:/usr/aarch64-linux-gnu/lib"
    [[ ${1:-} != --test ]] || test_aarch64_wheel "$home"
    say "done in $(elapsed): $(echo "$home"/portable/*.whl)"
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
        --implementation cp --platform "$(aarch64_platform "$1"/portable/*.whl)" --platform manylinux_2_28_aarch64 \
        --platform manylinux2014_aarch64 --target "$site" "$numpy" "$1"/portable/*.whl
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

# aarch64_platform WHEEL: the platform that its name ends with.
aarch64_platform() {
    local name=${1%.whl}
    name=${name##*-}
    echo "${name%%.*}"
}
