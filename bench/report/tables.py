# SPDX-License-Identifier: MIT
#
# The pages of docs/performance/, from result files.
"""Tables in Markdown: machines, scenes, engines, all engines scene by scene."""
from . import checks, counters, more_tables, plan, plots, results
from .markdown import interval, percent, table, time, wrapped

# The first line of every file in docs/performance that is made here.
MADE = "<!-- bench/plots writes this file -->"
# Below this share of the processors other work does not change the times.
QUIET = 0.05


def machine(data):
    m = data["machine"]
    clocks = sorted(s["ghz"] for r in data["timings"] for s in r["samples"] if "ghz" in s)
    cut = len(clocks) // 100  # the odd interrupted look
    clock = f", {clocks[cut]:.2f} to {clocks[-1 - cut]:.2f} GHz while measuring" if clocks else ""
    label = f"{data['label']}: " if data["label"] else ""
    counts = {r["processes"] for r in data["timings"]}
    processes = f"{min(counts)} to {max(counts)}" if len(counts) > 1 else f"{min(counts, default=0)}"
    until = f" to {m['until']}" if m.get("until", m["date"]) != m["date"] else ""
    text = (f"{label}{m['cpu']}, {m['processors']} processors{clock}; {m['system']}; {m['compiler']}, {m['flags']}; "
            f"commit {m['commit']}; {m['date']}{until}; seed {data['seed']}; {processes} processes a row; "
            f"{percent(checks.disturbed_share(data))} of the samples marked as disturbed; copying memory: "
            f"{data['copy_bandwidth'] / 1e9:.1f} GB/s.")
    if data.get("other_work", 0) > QUIET:
        text += (f"\n\n**Not a quiet machine:** other work took {percent(data['other_work'])} of its processors "
                 "meanwhile. One-thread rows read the thread's own clock, but their caches and memory were shared; "
                 "rows of several threads and streamed rows mean nothing here.")
    return text


def scene_table(data):
    rows = []
    for s in data["scenes"]:
        if s["name"].startswith("vertices-"):
            continue
        per = max(s["pairs"], 1)
        c = s["counters"]
        rows.append([s["name"], s["description"], s["hulls"], f"{s['mean_vertices']:.1f}", f"{s['mean_faces']:.1f}",
                     f"{s['hot_bytes'] / max(s['hulls'], 1):,.0f}", s["bodies"], s["pairs"], percent(s["touching"]),
                     percent(s["overlapping"]), percent(c["rejected_centre"] / per), percent(c["rejected_face"] / per),
                     percent(c["rejected_edge"] / per), f"{c['faces_evaluated'] / per:.1f}",
                     f"{c['edges_surviving'] / per:.1f}", f"{c['edge_pairs'] / per:.1f}",
                     percent(c["precise_pairs"] / per), f"`{s['hash']}`"])
    return table(["scene", "what", "hulls", "vertices", "faces", "bytes/hull", "bodies", "pairs", "touching",
                  "overlapping", "rejected by centre axis", "by face", "by edges", "faces evaluated/pair",
                  "edges left/pair", "edge pairs/pair", "float64 path", "hash"], rows)


def engine_table(data):
    return table(["engine", "version", "build", "precision", "margin, m", "settings"],
                 [[e["title"], e["version"], e.get("build", "-"), e["precision"], f"{e['margin']:g}", e["settings"]]
                  for e in data["engines"] if not more_tables.is_variant(e["id"])])


def quality_cells(q):
    if q is None:
        return ["-"] * 7
    return [f"{q['points']:.2f}", q["missed"], q["false_hits"], f"{100 * q['depth_good']:.1f}%",
            f"{1e3 * q['depth_worst']:.2f}", f"{100 * q['normal_good']:.1f}%", f"{1e3 * q['normal_worst']:.2f}"]


