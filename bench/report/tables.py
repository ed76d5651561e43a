# SPDX-License-Identifier: MIT
#
# The tables of docs/performance.md, from result files.
"""Tables in Markdown."""
from . import results

BEGIN = "<!-- measured: begin (bench/plots writes this) -->"
END = "<!-- measured: end -->"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"]
    lines += ["| " + " | ".join(str(c) for c in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def time(value):
    if value is None:
        return "-"
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def machine(data):
    m = data["machine"]
    clocks = [g for r in data["timings"] for g in r["ghz"]]
    clock = f", {min(clocks):.2f} to {max(clocks):.2f} GHz while measuring" if clocks else ""
    label = f"{data['label']}: " if data["label"] else ""
    return (f"{label}{m['cpu']}, {m['processors']} processors{clock}; {m['system']}; {m['compiler']}, {m['flags']}; "
            f"commit {m['commit']}; {m['date']}; seed {data['seed']}.")


def scene_table(data):
    rows = []
    for s in data["scenes"]:
        per = max(s["pairs"], 1)
        rows.append([s["name"], s["description"], s["hulls"], f"{s['mean_vertices']:.1f}", f"{s['mean_faces']:.1f}",
                     f"{s['hot_bytes'] / max(s['hulls'], 1):,.0f}", s["bodies"], s["pairs"], f"{100 * s['touching']:.0f}%",
                     f"{100 * s['overlapping']:.0f}%", f"{s['counters']['faces_evaluated'] / per:.1f}",
                     f"{s['counters']['edge_pairs'] / per:.1f}", f"`{s['hash']}`"])
    return table(["scene", "what", "hulls", "vertices", "faces", "bytes/hull", "bodies", "pairs", "touching", "overlapping",
                  "faces evaluated/pair", "edge pairs/pair", "hash"], rows)


def engine_table(data):
    return table(["engine", "version", "precision", "margin, m", "settings"],
                 [[e["title"], e["version"], e["precision"], f"{e['margin']:g}", e["settings"]] for e in data["engines"]])


def times_table(data, scene):
    titles = results.engine_titles([data])
    quality = {q["engine"]: q for q in data["quality"] if q["scene"] == scene}
    rows = []
    for row in results.timings(data, scene=scene, subset="all", order="scene", threads=1):
        e = row["engine"]
        q = quality.get(e)
        line = [titles[e], time(row["median"]), time(row["min"]), f"{100 * row['spread']:.1f}%",
                time(results.median_of(data, scene=scene, engine=e, subset="touching", order="scene", threads=1)),
                time(results.median_of(data, scene=scene, engine=e, subset="separated", order="scene", threads=1))]
        if q:
            line += [f"{q['points']:.2f}", q["missed"], q["false_hits"], f"{100 * q['depth_good']:.1f}%",
                     f"{1e3 * q['depth_worst']:.2f}", f"{100 * q['normal_good']:.1f}%", f"{1e3 * q['normal_worst']:.2f}"]
        else:
            line += ["-"] * 7
        rows.append(line)
    for refusal in data["refusals"]:
        if refusal["scene"] == scene:
            rows.append([titles.get(refusal["engine"], refusal["engine"]), refusal["why"]] + [""] * 11)
    return table(["engine", "ns/pair", "min", "+-", "touching", "separated", "points", "missed", "false", "depth good",
                  "worst, mm", "normal good", "worst, mm"], rows)


def summary_table(data):
    """Engines by scenes: the table to quote."""
    titles = results.engine_titles([data])
    scenes = [s["name"] for s in data["scenes"] if s["description"] == "scene folder"] or [
        s["name"] for s in data["scenes"] if not s["name"].startswith("vertices-")]
    rows = []
    for engine in data["engines"]:
        values = [results.median_of(data, scene=s, engine=engine["id"], subset="all", order="scene", threads=1)
                  for s in scenes]
        if any(v is not None for v in values):
            rows.append([titles[engine["id"]]] + [time(v) for v in values])
    return table(["ns per candidate pair"] + scenes, rows)


def thread_table(data):
    rows = []
    for r in results.timings(data, subset="threads"):
        rows.append([r["scene"], "compact" if "compact" in r["engine"] else "dense", r["threads"], time(r["median"]),
                     f"{100 * r['spread']:.1f}%"])
    return table(["scene", "output", "threads", "ns/pair", "+-"], rows) if rows else ""


def other_tables(data):
    titles = results.engine_titles([data])
    out = []
    frames = results.timings(data, subset="frames")
    if frames:
        flicker = {(f["scene"], f["engine"]): f for f in data["flicker"]}
        rows = []
        for r in frames:
            f = flicker.get((r["scene"], r["engine"]))
            rows.append([r["scene"], titles[r["engine"]], time(r["median"])] + (
                [f["followed"], f"{100 * f['normal_jumps']:.2f}%", f"{100 * f['count_changes']:.2f}%"] if f else ["-"] * 3))
        out += ["### Frames in motion\n", table(["scene", "engine", "ns/pair", "contacts followed", "normal jumps > 5 degrees",
                                                 "number of points changes"], rows)]
    if data["streams"]:
        rows = [[s["scene"], s["output"], s["threads"], f"{s['pairs']:,}", time(s["ns"]),
                 f"{s['resident_after_first_batch'] / 1e6:.0f}", f"{s['resident_at_end'] / 1e6:.0f}"] for s in data["streams"]]
        out += ["### Streamed\n", table(["scene", "output", "threads", "pairs", "ns/pair", "MB after first batch", "MB at end"],
                                        rows)]
    return "\n".join(out)


def page(files, plots, plot_folder):
    out = []
    for data in files:
        out += [f"{machine(data)}\n", summary_table(data)]
        out += [f"![{name}]({plot_folder}/{name}.svg)\n" for name in plots] if data is files[0] else []
        out += ["### Scenes\n", scene_table(data), "### Engines and their settings\n", engine_table(data)]
        for s in data["scenes"]:
            text = times_table(data, s["name"])
            out += [f"### {s['name']}\n", text]
        threads = thread_table(data)
        if threads:
            out += ["### Threads\n", threads]
        out.append(other_tables(data))
    return "\n".join(out)


def replace_block(text, block):
    if BEGIN not in text or END not in text:
        raise ValueError("the page lacks the marks between which the tables go")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    return f"{before}{BEGIN}\n{block}\n{END}{after}"
