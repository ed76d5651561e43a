# SPDX-License-Identifier: MIT
#
# The tables of docs/performance.md and docs/performance/, from result files.
"""Tables in Markdown."""
import textwrap

from . import more_tables, results
from .markdown import percent, table, time

BEGIN = "<!-- measured: begin (bench/plots writes this) -->"
END = "<!-- measured: end -->"
# The first line of every file in docs/performance.
MADE = "<!-- bench/plots writes this file -->"
# Below this share of the processors other work does not change the times.
QUIET = 0.05


def machine(data):
    m = data["machine"]
    clocks = sorted(g for r in data["timings"] for g in r["ghz"])
    cut = len(clocks) // 100  # the odd interrupted look
    clock = f", {clocks[cut]:.2f} to {clocks[-1 - cut]:.2f} GHz while measuring" if clocks else ""
    label = f"{data['label']}: " if data["label"] else ""
    text = (f"{label}{m['cpu']}, {m['processors']} processors{clock}; {m['system']}; {m['compiler']}, {m['flags']}; "
            f"commit {m['commit']}; {m['date']}; seed {data['seed']}; copying memory: "
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
    return table(["engine", "version", "precision", "margin, m", "settings"],
                 [[e["title"], e["version"], e["precision"], f"{e['margin']:g}", e["settings"]] for e in data["engines"]
                  if not more_tables.is_variant(e["id"])])


def times_table(data, scene):
    titles = results.engine_titles([data])
    quality = {q["engine"]: q for q in data["quality"] if q["scene"] == scene}
    rows = []
    for row in results.timings(data, scene=scene, subset="all", order="scene", threads=1):
        e = row["engine"]
        q = quality.get(e)
        if q is None:
            continue
        line = [titles[e], time(row["median"]), time(row["min"]), f"{100 * row['spread']:.1f}%", time(row["cycles"]),
                time(results.median_of(data, scene=scene, engine=e, subset="touching", order="scene", threads=1)),
                time(results.median_of(data, scene=scene, engine=e, subset="separated", order="scene", threads=1)),
                f"{q['points']:.2f}", q["missed"], q["false_hits"], f"{100 * q['depth_good']:.1f}%",
                f"{1e3 * q['depth_worst']:.2f}", f"{100 * q['normal_good']:.1f}%", f"{1e3 * q['normal_worst']:.2f}"]
        rows.append(line)
    for row in results.timings(data, scene=scene, subset="all", order="shuffled", threads=1):
        rows.append([titles[row["engine"]] + ", pairs shuffled", time(row["median"]), time(row["min"]),
                     f"{100 * row['spread']:.1f}%", time(row["cycles"])] + ["-"] * 9)
    refused = {}
    for refusal in data["refusals"]:
        if refusal["scene"] == scene:
            refused.setdefault(refusal["why"], []).append(titles.get(refusal["engine"], refusal["engine"]))
    out = table(["engine", "ns/pair", "min", "+-", "cycles", "touching", "separated", "points", "missed", "false",
                 "depth good", "worst, mm", "normal good", "worst, mm"], rows)
    for why, names in refused.items():
        out += "\n" + wrapped(f"Not measured ({why}): {', '.join(names)}.") + "\n"
    sample = next(iter(quality.values()), None)
    if sample:
        out += f"\nQuality: {sample['sample']} pairs compared with the oracle.\n"
    return out


def summary_scenes(data):
    return [s["name"] for s in data["scenes"] if s["description"] == "scene folder"] or [
        s["name"] for s in data["scenes"] if not s["name"].startswith("vertices-")]


def summary_table(data):
    """Engines by scenes: the summary."""
    titles = results.engine_titles([data])
    scenes = summary_scenes(data)
    rows = []
    for engine in data["engines"]:
        if more_tables.is_variant(engine["id"]):
            continue
        values = [results.median_of(data, scene=s, engine=engine["id"], subset="all", order="scene", threads=1)
                  for s in scenes]
        if any(v is not None for v in values):
            rows.append([titles[engine["id"]]] + [time(v) for v in values])
    for text, kind in (("**best peer / lanefold**: manifolds up to the margin", "full"),
                       ("best peer / lanefold: any result (overlaps only, one point)", "any"),
                       ("best peer with a warm cache / lanefold cold, bodies that did not move", "warm"),
                       ("best peer with a warm cache / lanefold with a warm cache", "both_warm")):
        line = []
        for scene in scenes:
            found = results.best_peer(data, scene, kind)
            line.append(f"{found[1]:.2f} ({titles[found[0]]})" if found else "-")
        rows.append([text] + line)
    return table(["ns per candidate pair"] + scenes, rows)


def detailed_scenes(data):
    return [s for s in data["scenes"] if any(q["scene"] == s["name"] for q in data["quality"])]


def page(files, plots, plot_folder, remark):
    """The measured part of docs/performance.md: summary, plots, and links to the other tables."""
    out = []
    for data in files:
        out += [f"{wrapped(machine(data))}\n"] + ([f"{remark}\n"] if remark else []) + [summary_table(data)]
    out += [f"![{name}]({plot_folder}/{name}.svg)\n" for name in plots]
    scenes = list(dict.fromkeys(s["name"] for data in files for s in detailed_scenes(data)))
    out += ["### All tables\n",
            "- [Scenes](performance/scenes.md) and [engines](performance/engines.md) with their settings",
            "- [lanefold in detail](performance/lanefold.md): instruction sets and output forms, number of vertices,",
            "  share of touching pairs, stages, bounds, threads, frames in motion, streams",
            "- All engines, time and quality, scene by scene:",
            ",\n".join(f"  [{name}](performance/{name}.md)" for name in scenes) + "\n"]
    return "\n".join(out)


def wrapped(text):
    return "\n\n".join(textwrap.fill(part, 120, break_long_words=False, break_on_hyphens=False)
                       for part in text.split("\n\n"))


def detail_pages(files, remark):
    """File name in docs/performance -> text, for all tables that the summary links."""
    def whole(title, parts):
        text = [MADE, f"# {title}\n", "Measured; [performance.md](../performance.md) defines the terms.\n"]
        for data, tables in parts:
            text += [f"{wrapped(machine(data))}\n"] + ([f"{remark}\n"] if remark else []) + tables
        return "\n".join(text)

    pages = {"scenes.md": whole("Scenes", [(d, [scene_table(d)]) for d in files]),
             "engines.md": whole("Engines and their settings", [(d, [engine_table(d)]) for d in files]),
             "lanefold.md": whole("lanefold in detail", [
                 (d, [f"## {title}\n\n{text}" for title, text in more_tables.all_tables(d) if text]) for d in files])}
    for name, what in {s["name"]: s["description"] for d in files for s in detailed_scenes(d)}.items():
        title = f"{name}: a settled pile" if what == "scene folder" else f"{name}: {what}"
        having = [d for d in files if any(s["name"] == name for s in detailed_scenes(d))]
        pages[f"{name}.md"] = whole(title, [(d, [times_table(d, name)]) for d in having])
    return pages


def replace_block(text, block):
    if BEGIN not in text or END not in text:
        raise ValueError("the page lacks the marks between which the tables go")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    return f"{before}{BEGIN}\n{block}\n{END}{after}"
