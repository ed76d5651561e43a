# SPDX-License-Identifier: MIT
#
# The plots of docs/performance.md, from results.
"""Each function makes one SVG of the first result, or nothing when it lacks what the plot shows."""
from . import counters, results, svg

# The plots show the best setting of each engine; the tables show all.
SHOWN = ["lanefold", "physx", "physx-box", "box3d", "jolt", "mujoco-margin", "mujoco", "mujoco-box", "parry", "coal",
         "bullet", "bullet-box", "libccd-mpr", "fcl-libccd"]
WARM_PEERS = ["physx-warm", "box3d-warm"]
WARM = ["lanefold", "lanefold-warm", "lanefold-unmoved", "physx", "box3d", *WARM_PEERS]
# The plots of docs/performance.md, one for each question.
QUESTIONS = {"speed": "How fast? Time for a candidate pair, cold, one thread",
             "quality": "How right? Overlapping pairs whose reported normal has the smallest overlap",
             "scaling": "How does it scale? Speed-up with threads",
             "warm": "What does it cost warm? Engines that keep something from the frame before",
             "machines": "On other machines? lanefold, cold, one thread"}
# The plots of docs/performance/lanefold.md.
DETAILS = ["vertices", "share-boxes", "share-debris", "share-rocks42", "stages"]


def note_of(data):
    m = data["machine"]
    return f"{m['cpu']}, one thread, median, commit {m['commit']}, {m['date'][:10]}"


def shown_scenes(data):
    """The piles if there are any, because one plot cannot show all scenes; otherwise all scenes."""
    return results.piles(data) or [s["name"] for s in data["scenes"] if not s["name"].startswith("vertices-")]


def interval_of(row):
    return (row["low"], row["high"]) if row["low"] is not None else None


def time_bars(data, title, scenes, engines, subset="all"):
    """Bars of the engines' times, scene by scene, with their intervals."""
    titles = results.engine_titles([data])
    groups, intervals = [], {}
    for scene in scenes:
        group = {}
        for e in engines:
            row = results.row_of(data, scene, e, subset)
            if row:
                group[titles[e]] = row["median"]
                if interval_of(row):
                    intervals[scene, titles[e]] = interval_of(row)
        if group:
            groups.append((scene, group))
    if not groups:
        return None
    names = [titles[e] for e in engines if any(titles.get(e) in g for _, g in groups)]
    return svg.bars(title, note_of(data), "ns per pair", groups, names, log_y=True, intervals=intervals)


def speed(data):
    return time_bars(data, "Time per candidate pair", shown_scenes(data), SHOWN)


def quality(data):
    titles = results.engine_titles([data])
    groups = []
    for scene in shown_scenes(data):
        found = {q["engine"]: q for q in data["quality"] if q["scene"] == scene and q["overlapping"] > 0}
        group = {titles[e]: 100 * found[e]["normal_good"] for e in ["lanefold-strict", *SHOWN] if e in found}
        if group:
            groups.append((scene, group))
    if not groups:
        return None
    names = [titles[e] for e in ["lanefold-strict", *SHOWN] if any(titles.get(e) in g for _, g in groups)]
    return svg.bars("Right normals: the overlap along them is the smallest, within 1% or 1 mm", note_of(data),
                    "share of the overlapping pairs, %", groups, names, y_most=100)


def warm(data):
    scenes = shown_scenes(data)
    return time_bars(data, "Time per candidate pair of bodies that did not move", scenes, WARM)


def moving(data):
    """Everyday scenes frame after frame; the engines keep what they keep."""
    engines = list(dict.fromkeys(WARM + SHOWN))
    return time_bars(data, "Time per candidate pair, frames in motion", results.everyday(data), engines, "frames")


