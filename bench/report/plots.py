# SPDX-License-Identifier: MIT
#
# The plots of docs/performance.md, from result files.
"""Each function makes one SVG, or nothing when the results lack what it shows."""
from . import results, svg

# The plots show the best setting of each engine; the tables show all.
SHOWN = ["lanefold", "box3d", "box3d-warm", "jolt", "jolt-rounded", "mujoco", "mujoco-margin", "bullet", "libccd-mpr",
         "fcl-libccd"]


def note_of(files):
    m = files[0]["machine"]
    return f"{m['cpu']}, one thread, median, commit {m['commit']}, {m['date'][:10]}"


def shown_scenes(files):
    """The piles if there are any, because one plot cannot show all scenes; otherwise all scenes."""
    names = [(s["name"], s["description"]) for data in files for s in data["scenes"]]
    return [n for n, d in names if d == "scene folder"] or [n for n, _ in names if not n.startswith("vertices-")]


def pick(files, **wanted):
    return [r for data in files for r in results.timings(data, **wanted)]


def against_vertices(files):
    titles = results.engine_titles(files)
    series = {}
    for row in pick(files, subset="all", order="scene", threads=1):
        if row["scene"].startswith("vertices-") and row["engine"] in SHOWN:
            series.setdefault(row["engine"], []).append((int(row["scene"][9:]), row["median"]))
    chosen = [(titles[e], series[e]) for e in SHOWN if e in series]
    if not chosen:
        return None
    return svg.lines("Time per candidate pair against the number of vertices", note_of(files),
                     "vertices per hull (triangulated, both hulls alike)", "ns per pair", chosen, log_x=True,
                     log_y=True)


def piles(files):
    titles = results.engine_titles(files)
    scenes = [s["name"] for data in files for s in data["scenes"] if s["description"] == "scene folder"]
    groups = []
    for scene in dict.fromkeys(scenes):
        group = {}
        for row in pick(files, scene=scene, subset="all", order="scene", threads=1):
            if row["engine"] in SHOWN:
                group[titles[row["engine"]]] = row["median"]
        if group:
            groups.append((scene, group))
    if not groups:
        return None
    names = [titles[e] for e in SHOWN if any(titles.get(e) in g for _, g in groups)]
    return svg.bars("Time per candidate pair on settled piles", note_of(files), "ns per pair", groups, names,
                    log_y=True)


def thread_scaling(files):
    series = {}
    shown = shown_scenes(files)
    for row in pick(files, subset="threads", order="scene"):
        if row["scene"] not in shown:
            continue
        form = "compact" if "compact" in row["engine"] else "dense"
        series.setdefault(f"{row['scene']}, {form}", {})[row["threads"]] = row["median"]
    out = []
    most = 1
    for name, times in series.items():
        if 1 in times and len(times) > 1:
            most = max(most, max(times))
            out.append((name, [(t, times[1] / ns) for t, ns in sorted(times.items())]))
    if not out:
        return None
    ideal = [("ideal", [(t, t) for t in range(1, most + 1)])]
    return svg.lines("Speed-up with threads", note_of(files).replace("one thread, ", ""), "threads",
                     "times faster than one", out, extra=ideal)


def against_share(files, scene):
    titles = results.engine_titles(files)
    series = {}
    for row in pick(files, scene=scene, order="scene", threads=1):
        if row["subset"].startswith("share-") and row["engine"] in SHOWN:
            series.setdefault(row["engine"], []).append((100 * float(row["subset"][6:]), row["median"]))
    chosen = [(titles[e], series[e]) for e in SHOWN if e in series]
    if not chosen:
        return None
    return svg.lines(f"Time per candidate pair against the share in contact: {scene}", note_of(files),
                     "candidate pairs in contact, %", "ns per pair", chosen, log_y=True)


def stage_shares(files):
    """From the kernels with a clock at every stage, the widest instruction set."""
    rows = [r for data in files for r in data.get("stages", [])]
    if not rows:
        return None
    widest = max(r["width"] for r in rows)
    shown = shown_scenes(files) + [f"vertices-{v}" for v in (8, 16, 32, 64, 128, 250)]
    rows = [r for r in rows if r["width"] == widest]
    groups = [(f"{r['scene']}, {r['ns_without']:.0f} ns",
               {t["stage"]: 100 * t["ns"] / r["ns_with_clock"] for t in r["stages"]})
              for r in rows if r["scene"] in shown]
    return svg.bars(f"Where lanefold's time goes, {rows[0]['isa']}", note_of(files),
                    "share of the time per candidate pair, %", groups, results.stage_order(rows), stacked=True,
                    y_most=100)


def all_plots(files):
    plots = {
        "piles": piles(files),
        "vertices": against_vertices(files),
        "threads": thread_scaling(files),
        "stages": stage_shares(files),
    }
    for scene in ("boxes", "debris", "rocks42"):
        plots[f"share-{scene}"] = against_share(files, scene)
    return {name: text for name, text in plots.items() if text is not None}
