# SPDX-License-Identifier: MIT
"""A Bake refuses the scenes that `lanefold collide` refuses, before it makes a folder, with the file and the value; and
takes those that the program takes."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import CUBE, ROOT

import lanefold

PROGRAM = ROOT / "build/release/tools/lanefold"
NAN = float("nan")
POSITION = np.zeros((2, 3, 3), np.float32)
TURN = np.tile(np.float32([0, 0, 0, 1]), (2, 3, 1))
PAIRS = np.array([[0, 1], [1, 2], [0, 2]], np.uint32)
ARRAYS = {
    "hull_offsets": np.array([0, 8], np.uint64),
    "hull_vertices": CUBE,
    "body_hull": np.zeros(3, np.uint32),
    "position": POSITION,
    "orientation": TURN,
    "body_inverse_mass": np.array([0, 1, 1], np.float32),
    "body_group": np.zeros(3, np.uint32),
    "pair_offsets": np.array([0, 2, 3], np.uint64),
    "pairs": PAIRS,
}


@pytest.fixture
def scene(tmp_path):
    """Makes a scene of two frames with other keys and arrays; those that are None go."""

    def make(keys: dict, arrays: dict, names=None) -> Path:
        folder = tmp_path / "scene"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, array in (ARRAYS | arrays).items():
            if array is not None:
                np.save(folder / f"{name}.npy", array)
        header = {"format": "lanefold-scene", "version": 1, "unit": "m", "pairs_margin": 0.02} | keys
        (folder / "scene.json").write_text(json.dumps(header))
        if names is not None:
            (folder / "names.json").write_text(json.dumps({"bodies": names}))
        return folder

    return make


def program_takes(scene: Path) -> bool | None:
    """None without the program."""
    if not PROGRAM.exists():
        return None
    command = [PROGRAM, "collide", scene, "-o", scene.parent / "program"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    shutil.rmtree(scene.parent / "program", ignore_errors=True)
    assert done.returncode in (0, 2), done.stderr
    return done.returncode == 0


def refused(scene: Path, *texts: str) -> None:
    with pytest.raises(ValueError) as caught:
        lanefold.Bake(scene, scene.parent / "contacts")
    for text in (str(scene), *texts):
        assert text in str(caught.value)
    assert not (scene.parent / "contacts").exists()
    assert program_takes(scene) in (False, None)


@pytest.mark.parametrize(
    ("version", "key", "value", "text"),
    [
        (1, "unit", 5, "is not a string"),
        (1, "unit", None, "is not a string"),
        (1, "pairs_margin", -1, "is -1"),
        (1, "pairs_margin", True, "is true"),
        (1, "pairs_margin", "0.02", 'is "0.02"'),
        (2, "pairs_margin", -0.5, "is -0.5"),
        (2, "frames_per_second", 0, "is 0"),
        (2, "frames_per_second", True, "is true"),
        (2, "frames_per_second", 1e7, "is 10000000.0"),
        (2, "first_frame", 1.0, "is 1.0"),
        (2, "first_frame", "abc", 'is "abc"'),
        (2, "first_frame", 10**10, "is 10000000000"),
        (2, "up", False, "must be x, y or z, not 'false'"),
        (2, "up", "", "must be x, y or z, not ''"),
        (2, "up", "w", "must be x, y or z, not 'w'"),
        (2, "handedness", "both", "must be right or left, not 'both'"),
        (True, "version", True, "is true"),
    ],
)
def test_values_of_the_header(scene, version, key, value, text):
    refused(scene({"version": version, key: value}, {}), "scene.json", f'"{key}" {text}')


@pytest.mark.parametrize(
    ("name", "array", "text"),
    [
        ("body_hull", np.array([0, 7, 0], np.uint32), "body 1 has hull 7, but there are 1 hulls"),
        ("body_hull", np.zeros(3, np.int64), "<i8"),
        ("body_inverse_mass", np.array([0, 1, -2], np.float32), "body 2 has inverse mass -2"),
        ("body_inverse_mass", np.array([NAN, 1, 1], np.float32), "body 0 has inverse mass nan"),
        ("body_inverse_mass", np.zeros(4, np.float32), "(4,)"),
        ("body_group", np.zeros(3, np.int32), "<i4"),
        ("hull_offsets", np.array([1, 8], np.uint64), "entry 0 is 1"),
        ("hull_offsets", np.array([0, 9], np.uint64), "the last entry is 9"),
        ("hull_offsets", np.array([0, 8, 4, 8], np.uint64), "entry 2 is 4 after 8"),
        ("hull_offsets", np.zeros(0, np.uint64), "empty, expected"),
        ("hull_vertices", CUBE.astype(np.float64), "<f8"),
        ("position", POSITION.astype(np.int32), "<i4"),
        ("position", POSITION[:, :2], "(2, 2, 3)"),
        ("position", np.asfortranarray(np.arange(18, dtype=np.float32).reshape(2, 3, 3)), "Fortran"),
        ("orientation", TURN[:1], "(1, 3, 4)"),
        ("orientation", TURN.astype(np.float64), "<f8"),
        ("pair_offsets", np.array([0, 3], np.uint64), "(2,)"),
        ("pair_offsets", np.array([0, 2, 5], np.uint64), "the last entry is 5"),
        ("pair_offsets", None, "missing"),
        ("pairs", None, "missing"),
        ("pairs", PAIRS.astype(np.uint64), "<u8"),
    ],
)
def test_arrays(scene, name, array, text):
    refused(scene({}, {name: array}), f"{name}.npy", text)


def test_a_scene_without_frames(scene):
    arrays = {"position": POSITION[:0], "orientation": TURN[:0], "pair_offsets": np.zeros(1, np.uint64)}
    refused(scene({}, arrays | {"pairs": PAIRS[:0]}), "no frames")
    refused(scene({}, arrays | {"pairs": None, "pair_offsets": None}), "no frames")


def test_files_of_version_2(scene):
    two = {"version": 2}
    refused(scene(two, {}, ["a", "", "c"]), "names.json", 'body 1 is ""')
    refused(scene(two, {}, ["a", 5, "c"]), "names.json", "body 1 is 5")
    refused(scene(two, {}, ["a", "b", "a"]), "names.json", "body 2", "'a'")
    refused(scene(two, {"hull_kind": np.zeros(1, np.int64)}), "hull_kind.npy", "<i8")
    refused(scene(two, {"hull_radius": np.zeros(1)}), "hull_radius.npy", "<f8")


@pytest.mark.parametrize(
    "keys",
    [
        {"pairs_margin": None},
        {"version": 1.0},
        # Version 1 knows none of these.
        {"up": "w", "handedness": 7, "frames_per_second": 0, "first_frame": "abc", "author": "somebody"},
        {"version": 2, "up": None, "handedness": None, "frames_per_second": None, "first_frame": None},
        {"version": 2, "up": "z", "handedness": "left", "frames_per_second": 24, "first_frame": -1001},
    ],
)
def test_what_the_program_takes_a_bake_takes(scene, tmp_path, keys):
    folder = scene(keys, {})
    assert lanefold.Bake(folder, tmp_path / "contacts").make() == [0, 1]
    assert program_takes(folder) in (True, None)


def test_no_bodies_and_no_pairs_are_a_scene(scene, tmp_path):
    arrays = {"body_hull": ARRAYS["body_hull"][:0], "position": POSITION[:, :0], "orientation": TURN[:, :0]}
    rest = ("body_inverse_mass", "body_group", "pair_offsets", "pairs")
    folder = scene({}, arrays | dict.fromkeys(rest))
    assert lanefold.Bake(folder, tmp_path / "contacts").make() == [0, 1]
    assert program_takes(folder) in (True, None)
