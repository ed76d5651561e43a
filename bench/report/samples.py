# SPDX-License-Identifier: MIT
#
# Samples: one round of one engine in one process. Which were disturbed, what a row of them says, and their CSV.
"""A sample is a dictionary with the fields below. Disturbed samples are marked and kept."""
import csv
import io

from . import intervals

# The columns that lanefold_bench writes about each round (bench/src/measure/surroundings.hpp has the meanings and
# units).
AROUND = ["ghz", "width", "waited", "switches", "stolen", "others", "ready", "faults"]
# Counts of a pair, on machines that have them (bench/src/measure/counters.hpp).
COUNTED = ["instructions", "core_cycles", "branch_misses", "cache_misses", "nanojoules"]
KEY = ["scene", "engine", "subset", "order", "threads"]
COLUMNS = KEY + ["clock", "pairs", "process", "round", "ns"] + AROUND + COUNTED + ["disturbed"]

# A sample is disturbed if one of these holds. Each bound is where the times of the settled piles begin to move.
SLOWER_CLOCK = 0.97  # of the usual clock of the run
NARROWER = 0.85      # of the usual additions per cycle: a neighbour on the core's other thread
WAITED = 0.01        # share of the wall time
OTHERS = 0.05        # share of all processors


def samples_of(timing, process):
    """The samples of one timing of a result of lanefold_bench."""
    return [{"process": process, "round": i, "ns": ns,
             **{f: timing[f][i] for f in AROUND + COUNTED if len(timing.get(f, ())) > i and timing[f][i] is not None}}
            for i, ns in enumerate(timing["ns"])]


def usual(rows):
    """The usual state of a run: the median clock, and the additions per cycle of a core without a neighbour."""
    one = [s for r in rows if r["threads"] == 1 for s in r["samples"]]
    clocks = [s["ghz"] for s in one if "ghz" in s]
    widths = [s["width"] for s in one if "width" in s]
    return {"ghz": intervals.median(clocks) if clocks else 0,
            "width": intervals.percentile(widths, 0.9) if widths else 0}


def disturbances(sample, normal):
    """The disturbances of a sample: a list of words, empty if there was none."""
    out = []
    if sample.get("ghz", normal["ghz"]) < SLOWER_CLOCK * normal["ghz"]:
        out.append("clock")
    if sample.get("width", normal["width"]) < NARROWER * normal["width"]:
        out.append("neighbour")
    if sample.get("waited", 0) > WAITED or sample.get("switches", 0) > 0:
        out.append("waited")
    if sample.get("stolen", 0) > 0:
        out.append("stolen")
    if sample.get("others", 0) > OTHERS or sample.get("ready", 0) > 0:
        out.append("others")
    return out


def mark(rows):
    """Adds `disturbed` to every sample: the words with + between them, or an empty text."""
    normal = usual(rows)
    for row in rows:
        for s in row["samples"]:
            s["disturbed"] = "+".join(disturbances(s, normal))


def by_process(samples):
    """The median of each process, in the order of the processes."""
    groups = {}
    for s in samples:
        groups.setdefault(s["process"], []).append(s["ns"])
    return {p: intervals.median(v) for p, v in sorted(groups.items())}


def in_cycles(row):
    """(low, high): the interval of a row's median in core cycles a pair, or None where no clock was measured."""
    if any("ghz" not in s for s in row["samples"]):
        return None
    cycles = by_process([{**s, "ns": s["ns"] * s["ghz"]} for s in row["samples"]])
    return intervals.bootstrap_median(list(cycles.values()))


def summarise(row):
    """Adds what the pages show of a row: median of the processes' medians, its interval, percentiles of the samples."""
    samples = row["samples"]
    values = by_process(samples)
    ns = [s["ns"] for s in samples]
    row["process_ns"] = values
    row["processes"] = len(values)
    row["median"] = intervals.median(values.values())
    found = intervals.bootstrap_median(list(values.values()))
    row["low"], row["high"] = found if found else (None, None)
    row["min"] = min(ns)
    for q in (5, 25, 75, 95):
        row[f"p{q}"] = intervals.percentile(ns, q / 100)
    clocks = [s["ghz"] for s in samples if "ghz" in s]
    row["cycles"] = row["median"] * intervals.median(clocks) if clocks else None
    row["disturbed"] = sum(1 for s in samples if s["disturbed"])


def to_csv(rows):
    """All samples, one a line. The same samples give the same text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        head = [row[k] for k in KEY] + [row["clock"], row["pairs"]]
        for s in row["samples"]:
            writer.writerow(head + [s["process"], s["round"], s["ns"]] + [s.get(f, "") for f in AROUND + COUNTED] +
                            [s["disturbed"]])
    return text.getvalue()


def from_csv(text):
    """The rows of to_csv(), in its order."""
    rows = {}
    for line in csv.DictReader(io.StringIO(text)):
        key = tuple(line[k] for k in KEY)
        row = rows.setdefault(key, {**{k: line[k] for k in KEY}, "threads": int(line["threads"]),
                                    "clock": line["clock"], "pairs": int(line["pairs"]), "samples": []})
        row["samples"].append({"process": int(line["process"]), "round": int(line["round"]), "ns": float(line["ns"]),
                               **{f: float(line[f]) for f in AROUND + COUNTED if line.get(f, "") != ""},
                               "disturbed": line["disturbed"]})
    return list(rows.values())
