# SPDX-License-Identifier: MIT
"""Building hulls."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import CUBE

import lanefold


def test_cube_is_a_box_with_its_mass():
    hulls = lanefold.build_hulls(CUBE)
    info = hulls.info(0)
    assert len(hulls) == 1 and 0 in hulls and 1 not in hulls
    assert info["is_box"] and info["vertices"] == 8 and info["faces"] == 6
    assert info["volume"] == 8.0 and info["centre_of_mass"] == (0.0, 0.0, 0.0)
    assert np.array_equal(hulls.vertices(0), CUBE)


def test_vertices_are_a_view_that_outlives_the_set():
    hulls = lanefold.build_hulls(CUBE)
    vertices = hulls.vertices(0)
    del hulls
    assert np.array_equal(vertices, CUBE)
    assert not vertices.flags.writeable and vertices.base is not None


def test_centre_of_mass_becomes_the_origin():
    hulls, frames = lanefold.build_hulls(CUBE + np.float32([3, 0, -1]), origin="centre_of_mass", return_frames=True)
    assert frames["shift"].tolist() == [[3, 0, -1]]
    assert np.array_equal(hulls.vertices(0), CUBE)
    axes, moments = frames["principal_axes"][0], frames["principal_moments"][0]
    assert np.allclose(axes @ np.diag(moments) @ axes.T, hulls.info(0)["inertia"])


def test_float64_points_far_away_keep_a_gap_of_two_millimetres():
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    points = np.concatenate([cube + [-37876.2, 118, 76194.3], cube + [-37875.198, 118, 76194.3]])
    with pytest.raises(lanefold.HullsError, match="box_centre") as caught:
        lanefold.build_hulls(points, [0, 8, 16])
    assert [(f.hull, f.error) for f in caught.value.failures] == [(0, "too_far"), (1, "too_far")]
    for origin in ("box_centre", "centre_of_mass"):
        hulls, frames = lanefold.build_hulls(points, [0, 8, 16], origin=origin, return_frames=True)
        assert np.allclose(frames["shift"], [[-37875.7, 118.5, 76194.8], [-37874.698, 118.5, 76194.8]], atol=1e-7)
        assert 0 <= frames["rounding"].max() < 1e-7
        orientation = np.tile(np.float32([0, 0, 0, 1]), (2, 1))
        records, _ = lanefold.collide(
            hulls, frames["shift"], orientation, np.arange(2, dtype=np.uint32), np.uint32([[0, 1]]), margin=0.01
        )
        assert abs(records["distance"][0] - 0.002) < 1e-6


def test_float64_points_near_their_origin_give_the_hulls_of_float32():
    points = np.random.default_rng(5).normal(size=(40, 3))
    assert lanefold.build_hulls(points).fingerprint == lanefold.build_hulls(points.astype(np.float32)).fingerprint
    _, frames = lanefold.build_hulls(points, return_frames=True)
    assert frames["shift"].tolist() == [[0, 0, 0]] and 0 < frames["rounding"][0] < 1e-6


def test_every_bad_hull_is_named():
    flat = np.zeros((4, 3), np.float32)
    flat[:, :2] = [[0, 0], [1, 0], [0, 1], [1, 1]]
    broken = CUBE.copy()
    broken[5, 1] = np.nan
    with pytest.raises(lanefold.HullsError) as caught:
        lanefold.build_hulls(np.concatenate([CUBE, flat, broken]), [0, 8, 12, 20])
    failures = caught.value.failures
    assert [(f.hull, f.error) for f in failures] == [(1, "flat"), (2, "not_finite")]
    assert failures[1].point == 5
    assert "hull 1" in str(caught.value) and "1 more" in str(caught.value)


def test_arguments_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match=r"\(P, 3\)"):
        lanefold.build_hulls(np.zeros((8, 2)))
    with pytest.raises(ValueError, match="origin"):
        lanefold.build_hulls(CUBE, origin="middle")
    with pytest.raises(ValueError):
        lanefold.build_hulls(CUBE, [0, -8])
    with pytest.raises(lanefold.HullsError, match="bad_offsets"):
        lanefold.build_hulls(CUBE, [0, 9])


def test_a_list_without_offsets_is_refused_and_one_offset_makes_no_hull():
    with pytest.raises(ValueError, match=r"offsets must have the shape \(H \+ 1,\)"):
        lanefold.build_hulls(CUBE, [])
    with pytest.raises(lanefold.HullsError, match="hull 0.*bad_offsets"):
        lanefold.build_hulls(CUBE, [9])
    assert len(lanefold.build_hulls(CUBE, [0])) == 0


def test_removed_ids_stay_empty():
    three = lanefold.build_hulls(np.concatenate([CUBE, 2 * CUBE, 3 * CUBE]), [0, 8, 16, 24])
    rest = three.remove(np.array([1], np.uint32))
    assert len(rest) == 3 and 1 not in rest and rest.removed == 1
    more = rest.append(three)
    assert len(more) == 6 and 1 not in more and 4 in more
    with pytest.raises(IndexError):
        more.vertices(1)
    assert rest.fingerprint != three.fingerprint


def test_a_set_says_what_it_is():
    two = lanefold.build_hulls(np.concatenate([CUBE, 2 * CUBE]), [0, 8, 16])
    assert repr(two) == f"<lanefold.Hulls: 2 hulls, 16 vertices, fingerprint 0x{two.fingerprint:016x}>"
    rest = two.remove([0])
    assert repr(rest) == (
        f"<lanefold.Hulls: 1 hull, 8 vertices, 1 id removed, fingerprint 0x{rest.fingerprint:016x}>"
    )
    assert repr(lanefold.build_hulls(np.zeros((0, 3)), [0])).startswith("<lanefold.Hulls: 0 hulls, 0 vertices, ")


def same(a, b):
    """Whether two sets give the same contacts and tell the same of each hull."""
    assert len(a) == len(b) and a.fingerprint == b.fingerprint and a.removed == b.removed and repr(a) == repr(b)
    for i in range(len(a)):
        assert (i in a) == (i in b)
        if i in a:
            assert a.vertices(i).tobytes() == b.vertices(i).tobytes() and a.info(i) == b.info(i)
    return True


def sets():
    """Sets of every kind: options of the builder, removed ids, appended sets, none at all."""
    random = np.random.default_rng(11)
    points = [random.normal(size=(n, 3)).astype(np.float32) for n in (12, 60, 400)]
    points.append(np.concatenate([CUBE, CUBE * np.float32(0.9), CUBE + np.float32([1e-7, 0, 0])]))
    offsets = np.cumsum([0] + [len(p) for p in points])
    every = np.concatenate(points)
    built = lanefold.build_hulls(every, offsets)
    return {
        "plain": built,
        "without boxes and merging": lanefold.build_hulls(every, offsets, merge_coplanar=False, recognize_boxes=False),
        "few vertices": lanefold.build_hulls(every, offsets, max_vertices=10),
        "about their centres": lanefold.build_hulls(every + 5, offsets, origin="centre_of_mass"),
        "of float64": lanefold.build_hulls(every + 1e6 + 1 / 3, offsets, origin="box_centre"),
        "points before and after": lanefold.build_hulls(every, offsets[1:3]),
        "some removed": built.remove([0, 2]),
        "all removed": built.remove([0, 1, 2, 3]),
        "appended": built.append(built.remove([1])).append(lanefold.build_hulls(3 * CUBE)),
        "appended to what is gone": built.remove([0, 1, 2, 3]).append(built).append(built),
        "rounded": lanefold.build_hulls(every, offsets, radius=[0.25, 0, 1, 1 / 3]).remove([2]),
        "spheres and capsules": lanefold.build_hulls(every[:3] + 1 / 3, [0, 1, 3], radius=0.5),
        "none": lanefold.build_hulls(np.zeros((0, 3)), [0]),
    }


@pytest.mark.parametrize("name", list(sets()))
def test_a_set_travels_in_a_pickle(name):
    hulls = sets()[name]
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert same(pickle.loads(pickle.dumps(hulls, protocol)), hulls)
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(hulls))))
    assert same(again, hulls)
    assert copy.copy(hulls) is hulls and copy.deepcopy(hulls) is hulls
    assert copy.deepcopy({"hulls": [hulls]})["hulls"][0] is hulls


def test_contacts_of_a_set_from_a_pickle_are_the_same(pile):
    records, result = lanefold.collide(pickle.loads(pickle.dumps(pile.hulls)), *pile.bodies, pile.pairs, margin=0.1)
    same_records, same_result = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, margin=0.1)
    assert records.tobytes() == same_records.tobytes() and result.hash == same_result.hash and result.touching > 100


def test_a_pickle_is_opened_by_another_process(pile, tmp_path):
    (tmp_path / "hulls").write_bytes(pickle.dumps(pile.hulls))
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).fingerprint)"
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "hulls"], capture_output=True, text=True, check=True)
    assert int(done.stdout) == pile.hulls.fingerprint


def test_a_pickle_keeps_its_points_from_later_changes():
    points = CUBE.copy()
    hulls = lanefold.build_hulls(points)
    points *= 3
    assert same(pickle.loads(pickle.dumps(hulls)), hulls)


def test_a_pickle_that_gives_other_hulls_is_refused():
    restore, (parts, removed, fingerprint) = lanefold.build_hulls(CUBE).__reduce__()
    assert restore(parts, removed, fingerprint).fingerprint == fingerprint
    with pytest.raises(ValueError, match="builds other hulls"):
        restore(parts, removed, fingerprint ^ 1)


def test_points_of_removed_hulls_are_not_kept():
    dense = np.random.default_rng(2).normal(size=(20000, 3)).astype(np.float32)
    hulls = lanefold.build_hulls(dense)
    assert len(pickle.dumps(hulls)) > dense.nbytes
    assert len(pickle.dumps(hulls.append(lanefold.build_hulls(CUBE)).remove([0]))) < 2000


def test_a_radius_rounds_hulls():
    hulls = lanefold.build_hulls([[0, 0, 0], [0, -1, 0], [0, 1, 0], *CUBE], [0, 1, 3, 11], radius=[0.5, 0.25, 0])
    assert hulls.rounded and not hulls.remove([0, 1]).rounded
    assert [hulls.info(i)["radius"] for i in range(3)] == [0.5, 0.25, 0]
    assert [hulls.info(i)["vertices"] for i in range(3)] == [1, 2, 8]
    ball = 4 / 3 * np.pi * 0.125
    assert hulls.info(0)["volume"] == pytest.approx(ball, rel=1e-12)
    assert hulls.info(0)["inertia"][0][0] == pytest.approx(0.4 * ball * 0.25, rel=1e-12)
    assert hulls.info(1)["volume"] == pytest.approx(np.pi / 16 * 2 + ball / 8, rel=1e-12)
    # A ball on a capsule on a cube: 0.01 apart, and 0.5 and 0.25 thick.
    position = np.float32([[0, 3.26 + 1.25 + 0.01 + 0.5, 0], [0, 3.26, 0], [0, 1, 0]])
    turn = np.tile(np.float32([0, 0, 0, 1]), (3, 1))
    records, _ = lanefold.collide(hulls, position, turn, [0, 1, 2], [[0, 1], [1, 2]], margin=0.1)
    assert records["distance"] == pytest.approx([0.01, 0.01], abs=2e-6)
    exact, _ = lanefold.oracle(hulls, position, turn, [0, 1, 2], [[0, 1], [1, 2]])
    assert exact == pytest.approx(records["distance"], abs=2e-6)
    world = lanefold.World(hulls)
    world.add_bodies([[0, 0, 0]], turn[:1], [2], kind="fixed")
    world.add_bodies([[0, 1.5, 0]], turn[:1], [0])
    for _ in range(60):
        world.step(1 / 60)
    assert world.position[1, 1] == pytest.approx(1.5, abs=2e-3)


def test_radii_that_are_none_are_refused():
    for radius, what in ((-1, "negative"), (np.inf, "not finite"), (np.nan, "not finite"), (1e39, "not finite")):
        with pytest.raises(lanefold.HullsError, match=what):
            lanefold.build_hulls(CUBE, radius=radius)
    with pytest.raises(ValueError, match="radius must"):
        lanefold.build_hulls(CUBE, radius=[1, 2])
    with pytest.raises(TypeError, match="radius must"):
        lanefold.build_hulls(CUBE, radius="1")
    with pytest.raises(lanefold.HullsError):
        lanefold.build_hulls([[0, 0, 0]])  # a point is no sharp hull


def test_shapes_say_their_error():
    shape = lanefold.shapes.cylinder(0.5, 2, 0.01)
    assert len(shape.points) == 2 * 16 and 0 < shape.error <= 0.01 and shape.radius == 0
    assert lanefold.shapes.cylinder(0.5, 2, 0.01, rim=0.1).radius == np.float32(0.1)
    assert len(lanefold.shapes.sphere(0.5).points) == 1 and len(lanefold.shapes.capsule(0.5, 2).points) == 2
    for made in (lanefold.shapes.cone(0.5, 2, 0.01), lanefold.shapes.tapered_capsule(0.5, 0.25, 2, 0.01)):
        assert made.points.dtype == np.float32 and made.error <= 0.0100001
        assert len(lanefold.build_hulls(made.points, radius=made.radius)) == 1
    ball = lanefold.shapes.ellipsoid(1, 1, 1, 0.01)
    volume = lanefold.build_hulls(ball.points).info(0)["volume"]
    assert 0.97 * 4 / 3 * np.pi < volume < 4 / 3 * np.pi
    with pytest.raises(ValueError, match="length"):
        lanefold.shapes.sphere(-1)
    with pytest.raises(ValueError, match="error"):
        lanefold.shapes.cone(1, 1, 0)
    with pytest.raises(ValueError, match="rim"):
        lanefold.shapes.cylinder(1, 1, 0.1, rim=2)
