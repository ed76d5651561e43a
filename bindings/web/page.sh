# SPDX-License-Identifier: MIT
#
# ./dev page: sourced by dev, whose functions and variables it takes.
# shellcheck shell=bash

# Packages of npm go into build/page, pinned by bindings/web/package-lock.json; nothing of C++ needs them.
command_page() {
    local home=$root/build/page
    need page
    command -v npm >/dev/null || need npm
    mkdir -p "$home"
    say "libraries of the page"
    if ! cmp -s "$root/bindings/web/package-lock.json" "$home/package-lock.json" || [[ ! -d $home/node_modules ]]; then
        cp "$root/bindings/web/package.json" "$root/bindings/web/package-lock.json" "$home"
        (cd "$home" && npm ci --ignore-scripts --no-audit --no-fund) >"$home/npm.log" 2>&1 || {
            cp /dev/null "$home/package-lock.json"
            fail "npm failed; the output is in build/page/npm.log"
        }
    fi
    export NODE_PATH=$home/node_modules # emscripten 3.1.6 takes its parser from there
    say "the engine as WebAssembly, with $jobs processes"
    { env -u CMAKE_CXX_COMPILER_LAUNCHER emcmake cmake -S "$root/bindings/web" -B "$home/wasm" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release && cmake --build "$home/wasm" -j "$jobs"; } >"$home/wasm.log" 2>&1 || {
        tail -40 "$home/wasm.log" >&2
        fail "building the engine failed; the output is in build/page/wasm.log"
    }
    node "$root/bindings/web/build.mjs" "$home/wasm/engine.js" "$home/node_modules" "$home/lanefold.html"
    if [[ ${1:-} == --test ]]; then
        test_page "$home"
    fi
    say "done in $(elapsed); open in a browser: $home/lanefold.html"
}

# test_page FOLDER: what the page says against what this machine says, then the page in a browser.
test_page() {
    need build test page-test
    build release lanefold lanefold_lines
    say "testing the page"
    LANEFOLD_ENGINE=$1/wasm/engine.js LANEFOLD_LINES=$root/build/release/bindings/web/lanefold_lines \
        LANEFOLD_PROGRAM=$root/build/release/tools/lanefold LANEFOLD_BUILD=$root/build/release \
        LANEFOLD_PAGE_FILE=$1/lanefold.html LANEFOLD_MODULES=$1/node_modules LANEFOLD_SCREENSHOTS=$1/screenshots \
        node --test --test-concurrency=1 --test-reporter=spec "$root"/bindings/web/tests/*.test.mjs |
        tee "$1/test.log" ||
        fail "tests of the page failed; the output is in build/page/test.log"
}
