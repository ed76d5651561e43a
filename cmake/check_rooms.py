#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the rules that neither the compiler nor clang-tidy knows, of the files named on standard input:

- every C++ file opens with the licence line;
- dependencies run one way (USES): a room includes public headers of the rooms it uses only, private headers of its own
  only. core/reference shares no code with the engine: nothing in core, simd or parallel includes it, and its oracle
  includes nothing but types;
- a third-party library is included only in the room that owns it: Qhull and xxHash in core (xxHash in tools too),
  xsimd in simd/src/lanes, TBB never in core or simd;
- no library room prints or throws: no <iostream>, <cstdio> or `throw X`. Passing on what a callee threw is allowed, and
  Qhull's interface needs a FILE*.

`check_rooms.py --self-test` plants one violation of each rule and expects it to be found.
"""

import re
import sys
import tempfile
from pathlib import Path

# The library rooms, and whose public headers each may include besides its own. A longer folder comes first, so that
# core/reference is not taken for core. All other folders may include any.
USES = {
    "core/reference": {"core"},
    "core": set(),
    "simd": {"core"},
    "parallel": {"core", "simd"},
    "broadphase": {"core", "simd", "parallel"},
}
# The workspace is one type for both front doors; its insides are simd's.
PRIVATE_OF = {"parallel": {"simd"}}
# What the oracle may know: types and its own code. It builds its own hulls and finds its own distances.
ORACLE = "core/reference/src/oracle/"
ORACLE_HEADERS = {"lanefold/reference.hpp", "lanefold/vec.hpp", "lanefold/pose.hpp"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)

OWNERS = [
    (re.compile(r"^(libqhull|libqhull_r|qhull)/|^libqhull"), {"core/src"}, "Qhull"),
    (re.compile(r"^xxhash\.h$"), {"core/src", "tools"}, "xxHash"),
    (re.compile(r"^xsimd/"), {"simd/src/lanes"}, "xsimd"),
]
PRINTING = {"iostream", "cstdio", "stdio.h", "fmt/core.h", "fmt/format.h", "print"}


def room_of(name: str) -> str | None:
    return next((room for room in USES if name.startswith(room + "/")), None)


def headers(base: Path) -> set[str]:
    return {str(p.relative_to(base)) for kind in ("*.hpp", "*.inl") for p in base.rglob(kind)}


class Check:
    def __init__(self, root: Path):
        self.root = root
        self.found: list[str] = []
        self.public = {room: headers(root / room / "include") for room in USES}
        self.private = {room: headers(root / room / "src") for room in USES}

    def file(self, name: str) -> None:
        path = self.root / name
        if not name or not path.is_file():
            return
        text = path.read_text(encoding="utf-8")
        if not text.startswith("// SPDX-License-Identifier: MIT\n"):
            self.found.append(f"{name}:1: must open with '// SPDX-License-Identifier: MIT'")
        for match in INCLUDE.finditer(text):
            place = f"{name}:{text[: match.start()].count(chr(10)) + 1}"
            self.third_party(name, place, match.group(2))
            if room_of(name):
                self.include(name, place, match.group(1) == '"', match.group(2))
        if room_of(name):
            code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
            for match in re.finditer(r"\bthrow\s*[^;\s]", code):
                self.found.append(f"{name}:{code[: match.start()].count(chr(10)) + 1}: the library never throws")

    def third_party(self, name: str, place: str, header: str) -> None:
        for pattern, folders, library in OWNERS:
            if pattern.search(header) and not any(name.startswith(f + "/") for f in folders):
                self.found.append(f"{place}: {library} is private to {', '.join(sorted(folders))}")
        if room_of(name) in ("core", "core/reference", "simd") and re.match(r"^(tbb|oneapi)/", header):
            self.found.append(f"{place}: TBB is private to parallel")

    def include(self, name: str, place: str, quoted: bool, header: str) -> None:
        room = room_of(name)
        for other in USES:
            if other in USES[room] or other == room:
                continue
            if header in self.public[other]:
                self.found.append(f"{place}: {room} must not depend on {other}")
        if quoted:
            self.private_include(name, place, header)
        if name.startswith(ORACLE) and header.startswith("lanefold/") and header not in ORACLE_HEADERS:
            self.found.append(f"{place}: the oracle shares no code with the engine, only types")
        if not name.startswith("core/src/") or "qhull" not in Path(name).name:
            if header in PRINTING:
                self.found.append(f"{place}: the library never prints")

    # A quoted name is looked for beside the includer, then in the src folders of the rooms.
    def private_include(self, name: str, place: str, header: str) -> None:
        room = room_of(name)
        beside = (self.root / name).parent / header
        owners = [other for other in USES if header in self.private[other]]
        if beside.is_file():
            owners = [room_of(str(beside.resolve().relative_to(self.root.resolve())))]
        allowed = {room} | PRIVATE_OF.get(room, set())
        if owners and not allowed & set(owners):
            self.found.append(f"{place}: {header} is private to {owners[0]}")


def self_test() -> int:
    licence = "// SPDX-License-Identifier: MIT\n"
    good = {
        "core/include/lanefold/vec.hpp": "",
        "core/include/lanefold/hull_set.hpp": "#include <lanefold/vec.hpp>\n",
        "core/src/set/store.hpp": "",
        "core/src/set/store.cpp": '#include "set/store.hpp"\n',
        "core/reference/include/lanefold/reference.hpp": "#include <lanefold/vec.hpp>\n",
        "core/reference/src/oracle/exact.hpp": "",
        "core/reference/src/oracle/distance.cpp": '#include <lanefold/reference.hpp>\n#include "oracle/exact.hpp"\n',
        "simd/include/lanefold/serial.hpp": "#include <lanefold/hull_set.hpp>\n",
        "simd/src/batch/serial.hpp": "",
        "parallel/src/narrowphase.cpp": '#include <lanefold/serial.hpp>\n#include "batch/serial.hpp"\n',
        "broadphase/include/lanefold/broadphase.hpp": "#include <lanefold/hull_set.hpp>\n",
        "tools/main.cpp": "#include <cstdio>\n#include <lanefold/reference.hpp>\n#include <lanefold/serial.hpp>\n",
    }
    bad = [
        ("core/src/planted.cpp", "#include <lanefold/reference.hpp>\n", "core must not depend on core/reference"),
        ("core/src/planted.cpp", '#include "oracle/exact.hpp"\n', "private to core/reference"),
        ("core/src/planted.cpp", '#include "../reference/src/oracle/exact.hpp"\n', "private to core/reference"),
        ("simd/src/planted.hpp", "#include <lanefold/reference.hpp>\n", "simd must not depend on core/reference"),
        ("simd/src/planted.hpp", '#include "set/store.hpp"\n', "private to core"),
        ("parallel/src/planted.cpp", "#include <lanefold/reference.hpp>\n", "must not depend on core/reference"),
        ("core/reference/src/planted.cpp", "#include <lanefold/serial.hpp>\n", "must not depend on simd"),
        ("core/reference/src/planted.cpp", '#include "set/store.hpp"\n', "private to core"),
        ("core/reference/src/oracle/planted.cpp", "#include <lanefold/hull_set.hpp>\n", "the oracle shares no code"),
        ("core/src/planted.cpp", "#include <lanefold/serial.hpp>\n", "core must not depend on simd"),
        ("parallel/src/planted.cpp", "#include <lanefold/broadphase.hpp>\n", "parallel must not depend on broadphase"),
        ("broadphase/src/planted.cpp", "#include <lanefold/reference.hpp>\n", "must not depend on core/reference"),
        ("core/src/planted.cpp", "#include <tbb/task.h>\n", "TBB is private"),
        ("core/src/planted.cpp", "#include <xsimd/xsimd.hpp>\n", "xsimd is private"),
        ("simd/src/planted.cpp", "#include <libqhull_r/libqhull_r.h>\n", "Qhull is private"),
        ("simd/src/planted.cpp", "#include <xxhash.h>\n", "xxHash is private"),
        ("simd/src/planted.cpp", "#include <cstdio>\n", "never prints"),
        ("core/src/planted.cpp", "void f() { throw 1; }\n", "never throws"),
    ]
    failures = []

    def look(files: dict[str, str], where: str) -> list[str]:
        root = Path(where)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(licence + text)
        check = Check(root)
        for name in files:
            check.file(name)
        return check.found

    with tempfile.TemporaryDirectory() as where:
        for line in look(good, where):
            failures.append(f"found in what is right: {line}")
    for name, text, expected in bad:
        with tempfile.TemporaryDirectory() as where:
            found = look(good | {name: text}, where)
            if len(found) != 1 or expected not in found[0]:
                failures.append(f"{name} with {text!r}: expected one '{expected}', found {found}")
    for line in failures:
        print(line)
    print(f"{len(bad)} planted violations, {len(failures)} failures")
    return 1 if failures else 0


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    check = Check(Path.cwd())
    for line in sys.stdin:
        check.file(line.strip())
    for line in check.found:
        print(line)
    return 1 if check.found else 0


if __name__ == "__main__":
    sys.exit(main())
