# SPDX-License-Identifier: MIT
#
# The conditions on a page: bench/plots refuses results for which one of these checks has a complaint.
"""Each check gives a list of complaints, empty if there is none."""
import re
import subprocess

from . import intervals

# A row needs so many processes: each places its memory elsewhere, and rounds of one process share their places.
LEAST_PROCESSES = 10
# With more disturbed samples than this the figures are those of a busy machine.
MOST_DISTURBED = 0.5


def commit_complaint(data, root):
    """Why the commit of a result file does not identify the measured sources, or None."""
    commit = data["machine"]["commit"]
    if not re.fullmatch(r"[0-9a-f]{7,40}", commit):
        if commit.endswith("+changes"):
            return f"{data['path']}: measured on {commit}: on sources that were not committed"
        return f"{data['path']}: measured on commit '{commit}', which says nothing"
    def git(*words):
        return subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True)

    if git("rev-parse", "--is-shallow-repository").stdout.strip() != "false":
        return None  # an archive or a shallow clone has no commits to look into
    if git("cat-file", "-e", f"{commit}^{{commit}}").returncode != 0:
        return f"{data['path']}: measured on commit {commit}, which this repository does not have"
    return None


def too_few_processes(data):
    few = [r for r in data["timings"] if r["processes"] < LEAST_PROCESSES]
    if not few:
        return []
    least = min(r["processes"] for r in few)
    return [f"{data['path']}: {len(few)} of {len(data['timings'])} rows are of fewer than {LEAST_PROCESSES} processes, "
            f"some of {least}"]


def disturbed_share(data):
    samples = [s for r in data["timings"] for s in r["samples"]]
    return sum(1 for s in samples if s["disturbed"]) / max(len(samples), 1)


def busy_machine(data):
    share = disturbed_share(data)
    return [f"{data['path']}: {100 * share:.0f}% of the samples were disturbed"] if share > MOST_DISTURBED else []


def memory_of(engine):
    """The state that a setting of lanefold keeps from call to call, from the parts of its id."""
    return [p for p in engine.split("-") if p in ("hysteresis", "unmoved", "warm", "impact")]


def configuration(data, row):
    """The configuration that a row measured. Rows with equal ones measured the same thing, whatever they are called.

    The settings of lanefold name the instruction set, the output form and the rest; the number of threads is the row's.
    """
    engine = next((e for e in data["engines"] if e["id"] == row["engine"]), None)
    settings = row["engine"]
    if row["engine"].split("-")[0] == "lanefold" and engine is not None:
        settings = re.sub(r", threads \d+|, keeps .*", "", engine["settings"])
        settings = " ".join(["lanefold", settings, f"margin {engine['margin']}"] + memory_of(row["engine"]))
    subset = "all" if row["subset"] == "threads" else row["subset"]
    return row["scene"], settings, subset, row["order"], row["threads"]


def range_of(row):
    """The interval of a row; of a row of one process the range of its rounds."""
    if row["low"] is not None:
        return row["low"], row["high"]
    ns = [s["ns"] for s in row["samples"]]
    return min(ns), max(ns)


def contradictions(data):
    """Pairs of rows of the same configuration whose intervals do not overlap."""
    groups = {}
    for row in data["timings"]:
        groups.setdefault(configuration(data, row), []).append(row)
    out = []
    for rows in groups.values():
        for i, a in enumerate(rows):
            out += [(a, b) for b in rows[i + 1:] if not intervals.overlap(range_of(a), range_of(b))]
    return out


def contradiction_complaints(data):
    def words(row):
        low, high = range_of(row)
        return f"{row['engine']} ({row['subset']}) {row['median']:.1f} ns [{low:.1f}, {high:.1f}]"

    found = contradictions(data)
    out = [f"{data['path']}: {a['scene']}: one configuration has two times: {words(a)}, {words(b)}"
           for a, b in found[:5]]
    if len(found) > 5:
        out.append(f"{data['path']}: and {len(found) - 5} more such pairs of rows")
    return out


def complaints(data, root):
    """All complaints about a result file as the source of a page."""
    out = [c for c in [commit_complaint(data, root)] if c]
    out += too_few_processes(data) + contradiction_complaints(data) + busy_machine(data)
    return out + [f"{data['path']}: wrong: {e}" for e in data["errors"]]
