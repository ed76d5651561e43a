# SPDX-License-Identifier: MIT
"""The hashes of stored scenes, compared with those of every machine: golden_hashes.py SCENES GOLDEN. Imported by the
tests, and a program for places without pytest."""

import sys
from pathlib import Path

import lanefold
from lanefold import _native


def golden(folder: Path, scene: str) -> str:
    """The hash of the default setting: margin 0.02, preference 0.005, 4 points."""
    for line in (folder / f"{scene}.txt").read_text().splitlines():
        if line.startswith("0.02 0.005 4 "):
            return line.split()[-1]
    raise AssertionError(f"no golden hash of {scene}")


def hash_of(folder: Path) -> str:
    """The hash of all frames of a stored scene, as `lanefold hash` prints it."""
    scene = lanefold.Scene(folder)
    hulls = scene.build_hulls()
    finder = lanefold.PairFinder()
    total = 0
    for frame in range(len(scene)):
        bodies = scene.position[frame], scene.orientation[frame], scene.body_hull
        pairs = scene.pairs(frame)
        if pairs is None:
            pairs = finder.find(hulls, *bodies, margin=0.02, inverse_mass=scene.inverse_mass, group=scene.group)
        _, result = lanefold.collide_compact(hulls, *bodies, pairs, margin=0.02)
        total += _native.mix_frame_hash(frame, int(result.hash, 16))
    return f"{total % 2**64:016x}"


if __name__ == "__main__":
    scenes, expected = map(Path, sys.argv[1:])
    names = sorted(p.stem for p in expected.glob("*.txt"))
    for name in names:
        found, wanted = hash_of(scenes / name), golden(expected, name)
        print(f"{name:20} {found}")
        if found != wanted:
            sys.exit(f"{name}: expected {wanted}")
    sys.exit(not names)
