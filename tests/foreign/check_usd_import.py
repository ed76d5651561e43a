#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stages that other programs could have written, through bindings/python/lanefold/usd.py and `lanefold import`: scale
is refused or taken into the vertices, and what is no rigid convex piece is refused by name, with no scene written.

    check_usd_import.py PROGRAM FOLDER      `./dev export --test` runs it
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
from cases import check
from pxr import Gf, Usd, UsdGeom

program, folder = Path(sys.argv[1]), Path(sys.argv[2])
script = Path(__file__).parents[2] / "bindings" / "python" / "lanefold" / "usd.py"
CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
FACES = [0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3]
OUTLINE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]


def box(stage, path, points=CORNERS):
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.GetPointsAttr().Set([Gf.Vec3f(*p) for p in points])
    mesh.GetFaceVertexCountsAttr().Set([4] * 6)
    mesh.GetFaceVertexIndicesAttr().Set(FACES)
    return mesh


def run(name, build, *more):
    """Builds a stage with two boxes and what `build` adds; the code and the message of the import, and its scene."""
    path, scene = folder / f"{name}.usdc", folder / f"{name}_scene"
    shutil.rmtree(scene, ignore_errors=True)
    path.unlink(missing_ok=True)
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, "Y")
    for i in range(2):
        UsdGeom.XformCommonAPI(box(stage, f"/box_{i}")).SetTranslate((1.9 * i, 0, 0))
    build(stage)
    stage.Save()
    command = [sys.executable, script, path, "-o", folder / f"{name}_pieces", "--scene", scene, "--program", program]
    done = subprocess.run([*command, *more], capture_output=True, text=True)
    return done.returncode, done.stderr, scene


def refused(name, build, *texts):
    code, said, scene = run(name, build)
    check(code != 0 and all(text in said for text in texts), f"{name}: {said}")
    check(not scene.exists(), f"{name}: a scene was written")


def moving_points(stage):
    points = box(stage, "/jelly").GetPointsAttr()
    points.Set([Gf.Vec3f(*p) for p in CORNERS], 1)
    points.Set([Gf.Vec3f(*p) * 2 for p in CORNERS], 2)


def concave(stage):
    mesh = UsdGeom.Mesh.Define(stage, "/hook")
    mesh.GetPointsAttr().Set([Gf.Vec3f(x, y, z) for z in (0, 1) for x, y in OUTLINE])
    sides = [[i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6] for i in range(6)]
    mesh.GetFaceVertexCountsAttr().Set([6, 6] + [4] * 6)
    mesh.GetFaceVertexIndicesAttr().Set([5, 4, 3, 2, 1, 0, 6, 7, 8, 9, 10, 11] + sum(sides, []))


def stretched(stage):
    shape = box(stage, "/tall")
    UsdGeom.XformCommonAPI(shape).SetScale((1, 3, 1))
    UsdGeom.XformCommonAPI(shape).SetRotate((0, 0, 90))


def growing(stage):
    scale = box(stage, "/grows").AddScaleOp()
    for time in (1, 2):
        scale.Set(Gf.Vec3f(1, time, 1), time)
    stage.SetStartTimeCode(1)
    stage.SetEndTimeCode(2)


def wrong_corners(stage):
    box(stage, "/torn").GetFaceVertexIndicesAttr().Set([99, *FACES[1:]])


folder.mkdir(parents=True, exist_ok=True)
code, said, scene = run("plain_boxes", lambda stage: None)
check(code == 0 and np.load(scene / "position.npy").tolist() == [[[0, 0, 0], [1.9, 0, 0]]], f"two boxes: {said}")
refused("jelly", moving_points, "/jelly", "points change")
refused("hook", concave, "not convex", "hook")
code, said, scene = run("hook_parts", concave, "--decompose")
check(code == 0, said)
names = json.loads((scene / "names.json").read_text())["bodies"]
check(names[:2] == ["box_0", "box_1"] and names[2:] == [f"hook/{i}" for i in range(len(names) - 2)], names)
group = np.load(scene / "body_group.npy")
check(len(names) >= 4 and len(set(group[2:].tolist())) == 1 and len(set(group.tolist())) == 3, "parts are of one group")
offsets, vertices = np.load(scene / "hull_offsets.npy"), np.load(scene / "hull_vertices.npy")
check(len(offsets) == len(names), "the boxes are one hull, each part another")
hook = vertices[offsets[1] :]
check(abs(hook.min() - 0) < 0.05 and abs(hook.max() - 3) < 0.05, "the parts are where the hook is")
in_gap = [vertices[a:b, :2].max(axis=0).min() > 1.1 for a, b in zip(offsets[1:-1], offsets[2:])]
check(not any(in_gap), "no part fills the corner of the L")
refused("tall", stretched, "scale", "'tall'", "1, 3, 1")
refused("torn", wrong_corners, "/torn", "vertices that are not there")
refused("many", lambda stage: UsdGeom.PointInstancer.Define(stage, "/crowd"), "/crowd", "PointInstancer")
code, said, scene = run("tall_applied", stretched, "--apply-scale")
check(code == 0, said)
vertices = np.load(scene / "hull_vertices.npy")
check(np.ptp(vertices, axis=0).max() == 6 and len(np.load(scene / "hull_offsets.npy")) == 3, "a box of 2, 6 and 2")
code, said, scene = run("grows", growing, "--apply-scale")
check(code != 0 and "'grows'" in said and "frame 1" in said and not scene.exists(), said)
code, said, scene = run("grows_once", growing, "--frames", "0")
check(code == 0 and len(np.load(scene / "position.npy")) == 1, said)
code, said, scene = run("none", lambda stage: None, "--frames", "7:9")
check(code != 0 and "--frames 7:9" in said and not scene.exists(), said)
absent = [sys.executable, script, folder / "absent.usd", "-o", folder / "x"]
missing = subprocess.run(absent, capture_output=True, text=True)
check(missing.returncode != 0 and "absent.usd" in missing.stderr and "Traceback" not in missing.stderr, missing.stderr)
print("check_usd_import: stages of other programs are imported or refused by name")
