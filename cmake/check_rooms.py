#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the place and the includes of source files. Standard input names the files:

- every C and C++ file opens with the licence line and one paragraph of purpose;
- rooms (ROOMS): a room includes public headers of the rooms that it uses, and private headers of its own;
- folders inside a room (FOLDERS): a folder includes headers of the folders that the table gives it. Each folder is in
  the table, and so are the files beside the folders;
- no two headers of a room have one name, but those for different instruction sets (SAME_NAMES);
- no two files of the libraries define a type of one name in one namespace: a linker keeps one function of two templates
  that are instantiated for them;
- arrows of PRIVATE_OF and FOLDERS that no include of the repository follows are findings, too;
- the oracle includes only types and its own code;
- a third-party library is included only by the folders that own it (THIRD_PARTY), and any other header in angle
  brackets belongs to lanefold, the standard library or the system;
- code that depends on the instruction set (intrinsics, builtins and assembler of a processor, native types, macros of a
  set and the headers of all these) is in simd/src/lanes/native and in the few other places of NATIVE. The library rooms
  are held to this; tests, tools and benchmarks are not;
- no library room prints or throws: no <iostream>, <cstdio> or `throw X`. A bare `throw` is allowed.

The tables are in rooms.py, and DESIGN.md shows them. EXCEPTIONS lists includes that may break the tables; an entry that
is not needed is a finding, too.

