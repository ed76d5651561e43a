#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the place and the includes of source files. Standard input names the files:

- every C++ file opens with the licence line;
- rooms (ROOMS): a room includes public headers of the rooms that it uses, and private headers of its own;
- folders inside a room (FOLDERS): a folder includes headers of the folders that the table gives it. Each folder is in
  the table, and so are the files beside the folders;
- the oracle includes only types and its own code;
- a third-party library is included only in the room that owns it (OWNERS), TBB never in core, simd or dynamics;
- only simd/src/lanes/native has code of an instruction set: intrinsics, native types, macros of a set and their headers
  are refused everywhere else in simd and in the rooms above it (core sets the floating-point environment, simd/src/isa
  detects the processor);
- no library room prints or throws: no <iostream>, <cstdio> or `throw X`. A bare `throw` is allowed, and Qhull's
  interface needs a FILE*.

The tables are in rooms.py, and DESIGN.md shows them. EXCEPTIONS lists includes that may break the tables; an entry that
is not needed is a finding, too.

`check_rooms.py --self-test` plants one violation of each rule and expects to find it.
`check_rooms.py --levels [ROOT]` prints how many levels of includes each room has.
"""

import re
import sys
import tempfile
from pathlib import Path

from rooms import EXCEPTIONS, FOLDERS, LIBRARY, PRIVATE_OF, PRIVATE_ROOTS, ROOMS

# Headers that the oracle may include: types and its own code. It builds its own hulls and finds its own distances.
ORACLE = "core/reference/src/oracle/"
ORACLE_HEADERS = {"lanefold/reference.hpp", "lanefold/vec.hpp", "lanefold/pose.hpp", "lanefold/fp_environment.hpp"}

INCLUDE = re.compile(r'^[ \t]*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
SUFFIXES = {".hpp", ".inl", ".cpp", ".h", ".c"}

OWNERS = [
    (re.compile(r"^(libqhull|libqhull_r|qhull)/|^libqhull"), {"core/src"}, "Qhull"),
    (re.compile(r"^xxhash\.h$"), {"core/src", "tools"}, "xxHash"),
    (re.compile(r"^xsimd/"), {"simd/src/lanes/native"}, "xsimd"),
]
# Code that depends on the instruction set, and its places.
NATIVE_ROOMS = {"simd", "parallel", "broadphase", "dynamics"}
NATIVE_FOLDER = "simd/src/lanes/native/"
NATIVE_HEADER = re.compile(r"^(\w*intrin|arm_neon|arm_sve)\.h$")
NATIVE_CODE = re.compile(
    r"\b(_mm\d*_\w+|__m(64|128|256|512)\w*|__mmask\d+|v(ld|st)\d\w*_\w+|u?(int|float)(8|16|32|64)x\d+\w*_t"
    r"|xsimd|BatchF|BatchI|BoolF|LANEFOLD_ISA_(?!PASTE)\w+|LANEFOLD_KERNEL_(SCALAR|SSE|AVX|NEON)\w*"
    r"|__(MMX|SSE|SSSE|AVX|FMA|BMI|POPCNT|ARM_)\w*)\b"
)
PRINTING = {"iostream", "cstdio", "stdio.h", "fmt/core.h", "fmt/format.h", "print"}


def room_of(name: str) -> str | None:
    return next((room for room in ROOMS if name.startswith(room + "/")), None)


def headers(base: Path) -> dict[str, Path]:
    return {str(p.relative_to(base)): p for kind in ("*.hpp", "*.inl", "*.h") for p in base.rglob(kind)}


def private_roots(room: str) -> list[str]:
    return PRIVATE_ROOTS.get(room, [f"{room}/src"])


def cycle(table: dict[str, set[str]]) -> list[str]:
    """Rooms or folders of a table that use one another in a circle, or use one that does not exist."""
    left = {name: set(uses) for name, uses in table.items()}
    while ready := [name for name, uses in left.items() if not uses]:
        for name in ready:
            del left[name]
        for uses in left.values():
            uses.difference_update(ready)
    return sorted(left)


class Check:
    def __init__(self, root: Path, exceptions: set[tuple[str, str]] = frozenset()):
        self.root = root.resolve()
        self.exceptions = exceptions
        self.found: list[str] = []
        self.public = {room: headers(self.root / room / "include") for room in ROOMS}
        self.private = {room: {k: p for base in private_roots(room) for k, p in headers(self.root / base).items()
                               if room_of(str(p.relative_to(self.root))) == room} for room in ROOMS}
        for title, table in {"ROOMS": ROOMS, **FOLDERS}.items():
            if circle := cycle(table):
                self.found.append(f"cmake/rooms.py: {title} has a circle through {', '.join(circle)}")

    def file(self, name: str) -> None:
        path = self.root / name
        if not name or path.suffix not in SUFFIXES or not path.is_file():
            return
        text = path.read_text(encoding="utf-8")
        if not text.startswith("// SPDX-License-Identifier: MIT\n"):
            self.found.append(f"{name}:1: must open with '// SPDX-License-Identifier: MIT'")
        self.place(name)
        room = room_of(name)
        needed = set()
        for match in INCLUDE.finditer(text):
            place = f"{name}:{text[: match.start()].count(chr(10)) + 1}"
            quoted, header = match.group(1) == '"', match.group(2)
            self.third_party(name, place, header)
            if not room:
                continue
            finding = self.include(name, quoted, header) or (self.folder(name, header) if quoted else None)
            if finding and (name, header) in self.exceptions:
                needed.add(header)
            elif finding:
                self.found.append(f"{place}: {finding}")
        for file, header in sorted(self.exceptions):
            if file == name and header not in needed:
                self.found.append(f"{name}: no longer includes {header}: take it out of EXCEPTIONS in cmake/rooms.py")
        if room in LIBRARY:
            self.manners(name, text)
        if room in NATIVE_ROOMS and not name.startswith(NATIVE_FOLDER):
            self.native(name, text)

    def manners(self, name: str, text: str) -> None:
        for match in INCLUDE.finditer(text):
            if match.group(2) in PRINTING and not (name.startswith("core/src/") and "qhull" in Path(name).name):
                self.found.append(f"{name}:{text[: match.start()].count(chr(10)) + 1}: the library never prints")
        code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
        for match in re.finditer(r"\bthrow\s*[^;\s]", code):
            self.found.append(f"{name}:{code[: match.start()].count(chr(10)) + 1}: the library never throws")

    def native(self, name: str, text: str) -> None:
        code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
        code = INCLUDE.sub("", code)
        found = [m for m in INCLUDE.finditer(text) if NATIVE_HEADER.search(m.group(2))] or NATIVE_CODE.finditer(code)
        for match in found:
            place = f"{name}:{match.string[: match.start()].count(chr(10)) + 1}"
            what = match.group(0).split()[-1].strip('<">')
            self.found.append(f"{place}: {what} belongs to an instruction set, in {NATIVE_FOLDER}")

    def third_party(self, name: str, place: str, header: str) -> None:
        for pattern, folders, library in OWNERS:
            if pattern.search(header) and not any(name.startswith(f + "/") for f in folders):
                self.found.append(f"{place}: {library} is private to {', '.join(sorted(folders))}")
        if room_of(name) in ("core", "core/reference", "simd", "dynamics") and re.match(r"^(tbb|oneapi)/", header):
            self.found.append(f"{place}: TBB is private to parallel")

    # A file's folder stands in its room's table.
    def place(self, name: str) -> None:
        for base, table in FOLDERS.items():
            if name.startswith(base + "/"):
                folder = str(Path(name).relative_to(base).parent)
                if folder not in table and "*" not in table:
                    self.found.append(f"{name}: {base} has no folder '{folder}' in FOLDERS of cmake/rooms.py")

    # What an include names: (room, public or private, path).
    def target(self, name: str, quoted: bool, header: str) -> tuple[str, bool, str] | None:
        room = room_of(name)
        if quoted:
            beside = ((self.root / name).parent / header).resolve()
            if beside.is_file() and beside.is_relative_to(self.root):
                path = str(beside.relative_to(self.root))
                owner = room_of(path)
                return (owner, path.startswith(f"{owner}/include/"), path) if owner else None
            order = [room, *sorted(PRIVATE_OF.get(room, set())), *ROOMS]
            for other in order:
                if header in self.private[other]:
                    return other, False, str(self.private[other][header].relative_to(self.root))
        for other in ROOMS:
            if header in self.public[other]:
                return other, True, str(self.public[other][header].relative_to(self.root))
        return None

    def include(self, name: str, quoted: bool, header: str) -> str | None:
        room = room_of(name)
        target = self.target(name, quoted, header)
        if name.startswith(ORACLE) and header.startswith("lanefold/") and header not in ORACLE_HEADERS:
            return "the oracle shares no code with the engine, only types"
        if not target or target[0] == room:
            return None
        owner, public, _ = target
        if public:
            return None if owner in ROOMS[room] else f"{room} must not depend on {owner}"
        return None if owner in PRIVATE_OF.get(room, set()) else f"{header} is private to {owner}"

    # Inside a room: an include follows an arrow of the table.
    def folder(self, name: str, header: str) -> str | None:
        target = self.target(name, True, header)
        for base, table in FOLDERS.items():
            if target and name.startswith(base + "/") and target[2].startswith(base + "/"):
                here, there = (str(Path(p).relative_to(base).parent) for p in (name, target[2]))
                if here != there and there not in table.get(here, table.get("*", {there})):
                    return f"{base}: {here} must not include {there}"
        return None

    # The longest way from a file along includes that stay in the room, counted in files.
    def levels(self, room: str) -> tuple[int, int]:
        bases = [self.root / b for b in (*private_roots(room), f"{room}/include")]
        files = {str(p.relative_to(self.root)) for base in bases for p in base.rglob("*")
                 if p.suffix in SUFFIXES and room_of(str(p.relative_to(self.root))) == room}
        known: dict[str, int] = {}

        def level(name: str, way: tuple[str, ...]) -> int:
            if name not in known:
                text = (self.root / name).read_text(encoding="utf-8")
                below = [self.target(name, m.group(1) == '"', m.group(2)) for m in INCLUDE.finditer(text)]
                below = [t[2] for t in below if t and t[2] in files and t[2] not in way]
                known[name] = 1 + max((level(n, (*way, name)) for n in below), default=0)
            return known[name]

        return len(files), max((level(name, ()) for name in files), default=0)


# For --self-test: a small repository that follows the rules, and (file, text, finding) of violations.
LICENCE = "// SPDX-License-Identifier: MIT\n"
RIGHT = {
    "core/include/lanefold/vec.hpp": "",
    "core/include/lanefold/hull_set.hpp": "#include <lanefold/vec.hpp>\n",
    "core/src/set/store.hpp": "",
    "core/src/set/store.cpp": '#include "set/store.hpp"\n#include "build/hull.hpp"\n',
    "core/src/build/hull.hpp": "",
    "core/reference/include/lanefold/reference.hpp": "#include <lanefold/vec.hpp>\n",
    "core/reference/src/oracle/exact.hpp": "",
    "core/reference/src/oracle/distance.cpp": '#include <lanefold/reference.hpp>\n#include "oracle/exact.hpp"\n',
    "simd/include/lanefold/serial.hpp": "#include <lanefold/hull_set.hpp>\n",
    "simd/src/batch/serial.hpp": "",
    "simd/src/lanes/wide.hpp": "",
    "simd/src/search/faces.hpp": '#include "lanes/wide.hpp"\n',
    "simd/src/contact/edges.hpp": '#include "search/faces.hpp"\n',
    "parallel/include/lanefold/narrowphase.hpp": "",
    "parallel/src/narrowphase.cpp": '#include <lanefold/serial.hpp>\n#include "batch/serial.hpp"\n',
    "broadphase/include/lanefold/broadphase.hpp": "#include <lanefold/hull_set.hpp>\n",
    "dynamics/include/lanefold/world.hpp": "#include <lanefold/hull_set.hpp>\n",
    "dynamics/src/world/impl.hpp": "",
    "dynamics/include/lanefold/world.hpp": "#include <lanefold/narrowphase.hpp>\n",
    "tools/files/npy.hpp": "#include <cstdio>\n",
    "tools/main.cpp": "#include <cstdio>\n#include <lanefold/reference.hpp>\n#include <lanefold/serial.hpp>\n",
    "bench/src/main.cpp": '#include "files/npy.hpp"\n',
    "tests/support/random.hpp": "",
    "tests/bits/neighbour.hpp": "",
    "tests/hull/neighbour.hpp": "",
    "tests/hull/set_test.cpp": '#include "support/random.hpp"\n#include "set/store.hpp"\n',
    "simd/src/lanes/native/avx2/wide.inl": "#include <immintrin.h>\n#include <xsimd/xsimd.hpp>\n"
    "#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2\n__m256 f() { return _mm256_setzero_ps(); }\n#endif\n",
    "simd/src/lanes/native/wide.inl": '#include "lanes/native/avx2/wide.inl"\n',
    "simd/src/lanes/wide.hpp": '#include "lanes/native/wide.inl"  // over xsimd\n',
}
PLANTED = [
    ("core/src/set/planted.cpp", "#include <lanefold/reference.hpp>\n", "core must not depend on core/reference"),
    ("core/src/set/planted.cpp", '#include "oracle/exact.hpp"\n', "private to core/reference"),
    ("core/src/set/planted.cpp", '#include "../../reference/src/oracle/exact.hpp"\n', "private to core/reference"),
    ("simd/src/pair/planted.hpp", "#include <lanefold/reference.hpp>\n", "simd must not depend on core/reference"),
    ("simd/src/pair/planted.hpp", '#include "set/store.hpp"\n', "private to core"),
    ("parallel/src/planted.cpp", "#include <lanefold/reference.hpp>\n", "must not depend on core/reference"),
    ("parallel/src/planted.cpp", "#include <lanefold/world.hpp>\n", "must not depend on dynamics"),
    ("core/reference/src/oracle/planted.cpp", "#include <lanefold/serial.hpp>\n", "the oracle shares no code"),
    ("core/reference/src/published/planted.cpp", "#include <lanefold/serial.hpp>\n", "must not depend on simd"),
    ("core/reference/src/published/planted.cpp", '#include "set/store.hpp"\n', "private to core"),
    ("core/reference/src/oracle/planted.cpp", "#include <lanefold/hull_set.hpp>\n", "the oracle shares no code"),
    ("core/src/set/planted.cpp", "#include <lanefold/serial.hpp>\n", "core must not depend on simd"),
    ("tools/planted.cpp", '#include "set/store.hpp"\n', "private to core"),
    ("tools/planted.cpp", '#include "support/random.hpp"\n', "private to tests"),
    ("examples/planted.cpp", '#include "files/npy.hpp"\n', "private to tools"),
    ("core/src/build/planted.cpp", '#include "set/store.hpp"\n', "build must not include set"),
    ("simd/src/search/planted.hpp", '#include "contact/edges.hpp"\n', "search must not include contact"),
    ("simd/src/search/planted.hpp", '#include "../contact/edges.hpp"\n', "search must not include contact"),
    ("simd/src/planted.hpp", "", "no folder '.'"),
    ("core/src/other/planted.hpp", "", "no folder 'other'"),
    ("tests/hull/planted.cpp", '#include "bits/neighbour.hpp"\n', "hull must not include bits"),
    ("parallel/src/planted.cpp", "#include <lanefold/broadphase.hpp>\n", "parallel must not depend on broadphase"),
    ("broadphase/src/planted.cpp", "#include <lanefold/reference.hpp>\n", "must not depend on core/reference"),
    ("parallel/src/planted.cpp", "#include <lanefold/world.hpp>\n", "parallel must not depend on dynamics"),
    ("dynamics/src/world/planted.cpp", "#include <lanefold/reference.hpp>\n", "must not depend on core/reference"),
    ("dynamics/src/world/planted.cpp", "#include <tbb/task.h>\n", "TBB is private"),
    ("dynamics/src/solve/planted.cpp", '#include "world/impl.hpp"\n', "solve must not include world"),
    ("tests/support/planted.hpp", '#include "hull/neighbour.hpp"\n', "support must not include hull"),
    ("core/src/set/planted.cpp", "#include <tbb/task.h>\n", "TBB is private"),
    ("core/src/set/planted.cpp", "#include <xsimd/xsimd.hpp>\n", "xsimd is private"),
    ("simd/src/pair/planted.cpp", "#include <libqhull_r/libqhull_r.h>\n", "Qhull is private"),
    ("simd/src/pair/planted.cpp", "#include <xxhash.h>\n", "xxHash is private"),
    ("simd/src/lanes/planted.hpp", "#include <xsimd/xsimd.hpp>\n", "xsimd is private to simd/src/lanes/native"),
    ("simd/src/lanes/planted.hpp", "using Batch = xsimd::batch<float>;\n", "xsimd belongs to"),
    ("simd/src/search/planted.hpp", "#include <immintrin.h>\n", "immintrin.h belongs to"),
    ("parallel/src/planted.cpp", "#include <arm_neon.h>\n", "arm_neon.h belongs to"),
    ("simd/src/search/planted.hpp", "#if LANEFOLD_ISA_ID != 1\n#endif\n", "LANEFOLD_ISA_ID belongs to"),
    ("simd/src/search/planted.hpp", "#ifdef LANEFOLD_KERNEL_AVX512\n#endif\n", "LANEFOLD_KERNEL_AVX512 belongs to"),
    ("simd/src/search/planted.hpp", "#ifdef __AVX2__\n#endif\n", "__AVX2__ belongs to"),
    ("simd/src/contact/planted.hpp", "int f() { return _mm_popcnt_u32(3); }\n", "_mm_popcnt_u32 belongs to"),
    ("simd/src/contact/planted.hpp", "void f(__m256i);\n", "__m256i belongs to"),
    ("simd/src/contact/planted.hpp", "void f(float32x4_t);\n", "float32x4_t belongs to"),
    ("simd/src/contact/planted.hpp", "auto f(const float* p) { return vld1q_f32(p); }\n", "vld1q_f32 belongs to"),
    ("simd/src/pair/planted.cpp", "#include <cstdio>\n", "never prints"),
    ("core/src/set/planted.cpp", "void f() { throw 1; }\n", "never throws"),
]


def self_test() -> int:
    failures = []

    def look(files: dict[str, str], where: str, exceptions: set[tuple[str, str]] = frozenset()) -> list[str]:
        root = Path(where)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(LICENCE + text)
        check = Check(root, exceptions)
        for name in files:
            check.file(name)
        return check.found

    def expect(title: str, found: list[str], expected: str | None) -> None:
        if len(found) != (expected is not None) or (expected is not None and expected not in found[0]):
            failures.append(f"{title}: expected {expected and f'one {expected!r}' or 'nothing'}, found {found}")

    with tempfile.TemporaryDirectory() as where:
        expect("what is right", look(RIGHT, where), None)
    for name, text, expected in PLANTED:
        with tempfile.TemporaryDirectory() as where:
            expect(f"{name} with {text!r}", look(RIGHT | {name: text}, where), expected)
    upward = ("core/src/build/planted.cpp", "set/store.hpp")
    with tempfile.TemporaryDirectory() as where:
        expect("a listed exception", look(RIGHT | {upward[0]: f'#include "{upward[1]}"\n'}, where, {upward}), None)
    with tempfile.TemporaryDirectory() as where:
        expect("an exception of no use", look(RIGHT | {upward[0]: ""}, where, {upward}), "take it out")
    with tempfile.TemporaryDirectory() as where:
        (Path(where) / "core/src/set").mkdir(parents=True)
        (Path(where) / "core/src/set/a.cpp").write_text("")
        check = Check(Path(where))
        check.file("core/src/set/a.cpp")
        expect("a file without a licence", check.found, "must open with")
    if cycle({"a": {"b"}, "b": {"a"}, "c": set()}) != ["a", "b"] or cycle({"a": {"b"}, "b": set()}):
        failures.append("a circle in a table is not found")
    for line in failures:
        print(line)
    print(f"{len(PLANTED) + 4} planted violations, {len(failures)} failures")
    return 1 if failures else 0


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if sys.argv[1:2] == ["--levels"]:
        check = Check(Path(sys.argv[2] if len(sys.argv) > 2 else "."))
        for room in ROOMS:
            files, levels = check.levels(room)
            if files:
                print(f"{room:16} {files:4} files, {levels:2} levels of includes")
        return 0
    check = Check(Path.cwd(), EXCEPTIONS)
    for line in sys.stdin:
        check.file(line.strip())
    for line in check.found:
        print(line)
    return 1 if check.found else 0


if __name__ == "__main__":
    sys.exit(main())
