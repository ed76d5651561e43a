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

import lanefold
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
    UsdGeom.Mesh.Define(stage, "/placeholder")
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
        " 1 prim of type Mesh without faces is",
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


def normals_of(folder: Path) -> np.ndarray:
    """Normals of the faces of the only mesh, in the world and twice the area long."""
    points = np.array(lines_of(folder, "v"), float)
    turn = np.load(folder / "out/poses.npy")[0, 0, :3, :3]
    faces = [points[np.array(face, int) - 1] @ turn for face in lines_of(folder, "f")]
    return np.array([np.cross(p[2] - p[0], p[3] - p[1]) for p in faces])


@pytest.mark.parametrize("scale", [(1, 1, 1), (2, 1, 0.5), (-1, 1, 1), (1, 1, -3), (-1, -2, 1), (-1, -1, -0.5)])
@pytest.mark.parametrize("left_handed", [False, True])
def test_the_outer_side_stays_outside_whatever_the_orientation_and_the_mirroring(tmp_path, scale, left_handed):
    stage = Usd.Stage.CreateInMemory()
    mesh = box(stage, "/a")
    if left_handed:
        mesh.CreateOrientationAttr(UsdGeom.Tokens.leftHanded)
        mesh.GetFaceVertexIndicesAttr().Set(FACES[::-1])
    mesh.AddRotateXYZOp().Set(Gf.Vec3f(20, 30, 40))
    mesh.AddScaleOp().Set(Gf.Vec3f(*map(float, scale)))
    usd.read(saved(stage, tmp_path / "stage.usda"), tmp_path / "out", apply_scale=True)
    matrix = np.array(UsdGeom.Xformable(mesh).ComputeLocalToWorldTransform(0))[:3, :3]
    corners = CUBE @ matrix
    order = np.array(FACES).reshape(6, 4)
    middles = corners[order].mean(axis=1)[:: -1 if left_handed else 1]
    found = normals_of(tmp_path)
    assert (np.einsum("fi,fi->f", found, middles) > 0).all()  # about the middle, outside is away from it
    assert np.abs(np.linalg.norm(found, axis=1).sum() - 2 * area_of(corners, order)).max() < 1e-6


def area_of(corners: np.ndarray, order: np.ndarray) -> float:
    p = corners[order]
    return float(np.linalg.norm(np.cross(p[:, 2] - p[:, 0], p[:, 3] - p[:, 1]), axis=1).sum() / 2)


def test_holes_are_no_faces(tmp_path):
    stage = Usd.Stage.CreateInMemory()
    mesh = box(stage, "/a")
    mesh.CreateHoleIndicesAttr([1, 4])
    names_of(stage, tmp_path)
    assert len(lines_of(tmp_path, "f")) == 4 and lines_of(tmp_path, "f")[0] == ["1", "2", "4", "3"]
    mesh.GetHoleIndicesAttr().Set(list(range(6)))
    with pytest.raises(usd.UsdError, match="/a: all its faces are holes"):
        usd.read(saved(stage, tmp_path / "none.usda"), tmp_path / "none")


def test_subdivision_and_physics_that_are_left_out_are_told(tmp_path, capsys):
    from pxr import UsdPhysics, UsdShade

    stage = Usd.Stage.CreateInMemory()
    mesh = box(stage, "/a")
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    names_of(stage, tmp_path)
    assert capsys.readouterr().err == ""
    mesh.GetSubdivisionSchemeAttr().Set(UsdGeom.Tokens.catmullClark)
    UsdPhysics.RigidBodyAPI.Apply(mesh.GetPrim())
    UsdPhysics.MassAPI.Apply(mesh.GetPrim())
    material = UsdShade.Material.Define(stage, "/ice")
    UsdPhysics.MaterialAPI.Apply(material.GetPrim()).CreateDynamicFrictionAttr(0.02)
    UsdPhysics.FixedJoint.Define(stage, "/weld")
    names_of(stage, tmp_path)
    subdivision, physics = capsys.readouterr().err.splitlines()
    assert "1 of 1 meshes ask to be subdivided (catmullClark), /a first" in subdivision
    assert "rigid bodies (1), masses (1), materials (1), joints (1)" in physics and "--setup" in physics


