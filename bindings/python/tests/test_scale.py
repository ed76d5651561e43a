# SPDX-License-Identifier: MIT
"""Scales of bodies: every call gives what it gives for hulls that were baked at these scales."""

import numpy as np
import pytest
from conftest import CUBE

import lanefold

UPRIGHT = np.float32([0, 0, 0, 1])


def scene():
    """Twenty cubes and balls of many scales, and the same with baked hulls."""
    hulls = lanefold.build_hulls([*CUBE, [0, 0, 0]], [0, 8, 9], radius=[0, 0.75])
    random = np.random.default_rng(5)
    position = random.uniform(-2, 2, (20, 3)).astype(np.float32)
    ids = np.arange(20, dtype=np.uint32) % 2
    scale = random.choice(np.float32([1, 0.5, 1.75, 2]), 20)
    baked = lanefold.ScaledHulls(hulls)
    taken = baked.take(ids, np.repeat(scale[:, None], 3, axis=1))
    poses = position, np.tile(UPRIGHT, (20, 1))
    return hulls, (*poses, lanefold.at_scale(ids, scale)), baked.hulls, (*poses, taken)


def test_calls_are_those_of_baked_hulls():
    hulls, bodies, baked, own = scene()
    pairs = lanefold.PairFinder().find(hulls, *bodies, margin=0.1)
    assert pairs.tolist() == lanefold.PairFinder().find(baked, *own, margin=0.1).tolist() and len(pairs) > 10
    for call in (lanefold.collide, lanefold.collide_compact, lanefold.distance):
        records, others = call(hulls, *bodies, pairs, margin=0.1)[0], call(baked, *own, pairs, margin=0.1)[0]
        assert records.tobytes() == others.tobytes()
    exact = lanefold.oracle(hulls, *bodies, pairs)
    assert np.array_equal(exact[0], lanefold.oracle(baked, *own, pairs)[0])


def test_what_is_no_scale_is_a_bad_pose():
    hulls, (position, orientation, _), _, _ = scene()
    ids = np.uint32([0, 0])
    for wrong in (0, -1, np.nan, np.inf):
        bodies = position[:2], orientation[:2], lanefold.at_scale(ids, [1, wrong])
        records, _ = lanefold.collide(hulls, *bodies, [[0, 1]])
        assert lanefold.STATUSES[records["status"][0]] == "bad_pose"
    with pytest.raises(ValueError, match="at_scale"):
        lanefold.collide(hulls, position, orientation, lanefold.at_scale(ids, 2.0), [[0, 1]])


def test_streams_and_surfaces_of_pieces_take_scales():
    hulls, bodies, baked, own = scene()
    sets = (hulls, bodies), (baked, own)
    streams = [lanefold.ContactStream(h, b[2], margin=0.1, hysteresis=0.01) for h, b in sets]
    for move in (0, 0.01, 0.02):
        one, other = (s.step(b[0] + np.float32(move), b[1])[0] for s, b in zip(streams, (bodies, own)))
        assert one.tobytes() == other.tobytes() and len(one) > 10
    cubes = slice(0, 20, 2)
    ground = lanefold.surface_of_hulls(hulls, *(column[cubes] for column in bodies))
    assert ground.fingerprint == lanefold.surface_of_hulls(baked, *(column[cubes] for column in own)).fingerprint
    with pytest.raises(ValueError, match="piece 1 must be above 0"):
        lanefold.surface_of_hulls(hulls, *(c[:2] for c in bodies[:2]), lanefold.at_scale([0, 0], [1, -1]))
    with pytest.raises(ValueError, match="scale must be a number or have the shape"):
        lanefold.at_scale([0, 0], [1, 2, 3])
    with pytest.raises(ValueError, match="body_hull must have the shape"):
        lanefold.ContactStream(hulls, np.zeros((4, 3), np.uint32))


def test_worlds_have_bodies_with_scales():
    hulls, (position, orientation, ids), _, _ = scene()
    world, other = lanefold.World(hulls), lanefold.World(hulls)
    world.add_bodies(position, orientation, ids)
    other.add_bodies(position, orientation, ids[:, 0], scale=ids[:, 1].copy().view(np.float32))
    for w in (world, other):
        for _ in range(10):
            w.step(1 / 60)
    assert np.array_equal(world.position, other.position)
    with pytest.raises(lanefold.LanefoldError, match="scale"):
        world.add_bodies(position[:1], orientation[:1], [0], scale=-1.0)
    with pytest.raises(lanefold.LanefoldError, match="those of scales"):
        world.set_hulls(hulls.append(lanefold.build_hulls(CUBE)))
    with pytest.raises(ValueError, match="scale is given twice"):
        world.add_bodies(position, orientation, ids, scale=2.0)


def test_streams_have_bodies_with_scales():
    hulls, (position, orientation, ids), baked, (_, _, own) = scene()
    streams = [lanefold.ContactStream(h, b, margin=0.1, hysteresis=0.01) for h, b in ((hulls, ids), (baked, own))]
    for step in range(4):
        moved = position + np.float32(0.01 * step)
        scaled, plain = (stream.step(moved, orientation)[0] for stream in streams)
        assert scaled.tobytes() == plain.tobytes() and len(scaled) > 10
    with pytest.raises(ValueError, match=r"body_hull must have the shape \(N,\), or \(N, 2\) of at_scale\(\)"):
        lanefold.ContactStream(hulls, np.zeros((20, 3), np.uint32))
