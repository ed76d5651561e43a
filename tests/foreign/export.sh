# SPDX-License-Identifier: MIT
#
# ./dev export: sourced by dev, whose functions and variables it takes.
# shellcheck shell=bash

# Packages of PyPI go into build/export, pinned in tests/foreign. The C++ build needs none of them.
command_export() {
    [[ ${1:-} == --test ]] || fail "expected ./dev export --test; the program itself exports: lanefold export --help"
    [[ ${2:-} == --long || -z ${2:-} ]] || fail "export --test $2: expected --long or nothing"
    need build test wheel
    local home=$root/build/export
    build release lanefold
    say "readers of other programs, into build/export"
    foreign_python "$home/env" requirements.txt
    say "what they read"
    "$home/env/bin/python" "$root/tests/foreign/check_export.py" "$root/build/release/tools/lanefold" "$home/files" |
        tee "$home/test.log" || fail "a reader found something else; the output is in build/export/test.log"
    "$home/env/bin/python" "$root/tests/foreign/check_usd_import.py" "$root/build/release/tools/lanefold" \
        "$home/files" || fail "a stage was not imported, or not refused, as it should be"
    "$home/env/bin/python" "$root/tests/foreign/check_decompose.py" "$root/build/release/tools/lanefold" \
        "$home/files" || fail "a concave piece was not split as it should be"
    if [[ ${2:-} == --long ]]; then
        say "Blender, into build/export (350 MB)"
        foreign_python "$home/blender" blender.txt
        say "what it reads"
        "$home/blender/bin/python" "$root/tests/foreign/check_blender.py" "$root/build/release/tools/lanefold" \
            "$home/files" | tee "$home/blender.log" ||
            fail "Blender found something else; the output is in build/export/blender.log"
    fi
    say "done in $(elapsed); the files are in $home/files"
}

# foreign_python FOLDER LIST: a virtual environment with the packages of tests/foreign/LIST.
foreign_python() {
    [[ -x $1/bin/python ]] || "${LANEFOLD_PYTHON:-python3}" -m venv "$1"
    "$1/bin/pip" install -q --disable-pip-version-check --no-deps -r "$root/tests/foreign/$2" ||
        fail "$("$1/bin/python" --version) cannot install tests/foreign/$2; LANEFOLD_PYTHON=PROGRAM takes another one"
}
