# SPDX-License-Identifier: MIT
#
# docs/performance/everyday.md: scenes that users have, cold and in motion.
"""Tables of crates, brick walls, shattered blocks, ragdolls, crowds, gravel and a falling pile."""
from . import headline, more_tables, results, tables
from .markdown import wrapped

INTRODUCTION = """Crates stacked on a floor, brick walls that heavy boxes hit, shattered blocks that fall apart, a heap
of ragdolls of 11 boxes, two streams of people of 24 vertices, and a pile of debris in its fall. About 2,000 bodies each
(`LANEFOLD_BENCH_BODIES`), moved by lanefold's own solver at 60 steps a second (`lanefold_bench --write-scene`,
`lanefold simulate`). The first table is the last frame, cold. The second has the last eight frames one after the other:
engines that keep something from the frame before have it there.
"""


def page(files, drawn, remark):
    out = [tables.MADE, "# Everyday scenes\n", INTRODUCTION]
    for data in files:
        out += [f"{wrapped(tables.machine(data))}\n"] + ([f"{wrapped(remark)}\n"] if remark else [])
        scenes = results.everyday(data)
        if not scenes:
            out.append("These results have none of these scenes.\n")
            continue
        out += ["## The last frame, cold\n", headline.headline_table(data, scenes),
                "## Frames in motion\n", more_tables.frames_table(data, scenes)]
    if "moving" in drawn:
        out.append("![moving](../plots/moving.svg)\n")
    return "\n".join(out)
