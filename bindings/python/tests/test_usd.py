# SPDX-License-Identifier: MIT
"""Stages of USD as pieces and poses: what is sampled once, names that differ, the printed command, shapes that are no
meshes. tests/foreign/check_usd_import.py has what is refused by the program."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import CUBE, ROOT

from lanefold import usd

REASON = "usd-core is not installed"
Gf, Usd, UsdGeom = (pytest.importorskip(f"pxr.{name}", reason=REASON) for name in ("Gf", "Usd", "UsdGeom"))
PROGRAM = ROOT / "build/release/tools/lanefold"
FACES = [0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3]


def box(stage, path: str, time=None):
    """A cube of size 2, whose values are the default or a sample at `time`."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    time = Usd.TimeCode.Default() if time is None else time
    mesh.GetPointsAttr().Set([Gf.Vec3f(*map(float, p)) for p in CUBE], time)
    mesh.GetFaceVertexCountsAttr().Set([4] * 6, time)
    mesh.GetFaceVertexIndicesAttr().Set(FACES, time)
    return mesh


def saved(stage, path: Path) -> Path:
    stage.Export(str(path))
    return path


def names_of(stage, folder: Path) -> list[str]:
    usd.read(saved(stage, folder / "stage.usda"), folder / "out")
    return json.loads((folder / "out/names.json").read_text())


def lines_of(folder: Path, word: str) -> list[list[str]]:
    lines = [line.split() for line in (folder / "out/pieces.obj").read_text().splitlines()]
    return [words for first, *words in lines if first == word]


