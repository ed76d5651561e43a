# SPDX-License-Identifier: MIT
#
# Result files of lanefold_bench (--json) and what the reports ask them.
"""Reads result files and finds rows in them. Python standard library only."""
import json
import random
import statistics
import sys


class BadResults(Exception):
    """A file that is no result of lanefold_bench; the message names it."""


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
    """What makes two timings comparable."""
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


def bootstrap(values, share=0.99, rounds=4000, seed=1):
    """Interval of the median of `values`: (low, high), by resampling."""
    if len(values) < 2:
        return values[0], values[0]
    numbers = random.Random(seed)
    medians = sorted(statistics.median(numbers.choices(values, k=len(values))) for _ in range(rounds))
    cut = (1 - share) / 2
    return medians[int(cut * (rounds - 1))], medians[int((1 - cut) * (rounds - 1))]


def bootstrap_ratio(above, below, share=0.99, rounds=4000, seed=1):
    """Interval of median(above) / median(below) of two independent lists of samples."""
    numbers = random.Random(seed)
    ratios = sorted(
        statistics.median(numbers.choices(above, k=len(above))) / statistics.median(numbers.choices(below, k=len(below)))
        for _ in range(rounds))
    cut = (1 - share) / 2
    return ratios[int(cut * (rounds - 1))], ratios[int((1 - cut) * (rounds - 1))]
