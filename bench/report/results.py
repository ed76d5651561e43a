# SPDX-License-Identifier: MIT
#
# Result files of lanefold_bench (--json) and queries on them.
"""Reads result files and finds rows in them. Python standard library only."""
import graphlib
import json
import math
import random
import re
import statistics
import subprocess
import sys


class BadResults(Exception):
    """A file is no result of lanefold_bench. The message names it."""


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError) as error:
        raise BadResults(f"{path}: {error}") from error
    if not isinstance(data, dict) or data.get("format") != "lanefold-bench":
        raise BadResults(f"{path}: not a result file of lanefold_bench")
    if data.get("version") != 1:
        raise BadResults(f"{path}: version {data.get('version')}, this script reads 1")
    data["path"] = str(path)
    return data


def load_all(paths):
    try:
        return [load(p) for p in paths]
    except BadResults as error:
        sys.exit(str(error))


def key(row):
    """The key of a timing. Timings with equal keys are comparable."""
    return row["scene"], row["engine"], row["subset"], row["order"], row["threads"]


def timings(data, **wanted):
    return [r for r in data["timings"] if all(r[k] == v for k, v in wanted.items())]


def median_of(data, **wanted):
    rows = timings(data, **wanted)
    return rows[0]["median"] if rows else None


def engine_titles(files):
    titles = {}
    for data in files:
        for engine in data["engines"]:
            titles.setdefault(engine["id"], engine["title"])
    return titles


def stage_order(profiles):
    """The names of all stages in the order of the pipeline. Every profile lists its stages in that order."""
    after = {}
    for profile in profiles:
        names = [t["stage"] for t in profile["stages"]]
        for i, name in enumerate(names):
            after.setdefault(name, set()).update(names[:i])
    return list(graphlib.TopologicalSorter(after).static_order())


def median_interval(values, error):
    """(low, high), which contain the median of the distribution of `values` with a probability of 1 - error.

    It holds for any distribution: the k-th smallest and the k-th largest value miss the median with twice the
    probability of at most k - 1 heads in n tosses. With too few values for the error: the smallest and the largest.
    """
    ordered = sorted(values)
    n, k, tail = len(ordered), 1, 0.0
    for heads in range(n // 2):
        tail += math.comb(n, heads) * 0.5**n
        if 2 * tail > error:
            break
        k = heads + 1
    return ordered[k - 1], ordered[n - k]


def bootstrap_ratio(above, below, share=0.99, rounds=4000, seed=1):
    """Interval of median(above) / median(below) of two independent lists of samples."""
    numbers = random.Random(seed)


    def resampled(values):
        return statistics.median(numbers.choices(values, k=len(values)))

    ratios = sorted(resampled(above) / resampled(below) for _ in range(rounds))
    cut = (1 - share) / 2
    return ratios[int(cut * (rounds - 1))], ratios[int((1 - cut) * (rounds - 1))]


def commit_complaint(data, root):
    """Why the commit of a result file does not identify the measured sources, or None."""
    commit = data["machine"]["commit"]
    if not re.fullmatch(r"[0-9a-f]{7,40}", commit):
        if commit.endswith("+changes"):
            return f"{data['path']}: measured on {commit}: on sources that were not committed"
        return f"{data['path']}: measured on commit '{commit}', which says nothing"
    known = subprocess.run(["git", "-C", str(root), "cat-file", "-e", f"{commit}^{{commit}}"], capture_output=True)
    if known.returncode != 0:
        return f"{data['path']}: measured on commit {commit}, which this repository does not have"
    return None


def best_peer(data, scene, kind):
    """(engine, its time / lanefold's) of the fastest other engine of a kind, or None.

    full: manifolds of up to four points up to lanefold's margin, the shapes as given, nothing kept from before;
    any: engines with any kind of result; warm: engines with their cache, lanefold without; both_warm: both with their
    caches.
    """
    own = "lanefold-warm" if kind == "both_warm" else "lanefold"
    ours = median_of(data, scene=scene, engine=own, subset="all", order="scene", threads=1)
    margin = next(s["margin"] for s in data["scenes"] if s["name"] == scene)
    best = None
    for e in data["engines"]:
        ns = median_of(data, scene=scene, engine=e["id"], subset="all", order="scene", threads=1)
        if ours is None or ns is None or e["id"].startswith("lanefold"):
            continue
        coherent = e.get("coherent", e["id"].endswith("-warm"))
        rounded = e.get("rounded", e["id"].endswith("-rounded"))
        full = e["margin"] >= 0.999 * margin and e["max_points"] >= 4 and not coherent and not rounded
        counts = {"full": full, "any": not coherent, "warm": coherent, "both_warm": coherent}[kind]
        if counts and (best is None or ns < best[1]):
            best = e["id"], ns
    return (best[0], best[1] / ours) if best else None