`check_rooms.py --self-test` plants one violation of each rule and expects to find it.
`check_rooms.py --levels [ROOT]` prints how many levels of includes each room has.
"""

import re
import sys
from pathlib import Path

from rooms import (EXCEPTIONS, FOLDERS, LIBRARY, NAMED_TWICE, NATIVE, NO_PARAGRAPH, PRIVATE_OF, PRIVATE_ROOTS, ROOMS,
                   SAME_NAMES, SYSTEM_HEADERS, THIRD_PARTY)

# Headers that the oracle may include: types and its own code. It builds its own hulls and finds its own distances.
ORACLE = "core/reference/src/oracle/"
ORACLE_HEADERS = {"lanefold/measure_oracle.hpp", "lanefold/ray_oracle.hpp", "lanefold/reference.hpp",
                  "lanefold/surface_oracle.hpp",
                  "lanefold/sweep_oracle.hpp", "lanefold/vec.hpp", "lanefold/pose.hpp", "lanefold/fp_environment.hpp"}

INCLUDE = re.compile(r'^[ \t]*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
# A namespace, a type that is defined (not a member of another, X::Y), or a brace.
SCOPE = re.compile(r"\bnamespace\s*([\w:]*)\s*\{|\b(?:struct|class|union|enum)\s+(?:class\s+)?(?:alignas\([^()]*\)\s+|"
                   r"LANEFOLD_EXPORT\s+|\[\[\w+\]\]\s+)*(\w+)(?:\s+final)?\s*(?::(?!:)[^;{}()]*)?\{|[{}]")
SUFFIXES = {".hpp", ".inl", ".cpp", ".h", ".c"}

LICENCES = ("// SPDX-License-Identifier: MIT\n", "/* SPDX-License-Identifier: MIT\n")
# Code that depends on the instruction set.
NATIVE_FOLDER = "simd/src/lanes/native/"
NATIVE_HEADER = re.compile(r"^(\w*intrin|cpuid|arm_\w+)\.h$")
NATIVE_CODE = re.compile(
    r"\b(_mm\d*_\w+|__m(64|128|256|512)\w*|__mmask\d+|_[a-z]+\d*_u(32|64)"
    r"|v[a-z]+\d*q?(_\w+)?_[fsu](8|16|32|64)|sv\w+_t|sv[a-z]+_[fsu](8|16|32|64)\w*"
    r"|u?(int|float)(8|16|32|64)x\d+\w*_t|__builtin_(ia32|neon|aarch64|cpu)_\w+|(__)?asm(__)?"
    r"|xsimd|BatchF|BatchI|BoolF|LANEFOLD_ISA_(?!PASTE)\w+|LANEFOLD_KERNEL_(SCALAR|SSE|AVX|NEON)\w*"
    r"|__(MMX|SSE|SSSE|AVX|FMA|BMI|POPCNT|LZCNT|ARM_)\w*|(__|_M_)(x86_64|aarch64|i386|amd64|X64|IX86|ARM64)(__)?)\b"
)
PRINTING = {"iostream", "cstdio", "stdio.h", "fmt/core.h", "fmt/format.h", "print"}


def room_of(name: str) -> str | None:
    return next((room for room in ROOMS if name.startswith(room + "/")), None)


def types_of(code: str) -> list[str]:
    """The types that code without comments defines in namespaces that have a name, with that name."""
    scopes: list[str | None] = []  # None: not a namespace, or one that other files do not see
    found = []
    for match in SCOPE.finditer(code):
        sign, namespace, kind = match.group(), match.group(1), match.group(2)
        if sign == "}":
            del scopes[-1:]
            continue
        if kind and all(scopes) and not any("LANEFOLD" in scope for scope in scopes):
            found.append("::".join([*scopes, kind]))
        scopes.append(namespace or None)
    return found


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
    def __init__(self, root: Path, exceptions: set[tuple[str, str]] = frozenset(),
                 no_paragraph: set[str] = frozenset(), named_twice: set[tuple[str, str]] = frozenset()):
        self.root = root.resolve()
        self.exceptions = exceptions
        self.no_paragraph = no_paragraph
        self.named_twice = named_twice
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
        if not text.startswith(LICENCES):
            self.found.append(f"{name}:1: must open with '// SPDX-License-Identifier: MIT'")
        self.paragraph(name, text)
        self.place(name)
        room = room_of(name)
        needed = set()
        for match in INCLUDE.finditer(text):
            place = f"{name}:{text[: match.start()].count(chr(10)) + 1}"
            quoted, header = match.group(1) == '"', match.group(2)
            self.third_party(name, place, quoted, header)
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
            self.native(name, text)

    # The licence line is followed by a line with nothing but the comment's mark, then by the purpose.
    def paragraph(self, name: str, text: str) -> None:
        lines = [line.strip().removeprefix("//").removeprefix("*").strip() for line in text.splitlines()[1:3]]
        marks = [line.lstrip().startswith(("//", "*")) for line in text.splitlines()[1:3]]
        opens = len(lines) == 2 and all(marks) and not lines[0] and bool(lines[1])
        if opens == (name in self.no_paragraph):
            self.found.append(f"{name}:2: " + ("has a paragraph: take it out of NO_PARAGRAPH in cmake/rooms.py" if opens
                                               else "must say its purpose in a paragraph after the licence line"))

    def manners(self, name: str, text: str) -> None:
        for match in INCLUDE.finditer(text):
            if match.group(2) in PRINTING:
                self.found.append(f"{name}:{text[: match.start()].count(chr(10)) + 1}: the library never prints")
        code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
        for match in re.finditer(r"\bthrow\s*[^;\s]", code):
            self.found.append(f"{name}:{code[: match.start()].count(chr(10)) + 1}: the library never throws")

    def native(self, name: str, text: str) -> None:
        code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
        code = INCLUDE.sub("", code)
        found = [m for m in INCLUDE.finditer(text) if NATIVE_HEADER.search(m.group(2))]
        found = found or list(NATIVE_CODE.finditer(code))
        if name in NATIVE and not found:
            self.found.append(f"{name}: depends on no instruction set: take it out of NATIVE in cmake/rooms.py")
        if name in NATIVE or name.startswith(NATIVE_FOLDER):
            return
        for match in found:
            place = f"{name}:{match.string[: match.start()].count(chr(10)) + 1}"
            what = match.group(0).split()[-1].strip('<">')
            self.found.append(f"{place}: {what} belongs to an instruction set, in {NATIVE_FOLDER}")

    def third_party(self, name: str, place: str, quoted: bool, header: str) -> None:
        for library, (pattern, folders) in THIRD_PARTY.items():
            if re.search(pattern, header):
                if not any(name == f or name.startswith(f + "/") for f in folders):
                    self.found.append(f"{place}: {library} is private to {', '.join(sorted(folders))}")
                return
        if not quoted and "." in header and not re.search(rf"^lanefold(/|(_\w+)?\.h$)|{SYSTEM_HEADERS}", header):
            self.found.append(f"{place}: {header} is of no library in THIRD_PARTY of cmake/rooms.py")

    # A file's folder stands in its room's table.
    def place(self, name: str) -> None:
        for base, table in FOLDERS.items():
            if name.startswith(base + "/"):
                folder = str(Path(name).relative_to(base).parent)
                if folder not in table and "*" not in table:
                    self.found.append(f"{name}: {base} has no folder '{folder}' in FOLDERS of cmake/rooms.py")

    # The target of an include: (room, public or private, path).
    def target(self, name: str, quoted: bool, header: str) -> tuple[str, bool, str] | None:
        room = room_of(name)
        if quoted:
            beside = ((self.root / name).parent / header).resolve()
            if beside.is_file() and beside.is_relative_to(self.root):
                path = str(beside.relative_to(self.root))
                owner = room_of(path)
                return (owner, path.startswith(f"{owner}/include/"), path) if owner else None
            order = [room, *sorted({room_of(f"{f}/") for f in PRIVATE_OF.get(room, set())}), *ROOMS]
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
        owner, public, path = target
        if public:
            return None if owner in ROOMS[room] else f"{room} must not depend on {owner}"
        allowed = any(path.startswith(folder + "/") for folder in PRIVATE_OF.get(room, set()))
        return None if allowed else f"{header} is private to {owner}"

    # Inside a room: an include follows an arrow of the table.
    def folder(self, name: str, header: str) -> str | None:
        target = self.target(name, True, header)
        for base, table in FOLDERS.items():
            if target and name.startswith(base + "/") and target[2].startswith(base + "/"):
                here, there = (str(Path(p).relative_to(base).parent) for p in (name, target[2]))
                if here != there and there not in table.get(here, table.get("*", {there})):
                    return f"{base}: {here} must not include {there}"
        return None

    # Rows of the tables that the repository has outgrown: arrows of PRIVATE_OF and FOLDERS that no include follows, and
    # files that are gone.
    def stale(self) -> list[str]:
        names = [str(p.relative_to(self.root)) for room in ROOMS for p in (self.root / room).rglob("*")
                 if p.suffix in SUFFIXES]
        files = {*self.no_paragraph, *(n for n in NATIVE if not n.endswith("/")), *(f for f, _ in self.exceptions)}
        gone = [f"{name}: is gone: take it out of cmake/rooms.py" for name in sorted(files - set(names))]
        return gone + self.same_names(names) + self.same_types(names) + self.unused_arrows(names)

    # Headers of one name in a room, and entries of NAMED_TWICE that are not needed.
    def same_names(self, names: list[str]) -> list[str]:
        places: dict[tuple[str, str], list[str]] = {}
        for name in sorted(set(names)):
            if Path(name).suffix in {".hpp", ".h", ".inl"} and not any(name.startswith(f + "/") for f in SAME_NAMES):
                places.setdefault((room_of(name), Path(name).name), []).append(name)
        twice = {key: files for key, files in places.items() if len(files) > 1}
        found = [f"{files[1]}: {files[0]} has the same name; a header's name says what it holds"
                 for key, files in sorted(twice.items()) if key not in self.named_twice]
        return found + [f"cmake/rooms.py: {room} has no two headers {name}: take it out of NAMED_TWICE"
                        for room, name in sorted(self.named_twice - set(twice))]

    # Types of one name that two files of the libraries define in one namespace. Kernels have a namespace for each set.
    def same_types(self, names: list[str]) -> list[str]:
        files: dict[str, list[str]] = {}
        for name in sorted(n for n in set(names) if room_of(n) in LIBRARY and not n.startswith(NATIVE_FOLDER)):
            for kind in set(types_of(COMMENT.sub("", (self.root / name).read_text(encoding="utf-8")))):
                files.setdefault(kind, []).append(name)
        return [f"{places[1]}: {places[0]} defines {kind}, too" for kind, places in sorted(files.items())
                if len(places) > 1]

    def unused_arrows(self, names: list[str]) -> list[str]:
        left = {("PRIVATE_OF", room, folder) for room, folders in PRIVATE_OF.items() for folder in folders}
        left |= {(base, here, there) for base, table in FOLDERS.items() for here, uses in table.items()
                 for there in uses if here != "*"}
        for name in names:
            text = (self.root / name).read_text(encoding="utf-8") if room_of(name) else ""
            for match in INCLUDE.finditer(text):
                target = self.target(name, match.group(1) == '"', match.group(2))
                for arrow in [a for a in left if target]:
                    base, here, there = arrow
                    if base == "PRIVATE_OF":
                        follows = here == room_of(name) and not target[1] and target[2].startswith(there + "/")
                    else:
                        follows = all(path.startswith(base + "/") and str(Path(path).relative_to(base).parent) == folder
                                      for path, folder in ((name, here), (target[2], there)))
                    if follows:
                        left.discard(arrow)
        return [f"cmake/rooms.py: {base}: nothing follows the arrow from {here} to {there}"
                for base, here, there in sorted(left)]

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


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        import check_rooms_self_test  # which imports this file
        return check_rooms_self_test.main()
    if sys.argv[1:2] == ["--levels"]:
        check = Check(Path(sys.argv[2] if len(sys.argv) > 2 else "."))
        for room in ROOMS:
            files, levels = check.levels(room)
            if files:
                print(f"{room:16} {files:4} files, {levels:2} levels of includes")
        return 0
    check = Check(Path.cwd(), EXCEPTIONS, NO_PARAGRAPH, NAMED_TWICE)
    for line in sys.stdin:
        check.file(line.strip())
    check.found += check.stale()
    for line in check.found:
        print(line)
    return 1 if check.found else 0


if __name__ == "__main__":
    sys.exit(main())
