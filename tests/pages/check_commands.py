#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the commands that the documents show: check_commands.py PROGRAM.

Each line of a code block and each piece of code in the text that begins with `lanefold` must have a command that the
program has, and options that the command's --help lists. Except for `generate`, which needs no input to begin, it is
also given to the program, in an empty folder: a value that the program cannot read fails, a file or an argument that is
missing does not. `./dev` must be followed by a command of `./dev help`. Some wrong lines are planted and must be found.
docs/history and CHANGELOG.md have commands of the past.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^    .*\n)+", re.MULTILINE)
# A command at the beginning of a line of code, behind a prompt or in a folder.
LINE = re.compile(r"^\s*(?:[$>] )?(?:\S*/)?(lanefold|dev)(?= )(.*)$")
OPTION = re.compile(r"--?[A-Za-z][\w-]*")
END = {";", "|", "||", "&&", "&", ">", ">>", "<", "(", ")"}
# Words in place of a command.
PLACEHOLDERS = {"COMMAND", "..."}


def shown(text: str) -> list[str]:
    """The commands of a document, from `lanefold` or `dev` on."""
    unfenced = FENCED.sub("", text)
    blocks = [body for language, body in FENCED.findall(text) if language != "text"] + INDENTED.findall(unfenced)
    pieces = [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", INDENTED.sub("", unfenced))]
    for block in blocks:
        lines = block.replace("\\\n", " ").splitlines()
        # If there are prompts, other lines are output.
        prompts = [line for line in lines if re.match(r"\s*\$ ", line)]
        pieces += [line for line in lines if not prompts or re.match(r"\s*[$>] ", line)]
    return [f"{found[1]}{found[2]}" for piece in pieces if (found := LINE.match(piece))]


def words(command: str) -> list[str]:
    """The words of the first command of a line; brackets say that a part may be missing."""
    lexer = shlex.shlex(command.replace("[", "").replace("]", ""), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    found = []
    for word in lexer:
        if word in END:
            break
        found.append(word)
    return found


@cache
def options(program: str, command: str) -> frozenset[str] | None:
    """The options of a command, or None where there is no such command."""
    done = subprocess.run([program, command, "--help"], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    heads = re.findall(r"^ +(-[\w-]+(?:, ?-[\w-]+)*)", done.stdout, re.MULTILINE)
    return frozenset(name for head in heads for name in re.split(", ?", head))


@cache
def dev_commands() -> frozenset[str]:
    text = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
    return frozenset(re.findall(r"^  (\w+)", text.split("Environment:")[0], re.MULTILINE))


def refused(program: str, arguments: list[str]) -> str:
    """The program's complaint about the command line itself."""
    with tempfile.TemporaryDirectory(prefix="lanefold_commands.") as folder:
        done = subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=120)
    return done.stderr.strip() if "; see lanefold" in done.stderr and "required" not in done.stderr else ""


@cache
def wrong(program: str, command: str) -> str:
    """The faults of a command; empty: none."""
    try:
        name, *arguments = words(command)
    except ValueError as error:
        return str(error)
    if not arguments or arguments[0] in PLACEHOLDERS:
        return ""
    if name == "dev":
        return "" if arguments[0] in dev_commands() else f"./dev has no command {arguments[0]}"
    if arguments[0].startswith("-"):
        return refused(program, arguments)
    known = options(program, arguments[0])
    if known is None:
        return f"there is no command {arguments[0]}"
    for word in arguments[1:]:
        option = OPTION.match(word)
        if option and option[0] not in known:
            return f"{arguments[0]} has no option {option[0]}"
    return "" if arguments[0] == "generate" or "..." in command else refused(program, arguments)


PLANTED = """
    lanefold colide SCENE -o CONTACTS
    lanefold collide SCENE -o CONTACTS --margins 0.02

    $ lanefold collide SCENE \\
        -o CONTACTS --margin wide
A command `lanefold generate debris SCENE
--bodys 5000`, an option `lanefold --versions`, and `./dev tests`.
```console
$ true
> lanefold verify SCENE CONTACTS --samples 3; echo
```
"""
RIGHT = """
    lanefold collide SCENE -o CONTACTS --margin 0.02   # --no-such-option in a comment
    lanefold picture SCENE [CONTACTS] -o a.svg --frame -1 | tail --lines 3
```console
$ true
lanefold 61
```
`lanefold merge A B`, `lanefold COMMAND --help`, `./dev test -R Oracle`, `--no-such-option`
"""


def main() -> int:
    program = sys.argv[1]
    planted = [command for command in shown(PLANTED) if wrong(program, command)]
    if len(planted) != 7 or len(shown(PLANTED)) != 7:
        print("of seven planted lines these were found:", *planted, sep="\n")
        return 1
    if found := [f"{command}: {what}" for command in shown(RIGHT) if (what := wrong(program, command))]:
        print("these lines are right:", *found, sep="\n")
        return 1
    documents = [path for path in [*ROOT.glob("*.md"), ROOT / "bench/README.md", *sorted(ROOT.glob("docs/**/*.md"))]
                 if path.name != "CHANGELOG.md" and "history" not in path.parts]
    count, failures = 0, []
    for path in documents:
        for command in shown(path.read_text(encoding="utf-8")):
            count += 1
            if what := wrong(program, command):
                failures.append(f"{path.relative_to(ROOT)}: {command}: {what}")
    print("\n".join(failures), end="\n" if failures else "")
    print(f"{count} commands in {len(documents)} documents, {len(failures)} of them wrong")
    return 1 if failures or count < 150 else 0


if __name__ == "__main__":
    sys.exit(main())
