# SPDX-License-Identifier: MIT
#
# How well two series of one commit repeat each other.
"""The clock of a virtual machine's host may be another one on another day, and its memory may have other neighbours.
Then all times move together. So the share of rows that repeat is told four times: in time; in core cycles, which leave
the clock out; in time after the median change of all rows is divided out; and as ratios to lanefold's row of the same
scene, which is what the page's claims are made of."""
from . import headline, intervals, results, samples


def percent(share):
    return f"{100 * share:.0f}%"


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
    for scene in headline.scenes_of(before):
        found = [results.best_peer(d, scene, "full") if any(s["name"] == scene for s in d["scenes"]) else None
                 for d in (before, after)]
        if all(found):
            a, b = found[0][1][0], found[1][1][0]
            yield f"best peer / lanefold on {scene}: {a:.2f} and {b:.2f}, {100 * abs(a / b - 1):.1f}% apart"


def lines(before, after):
    """What bench/compare prints; nothing for files of single processes, whose rows have no intervals."""
    old = {results.key(r): r for r in before["timings"] if r["low"] is not None}
    both = [(old[results.key(r)], r) for r in after["timings"] if r["low"] is not None and results.key(r) in old]
    if not both:
        return
    share = overlapping([(row_interval(a), row_interval(b)) for a, b in both])
    yield f"{percent(share)} of {len(both)} rows have 95% intervals that overlap"
    cycles = in_cycles(both)
    if cycles:
        yield (f"{percent(overlapping(cycles))} of the {len(cycles)} rows of one thread do in core cycles, which "
               "another clock of the host does not change")
    change = intervals.median([b["median"] / a["median"] for a, b in both])
    yield (f"{percent(overlapping(divided_out(both, change)))} do after the median change of all rows, a factor of "
           f"{change:.3f}, is divided out")
    found = ratios(both)
    if found:
        yield f"{percent(overlapping(found))} of the {len(found)} ratios of other engines to lanefold do"
    yield from headlines(before, after)
