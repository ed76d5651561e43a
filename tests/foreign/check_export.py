#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports of a scene with everything (names, frame numbers, a rate, axes, bodies that appear and vanish, contacts) as
the programs read them for which they are made: OpenUSD, VTK, and readers of PLY and CSV. Every pose, vertex, normal and
contact is compared with what cases.py computes from the scene's own arrays.

    check_export.py PROGRAM FOLDER      ./dev export --test runs it, with the packages of tests/foreign/requirements.txt
"""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import cases
import numpy as np
from cases import check, check_outward, make_case, near, same_cloud
from check_houdini import check_houdini

program, folder = Path(sys.argv[1]), Path(sys.argv[2])


def run(*arguments):
    return cases.run(program, *arguments)


def check_stage(case, stage):
    """Checks the file's statements about itself, and its prims. Returns those of the bodies."""
    from pxr import Usd, UsdGeom

    check(stage is not None and stage.GetDefaultPrim().GetName() == "World", "the stage opens")
    check(UsdGeom.GetStageUpAxis(stage) == ("Z" if case.up == "z" else "Y"), "up axis")
    check(UsdGeom.GetStageMetersPerUnit(stage) == 0.01, "unit")
    frames, bodies = case.position.shape[:2]
    check(stage.GetTimeCodesPerSecond() == case.rate, "rate")
    check((stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (case.first, case.first + frames - 1), "times")
    prims = list(stage.GetPrimAtPath("/World/Bodies").GetChildren())
    check(len(prims) == bodies, "a prim for each body")
    check(len({p.GetPrototype().GetPath() for p in prims}) == len(set(case.hull.tolist())), "instances of hulls")
    drawn = [p for p in Usd.PrimRange(stage.GetPseudoRoot()) if p.IsA(UsdGeom.Mesh)]
    check(not drawn, "hulls are not drawn by themselves")
    return prims


def check_usd(case):
    from pxr import Usd, UsdGeom, UsdValidation

    path = folder / f"{case.name}.usda"
    run("export", case.scene, case.contacts, "-o", path)
    stage = Usd.Stage.Open(str(path))
    # The checks of the command usdchecker, which the package of PyPI lacks: every validator that OpenUSD has.
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    check(len(validators) > 10, "validators of OpenUSD")
    found = [e.GetErrorAsString() for e in UsdValidation.ValidationContext(validators).Validate(stage)]
    check(not found, f"usdchecker, {path.name}: {found[:5]}")
    prims = check_stage(case, stage)
    frames = len(case.position)
    axes = case.axes(usd=True)
    scale = case.extent + 1
    for b, prim in enumerate(prims):
        check(prim.GetAttribute("lanefold:name").Get() == case.names[b], f"name of body {b}")
        check(prim.GetAttribute("lanefold:body").Get() == b and prim.IsInstance(), f"number of body {b}")
        mesh = UsdGeom.Mesh(next(p for p in prim.GetFilteredChildren(Usd.TraverseInstanceProxies())))
        points = np.array(mesh.GetPointsAttr().Get(), float)
        counts, corners = mesh.GetFaceVertexCountsAttr().Get(), np.array(mesh.GetFaceVertexIndicesAttr().Get())
        loops = np.split(corners, np.cumsum(counts)[:-1])
        check_outward(points, loops, f"body {b}")
        check(len(points) - sum(counts) // 2 + len(counts) == 2, f"body {b} is closed")
        for f in range(frames):
            time = Usd.TimeCode(case.first + f)
            visible = UsdGeom.Imageable(prim).ComputeVisibility(time) != "invisible"
            check(visible == case.active[f, b], f"body {b} in frame {f} is there: {visible}")
            if not visible:
                continue
            to_world = np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(time))
            world = points @ to_world[:3, :3] + to_world[3, :3]
            same_cloud(world, case.placed(f, b, axes), f"body {b} in frame {f}", scale)
    found = UsdGeom.Points(stage.GetPrimAtPath("/World/Contacts"))
    origin = np.array(UsdGeom.Xformable(found).ComputeLocalToWorldTransform(0))[3, :3]
    primvars = UsdGeom.PrimvarsAPI(found)
    total = 0
    for f in range(frames):
        time = Usd.TimeCode(case.first + f)
        rows = list(case.points(f))
        total += len(rows)
        near(np.array(found.GetPointsAttr().Get(time)).reshape(-1, 3) + origin,
             np.array([r[2] for r in rows]).reshape(-1, 3) @ axes.T, f"contacts of frame {f}", scale)
        near(np.array(found.GetNormalsAttr().Get(time)).reshape(-1, 3),
             np.array([r[3]["normal"] for r in rows]).reshape(-1, 3) @ axes.T, "normals")
        check(primvars.GetPrimvar("normal").Get(time) == found.GetNormalsAttr().Get(time), "normals as a primvar")
        get = lambda name: list(primvars.GetPrimvar(name).Get(time))  # noqa: B023, E731
        check(get("bodyA") == [r[0] for r in rows] and get("bodyB") == [r[1] for r in rows], "bodies of contacts")
        # Their 32 bits as signed numbers.
        check(get("feature") == [int(r[4]["feature"].view(np.int32)) for r in rows], "features")
        near(get("separation"), [r[4]["separation"] for r in rows], "separations")
        near(get("distance"), [r[3]["distance"] for r in rows], "distances of pairs")
    check(total > 100, "contacts to compare")
    print(f"  USD   {case.name}: {len(prims)} instances, {frames} frames, {total} contact points; "
          f"{len(validators)} validators of OpenUSD have no finding")


def check_binary(script, text, binary):
    """A binary file and a package have every statement of the text, and wrong names are refused."""
    from pxr import Sdf, Usd

    packed = binary.with_suffix(".usdz")
    for output in (binary, packed):
        output.unlink(missing_ok=True)
        done = subprocess.run([sys.executable, script, text, "-o", output], capture_output=True, text=True)
        check(done.returncode == 0, f"{output.name}: {done.stderr}")
    check(binary.read_bytes()[:8] == b"PXR-USDC", f"{binary.name} is binary")
    # Binary files keep whole numbers as such, and so the sign of zero is lost.
    said = lambda layer: re.sub(r"(?<=[ (])-0(?=[,)])", "0", layer.ExportToString())  # noqa: E731
    whole = said(Sdf.Layer.FindOrOpen(str(text)))
    check(said(Sdf.Layer.FindOrOpen(str(binary))) == whole, f"{binary.name} says what the text does")
    stage = Usd.Stage.Open(str(packed))  # which keeps its layer
    check(said(stage.GetRootLayer()) == whole, f"{packed.name} says what the text does")
    left = [path.name for path in binary.parent.glob(".*.usd*")]
    check(not left, f"left behind: {left}")
    for path, output, why in ((binary.with_name("no.usda"), binary, "no.usda"), (text, "no_such/a.usdc", "no folder")):
        done = subprocess.run([sys.executable, script, path, "-o", output], capture_output=True, text=True)
        check(done.returncode != 0 and why in done.stderr, f"{path.name} to {output}: {done.stderr}")


def check_usd_import(case):
    """The export as a binary stage, by bindings/python/lanefold/usd.py and `lanefold import` a scene again."""
    from pxr import Usd

    binary, pieces, scene = (folder / f"{case.name}{end}" for end in (".usdc", "_pieces", "_again"))
    text = folder / f"{case.name}.usda"
    stage = Usd.Stage.Open(str(text))
    script = Path(__file__).parents[2] / "bindings" / "python" / "lanefold" / "usd.py"
    check_binary(script, text, binary)
    prims = [prim.GetName() for prim in stage.GetPrimAtPath("/World/Bodies").GetChildren()]
    command = [sys.executable, script, binary, "-o", pieces, "--scene", scene, "--program", program]
    done = subprocess.run([*command, "--", "--replace"], capture_output=True, text=True)
    check(done.returncode == 0, f"{binary.name}: {done.stderr}")
    load = lambda part: np.load(scene / f"{part}.npy")  # noqa: E731
    names = json.loads((scene / "names.json").read_text())["bodies"]
    header = json.loads((scene / "scene.json").read_text())
    says = (header["first_frame"], header["frames_per_second"], header["unit"], header["up"])
    check(says == (case.first, case.rate, "cm", "z" if case.up == "z" else "y"), f"{binary.name}: {header}")
    position, orientation, hull = load("position"), load("orientation"), load("body_hull")
    offsets, vertices = load("hull_offsets"), load("hull_vertices").astype(float)
    active = load("active") if (scene / "active.npy").exists() else np.ones(position.shape[:2], bool)
    axes = case.axes(usd=True)
    for b, name in enumerate(prims):
        again = names.index(f"Bodies/{name}/shape")
        check(active[:, again].tolist() == case.active[:, b].tolist(), f"body {b} is there when it was")
        corners = vertices[offsets[hull[again]] : offsets[hull[again] + 1]]
        for f in np.flatnonzero(case.active[:, b]):
            world = corners @ cases.rotation(orientation[f, again]).T + position[f, again]
            same_cloud(world, case.placed(f, b, axes), f"{binary.name}: body {b} of frame {f}", case.extent + 1)
    print(f"  USD   {binary.name} imported again: {len(names)} bodies")


def check_vtk(case):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    import xml.etree.ElementTree as ElementTree

    path = folder / f"{case.name}.pvd"
    run("export", case.scene, case.contacts, "-o", path)
    axes = case.axes(usd=False)
    sets = ElementTree.parse(path).getroot().find("Collection").findall("DataSet")
    frames = case.position.shape[0]
    check(len(sets) == 2 * frames, "two files a frame")
    scale = case.extent + 1
    total = 0
    for entry in sets:
        time = float(entry.get("timestep"))
        f = round(time * case.rate) - case.first
        check(abs(time - (case.first + f) / case.rate) < 1e-9, "times in seconds")
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(path.parent / entry.get("file")))
        reader.Update()
        check(reader.GetErrorCode() == 0, f"{entry.get('file')} is read")
        mesh = reader.GetOutput()
        points = vtk_to_numpy(mesh.GetPoints().GetData()) if mesh.GetNumberOfPoints() else np.zeros((0, 3))
        if entry.get("name") == "bodies":
            body = vtk_to_numpy(mesh.GetCellData().GetArray("body"))
            check(set(body.tolist()) == set(np.flatnonzero(case.active[f]).tolist()), "bodies of the frame")
            corners = vtk_to_numpy(mesh.GetPolys().GetConnectivityArray())
            ends = vtk_to_numpy(mesh.GetPolys().GetOffsetsArray())
            for b in np.unique(body):
                loops = [corners[ends[k] : ends[k + 1]] for k in np.flatnonzero(body == b)]
                used = np.unique(np.concatenate(loops))
                same_cloud(points[used], case.placed(f, b, axes), f"body {b}", scale)
                back = {v: k for k, v in enumerate(used)}
                check_outward(points[used].astype(float), [[back[c] for c in loop] for loop in loops], f"body {b}")
        else:
            rows = list(case.points(f))
            total += len(rows)
            array = lambda name: vtk_to_numpy(mesh.GetPointData().GetArray(name))  # noqa: B023, E731
            near(points, np.array([r[2] for r in rows]).reshape(-1, 3) @ axes.T, "contacts", scale)
            normals = np.array([r[3]["normal"] for r in rows]).reshape(-1, 3)
            near(array("normal"), normals @ axes.T, "normals")
            check(array("body_a").tolist() == [r[0] for r in rows], "bodies of contacts")
            check(array("feature").tolist() == [int(r[4]["feature"]) for r in rows], "features")
            near(array("separation"), [r[4]["separation"] for r in rows], "separations")
            near(array("distance"), [r[3]["distance"] for r in rows], "distances")
    check(total > 100, "contacts to compare")
    print(f"  VTK   {case.name}: {len(sets)} files, {total} contact points")


