# SPDX-License-Identifier: MIT
#
# Results of lanefold_bench and queries on them: series of many processes (series.py), and files of one (--json):
# Google Benchmark's JSON (record.py), or version 1, which bench/results keeps of earlier states.
"""Reads result files and finds rows in them. Python standard library only."""
import graphlib
import json
import sys

from . import intervals, plan, record, samples, series, stored


class BadResults(Exception):
    """A file is no result of lanefold_bench. The message names it."""


def read(path):
    """A file of lanefold_bench or a series, as it is."""
    try:
        data = json.loads(stored.read(path))
    except (OSError, ValueError) as error:
        raise BadResults(f"{path}: {error}") from error
    version = 1
    if record.is_record(data):
        data, version = record.facts_of(data), 2
    if not isinstance(data, dict) or data.get("format") not in (record.FORMAT, series.FORMAT):
        raise BadResults(f"{path}: not a result file of lanefold_bench")
    if data.get("version") != version:
        raise BadResults(f"{path}: version {data.get('version')}, this script reads {version}")
    data["path"] = str(path)
    data.setdefault("turn", 0)
    return data


def load(path):
    """The same with summaries of all rows. A file of one process has medians, but no intervals."""
    data = read(path)
    if data["format"] == series.FORMAT:
        try:
            series.complete(data, path)
        except series.BadSeries as error:
            raise BadResults(str(error)) from error
    else:
        for row in data["timings"]:
            row.setdefault("clock", "wall" if row["subset"] == "threads" else "thread")
            row["samples"] = samples.samples_of(row, 0)
        samples.mark(data["timings"])
        for row in data["timings"]:
            samples.summarise(row)
        data["stages"] = [{"scene": s["scene"], "isa": s["isa"], "processes": [s]} for s in data["stages"]]
        data["streams"] = [{**{k: s[k] for k in ("scene", "output", "threads")}, "processes": [s]}
                           for s in data["streams"]]
    data["stages"] = [usual_profile(s) for s in data["stages"]]
    data["streams"] = [usual_stream(s) for s in data["streams"]]
    return data


def load_all(paths):
    try:
        return [load(p) for p in paths]
    except BadResults as error:
        sys.exit(str(error))


def usual_profile(stage_row):
    """The medians over the processes of all times of a profile; the rest is the same in every process."""
    profiles = stage_row["processes"]
    out = dict(profiles[0])
    for name in ("ns_with_clock", "ns_without"):
        out[name] = intervals.median([p[name] for p in profiles])
    names = stage_order(profiles)
    out["stages"] = []
    for name in names:
        found = [t for p in profiles for t in p["stages"] if t["stage"] == name]
        values = [t["ns"] for t in found] + [0.0] * (len(profiles) - len(found))
        out["stages"].append({**found[0], "ns": intervals.median(values)})
    return out


def usual_stream(stream_row):
    rows = stream_row["processes"]
    return {**rows[0], "ns": intervals.median([r["ns"] for r in rows]),
            "interval": intervals.bootstrap_median([r["ns"] for r in rows]),
            "resident_after_first_batch": max(r["resident_after_first_batch"] for r in rows),
            "resident_at_end": max(r["resident_at_end"] for r in rows)}


def key(row):
    """The key of a timing. Timings with equal keys are comparable."""
    return row["scene"], row["engine"], row["subset"], row["order"], row["threads"]


def piles(data):
    """The scenes of the summary: the settled piles, in the order of the plan. Other folders come after them."""
    known = list(plan.PILES)
    names = [s["name"] for s in data["scenes"] if s["description"] == "scene folder" and s["name"] not in plan.EVERYDAY]
    return sorted(names, key=lambda n: known.index(n) if n in known else len(known))


def summary_scenes(data):
    """The scenes of the first table: the piles if there are any, otherwise all that the engines ran."""
    return piles(data) or [
        s["name"] for s in data["scenes"] if any(q["scene"] == s["name"] for q in data["quality"])]


def everyday(data):
    """The scenes that users have, in the order of the plan."""
    return [n for n in plan.EVERYDAY if any(s["name"] == n for s in data["scenes"])]


def timings(data, **wanted):
    return [r for r in data["timings"] if all(r[k] == v for k, v in wanted.items())]


def row_of(data, scene, engine, subset="all", order="scene", threads=1):
    rows = timings(data, scene=scene, engine=engine, subset=subset, order=order, threads=threads)
    return rows[0] if rows else None


def one_thread(data, scene, form):
    """The row of one thread beside which those of more threads stand. Old files timed it twice, by both clocks."""
    engine = "lanefold" if form == "dense" else f"lanefold-{form}"
    return row_of(data, scene, engine, "threads") or row_of(data, scene, engine)


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


def ratio(above, below):
    """(median, low, high) of above / below, process by process: both ran in the same process, in turns."""
    both = [above["process_ns"][p] / below["process_ns"][p] for p in above["process_ns"] if p in below["process_ns"]]
    if not both:
        return None
    low, high = intervals.bootstrap_median(both) or (None, None)
    return intervals.median(both), low, high


def traits(engine):
    return (engine.get("coherent", engine["id"].endswith("-warm")),
            engine.get("rounded", engine["id"].endswith("-rounded")))


def is_full(engine, margin):
    """Manifolds of up to four points up to the margin, the shapes as given, nothing kept from before."""
    coherent, rounded = traits(engine)
    return engine["margin"] >= 0.999 * margin and engine["max_points"] >= 4 and not coherent and not rounded


def best_peer(data, scene, kind):
    """(engine, (ratio to lanefold, low, high)) of the fastest other engine of a kind, or None.

    full: manifolds of up to four points up to lanefold's margin, the shapes as given, nothing kept from before;
    any: engines with any kind of result; warm: engines with their cache, lanefold without; both_warm: both with their
    caches.
    """
    ours = row_of(data, scene, "lanefold-warm" if kind == "both_warm" else "lanefold")
    margin = next(s["margin"] for s in data["scenes"] if s["name"] == scene)
    best = None
    for e in data["engines"]:
        row = row_of(data, scene, e["id"])
        if ours is None or row is None or e["id"].startswith("lanefold"):
            continue
        coherent = traits(e)[0]
        counts = {"full": is_full(e, margin), "any": not coherent, "warm": coherent, "both_warm": coherent}[kind]
        if counts and (best is None or row["median"] < best[1]["median"]):
            best = e["id"], row
    found = ratio(best[1], ours) if best else None
    return (best[0], found) if found else None
