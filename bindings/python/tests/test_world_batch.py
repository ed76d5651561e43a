# SPDX-License-Identifier: MIT
"""Many worlds, beside worlds alone."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import CUBE, ROOT

import lanefold

UPRIGHT = np.float32([0, 0, 0, 1])
STEP = 1 / 60


def bodies(count: int):
    position = [[0, -1, 0]] + [[0.1 * i, 0.6 + 1.1 * i, 0] for i in range(count)]
    return {
        "position": position,
        "orientation": np.tile(UPRIGHT, (count + 1, 1)),
        "hull": np.uint32([1] + [0] * count),
        "kind": ["fixed"] + ["dynamic"] * count,
    }


def hulls():
    return lanefold.build_hulls(np.concatenate([CUBE * np.float32(0.5), CUBE * np.float32([20, 1, 20])]), [0, 8, 16])


def batch_of(worlds: int, count: int = 3, **settings):
    batch = lanefold.WorldBatch(hulls(), worlds, **settings)
    batch.add_bodies(**bodies(count))
    return batch


def test_worlds_have_the_bits_of_worlds_alone():
    random = np.random.default_rng(1)
    batch = batch_of(5, threads=2)
    gravity = np.float32([[0, -8 - w, 0] for w in range(5)])
    batch.set_gravity(gravity)
    alone = []
    for w in range(5):
        world = lanefold.World(hulls(), gravity=gravity[w].tolist())
        world.add_bodies(**bodies(3))
        alone.append(world)
    batch.keep()
    start = [world.save() for world in alone]
    for step in range(60):
        active = random.uniform(size=5) < 0.8
        force = random.uniform(-2e3, 2e3, (5, 3)).astype(np.float32)
        batch.force[:, 1] = force
        result = batch.step(STEP, active)
        assert result.done == active.sum() and result.refused == 0
        for w in np.flatnonzero(active):
            centre = alone[w].centre[1]
            impulse = (force[w].astype(np.float64) * STEP).astype(np.float32)
            alone[w].apply_impulse(1, impulse, centre)
            alone[w].step(STEP)
        if step == 40:
            batch.reset(~active)
            assert not batch.force[~active].any()
            for w in np.flatnonzero(~active):
                alone[w].restore(start[w])
        for w in range(5):
            assert batch.save(w) == alone[w].save()
            assert np.array_equal(batch.position[w], alone[w].position)
            assert np.array_equal(batch.velocity[w], alone[w].velocity)


def test_arrays_are_the_memory_of_the_batch():
    batch = batch_of(4)
    position, force = batch.position, batch.contact_force
    assert position.shape == (4, 4, 3) and batch.touches.shape == (4, 4)
    assert batch.offsets.tolist() == [0, 4, 8, 12, 16]
    before = position.copy()
    for _ in range(60):
        batch.step(STEP, np.array([True, False, True, True]))
    assert np.array_equal(position[1], before[1]) and not np.array_equal(position[0], before[0])
    assert position is batch.position
    # The floor carries all three cubes, of 1,000 kg each.
    assert -force[0, 0, 1] == pytest.approx(3 * 9810, rel=0.05)
    assert batch.touches[0, 0] >= 1 and batch.touches[1, 0] == 0
    position[2, 3] = [5, 3, 0]
    batch.write()
    batch.step(STEP)
    assert position[2, 3, 0] == pytest.approx(5, abs=0.1)
    with pytest.raises(ValueError):
        force[0, 0, 0] = 1
    del batch
    assert position[2, 3, 0] == pytest.approx(5, abs=0.1)  # the array keeps the batch


def test_bodies_that_all_worlds_share_and_bodies_of_each():
    batch = lanefold.WorldBatch(hulls(), 3)
    position = np.zeros((3, 2, 3))
    position[:, :, 1] = [0.6, 1.8]
    position[:, 0, 0] = [0, 1, 2]
    ids = np.uint32([0, 0])
    mass = np.float32([[1, 2], [3, 4], [5, 6]])
    with pytest.raises(lanefold.LanefoldError, match="mass must be finite") as refused:
        batch.add_bodies(position, UPRIGHT, ids, mass=mass * [[1, 1], [1, -1], [1, 1]])
    assert refused.value.where == 3
    with pytest.raises(ValueError, match="active must be None"):
        batch.add_bodies(position, UPRIGHT, ids, active=np.ones(3, bool))
    batch.add_bodies(position, UPRIGHT, ids, mass=mass, friction=np.float32([0.2, 0.8]))
    floor = {"position": [[0, -1, 0]], "orientation": [UPRIGHT], "hull": np.uint32([1])}
    batch.add_shared(**floor, friction=0.4)
    assert batch.shared == 1
    with pytest.raises(lanefold.LanefoldError, match="come last"):
        batch.add_bodies([[0, 9, 0]], [UPRIGHT], np.uint32([0]))
    assert batch.position.shape == (3, 2, 3)
    assert np.array_equal(batch.position, position)
    batch.impulse[1, 1] = [0, 4, 0]
    batch.step(STEP)
    assert not batch.impulse.any()
    assert batch.velocity[1, 1, 1] == pytest.approx(1 - 9.81 * STEP, rel=1e-3)
    for _ in range(60):
        batch.step(STEP)
    # The lower cube carries both.
    assert batch.contact_force[:, 0, 1] == pytest.approx(9.81 * mass[:, 0], rel=0.05)
    alone = lanefold.World(hulls())
    alone.add_bodies(position[2], np.tile(UPRIGHT, (2, 1)), ids, mass=mass[2], friction=np.float32([0.2, 0.8]))
    alone.add_bodies(**floor, kind="fixed", friction=0.4)
    for _ in range(61):
        alone.step(STEP)
    assert batch.save(2) == alone.save()
    more = hulls().append(lanefold.build_hulls(CUBE))
    with pytest.raises(lanefold.LanefoldError, match="another hull"):
        batch.set_hulls(more)
    same = lanefold.WorldBatch(more, 2)
    same.set_hulls(more.append(lanefold.build_hulls(CUBE)))


def test_targets_and_bodies_in_store():
    batch = lanefold.WorldBatch(hulls(), 3)
    kinds = ["kinematic", "dynamic", "dynamic"]
    position = np.array([[0, 0.5, 0], [0, 1.5, 0], [9, 5, 0]])
    batch.add_bodies(position, np.tile(UPRIGHT, (3, 1)), np.uint32([0, 0, 0]), kind=kinds)
    batch.present[:, 2] = False
    batch.write()
    batch.keep()
    alone = lanefold.World(hulls())
    alone.add_bodies(position, np.tile(UPRIGHT, (3, 1)), np.uint32([0, 0, 0]), kind=kinds)
    alone.remove(2)
    assert alone.removed.tolist() == [False, False, True]
    batch.has_target[1:, 0] = True
    for step in range(60):
        batch.target_position[1, 0, 1] = 0.5 + 0.01 * step
        alone.set_target(0, [0, 0.5 + 0.01 * step, 0], UPRIGHT, STEP)
        assert batch.step(STEP).refused == 0
        alone.step(STEP)
        assert batch.save(1) == alone.save()
    assert np.allclose(batch.position[:, 0, 1], [0.5, 0.5 + 0.59, 0.5], atol=1e-6)
    assert batch.position[1, 1, 1] == pytest.approx(2.09, abs=0.02)  # it is carried
    assert batch.present.tolist() == [[True, True, False]] * 3
    assert batch.results["awake"].tolist() == [0, 1, 0] and batch.results["asleep"].tolist() == [1, 0, 1]
    assert batch.asleep.tolist() == [[False, True, False], [False, False, False], [False, True, False]]
    with pytest.raises(ValueError):
        batch.asleep[0, 0] = True
    batch.position[0, 2] = [0, 4, 0]
    batch.present[0, 2] = True
    batch.write()
    batch.step(STEP)
    assert batch.present[0].all() and batch.velocity[0, 2, 1] < 0
    batch.has_target[0, 1] = True
    assert batch.step(STEP).refusals == [(0, "target: the body is not kinematic", 1)]
    batch.reset()
    assert not batch.has_target.any() and not batch.present[:, 2].any()
    assert np.array_equal(batch.target_position, batch.position)


def test_what_is_refused():
    batch = batch_of(3)
    with pytest.raises(ValueError, match="active must be"):
        batch.step(STEP, np.ones(2, bool))
    with pytest.raises(lanefold.LanefoldError, match="no state was kept"):
        batch.reset()
    with pytest.raises(lanefold.LanefoldError, match="dt must be"):
        batch.step(0)
    batch.force[1, 2, 0] = np.nan
    result = batch.step(STEP)
    assert (result.done, result.refused) == (2, 1)
    assert result.refusals == [(1, "forces or torques are not finite", 2)]
    with pytest.raises(RuntimeError, match="arrays of the batch are in use"):
        batch.add_bodies(**bodies(1))
    with pytest.raises(IndexError):
        batch.save(3)


def test_refusals_name_the_world():
    batch = batch_of(4)
    batch.keep()
    batch.position[0, 1] = np.nan
    batch.velocity[2, 1] = np.inf
    with pytest.raises(lanefold.LanefoldError, match="^world 0: position is not finite, and 1 more world$"):
        batch.write()
    batch.reset()
    gravity = np.full((4, 3), [0, 5.0, 0])
    with pytest.raises(ValueError, match=r"must have the shape \(4, 3\), it has \(3,\); one for all.*set\(gravity"):
        batch.set_gravity(gravity[0])
    for wrong in (np.nan, 1e300, 1e13):
        gravity[2, 1] = wrong
        with pytest.raises(lanefold.LanefoldError, match=r"world 2: settings.gravity is .* \(at 2\)"):
            batch.set_gravity(gravity)
    with pytest.raises(TypeError, match="gravity must be three numbers"):
        batch.set(gravity=gravity[:3])
    for _ in range(10):
        batch.step(STEP)
    assert (batch.velocity[:, 1:, 1] < 0.1).all()  # no world has got the other gravity


def test_the_number_of_threads_wakes_nobody():
    batches = batch_of(2), batch_of(2)
    for _ in range(120):
        [batch.step(STEP) for batch in batches]
    batches[0].set(threads=2)
    batches[0].set()
    [batch.step(STEP) for batch in batches]
    assert batches[0].asleep[:, 1:].all()
    assert [batches[0].save(w) for w in range(2)] == [batches[1].save(w) for w in range(2)]
    batches[0].set_gravity(np.full((2, 3), [0, 5, 0]))
    batches[0].step(STEP)
    assert not batches[0].asleep[:, 1:].any()


def test_worlds_without_bodies_have_arrays_without_rows():
    batch = lanefold.WorldBatch(hulls(), 3)
    batch.add_shared([[0, -1, 0]], [UPRIGHT], [1])
    assert batch.position.shape == (3, 0, 3) and batch.present.shape == (3, 0)
    assert batch.step(STEP).done == 3
    assert lanefold.WorldBatch(hulls(), 0).position.shape == (0, 3)


def test_arguments_of_bodies_are_named_when_they_do_not_fit():
    batch = lanefold.WorldBatch(hulls(), 3, threads=2)
    each = np.zeros((3, 2, 3)), UPRIGHT
    with pytest.raises(ValueError, match=r"position must have the shape \(3, 2, 3\).*it has \(4, 2, 3\)"):
        batch.add_bodies(np.zeros((4, 2, 3)), UPRIGHT, 0)
    with pytest.raises(ValueError, match=r"mass must have the shape \(3, 2\), \(2,\) or \(\), it has \(3,\)"):
        batch.add_bodies(*each, 0, mass=[1, 2, 3])
    with pytest.raises(ValueError, match=r"hull must have the shape \(3, 2\).*it has \(2, 2\)"):
        batch.add_bodies(*each, lanefold.at_scale([0, 0], 2))
    with pytest.raises(ValueError, match=r"kind must be one for all or have the shape \(2,\)"):
        batch.add_bodies([[0, 0, 0], [9, 0, 0]], [UPRIGHT] * 2, [0, 0], kind=["fixed"])
    for call in (batch.add_bodies, batch.add_shared, lambda *a, **k: batch.add_bodies(*each, 0, **k)):
        with pytest.raises(TypeError, match="no argument 'masss'; there are category"):
            call([[0, 0, 0]], [UPRIGHT], [0], masss=1)
    with pytest.raises(TypeError, match="no argument 'kind'"):
        batch.add_shared([[0, 0, 0]], [UPRIGHT], [0], kind="fixed")
    with pytest.raises(TypeError, match="threads must be"):
        batch.set(threads=-1)
    with pytest.raises(MemoryError):
        lanefold.WorldBatch(hulls(), 2**63)
    assert len(batch.position[0]) == 0


def test_the_example_runs():
    example = ROOT / "examples/python/environments.py"
    ran = subprocess.run([sys.executable, example, "32", "200"], capture_output=True, text=True, check=True)
    assert "32 worlds, 200 steps" in ran.stdout
    loads = int(ran.stdout.split("; ")[1].split()[0])
    assert loads > 0, ran.stdout