def scaling(data):
    out = []
    most = 1
    for scene in shown_scenes(data):
        for form in ("dense", "compact"):
            base = results.one_thread(data, scene, form)
            points = [(r["threads"], results.ratio(base, r)[0])
                      for r in results.timings(data, scene=scene, subset="threads", order="scene")
                      if base and r["threads"] > 1 and ("compact" in r["engine"]) == (form == "compact")]
            if points:
                most = max(most, max(t for t, _ in points))
                out.append((f"{scene}, {form}", [(1, 1.0)] + sorted(points)))
    if not out:
        return None
    ideal = [("ideal", [(t, t) for t in range(1, most + 1)])]
    return svg.lines("Speed-up with threads", note_of(data).replace("one thread, ", ""), "threads",
                     "times faster than one", out, extra=ideal)


def machines(files):
    if len(files) < 2:
        return None
    names = {}
    for data in files:
        names[id(data)] = f"{data['machine']['cpu'].split(' (')[0].split('(')[0][:18]}, {data['machine']['date'][:10]}"
    groups, intervals = [], {}
    for scene in shown_scenes(files[0]):
        group = {}
        for data in files:
            row = results.row_of(data, scene, "lanefold")
            if row:
                group[names[id(data)]] = row["median"]
                if interval_of(row):
                    intervals[scene, names[id(data)]] = interval_of(row)
        groups.append((scene, group))
    return svg.bars("lanefold on several machines", "one thread, median", "ns per pair", groups,
                    list(dict.fromkeys(names.values())), log_y=True, intervals=intervals)


def series_of(data, engines, rows, x_of):
    titles = results.engine_titles([data])
    series = {}
    for row in rows:
        if row["engine"] in engines:
            series.setdefault(row["engine"], []).append((x_of(row), row["median"]))
    return [(titles[e], series[e]) for e in engines if e in series]


def against_vertices(data):
    rows = [r for r in results.timings(data, subset="all", order="scene", threads=1)
            if r["scene"].startswith("vertices-")]
    chosen = series_of(data, SHOWN + WARM_PEERS, rows, lambda r: int(r["scene"][9:]))
    if not chosen:
        return None
    return svg.lines("Time per candidate pair against the number of vertices", note_of(data),
                     "vertices per hull (triangulated, both hulls alike)", "ns per pair", chosen, log_x=True,
                     log_y=True)


def against_share(data, scene):
    rows = [r for r in results.timings(data, scene=scene, order="scene", threads=1)
            if r["subset"].startswith("share-")]
    chosen = series_of(data, SHOWN + WARM_PEERS, rows, lambda r: 100 * float(r["subset"][6:]))
    if not chosen:
        return None
    return svg.lines(f"Time per candidate pair against the share in contact: {scene}", note_of(data),
                     "candidate pairs in contact, %", "ns per pair", chosen, log_y=True)


def stage_shares(data):
    """From the kernels with a clock at every stage, the widest instruction set."""
    rows = data.get("stages", [])
    if not rows:
        return None
    widest = max(r["width"] for r in rows)
    shown = shown_scenes(data) + [f"vertices-{v}" for v in (8, 16, 32, 64, 128, 250)]
    rows = [r for r in rows if r["width"] == widest]
    groups = [(f"{r['scene']}, {r['ns_without']:.0f} ns",
               {t["stage"]: 100 * t["ns"] / r["ns_with_clock"] for t in r["stages"]})
              for r in rows if r["scene"] in shown]
    if not groups:
        return None
    return svg.bars(f"Where lanefold's time goes, {rows[0]['isa']}", note_of(data),
                    "share of the time per candidate pair, %", groups, results.stage_order(rows), stacked=True,
                    y_most=100)


def all_plots(files):
    first = files[0]
    plots = {"speed": speed(first), "quality": quality(first), "scaling": scaling(first), "warm": warm(first),
             "moving": moving(first),
             "machines": machines(files), "vertices": against_vertices(first), "stages": stage_shares(first)}
    for scene in ("boxes", "debris", "rocks42"):
        plots[f"share-{scene}"] = against_share(first, scene)
    plots.update(counters.plots(counters.pictured(files) or first))
    return {name: text for name, text in plots.items() if text is not None}
