#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Doxygen's view of a public header: prints the file with its ordinary comments as comments that Doxygen takes.

The headers are written to be read as they are. A comment above a declaration, one behind a declaration on the same
line, and the opening paragraphs of the file are documentation; everything inside of a function body is not. Line
numbers stay. An overload that follows a documented one without a blank line has the same comment.
"""

import re
import sys
from pathlib import Path

# A brace behind one of these opens a scope with declarations; any other is a body or an initialiser.
SCOPE = re.compile(r"^\s*(?:(extern \"C\"|(?:inline )?namespace\b)"
                   r"|(?:template ?<.*> *)?(?:typedef )?(?:struct|class|union|enum)\b)")
CALLED = re.compile(r"(operator *[^\s\w(]+|operator *\(\)|~?\w+) *\(")


class Scopes:
    """Which braces are open, and whether the place is one for declarations."""

    def __init__(self) -> None:
        self.open: list[str] = []  # "namespace", "class" or "body"
        self.round = 0
        self.statement = ""
        self.macro = False  # the line goes on with a macro

    def declarations(self) -> bool:
        return "body" not in self.open

    def between(self) -> bool:
        """Between two declarations: no statement has begun."""
        return self.declarations() and not self.statement.strip() and self.round == 0 and not self.macro

    def read(self, code: str) -> None:
        if self.macro or code.lstrip().startswith("#"):
            self.macro = code.rstrip().endswith("\\")
            return
        for c in re.sub(r'"(?:[^"\\]|\\.)*"', '""', code) if "extern" not in code else code:
            self.round += {"(": 1, ")": -1}.get(c, 0)
            if c == "{":
                scope = SCOPE.match(self.statement) if self.round == 0 and self.declarations() else None
                self.open.append("body" if not scope else "namespace" if scope.group(1) else "class")
                self.statement = ""
            elif c == "}":
                if self.open:
                    self.open.pop()
                self.statement = ""
            elif c == ";" and self.round == 0:
                self.statement = ""
            elif not (c == ":" and re.match(r"^\s*(?:public|private|protected)$", self.statement)):
                self.statement += c
            else:
                self.statement = ""
        self.statement += " "


def split(line: str) -> tuple[str, str]:
    """Code and comment of a line. Strings with slashes or comments within a line do not occur in the headers."""
    at = re.search(r"(?<![:\"])//|/\*", line)
    return (line[: at.start()], line[at.start() :]) if at else (line, "")


def called(code: str) -> str:
    """The name of the function that a line declares, or nothing."""
    found = CALLED.search(re.sub(r"__attribute__\(\(.*?\)\)|alignas\(\w+\)|noexcept\(\w+\)", "", code))
    return found.group(1) if found else ""


def opening(lines: list[str]) -> tuple[list[str], int]:
    """The file's opening paragraphs as its description, and the number of lines that they have."""
    out = []
    for at, line in enumerate(lines):
        if lines[0].startswith("/*"):
            body = line[2:] if at == 0 else line
            ends = body.rstrip().endswith("*/")
            text = re.sub(r"^ ?\* ?", "", re.sub(r"\s*\*/\s*$", "", body)).rstrip()
            out.append("/// @file" if at == 0 else f"/// {text}".rstrip())
            if ends:
                return out, at + 1
        elif line.startswith("//"):
            out.append("/// @file" if at == 0 else "///" + line[2:])
        else:
            return out, at
    return out, len(lines)


def comment_block(lines: list[str], at: int) -> tuple[list[str], int]:
    """The lines of the comment that begins at a line of its own, without their marks, and the line after it."""
    block = []
    if lines[at].lstrip().startswith("/*"):
        while True:
            block.append(re.sub(r"^\s*(?:/\*|\*(?!/))|\*/\s*$", "", lines[at]).strip())
            at += 1
            if "*/" in lines[at - 1]:
                return block, at
    while at < len(lines) and lines[at].lstrip().startswith("//"):
        block.append(lines[at].lstrip()[2:].removeprefix(" "))
        at += 1
    return block, at


def behind(code: str, comment: str, scopes: Scopes) -> str:
    """A line with code and a comment behind it. It is documentation behind a whole declaration."""
    inside = scopes.declarations() or code.rstrip().endswith("}")
    ends = re.search(r"[;,}]\s*$|= ", code) or code.lstrip().startswith("#define") or re.match(r"^\s*\w+\s*$", code)
    if not comment or not inside or scopes.round != 0 or not ends or re.match(r"^\s*\}\s*$", code):
        return code + comment
    return f"{code}/**< {comment[2:].strip()}" if comment.startswith("/*") else f"{code}///<{comment[2:]}"


def documented(lines: list[str]) -> list[str]:
    out, at = opening(lines)
    scopes = Scopes()
    # By depth: the comment that stands, and the function that it began with, or None for a type.
    shared: dict[int, tuple[list[str], str | None]] = {}
    while at < len(lines):
        code, comment = split(lines[at])
        depth = len(scopes.open)
        if comment and not code.strip() and scopes.between():
            block, at = comment_block(lines, at)
            below = lines[at].strip() if at < len(lines) else ""
            if not below or below.startswith(("}", "#if", "#end")) or block[0].startswith(" ---"):
                out += [f"// {text}" for text in block]  # a heading, of no declaration
            else:
                shared[depth] = (block, "")
                out += [f"/// {text}".rstrip() for text in block]
                code, comment = split(lines[at])
                scopes.read(code)
                is_type = re.match(r"\s*(template <.*>\s*)?(typedef |using |struct |class |enum )", code)
                shared[depth] = (block, None if is_type else called(code))
                out.append(behind(code, comment, scopes))
                at += 1
            continue
        begins = scopes.between() and code.strip() and not code.lstrip().startswith(("}", "#if", "#end"))
        scopes.read(code)
        if not lines[at].strip():
            shared.pop(depth, None)
        elif begins and depth in shared:
            block, name = shared[depth]
            if not comment and called(code) and name in (called(code), None) and "static_assert" not in code:
                # On the same line: Doxygen counts lines for its warnings.
                code = "/** " + r" \ilinebr ".join(block).replace("*/", "* /") + " */ " + code
            elif "static_assert" not in code:
                shared.pop(depth)
        out.append(behind(code, comment, scopes))
        at += 1
    return out


if __name__ == "__main__":
    print("\n".join(documented(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines())))
