# SPDX-License-Identifier: MIT
#
# The cross compiler of PyPI's package ziglang, in the build folder. Sourced by what builds with
# cmake/toolchain-zig.cmake.

# zig_compiler TARGET: makes the folder build/zig/TARGET with the tools that the toolchain file names. zig_package is
# where the compiler lies, with its notices.
zig_compiler() {
    local home=$root/build/zig folder=$root/build/zig/$1 tool arguments
    [[ -x $home/env/bin/python ]] || python3 -m venv "$home/env"
    "$home/env/bin/pip" install -q --disable-pip-version-check -r "$root/cmake/requirements_zig.txt"
    zig_package=$("$home/env/bin/python" -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')
    mkdir -p "$folder"
    for tool in clang:cc clang++:c++ ar:ar ranlib:ranlib; do
        arguments=${tool#*:}
        # Without the last option a build without optimisation traps where its behaviour is undefined.
        [[ $tool != clang* ]] || arguments+=" -target $1 -fno-sanitize=undefined"
        printf '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR=%q ZIG_LOCAL_CACHE_DIR=%q\nexec %q %s "$@"\n' \
            "$home/cache" "$home/cache" "$zig_package/zig" "$arguments" >"$folder/${tool%:*}"
        chmod +x "$folder/${tool%:*}"
    done
    export LANEFOLD_ZIG=$folder LANEFOLD_CROSS_ROOT=$root/build/zig/$1-root
}

# zig_libraries: the libraries that lanefold needs, for the last target, from their sources: their standard library has
# to be that of the compiler.
zig_libraries() {
    say "libraries for $(basename "$LANEFOLD_ZIG"), from their sources"
    "$root/cmake/package_root" headers "$LANEFOLD_CROSS_ROOT-headers"
    # Static ones: an exception that crosses libraries needs one standard library for all of them.
    "$root/cmake/source_root" "$LANEFOLD_CROSS_ROOT" "fmtlib libzstd tinyobjloader onetbb bullet" \
        -DBUILD_SHARED_LIBS=OFF -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchain-zig.cmake"
}

# zig_configure FOLDER [CMAKE_OPTION...]: configures lanefold for the last target.
zig_configure() {
    local folder=$1
    shift
    mkdir -p "$folder"
    # The package of xsimd is under the name of the machine that it was fetched for.
    cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLANEFOLD_WERROR=OFF \
        -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchain-zig.cmake" \
        -Dxsimd_DIR="$(dirname "$(find "$LANEFOLD_CROSS_ROOT-headers" -name xsimdConfig.cmake)")" "$@" \
        >"$folder/configure.log" 2>&1 || {
        tail -30 "$folder/configure.log" >&2
        fail "configuring failed; the output is in $folder/configure.log"
    }
}

# zig_notices FOLDER: notices of the libraries that became part of the program, or whose headers did, and of the
# standard library.
zig_notices() {
    local notice name
    mkdir -p "$1"
    for notice in "$LANEFOLD_CROSS_ROOT"{,-headers}/usr/share/doc/*/copyright; do
        name=$(basename "$(dirname "$notice")")
        cp "$notice" "$1/$name"
    done
    cp "$zig_package/LICENSE" "$1/zig"
    for name in libcxx libcxxabi libunwind; do
        cp "$zig_package/lib/$name/LICENSE.TXT" "$1/$name" || fail "the notice of $name is missing"
    done
}
