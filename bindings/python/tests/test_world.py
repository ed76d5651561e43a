# SPDX-License-Identifier: MIT
"""Bodies that move."""

import subprocess
import threading

import numpy as np
import pytest
from conftest import CUBE, ROOT

import lanefold

PROGRAM = ROOT / "build/release/tools/lanefold"
UPRIGHT = np.float32([0, 0, 0, 1])


def tower(count: int, **settings):
    """Cubes of 1 m on a floor whose top is at height 0."""
    hulls = lanefold.build_hulls(np.concatenate([CUBE * np.float32(0.5), CUBE * np.float32([20, 1, 20])]), [0, 8, 16])
    world = lanefold.World(hulls, **settings)
    world.add_bodies([[0, -1, 0]], [UPRIGHT], [1], kind="fixed")
    position = [[0, 0.5 + i, 0] for i in range(count)]
    world.add_bodies(position, np.tile(UPRIGHT, (count, 1)), np.zeros(count, np.uint32), density=500)
    return world


def test_a_simulation_has_the_bits_of_the_program(tmp_path):
    if not PROGRAM.exists():
        pytest.skip("the program is not built")
    scene = lanefold.Scene(ROOT / "tests/data/scenes/debris_pile")
    command = [PROGRAM, "simulate", ROOT / "tests/data/scenes/debris_pile", "-o", tmp_path / "moved"]
    subprocess.run([*command, "--steps", "12", "--every", "4", "--no-pairs", "--progress", "none"], check=True)
    theirs = lanefold.Scene(tmp_path / "moved")
    last = len(scene) - 1
    inverse = getattr(scene, "inverse_mass", None)
    kind, mass = "dynamic", None
    if inverse is not None:
        inverse = np.asarray(inverse)
        kind = np.where(inverse == 0, "fixed", "dynamic")
        mass = np.where(inverse == 0, np.float32(0), np.float32(1) / np.where(inverse == 0, np.float32(1), inverse))
    group = getattr(scene, "group", None)
    position, orientation = lanefold.simulate(
        scene.build_hulls(),
        *scene.poses(last),
        scene.body_hull,
        steps=12,
        every=4,
        kind=kind,
        mass=mass,
        group=0 if group is None else np.asarray(group),
    )
    assert len(theirs) == len(position) == 4
    assert not np.array_equal(position[0], position[3])
    for frame in range(4):
        p, q = theirs.poses(frame)
        assert np.array_equal(p.astype(np.float64), position[frame].astype(p.dtype).astype(np.float64))
        assert np.array_equal(q, orientation[frame])


def test_a_compound_is_one_body():
    """A table of five boxes carries a cube; its legs' contacts are named."""
    half = np.float32([[0.5, 0.04, 0.3], [0.04, 0.36, 0.04], [10, 1, 10], [0.15, 0.15, 0.15]])
    points = np.concatenate([CUBE * h for h in half])
    boxes = lanefold.build_hulls(points, np.arange(5) * 8)
    legs = [[x, 0.36, z] for x in (-0.46, 0.46) for z in (-0.26, 0.26)]
    hulls = lanefold.build_compounds(boxes, [[0, 0.76, 0], *legs], np.tile(UPRIGHT, (5, 1)), [0, 1, 1, 1, 1])
    for batch in (False, True):
        world = lanefold.WorldBatch(hulls, 2) if batch else lanefold.World(hulls)
        place = [[0, -1, 0], [0, 0.02, 0], [0.1, 1.0, 0]]
        kind = ["fixed", "dynamic", "dynamic"]
        world.add_bodies(place, np.tile(UPRIGHT, (3, 1)), [2, 4, 3], kind=kind)
        for _ in range(180):
            world.step(1 / 60)
        heights = np.asarray(world.position[1, :, 1] if batch else world.position[:, 1])
        np.testing.assert_allclose(heights, [-1, 0, 0.95], atol=5e-3)
        if batch:
            continue
        on_floor = world.contacts[world.contacts["pair"][:, 0] == 0]
        assert on_floor["child_b"].tolist() == [1, 2, 3, 4] and not on_floor["child_a"].any()


def test_a_tower_stands_and_carries_its_weight():
    world = tower(5, sleep=False)
    start = world.position
    for _ in range(120):
        result = world.step(1 / 60)
    assert result.contacts == 5 and result.points == 20 and result.awake == 5 and result.asleep == 0
    assert np.abs(world.position - start).max() < 0.01
    assert world.mass == pytest.approx([0] + 5 * [500], rel=1e-6)
    contacts, impulses = world.contacts, world.impulses
    assert contacts["pair"].tolist() == [[i, i + 1] for i in range(5)]
    # Ten substeps a step: each contact carries what stands on it.
    weight = impulses["normal"].sum(axis=1) * 60 * 10
    assert weight == pytest.approx([500 * 9.81 * (5 - i) for i in range(5)], rel=0.02)
    assert world.motion["mass"] == pytest.approx(2500, rel=1e-6) and world.motion["kinetic_energy"] < 1


