#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Prints the values of printed.cpp in gdb with the lanes of three widths, and compares each line. ./dev printers
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
root=$here/../..
work=$root/build/printers
mkdir -p "$work"

failed=0
# expect VALUE LINE: the printed line of a value.
expect() {
    local line
    line=$(grep -m1 "^$1 = " "$work/out" || echo "$1 was not printed")
    [[ $line == "$1 = $2" ]] || { printf 'expected %s = %s\n     got %s\n' "$1" "$2" "$line" >&2 && failed=1; }
}

# printed ISA FLAGS... : builds and prints.
printed() {
    local isa=$1
    shift
    g++ -std=c++20 -g -Og "$@" "-DLANEFOLD_KERNEL_ISA=$isa" "-DLANEFOLD_KERNEL_NAMESPACE=$isa" \
        "-DLANEFOLD_KERNEL_${isa^^}=1" -I"$root/core/include" -I"$root/simd/src" -I"$root/simd/include" \
        "$here/printed.cpp" -o "$work/printed_$isa" 2>"$work/log" || { cat "$work/log" >&2 && exit 1; }
    local values=(vector body contact bad hull lanes whole) commands=()
    for value in "${values[@]}"; do
        commands+=(-ex "printf \"$value = \"" -ex "output $value" -ex 'printf "\n"')
    done
    local stop
    stop=$(grep -n "the breakpoint of the test" "$here/printed.cpp" | cut -d: -f1)
    gdb -batch -nx -ex "source $here/lanefold_gdb.py" -ex "break printed.cpp:$stop" -ex run "${commands[@]}" \
        "$work/printed_$isa" >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err" >&2 && exit 1; }
}

# repeated VALUE COUNT
repeated() { printf "$1%.0s" $(seq "$2") | sed 's/, $//'; }

for set in "scalar 1" "sse2 4" "avx2 8 -mavx2"; do
    read -r isa width flags <<<"$set"
    # shellcheck disable=SC2086 # the flags are words
    printed "$isa" $flags
    expect vector "(1, -2, 0.5)"
    expect body "hull 7 at (1, 2, 3), orientation (0, 0, 0, 1)"
    expect contact "face_a 3/5, bodies 7 and 12, distance -0.25, normal (0, 1, 0), 2 of 6 points: -0.25 -0.125"
    expect bad "bad_pose, bodies 0 and 0"
    expect hull "8 vertices, 12 edges, 6 faces, size 1.5, radius 0, box thin"
    expect lanes "[$(repeated '1.5, ' "$width")]"
    expect whole "[$(repeated '7, ' "$width")]"
done
((failed == 0)) || exit 1
echo "all values print as they should, with lanes of 1, 4 and 8"
