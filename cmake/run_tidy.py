#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy over the files named on standard input, several at a time.

    run_tidy.py BUILD_DIRECTORY PROCESSES < FILES

Why not run-clang-tidy: a source may be in the compile commands several times (in the library and again for a
benchmark), and run-clang-tidy would analyse it each time. Here a source is analysed once, with its first command. A
kernel is analysed once per instruction set, each in a separate process, because each has other code under its #if.
A header is analysed through the sources that include it, directly or through other headers.
Sources that no command compiles (another architecture, a peer that is not installed) are listed and left out.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


HEADERS = (".hpp", ".inl", ".h")


def commands(build: Path, root: Path) -> dict[str, dict[str, dict]]:
    """Source -> instruction set (empty but for kernels) -> its first compile command, as clang understands it."""
    first: dict[str, dict[str, dict]] = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["directory"], entry["file"]).resolve()
        if not path.is_relative_to(root) or path.is_relative_to(build.resolve()):
            continue
        words = shlex.split(entry.pop("command"))
        isa = next((w.split("=")[1] for w in words if w.startswith("-DLANEFOLD_KERNEL_ISA=")), "")
        # Clang does not know -fno-gnu-unique. -Werror would make errors of warnings that only Clang has; .clang-tidy
        # decides which findings count.
        words = [w for w in words if w not in ("-Werror", "-fno-gnu-unique")]
        words += ["-Wno-unknown-warning-option", "-Wno-everything"]
        entry["arguments"] = words
        first.setdefault(str(path.relative_to(root)), {}).setdefault(isa, entry)
    return first


def including(headers: list[str], sources: Iterable[str], root: Path) -> set[str]:
    """The sources through which these headers are analysed."""
    sources = set(sources)
    rooms = {f.split("/")[0] for f in sources}
    files = {str(p.relative_to(root)) for room in rooms for p in (root / room).rglob("*") if p.suffix in HEADERS}
    pattern = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)', re.MULTILINE)
    included = {f: pattern.findall((root / f).read_text()) for f in files | sources}

    def includes(file: str, header: str) -> bool:
        for name in included[file]:
            beside = os.path.normpath(os.path.join(os.path.dirname(file), name))
            # A header beside the file hides others of its name.
            if header == beside or (beside not in files and header.endswith("/" + name)):
                return True
        return False

    found = set()
    for header in headers:
        seen, level = set(), {header}
        while level:
            seen |= level
            level = {f for f in included if f not in seen and any(includes(f, h) for h in level)}
            if reached := level & sources:
                found |= reached
                break
    return found


def main() -> int:
    build, processes, root = Path(sys.argv[1]), int(sys.argv[2]), Path.cwd().resolve()
    known = commands(build, root)
    # clang-tidy analyses a source once per command that it finds: a database for each instruction set.
    for isa in {isa for of_source in known.values() for isa in of_source}:
        database = build / "tidy" / isa
        database.mkdir(parents=True, exist_ok=True)
        entries = [of_source[isa] for of_source in known.values() if isa in of_source]
        (database / "compile_commands.json").write_text(json.dumps(entries, indent=1))

    named = [line.strip() for line in sys.stdin if line.strip()]
    wanted = {f for f in named if f.endswith(".cpp")}
    headers = [f for f in named if f.endswith(HEADERS)]
    if headers and len(named) < len(known):
        wanted |= including(headers, known.keys(), root)
    left_out = sorted(wanted - known.keys())
    if left_out:
        print("not compiled here, so not analysed:", *left_out)

    def analyse(job: tuple[str, str]) -> tuple[str, int, str, float]:
        source, isa = job
        database = build / "tidy" / isa
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            process = subprocess.Popen(["clang-tidy", "-p", str(database), "--quiet", source], stdout=out, stderr=err)
            _, status, usage = os.wait4(process.pid, 0)
            code = process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            text = "\n".join(line for line in out.read().splitlines() if line.strip())
            if code != 0 and not text:
                text = err.read()
        return f"{source} {isa}".strip(), code, text, usage.ru_utime + usage.ru_stime

    failed, reported, seconds = 0, set(), {}
    # Longest first (kernels, then by size), so that the last process does not work alone.
    jobs = [(source, isa) for source in wanted & known.keys() for isa in known[source]]
    order = sorted(jobs, key=lambda job: (not job[1], -(root / job[0]).stat().st_size, job))
    with ThreadPoolExecutor(processes) as pool:
        for source, code, text, took in pool.map(analyse, order):
            failed += code != 0
            seconds[source] = took
            if code != 0 and text not in reported:
                reported.add(text)
                print(f"-- {source}\n{text}", flush=True)
    slowest = ", ".join(f"{s} {seconds[s]:.0f}" for s in sorted(seconds, key=seconds.get, reverse=True)[:3])
    print(f"{len(order)} analyses of {len(wanted & known.keys())} sources, {failed} with findings; "
          f"{sum(seconds.values()):.0f} s of processors ({slowest})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
