# SPDX-License-Identifier: MIT
#
# The measured part of docs/response.md, and the site's page and plots of it, from the JSON of lanefold_response.
"""Tables and plots of how well bodies respond."""
import datetime
import pathlib
import subprocess
import textwrap

from . import svg, tables as pages

LEAST = 1e-8  # drifts below are drawn as this: logarithms have no 0


def machine(root):
    model = [line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    commit = subprocess.run(["git", "-C", str(root), "rev-parse", "--short=12", "HEAD"], stdout=subprocess.PIPE,
                            text=True, check=False).stdout.strip()
    return {"cpu": model[0] if model else "unknown", "commit": commit or "unknown",
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")}


def note(data):
    m = data["machine"]
    return f"{m['cpu']}, {data['isa']}, one thread, {m['date']}"


def two_digits(x):
    return f"{float(f'{x:.2g}'):g}"


def length(metres):
    if metres is None:
        return ""
    if metres == 0:
        return "0"
    if metres > 0.3:
        return f"{metres:.1f} m"
    if metres >= 1e-3:
        return f"{metres * 1e3:.3g} mm"
    if metres >= 1e-6:
        return f"{metres * 1e6:.3g} um"
    return f"{two_digits(metres * 1e9)} nm"


def said_first(data):
    return (f"{note(data)}; after commit {data['machine']['commit']}" + "".join(f"; {peer}" for peer in data["peers"]) +
            ".")


# The tables of docs/response.md: what each says of a scene and an engine, and of which scenes.
BRIEF = {
    "drift at the end": (lambda r: length(r["drift"]), "standing"),
    "deepest overlap at the end": (lambda r: length(r["overlap"]), "all"),
    "ms a step in the first 3 s": (lambda r: f"{r['busy_ms']:.3g}", "all"),
}
SHORT = {"card house of 3 storeys": "card house", "arch of 15 stones": "arch", "pyramid of 20 rows": "pyramid",
         "run of 40 dominoes": "dominoes", "pile of 2000 rocks": "2,000 rocks",
         "pile of 2000 pieces of debris": "2,000 debris"}


def brief(data):
    """One table a question, scenes side by side."""
    out = [said_first(data), ""]
    engines = list(dict.fromkeys(r["engine"] for s in data["scenes"] for r in s["rows"]))
    for title, (cell, which) in BRIEF.items():
        scenes = data["scenes"] if which == "all" else standing(data)
        out += [f"| {title} | " + " | ".join(SHORT.get(s["scene"], s["scene"]) for s in scenes) + " |",
                "|---" + "|---:" * len(scenes) + "|"]
        for engine in engines:
            found = [next((r for r in s["rows"] if r["engine"] == engine), None) for s in scenes]
            out.append(f"| {engine} | " + " | ".join(cell(r) if r else "-" for r in found) + " |")
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def page(data):
    """The site's page of all figures."""
    return (f"{pages.MADE}\n# Scenes that stand, fall and sleep\n\n"
            f"[How bodies respond](../response.md) says how they are measured.\n\n{tables(data)}\n## Plots\n\n" +
            "\n".join(f"![{name}](../plots/{name}.svg)\n" for name in plots(data)))


def tables(data):
    out = [said_first(data), ""]
    for scene in data["scenes"]:
        rows = scene["rows"]
        asleep = rows[0]["sleep"]
        out += [f"**{scene['scene'].capitalize()}**, {scene['bodies']:,} bodies with what is fixed, "
                f"{rows[0]['seconds']} s, {'sleep as each engine does it' if asleep else 'nobody sleeps'}", ""]
        out += ["| engine | drift after 10 s | at the end | sag | deepest overlap | fastest at the end "
                "| below 1 mm/s from | ms a step | in the first 3 s |", "|---" + "|---:" * 8 + "|"]
        for r in rows:
            rest = f"{r['at_rest_after']} s" if r["at_rest_after"] >= 0 else "never"
            out.append(f"| {r['engine']} | {length(r.get('drift_10'))} | {length(r['drift'])} | {length(r['sag'])} | "
                       f"{length(r['overlap'])} | {two_digits(r['fastest'] * 1e3)} mm/s | {rest} | "
                       f"{r['step_ms']:.3g} | "
                       f"{r['busy_ms']:.3g} |")
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def share(x):
    """A share of something, in percent."""
    percent = 100 * x
    if percent > 999:
        return f"{percent / 100:,.0f} times"
    if abs(percent) < 0.0005:
        return "0%"
    return f"{percent:.3f}%" if abs(percent) < 0.1 else f"{percent:.2f}%" if abs(percent) < 10 else f"{percent:.0f}%"


# A cell of each kind's table, and what it says.
CELLS = {
    "drops": (lambda v: share(v[0]),
              "highest rise after the lowest place, as a share of the drop; the worst of 20 turns"),
    "bounces": (lambda v: f"{share(v[0])}, {v[1]:.2g}",
                "height as a share of the drop (right: 81%), and the spin times its side as a share of the speed of "
                "the fall (right: 0)"),
    "stacks": (lambda v: "falls" if abs(v[0]) > 0.3 else share(v[0]), "height that the stack has lost, as a share"),
    "loads": (lambda v: "sinks through" if abs(v[0]) > 0.3 else share(v[0]), "height lost, as a share"),
    "shards": (lambda v: f"{v[0]:.0f}", "how many pass the plate"),
    "chains": (lambda v: share(v[0]), "how much farther from its anchor the weight gets than the chain is long"),
    "seams": (lambda v: f"{share(v[0])}, {share(v[1])}", "speed changed, and lift as a share of the box's side"),
}


def size_tables(data):
    out = [said_first(data), ""]
    for table in data["tables"]:
        cell, says = CELLS[table["kind"]]
        caption = f"**{table['title']}**: {says}."
        out += textwrap.wrap(caption, 120) + ["", "| engine | " + " | ".join(table["columns"]) + " |",
                "|---" + "|---:" * len(table["columns"]) + "|"]
        for row in table["rows"]:
            cells = ["none" if v is None else cell(v) for v in row["values"]]
            out.append(f"| {row['engine']} | " + " | ".join(cells) + " |")
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def slug(name):
    return name.replace(" ", "-")


def drift_plot(data, scene):
    series = [(r["engine"], [(s + 1, max(d, LEAST)) for s, d in enumerate(r["drift_by_second"]) if s > 0])
              for r in scene["rows"]]
    title = f"Drift of a {scene['scene']} from second 1 on"
    return svg.lines(title, note(data), "seconds", "metres", series, log_y=True)


def energy_plot(data, scene):
    series = []
    for r in scene["rows"]:
        energies = r["energy_by_second"]
        series.append((r["engine"], [(s, e / energies[0]) for s, e in enumerate(energies)]))
    return svg.lines(f"Energy of a {scene['scene']}", note(data), "seconds", "part of the energy at the start", series)


def bars(data, field, title, unit, scale, scenes):
    names = []
    groups = []
    for scene in scenes:
        group = {r["engine"]: max(r[field] * scale, 1e-6) for r in scene["rows"]}
        names += [n for n in group if n not in names]
        groups.append((scene["scene"], group))
    return svg.bars(title, note(data), unit, groups, names, log_y=True)


def standing(data):
    return [s for s in data["scenes"] if not s["rows"][0]["sleep"] and "dominoes" not in s["scene"]]


def plots(data):
    """Name of each plot and its SVG."""
    out = {}
    for scene in standing(data):
        if "tower" in scene["scene"]:
            out[f"response-drift-{slug(scene['scene'])}"] = drift_plot(data, scene)
    for scene in data["scenes"]:
        if "dominoes" in scene["scene"] or "rocks" in scene["scene"]:
            out[f"response-energy-{'dominoes' if 'dominoes' in scene['scene'] else 'pile'}"] = energy_plot(data, scene)
    out["response-overlap"] = bars(data, "overlap", "Deepest overlap at the end", "millimetres", 1e3, data["scenes"])
    out["response-time"] = bars(data, "busy_ms", "Time a step, first 3 s", "milliseconds", 1, data["scenes"])
    return out


def replace_block(page, text, name="measured"):
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    head, rest = page.split(begin)
    _, tail = rest.split(end)
    return f"{head}{begin}\n\n{text}\n{end}{tail}"


def measured(text, data):
    """docs/response.md with these figures."""
    text = replace_block(text, brief(data))
    return replace_block(text, size_tables(data["sizes"]), "measured sizes") if "sizes" in data else text
