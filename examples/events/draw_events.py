#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the events of a fall: draw_events.py EVENTS.jsonl OUT.svg [UP]. A disc is an event where it begins, from left
to right in time, from below in height; its area is the impulse, its colour the closing speed. UP: the axis that points
up, 0 to 2 (2)."""

import json
import sys

WIDTH, HEIGHT, LEFT, BELOW, ROOM = 1200, 480, 56, 40, 16
LARGEST = 16.0  # radius of the largest impulse, pixels
SLOW, FAST = (74, 135, 198), (200, 60, 40)


def colour(share: float) -> str:
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(SLOW, FAST))


def ticks(low: float, high: float, most: int) -> "list[float]":
    step = 1.0
    while (high - low) / step > most:
        step *= 2 if str(step)[0] in "15" else 2.5
    return [k * step for k in range(int(low // step), int(high // step) + 1) if low <= k * step <= high]


def draw(events: "list[dict]", up: int) -> str:
    last = max(e["begin"] for e in events) or 1.0
    heights = [e["place"][up] for e in events]
    low, high = min(heights), max(max(heights), min(heights) + 1e-9)
    impulse = max(e["impulse"] for e in events) or 1.0
    speed = max(e["closing_speed"] for e in events) or 1.0

    def x(time: float) -> float:
        return LEFT + ROOM + (WIDTH - LEFT - 2 * ROOM) * time / last

    def y(height: float) -> float:
        return HEIGHT - BELOW - ROOM - (HEIGHT - BELOW - 2 * ROOM) * (height - low) / (high - low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           'font-size="13">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']  # fmt: skip
    for t in ticks(0, last, 12):
        out.append(f'<path d="M{x(t):.1f} {ROOM}V{HEIGHT - BELOW}" stroke="#e4e7ea"/>')
        out.append(f'<text x="{x(t):.1f}" y="{HEIGHT - BELOW + 16}" text-anchor="middle" fill="#555">{t:g}</text>')
    for h in ticks(low, high, 6):
        out.append(f'<path d="M{LEFT} {y(h):.1f}H{WIDTH - ROOM}" stroke="#e4e7ea"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(h) + 4:.1f}" text-anchor="end" fill="#555">{h:g}</text>')
    # Large discs first, so that none hides a small one.
    for e in sorted(events, key=lambda e: -e["impulse"]):
        radius = max(1.0, LARGEST * (max(0.0, e["impulse"]) / impulse) ** 0.5)
        fill = colour((max(0.0, e["closing_speed"]) / speed) ** 0.5)
        out.append(f'<circle cx="{x(e["begin"]):.1f}" cy="{y(e["place"][up]):.1f}" r="{radius:.1f}" fill="{fill}" '
                   'fill-opacity=".6"/>')  # fmt: skip
    words = (f"{len(events)} events: frame from left to right, height from below; area: impulse, up to {impulse:.3g}; "
             f"blue to red: closing speed, up to {speed:.3g}")  # fmt: skip
    out.append(f'<text x="{WIDTH - ROOM}" y="{HEIGHT - 6}" text-anchor="end" fill="#333">{words}</text></svg>')
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(draw(found, int(sys.argv[3]) if len(sys.argv) > 3 else 2))
    print(f"{sys.argv[2]}: {len(found)} events")
