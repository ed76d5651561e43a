#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what documents say of lanefold and other engines with the results and pages that it comes from.

The measured part of docs/performance.md is made of bench/results. Other places repeat its figures: README, the site's
first page, docs/limits.md and the section "Where others are faster", whose other rows repeat tables of further pages.
A figure must be the one that the source gives, rounded as it is written; a range has the least and the largest.
"""

import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bench"))
from report import headline, moving, results  # noqa: E402

NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
# README's columns and the piles of docs/performance.md that they are.
SHOWN = {"boxes": "boxes_pile", "debris": "debris_pile", "rocks": "rocks_pile", "big hulls": "big_pile"}
Range = tuple[float, float]


def number(text: str) -> float:
    return float(text.replace(",", ""))


def cells(text: str, head: str, row: str) -> list[list[float]]:
    """The numbers of each cell of a row, without its first, of the table whose first line begins with `head`."""
    table = re.search(rf"^\| {re.escape(head)}.*\n(?:\|.*\n)+", text, re.MULTILINE)
    found = re.search(rf"^\| {re.escape(row)} *\|(.*)\|$", table[0], re.MULTILINE) if table else None
    if found is None:
        raise SystemExit(f"there is no row '{row}' in a table '{head}'")
    return [[number(n) for n in re.findall(NUMBER, cell)] for cell in found[1].split("|")]


def column(text: str, head: str, at: int) -> list[list[float]]:
    """The numbers of each cell of a column (0 is the second) of the table whose first line begins with `head`."""
    table = re.search(rf"^\| {re.escape(head)}.*\n\|[-:| ]*\n((?:\|.*\n)+)", text, re.MULTILINE)
    if table is None:
        raise SystemExit(f"there is no table '{head}'")
    return [[number(n) for n in re.findall(NUMBER, line.split("|")[at + 2])] for line in table[1].splitlines()]


def speeds(ours: list[list[float]], theirs: list[list[float]]) -> Range:
    """The least and the largest speed of ours, where theirs is 1, by times of the same rows; of ranges of times the
    extremes."""
    return (min(min(t) / max(o) for o, t in zip(ours, theirs)), max(max(t) / min(o) for o, t in zip(ours, theirs)))


@cache
def archived() -> list[dict]:
    """The series in bench/results, the newest first."""
    return [results.load(path) for path in sorted((ROOT / "bench/results").glob("20*.json.xz"), reverse=True)]


def piles(data: dict, kind: str) -> list[float]:
    """The ratios to the best peer of a kind on the piles that have one."""
    found = [results.best_peer(data, scene, kind) for scene in results.summary_scenes(data)]
    return [best[1][0] for best in found if best]


def sources(read) -> list[tuple[str, str, tuple[float, ...]]]:
    """Each claim: document, its words with {} for each figure, and the figures."""
    files = archived()
    ratios = piles(files[0], "full")
    elsewhere = piles(files[1], "full")
    times = [results.row_of(files[1], s, "lanefold")["median"] for s in results.summary_scenes(files[1])]
    caches = [ratio for data in files for ratio in piles(data, "warm")]
    bench, response = read("bench/README.md"), read("docs/response.md")
    terrain = "terrain, cell, depth"
    ground = speeds(column(bench, terrain, 0), column(bench, terrain, 2))
    rays = speeds(column(bench, "points a hull", 2), column(bench, "points a hull", 1))
    turning = [cells(read("docs/between_frames.md"), "motion", row)
               for row in ("and turning by up to 1 radian each", "by up to 3 radians")]
    turned = speeds([row[0] for row in turning], [row[1] for row in turning])
    step = {name: cells(response, "ms a step", name) for name in ("lanefold", "box3d", "jolt")}
    large = speeds(step["lanefold"][-2:], step["box3d"][-2:])
    tower = [speeds(step["lanefold"][:1], step[name][:1])[0] for name in ("box3d", "jolt")]
    worlds = read("docs/many_environments.md")
    small = {name: cells(worlds, "us a world and step", name) for name in ("lanefold, 10 substeps", "MuJoCo, 1 step")}
    falling, other = small["lanefold, 10 substeps"], small["MuJoCo, 1 step"]
    newer = [[number(n) for n in re.search(rf"{NUMBER} to {NUMBER} us while they fall \({NUMBER} to {NUMBER}\)",
                                           worlds).groups()][i:i + 2] for i in (0, 2)]
    fall = speeds([falling[0], newer[0]], [other[0], newer[1]])
    page, readme = "docs/performance.md", "README.md"
    ours = [results.row_of(files[0], s, "lanefold")["median"] for s in SHOWN.values()]
    best = [results.best_peer(files[0], s, "full") for s in SHOWN.values()]
    peers = [results.row_of(files[0], s, b[0])["median"] for s, b in zip(SHOWN.values(), best)]
    wide = (min(ratios + elsewhere), max(ratios + elsewhere))
    return [
        (readme, "| **lanefold** | {} | {} | {} | {} |", tuple(ours)),
        (readme, "the same result | {} (MuJoCo) | {} (PhysX) | {} (PhysX) | {} (MuJoCo) |", tuple(peers)),
        (readme, "| **times faster** | **{}** | **{}** | **{}** | **{}** |", tuple(b[1][0] for b in best)),
        (readme, "{} to {} times faster on hulls than the fastest other engine", wide),
        (readme, "An oracle judged {} pairs of all shapes and found",
         tuple(number(n) for n in re.findall(rf"first four rows are {NUMBER} pairs", read("docs/reliability.md")))),
        ("docs/site/pages/index.rst", "it is {} to {} times faster than the fastest other engine", wide),
        (page, "took {} to {} ns for these piles, {} to {} times less than the best peer",
         (min(times), max(times), min(elsewhere), max(elsewhere))),
        (page, "piles of hulls, cold | lanefold | {} to {} times", wide),
        (page, "of rocks42 Box3D on one of two machines | {} to {} times", (min(caches), max(caches))),
        (page, "[terrain](../bench/README.md) | Parry | {} to {};", ground),
        (page, "[rays](../bench/README.md) | Embree | {} to {},", rays),
        (page, "of bodies that turn | Box3D | {} to {}; of 500 pairs Box3D misses {} to {}, lanefold none",
         (*turned, min(row[3][1] for row in turning), max(row[3][1] for row in turning))),
        (page, "steps of [2,000 bodies](response.md#beside-other-engines) | lanefold | {} to {} times", large),
        (page, "steps of a tower of 10 | Box3D, Jolt | {} and {} ", tuple(tower)),
        (page, "that fall | MuJoCo, one step | {} to {}, with {} of its overlap",
         (*fall, falling[3][0] / other[3][0])),
        ("docs/limits.md", "Embree casts rays {} times as fast, Box3D sweeps {} as fast and misses some",
         (2 / sum(rays), 2 / sum(turned))),
        ("docs/limits.md", "Parry takes {} to {} of the time", ground),
    ]


WORDS = {"twice": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
FIGURE = rf"({NUMBER}|{'|'.join(WORDS)})"


def differs(said: str, value: float) -> bool:
    """Whether a figure, a number or a word, is not the value rounded to its last digit."""
    if said in WORDS:
        return WORDS[said] != round(value)
    decimals = len(said.partition(".")[2])
    return abs(number(said) - value) > 0.501 * 10.0**-decimals


def compare(text: str, words: str, figures: tuple[float, ...]) -> list[str]:
    parts = [re.escape(part) for part in " ".join(words.split()).split("{}")]
    found = re.search(FIGURE.join(parts), " ".join(text.split()))
    if found is None:
        return [f"does not say '{words}'"]
    said = found.groups()[::2]
    return [f"'{words}' says {text}, the source gives {value:.4g}" for text, value in zip(said, figures, strict=True)
            if differs(text, value)]


def measured_part(read) -> list[str]:
    """Whether docs/performance.md has the tables that bench/plots makes of the stored results."""
    files = archived()
    text = read("docs/performance.md")
    made = headline.replace_block(text, headline.page(files, headline.KEPT, None, moving.kept(ROOT)))
    return [] if text == made else ["docs/performance.md: its tables are not those that bench/plots makes"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def self_test(claims: list[tuple[str, str, tuple[float, ...]]]) -> list[str]:
    """Plants figures that are wrong, and some that are right, also in each place that is compared. A part of every run,
    because reading the stored series is what takes the time."""
    found = [f"does not pass: {case}" for case in [
        ("it takes 1.4 ms", "takes {} ms", (1.44,)), ("a 2,746", "a {}", (2745.6,)), ("two to 3", "{} to {}", (2.4, 3))]
        if compare(*case)]
    found += [f"passes: {case}" for case in [
        ("it takes 1.4 ms", "takes {} ms", (1.46,)), ("three of it", "{} of it", (2.4,)), ("1", "{} ms", (1,))]
        if not compare(*case)]
    for document, words, figures in claims:
        if not compare(read(document), words, tuple(1.2 * figure + 1 for figure in figures)):
            found.append(f"{document}: '{words}' passes with other figures")
    return found


def main() -> int:
    claims = sources(read)
    wrong = self_test(claims) + measured_part(read)
    wrong += [f"{document}: {what}" for document, words, figures in claims
              for what in compare(read(document), words, figures)]
    print("\n".join(wrong) or f"{len(claims)} claims about other engines are those of their sources, and the "
          "comparison finds every planted difference")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
