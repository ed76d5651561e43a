# SPDX-License-Identifier: MIT
#
# `./dev bench --scaling`: tables and a plot of calls of all sizes, and of simulation steps, on all thread counts.
"""Reads a result of lanefold_bench --scaling. Standard library only."""
from . import intervals, results, svg, tables
from .counters import needed_bytes
from .markdown import percent, table, time, wrapped

ARCHIVE = """`./dev bench --scaling`, by the wall clock, of one process. A machine can give less than the number of
its threads: two of them may be one core, and other guests take their share.
[Threads](../history/optimisation.md#threads) compares with as many programs at once as there are processors, each on
one thread.
"""

CALLS = ("search", "cold", "stream")

STEPS = """Consecutive steps of a simulation, in nanoseconds a candidate pair by the wall clock, means over the steps.
Search: a finder that keeps its tree lists the candidates anew. Cold: a compact call on these. Stream: the same by a
`ContactStream`, byte by byte the same. Each number of threads goes through all steps with objects of its own.
"""

INTRODUCTION = """One batch call, by the wall clock. Thread counts and forms of output take turns. Efficiency is the
gain over one thread, divided by the threads. Bytes are the least that a dense call moves: each pair and record, each
body and each hull once. "Of copying" compares them with what as many threads copy at once.
"""


def rows_of(data, form):
    """(scene, {threads: row}) of each scene, by size."""
    out = {}
    for row in results.timings(data, subset="scaling"):
        if ("compact" in row["engine"]) == (form == "compact"):
            out.setdefault(row["scene"], {})[row["threads"]] = row
    return sorted(out.items(), key=lambda item: (item[0].rsplit("-", 1)[0], int(item[0].rsplit("-", 1)[1])))


def spread(row):
    """Half the distance of the quartiles over the median of the samples. They come from one process."""
    return (row["p75"] - row["p25"]) / 2 / row["median"]


def scaling_table(data, form):
    scenes = {s["name"]: s for s in data["scenes"]}
    copies = {c["threads"]: c["bytes"] for c in data.get("copies", [])}
    rows = []
    for scene, found in rows_of(data, form):
        one = found[min(found)]
        size = needed_bytes(scenes[scene])
        for threads, row in sorted(found.items()):
            moved = size / row["median"]  # bytes a nanosecond: gigabytes a second
            rows.append([scene.rsplit("-", 1)[0], f"{scenes[scene]['pairs']:,}", threads, time(row["median"]),
                         percent(spread(row)), f"{one['median'] / row['median']:.2f}",
                         percent(one["median"] / row["median"] / threads),
                         f"{moved:.1f}" if form == "dense" else "-",
                         percent(moved * 1e9 / copies[threads]) if form == "dense" and threads in copies else "-"])
    return table(["scene", "pairs", "threads", "ns/pair", "+-", "times faster", "efficiency", "GB/s at least",
                  "of copying"], rows)


def steps_of(data):
    """(scene, {threads: {call: row}}) of each scene of steps."""
    out = {}
    for row in results.timings(data, subset="steps"):
        out.setdefault(row["scene"], {}).setdefault(row["threads"], {})[row["engine"].split("-")[0]] = row
    return sorted(out.items())


def steps_table(data):
    scenes = {s["name"]: s for s in data["scenes"]}
    rows = []
    for scene, found in steps_of(data):
        one = found[min(found)]
        for threads, calls in sorted(found.items()):
            cells = []
            for call in CALLS:
                row = calls[call]
                gain = one[call]["median"] / row["median"]
                cells += [time(row["median"]), percent(spread(row)), f"{gain:.2f}", percent(gain / threads)]
            rows.append([scene, f"{scenes[scene]['bodies']:,}", f"{scenes[scene]['pairs']:,}", threads, *cells])
    return table(["scene", "bodies", "pairs", "threads",
                  *(head for call in CALLS for head in (call, "+-", "times faster", "efficiency"))], rows)


def plot(data, form="dense"):
    """Efficiency against the number of threads, a line for each size; against the size where there is one thread."""
    found = rows_of(data, form)
    if not found:
        return None
    note = f"{data['machine']['cpu']}, {form}, commit {data['machine']['commit']}, {data['machine']['date'][:10]}"
    most = max(max(rows) for _, rows in found)
    if most == 1:
        lines = {}
        for scene, rows in found:
            name, size = scene.rsplit("-", 1)
            lines.setdefault(name, []).append((int(size), rows[1]["median"]))
        return svg.lines("Time for a pair against the size of a call", note, "pairs in a call", "ns per pair",
                         list(lines.items()), log_x=True)
    lines = [(scene, [(t, 100 * rows[1]["median"] / r["median"] / t) for t, r in sorted(rows.items())])
             for scene, rows in found]
    return svg.lines("Efficiency with threads, by the number of pairs in a call", note, "threads",
                     "gain over one thread / threads, %", lines)


def measured(data):
    """The tables of one result."""
    words = []
    if rows_of(data, "dense"):
        copies = ", ".join(f"{c['bytes'] / 1e9:.1f} by {c['threads']}" for c in data.get("copies", []))
        words += [INTRODUCTION, wrapped(f"Copying memory, GB/s: {copies}.") + "\n"]
        words += [f"## {form.capitalize()} output\n\n{scaling_table(data, form)}" for form in ("dense", "compact")]
    if steps_of(data):
        words.append(f"## Steps of a simulation\n\n{STEPS}\n{steps_table(data)}")
    return "\n".join(words)


def page(data):
    return f"# Scaling\n\n{wrapped(tables.machine(data))}\n\n{measured(data)}"


def archive_page(files):
    """The page of docs/performance: the results in bench/results/scaling, one machine after the other."""
    words = [f"{tables.MADE}\n# Calls and steps on many threads\n", ARCHIVE]
    for data in files:
        words.append(f"# {data['machine']['cpu']}, {data['machine']['date'][:10]}\n\n"
                     f"{wrapped(tables.machine(data))}\n\n{measured(data)}")
    return "\n".join(words)
