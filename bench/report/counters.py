# SPDX-License-Identifier: MIT
#
# docs/performance/counters.md: instructions, misses, bytes and energy of a pair, and the stages below their roofs.
"""Tables and plots of counters: the processor's where a machine lets them be read, callgrind's where not."""
from . import counts, intervals, results, svg
from .markdown import percent, table, time, wrapped

# Scenes whose stages are drawn below their roofs.
ROOFLINES = ["boxes_pile", "debris_pile", "rocks_pile"]

CALLGRIND = """Callgrind counts exactly. It simulates a machine with 32 KiB and 32 MiB of cache and a simple branch
predictor, so the counts are the same on every machine. They are of a second pass over the same pairs. lanefold runs on
AVX2 there, because valgrind has no AVX-512. Bytes beyond a cache are 64 for each miss. "Bytes needed" is the least that
a dense call moves: each pair and record, each body and each hull once. Bytes above it are scratch memory.
"""
ROOFS = """A stage has two bounds: what the processor can compute, two vector operations a cycle, and what it can fetch
into the first cache. The roofs of memory and of the second cache are measured copies. A copied byte is read and
written, so a stage that mostly reads may lie above such a roof. Operations are counted in kernels of width 1, bytes by
callgrind.
"""


def sources(data):
    m = data["machine"]
    return wrapped(f"Counters of the processor: {m.get('counters', 'not asked for')}. Energy: "
                   f"{m.get('energy', 'not asked for')}. Callgrind: {data.get('counts_source', 'not run')}.") + "\n"


def of_processor(data):
    """Medians over the samples of rows of all pairs. A dash stands for a count that could not be read."""
    titles = results.engine_titles([data])
    none = "This machine lets a process read no counters.\n" if "counters" in data["machine"] else ""
    rows = []
    for r in results.timings(data, subset="all", order="scene", threads=1):
        def shown(field, form):
            values = [s[field] for s in r["samples"] if s.get(field) is not None]
            return form(intervals.median(values)) if values else "-"

        cells = [shown("instructions", time), shown("core_cycles", time), shown("branch_misses", "{:.2f}".format),
                 shown("cache_misses", "{:.3f}".format), shown("nanojoules", time)]
        if any(c != "-" for c in cells):
            rows.append([r["scene"], titles[r["engine"]], *cells])
    return table(["scene", "engine", "instructions", "cycles", "branch misses", "cache misses", "energy, nJ"],
                 rows) if rows else none


def needed_bytes(scene):
    """The least that a dense call must move for a pair: pair and record, each body and each hull once."""
    return 136 + (32 * scene["bodies"] + scene["hot_bytes"]) / max(scene["pairs"], 1)


def of_callgrind(data):
    titles = results.engine_titles([data])
    scenes = {s["name"]: s for s in data["scenes"]}
    rows = []
    for row in data.get("counts", []):
        if row["kind"] != "engine":
            continue
        p = counts.per_pair(row)
        rows.append([row["scene"], titles.get(row["name"], row["name"]), f"{p['instructions']:,.0f}",
                     f"{p['branches']:,.0f}", f"{p['branch_misses']:.1f}", f"{p['accesses']:,.0f}",
                     f"{p['bytes_from_l2']:,.0f}", f"{p['bytes_from_memory']:,.0f}",
                     f"{needed_bytes(scenes[row['scene']]):,.0f}" if row["name"] == "lanefold" else "-"])
    return table(["scene", "engine", "instructions", "branches", "missed", "reads and writes", "bytes beyond 32 KiB",
                  "bytes beyond 32 MiB", "bytes needed"], rows) if rows else ""


def widest_profiles(data):
    out = {}
    for r in data.get("stages", []):
        if r["scene"] not in out or r["width"] > out[r["scene"]]["width"]:
            out[r["scene"]] = r
    return out


def peak(data, scene):
    """Operations a nanosecond at two vector operations a cycle, of the widest instruction set. 0 if not known."""
    profile = widest_profiles(data).get(scene)
    row = results.row_of(data, scene, "lanefold")
    return 2 * profile["width"] * row["cycles"] / row["median"] if profile and row and row["cycles"] else 0


