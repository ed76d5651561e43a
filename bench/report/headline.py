# SPDX-License-Identifier: MIT
#
# The measured part of docs/performance.md, one table and a plot, and docs/performance/summary.md with all engines, a
# plot for each question and the machines side by side.
"""One screen of figures, and the page of all engines on the piles."""
from . import agreement, checks, moving, plots, results, tables
from .markdown import percent, table, time, times_faster, with_interval, wrapped

BEGIN = "<!-- measured: begin (bench/plots writes this) -->"
END = "<!-- measured: end -->"
# The plots that the repository keeps; the site has all.
KEPT = ["speed"]
FULL = "up to 4 points, to the margin"
BEST = {"**best peer / lanefold, the same work**": "full", "best peer / lanefold, any result": "any",
        "best warm peer / lanefold cold, nothing moved": "warm"}
# A cache is for bodies that move, which have tables of their own in the main page.
BRIEF = {text: kind for text, kind in BEST.items() if kind != "warm"}


def family(engine):
    """MuJoCo's settings are one engine, and so are those of the others: the title up to its first setting."""
    return engine["title"].split(",")[0].split(" ")[0]


def fastest_of(data, scene, engines):
    rows = [r for r in (results.row_of(data, scene, e["id"]) for e in engines) if r]
    return min(rows, key=lambda r: r["median"]) if rows else None


def kinds(data):
    """(title, engines) of each row of the table: every other engine's fair settings, its manifolds apart from less."""
    margin = max(s["margin"] for s in data["scenes"])
    groups = {}
    for e in data["engines"]:
        coherent, rounded = results.traits(e)
        if e["id"].startswith("lanefold") or coherent or rounded:
            continue
        what = FULL if results.is_full(e, margin) else "overlap or one point only"
        groups.setdefault((family(e), what, e["precision"]), []).append(e)
    return groups


def headline_table(data, scenes):
    wrong = {(q["scene"], q["engine"]): q for q in data["quality"]}

    def right(scene, row):
        """The share of wrong normals, beside the time."""
        q = wrong.get((scene, row["engine"])) if row else None
        return f" ({percent(q['normal_good'])})" if q else ""

    def line(title, result, precision, engines):
        found = [fastest_of(data, s, engines) for s in scenes]
        return [title, result, precision] + [with_interval(r) + right(s, r) for s, r in zip(scenes, found)]

    ours = [e for e in data["engines"] if e["id"] == "lanefold"]
    rows = [line("**lanefold**", FULL, "float32", ours)]
    rows += [line(name, what, precision, engines) for (name, what, precision), engines in
             sorted(kinds(data).items(), key=lambda item: item[0][1] != FULL)]
    rows = [r for r in rows if any(cell != "-" for cell in r[3:])]
    titles = results.engine_titles([data])
    for text, kind in BEST.items():
        found = [results.best_peer(data, s, kind) for s in scenes]
        if any(found):
            rows.append([text, "", ""] + [f"{times_faster(f[1])} ({titles[f[0]]})" if f else "-" for f in found])
    return table(["ns per candidate pair, one thread", "result", "precision"] + scenes, rows)


def machine_table(files):
    """The machines side by side: lanefold's time and the best peer's, on the scenes of the first."""
    if len(files) < 2:
        return ""
    scenes = results.summary_scenes(files[0])
    rows = []
    for data in files:
        line = [data["machine"]["cpu"], data["machine"]["commit"], data["machine"]["date"][:10]]
        for s in scenes:
            row = results.row_of(data, s, "lanefold")
            known = row and any(x["name"] == s for x in data["scenes"])
            best = results.best_peer(data, s, "full") if known else None
            line.append(f"{time(row['median'])}, {times_faster(best[1])}x" if best else time(row["median"]) if row
                        else "-")
        rows.append(line)
    return ("## Machines side by side\n\nlanefold, ns per candidate pair, and the best peer of the same work / "
            "lanefold:\n\n" + table(["machine", "commit", "date"] + scenes, rows))