def command(*arguments, **options) -> subprocess.CompletedProcess:
    words = [sys.executable, "-m", "lanefold.usd", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize("time", [None, 1, 7])
def test_a_shape_may_have_one_sample_only(tmp_path, time):
    stage = Usd.Stage.CreateInMemory()
    box(stage, "/a", time)
    stage.SetStartTimeCode(3)
    stage.SetEndTimeCode(4)
    assert names_of(stage, tmp_path) == ["a"]
    assert [list(map(float, v)) for v in lines_of(tmp_path, "v")] == CUBE.tolist()
    assert np.load(tmp_path / "out/poses.npy").shape == (2, 1, 4, 4)


def test_samples_of_a_shape_may_repeat_but_not_change(tmp_path):
    stage = Usd.Stage.CreateInMemory()
    for time in (1, 2):
        mesh = box(stage, "/a", time)
    assert names_of(stage, tmp_path) == ["a"]
    mesh.GetFaceVertexIndicesAttr().Set(FACES[::-1], 2)
    with pytest.raises(usd.UsdError, match="/a: its faces change"):
        usd.read(saved(stage, tmp_path / "faces.usda"), tmp_path / "refused")
    mesh.GetPointsAttr().Set([Gf.Vec3f(*map(float, 2 * p)) for p in CUBE], 2)
    with pytest.raises(usd.UsdError, match="/a: its points change"):
        usd.read(saved(stage, tmp_path / "points.usda"), tmp_path / "refused")
    assert not (tmp_path / "refused").exists()


@pytest.mark.parametrize(
    ("default", "paths", "names"),
    [
        (None, ["/World/a", "/a"], ["World/a", "a"]),
        ("/World", ["/World/a", "/World2/b"], ["a", "/World2/b"]),
        ("/World", ["/World/a", "/a"], ["a", "/a"]),
        ("/World", ["/World"], ["World"]),
        ("/World", ["/World", "/World/World"], ["/World", "World"]),
    ],
)
def test_names_below_the_default_prim_and_beside_it(tmp_path, default, paths, names):
    stage = Usd.Stage.CreateInMemory()
    for path in paths:
        box(stage, path)
    if default:
        stage.SetDefaultPrim(stage.GetPrimAtPath(default))
    assert names_of(stage, tmp_path) == names
    if PROGRAM.exists():
        done = command(
            tmp_path / "stage.usda", "-o", tmp_path / "out", "--scene", tmp_path / "scene", "--program", PROGRAM
        )
        assert done.returncode == 0, done.stderr
        assert json.loads((tmp_path / "scene/names.json").read_text())["bodies"] == names


def test_the_printed_command_can_be_pasted(tmp_path):
    folder = tmp_path / "my 'own' stages"
    folder.mkdir()
    stage = Usd.Stage.CreateInMemory()
    box(stage, "/a")
    path = saved(stage, folder / "a b.usda")
    done = command(path, "-o", folder / "out", "--program", "/opt/my tools/lanefold", "--", "--order", "file")
    words = shlex.split(done.stdout)
    assert words[:3] == ["/opt/my tools/lanefold", "import", str(folder / "out/pieces.obj")], done.stderr
    assert words[-4:] == ["--order", "file", "-o", "SCENE"]
    done = command(path, "-o", folder / "out", "--decompose", env={"LANEFOLD_PYTHON": "/opt/my python", **env_of()})
    assert shlex.split(done.stdout)[0] == "LANEFOLD_PYTHON=/opt/my python", done.stderr


def env_of() -> dict[str, str]:
    """The path on which this Python found lanefold."""
    return {"PYTHONPATH": ":".join(sys.path)}


def test_a_stage_that_ends_before_it_starts_is_refused(tmp_path):
    stage = Usd.Stage.CreateInMemory()
    box(stage, "/a")
    stage.SetStartTimeCode(5)
    stage.SetEndTimeCode(1)
    done = command(saved(stage, tmp_path / "stage.usda"), "-o", tmp_path / "out")
    assert done.returncode != 0 and "ends at time code 1, before it starts at 5" in done.stderr
    assert "Traceback" not in done.stderr and not (tmp_path / "out").exists()


def test_shapes_that_are_left_out_are_told_once_a_type(tmp_path, capsys):
    stage = Usd.Stage.CreateInMemory()
    for i in range(3):
        UsdGeom.Sphere.Define(stage, f"/ball_{i}")
    for kind in (UsdGeom.Cylinder, UsdGeom.Cone, UsdGeom.Capsule):
        kind.Define(stage, f"/{kind.__name__}")
    UsdGeom.Cone.Define(stage, "/hint").GetPurposeAttr().Set("guide")
    with pytest.raises(usd.UsdError, match="no mesh"):
        usd.read(saved(stage, tmp_path / "none.usda"), tmp_path / "none")
    assert "3 prims of type Sphere are left out" in capsys.readouterr().err
    box(stage, "/a")
    assert names_of(stage, tmp_path) == ["a"]
    said = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1].split(" left")[0] for line in said] == [
        " 1 prim of type Capsule is",
        " 1 prim of type Cone is",
        " 1 prim of type Cylinder is",
        " 3 prims of type Sphere are",
    ]


def test_a_cube_is_a_piece(tmp_path, capsys):
    stage = Usd.Stage.CreateInMemory()
    cube = UsdGeom.Cube.Define(stage, "/dice")
    assert names_of(stage, tmp_path) == ["dice"]
    assert [list(map(float, v)) for v in lines_of(tmp_path, "v")] == CUBE.tolist()
    cube.GetSizeAttr().Set(0.3, 1)
    assert names_of(stage, tmp_path) == ["dice"]
    points = np.array(lines_of(tmp_path, "v"), float)
    assert np.array_equal(points, CUBE.astype(float) * 0.15)
    # Each face looks away from the centre.
    for face in lines_of(tmp_path, "f"):
        a, b, c, d = points[np.array(face, int) - 1]
        assert np.allclose(a + c, b + d) and np.dot(np.cross(b - a, c - b), a) > 0
    assert capsys.readouterr().err == ""
    cube.GetSizeAttr().Set(0.4, 2)
    with pytest.raises(usd.UsdError, match="/dice: its size changes"):
        names_of(stage, tmp_path)
    cube.GetSizeAttr().Clear()
    cube.GetSizeAttr().Set(-1.0)
    with pytest.raises(usd.UsdError, match="/dice: its size is -1"):
        names_of(stage, tmp_path)
