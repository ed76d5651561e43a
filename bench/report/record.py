# SPDX-License-Identifier: MIT
#
# Google Benchmark's JSON, as lanefold_bench writes it: what is known of a process is in the context, each sample is a
# benchmark.
"""Turns a record of Google Benchmark into rows of timings and facts. Standard library only."""
import json

from . import samples

FORMAT = "lanefold-bench"
# Decimals that differ from one sample to the next.
DECIMALS = {"ns": 2, "ghz": 3, "width": 2, "waited": 3, "switches": 0, "stolen": 3, "others": 3, "ready": 0,
            "faults": 0, "instructions": 1, "core_cycles": 1, "branch_misses": 3, "cache_misses": 3, "nanojoules": 1}


def is_record(data):
    context = data.get("context") if isinstance(data, dict) else None
    return isinstance(context, dict) and context.get("format") == json.dumps(FORMAT)


def rounded(name, value):
    decimals = DECIMALS[name]
    return round(value, decimals) if decimals else int(value)


def row_of(benchmark):
    """An empty row: the name is SCENE/SUBSET/ORDER/ENGINE, then real_time for the wall clock, and the threads."""
    scene, subset, order, engine, *more = benchmark["run_name"].split("/")
    return {"scene": scene, "engine": engine, "subset": subset, "order": order, "threads": benchmark["threads"],
            "clock": "wall" if "real_time" in more else "thread", "pairs": int(benchmark["pairs"])}


def timings_of(benchmarks):
    """The rows, each with its samples in lists. A count that one sample lacks is None there."""
    rows = {}
    for b in benchmarks:
        if "error_occurred" in b:
            continue
        rows.setdefault(b["run_name"], (row_of(b), []))[1].append(b)
    for row, found in rows.values():
        for name in ("ns", *samples.AROUND, *samples.COUNTED):
            if any(name in b for b in found):
                row[name] = [rounded(name, b[name]) if name in b else None for b in found]
    return [row for row, _ in rows.values()]


def facts_of(data):
    """The facts of the context and the timings, as one result."""
    facts = {}
    for name, text in data["context"].items():
        try:
            facts[name] = json.loads(text) if isinstance(text, str) else text
        except ValueError:
            continue  # Google Benchmark's own text: a date, a name
    return {**facts, "timings": timings_of(data["benchmarks"])}
