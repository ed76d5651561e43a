#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the lengths of lines, functions and files, the first words of comments, and that no merge was left half done.
Standard input names the files:

- a line has at most 120 columns, in code, comments and prose. In Markdown rows of tables are exempt, and lines that
  cannot be broken, such as a link;
- a function has at most 60 lines, from its head to its closing brace (C++, Python and shell);
- a file of code has at most 400 lines;
- no line is a marker of a merge conflict;
- no comment or docstring begins with What, Who, Where, Of or Those: its first sentence has a subject and a verb, or
  names the thing.

layout_exceptions.txt lists what may be longer, and how long. An entry that is not needed is a finding, too.
`check_layout.py --self-test` plants one violation of each rule and expects to find it.
"""

import ast
import re
import sys
from pathlib import Path

COLUMNS = 120
FUNCTION = 60
FILE = 400

EXCEPTIONS = Path(__file__).with_name("layout_exceptions.txt")

CPP = {".cpp", ".hpp", ".inl", ".h", ".c"}
NOT_CHECKED = re.compile(r"^(tests/data|bench/results|docs/.*\.svg|.*\.(npy|svg|json|lock|png))")
COMMENTS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^()\s]*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)
# A type or a namespace; a function that returns a type so named has its parameters right before the brace.
NO_FUNCTION = re.compile(
    r"^(\[\[.*?\]\]\s*)*(template\s*<.*>\s*)?(extern\s+)?((inline\s+)?namespace\b"
    r"|(class|struct|enum|union)\b(?!.*\)\s*((const|noexcept|override|final|&)\s*)*$))", re.DOTALL)
LAMBDA = re.compile(r"=\s*\[[^\[\]]*\]\s*(<|\(|->|mutable\b|noexcept\b|$)")
CONFLICT = re.compile(r"(<<<<<<<|>>>>>>>) ")
# The first line of a comment, or a docstring. A word with a comma or a quotation mark behind it is a name.
FRAGMENT = re.compile(r'^[ \t]*(//+|#+:?|/\*\*?|""")[ \t]*(What|Who|Where|Of|Those)[ \t]')
CONTINUES = re.compile(r"^[ \t]*(//|#|\*)[ \t]*\S")
INITIALISERS = re.compile(r"\)\s*(noexcept(\([^)]*\))?\s*)?:(?!:)")


def blank(match: re.Match) -> str:
    return re.sub(r"[^\n]", " ", match.group(0))


def cpp_functions(text: str) -> list[tuple[str, int, int]]:
    """(name, first line, lines) of each function of C++ code; lambdas count as part of the function around them."""
    code = COMMENTS.sub(blank, text)
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, code, flags=re.MULTILINE)
    found = []
    head = 0  # start of the declaration to which a brace may belong
    parens = 0
    at = 0
    while at < len(code):
        c = code[at]
        parens += (c == "(") - (c == ")")
        if c in ";}" and not parens:
            head = at + 1
        elif c == "{":
            start = code[head:at]
            before = start.rstrip()
            if parens or (before and INITIALISERS.search(before) and (before[-1].isalnum() or before[-1] in "_>")):
                at = closing(code, at)  # an argument, or the initialiser of a member
                continue
            called = ")" in before or LAMBDA.search(before)
            if called and not NO_FUNCTION.match(before.lstrip()) and not value(before):
                end = closing(code, at)
                begin = head + len(start) - len(start.lstrip())
                line = code[:begin].count("\n") + 1
                found.append((function_name(before), line, code[begin:end].count("\n") + 1))
                at = end
                head = end
                continue
            if value(before):
                at = closing(code, at)
                continue
            head = at + 1
        at += 1
    return found


