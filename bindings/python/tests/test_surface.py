# SPDX-License-Identifier: MIT
"""Surfaces of triangles and height fields, and the contacts of bodies with them."""

import gc
import pickle
import weakref

import numpy as np
import pytest
from conftest import CUBE

import lanefold

UPRIGHT = np.float32([0, 0, 0, 1])
SQUARE = np.float32([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]])
TWO = [[0, 1, 2], [0, 2, 3]]


def one(x, y, z, hull=0):
    return np.array([[x, y, z]], np.float64), UPRIGHT[None], [hull]


def test_a_surface_tells_its_triangles():
    s = lanefold.build_surface(SQUARE, TWO, materials=[7, 9], thickness=0.5)
    assert len(s) == 2 and s.vertex_count == 4 and not s.is_height_field and s.thickness == 0.5
    assert s.bounds.tolist() == [[0, 0, 0], [4, 4, 0]] and s.size == pytest.approx(8**0.5)
    a = s.arrays()
    assert a.vertices.tolist() == SQUARE.tolist() and a.triangles.tolist() == TWO
    assert a.materials is not None and a.materials.tolist() == [7, 9] and a.numbers.tolist() == [0, 1]
    assert s.input_triangles().tolist() == [0, 1]
    assert repr(s) == f"<lanefold.Surface: mesh of 2 triangles, fingerprint 0x{s.fingerprint:016x}>"
    again = lanefold.build_surface(a.vertices, a.triangles, materials=a.materials, thickness=0.5)
    assert again.fingerprint == s.fingerprint and again.report.border_edges == 4
    assert again.fingerprint != lanefold.build_surface(SQUARE, TWO).fingerprint


def test_the_builder_reports_what_it_changed():
    vertices = np.concatenate([SQUARE, SQUARE[:1] + np.float32(1e-7), SQUARE[2:3], [[9, 9, 9]]])
    s = lanefold.build_surface(vertices, [[0, 1, 2], [4, 5, 3], [0, 0, 1], [0, 1, 2], [0, 2, 6]])
    r = s.report
    assert r.welded == (1, (4,)) and r.copies == (1, (5,)) and 0 < r.largest_movement < 2e-7
    assert r.degenerate == (1, (2,)) and r.duplicate.count == 1 and r.non_manifold.count > 0
    clean = lanefold.build_surface(SQUARE, TWO).report
    assert clean.welded == (0, ()) and clean.largest_movement == 0


def test_float64_vertices_far_away_get_an_origin_of_their_own():
    far = SQUARE.astype(float) + [5e6 + 0.3, -4e6, 0]
    with pytest.raises(lanefold.LanefoldError):
        lanefold.build_surface(far, TWO)
    s = lanefold.build_surface(far, TWO, origin="box_centre")
    assert np.allclose(s.shift, [5e6 + 2.3, -4e6 + 2, 0]) and s.rounding < 1e-6
    hulls = lanefold.build_hulls(CUBE)
    records, _ = lanefold.collide_surface(s, hulls, *one(5e6 + 2, -4e6 + 2, 0.9), surface_position=s.shift)
    assert records["distance"] == pytest.approx([-0.1], abs=1e-6)


def test_bad_surfaces_are_refused_with_their_place():
    broken = SQUARE.copy()
    broken[3, 1] = np.nan
    for vertices, triangles, where, what in (
        (SQUARE, [[0, 1, 2], [0, 2, 4]], 1, "vertex|index|point"),
        (broken, TWO, 3, "finite"),
    ):
        with pytest.raises(lanefold.LanefoldError, match=what) as caught:
            lanefold.build_surface(vertices, triangles)
        assert caught.value.where == where
    with pytest.raises(ValueError, match=r"\(V, 3\)"):
        lanefold.build_surface(SQUARE[:, :2], TWO)
    with pytest.raises(ValueError, match=r"\(T, 3\)"):
        lanefold.build_surface(SQUARE, [[0, 1, 2, 3]])
    with pytest.raises(ValueError, match="outside"):
        lanefold.build_surface(SQUARE, [[0, 1, -1]])
    with pytest.raises(ValueError, match="materials"):
        lanefold.build_surface(SQUARE, TWO, materials=[1])
    with pytest.raises(ValueError, match="materials"):
        lanefold.build_surface(SQUARE, TWO, materials=[1, 70000])
    with pytest.raises(ValueError, match="origin"):
        lanefold.build_surface(SQUARE, TWO, origin="centre_of_mass")
    for tolerance in (-1, np.nan):
        with pytest.raises(ValueError, match="weld_tolerance"):
            lanefold.build_surface(SQUARE, TWO, weld_tolerance=tolerance)
    with pytest.raises(lanefold.LanefoldError, match="thickness"):
        lanefold.build_surface(SQUARE, TWO, thickness=-1)
    assert len(lanefold.build_surface(np.zeros((0, 3)), [])) == 0


