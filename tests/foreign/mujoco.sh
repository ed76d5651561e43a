# SPDX-License-Identifier: MIT
#
# ./dev mujoco: sourced by dev, whose functions and variables it takes.
# shellcheck shell=bash

# MuJoCo, of PyPI, goes into build/mujoco, pinned by tests/foreign/mujoco.txt. The C++ build needs none of it but here.
command_mujoco() {
    need build test wheel
    local home=$root/build/mujoco python
    source "$root/tests/foreign/export.sh"
    say "MuJoCo, into build/mujoco"
    mkdir -p "$home"
    foreign_python "$home/env" mujoco.txt
    python=$home/env/bin/python
    configure release
    (cd "$root" && cmake build/release -D LANEFOLD_MUJOCO_INCLUDE="$("$python" -c \
        'import importlib.util as u; print(u.find_spec("mujoco").submodule_search_locations[0])')/include") \
        >"$root/build/release.configure.log" || fail "configuring failed; see build/release.configure.log"
    (cd "$root" && cmake --build build/release -j "$jobs" --target lanefold_mujoco)
    if [[ ${1:-} == --test ]]; then
        say "MuJoCo with lanefold's contacts"
        "$python" "$root/tests/foreign/check_mujoco.py" | tee "$home/test.log" ||
            fail "something differs; the output is in build/mujoco/test.log"
    else
        "$python" "$root/examples/mujoco/side_by_side.py" "$@"
    fi
    say "done in $(elapsed)"
}
