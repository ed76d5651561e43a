# SPDX-License-Identifier: MIT
"""Rays, and the contacts of many worlds in one call."""

import numpy as np
import pytest
from conftest import CUBE

import lanefold

UPRIGHT = np.float32([0, 0, 0, 1])


def row_of_shapes():
    """Cubes at x = 0 and 4, a ball at 8, a capsule at 12."""
    points = [*CUBE, [0, 0, 0], [0, -1, 0], [0, 1, 0]]
    hulls = lanefold.build_hulls(points, [0, 8, 9, 11], radius=[0, 1, 0.5])
    position = np.array([[0, 0, 0], [4, 0, 0], [8, 0, 0], [12, 0, 0]], float)
    return hulls, position, np.tile(UPRIGHT, (4, 1)), np.uint32([0, 0, 1, 2])


def test_rays_meet_the_first_body():
    rays = np.array(
        [
            [-5, 0, 0, 20, 0, 0],  # the first cube's side
            [8, 0, 9, 0, 0, -18],  # the ball from above
            [4.5, 0, 0, 1, 0, 0],  # begins in the second cube
            [0, 5, 0, 0, 1, 0],  # nothing
            [12, 0, 9, 0, 0, -18],  # the capsule from above
            [0, 0, 5, 0, 0, 0],  # no length
        ],
        float,
    )
    hits, result = lanefold.cast_rays(*row_of_shapes(), rays)
    states = [lanefold.RAY_STATES[s] for s in hits["state"]]
    assert states == ["hit", "hit", "inside", "miss", "hit", "failed"]
    assert result.by_state == {"miss": 1, "hit": 3, "inside": 1, "failed": 1} and result.left_out == 0
    assert hits["fraction"] == pytest.approx([0.2, 8 / 18, 0, 1, hits["fraction"][4], hits["fraction"][5]])
    assert hits["body"][[0, 1, 2, 4]].tolist() == [0, 2, 1, 3] and lanefold.STATUSES[hits["status"][5]] == "bad_pose"
    assert np.allclose(hits["normal"][:2], [[-1, 0, 0], [0, 0, 1]], atol=1e-6)
    two = rays.reshape(-1, 2, 3)
    out = np.zeros(6, lanefold.RAY_HIT)
    same, _ = lanefold.cast_rays(*row_of_shapes(), two, out=out, workspace=lanefold.SweepWorkspace())
    assert same is out and out.tobytes() == hits.tobytes()


def test_bad_rays_are_refused():
    bodies = row_of_shapes()
    with pytest.raises(ValueError, match=r"\(R, 6\)"):
        lanefold.cast_rays(*bodies, np.zeros((2, 3)))
    with pytest.raises(TypeError, match="numbers"):
        lanefold.cast_rays(*bodies, np.array([["a"] * 6]))
    with pytest.raises(ValueError, match="out must"):
        lanefold.cast_rays(*bodies, np.zeros((2, 6)), out=np.zeros(3, lanefold.RAY_HIT))
    position = bodies[1].copy()
    position[0, 0] = np.nan
    hits, result = lanefold.cast_rays(bodies[0], position, *bodies[2:], [[-5, 0, 0, 20, 0, 0]])
    assert result.left_out == 1 and hits["body"][0] == 1
    assert len(lanefold.cast_rays(*bodies, np.zeros((0, 6)))[0]) == 0


class Worlds:
    """So many worlds in one place, of three to six cubes each, and a floor that all share."""

    def __init__(self, count: int = 12) -> None:
        random = np.random.default_rng(9)
        self.count = count
        points = np.concatenate([CUBE, CUBE * np.float32([9, 9, 1])])
        self.hulls = lanefold.build_hulls(points, [0, 8, 16])
        sizes = random.integers(3, 7, count)
        self.offsets = np.concatenate([[0], np.cumsum(sizes)])
        n = int(self.offsets[-1])
        self.position = np.concatenate([random.uniform(-1.2, 1.2, (n, 3)), [[0, 0, -3]]]).astype(np.float32)
        self.orientation = np.tile(UPRIGHT, (n + 1, 1))
        self.hull = np.uint32([0] * n + [1])
        self.world = np.concatenate([np.repeat(np.arange(count), sizes), [lanefold.SHARED_BODY]])
        self.finder = lanefold.PairFinder()
        self.pairs = self.finder.find(self.hulls, *self.bodies, margin=0.1, world=self.world, worlds=count)

    @property
    def bodies(self):
        return self.position, self.orientation, self.hull


