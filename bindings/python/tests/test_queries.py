# SPDX-License-Identifier: MIT
"""Questions to the scene of a finder: closed forms, brute force, filters, refusals."""

import numpy as np
import pytest
from conftest import CUBE

import lanefold

UPRIGHT = np.float32([0, 0, 0, 1])


def row_of_cubes():
    """Cubes of side 2 at x = 0, 5 and 10, as the scene of a finder."""
    hulls = lanefold.build_hulls(CUBE)
    position = np.array([[0, 0, 0], [5, 0, 0], [10, 0, 0]], np.float64)
    finder = lanefold.PairFinder()
    finder.find(hulls, position, np.tile(UPRIGHT, (3, 1)), np.uint32([0, 0, 0]), group=[0, 7, 0])
    return finder


def shapes(*position):
    return np.array(position, np.float64), np.tile(UPRIGHT, (len(position), 1)), np.zeros(len(position), np.uint32)


def test_rays_over_a_finders_tree_are_those_of_the_bodies(pile):
    random = np.random.default_rng(5)
    rays = np.concatenate([random.uniform(-6, 6, (400, 3)), random.normal(size=(400, 3)) * 8], axis=1)
    finder = lanefold.PairFinder()
    finder.find(pile.hulls, *pile.bodies)
    hits, result = finder.cast_rays(rays)
    same, expected = lanefold.cast_rays(pile.hulls, *pile.bodies, rays)
    assert hits.tobytes() == same.tobytes() and result == expected
    assert result.by_state["hit"] > 50 and result.by_state["inside"] > 5
    offsets, every, _ = finder.cast_rays_all(rays)
    first = every[offsets[:-1][hits["state"] != 0]]
    assert np.array_equal(first["body"], hits["body"][hits["state"] != 0])
    assert np.array_equal(np.diff(offsets) > 0, hits["state"] != 0) and offsets[-1] == len(every) > len(first)
    shadow, _ = finder.cast_rays(rays, any=True)
    assert np.array_equal(shadow["state"] != 0, hits["state"] != 0)


def test_overlaps_and_closest_points_have_closed_forms():
    finder = row_of_cubes()
    at = shapes([2.25, 0, 0], [0, 9, 0])
    offsets, bodies, result = finder.overlaps(*at, margin=1)
    assert offsets.tolist() == [0, 2, 2] and bodies.tolist() == [0, 1]
    assert result.touching == 1 and result.first_bad == 2 and result.statuses.tolist() == [0, 0]
    points, _ = finder.closest_points(*at, [1, 3])
    assert points["body"].tolist() == [0, lanefold.NO_BODY] and points["distance"].tolist() == [0.25, np.inf]
    assert points["normal"][0].tolist() == [-1, 0, 0]
    offsets, points, _ = finder.closest_points_all(*at, 20)
    assert offsets.tolist() == [0, 3, 6] and points["body"].tolist()[:3] == [0, 1, 2]
    assert points["distance"][:3] == pytest.approx([0.25, 0.75, 5.75])
    assert (points["on_body"] - points["on_shape"])[1] == pytest.approx([0.75, 0, 0])
    # A filter of the query leaves out the body of its group.
    _, bodies, _ = finder.overlaps(*at, margin=1, group=[7, 7])
    assert bodies.tolist() == [0]


def test_more_records_than_there_was_room_for():
    finder = row_of_cubes()
    offsets, points, _ = finder.closest_points_all(*shapes(*[[0.1 * i, 4, 0] for i in range(40)]), 100)
    assert offsets[-1] == len(points) == 120 and np.all(np.diff(offsets.astype(np.int64)) == 3)


def test_shapes_on_a_motion():
    finder = row_of_cubes()
    first = shapes([2.5, 0, 0], [0, 9, 0], [0, 9, 0])
    last = np.array([[4.5, 0, 0], [0, 1, 0], [0, 8, 0]])
    hits, result = finder.cast_shapes(*first, last, first[1])
    assert [lanefold.SWEEP_STATES[s] for s in hits["state"]] == ["hit", "hit", "miss"]
    assert hits["body"].tolist() == [1, 0, lanefold.NO_BODY] and result.touching == 2
    assert 0.249 < hits["fraction"][0] <= 0.25 and 0.874 < hits["fraction"][1] <= 0.875 and hits["fraction"][2] == 1
    offsets, every, _ = finder.cast_shapes_all(*first, last + [20, 0, 0], None, spins=np.zeros((3, 3)))
    assert offsets.tolist()[1] == 2 and every["body"][:2].tolist() == [1, 2]


