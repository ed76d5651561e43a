# SPDX-License-Identifier: MIT
#
# A series: the results of many processes of lanefold_bench on one machine, put together. NAME.json.xz has what was
# measured and on what; NAME.csv.xz beside it has every sample, one a line.
"""Puts the results of processes together, and writes and reads the archive."""
import json

from . import samples, stored

FORMAT = "lanefold-bench-series"
# Facts that are the same in every process of a series.
SAME = ["cpu", "system", "compiler", "commit", "flags", "processors"]


class BadSeries(Exception):
    """The processes do not belong together, or a file is no series. The message says why."""


def first_of(results, field, key):
    """The rows of all processes, the first of each key."""
    out = {}
    for data in results:
        for row in data.get(field, []):
            out.setdefault(tuple(row[k] for k in key), row)
    return list(out.values())


def check_same(results):
    first = results[0]
    for data in results[1:]:
        for name in SAME:
            if data["machine"][name] != first["machine"][name]:
                raise BadSeries(f"{data['path']}: {name} is {data['machine'][name]}, but {first['machine'][name]} in "
                                f"{first['path']}")
        if data["seed"] != first["seed"]:
            raise BadSeries(f"{data['path']}: seed {data['seed']}, but {first['seed']} in {first['path']}")
    hashes = {}
    for data in results:
        for scene in data["scenes"]:
            known, where = hashes.setdefault(scene["name"], (scene["hash"], data["path"]))
            if known != scene["hash"]:
                raise BadSeries(f"{scene['name']}: the hash is {known} in {where}, but {scene['hash']} in "
                                f"{data['path']}: two processes gave different results")


def take_borderline(results, rows):
    """Takes the rows of frames in motion that some processes do not have, and returns them as words.

    lanefold_bench leaves an engine out there that takes too long for a pass. One at that border is in some processes
    only, by chance.
    """
    runs = {}
    for data in results:
        for name in {t["scene"] for t in data["timings"]}:
            runs[name] = runs.get(name, 0) + 1
    out = []
    for key, row in list(rows.items()):
        processes = len({s["process"] for s in row["samples"]})
        if row["subset"] == "frames" and processes < runs[row["scene"]]:
            out.append(f"{row['scene']}, frames in motion: {row['engine']} is too slow in "
                       f"{runs[row['scene']] - processes} of {runs[row['scene']]} processes")
            del rows[key]
    return out


def merge(results, plan):
    """One series of the results of single processes. `plan` says how they were run; it is kept as it is."""
    if not results:
        raise BadSeries("no process has given a result")
    check_same(results)
    rows = {}
    for data in results:
        for timing in data["timings"]:
            key = tuple(timing[k] for k in samples.KEY)
            row = rows.setdefault(key, {**dict(zip(samples.KEY, key)), "clock": timing.get("clock", "thread"),
                                        "pairs": timing["pairs"], "samples": []})
            row["samples"] += samples.samples_of(timing, data["turn"])
    borderline = take_borderline(results, rows)
    timings = list(rows.values())
    samples.mark(timings)
    for row in timings:
        samples.summarise(row)
    stages, streams = {}, {}
    for data in results:
        for s in data.get("stages", []):
            stages.setdefault((s["scene"], s["isa"]), []).append({**s, "process": data["turn"]})
        for s in data.get("streams", []):
            streams.setdefault((s["scene"], s["output"], s["threads"]), []).append({**s, "process": data["turn"]})
    dates = sorted(d["machine"]["date"] for d in results)
    return {
        "format": FORMAT, "version": 1, "label": results[0]["label"], "seed": results[0]["seed"],
        "machine": {**results[0]["machine"], "date": dates[0], "until": dates[-1]}, "plan": plan,
        "copy_bandwidth": max(d["copy_bandwidth"] for d in results),
        "cache_bandwidth": max(d.get("cache_bandwidth", 0) for d in results),
        "other_work": sum(d["other_work"] for d in results) / len(results),
        "engines": first_of(results, "engines", ["id"]), "scenes": first_of(results, "scenes", ["name"]),
        "timings": timings, "borderline": borderline,
        "quality": first_of(results, "quality", ["scene", "engine"]),
        "flicker": first_of(results, "flicker", ["scene", "engine"]),
        "stages": [{"scene": k[0], "isa": k[1], "processes": v} for k, v in stages.items()],
        "streams": [{"scene": k[0], "output": k[1], "threads": k[2], "processes": v} for k, v in streams.items()],
        "refusals": first_of(results, "refusals", ["scene", "engine"]),
        "errors": sorted({e for d in results for e in d["errors"]}),
    }


def csv_path(path):
    return stored.with_suffix(path, ".csv.xz")


def write(series, path):
    """Writes the JSON and NAME.csv.xz. The rows of timings are in the CSV alone, sample by sample."""
    stored.write(csv_path(path), samples.to_csv(series["timings"]))
    parts = []
    for name, value in series.items():
        if name == "timings":
            continue
        if isinstance(value, list) and value:
            text = "[\n  " + ",\n  ".join(json.dumps(v) for v in value) + "\n ]"
        else:
            text = json.dumps(value)
        parts.append(f" {json.dumps(name)}: {text}")
    stored.write(path, "{\n" + ",\n".join(parts) + "\n}\n")


def complete(data, path):
    """Reads the samples of a series from the CSV beside it, and makes the rows from them."""
    place = csv_path(path)
    if not place.exists():
        raise BadSeries(f"{path}: the samples are not there: {place}")
    try:
        data["timings"] = samples.from_csv(stored.read(place))
    except (OSError, ValueError, KeyError) as error:
        raise BadSeries(f"{place}: {error}") from error
    for row in data["timings"]:
        samples.summarise(row)
    return data
