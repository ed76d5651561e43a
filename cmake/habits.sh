# SPDX-License-Identifier: MIT
#
# ./dev workflows, ./dev printers and ./dev coverage; sourced by ./dev.

# actionlint, a Go module, checks the files of .github/workflows. Pinned, so that a new rule is met on purpose.
actionlint=github.com/rhysd/actionlint/cmd/actionlint@v1.7.7

command_workflows() {
    command -v go >/dev/null || need workflows
    [[ -x $root/build/go/actionlint ]] || GOBIN=$root/build/go GOFLAGS=-modcacherw go install "$actionlint"
    local planted
    planted=$(mktemp -d "$root/build/workflows.XXXXXX")
    printf 'on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ matrix.none }}\n' \
        >"$planted/planted.yml"
    ! "$root/build/go/actionlint" "$planted/planted.yml" >/dev/null || fail "actionlint finds no planted error"
    rm -r "$planted"
    "$root/build/go/actionlint" "$root"/.github/workflows/*.yml || fail "findings in the workflows"
    say "the workflows are clean"
}

command_printers() {
    need build printers
    "$root/cmake/gdb/test_printers.sh"
}

# coverage [ctest arguments]: executed lines of the libraries and the program by room, as the C++ tests execute them,
# and each line in build/coverage/html. Tests that compile against an installation, and the one that lists what the
# libraries call, would find the counters.
command_coverage() {
    local at=$root/build/coverage rooms=() room
    need build test coverage
    build coverage
    find "$at" -name '*.gcda' -delete
    run_tests coverage -E '^(Consumer|Libm)\.' "$@"
    say "executed lines"
    for room in core simd parallel world baking tools bindings/c; do rooms+=(--filter "$root/$room/"); done
    mkdir -p "$at/html"
    # Threads that count at the same time may leave a negative number, which is not zero.
    gcovr -j "$jobs" --root "$root" --object-directory "$at" "${rooms[@]}" --gcov-ignore-parse-errors \
        --exclude-throw-branches --json-summary "$at/coverage.json" --html-details "$at/html/index.html" "$at" \
        >"$at/gcovr.log" 2>&1 || fail "gcovr failed; the output is in build/coverage/gcovr.log"
    python3 "$root/cmake/coverage.py" "$at/coverage.json"
    say "each line: build/coverage/html/index.html"
}
