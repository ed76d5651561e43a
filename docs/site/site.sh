# SPDX-License-Identifier: MIT
#
# ./dev docs: sourced by dev, whose functions and variables it takes. Doxygen reads the public headers, Sphinx makes the
# site of them and of the documents, and every link of the result is followed.
# shellcheck shell=bash

command_docs() {
    local home=$root/build/docs test=0
    [[ ${1:-} != --test ]] || test=1
    need docs
    mkdir -p "$home"
    export LANEFOLD_ROOT=$root LANEFOLD_SITE_XML=$home/xml
    LANEFOLD_SITE_VERSION=$(awk '/#define LANEFOLD_VERSION_[A-Z]+ [0-9]+$/ { printf "%s%s", dot, $3; dot = "." }' \
        "$root/core/include/lanefold/version.hpp")
    LANEFOLD_SITE_COMMIT=$(git -C "$root" describe --always --dirty=+changes 2>/dev/null || echo unknown)
    export LANEFOLD_SITE_VERSION LANEFOLD_SITE_COMMIT
    say "the public headers"
    site_headers "$home" "$root"
    say "live pages"
    site_live "$home"
    say "pages"
    python=/usr/bin/python3
    [[ -x $python ]] || python=python3 # Sphinx is Debian's
    "$python" "$root/docs/site/stage.py" "$root" "$home/source" "$home/extra"
    "$python" -m sphinx -q -W --keep-going -b html -c "$root/docs/site" -d "$home/doctrees" "$home/source" \
        "$home/html" >"$home/sphinx.log" 2>&1 || {
        grep -E 'WARNING|ERROR|rror:' "$home/sphinx.log" >&2 || tail -20 "$home/sphinx.log" >&2
        fail "the documents have findings; the whole output is in build/docs/sphinx.log"
    }
    say "links"
    python3 "$root/docs/site/links.py" "$home/html" "$home/elsewhere.txt" || fail "links of the site are broken"
    if ((test)); then
        "$root/docs/site/test" "$home"
    fi
    say "done in $(elapsed); open in a browser: $home/html/index.html"
}

# site_headers FOLDER ROOT: Doxygen's XML of the headers below ROOT.
site_headers() {
    rm -rf "$1/xml"
    { cat "$root/docs/site/Doxyfile" && printf 'OUTPUT_DIRECTORY = "%s"\nWARN_LOGFILE = "%s"\n' "$1" \
        "$1/doxygen.log"; } >"$1/Doxyfile"
    (cd "$2" && doxygen "$1/Doxyfile") || fail "doxygen failed"
    python3 "$root/docs/site/findings.py" "$1/doxygen.log" || fail "the public headers have findings (see above)"
}

# site_live FOLDER: the live page, and one of a settled pile, where ./dev page made the first.
site_live() {
    local extra=$1/extra/live program=$root/build/release/tools/lanefold pile=$root/tests/data/scenes/debris_pile
    rm -rf "$1/extra" && mkdir -p "$1/extra"
    if [[ ! -f $root/build/page/lanefold.html ]]; then
        echo "   none: ./dev page makes them"
        return
    fi
    mkdir -p "$extra" && cp "$root/build/page/lanefold.html" "$extra/pair.html"
    if [[ -x $program ]]; then
        rm -rf "$1/pile" && "$program" collide "$pile" -o "$1/pile" --margin 0.02 --find-pairs >"$1/pile.log" &&
            "$program" view "$pile" "$1/pile" --page "$extra/pair.html" -o "$extra/pile.html" >>"$1/pile.log" ||
            fail "lanefold view failed; the output is in build/docs/pile.log"
    fi
}
