# SPDX-License-Identifier: MIT
#
# ./dev hashes: golden hashes on this machine, with other compilers and standard libraries. ./dev emulate: on other
# processors. ./dev windows: on Windows, by Wine. ./dev macos: whether it links for macOS. Sourced by ./dev.

source "$root/tests/program_hashes.sh"

# Machines are compared by the hashes of scenes, of the solver, and the captured cases.
machine_tests=(bits_scene_hash_test dynamics_bits_test batch_isa_test oracle_cases_test)

command_hashes() {
    need build test
    if [[ ${1:-} != --check ]]; then
        build release
        "$root/tests/golden_hashes" "$root/build/release"
        return
    fi
    shift
    need hashes
    build release lanefold bits_scene_hash_test
    "$root/tests/golden_hashes" "$root/build/release" --check ||
        fail "the golden hashes are not what this machine gives"
    hashes_wanted=$("$root/build/release/tests/bits_scene_hash_test" | hash_lines)
    hashes_names=("$@")
    hashes_lines=()
    local compiler type seen
    for type in Release Debug; do
        seen=" "
        for compiler in g++ g++-12 g++-13 g++-14 g++-15 clang++ clang++-14 clang++-19; do
            command -v "$compiler" >/dev/null || continue
            # g++ and clang++ usually are other names of one of the others.
            [[ $seen != *" $(readlink -f "$(command -v "$compiler")") "* ]] || continue
            seen+="$(readlink -f "$(command -v "$compiler")") "
            hashes_of "$compiler-libstdc++-$type" "$type" -DCMAKE_CXX_COMPILER="$compiler"
        done
        hashes_of_libcxx 14 "$type"
        hashes_of_libcxx 19 "$type"
    done
    hashes_of shared-libraries-Release Release -DBUILD_SHARED_LIBS=ON -DLANEFOLD_BUILD_TOOLS=ON
    ((${#hashes_lines[@]})) || fail "no build has a name like: $*"
    say "what was compared, with $(wc -l <<<"$hashes_wanted") hashes of this machine and the golden ones of the solver"
    printf '%s\n' "${hashes_lines[@]}"
}

# hash_lines: the lines "SCENE SETTING INSTRUCTION_SET HASH" of a test's output.
hash_lines() { awk '$1 == "hash" { print $2, $3, $4, $5 }' | sort; }

# hashes_asked_for NAME: whether the command line asks for this build. Without names it asks for all.
hashes_asked_for() {
    local part
    for part in "${hashes_names[@]}"; do [[ $1 != *"$part"* ]] || return 0; done
    ((${#hashes_names[@]} == 0))
}

# hashes_of NAME TYPE CMAKE_OPTION...: builds the libraries and the tests, runs these, compares.
hashes_of() {
    local name=$1 type=$2 folder=$root/build/hashes/$1 have test tests=("${machine_tests[@]}")
    shift 2
    # Shared libraries hide the single stages that this one calls.
    [[ $* != *BUILD_SHARED_LIBS=ON* ]] || tests=("${tests[@]/batch_isa_test/broadphase_pair_finder_test}")
    hashes_asked_for "$name" || return 0
    mkdir -p "$folder"
    say "$name"
    (cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE="$type" -DCMAKE_CXX_FLAGS_DEBUG="-Og -g1" \
        -DLANEFOLD_WERROR=ON -DLANEFOLD_INSTALL=OFF -DLANEFOLD_BUILD_TOOLS=OFF "$@" &&
        cmake --build "$folder" -j "$jobs" --target "${tests[@]}" lanefold_c lanefold_shared) \
        >"$folder/build.log" 2>&1 || {
        grep -E 'error|Error|FAILED' "$folder/build.log" | head -n 20 >&2
        fail "the build failed; see $folder/build.log"
    }
    for test in "${tests[@]}"; do
        "$folder/tests/$test" --gtest_color=no >"$folder/$test.log" 2>&1 ||
            fail "$test failed with $name; see $folder/$test.log"
    done
    have=$(hash_lines <"$folder/bits_scene_hash_test.log")
    diff <(echo "$hashes_wanted") <(echo "$have") || fail "other hashes with $name"
    if [[ $* == *LANEFOLD_BUILD_TOOLS=ON* ]]; then # the program, too
        cmake --build "$folder" -j "$jobs" --target lanefold >>"$folder/build.log" 2>&1 ||
            fail "the build failed; see $folder/build.log"
        "$root/tests/golden_hashes" "$folder" --check >"$folder/golden.log" || fail "other golden hashes with $name"
    fi
    hashes_lines+=("$(printf '%-34s %3d hashes, %s tests passed' "$name" "$(wc -l <<<"$have")" \
        "$(cat "$folder"/*_test.log | awk '$2 == "PASSED" { n += $4 } END { print n }')")")
    echo "${hashes_lines[-1]}"
}

# hashes_of_libcxx VERSION TYPE: clang of this version with its libc++, which lies in a folder, because no two versions
# can be installed together. GoogleTest's interface has types of the standard library, so it is built with libc++, too.
# oneTBB's has none: Debian's is used, and with it comes libstdc++, for itself.
hashes_of_libcxx() {
    local version=$1 name=clang++-$1-libc++-$2 libcxx=$root/build/hashes/libcxx-$1 flags link
    command -v "clang++-$version" >/dev/null && hashes_asked_for "$name" || return 0
    "$root/cmake/package_root" "libc++-$version" "$libcxx"
    local llvm=$libcxx/usr/lib/llvm-$version
    # Linking C, too, takes these options, which gcc does not know.
    flags=(-DCMAKE_C_COMPILER="clang-$version" -DCMAKE_CXX_COMPILER="clang++-$version"
        -DCMAKE_CXX_FLAGS="-nostdinc++ -isystem $llvm/include/c++/v1")
    # The old kind of rpath also counts for libraries of libraries.
    link="-nostdlib++ -L$llvm/lib -Wl,--disable-new-dtags,-rpath,$llvm/lib"
    flags+=(-DCMAKE_EXE_LINKER_FLAGS="$link" -DCMAKE_SHARED_LINKER_FLAGS="$link" -DCMAKE_MODULE_LINKER_FLAGS="$link"
        -DCMAKE_CXX_STANDARD_LIBRARIES="-lc++ -lc++abi")
    "$root/cmake/source_root" "$libcxx-googletest" googletest "${flags[@]}"
    hashes_of "$name" "$2" -DCMAKE_PREFIX_PATH="$libcxx-googletest/usr" "${flags[@]}"
    ldd "$root/build/hashes/$name/tests/bits_scene_hash_test" | grep -q "$libcxx.*libc++.so" ||
        fail "$name does not run with $libcxx"
}

# cross NAME: configures and builds the tests for another architecture, with the libraries in build/NAME-root.
cross() {
    say "$1: cross-compilation"
    LANEFOLD_CROSS_ROOT=$root/build/$1-root cmake -S "$root" -B "$root/build/$1" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchain-$1.cmake" \
        -DLANEFOLD_BUILD_TOOLS=OFF -DLANEFOLD_INSTALL=OFF >"$root/build/$1.configure.log"
    cmake --build "$root/build/$1" -j "$jobs" --target "${machine_tests[@]}"
}

# refuse_32_bits: neither the build nor a header with a function lets itself be used on a machine of 32 bits.
refuse_32_bits() {
    local folder=$root/build/i686 refusal="lanefold needs a 64-bit machine" header name includes=() refused=0
    mkdir -p "$folder"
    if cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER=i686-linux-gnu-g++ >"$folder/log" 2>&1 ||
        ! grep -q "$refusal" "$folder/log"; then
        fail "a build for 32 bits was not refused; see $folder/log"
    fi
    for room in core core/reference simd parallel world/broadphase world/dynamics bindings/c; do
        includes+=(-I "$root/$room/include")
    done
    while read -r header; do
        name=${header##*/include/}
        if i686-linux-gnu-g++ -std=c++20 -fsyntax-only "${includes[@]}" -x c++ - <<<"#include <$name>" \
            >"$folder/log" 2>&1 || ! grep -q "$refusal" "$folder/log"; then
            fail "$name was not refused on 32 bits; see $folder/log"
        fi
        refused=$((refused + 1))
    done < <(cd "$root" && git ls-files '*/include/*.h*' | xargs grep -lE 'LANEFOLD_(EXPORT|API)')
    ((refused > 20)) || fail "only $refused headers were looked at"
    say "32 bits: the build and $refused headers refuse with '$refusal'"
}

command_emulate() {
    need build test emulate
    refuse_32_bits
    build release "${machine_tests[@]}"
    say "libraries for AArch64 and, from their sources, for RISC-V"
    "$root/cmake/package_root" aarch64 "$root/build/aarch64-root" arm64
    # oneTBB exchanges bytes, for which g++ 12 needs a library there.
    "$root/cmake/source_root" "$root/build/riscv64-root" "onetbb googletest" \
        -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchain-riscv64.cmake" -DCMAKE_CXX_STANDARD_LIBRARIES=-latomic
    cross aarch64
    cross riscv64
    say "one line per processor"
    "$root/tests/emulate" "$root/build/release" "$root/build/aarch64" "$root/build/riscv64"
    say "every processor gives the same hashes, in $(elapsed)"
}

# Libraries, program, and tests that need no file but what they read. A check of portability, so it is built in less
# time: all at -O1, the kernels as in a release.
command_windows() {
    [[ -z ${1:-} || $1 == --test ]] || fail "expected ./dev windows [--test], not '$1'"
    need build windows
    local home=$root/build/windows libraries=$root/build/windows-root test
    say "libraries for Windows from their sources"
    "$root/cmake/package_root" headers "$libraries-headers"
    "$root/cmake/source_root" "$libraries" "onetbb googletest fmtlib libzstd tinyobjloader bullet" \
        -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchain-windows.cmake"
    say "cross-compilation"
    mkdir -p "$home"
    LANEFOLD_CROSS_ROOT=$libraries cmake -S "$root" -B "$home" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchain-windows.cmake" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
        -DLANEFOLD_INSTALL=OFF \
        -DLANEFOLD_ISAS="scalar;avx2" -Dxsimd_DIR="$libraries-headers/usr/lib/x86_64-linux-gnu/cmake/xsimd" \
        >"$home/configure.log" 2>&1 || {
        cat "$home/configure.log" >&2
        fail "configuring failed; the output is in build/windows/configure.log"
    }
    cmake --build "$home" -j "$jobs" --target lanefold lanefold_shared lanefold_reference
    [[ ${1:-} == --test ]] || return 0
    windows_program "$home"
    cmake --build "$home" -j "$jobs" --target "${machine_tests[@]}"
    say "golden hashes and tests, by Wine"
    # Windows starts no programs as these tests do. Its sin, cos and pow, with which the scene of the solver's golden
    # hashes is made, round otherwise.
    local left_out='IsaEnvironment.*:DynamicsThreads.*:*DynamicsBits.*'
    for test in "${machine_tests[@]}"; do
        on_windows "$home" "tests/$test" --gtest_color=no --gtest_filter="-$left_out" >"$home/$test.log" 2>&1 ||
            fail "$test failed; see build/windows/$test.log"
        printf '%-24s %s\n' "$test" "$(grep -a 'PASSED' "$home/$test.log" | tr -d '\r')"
    done
    say "the golden hashes of the scenes are those of every machine, in $(elapsed)"
}

# windows_program BUILD: generates, collides and verifies a scene; the golden hashes of the stored scenes.
windows_program() {
    local work=$1/work
    say "the program, by Wine"
    rm -rf "$work"
    mkdir -p "$work"
    (
        cd "$work" &&
            on_windows "$1" tools/lanefold generate debris scene --bodies 100 --seed 3 --progress none &&
            on_windows "$1" tools/lanefold generate debris scene --bodies 100 --seed 4 --progress none --replace &&
            on_windows "$1" tools/lanefold collide scene -o contacts --margin 0.02 --progress none &&
            on_windows "$1" tools/lanefold verify scene contacts --progress none | grep -E 'missed +0$'
    ) >"$1/program.log" 2>&1 || fail "the program failed; see $1/program.log"
    program_hashes "$root/tests/data/scenes" on_windows "$1" tools/lanefold || fail "the program gives other hashes"
}

# on_windows BUILD PROGRAM [ARGUMENT...]: runs a program of the build by Wine, in a Windows of its own.
on_windows() {
    local gcc
    gcc=$(dirname "$(x86_64-w64-mingw32-g++-posix -print-file-name=libstdc++-6.dll)")
    WINEPREFIX=$1/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml=" \
        WINEPATH="$1-root/usr/bin;$gcc;/usr/x86_64-w64-mingw32/lib" \
        "$(command -v wine64 || echo /usr/lib/wine/wine64)" "$1/$2.exe" "${@:3}"
}

# The libraries and the program for Apple's processors. Nothing here runs programs of macOS, so it only looks at them.
command_macos() {
    need macos
    source "$root/cmake/zig.sh"
    local home=$root/build/macos file kind found
    zig_compiler aarch64-macos
    zig_libraries
    say "cross-compilation"
    zig_configure "$home" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DLANEFOLD_BUILD_TESTS=OFF -DLANEFOLD_INSTALL=OFF
    cmake --build "$home" -j "$jobs" --target lanefold lanefold_shared lanefold_reference
    for file in tools/lanefold:EXECUTE bindings/c/liblanefold.dylib:DYLIB; do
        kind=${file#*:} file=${file%:*}
        found=$(llvm-objdump --macho --private-headers "$home/$file")
        grep -E "MH_MAGIC_64 +ARM64 .* $kind " <<<"$found" || fail "$file is no $kind for ARM64"
        # The processor runs nothing that is not signed.
        grep -q LC_CODE_SIGNATURE <<<"$found" || fail "$file has no signature"
    done
    say "the program and the libraries link for macOS on ARM64; nobody has run them; in $(elapsed)"
}
