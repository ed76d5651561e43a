#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each function that a public header declares, and does not define, has the mark LANEFOLD_EXPORT. `./dev lint` runs it.

Libraries are compiled with hidden symbols, so a program cannot link an unmarked function of a shared library; static
ones, which the tests use, would not show that. A mark on a class counts for its members and the classes in it.
"""

import glob
import re
import sys

from check_rooms import COMMENT
from rooms import LIBRARY

DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
# Defined where they stand, by the compiler, or not functions.
DEFINED = re.compile(r"\b(?:using|typedef|static_assert|friend|inline|constexpr|consteval)\b|=\s*(?:default|delete)\s*$"
                     r"|^(?:(?!operator)[^(])*=")
FUNCTION = re.compile(r"(?:\w|operator\W{1,3})\s*\(.*\)[\s\w&]*$", re.S)


def without_arguments(text):
    """The text without the arguments of its templates, which may hold types of functions."""
    shorter = re.sub(r"(?<!operator)<[^<>;]*>", "", text)
    return text if shorter == text else without_arguments(shorter)


def unmarked(text):
    """The line number and the text of each declaration that lacks the mark."""
    code = text
    for part in (COMMENT, DIRECTIVE):
        code = part.sub(lambda match: "\n" * match.group().count("\n"), code)
    scopes, statement, began = [("namespace", False)], "", 0
    for at, sign in enumerate(code):
        kind, marked = scopes[-1]
        if sign == "{":
            words = without_arguments(statement)
            if words.count("(") > words.count(")"):  # a default argument
                scopes.append(("other", marked))
                continue
            if kind == "other" or re.search(r"\benum\b", words):
                scopes.append(("other", marked))
            elif re.search(r"\bnamespace\b", words):
                scopes.append(("namespace", False))
            elif re.search(r"\b(?:class|struct|union)\b", words) and "(" not in words.replace("alignas(", ""):
                scopes.append(("class", marked or "LANEFOLD_EXPORT" in words))
            else:
                scopes.append(("other", marked))
        elif sign == "}":
            scopes.pop()
        elif sign == ";":
            words = without_arguments(re.sub(r"\b(?:public|private|protected)\s*:", "", statement))
            if (kind != "other" and not marked and "LANEFOLD_EXPORT" not in words and not DEFINED.search(words)
                    and FUNCTION.search(words.strip())):
                yield code.count("\n", 0, began) + 1, " ".join(words.split())
        elif kind != "other":
            if not statement.strip():
                began = at
            statement += sign
            continue
        if kind != "other":
            statement = ""


def self_test():
    """The check finds each planted line, and nothing else."""
    planted = """namespace a {
int missing(int);
LANEFOLD_EXPORT int marked(std::span<const int> of = {}, int more = 0);
inline int here(int x) { return x; }
template <class T> int made(const T& x = T{}, int y = 0);
template <class T> int there(T x) { return x; }
struct Plain { int x = f(1); bool same(int y) const { return x == y; } int hidden() const; Plain() = default; };
class LANEFOLD_EXPORT Shown { public: int shown(); struct Inner { int too(); }; std::function<int(int)> call; };
}
"""
    found = list(unmarked(planted))
    expected = [(2, "int missing(int)"), (5, "template int made(const T& x = T, int y = 0)"), (7, "int hidden() const")]
    if found != expected:
        sys.exit(f"check_exports finds {found}, not {expected}")


def main():
    if "--self-test" in sys.argv:
        self_test()
        return
    files = [file for room in LIBRARY for file in sorted(glob.glob(f"{room}/include/lanefold/*.hpp"))]
    marks, wrong = 0, []
    for file in files:
        with open(file, encoding="utf-8") as header:
            text = header.read()
        marks += text.count("LANEFOLD_EXPORT")
        wrong += [f"{file}:{line}: {words} lacks LANEFOLD_EXPORT" for line, words in unmarked(text)]
    if marks < 100:
        sys.exit(f"check_exports sees {marks} marks in {len(files)} headers only")
    sys.stdout.writelines(f"{line}\n" for line in wrong)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
