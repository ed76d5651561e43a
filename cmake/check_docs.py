#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what the documents say about the repository:

- every promise in docs/contract.md has tests (cmake/contract.py);
- every relative link and every path in backticks of the documents exists. docs/history names files of the past, so only
  its links are checked;
- DESIGN.md shows the tables of cmake/rooms.py: a row for each room and each folder, the libraries of each room, and
  folders in an order in which arrows go down;
- the C++ programs in README.md and docs/overview.md are examples/first.cpp and examples/minimal.cpp, which the tests
  compile and run;
- each document has a line in the contents of the site, docs/site/pages/index.rst; those of docs/performance are taken
  all;
- the C++ in docs/ten_minutes is examples/ten_minutes.cpp; what these pages print, their own tests compare;
- CITATION.cff has the version of the headers, and the day of its release if CHANGELOG.md gives it one; the packages
  have that version;
- the C++ lines in docs/methods.md, below a comment with their header, are the marked parts of examples/methods.cpp.
"""

import re
import sys
import textwrap
from pathlib import Path

import contract
from rooms import FOLDERS, ROOMS, THIRD_PARTY

ROOT = Path.cwd()
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "DESIGN.md", "CHANGELOG.md", "bench/README.md",
             *map(str, sorted(Path("docs").rglob("*.md")))]
# A path in backticks begins with one of the repository's folders and has no pattern in it.
PATHS = r"(?:core|simd|parallel|world|baking|bindings|tools|bench|tests|examples|cmake|docs)/[\w./-]+"
# The files in which packages say their version.
PACKAGES = {"cmake/packaging/vcpkg/lanefold/vcpkg.json": r'"version": "([^"]+)"',
            "bindings/web/module/package.json": r'"version": "([^"]+)"',
            "examples/blender/lanefold_contacts/blender_manifest.toml": r'^version = "([^"]+)"'}
# A file that is named by its topic, as the stages in DESIGN.md are, is below simd/src or core/src.
TOPICS = r"(?:batch|chunk|box|contact|record|search|pair|isa|lanes|set|hull|precise)/[\w./-]+\.(?:hpp|cpp|inl)"


def program(text: str) -> str:
    """The program without its licence line and its opening comment."""
    lines = text.splitlines()
    while lines and (lines[0].startswith("//") or not lines[0].strip()):
        lines.pop(0)
    return "\n".join(lines).strip()


def method_lines() -> list[str]:
    """The findings in the lines of code of docs/methods.md."""
    source = (ROOT / "examples/methods.cpp").read_text()
    parts = {textwrap.dedent(part).strip(): name
             for name, part in re.findall(r"// \[(\w+)\]\n(.*?)[ ]*// \[end\]", source, re.DOTALL)}
    found = []
    shown = set()
    for block in re.findall(r"```cpp\n(.*?)```", (ROOT / "docs/methods.md").read_text(), re.DOTALL):
        header, _, lines = block.partition("\n")
        name = re.match(r"// (lanefold/\w+\.hpp)", header)
        if not name or f"#include <{name.group(1)}>" not in source:
            found.append(f"docs/methods.md: '{header}' names no header of examples/methods.cpp")
        if lines.strip() not in parts:
            found.append(f"docs/methods.md: these lines are no part of examples/methods.cpp: {lines.strip()[:60]}...")
        shown.add(parts.get(lines.strip()))
    return found + [f"docs/methods.md: the part [{name}] of examples/methods.cpp is not shown"
                    for name in parts.values() if name not in shown]


def version_of(header: str) -> str:
    """The version that version.hpp defines."""
    return ".".join(re.findall(r"#define LANEFOLD_VERSION_[A-Z]+ (\d+)$", header, re.MULTILINE))


def other_versions(version: str, texts: dict[str, str]) -> list[str]:
    """The packages that have another version than the headers."""
    return [f"{name}: its version is not {version}" for name, form in PACKAGES.items()
            if re.findall(form, texts[name], re.MULTILINE)[:1] != [version]]


def citation(changes: str, header: str, cited: str) -> list[str]:
    """The differences of CITATION.cff from the changes and version.hpp. A version that is not released has no day."""
    version = version_of(header)
    latest = re.search(r"^## (\S+) \((?:not released|(\d{4}-\d\d-\d\d))\)$", changes, re.MULTILINE)
    if not latest or latest[1] != version:
        return [f"CHANGELOG.md: its first heading is not '{version} (not released)' or '{version} (year-month-day)'"]
    found = []
    if not re.search(rf"^version: {re.escape(version)}$", cited, re.MULTILINE):
        found.append(f"CITATION.cff: its version is not {version}")
    day = re.search(r'^date-released: "?([^"\n]*)"?$', cited, re.MULTILINE)
    if (day[1] if day else None) != latest[2]:
        found.append(f"CITATION.cff: date-released is {day[1] if day else 'missing'}, but CHANGELOG.md says "
                     f"{latest[2] or 'not released'}")
    return found


def citation_self_test() -> list[str]:
    header = "#define LANEFOLD_VERSION_MAJOR 0\n#define LANEFOLD_VERSION_MINOR 2\n#define LANEFOLD_VERSION_PATCH 0\n"
    open_, closed = "# Changes\n\n## 0.2.0 (not released)\n", "# Changes\n\n## 0.2.0 (2027-01-31)\n"
    dated = 'version: 0.2.0\ndate-released: "2027-01-31"\n'
    right = [(open_, "version: 0.2.0\n"), (closed, dated)]
    planted = [(open_, dated), (closed, "version: 0.2.0\n"), (closed, dated.replace("31", "30")),
               (open_, "version: 0.1.0\n"), ("# Changes\n\n## 0.1.0 (not released)\n", "version: 0.2.0\n")]
    return [f"refused: {case}" for case in right if citation(case[0], header, case[1])] + [
        f"not found: {case}" for case in planted if not citation(case[0], header, case[1])]


def rows(text: str, head: str) -> list[list[str]]:
    """The cells of the Markdown table whose first line begins with `head`, without its two head lines."""
    table = re.search(rf"^{re.escape(head)}.*\n\|[-|]*\n((?:\|.*\n)+)", text, re.MULTILINE)
    lines = table.group(1).splitlines() if table else []
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def rooms_of_design(text: str) -> list[str]:
    """The findings in the tables of rooms and folders of DESIGN.md."""
    found = []
    shown = {re.sub("`", "", row[0]): row[2] for row in rows(text, "| folder |")}
    for room in ROOMS.keys() ^ shown.keys():
        found.append(f"DESIGN.md: the room {room} is " + ("missing" if room in ROOMS else "not in cmake/rooms.py"))
    for room, cell in shown.items():
        wanted = {name for name, (_, folders) in THIRD_PARTY.items() for f in folders if f"{f}/".startswith(f"{room}/")}
        told = set(filter(None, cell.split(", ")))
        if wanted != told:
            found.append(f"DESIGN.md: the libraries of {room} are {', '.join(sorted(wanted)) or 'none'}, not '{cell}'")
    for base, table in FOLDERS.items():
        place = {}
        for at, row in enumerate(rows(text, f"| `{base}/` |")):
            place |= {name.rstrip("/"): at for name in re.findall(r"`([\w/]+/)`", " ".join(row)) if name != f"{base}/"}
        # A folder without a row belongs to the row of the folder above it. tests and examples have no table.
        at = {here: next((place[up] for up in [here, *map(str, Path(here).parents)] if up in place), None)
              for here in table}
        for here, uses in table.items() if base not in ("tests", "examples") else ():
            if here not in (".", "*") and at[here] is None:
                found.append(f"DESIGN.md: the table of {base} has no row for {here}/")
            found += [f"DESIGN.md: {base}: {there}/ stands above {here}/, which includes it" for there in uses
                      if None not in (at[here], at[there]) and at[there] < at[here]]
        for name in place.keys() - table.keys():
            if (ROOT / base / name).is_dir() and not list((ROOT / base / name).rglob("*.[ch]pp")):
                continue  # no C++
            found.append(f"DESIGN.md: cmake/rooms.py has no folder {name} in {base}")
    return found


def self_test() -> int:
    text = (ROOT / "DESIGN.md").read_text()
    planted = {"| `bindings/c` |": "| `d` |", "Zstandard, fmt": "fmt", "| `lanes/` |": "| `vectors/` |",
               "| xsimd |": "| |",
               "| `search/` | ": "| | ", "| `set/` |": "| `hull/` |"}
    failures = [f"not found: {old} as {new}" for old, new in planted.items()
                if old not in text or not rooms_of_design(text.replace(old, new, 1))]
    box, record = (re.search(rf"^\| `{name}/`.*$", text, re.MULTILINE).group(0) for name in ("box", "record"))
    if not any("above box/" in line for line in
               rooms_of_design(text.replace(record + "\n", "").replace(box, f"{record}\n{box}"))):
        failures.append("an arrow that goes up is not found")
    failures += citation_self_test()
    version = version_of((ROOT / "core/include/lanefold/version.hpp").read_text())
    packages = {name: (ROOT / name).read_text() for name in PACKAGES}
    failures += [f"not found: another version in {name}" for name in PACKAGES
                 if len(other_versions(version, packages | {name: packages[name].replace(version, "0.0.9")})) != 1]
    for line in failures:
        print(line)
    print(f"{len(planted) + 6 + len(PACKAGES)} planted violations, {len(failures)} failures")
    return 1 if failures else 0


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = method_lines() + rooms_of_design((ROOT / "DESIGN.md").read_text())
    found += citation(*((ROOT / name).read_text() for name in
                        ("CHANGELOG.md", "core/include/lanefold/version.hpp", "CITATION.cff")))
    found += other_versions(version_of((ROOT / "core/include/lanefold/version.hpp").read_text()),
                            {name: (ROOT / name).read_text() for name in PACKAGES})
    found += contract.findings((ROOT / "docs/contract.md").read_text(), contract.tests())
    for document in DOCUMENTS:
        text = Path(document).read_text()
        prose = re.sub(r"^(```|    ).*?$", "", text, flags=re.MULTILINE)
        for path in re.findall(rf"`({PATHS})`", prose):
            if not (ROOT / path).exists() and not document.startswith("docs/history/"):
                found.append(f"{document}: there is no {path}")
        for path in re.findall(rf"`({TOPICS})`", prose):
            if not any((ROOT / base / path).exists() for base in ("simd/src", "core/src")):
                if not document.startswith("docs/history/"):
                    found.append(f"{document}: there is no {path} in simd/src or core/src")
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", prose):
            if "://" not in link and not (Path(document).parent / link).exists():
                found.append(f"{document}: link to {link}, which does not exist")
    for document, example in (("README.md", "first"), ("docs/overview.md", "minimal")):
        blocks = re.findall(r"```cpp\n(.*?)```", Path(document).read_text(), re.DOTALL)
        if len(blocks) != 1 or blocks[0].strip() != program((ROOT / f"examples/{example}.cpp").read_text()):
            found.append(f"{document}: its program is not examples/{example}.cpp")
    contents = re.findall(r"[\w/]+", (ROOT / "docs/site/pages/index.rst").read_text())
    found += [f"{document}: not in the contents of the site, docs/site/pages/index.rst" for document in DOCUMENTS
              if document.removesuffix(".md") not in contents and not document.startswith("docs/performance/")]
    pages = "".join(path.read_text() for path in Path("docs/ten_minutes").glob("*.md"))
    shown = re.findall(r"```cpp\n(.*?)```", pages, re.DOTALL)
    if [block.strip() for block in shown] != [program((ROOT / "examples/ten_minutes.cpp").read_text())]:
        found.append("docs/ten_minutes: the program there is not examples/ten_minutes.cpp")
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