def test_what_rests_sleeps_and_wakes():
    world = tower(2)
    while not world.asleep[1:].all():
        assert world.step(1 / 60).awake <= 2
    world.apply_impulse(2, [1000, 0, 0], world.centre[2])
    assert not world.asleep[2]
    assert world.velocity[2] == pytest.approx([2, 0, 0], abs=0.01)
    world.set_velocity(2, [0, 0, 0], [0, 3, 0])
    assert np.array_equal(world.spin[2], np.float32([0, 3, 0]))
    world.set_pose(2, [5, 0.5, 0], UPRIGHT)
    assert np.array_equal(world.position[2], [5, 0.5, 0])


def test_links_hold_and_tell_their_force():
    world = lanefold.World(lanefold.build_hulls(CUBE * np.float32(0.5)))
    world.add_bodies([[0, 0, 0]], [UPRIGHT], [0], mass=10)
    world.add_links([0], None, [[0, 0, 0]], [[0, 3, 0]], 3.0)
    for _ in range(60):
        world.step(1 / 60)
    assert world.position[0] == pytest.approx([0, 0, 0], abs=1e-3)
    assert world.link_force(0) == pytest.approx(-98.1, rel=0.01)


def test_a_saved_world_goes_on_to_the_same_bits():
    one, other = tower(6), tower(6)
    one.apply_impulse(3, [900, 0, 300], one.centre[3])
    for _ in range(10):
        one.step(1 / 60)
    state = one.save()
    for _ in range(20):
        one.step(1 / 60)
    other.restore(state)
    for _ in range(20):
        other.step(1 / 60)
    for name in ("position", "orientation", "velocity", "spin"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    with pytest.raises(lanefold.LanefoldError):
        other.restore(state[:-1])
    with pytest.raises(lanefold.LanefoldError):
        tower(5).restore(state)


def test_a_world_refuses_a_bad_reuse_and_damaged_anchors():
    for bad in (-1e-3, np.inf, np.nan, 0.11):
        with pytest.raises(ValueError, match="reuse"):
            tower(2, reuse=bad)
    wedge = np.float32([[0.5, 0, 0], [-0.5, 0, 0.5], [-0.5, 0, -0.5], [0, 0.8, 0]])
    hulls = lanefold.build_hulls(np.concatenate([wedge, CUBE * np.float32([20, 1, 20])]), [0, 4, 12])
    world = lanefold.World(hulls, reuse=0.01, sleep=False)
    world.add_bodies([[0, -1, 0]], [UPRIGHT], [1], kind="fixed")
    world.add_bodies([[0, 0.01, 0]], [UPRIGHT], [0])
    carried = sum(world.step(1 / 60).carried for _ in range(30))
    assert carried > 10
    state = bytearray(world.save())
    state[-40] ^= 1  # of the last anchor
    with pytest.raises(lanefold.LanefoldError, match="damaged"):
        world.restore(bytes(state))
    state[-40] ^= 1
    world.restore(bytes(state))


def test_pairs_of_ones_own_give_the_same_bits():
    one, other = tower(4), tower(4)
    every = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    for _ in range(30):
        one.step(1 / 60)
        other.step(1 / 60, every)
    assert np.array_equal(one.position, other.position)


def test_refusals_say_what_and_where_and_change_nothing():
    world = tower(1)
    two = np.tile(UPRIGHT, (2, 1))
    with pytest.raises(lanefold.LanefoldError) as refused:
        world.add_bodies([[0, 3, 0], [0, 4, 0]], two, [0, 9])
    assert refused.value.where == 1
    with pytest.raises(lanefold.LanefoldError):
        world.add_bodies([[0, 3, 0], [0, np.nan, 0]], two, [0, 0])
    with pytest.raises(ValueError, match="kind"):
        world.add_bodies([[0, 3, 0]], [UPRIGHT], [0], kind="floating")
    with pytest.raises(ValueError, match="density"):
        world.add_bodies([[0, 3, 0]], [UPRIGHT], [0], density=[1, 2])
    assert len(world) == 2
    with pytest.raises(TypeError, match="gravitation"):
        world.set(gravitation=(0, 0, 0))
    with pytest.raises(lanefold.LanefoldError):
        world.set(substeps=0)
    with pytest.raises(lanefold.LanefoldError):
        world.step(-1.0)
    with pytest.raises(lanefold.LanefoldError):
        world.set_velocity(7, [0, 0, 0])
    with pytest.raises(lanefold.LanefoldError):
        world.add_links([0], [9], [[0, 0, 0]], [[0, 0, 0]], 1.0)
    with pytest.raises(ValueError, match="steps"):
        lanefold.simulate(lanefold.build_hulls(CUBE), [[0, 0, 0]], [UPRIGHT], [0], steps=-1)


def test_threads_give_the_same_bits_and_two_at_once_are_refused():
    worlds = [tower(30, threads=n) for n in (1, 2)]
    for world in worlds:
        world.apply_impulse(15, [2000, 0, 0], world.centre[15])
        for _ in range(30):
            world.step(1 / 60)
    assert np.array_equal(worlds[0].position, worlds[1].position)

    world, refused, begun = tower(30, sleep=False, substeps=50), [], threading.Event()

    def work():
        for _ in range(300):
            begun.set()
            try:
                world.step(1 / 60)
            except RuntimeError:
                pass

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    while thread.is_alive():
        try:
            world.step(1 / 60)
        except RuntimeError as error:
            refused.append(str(error))
    thread.join()
    assert all("another thread" in text for text in refused)
    assert np.isfinite(world.position).all()


def test_a_stop_flag_ends_a_simulation():
    stop = lanefold.StopFlag()
    stop.request_stop()
    hulls = lanefold.build_hulls(CUBE)
    position, orientation = lanefold.simulate(hulls, [[0, 0, 0]], [UPRIGHT], [0], steps=5, stop=stop)
    assert position.shape == (1, 1, 3) and orientation.shape == (1, 1, 4)


def test_a_step_tells_what_is_lost_and_which_link_is_off():
    world = tower(2, sleep=False)
    assert world.step(1 / 60).lost == 0 and world.lost == []
    world.set_pose(1, [1e39, 0, 0], UPRIGHT)
    result = world.step(1 / 60)
    assert result.lost == 1 and result.awake == 1
    assert world.lost == [(1, 2)]
    with pytest.raises(ValueError, match="lost"):
        world.set_velocity(1, [0, 1, 0])
    world.set_pose(1, [0, 0.5, 0], UPRIGHT)
    assert world.lost == []
    world.add_links([2], None, [[0, 0, 0]], [[5, 1.5, 0]], 4.0)
    result = world.step(1 / 60)
    assert result.links == 1 and result.worst_link == 0
    assert result.link_error == abs(world.link_error(0)) / 4 > 0.1
    assert world.link_error(0) > 0


POSITIVE = ["unit", "contact_damping", "link_damping"]
NOT_NEGATIVE = (
    "contact_hertz link_hertz push_speed restitution_threshold linear_damping angular_damping margin face_preference "
    "hysteresis sleep_speed sleep_time reuse"
).split()
BAD_SETTINGS = [(name, value) for name in POSITIVE + NOT_NEGATIVE for value in (np.nan, np.inf, -1, 1e300)]
BAD_SETTINGS += [(name, 0) for name in POSITIVE]
BAD_SETTINGS += [("reuse", 0.11), ("substeps", 0), ("substeps", 1001)]
BAD_SETTINGS += [("gravity", (0, value, 0)) for value in (np.nan, -np.inf, 1e13)]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("name", "value"), BAD_SETTINGS)
def test_a_setting_that_cannot_be_is_refused_with_one_that_would_do(name, value):
    world, other = tower(2), tower(2)
    for make in (world.set, lambda **bad: lanefold.World(lanefold.build_hulls(CUBE), **bad)):
        with pytest.raises(lanefold.LanefoldError, match=name) as refused:
            make(**{name: value})
        assert "would do" in str(refused.value)
    # Nothing is lost: the world goes on to the bits of one that was not asked.
    world.step(1 / 60)
    other.step(1 / 60)
    assert world.save() == other.save()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("mass", (np.nan, np.inf, -1, 1e-42, 1e300)),
        ("density", (0, np.nan, np.inf, -1, 1e-300, 1e300)),
        ("friction", (np.nan, np.inf, -1, 1e300)),
        ("restitution", (np.nan, -1, 1.5)),
        ("velocity", ([np.nan, 0, 0], [1e13, 0, 0], [0, 1e300, 0])),
        ("spin", ([np.inf, 0, 0], [0, 0, -1e13])),
        ("scale", (0, np.nan, np.inf, -1)),
    ],
)
def test_a_body_that_cannot_be_is_refused_and_none_is_added(name, values):
    world = tower(1)
    before = world.save()
    for value in values:
        column = np.array([np.full_like(value, 1, float), value], float)  # the first would do
        with pytest.raises(lanefold.LanefoldError, match=name) as refused:
            world.add_bodies([[0, 3, 0], [0, 5, 0]], [UPRIGHT] * 2, [0, 0], **{name: column})
        assert refused.value.where == 1, value
        assert len(world) == 2 and world.save() == before