def bandwidths(data):
    """(name, bytes a nanosecond) of each measured copy."""
    copies = [("memory", "copy_bandwidth"), ("second cache", "cache_bandwidth")]
    return [(name, data[key] * 1e-9) for name, key in copies if data.get(key)]


def roof_points(data, scene):
    """(stage, nanoseconds, operations, bytes) of each stage that has all three, of a pair."""
    counted = {r["name"]: counts.per_pair(r)["bytes_from_l2"] for r in data.get("counts", [])
               if r["kind"] == "stage" and r["scene"] == scene}
    stages = widest_profiles(data).get(scene, {"stages": []})["stages"] if peak(data, scene) else []
    return [(t["stage"], t["ns"], t["flops"], counted[t["stage"]]) for t in stages
            if counted.get(t["stage"], 0) > 0 and t["ns"] > 0 and t["flops"] > 0]


def roof_table(data):
    rows = [[scene, stage, time(ns), f"{flops:,.0f}", f"{size:,.0f}", f"{flops / size:.2f}", f"{flops / ns:.1f}",
             f"{flops / ns / peak(data, scene):.0%}"]
            for scene in ROOFLINES for stage, ns, flops, size in roof_points(data, scene)]
    return table(["scene", "stage", "ns", "operations", "bytes fetched", "operations/byte", "operations/ns",
                  "of the peak"], rows) if rows else ""


def roofline(data, scene):
    points = [(stage, flops / size, flops / ns) for stage, ns, flops, size in roof_points(data, scene)]
    if not points:
        return None
    most = peak(data, scene)
    corners = [most / band for _, band in bandwidths(data)]
    low, high = min([x for _, x, _ in points] + corners) / 2, max([x for _, x, _ in points] + corners) * 2
    roofs = [(f"peak, {most:.0f} operations/ns", [(low, most), (high, most)])]
    roofs += [(f"{name}, {band:.0f} bytes/ns", [(low, low * band), (most / band, most)])
              for name, band in bandwidths(data)]
    return svg.lines(f"Roofline of lanefold's stages: {scene}", f"{data['machine']['cpu']}, one thread",
                     "operations per byte that the first cache lacks", "operations per nanosecond",
                     [(stage, [(x, y)]) for stage, x, y in points], log_x=True, log_y=True, extra=roofs)


def plots(data):
    found = {f"roofline-{s}": roofline(data, s) for s in ROOFLINES}
    return {name: text for name, text in found.items() if text}


def pictured(files):
    """The first of the files that has roofs to draw, or None. The plots of one machine are enough."""
    return next((data for data in files if plots(data)), None)


def bounds_table(data):
    """The bounds of a call by arithmetic and by memory."""
    rows = []
    for s in data["scenes"]:
        most, row = peak(data, s["name"]), results.row_of(data, s["name"], "lanefold")
        if not most:
            continue
        flops = widest_profiles(data)[s["name"]]["flops"]
        compute, size = flops / most, needed_bytes(s)
        memory = size / data["copy_bandwidth"] * 1e9
        rows.append([s["name"], time(row["median"]), f"{flops:,.0f}", time(compute), f"{size:,.0f}", time(memory),
                     percent(max(compute, memory) / row["median"])])
    return table(["scene", "ns/pair", "operations/pair", "at peak, ns", "bytes/pair", "at copy bandwidth, ns",
                  "larger bound / measured"], rows) if rows else ""


def sections(data, pictures):
    """(title, text) of each part that has something to show; with its plots if `pictures`."""
    drawn = "\n".join(f"![{name}](../plots/{name}.svg)\n" for name in (plots(data) if pictures else ()))
    callgrind, roofs = of_callgrind(data), roof_table(data)
    return [("Where the counts come from", sources(data)), ("By the processor, for a pair", of_processor(data)),
            ("By callgrind, for a pair", f"{CALLGRIND}\n{callgrind}" if callgrind else ""),
            ("Stages below their roofs", f"{ROOFS}\n{roofs}\n{drawn}" if roofs else ""),
            ("Bounds of a call", bounds_table(data))]
