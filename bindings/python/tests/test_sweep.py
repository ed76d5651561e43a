# SPDX-License-Identifier: MIT
"""Sweeps: closed forms, compact records, refusals."""

import numpy as np
import pytest
from conftest import CUBE

import lanefold


def bullet():
    """A small cube that flies through a large one at rest, and one that passes beside it."""
    hulls = lanefold.build_hulls(np.concatenate([CUBE, CUBE * np.float32(0.01)]), [0, 8, 16])
    position = np.array([[0, 0, 0], [0.3, 0.2, 10], [3, 0, 10]], np.float64)
    after = position * [1, 1, -1]
    orientation = np.tile(np.float32([0, 0, 0, 1]), (3, 1))
    return hulls, position, orientation, np.uint32([0, 1, 1]), after


def test_a_bullet_hits_and_another_passes():
    hulls, position, orientation, hull, after = bullet()
    pairs = [[0, 1], [0, 2]]
    records, result = lanefold.sweep(hulls, position, orientation, hull, after, orientation, pairs)
    assert [lanefold.SWEEP_STATES[s] for s in records["state"]] == ["hit", "miss"]
    truth = (10 - 1 - 0.01) / 20
    assert truth - 1e-5 < records["fraction"][0] <= truth + 1e-8
    assert records["fraction"][1] == 1 and result.by_state["hit"] == 1 and result.culled == 1
    assert np.allclose(records["normal"][0], [0, 0, 1], atol=1e-6)
    some, _ = lanefold.sweep(hulls, position, orientation, hull, after, orientation, pairs, compact=True)
    assert some.tobytes() == records[:1].tobytes()


def test_a_surface_stops_from_its_outer_side():
    square = np.float32([[-5, -5, 0], [5, -5, 0], [5, 5, 0], [-5, 5, 0]])
    ground = lanefold.build_surface(square, np.array([[0, 1, 2], [0, 2, 3]]))
    hulls = lanefold.build_hulls(CUBE).append(lanefold.surface_set(ground))
    position = np.array([[0, 0, 0], [1, 0, 10], [1, 0, -10]], np.float64)
    orientation = np.tile(np.float32([0, 0, 0, 1]), (3, 1))
    after = position * [1, 1, -1]
    hull = np.uint32([1, 0, 0])
    records, _ = lanefold.sweep(hulls, position, orientation, hull, after, orientation, [[1, 0], [2, 0]])
    assert [lanefold.SWEEP_STATES[s] for s in records["state"]] == ["hit", "miss"]
    assert 0.4498 < records["fraction"][0] <= 0.45 and records["normal"][0][2] == -1


def test_spins_turn_by_more_than_the_shorter_way():
    beam = CUBE * np.float32([1, 0.01, 0.01]) + np.float32([1, 0, 0])
    hulls = lanefold.build_hulls(np.concatenate([beam, CUBE * np.float32([0.01, 0.01, 1])]), [0, 8, 16])
    position = np.array([[0, 0, 0], [1.5 * np.cos(2), 1.5 * np.sin(2), 0]])
    orientation = np.tile(np.float32([0, 0, 0, 1]), (2, 1))
    hull = np.uint32([0, 1])
    spins = np.array([[0, 0, 7 * np.pi], [0, 0, 0]])
    records, _ = lanefold.sweep(hulls, position, orientation, hull, position, None, [[0, 1]], spins=spins)
    assert records["state"][0] == 1 and 0 < 2 - records["fraction"][0] * 7 * np.pi < 0.03
    records, _ = lanefold.sweep(hulls, position, orientation, hull, position, orientation, [[0, 1]])
    assert records["state"][0] == 0


def test_bad_input_is_refused_or_a_status():
    hulls, position, orientation, hull, after = bullet()
    with pytest.raises(lanefold.LanefoldError, match="tolerance"):
        lanefold.sweep(hulls, position, orientation, hull, after, orientation, [[0, 1]], tolerance=0)
    with pytest.raises(lanefold.LanefoldError, match="target"):
        lanefold.sweep(hulls, position, orientation, hull, after, orientation, [[0, 1]], target=-1)
    with pytest.raises(ValueError, match="spins"):
        lanefold.sweep(hulls, position, orientation, hull, after, orientation, [[0, 1]], spins=np.zeros((2, 3)))
    with pytest.raises(ValueError, match="next_orientation"):
        lanefold.sweep(hulls, position, orientation, hull, after, None, [[0, 1]])
    after[1, 0] = np.nan
    records, _ = lanefold.sweep(hulls, position, orientation, hull, after, orientation, [[0, 1], [0, 2]])
    assert lanefold.STATUSES[records["status"][0]] == "bad_pose" and records["state"].tolist() == [3, 0]


def test_speculative_margins_are_what_bodies_come_nearer():
    hulls, position, orientation, hull, _ = bullet()
    velocity = np.float32([[0, 0, 0], [0, 0, -3], [0, 0, 0]])
    spin = np.zeros((3, 3), np.float32)
    pairs = [[0, 1], [0, 2]]
    m = lanefold.speculative_margins(hulls, position, orientation, hull, velocity, spin, pairs, 2, 0.5)
    assert np.allclose(m, [6.5, 0.5], atol=1e-4) and m[0] >= 6.5
    records, _ = lanefold.collide(hulls, position, orientation, hull, pairs, margin=m)
    assert records["kind"].tolist() == [0, 0]  # 8.99 away, which 6 do not reach
    with pytest.raises(lanefold.LanefoldError, match="velocities"):
        lanefold.speculative_margins(hulls, position, orientation, hull, velocity[:2], spin, pairs, 2)
