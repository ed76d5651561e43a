# SPDX-License-Identifier: MIT
#
# ./dev wheel --portable [--aarch64]: wheels for any Linux of the last ten years. Sourced by wheel.sh.
#
# The compiler of the `ziglang` package links libc++ into the module and asks for no symbol of glibc above 2.17;
# oneTBB, Zstandard and fmt are built from Debian's sources and linked statically; auditwheel looks at the result and
# names it. Everything is in build/portable.

portable_glibc=2.17

# portable_compilers MACHINE FOLDER: programs cc, c++, ar and ranlib for the machine, as CMake wants them.
portable_compilers() {
    local zig=$root/build/portable/tools/bin/python-zig name
    mkdir -p "$2"
    for name in cc c++; do
        printf '#!/bin/sh\nexec "%s" %s -target %s-linux-gnu.%s "$@"\n' "$zig" $name "$1" $portable_glibc >"$2/$name"
    done
    for name in ar ranlib; do printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" $name >"$2/$name"; done
    chmod +x "$2"/*
}

# portable_headers PYTHON FOLDER: Python's headers alone, without the system's beside them. Debian's pyconfig.h refers
# to one for each machine; those of two 64-bit machines differ in nothing that the module uses.
portable_headers() {
    rm -rf "$2"
    mkdir -p "$2"
    "$1" - "$2" <<'PYTHON'
import shutil, sys, sysconfig
shutil.copytree(sysconfig.get_path("include"), sys.argv[1], dirs_exist_ok=True)
shutil.copy(sysconfig.get_config_h_filename(), sys.argv[1] + "/pyconfig.h")
PYTHON
}

# portable_library MACHINE FOLDER: lanefold and what it needs, installed into FOLDER/prefix.
portable_library() {
    local machine=$1 at=$2
    export LANEFOLD_ZIG_TARGET=$machine-linux-gnu.$portable_glibc LANEFOLD_ZIG_BIN=$at/compilers
    export LANEFOLD_CROSS_ROOT="$at/headers/usr;$at/libraries/usr"
    local toolchain=-DCMAKE_TOOLCHAIN_FILE=$root/cmake/toolchain-zig.cmake component
    portable_compilers "$machine" "$at/compilers"
    "$root/cmake/package_root" portable-headers "$at/headers"
    "$root/cmake/source_root" "$at/libraries" "onetbb fmtlib libzstd" "$toolchain" -DBUILD_SHARED_LIBS=OFF
    cmake -S "$root" -B "$at/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$toolchain" -DLANEFOLD_BUILD_TOOLS=OFF \
        -DLANEFOLD_BUILD_BAKING=ON -DLANEFOLD_BUILD_TESTS=OFF >"$at/configure.log" 2>&1 ||
        { cat "$at/configure.log" >&2 && fail "configuring for $machine failed"; }
    cmake --build "$at/build" -j "$jobs"
    rm -rf "$at/prefix"
    for component in library runtime baking; do
        cmake --install "$at/build" --component $component --prefix "$at/prefix" >"$at/install.log"
    done
}

# portable_wheel MACHINE FOLDER PYTHON: the wheel of one Python for one machine, into build/portable/dist.
portable_wheel() {
    local machine=$1 at=$2 python=$3 suffix stub=()
    local env=$root/build/portable/$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    [[ -x $env/bin/python ]] || "$python" -m venv "$env"
    "$env/bin/pip" install -q --disable-pip-version-check -r "$root/bindings/python/requirements.txt"
    portable_headers "$python" "$env/headers"
    suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
    # A module for another machine cannot be asked for its types; the one for this machine was.
    [[ $machine == x86_64 ]] ||
        stub=(--config-settings "cmake.define.LANEFOLD_STUB=$at/../x86_64/module-$(basename "$env")/_native.pyi")
    rm -rf "$at/wheel"
    PATH=$env/bin:$PATH _PYTHON_HOST_PLATFORM=linux-$machine SETUPTOOLS_EXT_SUFFIX=${suffix/x86_64/$machine} \
        "$env/bin/pip" wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w "$at/wheel" \
        --config-settings "cmake.define.LANEFOLD_PREFIX=$at/prefix" \
        --config-settings "cmake.define.CMAKE_TOOLCHAIN_FILE=$root/cmake/toolchain-zig.cmake" \
        --config-settings "cmake.define.Python_INCLUDE_DIR=$env/headers" \
        "${stub[@]}" \
        --config-settings "build-dir=$at/module-$(basename "$env")" "$root/bindings/python" >"$at/wheel.log" 2>&1 || {
        tail -40 "$at/wheel.log" >&2
        fail "building the wheel for $machine failed; the output is in $at/wheel.log"
    }
    "$root/build/portable/tools/bin/auditwheel" repair --plat "manylinux2014_$machine" \
        -w "$root/build/portable/dist" "$at"/wheel/*.whl >"$at/audit.log" 2>&1 || {
        tail -20 "$at/audit.log" >&2
        fail "the wheel for $machine is not portable"
    }
}

command_portable() {
    local home=$root/build/portable python=${LANEFOLD_PYTHON:-python3} machine
    need build wheel portable
    mkdir -p "$home/dist"
    [[ -x $home/tools/bin/python ]] || python3 -m venv "$home/tools"
    "$home/tools/bin/pip" install -q --disable-pip-version-check \
        -r "$root/bindings/python/requirements_portable.txt"
    for machine in x86_64 ${1:+aarch64}; do
        say "the portable wheel for $machine, $("$python" --version)"
        portable_library "$machine" "$home/$machine"
        portable_wheel "$machine" "$home/$machine" "$python"
    done
    say "done in $(elapsed): $(echo "$home"/dist/*.whl)"
}