def test_an_odd_unit_keeps_its_digits(tmp_path):
    stage = Usd.Stage.CreateInMemory()
    box(stage, "/a")
    UsdGeom.SetStageMetersPerUnit(stage, 1200 / 3937)  # the foot of American surveys
    words = usd.read(saved(stage, tmp_path / "stage.usda"), tmp_path / "out")
    assert words[words.index("--unit") + 1] == f"{1200 / 3937!r} m"


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")
def test_a_stretched_stage_is_refused_with_the_option_that_takes_it(tmp_path):
    stage = Usd.Stage.CreateInMemory()
    box(stage, "/b").AddScaleOp().Set(Gf.Vec3f(1, 2, 1))
    path = saved(stage, tmp_path / "stage.usda")
    arguments = [path, "-o", tmp_path / "out", "--scene", tmp_path / "scene", "--program", PROGRAM]
    done = command(*arguments)
    assert done.returncode == 2 and "--apply-scale takes scale" in done.stderr
    done = command(*arguments, "--apply-scale")
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program was not built")
def test_sizes_of_one_mesh_share_its_hull(tmp_path):
    stage = Usd.Stage.CreateInMemory()
    scales = [(1, 1, 1), (2, 2, 2), (0.5, 0.5, 0.5), (1, 3, 1), (-2, -2, -2)]
    for i, scale in enumerate(scales):
        place = UsdGeom.XformCommonAPI(box(stage, f"/box_{i}"))
        place.SetTranslate((3.0 * i, 0, 0))
        place.SetRotate((10.0 * i, 20, 5))
        place.SetScale(scale)
    arguments = usd.read(saved(stage, tmp_path / "stage.usda"), tmp_path / "out", apply_scale=True)
    assert np.allclose(np.load(tmp_path / "out/scales.npy"), [1, 2, 0.5, 1, 1], rtol=1e-12)
    done = subprocess.run([PROGRAM, *arguments, "-o", tmp_path / "scene"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    scene = lanefold.Scene(tmp_path / "scene")
    assert scene.body_scale.tolist() == [1, 2, 0.5, 1, 1]
    # One of three sizes, a stretched and a mirrored one.
    assert scene.hulls_in_files == 3 and len(scene.build_hulls()) == 5
    # All corners are where the stage has them.
    cache = UsdGeom.XformCache()
    for i, hull in enumerate(scene.body_hull):
        own = scene.hull_vertices[int(scene.hull_offsets[hull]) : int(scene.hull_offsets[hull + 1])].astype(float)
        x, y, z, w = scene.orientation[0, i].astype(float)
        side = np.cross([x, y, z], own) + w * own
        world = own + 2 * np.cross([x, y, z], side) + scene.position[0, i]
        matrix = np.array(cache.GetLocalToWorldTransform(stage.GetPrimAtPath(f"/box_{i}")))
        wanted = np.c_[CUBE.astype(float), np.ones(8)] @ matrix[:, :3]
        apart = np.linalg.norm(world[:, None] - wanted[None], axis=2).min(axis=1)
        assert apart.max() < 2e-6 * max(map(abs, scales[i])) * 2
    # Without scales nothing of them is left behind.
    for prim in stage.GetPseudoRoot().GetChildren():
        UsdGeom.XformCommonAPI(prim).SetScale((1, 1, 1))
    assert "--scales" not in usd.read(saved(stage, tmp_path / "plain.usda"), tmp_path / "out", apply_scale=True)
    assert not (tmp_path / "out/scales.npy").exists()


def test_motion_of_a_stage_without_time_codes_is_told(tmp_path, capsys):
    stage = Usd.Stage.CreateInMemory()
    parent = UsdGeom.Xform.Define(stage, "/moves")
    box(stage, "/moves/a")
    place = parent.AddTranslateOp()
    place.Set(Gf.Vec3d(0, 0, 0), 1)
    assert names_of(stage, tmp_path) == ["moves/a"]
    assert capsys.readouterr().err == ""
    place.Set(Gf.Vec3d(5, 0, 0), 24)
    assert names_of(stage, tmp_path) == ["moves/a"]
    assert "/moves moves from time code 1 to 24, but the stage has no startTimeCode" in capsys.readouterr().err
    stage.SetStartTimeCode(1)
    stage.SetEndTimeCode(24)
    assert names_of(stage, tmp_path) == ["moves/a"]
    assert capsys.readouterr().err == ""
    assert np.load(tmp_path / "out/poses.npy").shape == (24, 1, 4, 4)
