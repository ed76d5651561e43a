#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy over the files named on standard input, several at a time.

    run_tidy.py BUILD_DIRECTORY PROCESSES < FILES

Why not run-clang-tidy: the kernel source is in the compile commands once per instruction set, and clang-tidy would
analyse each of them; here a source is analysed once, as its first command says. A header is analysed through the
sources that include it; when headers are named, every source that mentions one of them is analysed.
Sources that no command compiles (another architecture, a peer that is not installed) are listed and left out.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def commands(build: Path, root: Path) -> dict[str, dict]:
    """The first compile command of every source, in a form that clang understands."""
    first: dict[str, dict] = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["directory"], entry["file"]).resolve()
        if not path.is_relative_to(root) or path.is_relative_to(build.resolve()):
            continue
        words = shlex.split(entry.pop("command"))
        # Clang does not know -fno-gnu-unique; -Werror would turn warnings that only clang has into errors; .clang-tidy decides here.
        words = [w for w in words if w not in ("-Werror", "-fno-gnu-unique")] + ["-Wno-unknown-warning-option", "-Wno-everything"]
        entry["arguments"] = words
        first.setdefault(str(path.relative_to(root)), entry)
    return first


def main() -> int:
    build, processes, root = Path(sys.argv[1]), int(sys.argv[2]), Path.cwd().resolve()
    known = commands(build, root)
    database = build / "tidy"
    database.mkdir(exist_ok=True)
    (database / "compile_commands.json").write_text(json.dumps(list(known.values()), indent=1))

    named = [line.strip() for line in sys.stdin if line.strip()]
    wanted = {f for f in named if f.endswith(".cpp")}
    headers = [os.path.basename(f) for f in named if f.endswith(".hpp")]
    if headers and len(named) < len(known):
        pattern = re.compile("|".join(re.escape(h) for h in headers))
        wanted |= {f for f in known if pattern.search((root / f).read_text())}
    left_out = sorted(wanted - known.keys())
    if left_out:
        print("not compiled here, so not analysed:", *left_out)

    def analyse(source: str) -> tuple[str, int, str, float]:
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            process = subprocess.Popen(["clang-tidy", "-p", str(database), "--quiet", source], stdout=out, stderr=err)
            _, status, usage = os.wait4(process.pid, 0)
            code = process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            text = "\n".join(line for line in out.read().splitlines() if line.strip())
            if code != 0 and not text:
                text = err.read()
        return source, code, text, usage.ru_utime + usage.ru_stime

    failed, reported, seconds = 0, set(), {}
    # Longest first, so that the last process does not work alone.
    order = sorted(wanted & known.keys(), key=lambda f: -(root / f).stat().st_size)
    with ThreadPoolExecutor(processes) as pool:
        for source, code, text, took in pool.map(analyse, order):
            failed += code != 0
            seconds[source] = took
            if code != 0 and text not in reported:
                reported.add(text)
                print(f"-- {source}\n{text}", flush=True)
    slowest = ", ".join(f"{s} {seconds[s]:.0f}" for s in sorted(seconds, key=seconds.get, reverse=True)[:3])
    print(f"{len(order)} sources analysed, {failed} with findings; {sum(seconds.values()):.0f} s of processors ({slowest})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
