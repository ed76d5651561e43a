# SPDX-License-Identifier: MIT
#
# The measurements of a page, in their order.
"""The jobs of a page. A job is one process of lanefold_bench with its options."""
import dataclasses
import random

PILES = ["boxes_pile", "debris_pile", "rocks42_pile", "rocks_pile", "big_pile"]
# Scenes that users have (lanefold_bench --write-scene) and the steps that `lanefold simulate` moves them, at 60 a
# second; `moving` is a pile of debris in its fall. The last frames are measured, the very last also cold.
EVERYDAY = {"crates": 60, "bricks": 24, "shattered": 36, "ragdolls": 90, "crowd": 8, "walkers": 8,
            "gravel": 90, "moving": 30}
FRAMES = 8
# The clouds of the same shapes show nothing that the piles do not.
CLOUDS = ["mixed", "apart", "pressed", "deep", "containment", "ratio20", "ratio200", "distinct", "coherent"]
VERTICES = [8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 250]
SHARES = ["boxes", "debris", "rocks42"]
STREAMS = ["boxes", "debris"]
STREAMED = 10_000_000  # pairs; ten times the output buffer
ORACLE = 400           # pairs of each scene; the results of all processes are the same, so one compares them


@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    options: tuple  # of lanefold_bench
    judged: bool = False  # has engines whose results the first turn compares with the oracle


def page_jobs(scenes, processors):
    """All jobs of a page. `scenes` is the folder of the piles."""
    threads = ("--threads", str(processors)) if processors > 1 else ()
    rows = ("--isa", "all", "--output", "compact,distance,overlap", "--stages")
    jobs = [Job(name, ("--scene", f"{scenes}/{name}", "--synthetic", "none", *rows, *threads), True) for name in PILES]
    jobs += [Job(name, ("--scene", f"{scenes}/{name}", "--frames", str(FRAMES), "--synthetic", "none", *threads), True)
             for name in EVERYDAY]
    jobs += [Job(name, ("--synthetic", name, *rows, *threads), True) for name in CLOUDS]
    jobs += [Job(f"vertices-{v}", ("--synthetic", "none", "--sweep", f"vertices-{v}", *rows)) for v in VERTICES]
    jobs += [Job(f"share-{s}", ("--synthetic", "none", "--sweep", f"share-{s}")) for s in SHARES]
    for s in STREAMS:
        jobs.append(Job(f"stream-{s}", ("--synthetic", "none", "--stream", str(STREAMED), "--stream-scenes", s,
                                        *threads)))
    return jobs


def turns(jobs, processes, seed):
    """(turn, job) of every process: in each turn every job once, in another order.

    So a slow quarter of an hour of the machine falls on all rows alike, and no row is always measured after the same
    other one.
    """
    out = []
    for turn in range(processes):
        order = list(jobs)
        random.Random(f"{seed} {turn}").shuffle(order)
        out += [(turn, job) for job in order]
    return out


def command(program, turn, job, seed, rounds, result):
    oracle = ORACLE if job.judged and turn == 0 else 0
    return [str(program), *job.options, "--seed", str(seed), "--turn", str(turn), "--rounds", str(rounds), "--pass",
            "0.05", "--oracle", str(oracle), "--json", str(result)]