def brief_table(data, scenes):
    """One row an engine that does the same work, and lanefold twice: with its default, and with the strict normal."""
    wrong = {(q["scene"], q["engine"]): q for q in data["quality"]}

    def line(title, engines):
        cells = []
        for scene in scenes:
            row = fastest_of(data, scene, engines)
            q = wrong.get((scene, row["engine"])) if row else None
            cells.append(f"{time(row['median'])}" + (f" ({percent(q['normal_good'])})" if q else "") if row else "-")
        return [title, *cells]

    def ours(name):
        return [e for e in data["engines"] if e["id"] == name]

    rows = [line("**lanefold**", ours("lanefold")), line("**lanefold, strict normal**", ours("lanefold-strict"))]
    rows += [line(name, engines) for (name, what, _), engines in kinds(data).items() if what == FULL]
    names = {e["id"]: family(e) for e in data["engines"]}
    for text, kind in BRIEF.items():
        found = [results.best_peer(data, s, kind) for s in scenes]
        rows.append([text] + [f"{f[1][0]:.2f} ({names[f[0]]})" if f else "-" for f in found])
    return table(["ns per candidate pair, one thread", *(s.removesuffix("_pile") for s in scenes)],
                 [r for r in rows if set(r[1:]) != {"-"}])


def page(files, drawn, remark, steps=()):
    """The measured part of docs/performance.md. `steps`: results of bodies that move, see moving.py."""
    first = files[0]
    out = [brief_table(first, results.summary_scenes(first)),
           wrapped("In brackets: of times the share of the overlapping pairs whose reported normal is right, of "
                   "ratios the other engine. Each engine has its fastest fair setting on that scene.") + "\n",
           f"{wrapped(short_machine(first))}\n"] + ([f"{wrapped(remark)}\n"] if remark else [])
    out += [f"![{name}](plots/{name}.svg)\n" for name in KEPT if name in drawn]
    moved = moving.brief(steps)
    return "\n".join(out + ([moved] if moved else []))


def short_machine(data):
    """The machine in a sentence; the site's pages have clocks, memory and disturbances."""
    m = data["machine"]
    counts = max((r["processes"] for r in data["timings"]), default=0)
    return (f"{m['cpu']}; {m['compiler']}, {m['flags']}; commit {m['commit']}; {m['date'][:10]}; "
            f"{counts} processes a row.")


def summary(files, drawn, remark):
    """The page of all engines on the piles, which leads to the others of docs/performance."""
    out = [tables.MADE, "# The settled piles\n", "Measured; [method.md](method.md) defines the terms.\n",
           f"{wrapped(tables.machine(files[0]))}\n"] + ([f"{wrapped(remark)}\n"] if remark else [])
    out += [headline_table(files[0], results.summary_scenes(files[0])),
            wrapped("In brackets the 95% interval of the median where there is one, and the share of overlapping pairs "
                    "whose reported normal is right. Each engine's row is its fastest fair setting on that scene, box "
                    "functions on boxes included.") + "\n"]
    out += [f"**{question}**\n\n![{name}](../plots/{name}.svg)\n" for name, question in plots.QUESTIONS.items()
            if name in drawn]
    out += [text for text in (agreement.other_days(files), machine_table(files)) if text]
    scenes = list(dict.fromkeys(s["name"] for data in files for s in tables.detailed_scenes(data)))
    out += ["## More\n",
            "- [How it is measured](method.md): terms, clocks, disturbances, quality, limits",
            "- [What the checks say](checks.md) about these results",
            "- [Scenes](scenes.md) and [engines](engines.md) with their settings",
            "- [lanefold in detail](lanefold.md): instruction sets and output forms, number of vertices,",
            "  share of touching pairs, stages, threads, frames in motion, streams",
            "- [Counters and bounds](counters.md): instructions, misses, bytes, energy, roofs",
            "- [Everyday scenes](everyday.md): crates, brick walls, shattered blocks, ragdolls, a crowd",
            "- [Bodies that move](moving.md): steps of a simulation, stacks that tremble",
            "- [Many threads](scaling.md): calls of all sizes, and the steps of a simulation",
            "- All engines, time and quality, scene by scene:",
            ",\n".join(f"  [{name}]({name}.md)" for name in scenes) + "\n"]
    return "\n".join(out)


def replace_block(text, block):
    if BEGIN not in text or END not in text:
        raise ValueError("the page lacks the marks between which the tables go")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    return f"{before}{BEGIN}\n{block}\n{END}{after}"


def complaints_of(files, root):
    return [c for data in files for c in checks.complaints(data, root)]