def test_bodies_slide_over_tiles_without_ghosts():
    tiles = lanefold.build_hulls(CUBE * np.float32([1, 1, 0.5]))
    grid = np.array([[2 * i, 2 * j, -0.5] for i in range(4) for j in range(4)])
    turns = np.tile(UPRIGHT, (16, 1))
    s = lanefold.surface_of_hulls(tiles, grid, turns, np.zeros(16, int), materials=np.arange(16))
    assert len(np.unique(s.input_triangles())) == 16 and s.arrays().materials is not None
    hulls = lanefold.build_hulls(CUBE * np.float32(0.5))
    x = np.linspace(0.3, 5.7, 50)
    position = np.stack([x, 3 + 0.3 * x, np.full(50, 0.45)], 1)
    records, offsets = lanefold.collide_surface(s, hulls, position, np.tile(UPRIGHT, (50, 1)), np.zeros(50, int))
    assert len(offsets) == 51 and offsets[-1] == len(records) >= 50
    assert records.dtype == lanefold.MANIFOLD4 and np.allclose(records["normal"], [0, 0, -1], atol=1e-6)
    with pytest.raises(lanefold.LanefoldError) as caught:
        lanefold.surface_of_hulls(tiles, grid, turns, [0] * 15 + [3])
    assert caught.value.where == 15


def hilly(rows=9, columns=7):
    return np.random.default_rng(5).uniform(-0.3, 0.3, (rows, columns)).astype(np.float32)


def test_a_height_field_is_the_mesh_of_its_triangles():
    z = hilly()
    holes = np.zeros((8, 6), bool)
    holes[2, 3] = True
    field = lanefold.build_height_field(z, x0=-3, y0=-4, holes=holes, diagonals=~holes, materials=np.full((8, 6), 3))
    assert field.is_height_field and len(field) == 96 and field.vertex_count == 63
    a = field.arrays()
    assert len(a.triangles) == 94 and a.materials is not None and set(a.materials) == {3}
    mesh = lanefold.build_surface(a.vertices, a.triangles, weld_tolerance=0)
    hulls = lanefold.build_hulls([*CUBE * np.float32(0.3), [0, 0, 0]], [0, 8, 9], radius=[0, 0.4])
    position = np.random.default_rng(6).uniform([-3, -4, -0.2], [3, 4, 0.6], (40, 3))
    bodies = position, np.tile(UPRIGHT, (40, 1)), np.arange(40) % 2
    on_field = lanefold.collide_surface(field, hulls, *bodies, margin=0.1)
    on_mesh = lanefold.collide_surface(mesh, hulls, *bodies, margin=0.1)
    assert len(on_field.records) > 20 and on_field.offsets.tolist() == on_mesh.offsets.tolist()
    assert np.array_equal(on_field.records["distance"], on_mesh.records["distance"])
    assert np.array_equal(on_field.records["points"]["position"], on_mesh.records["points"]["position"])


def test_samples_are_borrowed_with_any_strides():
    wide = np.zeros((9, 14), np.uint16)
    wide[:, ::2] = np.round(1000 * (hilly() + 1))
    views = {"every second": wide[:, ::2], "flipped": wide[::-1, ::-2], "transposed": wide[:, ::2].T}
    for view in views.values():
        copied = lanefold.build_height_field(view, scale=0.001, offset=-1)
        borrowed = lanefold.build_height_field(view, scale=0.001, offset=-1, borrow=True)
        assert borrowed.fingerprint == copied.fingerprint and borrowed.nbytes < copied.nbytes
        contiguous = lanefold.build_height_field(np.ascontiguousarray(view), scale=0.001, offset=-1)
        assert contiguous.fingerprint == copied.fingerprint
    z = hilly()
    tiles = np.array([[z[:5, :4], z[:5, 3:]], [z[4:, :4], z[4:, 3:]]])
    assert lanefold.build_height_field(tiles).fingerprint == lanefold.build_height_field(hilly()).fingerprint


def test_a_surface_holds_the_samples_that_it_borrows():
    class Samples(np.ndarray):
        pass

    z = hilly().view(Samples)
    alive = weakref.ref(z)
    s = lanefold.build_height_field(z, borrow=True)
    before = s.arrays().vertices.tobytes()
    del z
    gc.collect()
    assert alive() is not None and s.arrays().vertices.tobytes() == before
    del s
    gc.collect()
    assert alive() is None


