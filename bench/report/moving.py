# SPDX-License-Identifier: MIT
#
# `./dev bench --moving`: engines with their caches on steps of a simulation, and hysteresis on scenes that tremble. The
# newest results in bench/results/moving make the site's page of them, docs/performance/moving.md, and a short table of
# docs/performance.md.
"""Reads results of lanefold_bench --moving and --steady. Standard library only."""
from .markdown import table, time, wrapped
from . import results, tables

STAGES = ["falling", "impact", "settling", "settled"]
CLASSES = ["boxes", "debris", "rocks"]
OURS = {"lanefold-compact": "lanefold, cold", "lanefold-stream": "stream",
        "lanefold-stream-hysteresis": "stream, hysteresis", "lanefold-stream-reuse0.01": "stream, reuse 0.01"}
STREAM, REUSE = "lanefold-stream", "lanefold-stream-reuse0.01"
BRIEF = ["lanefold-compact", STREAM, REUSE]

STEPS = """Steps of piles that Bullet moves, 60 a second: 16 steps while bodies fall, when they hit, while they settle,
and at rest; all engines get the same pairs, in turns in one process, least of the rounds. A stream gives the bits of a
cold call, with reuse records within a bound ([contract.md](../contract.md)). In the columns of other engines stands the
fastest setting of each that takes the class, with its own cache where it has one (*)."""
WRONG = """Of these contacts: missing and extra ones, as shares of those that there are, and overlapping pairs whose
normal, or depth, is off by more than 1 mm and 1%; by distances of lanefold's strict call, of which a sample is compared
with the oracle, and by the oracle's overlaps. A preferred face counts as wrong as for any engine."""
TREMBLE = """Flush stacks that tremble: a call with hysteresis, divided by one without, least of the rounds; and the
same of a `ContactStream`."""


def least(data, scene, engine):
    rows = results.timings(data, scene=scene, engine=engine)
    return min(rows[0]["ns"]) if rows and rows[0].get("ns") else None


def family(data, engine):
    title = next(e["title"] for e in data["engines"] if e["id"] == engine)
    return title.split(",")[0].split(" ")[0]


def coherent(data, engine):
    return next(e.get("coherent", False) for e in data["engines"] if e["id"] == engine)


def scenes_of(data):
    """The scenes of moving stages, by class and stage."""
    found = {s["name"] for s in data["scenes"]}
    return [name for c in CLASSES for s in STAGES for name in (f"{c}-{s}",) if name in found]


def kept(root):
    """The results that the repository keeps, the newest first."""
    return [results.load(path) for path in sorted((root / "bench" / "results" / "moving").glob("*.json.xz"),
                                                  reverse=True)]


def peers_of(data):
    """The other engines' families, each with its ids: engines that do the same work, and those with a cache."""
    out = {}
    margin = max((s["margin"] for s in data["scenes"]), default=0)
    for e in data["engines"]:
        if not e["id"].startswith("lanefold") and (results.is_full(e, margin) or coherent(data, e["id"])):
            out.setdefault(family(data, e["id"]), []).append(e["id"])
    return out


def fastest(data, scene, ids):
    found = [(least(data, scene, i), i) for i in ids]
    found = [f for f in found if f[0] is not None]
    return min(found) if found else None


def steps_table(data):
    peers = peers_of(data)
    rows = []
    for scene in scenes_of(data):
        row = [scene.replace("-", ", "), *(time(least(data, scene, e)) for e in OURS)]
        best = []
        for ids in peers.values():
            found = fastest(data, scene, ids)
            best += [found] if found else []
            row.append(f"{time(found[0])}{'*' if coherent(data, found[1]) else ''}" if found else "-")
        warm = [f for f in best if coherent(data, f[1])]
        ours = least(data, scene, REUSE)
        row.append(f"{min(warm)[0] / ours:.2f}" if warm and ours else "-")
        rows.append(row)
    head = ["ns a pair and step", *OURS.values(), *peers, "best warm peer / reuse 0.01"]
    if all(row[-1] == "-" for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    return table(head, rows)


def wrong_table(data):
    """Sums over all stages."""
    rows = []
    shown = [*OURS, *(i for ids in peers_of(data).values() for i in ids)]
    for e in (e for e in data["engines"] if e["id"] in shown):
        of = [w for w in data.get("wrongs", []) if w["engine"] == e["id"] and w["scene"] in scenes_of(data)]
        if not of:
            continue
        total = {k: sum(w[k] for w in of) for k in of[0] if k not in ("scene", "engine")}

        def share(part, whole, total=total):
            return f"{100 * total[part] / total[whole]:.2f}%" if total[whole] else "-"

        rows.append([e["title"], share("missing", "touching"), share("extra", "touching"),
                     share("wrong_normal", "overlapping"), share("wrong_depth", "overlapping"),
                     ", ".join(sorted({w["scene"].split("-")[0] for w in of}))])
    return table(["engine", "missing", "extra", "wrong normals", "wrong depths", "classes"], rows)


def tremble_table(data):
    names = list(dict.fromkeys(r["scene"] for r in data["timings"] if r["subset"] == "trembling"))
    stacks = list(dict.fromkeys(n.split("@")[0] for n in names if n.startswith("stack-")))
    angles = list(dict.fromkeys(n.split("@")[1] for n in names))

    def cell(stack, angle):
        scene = f"{stack}@{angle}"
        both = [(least(data, scene, f"{way}-hysteresis"), least(data, scene, way))
                for way in ("lanefold-compact", "lanefold-stream")]
        return ", ".join(f"{a / b:.2f}" if a and b else "-" for a, b in both)

    return table(["tremble, radians", *angles],
                 [[s.removeprefix("stack-"), *(cell(s, a) for a in angles)] for s in stacks])


def page(files):
    """The site's page of bodies that move and of stacks that tremble."""
    out = [tables.MADE, "# Bodies that move\n", "Measured; [method.md](method.md) defines the terms.\n"]
    for data in (d for d in files if scenes_of(d)):
        out += ["## Steps of a simulation\n", f"{tables.machine(data)}\n", STEPS + "\n", steps_table(data),
                WRONG + "\n", wrong_table(data)]
    for data in (d for d in files if any(r["subset"] == "trembling" for r in d["timings"])):
        out += ["## Stacks that tremble\n", f"{tables.machine(data)}\n", TREMBLE + "\n", tremble_table(data)]
    return "\n".join(wrapped(o) + "\n" if not o.startswith(("|", "#", "<")) else o for o in out)


def brief(files):
    """The short table of docs/performance.md: bodies at rest, where what is kept counts most. Empty without results."""
    data = next((d for d in files if scenes_of(d)), None)
    if not data:
        return ""
    peers = peers_of(data)
    rows = []
    for scene in (s for s in scenes_of(data) if s.endswith("-settled")):
        found = [fastest(data, scene, ids) for ids in peers.values()]
        rows.append([scene.removesuffix("-settled"), *(time(least(data, scene, e)) for e in BRIEF),
                     *(time(f[0]) if f else "-" for f in found)])
    m = data["machine"]
    said = (f"With what the step before left, bodies at rest ({m['cpu']}, commit {m['commit']}, {m['date'][:10]}"
            f"{', beside other work' if data.get('other_work', 0) > tables.QUIET else ''}):")
    return wrapped(said) + "\n\n" + table(["ns a pair and step", *(OURS[e] for e in BRIEF), *peers], rows)