def closing(code: str, at: int) -> int:
    """The place behind the brace that closes the one at `at`."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, at):
        depth += 1 if match.group(0) == "{" else -1
        if depth == 0:
            return match.end()
    return len(code)


def value(head: str) -> bool:
    """True if a brace after this head opens a value, not a body: `x = {`, `int a[] {`, `return {`."""
    if LAMBDA.search(head):
        return False
    plain, inner = re.sub(r"operator\s*[^\s(]+", "operator", head), None
    while plain != inner:
        inner, plain = plain, re.sub(r"\([^()]*\)", "", plain)
    return "=" in re.sub(r"<[^<>]*>", "", plain)


def function_name(head: str) -> str:
    test = re.search(r"\b(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)\s*$", head)
    if test:
        return f"{test.group(1)}.{test.group(2)}"
    match = re.search(r"([~\w:]+|operator\s*[^\s(]+)\s*\(", head)
    return match.group(1) if match else head.strip()[:40]


def python_functions(text: str) -> list[tuple[str, int, int]]:
    return [(n.name, n.lineno, n.end_lineno - n.lineno + 1) for n in ast.walk(ast.parse(text))
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]


def shell_functions(text: str) -> list[tuple[str, int, int]]:
    found = []
    for match in re.finditer(r"^(\w+)\(\) [{(]\n.*?^[})]", text, re.MULTILINE | re.DOTALL):
        found.append((match.group(1), text[: match.start()].count("\n") + 1, match.group(0).count("\n") + 1))
    return found


def kind_of(name: str, text: str) -> str:
    suffix = Path(name).suffix
    if suffix in CPP:
        return "c++"
    if suffix == ".py" or re.match(r"#!.*python", text):
        return "python"
    if suffix == ".sh" or re.match(r"#!.*\b(ba)?sh\b", text):
        return "shell"
    return "markdown" if suffix == ".md" else "other"


def unbreakable(line: str) -> bool:
    """A row of a Markdown table, or a line with a word that nothing can break."""
    return line.lstrip().startswith("|") or max(map(len, line.split())) > COLUMNS - 20


def check(name: str, text: str, exceptions: dict[tuple[str, str], int]) -> list[str]:
    kind = kind_of(name, text)
    lines = text.splitlines()
    found = [f"{name}:{number}: {len(line)} columns, at most {COLUMNS}" for number, line in enumerate(lines, 1)
             if len(line) > COLUMNS and not (kind == "markdown" and unbreakable(line))]
    needed = {"columns"} if found else set()
    if len(found) <= exceptions.get((name, "columns"), 0):
        found = []
    found += [f"{name}:{number}: a marker of a merge conflict" for number, line in enumerate(lines, 1)
              if CONFLICT.match(line)]
    if kind in ("c++", "python", "shell") or Path(name).suffix in (".js", ".mjs", ".cmake"):
        found += [f"{name}:{number}: the comment begins with {match.group(2)}" for number, line in enumerate(lines, 1)
                  if (match := FRAGMENT.match(line)) and not (number > 1 and CONTINUES.match(lines[number - 2]))]
    functions = {"c++": cpp_functions, "python": python_functions, "shell": shell_functions}.get(kind)
    parts = [(title, line, length, FUNCTION) for title, line, length in (functions(text) if functions else [])]
    if functions:
        parts.append(("", 1, len(lines), FILE))
    for title, line, length, limit in parts:
        allowed = exceptions.get((name, title), limit)
        if length > limit:
            needed.add(title)
        if length > allowed:
            what = f"the function {title}" if title else "the file"
            found.append(f"{name}:{line}: {what} has {length} lines, at most {allowed}")
    for file, title in exceptions:
        if file == name and title not in needed:
            found.append(f"{name}: {title or 'the file'} is short enough: take it out of cmake/layout_exceptions.txt")
    return found


def read_exceptions(text: str) -> dict[tuple[str, str], int]:
    """Lines of LENGTH FILE WHAT; WHAT is a function, `columns` (how many lines are too long) or nothing (the file)."""
    rows = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {(row[1], row[2] if len(row) > 2 else ""): int(row[0]) for row in rows}


# For --self-test: functions that are right, and (file, text, finding) of violations.
def body(lines: int) -> str:
    return "    work();\n" * lines


LONG = "x" * 70
GOOD = {
    "a.cpp": f"struct A {{\n    A() : b{{1}}, c{{2}} {{\n{body(58)}}}\n    int b;\n{body(70)}}};\n"
             f"namespace n {{\n{'int x;' * 3}\n" + "int y;\n" * 70 + "}\n",
    "b.cpp": "const int table[] = {\n" + "    1,\n" * 90 + "};\nauto f(int (*g)(int)) -> int {\n    return 1;\n}\n",
    "c.cpp": "// {{{\nconst char* s = \"{\";\nchar c = '{';\nint n = 1'000;\nvoid f() {\n" + body(58) + "}\n",
    "d.cpp": "struct alignas(64) A {\n" + "    int b;\n" * 70 + "};\nextern \"C\" {\n" + "int x;\n" * 70 + "}\n"
             + "enum class E : int {\n" + "    a,\n" * 70 + "};\nconst auto t = make(1, f(2)) + A{\n" + "    1,\n" * 70
             + "};\n",
    "e.cpp": "int a;\n// A pair is here.\n// Of two equal ones, the first.\nint b;\n",
    "a.md": "| " + "table " * 40 + "|\nsee https://example.org/" + "x" * 120 + "\n",
    "a.py": "def f():\n" + "    pass\n" * 59,
}
BAD = [
    ("a.cpp", f"// {LONG} {LONG}\n", "columns"),
    ("a.cmake", f"# {LONG} {LONG}\n", "columns"),
    ("a.md", f"{LONG} {LONG}\n", "columns"),
    ("a.cpp", f"void f(int a) {{\n{body(59)}}}\n", "f has 61"),
    ("a.cpp", f"template <int N>\nA::A(int a)\n    : b{{a}}, c(1) {{\n{body(57)}}}\n", "A::A has 61"),
    ("a.cpp", f"namespace {{\nstruct B {{\n    int g() const {{\n{body(60)}    }}\n}};\n}}\n", "g has 62"),
    ("a.cpp", f"TEST(Set, Grows) {{\n{body(59)}}}\n", "Set.Grows has 61"),
    ("a.cpp", f"bool operator==(A a, A b) {{\n{body(59)}}}\n", "has 61"),
    ("a.cpp", f"const auto f = [](int a) {{\n{body(59)}}};\n", "has 61"),
    ("a.cpp", f"const auto f = [] {{\n{body(59)}}};\n", "has 61"),
    ("a.cpp", f"extern \"C\" int f() {{\n{body(59)}}}\n", "f has 61"),
    ("a.cpp", f"extern \"C\" {{\nint f(void) {{\n{body(59)}}}\n}}\n", "f has 61"),
    ("a.cpp", f"struct V f() {{\n{body(59)}}}\n", "f has 61"),
    ("a.cpp", f"struct S {{\n    enum E f() const {{\n{body(59)}}}\n}};\n", "f has 61"),
    ("a.cpp", f"int f(int a = g(h(1))) {{\n{body(59)}}}\n", "f has 61"),
    ("a.cpp", f"template <class T> requires (sizeof(T) == 4)\nvoid f(T a) {{\n{body(58)}}}\n", "has 61"),
    ("a.h", f"static int f(void) {{\n{body(59)}}}\n", "f has 61"),
    ("a.cpp", "int x;\n" * 401, "file has 401"),
    ("a.py", "def f():\n" + "    pass\n" * 60, "f has 61"),
    ("dev", "#!/bin/bash\n" + "<" * 7 + " HEAD\n", "merge conflict"),
    ("a.md", ">" * 7 + " 0123456 (Subject)\n", "merge conflict"),
    ("a.cpp", "int a;\n// What a is.\nint b;\n", "begins with What"),
    ("a.hpp", "/** Of all things. */\n", "begins with Of"),
    ("a.py", 'def f():\n    """Where it is."""\n', "begins with Where"),
    ("dev", "#!/bin/bash\nf() {\n" + body(59) + "}\n", "f has 61"),
]


def self_test() -> int:
    failures = []
    for name, text in GOOD.items():
        if found := check(name, text, {}):
            failures.append(f"found in what is right: {found}")
    for name, text, expected in BAD:
        found = check(name, text, {})
        if len(found) != 1 or expected not in found[0]:
            failures.append(f"{name} {text[:50]!r}: expected one '{expected}', found {found}")
    if read_exceptions("# why\n61 a.cpp f\n401 b.cpp\n") != {("a.cpp", "f"): 61, ("b.cpp", ""): 401}:
        failures.append("exceptions are misread")
    text = f"void f() {{\n{body(59)}}}\n"
    if check("a.cpp", text, {("a.cpp", "f"): 61}):
        failures.append("a listed exception is found")
    wide = f"// {LONG} {LONG}\n"
    if check("a.cpp", wide, {("a.cpp", "columns"): 1}) or not check("a.cpp", wide * 2, {("a.cpp", "columns"): 1}):
        failures.append("listed long lines are found, or more of them are not")
    if not any("at most 60" in line for line in check("a.cpp", text, {("a.cpp", "f"): 60})):
        failures.append("an exception that has grown is not found")
    if not any("take it out" in line for line in check("a.cpp", "", {("a.cpp", "f"): 61})):
        failures.append("an exception of no use is not found")
    for line in failures:
        print(line)
    print(f"{len(BAD) + 3} planted violations, {len(failures)} failures")
    return 1 if failures else 0


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = []
    exceptions = read_exceptions(EXCEPTIONS.read_text(encoding="utf-8")) if EXCEPTIONS.is_file() else {}
    for name in sorted({file for file, _ in exceptions if not Path(file).is_file()}):
        found.append(f"{name}: is gone: take it out of cmake/layout_exceptions.txt")
    for name in map(str.strip, sys.stdin):
        if name and Path(name).is_file() and not NOT_CHECKED.match(name):
            found += check(name, Path(name).read_text(encoding="utf-8"), exceptions)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
