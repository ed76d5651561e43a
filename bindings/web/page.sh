# SPDX-License-Identifier: MIT
#
# ./dev page and ./dev npm: sourced by dev, whose functions and variables they take.
# shellcheck shell=bash

# web_tools FOLDER: packages of npm, pinned by bindings/web/package-lock.json; nothing of C++ needs them.
web_tools() {
    local home=$1
    need page
    command -v npm >/dev/null || need npm
    mkdir -p "$home"
    say "packages of npm"
    if ! cmp -s "$root/bindings/web/package-lock.json" "$home/package-lock.json" || [[ ! -d $home/node_modules ]]; then
        cp "$root/bindings/web/package.json" "$root/bindings/web/package-lock.json" "$home"
        (cd "$home" && npm ci --ignore-scripts --no-audit --no-fund) >"$home/npm.log" 2>&1 || {
            cp /dev/null "$home/package-lock.json"
            fail "npm failed; the output is in build/page/npm.log"
        }
    fi
    export NODE_PATH=$home/node_modules # emscripten 3.1.6 takes its parser from there
}

# web_build FOLDER TARGET: the engine of the page, or the module of the package.
web_build() {
    local home=$1
    say "the $2 as WebAssembly, with $jobs processes"
    { env -u CMAKE_CXX_COMPILER_LAUNCHER emcmake cmake -S "$root/bindings/web" -B "$home/wasm" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release && cmake --build "$home/wasm" -j "$jobs" --target "$2"; } >"$home/wasm.log" 2>&1 || {
        tail -40 "$home/wasm.log" >&2
        fail "building the $2 failed; the output is in build/page/wasm.log"
    }
}

# The package of npm, as a file that `npm install` takes. --test: installed into an empty project, in node, and its
# types by the compiler of TypeScript.
command_npm() {
    local home=$root/build/page package=$root/build/npm/package
    web_tools "$home"
    web_build "$home" module
    rm -rf "$root/build/npm"
    mkdir -p "$package"
    cp "$root"/bindings/web/module/*.{mjs,ts,json,md} "$root/LICENSE" "$package"
    cp "$home/wasm/module.mjs" "$package/engine.mjs"
    node "$root/bindings/web/build.mjs" --licences "$package/NOTICES"
    (cd "$root/build/npm" && npm pack --silent ./package >/dev/null)
    if [[ ${1:-} == --test ]]; then
        say "testing the package, in an empty project"
        mkdir "$root/build/npm/project"
        (cd "$root/build/npm/project" && echo '{"private": true, "type": "module"}' >package.json &&
            npm install --silent --no-audit --no-fund --offline ../lanefold-*.tgz &&
            cp "$root"/bindings/web/tests/{package_check.mjs,npy.mjs,types.ts} . &&
            LANEFOLD_DATA=$root/tests/data node --test --test-reporter=spec package_check.mjs &&
            node "$home/node_modules/typescript/bin/tsc" --noEmit --strict --target es2022 --module nodenext types.ts) |
            tee "$root/build/npm/test.log" ||
            fail "tests of the package failed; the output is in build/npm/test.log"
    fi
    say "done in $(elapsed): $(echo "$root"/build/npm/*.tgz)"
}

command_page() {
    local home=$root/build/page
    web_tools "$home"
    web_build "$home" engine
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