def test_bad_height_fields_are_refused():
    z = hilly()
    broken = z.copy()
    broken[2, 3] = np.inf
    with pytest.raises(lanefold.LanefoldError) as caught:
        lanefold.build_height_field(broken)
    assert caught.value.where == 2 * 7 + 3
    with pytest.raises(lanefold.LanefoldError):
        lanefold.build_height_field(z, dx=0)
    with pytest.raises(lanefold.LanefoldError):
        lanefold.build_height_field(z[:1])
    with pytest.raises(lanefold.LanefoldError):
        lanefold.build_height_field(np.stack([z, z + 1])[None])  # their borders differ
    with pytest.raises(TypeError, match="borrowed"):
        lanefold.build_height_field(z.astype(float), borrow=True)
    with pytest.raises(TypeError, match="numbers"):
        lanefold.build_height_field(z.astype(str))
    with pytest.raises(ValueError, match=r"\(R, C\)"):
        lanefold.build_height_field(z[0])
    with pytest.raises(ValueError, match="holes"):
        lanefold.build_height_field(z, holes=np.zeros((9, 7), bool))
    with pytest.raises(TypeError, match="dx"):
        lanefold.build_height_field(z, dx="wide")


def test_contacts_of_some_bodies_and_bad_ones():
    s = lanefold.build_surface(SQUARE, TWO)
    hulls = lanefold.build_hulls(CUBE)
    position = np.array([[2, 2, 0.9], [2, 2, np.nan], [2, 2, 8], [2, 2, 1.05]])
    bodies = position, np.tile(UPRIGHT, (4, 1)), np.zeros(4, int)
    records, offsets = lanefold.collide_surface(s, hulls, *bodies, margin=0.1, surface_index=77)
    assert offsets.tolist() == [0, 1, 2, 2, 3] and records["pair"].tolist() == [[0, 77], [1, 77], [3, 77]]
    assert [lanefold.STATUSES[k] for k in records["status"]] == ["ok", "bad_pose", "ok"]
    assert records["distance"][[0, 2]] == pytest.approx([-0.1, 0.05], abs=2e-6) and records["count"][0] == 4
    some, ends = lanefold.collide_surface(s, hulls, *bodies, bodies=[3, 0], margin=0.1)
    assert some["pair"][:, 0].tolist() == [3, 0] and ends.tolist() == [0, 1, 2]
    none, ends = lanefold.collide_surface(s, hulls, *bodies, bodies=[], margin=0.1)
    assert len(none) == 0 and ends.tolist() == [0]
    moved, _ = lanefold.collide_surface(s, hulls, *one(0, 0, 5.9), surface_position=(-2, -2, 5))
    assert moved["distance"] == pytest.approx([-0.1], abs=2e-6)
    for wrong in ({"margin": -1}, {"surface_position": (0, 0, np.inf)}, {"surface_orientation": (0, 0, 0, 2)}):
        with pytest.raises(lanefold.LanefoldError):
            lanefold.collide_surface(s, hulls, *bodies, **wrong)
    for wrong in ({"margin": [1, 2]}, {"surface_position": (0, 0)}, {"points": "few"}, {"bodies": [[0]]}):
        with pytest.raises(ValueError):
            lanefold.collide_surface(s, hulls, *bodies, **wrong)


def test_records_are_the_memory_that_the_library_wrote():
    s = lanefold.build_surface(SQUARE, TWO)
    records, offsets = lanefold.collide_surface(s, lanefold.build_hulls(CUBE), *one(2, 2, 0.9))
    for array in (records, offsets):
        while isinstance(array.base, np.ndarray):
            array = array.base
        assert array.base is not None and not array.flags.owndata


def test_surfaces_of_a_set_are_in_all_calls():
    ground = lanefold.build_surface(SQUARE, TWO)
    hulls = lanefold.build_hulls(CUBE).append(lanefold.surface_set(ground))
    assert len(hulls) == 2 and hulls.info(1)["shape"] == "surface" and "1 surface" in repr(hulls)
    assert hulls.surface(1).fingerprint == ground.fingerprint and len(hulls.vertices(1)) == 0
    with pytest.raises(IndexError):
        hulls.surface(0)
    position = np.array([[0, 0, 0], [2, 2, 0.9], [2, 2, 8]])
    bodies = position, np.tile(UPRIGHT, (3, 1)), [1, 0, 0]
    records, _ = lanefold.collide(hulls, *bodies, [[1, 0], [2, 0]], margin=0.1)
    expected, _ = lanefold.collide_surface(ground, hulls, *bodies, bodies=[1], surface_index=0, margin=0.1)
    assert records[0].tobytes() == expected[0].tobytes() and records["count"][1] == 0
    assert lanefold.PairFinder().find(hulls, *bodies, margin=0.1).tolist() == [[0, 1]]
    world = lanefold.World(hulls)
    world.add_bodies(*bodies, kind=["fixed", "dynamic", "dynamic"])
    for _ in range(30):
        world.step(1 / 60)
    assert world.position[0].tolist() == [0, 0, 0]