def test_every_world_has_the_records_of_a_call_of_its_own():
    w = Worlds()
    ends = w.finder.world_offsets
    assert len(ends) == 13 and ends[-1] == len(w.pairs) > 60
    owner = w.world[w.pairs]
    assert all(set(row) <= {k, -1} for k in range(12) for row in owner[ends[k] : ends[k + 1]])
    candidates = np.zeros(len(w.pairs), np.uint32)
    records, each, sums = lanefold.collide_worlds(
        w.hulls, *w.bodies, w.pairs, ends, body_offsets=w.offsets, margin=0.1, candidates=candidates
    )
    assert len(records) == len(w.pairs) and sums.truncated == 0
    floor = len(w.position) - 1
    for k in range(12):
        own = np.append(np.arange(w.offsets[k], w.offsets[k + 1]), floor)
        pairs = w.pairs[ends[k] : ends[k + 1]]
        local = np.searchsorted(own, pairs).astype(np.uint32)
        alone, result = lanefold.collide_compact(w.hulls, *(a[own] for a in w.bodies), local, margin=0.1)
        mine = records[ends[k] :][: each["written"][k]]
        assert mine.tobytes() == alone.tobytes() and len(alone) > 0
        assert f"{each['hash'][k]:016x}" == result.hash and each["touching"][k] == result.touching
        assert each["deepest"][k] == alone["distance"].min()
        assert each["by_kind"][k].tolist() == list(result.by_kind.values())
        chosen = w.pairs[candidates[ends[k] :][: each["written"][k]]]
        assert np.array_equal(np.searchsorted(own, chosen), alone["pair"])
    assert sums.written == each["written"].sum() and sums.touching == each["touching"].sum()


def test_a_full_world_costs_no_other_a_record_and_masked_ones_take_no_part():
    w = Worlds()
    full, each, _ = lanefold.collide_worlds(w.hulls, *w.bodies, w.pairs, w.finder.world_offsets, margin=0.1)
    room = each["written"].copy()
    room[4] -= 1
    ends = np.concatenate([[0], np.cumsum(room)]).astype(np.uint64)
    out = np.zeros(int(ends[-1]), lanefold.MANIFOLD4)
    results = np.zeros(12, lanefold.WORLD_RESULT)
    records, tight, sums = lanefold.collide_worlds(
        w.hulls, *w.bodies, w.pairs, w.finder.world_offsets, ends, margin=0.1, out=out, results=results
    )
    assert records is out and tight is results and sums.truncated == 1
    assert lanefold.STATUSES[tight["status"][4]] == "truncated" and tight["required"][4] == each["written"][4]
    assert (np.delete(tight["status"], 4) == 0).all()
    for k in range(12):
        n = int(room[k])
        assert records[ends[k] :][:n].tobytes() == full[w.finder.world_offsets[k] :][:n].tobytes()
    active = np.arange(12) % 3 == 0
    found = w.finder.find(w.hulls, *w.bodies, margin=0.1, world=w.world, worlds=12, active=active)
    ends = w.finder.world_offsets
    assert (np.diff(ends.astype(int))[~active] == 0).all() and 0 < len(found) < len(w.pairs)
    _, some, _ = lanefold.collide_worlds(w.hulls, *w.bodies, found, ends, active=active, margin=0.1, capacity=16)
    assert np.array_equal(some["written"], np.where(active, each["written"], 0))


