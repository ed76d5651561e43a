# SPDX-License-Identifier: MIT
#
# How well two series of one commit repeat each other.
"""The clock of a virtual machine's host may be another one on another day, and its memory may have other neighbours.
Then all times move together. So the share of rows that repeat is told four times: in time; in core cycles, which leave
the clock out; in time after the median change of all rows is divided out; and as ratios to lanefold's row of the same
scene, which is what the page's claims are made of."""
from . import intervals, results, samples
from .markdown import percent, table, wrapped


def overlapping(pairs):
    return sum(intervals.overlap(a, b) for a, b in pairs) / len(pairs)


def row_interval(row):
    return row["low"], row["high"]


def in_cycles(both):
    found = [(samples.in_cycles(a), samples.in_cycles(b)) for a, b in both if a["threads"] == 1]
    return [pair for pair in found if all(pair)]


def divided_out(both, change):
    return [((a["low"] * change, a["high"] * change), row_interval(b)) for a, b in both]


def ratio_interval(row, ours):
    """The 95% interval of a row's median over that of another row of the series."""
    above, below = (list(samples.by_process(r["samples"]).values()) for r in (row, ours))
    return intervals.bootstrap_ratio(above, below, intervals.SHARE)


def ratios(both):
    """For each row of another engine: its ratio to lanefold's row of the same scene, in both series."""
    rows = {results.key(a): (a, b) for a, b in both}
    out = []
    for (scene, engine, *rest), (a, b) in rows.items():
        ours = rows.get((scene, "lanefold", *rest))
        if ours and not engine.startswith("lanefold"):
            out.append((ratio_interval(a, ours[0]), ratio_interval(b, ours[1])))
    return out


def headlines(before, after):
    """(scene, best peer / lanefold before, and after) of each pile that both have."""
    for scene in results.summary_scenes(before):
        found = [results.best_peer(d, scene, "full") if any(s["name"] == scene for s in d["scenes"]) else None
                 for d in (before, after)]
        if all(found):
            yield scene, found[0][1][0], found[1][1][0]


def apart(a, b):
    return f"{100 * abs(a / b - 1):.1f}%"


def shares(before, after):
    """How well `after` repeats `before`, or None for files of single processes, whose rows have no intervals.

    `change` is the median factor between the rows. `time`, `cycles`, `divided` and `ratios` are each a share of rows
    whose 95% intervals overlap, and their number; the share is None where there is no such row.
    """
    old = {results.key(r): r for r in before["timings"] if r["low"] is not None}
    both = [(old[results.key(r)], r) for r in after["timings"] if r["low"] is not None and results.key(r) in old]
    if not both:
        return None
    change = intervals.median([b["median"] / a["median"] for a, b in both])
    pairs = {"time": [(row_interval(a), row_interval(b)) for a, b in both], "cycles": in_cycles(both),
             "divided": divided_out(both, change), "ratios": ratios(both)}
    return {"change": change, **{k: (overlapping(v) if v else None, len(v)) for k, v in pairs.items()}}


def lines(before, after):
    """The lines that bench/compare prints."""
    found = shares(before, after)
    if found is None:
        return
    share, rows = found["time"]
    yield f"{percent(share)} of {rows} rows have 95% intervals that overlap"
    share, rows = found["cycles"]
    if rows:
        yield (f"{percent(share)} of the {rows} rows of one thread do in core cycles, which another clock of the host "
               "does not change")
    yield (f"{percent(found['divided'][0])} do after the median change of all rows, a factor of "
           f"{found['change']:.3f}, is divided out")
    share, rows = found["ratios"]
    if rows:
        yield f"{percent(share)} of the {rows} ratios of other engines to lanefold do"
    for scene, a, b in headlines(before, after):
        yield f"best peer / lanefold on {scene}: {a:.2f} and {b:.2f}, {apart(a, b)} apart"


def clock(data):
    found = [s["ghz"] for r in data["timings"] for s in r["samples"] if "ghz" in s]
    return f"{intervals.median(found):.2f}" if found else "-"


def other_days(files):
    """The section of the page about other series of the first one's commit and machine; empty if there is none."""
    first = files[0]
    same = [d for d in files[1:] if all(d["machine"][k] == first["machine"][k] for k in ("cpu", "commit"))]
    rows = []
    for data in same:
        found = shares(data, first)
        if found:
            cells = [percent(found[k][0]) if found[k][1] else "-" for k in ("time", "cycles", "divided", "ratios")]
            most = max((apart(a, b) for _, a, b in headlines(data, first)), key=lambda t: float(t[:-1]), default="-")
            rows.append([data["machine"]["date"][:10], f"{clock(data)} and {clock(first)}", f"{found['change']:.3f}",
                         *cells, most])
    if not rows:
        return ""
    return ("## The same commit on another day\n\n" + wrapped(
        "How well this page repeats an earlier one of the same commit on the same model of processor: the share of "
        "rows whose 95% intervals overlap, and the largest distance of a ratio best peer / lanefold, the same work. "
        "An interval knows nothing of another day, on which the host may give another clock; then all times move "
        "together, and ratios stay ([method](method.md#how-well-a-page-repeats)).") + "\n\n" + table(
        ["earlier page", "GHz, then and now", "median change of all times", "overlap: times", "core cycles",
         "times, the median change divided out", "ratios to lanefold", "best peer / lanefold apart by at most"], rows))
