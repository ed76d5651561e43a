#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does what a page tells its reader to do, and compares what happens with what the page shows.

    run_page.py PAGE [--build BUILD]
    run_page.py --self-test

With BUILD the programs of that build are those that the page calls, and CMake finds what it installs. The page's files
and commands run in a new folder, beside a link `lanefold` to the sources; those of a page at the top of the sources
in one that has links to all that is there:

- a block below `<!-- file: NAME -->` is saved as NAME;
- a block of the language `console` is run: `$ ` begins a command, `> ` goes on with it; the lines below are its output,
  standard error included. `...` stands for any text in a line and, alone, for any number of lines. A command must end
  with code 0;
- a block below `<!-- prints: COMMAND -->` is the output of that command;
- a block below `<!-- needs: PROGRAM -->` is left out where there is no such program, and the test says so.

Other blocks are shown, not run. A page of which nothing ran fails.
"""

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"(?:^<!-- (file|needs|prints): (.+?) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", [])
        elif found:
            found[-1][1].append(line)
        else:
            raise SystemExit(f"a console block begins with output: {line}")
    return found


def agrees(shown: list[str], printed: str) -> bool:
    """Whether the output is what the page shows. Spaces at ends of lines do not count, and two or more stand for two or
    more: the width of a column depends on the machine, for a list of its instruction sets may be the widest entry."""
    pattern = ""
    for line in shown:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*"
        else:
            parts = ("  +".join(re.escape(piece) for piece in re.split("  +", part))
                     for part in line.rstrip().split("..."))
            pattern += r"[^\n]*".join(parts) + r"[ \t]*\n"
    text = printed if not printed or printed.endswith("\n") else printed + "\n"
    return re.fullmatch(pattern, text) is not None


def run(page: str, name: str, folder: Path) -> tuple[int, list[str]]:
    """Runs a page in a folder; the number of commands that ran, and what is wrong."""
    ran, wrong = 0, []
    for marker, argument, language, body in BLOCK.findall(page):
        if marker == "file":
            (folder / argument).write_text(body, encoding="utf-8")
        if marker == "needs" and not shutil.which(argument):
            print(f"{name}: left out, there is no {argument}: {body.splitlines()[0]}")
            continue
        if language != "console" and marker != "prints":
            continue
        for command, shown in [(argument, body.splitlines())] if marker == "prints" else commands(body):
            done = subprocess.run(["bash", "-c", command], cwd=folder, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            ran += 1
            if done.returncode != 0:
                wrong.append(f"{name}: '{command}' ended with {done.returncode}:\n{done.stdout}")
                return ran, wrong
            if not agrees(shown, done.stdout):
                wrong.append(f"{name}: '{command}' is shown to print\n" + "\n".join(shown) + "\nand printed\n"
                             + done.stdout)
    return ran, wrong


def in_new_folder(page: str, name: str, at_top: bool = False) -> tuple[int, list[str]]:
    with tempfile.TemporaryDirectory(prefix="lanefold_page.") as top:
        (Path(top) / "lanefold").symlink_to(ROOT)
        work = Path(top) / "work"
        work.mkdir()
        for entry in ROOT.iterdir() if at_top else ():
            if not entry.name.startswith(".") and entry.name not in ("build", "out"):
                (work / entry.name).symlink_to(entry)
        return run(page, name, work)


def use(build: Path, page: str) -> None:
    """Puts the programs of a build into the path; installs its libraries where the page has a project for CMake."""
    os.environ["PATH"] = f"{build / 'tools'}:{build / 'bench'}:{os.environ['PATH']}"
    if "<!-- file: CMakeLists.txt -->" in page:
        prefix = tempfile.mkdtemp(prefix="lanefold_prefix.")
        atexit.register(shutil.rmtree, prefix)
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        os.environ["CMAKE_PREFIX_PATH"] = prefix


def self_test() -> list[str]:
    """Plants differences that the comparison must find, and some that it must let pass."""
    def page(command: str, *shown: str) -> str:
        return "\n".join(["```console", f"$ {command}", *shown, "```", ""])

    good = [page("echo a; echo b", "a", "b"), page("seq 9", "1", "...", "9"), page("echo it took 3 s", "it took ... s"),
            page("echo warning >&2", "warning"), page("true"), page("echo a", "..."), page("seq 2", "1", "...", "2"),
            "<!-- file: x.txt -->\n```text\nhello\n```\n" + page("cat x.txt", "hello"),
            page("printf '%s' \\\n> end", "end"), page("echo '  a     7'", "  a  7"),
            page("echo '  a   7'", "  a ... 7"), "<!-- prints: seq 3 -->\n```text\n1\n...\n```\n"]
    bad = [page("echo a", "b"), page("echo a"), page("true", "a"), page("seq 3", "1", "3"),
           page("seq 9", "1", "...", "8"), page("echo a; exit 1", "a"), page("echo it took 3 m", "it took ... s"),
           "<!-- prints: seq 3 -->\n```text\n1\n3\n```\n", page("echo a.c", "abc"),
           page("echo 'a 7'", "a  7"), page("echo a7", "a  7"), page("echo 'a  7'", "a 7")]
    found = [f"does not pass: {text}" for text in good if in_new_folder(text, "good")[1]]
    return found + [f"passes: {text}" for text in bad if not in_new_folder(text, "bad")[1]]


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        found = self_test()
        print("\n".join(found) or "the comparison finds every planted difference")
        return 1 if found else 0
    path = Path(sys.argv[1])
    if sys.argv[2:3] == ["--build"]:
        use(Path(sys.argv[3]), path.read_text(encoding="utf-8"))
    at_top = path.resolve().parent == ROOT
    ran, wrong = in_new_folder(path.read_text(encoding="utf-8"), path.name, at_top)
    print(f"{path.name}: {ran} commands ran")
    print("\n".join(wrong))
    return 1 if wrong or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
