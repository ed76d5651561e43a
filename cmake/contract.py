#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tests of the promises in docs/contract.md: contract.py [--check | --self-test].

A promise is an item of a list. At its end stand keys in brackets and backticks: a suite of tests (`Rays`), a test
(`Rays.ClosedForms`), either with `*` for any letters, a command (`./dev farm`), or a file of the repository. Without an
option the tests of every promise are printed as Markdown, which the site appends to the page. --check prints what is
wrong: a promise without keys, a key without tests, a promise that stands there twice; it ends with 1 if there is
anything.
"""

import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GTEST = re.compile(r"^\s*(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)
CTEST = re.compile(r"add_test\(\s*NAME (\w+\.\w+)\b")
ITEM = re.compile(r"^- (.*(?:\n  .*)*)", re.MULTILINE)
KEYS = re.compile(r"(.*?)(?: \((`[^()]*`)\))?", re.DOTALL)


def tests(root: Path = ROOT) -> set[str]:
    """The names of all tests: those of GoogleTest, those that CMake names, and those that it makes of a file each."""
    names = {f"{a}.{b}" for path in root.glob("tests/*/*_test.cpp") for a, b in GTEST.findall(path.read_text())}
    for folder in ("tests", "bench"):
        for path in (root / folder).rglob("CMakeLists.txt"):
            names |= set(CTEST.findall(path.read_text()))
    names |= {f"Pages.{path.stem}" for path in root.glob("docs/ten_minutes/*.md")} | {"Pages.overview"}
    names |= {f"Fuzz.{path.stem}" for path in root.glob("tests/fuzz/*.cpp") if path.stem != "replay"}
    ways = re.findall(r"(?:set\(|APPEND )ways ([\w ]+)\)", (root / "tests/consumer/CMakeLists.txt").read_text())
    return names | {f"Consumer.{way}" for line in ways for way in line.split()}


def sections(text: str) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """(heading, its promises), each with its keys."""
    found = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        items = [KEYS.fullmatch(" ".join(item.split())) for item in ITEM.findall(part)]
        if items:
            found.append((part.partition("\n")[0], [(i[1], re.findall(r"`([^`]+)`", i[2] or "")) for i in items]))
    return found


def expand(key: str, known: set[str], root: Path = ROOT) -> list[str]:
    """The tests, the command or the file of a key; nothing if there is no such test, command or file."""
    if key.startswith("./dev "):
        commands = re.findall(r"^    ([\w |]+)\) ", (root / "dev").read_text(), re.MULTILINE)
        return [key] if key.split()[1] in {name.strip() for line in commands for name in line.split("|")} else []
    if "/" in key:
        return [key] if (root / key).is_file() else []
    return sorted(name for name in known if fnmatchcase(name, key) or fnmatchcase(name.partition(".")[0], key))


def findings(text: str, known: set[str]) -> list[str]:
    found, seen = [], set()
    for heading, rows in sections(text):
        for promise, keys in rows:
            where = f"docs/contract.md: {heading}: '{promise[:60]}'"
            found += [f"{where} has no key of a test"] * (not keys)
            found += [f"{where}: the key {key} is no test" for key in keys if not expand(key, known)]
            found += [f"{where} stands there twice"] * (promise in seen)
            seen.add(promise)
    return found


def listing(text: str) -> str:
    """All tests of every promise, as the last section of the page."""
    known = tests()
    out = ["", "## The tests of each promise", ""]
    for heading, rows in sections(text):
        out += [f"### Tests: {heading}", ""]
        for promise, keys in rows:
            names = sorted({name for key in keys for name in expand(key, known)})
            out.append(f"- {promise.rstrip('.')}: {', '.join(f'`{name}`' for name in names)}")
        out.append("")
    return "\n".join(out)


def self_test() -> int:
    """Plants a fault of each kind."""
    text = "## Exact\n\n- One is (by us)\n  one. (`Sum.One`,\n  `S*`)\n- Two. (`Sum`)\n"
    known = {"Sum.One", "Sum.Two"}
    planted = [("`Sum.One`", "`Sum.Three`"), ("`S*`", "`T*`"), (" (`Sum`)", ""), ("(`Sum`)", "`Sum`"),
               ("- Two.", "- One is (by us) one."), ("`Sum.One`,", "`./dev nothing`,"), ("`S*`", "`cmake/nothing.py`")]
    failures = [f"refused: {line}" for line in findings(text, known)]
    failures += [f"not found: {new}" for old, new in planted if not findings(text.replace(old, new, 1), known)]
    page = (ROOT / "docs/contract.md").read_text()
    failures += [f"docs/contract.md has only {count} promises" for count in [sum(len(r) for _, r in sections(page))]
                 if count < 150]
    print("\n".join(failures + [f"{len(planted)} planted faults, {len(failures)} failures"]))
    return 1 if failures else 0


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    text = (ROOT / "docs/contract.md").read_text()
    if sys.argv[1:] == ["--check"]:
        found = findings(text, tests())
        print("\n".join(found or ["every promise has a test"]))
        return 1 if found else self_test()
    print(listing(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
