# SPDX-License-Identifier: MIT
#
# Counts by valgrind's callgrind: instructions, branch misses and cache misses of every engine and of lanefold's stages.
"""Runs lanefold_bench --count in callgrind and reads what it counted."""
import pathlib
import shutil
import subprocess
import tempfile

# One simulated machine for all: the counts then depend on the program, not on where it ran. Two levels of cache, in
# bytes, ways and bytes of a line.
CACHES = ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=33554432,16,64"]
LINE = 64
PAIRS = 1000  # of each scene, for the other engines; callgrind is a hundred times slower than the processor


class NoCounts(Exception):
    """Nothing could be counted. The message says why."""


def parse(text):
    """The rows of a file of callgrind: sums over the dumps of the same name.

    A dump is named SCENE, KIND, NAME and PAIRS (bench/src/measure/callgrind.cpp), with tabs between them.
    """
    rows, events, name = {}, [], None
    for line in text.splitlines():
        head, _, rest = line.partition(": ")
        if head == "desc" and rest.startswith("Trigger: "):
            name = rest.split("Client Request: ", 1)[1] if "Client Request: " in rest else None
        elif head == "events":
            events = rest.split()
        elif head == "summary" and name and name.count("\t") == 3:
            scene, kind, what, pairs = name.split("\t")
            row = rows.setdefault((scene, kind, what), {"scene": scene, "kind": kind, "name": what,
                                                        "pairs": int(pairs)})
            for event, value in zip(events, rest.split()):
                row[event] = row.get(event, 0) + int(value)
            name = None
    return list(rows.values())


def per_pair(row):
    """The columns of the tables: counts and bytes of a pair."""
    get = row.get
    n = max(row["pairs"], 1)
    return {"instructions": get("Ir", 0) / n, "accesses": (get("Dr", 0) + get("Dw", 0)) / n,
            "branches": (get("Bc", 0) + get("Bi", 0)) / n, "branch_misses": (get("Bcm", 0) + get("Bim", 0)) / n,
            "bytes_from_l2": LINE * (get("D1mr", 0) + get("D1mw", 0)) / n,
            "bytes_from_memory": LINE * (get("DLmr", 0) + get("DLmw", 0)) / n}


def split_adapters(options):
    """The files of the adapters, and the other options."""
    adapters, others, words = [], [], iter(options)
    for word in words:
        if word == "--adapter":
            adapters.append(next(words))
        else:
            others.append(word)
    return adapters, others


def countable(program, adapters, engines):
    """The adapters and the engines that valgrind can run.

    An engine may be compiled for this processor, and valgrind does not know all instructions of new ones (AVX-512).
    Each is tried alone on a few pairs, because one that fails would take all others with it.
    """
    def runs(options):
        try:
            return bool(count(program, ["--synthetic", "mixed,boxes", "--pairs", "200", *options], 20))
        except NoCounts:
            return False

    loaded = [a for a in adapters if runs(["--adapter", a, "--engines", "lanefold"])]
    options = [word for a in loaded for word in ("--adapter", a)]
    return loaded, [e for e in engines if runs([*options, "--engines", e])]


def count(program, options, pairs=PAIRS):
    """Rows of the scenes that `options` name."""
    if not shutil.which("valgrind"):
        raise NoCounts("valgrind is not installed")
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--cache-sim=yes", "--branch-sim=yes", *CACHES,
                   "--combine-dumps=yes", f"--callgrind-out-file={out}", str(program), *options, "--count", str(pairs)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0 or not out.exists():
            # Result files keep the first line, so it has no paths.
            raise NoCounts(f"valgrind ended with {done.returncode}\n{' '.join(command)}\n{done.stdout[-2000:]}")
        rows = parse(out.read_text(encoding="utf-8"))
    if not rows:
        raise NoCounts("callgrind wrote no counts")
    return rows