def check_ply(case):
    from plyfile import PlyData
    import trimesh

    frames = case.position.shape[0]
    axes = case.axes(usd=False)
    scale = case.extent + 1
    run("export", case.scene, case.contacts, "-o", folder / f"{case.name}.ply")
    total = 0
    for f in range(frames):
        number = f"{case.first + f:04d}"
        path = folder / f"{case.name}.{number}.ply"
        ply = PlyData.read(path)
        points = np.stack([np.asarray(ply["vertex"][axis], float) for axis in "xyz"], axis=1)
        corners = np.stack(ply["face"]["vertex_indices"])
        body = np.asarray(ply["face"]["body"])
        check(set(body.tolist()) == set(np.flatnonzero(case.active[f]).tolist()), "bodies of the frame")
        for b in np.unique(body):
            same_cloud(points[np.unique(corners[body == b])], case.placed(f, b, axes), f"body {b}", scale)
        mesh = trimesh.load(path, process=False)
        closed = mesh.is_watertight and mesh.is_winding_consistent and mesh.volume > 0
        check(closed, "closed surfaces that look outwards")
        contacts = PlyData.read(folder / f"{case.name}_contacts.{number}.ply")["vertex"]
        rows = list(case.points(f))
        total += len(rows)
        near(np.stack([np.asarray(contacts[axis], float) for axis in "xyz"], axis=1).reshape(-1, 3),
             np.array([r[2] for r in rows]).reshape(-1, 3) @ axes.T, "contacts", scale)
        check(np.asarray(contacts["body_b"]).tolist() == [r[1] for r in rows], "bodies of contacts")
        check(np.asarray(contacts["feature"]).tolist() == [int(r[4]["feature"]) for r in rows], "features")
        near(contacts["separation"], [r[4]["separation"] for r in rows], "separations")
    check(total > 100, "contacts to compare")
    run("export", case.scene, "-o", folder / "one.ply", "--frames", "2")
    check((folder / "one.ply").exists() and not (folder / "one_contacts.ply").exists(), "one frame without contacts")
    print(f"  PLY   {case.name}: {frames} frames, {total} contact points")


