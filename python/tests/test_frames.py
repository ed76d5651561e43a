# SPDX-License-Identifier: MIT
"""Frames: candidate pairs, streams, matching, and the folders and hashes of the program."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import lanefold
from lanefold import _native

SCENES = ROOT / "tests/data/scenes"
PROGRAM = ROOT / "build/release/tools/lanefold"


def test_pairs_are_those_of_all_boxes(pile):
    boxes = []
    for p, q, h in zip(*pile.bodies):
        x, y, z, w = q.astype(float) / np.linalg.norm(q.astype(float))
        r = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        v = pile.hulls.vertices(int(h)).astype(float) @ r.T + p
        boxes.append([v.min(0) - 0.05, v.max(0) + 0.05])
    low, high = np.array(boxes).transpose(1, 0, 2)
    near = (low[:, None] <= high[None]).all(-1) & (low[None] <= high[:, None]).all(-1)
    expected = np.argwhere(np.triu(near, 1))
    assert len(expected) > 1000 and np.array_equal(pile.pairs, expected)


def test_groups_and_immovable_bodies_are_left_out(pile):
    n = len(pile.hull)
    group = np.arange(n, dtype=np.uint32) % 3
    mass = (np.arange(n) % 2).astype(np.float32)
    pairs = lanefold.PairFinder().find(pile.hulls, *pile.bodies, margin=0.1, group=group, inverse_mass=mass)
    a, b = pile.pairs.T
    keep = ~((group[a] == group[b]) & (group[a] != 0)) & ((mass[a] != 0) | (mass[b] != 0))
    assert np.array_equal(pairs, pile.pairs[keep])
    with pytest.raises(ValueError, match="group"):
        lanefold.PairFinder().find(pile.hulls, *pile.bodies, group=group[:-1])


def test_a_stream_gives_what_single_calls_give(pile):
    random = np.random.default_rng(3)
    stream = lanefold.ContactStream(pile.hulls, pile.hull, margin=0.05)
    position = pile.position.copy()
    kept = 0
    previous = None
    for _ in range(5):
        records, result = stream.step(position, pile.orientation)
        pairs = lanefold.PairFinder().find(pile.hulls, position, pile.orientation, pile.hull, margin=0.05)
        single, single_result = lanefold.collide_compact(
            pile.hulls, position, pile.orientation, pile.hull, pairs, margin=0.05
        )
        assert records.tobytes() == single.tobytes() and result.hash == single_result.hash and len(records) > 200
        if previous is not None:
            match = lanefold.match_contacts(previous, records)
            kept += match["points_kept"]
            same = match["record"] >= 0
            assert np.array_equal(previous["pair"][match["record"][same]], records["pair"][same])
            assert match["begun"] == (~same).sum() and match["ended"] == (match["fate"] < 0).sum()
        previous = records
        position += random.uniform(-0.002, 0.002, position.shape).astype(np.float32)
    assert kept > 500


def golden(scene: str) -> str:
    """The hash of the default setting: margin 0.02, preference 0.005, 4 points."""
    for line in (ROOT / f"tests/data/golden/{scene}.txt").read_text().splitlines():
        if line.startswith("0.02 0.005 4 "):
            return line.split()[-1]
    raise AssertionError(f"no golden hash of {scene}")


@pytest.mark.parametrize("name", sorted(p.name for p in SCENES.iterdir()))
def test_stored_scenes_have_the_golden_hash(name):
    scene = lanefold.Scene(SCENES / name)
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
    assert f"{total % 2**64:016x}" == golden(name)


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")
def test_folders_of_the_program_are_read(tmp_path: Path):
    scene = SCENES / "boxes_pile"
    subprocess.run([PROGRAM, "collide", scene, "-o", tmp_path / "contacts"], check=True, capture_output=True)
    contacts = lanefold.Contacts(tmp_path / "contacts")
    assert contacts.frames == list(range(len(lanefold.Scene(scene))))
    records = contacts[0]
    assert records.dtype.itemsize == 128 and (records["kind"] != 0).all()
    assert lanefold.hash_records(records) == contacts.summary(0)["hash"]
    with pytest.raises(KeyError):
        contacts[999]
    packed = tmp_path / "packed"
    bake = [PROGRAM, "collide", scene, "-o", packed, "--compress", "zstd"]
    subprocess.run(bake, check=True, capture_output=True)
    unpacked = lanefold.Contacts(packed)[0]
    assert unpacked.dtype == records.dtype and unpacked.tobytes() == records.tobytes()
