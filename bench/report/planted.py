# SPDX-License-Identifier: MIT
#
# Results with known times, for the tests of the reports.
"""Makes result files as lanefold_bench writes them, with planted times and disturbances."""
import json
import math
import random

QUIET = {"ghz": 3.0, "width": 4.0, "waited": 0.0, "switches": 0, "stolen": 0.0, "others": 0.0, "ready": 0, "faults": 0}


def engine(name, settings, title=None, margin=0.02, **more):
    return {"id": name, "title": title or name, "version": "1", "settings": settings, "margin": margin,
            "precision": "float32", "max_points": 4, "coherent": False, "rounded": False, **more}


def scene(name, hash_="0" * 16):
    counters = dict.fromkeys(["rejected_centre", "rejected_face", "rejected_edge", "faces_evaluated", "edges_surviving",
                              "edge_pairs", "precise_pairs"], 0)
    return {"name": name, "description": "scene folder", "hulls": 1, "bodies": 2, "frames": 1, "pairs": 10000,
            "mean_vertices": 8.0, "mean_faces": 6.0, "max_vertices": 8, "hot_bytes": 100, "margin": 0.02,
            "touching": 0.5, "overlapping": 0.4, "points": 1, "hash": hash_, "counters": counters}


def timing(scene_name, engine_id, ns, **more):
    around = {k: [v] * len(ns) for k, v in QUIET.items()}
    return {"scene": scene_name, "engine": engine_id, "subset": "all", "order": "scene", "threads": 1,
            "clock": "thread", "pairs": 10000, "ns": ns, **around, **more}


def quality(scene_name, engine_id):
    return {"scene": scene_name, "engine": engine_id, "sample": 100, "touching": 50, "found": 50, "points": 2.0,
            "missed": 0, "worst_missed": 0.0, "false_hits": 0, "worst_false": 0.0, "overlapping": 40, "depth_good": 1.0,
            "depth_worst": 0.0, "normal_good": 1.0, "normal_worst": 0.0, "distance_error_in_sizes": 0.0}


def result(turn, timings, commit, engines=None, scenes=None, **more):
    """One process. Engines and scenes default to those of the timings."""
    names = list(dict.fromkeys(t["scene"] for t in timings))
    ids = list(dict.fromkeys(t["engine"] for t in timings))
    return {"format": "lanefold-bench", "version": 1, "label": "", "seed": 1, "turn": turn, "path": f"turn {turn}",
            "machine": {"cpu": "planted", "system": "none", "processors": 1, "compiler": "none", "commit": commit,
                        "flags": "-O3", "date": f"2026-01-01T00:00:{turn:02d}Z"},
            "copy_bandwidth": 1e10, "other_work": 0.0,
            "engines": engines or [engine(i, "isa avx2, output dense, threads 1") for i in ids],
            "scenes": scenes or [scene(n) for n in names], "timings": timings,
            "quality": [quality(n, i) for n in names for i in ids] if turn == 0 else [],
            "flicker": [], "stages": [], "streams": [], "refusals": [], "errors": [], **more}


def processes(medians, seed, commit, count=10, rounds=3, between=0.006, within=0.004):
    """Results of `count` processes. `medians`: {(scene, engine): ns}. `between` and `within` are the standard
    deviations of the logarithm from process to process (places in memory) and from round to round."""
    numbers = random.Random(seed)
    out = []
    for turn in range(count):
        rows = []
        for (scene_name, engine_id), ns in medians.items():
            place = numbers.gauss(0, between)
            rows.append(timing(scene_name, engine_id, [ns * math.exp(place + numbers.gauss(0, within))
                                                       for _ in range(rounds)]))
        out.append(result(turn, rows, commit))
    return out


# A program that takes the options of lanefold_bench and writes a planted result. With DIE in the environment it stops
# in the middle of the process with that number, before it has written anything.
STUB = """#!{python}
import json, os, sys
sys.path.insert(0, {bench!r})
from report import planted
word = lambda name: sys.argv[sys.argv.index(name) + 1]
path, turn = word("--json"), int(word("--turn"))
name = os.path.basename(path)[3:-5]
log = {log!r}
count = len(open(log).readlines()) if os.path.exists(log) else 0
if os.environ.get("DIE") == str(count):
    sys.exit(9)
open(log, "a").write(f"{{turn}} {{name}}\\n")
(data,) = planted.processes({{(name, "lanefold"): 100.0}}, turn, {commit!r}, count=1)
data["turn"] = turn
if turn: data["quality"] = []
json.dump(planted.record(data), open(path, "w"))
"""


def write(data, path):
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def record(data):
    """A result of one process as Google Benchmark writes it: its facts as text in the context, a benchmark a sample."""
    rows = []
    for t in data["timings"]:
        wall, threads = t["clock"] == "wall", t["threads"]
        name = "/".join([t["scene"], t["subset"], t["order"], t["engine"], *["real_time"] * wall,
                         *[f"threads:{threads}"] * (threads > 1)])
        for i, ns in enumerate(t["ns"]):
            counters = {k: float(v[i]) for k, v in t.items() if isinstance(v, list) and v[i] is not None}
            rows.append({"name": name, "run_name": name, "run_type": "iteration", "repetitions": len(t["ns"]),
                         "repetition_index": i, "threads": threads, "iterations": 7, "real_time": 7 * ns,
                         "cpu_time": 6 * ns, "time_unit": "ns", **counters, "ns": ns, "pairs": float(t["pairs"])})
    facts = {k: json.dumps(v) for k, v in data.items() if k not in ("timings", "path", "version")}
    return {"context": {"date": "2026-01-01T00:00:00+00:00", "host_name": "12", "num_cpus": 2, "version": "2", **facts},
            "benchmarks": rows}
