#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the executed lines of each room from the summary of gcovr (./dev coverage)."""

import json
import sys

ROOMS = ["core", "simd", "parallel", "world", "baking", "tools", "bindings/c"]


def by_room(files):
    """Executed lines, lines and files of each room, from gcovr's list of files; the longest name of a room wins."""
    sums = {room: [0, 0, 0] for room in ROOMS}
    for file in files:
        room = next((room for room in ROOMS if file["filename"].startswith(room + "/")), None)
        if room is None:
            sys.exit(f"coverage: {file['filename']} is in no room")
        for at, amount in enumerate((file["line_covered"], file["line_total"], 1)):
            sums[room][at] += amount
    return sums


def main():
    with open(sys.argv[1], encoding="utf-8") as summary:
        sums = by_room(json.load(summary)["files"])
    empty = [room for room, (_, lines, _) in sums.items() if not lines]
    if empty:
        sys.exit(f"coverage: no line was counted in {', '.join(empty)}")
    sums["all"] = [sum(column) for column in zip(*sums.values())]
    print(f"{'room':12} {'files':>6} {'lines':>8} {'executed':>9}")
    for room, (executed, lines, files) in sums.items():
        print(f"{room:12} {files:6} {lines:8} {100 * executed / lines:8.1f}%")


if __name__ == "__main__":
    main()
