# SPDX-License-Identifier: MIT
#
# ./dev workflows and ./dev printers; sourced by ./dev.

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
