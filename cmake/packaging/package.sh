# SPDX-License-Identifier: MIT
#
# ./dev package and ./dev abi: Debian packages, the release archive, their tests on a bare system, and the comparison of
# the shared library with an earlier commit. Sourced by ./dev.

package_version() { awk '/#define LANEFOLD_VERSION_[A-Z]+ [0-9]+$/ { printf "%s%s", dot, $3; dot = "." }' \
    "$root/core/include/lanefold/version.hpp"; }

# make_archive FILE: the sources of the commit that is checked out, with nothing else.
make_archive() {
    git -C "$root" diff --quiet HEAD ||
        say "the archive holds the last commit; there are changes that are not in it"
    git -C "$root" archive --format=tar --prefix="lanefold-$(package_version)/" HEAD | gzip -9n >"$1"
}

command_package() {
    local out=$root/build/package tree=$root/build/package/tree
    need build package
    mkdir -p "$out"
    say "release archive"
    make_archive "$out/lanefold-$(package_version).tar.gz"
    say "Debian packages, with $jobs processes"
    rm -f "$out"/*.deb
    cmake -S "$root" -B "$tree" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
        -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" -DLANEFOLD_DEBIAN=ON \
        -DLANEFOLD_BUILD_TESTS=OFF >"$out/configure.log" 2>&1 ||
        fail "configuring failed; the output is in build/package/configure.log"
    cmake --build "$tree" -j "$jobs"
    (cd "$tree" && cpack -G DEB -B "$out") >"$out/cpack.log" 2>&1 ||
        fail "cpack failed; the output is in build/package/cpack.log"
    (cd "$out" && sha256sum -- *.deb *.tar.gz >SHA256SUMS && cat SHA256SUMS)
    if [[ ${1:-} == --test ]]; then
        need package-test
        "$root/cmake/packaging/test_debian" "$out"
        "$root/cmake/packaging/test_sources" "$out/lanefold-$(package_version).tar.gz" "$out"
        command_abi --test
    fi
    say "done in $(elapsed): build/package"
}

# shared_library FOLDER: builds the shared library of the sources in FOLDER with debug information; prints its path.
shared_library() {
    cmake -S "$1" -B "$1/build/abi" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLANEFOLD_ISAS=scalar \
        -DLANEFOLD_BUILD_TOOLS=OFF -DLANEFOLD_BUILD_TESTS=OFF >/dev/null
    cmake --build "$1/build/abi" -j "$jobs" --target lanefold_shared >/dev/null
    realpath "$1/build/abi/bindings/c/liblanefold.so"
}

# compare_abi BEFORE AFTER: abidiff of two source trees. Bit 4 of its code means a difference, bit 8 one that breaks
# programs that are linked already; additions set only the first.
compare_abi() {
    local code=0
    abidiff --headers-dir1 "$1/bindings/c/include" --headers-dir2 "$2/bindings/c/include" \
        "$(shared_library "$1")" "$(shared_library "$2")" || code=$?
    ((code & 3)) && fail "abidiff could not compare them"
    ((!(code & 8)))
}

# abi [COMMIT]: COMMIT defaults to the last tag.
command_abi() {
    need build package
    local before=$root/build/abi-trees/before commit=${1:-}
    if [[ $commit == --test ]]; then
        test_abi
        return
    fi
    if [[ -z $commit ]]; then
        commit=$(git -C "$root" describe --tags --abbrev=0 2>/dev/null) ||
            fail "there is no tag yet; name the commit to compare with: ./dev abi COMMIT"
    fi
    rm -rf "$before" && mkdir -p "$before"
    git -C "$root" archive "$commit" | tar -x -C "$before"
    say "the shared library of $commit, and this one"
    if compare_abi "$before" "$root"; then
        say "programs that are linked with $commit run with this library"
    else
        local same
        same=$(awk '/LANEFOLD_VERSION_M(AJOR|INOR) [0-9]+$/' "$before/core/include/lanefold/version.hpp" \
            "$root/core/include/lanefold/version.hpp" | sort -u | wc -l)
        if ((same > 2)); then
            say "the interface changed, and so did the version (and the SONAME)"
            return
        fi
        fail "the interface changed, but the SONAME did not: raise the minor version"
    fi
}

# The comparison itself is tested, on two copies of the sources: one more function must pass, one less must not.
test_abi() {
    local copy=$root/build/abi-trees/copy same=$root/build/abi-trees/same
    rm -rf "$copy" "$same" && mkdir -p "$copy" "$same"
    git -C "$root" archive HEAD | tar -x -C "$same"
    git -C "$root" archive HEAD | tar -x -C "$copy"
    say "one more function: compatible"
    cat >"$copy/bindings/c/src/planted.cpp" <<'TEXT'
#include <lanefold.h>
extern "C" LANEFOLD_API int lanefold_planted(void);
extern "C" int lanefold_planted(void) { return 1; }
TEXT
    compare_abi "$same" "$copy" || fail "an addition was taken for a break"
    say "a function less: not compatible"
    if compare_abi "$copy" "$same"; then fail "a function that went away was not noticed"; fi
    say "the comparison of interfaces finds a break, and lets additions pass"
}
