# SPDX-License-Identifier: MIT
"""Scene folders with surfaces."""

import json

import numpy as np
import pytest

import lanefold


def _write_surfaces(folder):
    """A cube, a mesh, a height field with a hole, and a flat one."""
    folder.mkdir()
    (folder / "scene.json").write_text(json.dumps({"format": "lanefold-scene", "version": 3, "unit": "m"}))
    cube = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    arrays = {
        "body_hull": np.uint32([1, 2, 0]),
        "position": np.float32([[[0, 0, 0], [9, 0, 0], [0.5, -1.7, 1.2]]]),
        "orientation": np.tile(np.float32([0, 0, 0, 1]), (1, 3, 1)),
        "hull_vertices": np.float32(cube),
        "hull_offsets": np.uint64([0, 8, 8, 8, 8]),
        "hull_kind": np.uint8([0, 4, 3, 4]),
        "surface_offsets": np.uint64([[0, 0], [4, 2]]),
        "surface_vertices": np.float32([[0, 0, 0], [4, 0, 0], [4, 4, 1], [0, 4, 0]]),
        "surface_triangles": np.uint32([[0, 1, 2], [0, 2, 3]]),
        "surface_thickness": np.float32([np.inf, 0.5, 2]),
        "height_fields": np.float64([[3, 4, -1, -2, 0.5, 0.25, 1, 0], [2, 2, 0, 0, 1, 1, 2, 3]]),
        "height_samples": np.float32([*np.linspace(0, 1, 12), 0, 0, 0, 0]),
        "height_holes": np.array([0, 1, 0, 0, 0, 0, 0], bool),
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    return arrays


def test_a_scene_of_version_3_has_surfaces(tmp_path):
    arrays = _write_surfaces(tmp_path / "scene")
    scene = lanefold.Scene(tmp_path / "scene")
    for name, array in arrays.items():
        assert np.array_equal(getattr(scene, name), array), name
    hulls = scene.build_hulls()
    field = lanefold.build_height_field(
        arrays["height_samples"][:12].reshape(3, 4),
        x0=-1, y0=-2, dx=0.5, dy=0.25, holes=arrays["height_holes"][:6].reshape(2, 3),
    )  # fmt: skip
    mesh = lanefold.build_surface(
        arrays["surface_vertices"], arrays["surface_triangles"], weld_tolerance=0, thickness=0.5
    )
    # A scene with holes has them for all of its fields, and a set knows the difference of none and no list.
    flat = lanefold.build_height_field(
        np.zeros((2, 2), np.float32), scale=2, offset=3, thickness=2, holes=np.zeros((1, 1), bool)
    )
    expected = lanefold.build_hulls(arrays["hull_vertices"]).append(lanefold.surface_set([field, mesh, flat]))
    assert len(hulls) == 4 and hulls.fingerprint == expected.fingerprint
    position, orientation = scene.poses(0)
    records, result = lanefold.collide_compact(hulls, position, orientation, scene.body_hull, [[0, 2], [1, 2]])
    assert result.touching == 1 and len(records) >= 1 and records["pair"][0].tolist() == [0, 2]


def test_surfaces_move_by_their_frames(tmp_path):
    """A frame has the contacts of the surface where it is then: of the call that takes its pose, and of the surface at
    rest with the body before it."""
    arrays = _write_surfaces(tmp_path / "scene")
    frames = 5
    position = np.tile(arrays["position"], (frames, 1, 1))
    orientation = np.tile(arrays["orientation"], (frames, 1, 1))
    half = 0.05 * np.arange(frames)
    position[:, 0, 2] = 0.1 * np.arange(frames)  # the field rises and tilts about y
    orientation[:, 0] = np.stack([0 * half, np.sin(half), 0 * half, np.cos(half)], axis=1)
    np.save(tmp_path / "scene" / "position.npy", position)
    np.save(tmp_path / "scene" / "orientation.npy", orientation)
    scene = lanefold.Scene(tmp_path / "scene")
    hulls = scene.build_hulls()
    field = lanefold.build_height_field(
        arrays["height_samples"][:12].reshape(3, 4),
        x0=-1, y0=-2, dx=0.5, dy=0.25, holes=arrays["height_holes"][:6].reshape(2, 3),
    )  # fmt: skip
    depths = []
    for frame in range(frames):
        at, turned = scene.poses(frame)
        records, _ = lanefold.collide_compact(hulls, at, turned, scene.body_hull, [[2, 0]], margin=0.1)
        own = lanefold.collide_surface(
            field, hulls, at, turned, scene.body_hull, bodies=[2], margin=0.1,
            surface_position=at[0].astype(np.float64), surface_orientation=turned[0], surface_index=0,
        )  # fmt: skip
        assert len(records) >= 1
        for name in ("distance", "normal", "points", "feature_b"):
            assert np.array_equal(records[name], own.records[name]), (frame, name)
        depths.append(float(records["distance"][0]))
    assert len(set(depths)) == frames
    # Between frames, too: the cube is lifted off, and the field comes up to it.
    above = position[:2].copy()
    above[:, 2, 2] += 1
    above[1, 0, 2] += 2
    hit, _ = lanefold.sweep(
        hulls, above[0], orientation[0], scene.body_hull, above[1], orientation[1], [[2, 0]]
    )
    assert hit["state"][0] == lanefold.SWEEP_STATES.index("hit") and 0 < hit["fraction"][0] < 1


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("hull_kind", np.uint8([0, 4, 5, 4])),
        ("hull_kind", np.uint8([0, 4, 0, 4])),
        ("surface_offsets", np.uint64([[0, 0], [4, 3]])),
        ("surface_triangles", np.int32([[0, 1, 2], [0, 2, 3]])),
        ("height_samples", np.zeros(15, np.float32)),
        ("height_holes", np.zeros(8, bool)),
        ("surface_thickness", np.float32([1, 1])),
    ],
)
def test_wrong_surfaces_are_refused(tmp_path, name, content):
    _write_surfaces(tmp_path / "scene")
    np.save(tmp_path / "scene" / f"{name}.npy", content)
    with pytest.raises(ValueError, match="npy"):
        lanefold.Scene(tmp_path / "scene")
