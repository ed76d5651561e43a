# SPDX-License-Identifier: MIT
"""Events of a bake as a particle source and a list of sounds: dust_and_sound.py EVENTS.jsonl DUST.csv SOUNDS.csv

EVENTS.jsonl is what `lanefold export SCENE EVENTS -o EVENTS.jsonl` writes. DUST.csv has a row for each particle: when
and where it is born, and its velocity. SOUNDS.csv has a row for each hit and each slide that can be heard, loudest
first, with a gain in decibels below the loudest. Needs nothing but Python; the same file gives the same bytes.
"""

import csv
import json
import math
import sys

SLOWEST = 0.5  # closing speed that raises dust, in the scene's unit a second
PARTICLES = 12  # of the hardest hit; others have fewer, by the root of their impulse
SPREAD = 0.4  # speed of the dust along the surface, as a part of the closing speed
RISE = 0.15  # and along the normal
GOLDEN = math.pi * (3 - math.sqrt(5))  # angle from one particle to the next: even, and without a random number
QUIETEST = -60  # decibels
SHORTEST_SLIDE = 0.02  # way, in the scene's unit
BOUNCE, TOUCHED_BEFORE = 16, 1  # flags


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def across(n):
    """Two unit vectors that make a right angle with n and each other."""
    helper = (1.0, 0.0, 0.0) if abs(n[0]) < 0.6 else (0.0, 1.0, 0.0)
    u = (n[1] * helper[2] - n[2] * helper[1], n[2] * helper[0] - n[0] * helper[2], n[0] * helper[1] - n[1] * helper[0])
    length = math.sqrt(sum(x * x for x in u))
    u = tuple(x / length for x in u)
    return u, (n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0])


def dust(events):
    hits = [e for e in events if e["closing_speed"] > SLOWEST and not e["flags"] & TOUCHED_BEFORE]
    hardest = max((e["impulse"] for e in hits), default=0)
    for e in hits:
        share = math.sqrt(e["impulse"] / hardest) if hardest > 0 else 1
        u, v = across(e["normal"])
        for k in range(max(1, round(PARTICLES * share))):
            beside = SPREAD * e["closing_speed"]
            along = RISE * e["closing_speed"] * (1 if k % 2 else -1)  # to both sides of the contact
            c, s = beside * math.cos(k * GOLDEN), beside * math.sin(k * GOLDEN)
            yield [e["begin"], e["begin_seconds"], *e["place"]] + [
                c * u[i] + s * v[i] + along * e["normal"][i] for i in range(3)
            ]


def sounds(events):
    rows = []
    for e in events:
        duration = e["end_seconds"] - e["begin_seconds"]
        names = e.get("names", e["bodies"])
        if e["impulse"] > 0 and not e["flags"] & TOUCHED_BEFORE:
            rows.append([e["begin_seconds"], "hit", 0, e["impulse"], *names])
        if e["slip"] > SHORTEST_SLIDE:
            # The harder it is pressed and the longer its way, the louder it is.
            rows.append([e["begin_seconds"], "slide", duration, e["impulse_sum"] * e["slip"], *names])
    loudest = {kind: max((r[3] for r in rows if r[1] == kind), default=0) for kind in ("hit", "slide")}
    heard = []
    for row in rows:
        gain = 20 * math.log10(row[3] / loudest[row[1]]) if row[3] > 0 else -math.inf
        if gain >= QUIETEST:
            heard.append([*row[:3], round(gain, 2), *row[4:]])
    return sorted(heard, key=lambda r: (-r[3], r[0]))


def write(path, head, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)


if __name__ == "__main__":
    events = read(sys.argv[1])
    particles, heard = list(dust(events)), sounds(events)
    write(sys.argv[2], ["frame", "seconds", "x", "y", "z", "vx", "vy", "vz"], particles)
    write(sys.argv[3], ["seconds", "kind", "duration", "gain_db", "body_a", "body_b"], heard)
    bounces = sum(1 for e in events if e["flags"] & BOUNCE)
    print(f"{len(events)} events ({bounces} estimated bounces): {len(particles)} particles, {len(heard)} sounds")