def times_table(data, scene):
    titles = results.engine_titles([data])
    quality = {q["engine"]: q for q in data["quality"] if q["scene"] == scene}

    def line(row, title):
        e = row["engine"]
        parts = [results.row_of(data, scene, e, part) if row["order"] == "scene" else None
                 for part in ("touching", "separated")]
        return [title, time(row["median"]), interval(row), time(row["p5"]), time(row["p95"]), time(row["cycles"]),
                f"{row['disturbed']} of {len(row['samples'])}"] + [time(p["median"]) if p else "-" for p in parts] + (
                    quality_cells(quality.get(e) if row["order"] == "scene" else None))

    rows = [line(r, titles[r["engine"]]) for r in results.timings(data, scene=scene, subset="all", order="scene",
                                                                 threads=1) if r["engine"] in quality]
    rows += [line(r, titles[r["engine"]] + ", pairs shuffled")
             for r in results.timings(data, scene=scene, subset="all", order="shuffled", threads=1)]
    refused = {}
    for refusal in data["refusals"]:
        if refusal["scene"] == scene:
            refused.setdefault(refusal["why"], []).append(titles.get(refusal["engine"], refusal["engine"]))
    out = table(["engine", "ns/pair", "95% interval", "5%", "95%", "cycles", "disturbed", "touching", "separated",
                 "points", "missed", "false", "depth good", "worst, mm", "normal good", "worst, mm"], rows)
    for why, names in refused.items():
        out += "\n" + wrapped(f"Not measured ({why}): {', '.join(names)}.") + "\n"
    sample = next(iter(quality.values()), None)
    if sample:
        out += f"\nQuality: {sample['sample']} pairs compared with the oracle.\n"
    return out


def detailed_scenes(data):
    return [s for s in data["scenes"] if any(q["scene"] == s["name"] for q in data["quality"])]


def checks_page(files, complaints):
    """The complaints of a page's checks about the results."""
    lines = [MADE, "# What the checks say\n",
             wrapped("A page needs a commit that exists, clean sources, at least "
                     f"{checks.LEAST_PROCESSES} processes a row, and equal times for equal configurations. bench/plots "
                     "refuses results otherwise, unless a remark on every page says what they are.") + "\n"]
    lines += [f"- `{f['path'].rsplit('/', 1)[-1]}`: commit {f['machine']['commit']}, {len(f['timings'])} rows, "
              f"{sum(len(r['samples']) for r in f['timings'])} samples" for f in files]
    lines += [wrapped(f"  - left out: {text}") for f in files for text in f.get("borderline", [])]
    lines += ["", *([wrapped(f"- {c.rsplit('/', 1)[-1]}") for c in complaints] or ["There is no complaint."])]
    return "\n".join(lines) + "\n"


def detail_pages(files, drawn, remark, complaints):
    """File name in docs/performance -> text, for all tables that the summary links."""
    def whole(title, parts):
        text = [MADE, f"# {title}\n", "Measured; [method.md](method.md) defines the terms.\n"]
        for data, tables in parts:
            text += [f"{wrapped(machine(data))}\n"] + ([f"{wrapped(remark)}\n"] if remark else []) + tables
        return "\n".join(text)

    pictured = counters.pictured(files)
    pages = {"scenes.md": whole("Scenes", [(d, [scene_table(d)]) for d in files]),
             "engines.md": whole("Engines and their settings", [(d, [engine_table(d)]) for d in files]),
             "counters.md": whole("Counters and bounds", [
                 (d, [f"## {title}\n\n{text}" for title, text in counters.sections(d, d is pictured) if text])
                 for d in files]),
             "checks.md": checks_page(files, complaints),
             "lanefold.md": whole("lanefold in detail", [
                 (d, [f"## {title}\n\n{text}" for title, text in more_tables.all_tables(d) if text]) for d in files])}
    shown = "\n".join(f"![{n}](../plots/{n}.svg)\n" for n in plots.DETAILS if n in drawn)
    pages["lanefold.md"] += f"\n## Plots\n\n{shown}"
    for name, what in {s["name"]: s["description"] for d in files for s in detailed_scenes(d)}.items():
        kind = "an everyday scene" if name in plan.EVERYDAY else "a settled pile"
        title = f"{name}: {kind if what == 'scene folder' else what}"
        having = [d for d in files if any(s["name"] == name for s in detailed_scenes(d))]
        pages[f"{name}.md"] = whole(title, [(d, [times_table(d, name)]) for d in having])
    return pages
