# SPDX-License-Identifier: MIT
"""Scene folders with scales of bodies: what is read is the scene of the scaled hulls, by the program too."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import lanefold

PROGRAM = Path(lanefold.__file__).parent / "bin" / "lanefold"


def _write(folder, frames=3, bodies=60):
    """A half-space, and a heap of cubes, spheres and compounds of two cubes, at scales."""
    random = np.random.default_rng(7)
    cube = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    hull = np.uint32([0, *(1 + np.arange(bodies) % 3)])
    position = random.uniform(-2.5, 2.5, (frames, bodies + 1, 3))
    position[:, 0] = 0
    orientation = random.normal(size=(frames, bodies + 1, 4))
    orientation[:, 0] = [0, 0, 0, 1]
    orientation /= np.linalg.norm(orientation, axis=-1, keepdims=True)
    arrays = {
        "hull_vertices": np.float32([*cube, [0, 0, 0]]),
        "hull_offsets": np.uint64([0, 0, 8, 9, 9]),
        "hull_kind": np.uint8([1, 0, 0, 2]),
        "hull_radius": np.float32([0, 0, 0.5, 0]),
        "half_spaces": np.float32([[0, 0, 2, -0.25]]),
        "compound_offsets": np.uint64([0, 2]),
        "child_hull": np.uint32([1, 1]),
        "child_position": np.float64([[-0.75, 0, 0], [0.75, 0, 0]]),
        "child_orientation": np.float32([[0, 0, 0, 1], [0, 0, 0.6, 0.8]]),
        "body_hull": hull,
        "body_scale": np.float32([1.5, *random.choice([1, 0.3, 1.1, 2.5], bodies)]),
        "body_inverse_mass": np.float32([0, *np.ones(bodies)]),
        "position": position.astype(np.float32),
        "orientation": orientation.astype(np.float32),
    }
    _save(folder, arrays)
    return arrays


def _save(folder, arrays, version=3):
    folder.mkdir(exist_ok=True)
    (folder / "scene.json").write_text(json.dumps({"format": "lanefold-scene", "version": version, "unit": "m"}))
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def _baked(folder, scene, arrays):
    """The same scene with the arrays that were read, which have no scales."""
    _save(folder, {n: np.asarray(getattr(scene, n, a)) for n, a in arrays.items() if n != "body_scale"})
    np.save(folder / "body_inverse_mass.npy", arrays["body_inverse_mass"])


def test_hulls_are_those_of_calls_with_scales(tmp_path):
    arrays = _write(tmp_path / "scene")
    scene = lanefold.Scene(tmp_path / "scene")
    assert np.array_equal(scene.body_scale, arrays["body_scale"])
    assert np.array_equal(scene.file_hull, arrays["body_hull"]) and scene.hulls_in_files == 4
    hulls = scene.build_hulls()
    assert len(hulls) == len(scene.hull_offsets) - 1 == 4 + 3 * 3 + 1
    # The scene without its scales, whose calls are given them.
    shutil.copytree(tmp_path / "scene", tmp_path / "plain")
    (tmp_path / "plain" / "body_scale.npy").unlink()
    plain = lanefold.Scene(tmp_path / "plain")
    for frame in range(3):
        poses = scene.poses(frame)
        pairs = lanefold.PairFinder().find(hulls, *poses, scene.body_hull, inverse_mass=scene.inverse_mass, margin=0.1)
        assert len(pairs) > 100
        records, _ = lanefold.collide_compact(hulls, *poses, scene.body_hull, pairs, margin=0.1)
        column = lanefold.at_scale(plain.body_hull, scene.body_scale)
        others, _ = lanefold.collide_compact(plain.build_hulls(), *poses, column, pairs, margin=0.1)
        assert len(records) > 50 and records.tobytes() == others.tobytes()


def test_bakes_of_many_shards_and_frames_are_those_of_the_scaled_hulls(tmp_path):
    arrays = _write(tmp_path / "scene", frames=5)
    scene = lanefold.Scene(tmp_path / "scene")
    _baked(tmp_path / "baked", scene, arrays)
    assert lanefold.Scene(tmp_path / "baked").build_hulls().fingerprint == scene.build_hulls().fingerprint
    lanefold.Bake(tmp_path / "baked", tmp_path / "whole", margin=0.05).make()
    for shard in lanefold.Bake(tmp_path / "scene", tmp_path / "shards", margin=0.05).shards(3):
        assert len(shard) > 0
        lanefold.Bake(tmp_path / "scene", tmp_path / "shards", margin=0.05).make(shard)
    names = sorted(p.name for p in (tmp_path / "whole").iterdir() if p.name != "log")
    assert len(names) == 11
    for name in names:
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "shards" / name).read_bytes(), name
    records = lanefold.Contacts(tmp_path / "shards")[4]
    poses = scene.poses(4)
    hulls = scene.build_hulls()
    pairs = lanefold.PairFinder().find(hulls, *poses, scene.body_hull, inverse_mass=scene.inverse_mass, margin=0.05)
    own, _ = lanefold.collide_compact(hulls, *poses, scene.body_hull, pairs, margin=0.05)
    assert len(own) > 50 and records.tobytes() == own.tobytes()


@pytest.mark.skipif(not PROGRAM.exists(), reason="an installation without the program")
def test_the_program_reads_what_python_writes(tmp_path):
    _write(tmp_path / "scene")
    for command in (["collide", "scene", "-o", "c", "--margin", "0.05"], ["verify", "scene", "c"]):
        done = subprocess.run([PROGRAM, *command], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "missed                   0" in done.stdout


@pytest.mark.parametrize(
    ("scale", "version", "words"),
    [
        ([1, 0], 3, "body 1 has scale 0"),
        ([-1, 1], 3, "body 0 has scale -1"),
        ([1, np.nan], 3, "body 1 has scale nan"),
        ([np.inf, 1], 3, "body 0 has scale inf"),
        ([1e-40, 1], 3, "body 0 has scale"),
        ([1, 1, 1], 3, r"shape \(2,\)"),
        ([[1, 1]], 3, r"shape \(2,\)"),
        ([2, 1], 2, "needs version 3"),
        ([2, 1], 1, "needs version 3"),
    ],
)
def test_what_is_no_scale_is_refused(tmp_path, scale, version, words):
    cube = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    arrays = {
        "hull_vertices": np.float32(cube),
        "hull_offsets": np.uint64([0, 8]),
        "body_hull": np.uint32([0, 0]),
        "position": np.zeros((1, 2, 3), np.float32),
        "orientation": np.tile(np.float32([0, 0, 0, 1]), (1, 2, 1)),
        "body_scale": np.float32(scale),
    }
    _save(tmp_path / "scene", arrays, version)
    with pytest.raises(ValueError, match=words):
        lanefold.Scene(tmp_path / "scene")


def test_scales_of_one_are_none(tmp_path):
    arrays = _write(tmp_path / "scene")
    np.save(tmp_path / "scene" / "body_scale.npy", np.ones_like(arrays["body_scale"]))
    scene = lanefold.Scene(tmp_path / "scene")
    assert scene.body_scale is None and np.array_equal(scene.body_hull, arrays["body_hull"])