def test_bad_shapes_are_a_status_and_bad_arguments_refused():
    finder = row_of_cubes()
    at = shapes([2.25, 0, 0], [np.nan, 0, 0])
    _, _, result = finder.overlaps(*at, margin=1)
    assert result.first_bad == 1 and lanefold.STATUSES[result.statuses[1]] == "bad_pose"
    assert result.by_status["bad_pose"] == 1
    points, _ = finder.closest_points(*at, 1)
    assert points["status"].tolist() == [0, 1] and points["body"][1] == lanefold.NO_BODY
    with pytest.raises(lanefold.LanefoldError, match="margin"):
        finder.overlaps(*at, margin=-1)
    with pytest.raises(lanefold.LanefoldError, match="find\\(\\) comes first"):
        lanefold.PairFinder().overlaps(*at)
    with pytest.raises(ValueError, match="radii"):
        finder.closest_points(*at, [1, 2, 3])
    with pytest.raises(ValueError, match="group"):
        finder.cast_rays(np.zeros((2, 6)), group=[1])
    with pytest.raises(TypeError, match="marginn"):
        finder.overlaps(*at, marginn=1)


def test_surfaces_are_met_by_overlaps_and_closest_points():
    heights = np.random.default_rng(4).uniform(-0.4, 0.4, (7, 7)).astype(np.float32)
    ground = lanefold.surface_set(lanefold.build_height_field(heights, x0=-3, y0=-3))
    hulls = lanefold.build_hulls([*CUBE * np.float32(0.5), [0, 0, 0]], [0, 8, 9], radius=[0, 0.5]).append(ground)
    scene = np.array([[0, 0, 0]]), UPRIGHT[None], [2]
    position = np.array([[0, 0, 1.2], [1, 1, 0.7], [-1, 0.5, 0.3], [0, 0, 5], [9, 0, 0]])
    orientation, hull = np.tile(UPRIGHT, (5, 1)), [0, 1, 0, 1, 0]
    finder = lanefold.PairFinder()
    finder.find(hulls, *scene)
    bodies = np.vstack([position, scene[0]]), np.vstack([orientation, scene[1]]), [*hull, 2]
    pairs = [[i, 5] for i in range(5)]
    contacts, _ = lanefold.collide_compact(hulls, *bodies, pairs, margin=1, face_preference=0)
    offsets, near, _ = finder.closest_points_all(position, orientation, hull, 1)
    wanted = [sorted(contacts["distance"][contacts["pair"][:, 0] == i]) for i in range(5)]
    assert [near["distance"][a:b].tolist() for a, b in zip(offsets, offsets[1:])] == wanted
    assert len(wanted[0]) > 1
    starts, _, _ = finder.overlaps(position, orientation, hull, 1)
    assert starts.tolist() == [0, 1, 2, 3, 3, 3]


def test_measures_have_closed_forms():
    hulls = lanefold.build_hulls(np.concatenate([CUBE, [[0, 0, 0]]]), [0, 8, 9], radius=[0, 0.5])
    bodies = np.array([[0, 0, 0], [1.5, 0, 0], [0, 0, 0]], np.float64), np.tile(UPRIGHT, (3, 1)), [0, 0, 1]
    pairs = [[0, 1], [0, 1], [0, 2]]
    records, result = lanefold.measure_contacts(hulls, *bodies, pairs, shifts=[[0, 0, 0], [1, 0, 0], [0, 0, 0]])
    assert [lanefold.MEASURE_STATES[s] for s in records["state"]] == ["overlapping", "apart", "not_measured"]
    assert records["volume"][0] == pytest.approx(2) and records["area"][0] == pytest.approx(4)
    assert records["volume_centroid"][0] == pytest.approx([0.75, 0, 0])
    assert records["area_normal"][0] == pytest.approx([1, 0, 0])
    assert result.volume == records["volume"][0] and result.by_state["apart"] == 1
    out = np.zeros(3, lanefold.CONTACT_MEASURES)
    own = lanefold.MeasureWorkspace()
    same, _ = lanefold.measure_contacts(hulls, *bodies, pairs, threads=1, out=out, workspace=own)
    assert same is out and out["volume"][1] == out["volume"][0]
    with pytest.raises(ValueError, match="shifts"):
        lanefold.measure_contacts(hulls, *bodies, pairs, shifts=[[0, 0, 0]])


def test_pushes_of_a_world_are_weight_times_time():
    hulls = lanefold.build_hulls(np.concatenate([CUBE, CUBE * np.float32([10, 1, 10])]), [0, 8, 16])
    world = lanefold.World(hulls, sleep=False)
    world.add_bodies([[0, 2, 0], [0, 0, 0]], [UPRIGHT] * 2, [0, 1], kind=["dynamic", "fixed"], mass=[3, 0])
    pushed = 0.0
    for _ in range(60):
        world.step(1 / 60)
        pushed += float(world.pushes["impulse"].sum())
    assert pushed == pytest.approx(3 * 9.81, rel=1e-4)
    assert len(world.pushes) == len(world.contacts) == 1 and world.pushes["after"][0] == 0
