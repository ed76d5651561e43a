# SPDX-License-Identifier: MIT
#
# The golden hashes of the stored scenes, by the program on another system. Sourced.

# program_hashes SCENES COMMAND...: COMMAND runs the program, and sees the stored scenes in the folder SCENES. Fails,
# with the program's words, where a scene has another hash.
program_hashes() {
    local scenes=$1 root golden name said hash
    shift
    root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
    for golden in "$root"/data/golden/*.txt; do
        name=$(basename "$golden" .txt)
        said=$("$@" collide "$scenes/$name" --margin 0.02 --face-preference 0.005 --capacity 4 --json 2>&1 || true)
        hash=$(sed -nE 's/.*"hash":"([0-9a-f]{16})".*/\1/p' <<<"$said")
        echo "$name $hash"
        [[ $hash ]] && grep -q "^0.02 0.005 4 $hash$" "$golden" || {
            printf '%s has another hash; the program said:\n%s\n' "$name" "$said" >&2
            return 1
        }
    done
}
