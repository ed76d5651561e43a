# SPDX-License-Identifier: MIT
#
# ./dev blender: sourced by dev, whose functions and variables it takes.
# shellcheck shell=bash

# The add-on examples/blender/lanefold_contacts with the wheel of lanefold for Blender's Python, 3.11, as one zip.
command_blender() {
    [[ -z ${1:-} || $1 == --test ]] || fail "expected ./dev blender [--test], not '$1'"
    local home=$root/build/blender python=${LANEFOLD_PYTHON:-python3} wheel folder
    [[ $("$python" -c 'import sys; print(sys.version_info[:2])') == "(3, 11)" ]] ||
        fail "Blender 4.2 to 5.0 has Python 3.11, and $python is $("$python" --version); LANEFOLD_PYTHON names another"
    source "$root/bindings/python/wheel.sh"
    source "$root/tests/foreign/export.sh"
    command_wheel --portable
    say "the add-on"
    wheel=$(echo "$root"/build/portable-x86_64/portable/*.whl)
    folder=$home/lanefold_contacts
    rm -rf "$folder" "$home"/*.zip
    mkdir -p "$folder/wheels"
    cp "$root"/examples/blender/lanefold_contacts/*.{py,toml} "$root/LICENSE" "$folder"
    cp "$wheel" "$folder/wheels"
    sed -i "s|^wheels = .*|wheels = [\"./wheels/$(basename "$wheel")\"]|" "$folder/blender_manifest.toml"
    (cd "$home" && "$python" -m zipfile -c lanefold_contacts.zip lanefold_contacts)
    if [[ ${1:-} == --test ]]; then
        say "Blender, into build/blender/env (350 MB)"
        foreign_python "$home/env" blender.txt
        say "the add-on in Blender"
        # A Blender of its own, in which nothing else is installed.
        rm -rf "$home/user"
        BLENDER_USER_RESOURCES=$home/user "$home/env/bin/python" "$root/tests/foreign/check_addon.py" \
            "$home/lanefold_contacts.zip" "$home" | tee "$home/test.log" ||
            fail "the add-on failed; the output is in build/blender/test.log"
    fi
    say "done in $(elapsed); Edit, Preferences, Add-ons, Install from Disk: $home/lanefold_contacts.zip"
}