def test_bodies_at_rest_keep_the_records_of_the_call_before():
    w = Worlds()
    ends = w.finder.world_offsets
    named = {"body_offsets": w.offsets, "margin": 0.1}
    records, each, sums = lanefold.collide_worlds(w.hulls, *w.bodies, w.pairs, ends, **named)
    marked = records.copy()
    marked["total"] = 77  # shows which records were kept
    rest = np.ones(len(w.position), bool)
    rest[w.offsets[5]] = False
    before = {"previous": marked, "previous_offsets": ends, "previous_results": each.copy()}
    again, results, same = lanefold.collide_worlds(w.hulls, *w.bodies, w.pairs, ends, **named, **before, unmoved=rest)
    assert (same.touching, same.written) == (sums.touching, sums.written)
    kept = 0
    for k in range(12):
        mine, was = (a[ends[k] :][: each["written"][k]] for a in (again, records))
        assert np.array_equal(mine["pair"], was["pair"]) and np.array_equal(mine["points"], was["points"])
        moved = (was["pair"] == 0).any(axis=1) & (k == 5)
        assert np.array_equal(mine["total"] == 77, ~moved)
        kept += int((~moved).sum())
    assert results["touching"].sum() == sums.touching and 0 < kept < sums.written


def test_bad_worlds_are_refused():
    w = Worlds(3)
    call = w.hulls, *w.bodies, w.pairs
    ends = w.finder.world_offsets
    with pytest.raises(lanefold.LanefoldError):
        lanefold.collide_worlds(*call, ends[::-1].copy(), ends)
    with pytest.raises(lanefold.LanefoldError):
        lanefold.collide_worlds(*call, ends, ends[:-1])
    with pytest.raises(lanefold.LanefoldError):
        lanefold.collide_worlds(*call, ends, body_offsets=w.offsets[:-1])
    with pytest.raises(lanefold.LanefoldError) as caught:  # the bodies of world 0 end before its pairs do
        lanefold.collide_worlds(*call, ends, body_offsets=[0, 1, 2, 3])
    assert "world" in caught.value.what
    with pytest.raises(ValueError, match="pair_offsets"):
        lanefold.collide_worlds(*call, [])
    with pytest.raises(ValueError, match="active"):
        lanefold.collide_worlds(*call, ends, active=[True])
    with pytest.raises(ValueError, match="results"):
        lanefold.collide_worlds(*call, ends, results=np.zeros(2, lanefold.WORLD_RESULT))
    with pytest.raises(ValueError, match="candidates"):
        lanefold.collide_worlds(*call, ends, candidates=np.zeros(1, np.uint32))
    with pytest.raises(lanefold.LanefoldError, match="unmoved"):
        lanefold.collide_worlds(*call, ends, unmoved=np.zeros(len(w.position), bool))
    with pytest.raises(ValueError, match="previous_results"):
        lanefold.collide_worlds(*call, ends, previous_offsets=ends, previous_results=np.zeros(2, lanefold.WORLD_RESULT))
    find = lanefold.PairFinder().find
    with pytest.raises(lanefold.LanefoldError, match="world"):
        find(w.hulls, *w.bodies, world=w.world + 1, worlds=3)
    with pytest.raises(lanefold.LanefoldError, match="world"):
        find(w.hulls, *w.bodies, world=w.world, worlds=0)
    with pytest.raises(ValueError, match="motion"):
        find(w.hulls, *w.bodies, motion=np.zeros((1, 3)))
    with pytest.raises(lanefold.LanefoldError, match="growth"):
        find(w.hulls, *w.bodies, growth=np.full(len(w.position), -1.0))


def test_growth_and_motion_make_pairs():
    hulls = lanefold.build_hulls(CUBE)
    bodies = np.float32([[0, 0, 0], [5, 0, 0]]), np.tile(UPRIGHT, (2, 1)), [0, 0]
    find = lanefold.PairFinder().find
    assert len(find(hulls, *bodies)) == 0
    assert find(hulls, *bodies, growth=[0, 3.1]).tolist() == [[0, 1]]
    assert find(hulls, *bodies, motion=[[3.1, 0, 0], [0, 0, 0]]).tolist() == [[0, 1]]
    assert len(find(hulls, *bodies, motion=[[0, 9, 0], [0, 0, 0]])) == 0
