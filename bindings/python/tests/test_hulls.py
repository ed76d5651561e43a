# SPDX-License-Identifier: MIT
"""Building hulls."""

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
