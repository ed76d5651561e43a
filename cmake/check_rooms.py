#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the rules that neither the compiler nor clang-tidy knows, of the files named on standard input:

- every C++ file opens with the licence line;
- dependencies run one way, core <- simd <- parallel <- the rest, and a third-party library is included only in the
  room that owns it: Qhull in core, xxHash in core and tools, xsimd in simd/src/wide.hpp's room, TBB never in core or simd;
- no library room prints or throws: no <iostream>, <cstdio> or `throw X` in core, simd and parallel. Passing on what a
  callee threw is allowed, and Qhull's interface needs a FILE*.
"""

import re
import sys
from pathlib import Path

# Headers that a room's public include directory holds, and the rooms that must not include them.
ROOMS = ["core", "simd", "parallel"]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)

OWNERS = [
    (re.compile(r"^(libqhull|libqhull_r|qhull)/|^libqhull"), {"core/src"}, "Qhull"),
    (re.compile(r"^xxhash\.h$"), {"core/src", "tools"}, "xxHash"),
    (re.compile(r"^xsimd/"), {"simd/src"}, "xsimd"),
]


def public_headers(root: Path, room: str) -> set[str]:
    base = root / room / "include"
    return {str(p.relative_to(base)) for p in base.rglob("*.hpp")}


def main() -> int:
    root = Path.cwd()
    public = {room: public_headers(root, room) for room in ROOMS}
    found = []
    for name in (line.strip() for line in sys.stdin):
        path = root / name
        if not name or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        if not text.startswith("// SPDX-License-Identifier: MIT\n"):
            found.append(f"{name}:1: must open with '// SPDX-License-Identifier: MIT'")
        room = name.split("/")[0]
        for match in INCLUDE.finditer(text):
            header = match.group(1)
            place = f"{name}:{text[: match.start()].count(chr(10)) + 1}"
            for pattern, folders, library in OWNERS:
                if pattern.search(header) and not any(name.startswith(f + "/") for f in folders):
                    found.append(f"{place}: {library} is private to {', '.join(sorted(folders))}")
            if room in ("core", "simd") and re.match(r"^(tbb|oneapi)/", header):
                found.append(f"{place}: TBB is private to parallel")
            if room in ROOMS:
                above = ROOMS[ROOMS.index(room) + 1 :]
                for other in above:
                    if header in public[other]:
                        found.append(f"{place}: {room} must not depend on {other}")
                if name != "core/src/hull_qhull.cpp" and header in ("iostream", "cstdio", "stdio.h", "fmt/core.h", "fmt/format.h", "print"):
                    found.append(f"{place}: the library never prints")
        if room in ROOMS:
            code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
            for match in re.finditer(r"\bthrow\s*[^;\s]", code):
                found.append(f"{name}:{code[: match.start()].count(chr(10)) + 1}: the library never throws")
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