def check_csv(case):
    path = folder / f"{case.name}.csv"
    run("export", case.scene, case.contacts, "-o", path)
    with path.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    expected = [(f, *row) for f in range(case.position.shape[0]) for row in case.points(f)]
    check(len(table) == len(expected) > 100, "a row for each point")
    for row, (f, a, b, position, m, p) in zip(table, expected, strict=True):
        check((int(row["frame"]), int(row["number"])) == (f, case.first + f), "frame and number")
        check((int(row["body_a"]), int(row["body_b"])) == (a, b), "bodies")
        check((row["name_a"], row["name_b"]) == (case.names[a], case.names[b]), "names")
        check(np.float32(row["separation"]) == p["separation"], "separation, to the bit")
        check([np.float32(row[k]) for k in ("nx", "ny", "nz")] == m["normal"].tolist(), "normal, to the bit")
        check(int(row["feature"]) == p["feature"], "feature")
        near([float(row[k]) for k in "xyz"], position, "position", float(np.abs(position).max()) * 1e-6)
    poses = folder / f"{case.name}_poses.csv"
    run("export", case.scene, "-o", poses)
    with poses.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    there = [(f, b) for f in range(len(case.position)) for b in np.flatnonzero(case.active[f])]
    check(len(table) == len(there), "a row for each body that is there")
    kind = case.position.dtype.type
    for row, (f, b) in zip(table, there, strict=True):
        check([kind(row[k]) for k in "xyz"] == case.position[f, b].tolist(), "position, to the bit")
        check([np.float32(row[k]) for k in ("qx", "qy", "qz", "qw")] == case.orientation[f, b].tolist(), "orientation")
        check(row["name"] == case.names[b], "name")
    print(f"  CSV   {case.name}: {len(expected)} contact points, {len(table)} poses")


folder.mkdir(parents=True, exist_ok=True)
for settings in cases.SETTINGS:
    one = make_case(program, folder, *settings)
    check_usd(one)
    check_usd_import(one)
    check_vtk(one)
    check_ply(one)
    check_csv(one)
    check_houdini(one, folder)
print(f"check_export: {cases.checks:,} checks passed")