def test_rays_meet_surfaces_of_a_set_from_their_outer_side():
    hulls = lanefold.build_hulls(CUBE).append(lanefold.surface_set(lanefold.build_surface(SQUARE, TWO)))
    bodies = np.array([[0, 0, 0], [20, 0, 0]]), np.tile(UPRIGHT, (2, 1)), [1, 0]
    rays = [[3, 1, 5, 0, 0, -10], [3, 1, -5, 0, 0, 10], [5, 1, 5, 0, 0, -10], [3, 1, 1, 1, 0, 0]]
    finder = lanefold.PairFinder()
    finder.find(hulls, *bodies)
    for hits in (lanefold.cast_rays(hulls, *bodies, rays)[0], finder.cast_rays(rays)[0]):
        assert [lanefold.RAY_STATES[s] for s in hits["state"]] == ["hit", "miss", "miss", "miss"]
        assert (hits["fraction"][0], hits["body"][0], hits["feature"][0]) == (0.5, 0, 0)
        assert hits["normal"][0].tolist() == [0, 0, 1]
    assert finder.cast_rays(rays, back_faces=True)[0]["state"].tolist() == [1, 1, 0, 0]


def test_the_oracle_knows_no_surfaces():
    hulls = lanefold.build_hulls(CUBE).append(lanefold.surface_set(lanefold.build_surface(SQUARE, TWO)))
    bodies = np.array([[2, 2, 0.9], [0, 0, 0], [2, 2, 2]]), np.tile(UPRIGHT, (3, 1)), [0, 1, 0]
    distance, normal = lanefold.oracle(hulls, *bodies, [[0, 1], [1, 0], [0, 2]])
    assert np.isnan(distance[:2]).all() and np.isnan(normal[:2]).all() and distance[2] == pytest.approx(-0.9)


def test_wrong_sets_of_surfaces_are_refused():
    ground = lanefold.build_surface(SQUARE, TWO)
    assert len(lanefold.surface_set([ground, ground])) == 2 and len(lanefold.surface_set([])) == 0
    with pytest.raises(lanefold.HullsError, match="hull 1"):
        lanefold.surface_set([ground, lanefold.build_surface(SQUARE, np.zeros((0, 3), int))])
    with pytest.raises(TypeError, match="Surface"):
        lanefold.surface_set([SQUARE])


def field_of_all_kinds():
    samples = (np.arange(48, dtype=np.uint16).reshape(2, 2, 3, 4) % 5) * 0
    samples[0, 0, 1, 1] = 7
    holes = np.zeros((4, 6), bool)
    holes[2, 3] = True
    materials = np.arange(24, dtype=np.uint16).reshape(4, 6)
    numbers = {"x0": -1.5, "dx": 0.5, "dy": 0.75, "scale": 0.1, "offset": 2}
    return lanefold.build_height_field(
        samples, holes=holes, diagonals=~holes, materials=materials, thickness=0.5, **numbers
    )


@pytest.mark.parametrize("materials", [None, np.array([3, 0], np.uint16), np.zeros(2, np.uint16)])
def test_a_mesh_goes_through_pickle(materials):
    ground = lanefold.build_surface(SQUARE, TWO, thickness=0.25, materials=materials)
    again = pickle.loads(pickle.dumps(ground))
    assert (again.fingerprint, again.thickness) == (ground.fingerprint, 0.25)
    for was, now in zip(ground.arrays(), again.arrays()):
        np.testing.assert_array_equal(was, now)


def test_a_height_field_goes_through_pickle():
    ground = field_of_all_kinds()
    again = pickle.loads(pickle.dumps(ground))
    assert again.is_height_field
    assert again.fingerprint == ground.fingerprint
    for was, now in zip(ground.arrays(), again.arrays()):
        np.testing.assert_array_equal(was, now)
    pickle.dumps(pickle.loads(pickle.dumps(again)))


def test_a_set_with_surfaces_goes_through_pickle():
    ground = lanefold.build_surface(SQUARE, TWO)
    hulls = lanefold.build_hulls(CUBE).append(lanefold.surface_set([ground, field_of_all_kinds(), ground]))
    hulls = hulls.append(lanefold.build_half_spaces([[0, 0, 1]], [0])).remove([1])
    again = pickle.loads(pickle.dumps(hulls))
    assert again.fingerprint == hulls.fingerprint
    assert again.surface(2).is_height_field
    call = (np.float64([[2, 2, 0.4]]), UPRIGHT[None], [0])
    was, now = (lanefold.collide_surface(h.surface(3), h, *call) for h in (hulls, again))
    assert len(was.records) > 0
    assert was.records.tobytes() == now.records.tobytes()
