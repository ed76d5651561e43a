# SPDX-License-Identifier: MIT
#
# The tables of docs/performance/lanefold.md: instruction sets, output forms, hull sizes, stages, bounds, threads,
# frames, streams.
"""lanefold in detail, in Markdown."""
from . import results
from .markdown import interval, percent, table, time, times_faster
from .results import stage_order

ISAS = ["scalar", "sse2", "sse4.2", "avx2", "avx512", "neon"]
FORMS = ["compact", "distance", "overlap"]


def is_variant(engine):
    """A row of lanefold with another instruction set, output form or number of threads."""
    parts = engine.split("-")
    return parts[0] == "lanefold" and any(p in ISAS + FORMS or p[0] == "t" and p[1:].isdigit() for p in parts[1:])


def one(data, scene, engine):
    return results.median_of(data, scene=scene, engine=engine, subset="all", order="scene", threads=1)


def chosen_isa(data):
    """The instruction set that lanefold chooses on the machine: its row has no name of its own."""
    settings = next((e["settings"] for e in data["engines"] if e["id"] == "lanefold"), "")
    return settings.removeprefix("isa ").split(",")[0]


def variants_table(data):
    usual = chosen_isa(data)
    columns = [(i, "lanefold" if i == usual else f"lanefold-{i}") for i in ISAS]
    columns += [(f, f"lanefold-{f}") for f in FORMS]
    columns = [(title, e) for title, e in columns if any(r["engine"] == e for r in data["timings"])]
    rows = []
    for s in data["scenes"]:
        values = [one(data, s["name"], e) for _, e in columns]
        if sum(v is not None for v in values) > 1:
            rows.append([s["name"]] + [time(v) for v in values])
    return table(["ns/pair"] + [title for title, _ in columns], rows) if rows else ""


def vertices_table(data):
    titles = results.engine_titles([data])
    sizes = sorted(int(s["name"][9:]) for s in data["scenes"] if s["name"].startswith("vertices-"))
    rows = []
    for e in data["engines"]:
        if is_variant(e["id"]):
            continue
        values = [one(data, f"vertices-{v}", e["id"]) for v in sizes]
        if any(v is not None for v in values):
            rows.append([titles[e["id"]]] + [time(v) for v in values])
    return table(["ns/pair at so many vertices"] + [str(v) for v in sizes], rows) if rows else ""


def stage_tables(data):
    """For each instruction set a table of scenes by stages."""
    out = []
    for isa in dict.fromkeys(r["isa"] for r in data.get("stages", [])):
        profiles = [r for r in data["stages"] if r["isa"] == isa]
        names = stage_order(profiles)
        rows = []
        for r in profiles:
            stages = {t["stage"]: t for t in r["stages"]}
            line = [r["scene"], time(r["ns_with_clock"]), time(r["ns_without"])]
            for n in names:
                t = stages.get(n)
                cell = time(t["ns"]) if t else "-"
                if t and t["lanes_in_use"] > 0:
                    cell += f" ({percent(t['lanes_in_use'])})"
                line.append(cell)
            rows.append(line)
        out.append(f"{isa}, ns per candidate pair (share of the lanes in use):\n\n" +
                   table(["scene", "all, with clocks", "without"] + names, rows))
    return "\n".join(out)


def share_table(data):
    titles = results.engine_titles([data])
    rows = []
    shares = sorted({r["subset"] for r in data["timings"] if r["subset"].startswith("share-")})
    for scene in dict.fromkeys(r["scene"] for r in data["timings"] if r["subset"].startswith("share-")):
        for e in dict.fromkeys(r["engine"] for r in results.timings(data, scene=scene, subset=shares[0])):
            values = [results.median_of(data, scene=scene, engine=e, subset=s, order="scene", threads=1)
                      for s in shares]
            rows.append([scene, titles[e]] + [time(v) for v in values])
    return table(["scene", "engine"] + [f"{100 * float(s[6:]):.0f}% touching" for s in shares], rows) if rows else ""


def thread_table(data):
    rows = []
    for r in results.timings(data, subset="threads"):
        form = "compact" if "compact" in r["engine"] else "dense"
        base = results.one_thread(data, r["scene"], form)
        faster = results.ratio(base, r) if base else None
        rows.append([r["scene"], form, r["threads"], time(r["median"]), interval(r),
                     times_faster(faster) if faster else "-",
                     percent(faster[0] / r["threads"]) if faster else "-"])
    return table(["scene", "output", "threads", "ns/pair", "95% interval", "times faster than one", "efficiency"],
                 rows) if rows else ""


def frames_table(data, scenes):
    titles = results.engine_titles([data])
    flicker = {(f["scene"], f["engine"]): f for f in data["flicker"]}
    rows = []
    for r in (r for scene in scenes for r in results.timings(data, scene=scene, subset="frames")):
        f = flicker.get((r["scene"], r["engine"]))
        rows.append([r["scene"], titles[r["engine"]], time(r["median"]), interval(r)] + (
            [f["followed"], f"{100 * f['normal_jumps']:.2f}%", f"{100 * f['count_changes']:.2f}%"] if f else ["-"] * 3))
    return table(["scene", "engine", "ns/pair", "95% interval", "contacts followed", "normal jumps > 5 degrees",
                  "number of points changes"], rows) if rows else ""


def stream_table(data):
    rows = []
    for s in data["streams"]:
        low, high = s["interval"] or (None, None)
        rows.append([s["scene"], s["output"], s["threads"], f"{s['pairs']:,}", time(s["ns"]),
                     interval({"low": low, "high": high}), f"{s['resident_after_first_batch'] / 1e6:.0f}",
                     f"{s['resident_at_end'] / 1e6:.0f}"])
    return table(["scene", "output", "threads", "pairs", "ns/pair", "95% interval", "MB after first batch",
                  "MB at end"], rows) if rows else ""


def all_tables(data):
    return [("Instruction sets and output forms", variants_table(data)),
            ("Against the number of vertices", vertices_table(data)),
            ("Against the share of touching pairs", share_table(data)), ("Stages", stage_tables(data)),
            ("Threads", thread_table(data)),
            ("Frames in motion", frames_table(data, [s["name"] for s in data["scenes"]])),
            ("Streamed", stream_table(data))]
