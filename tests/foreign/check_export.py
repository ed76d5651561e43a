#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports of a scene with everything (names, frame numbers, a rate, axes, bodies that appear and vanish, contacts) as
the programs read them for which they are made: OpenUSD, VTK, and readers of PLY and CSV. Every pose, vertex, normal and
contact is compared with the scene's own arrays, computed again here.

    check_export.py PROGRAM FOLDER      ./dev export --test runs it, with the packages of tests/foreign/requirements.txt
"""

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

program, folder = Path(sys.argv[1]), Path(sys.argv[2])
checks = 0


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"check_export: {text}")


def run(*arguments):
    done = subprocess.run([program, *map(str, arguments), "--progress", "none"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"check_export: {arguments}: {done.stderr}")
    return done.stdout


def matrix(q):
    x, y, z, w = (np.asarray(q, float) / np.linalg.norm(np.asarray(q, float))).tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


# A scene of version 2 out of one that the program lets fall.
class Case:
    def __init__(self, name, up, handedness, first, masked, double):
        self.name, self.up, self.handedness = name, up, handedness
        self.scene = folder / name
        shutil.rmtree(self.scene, ignore_errors=True)
        shutil.rmtree(folder / f"{name}_contacts", ignore_errors=True)
        run("generate", "debris", self.scene, "--bodies", 60, "--frames", 6, "--seconds", 1, "--seed", 5)
        load = lambda part: np.load(self.scene / f"{part}.npy")  # noqa: E731
        self.position, self.orientation = load("position"), load("orientation")
        self.hull, self.offsets, self.vertices = load("body_hull"), load("hull_offsets"), load("hull_vertices")
        frames, bodies = self.position.shape[:2]
        self.first, self.rate = first, 30.0
        self.names = [f"heap, \"{i % 3}\"/pièce {i}" for i in range(bodies)]
        self.active = np.ones((frames, bodies), bool)
        if masked:
            for f in range(frames):
                self.active[f, (3 * f + np.arange(10) * 7) % bodies] = False
            np.save(self.scene / "active.npy", self.active)
        if double:
            self.position = self.position.astype(np.float64) + [1e6, 0.25, -2e6]
            np.save(self.scene / "position.npy", self.position)
        header = {"format": "lanefold-scene", "version": 2, "unit": "cm", "first_frame": first, "up": up}
        header |= {"frames_per_second": self.rate, "handedness": handedness}
        (self.scene / "scene.json").write_text(json.dumps(header))
        (self.scene / "names.json").write_text(json.dumps({"bodies": self.names}))
        for part in ("pairs", "pair_offsets"):
            (self.scene / f"{part}.npy").unlink(missing_ok=True)
        self.contacts = folder / f"{name}_contacts"
        run("collide", self.scene, "-o", self.contacts, "--margin", 0.02)

        # Files keep places in float32 about an origin near the scene, or in float64.
        there = self.position[self.active]
        self.extent = float(np.abs(there - there.mean(axis=0)).max())
        if not double:
            self.extent += float(np.abs(there).max())

    def axes(self, usd):
        """The matrix from the scene's axes to the file's."""
        out = np.eye(3)
        if self.handedness == "left":
            axis = 2 if self.up == "y" else 1
            out[axis, axis] = -1
        if usd and self.up == "x":
            out = out[[2, 0, 1]]
        return out

    def hull_vertices(self, body):
        return self.vertices[self.offsets[self.hull[body]] : self.offsets[self.hull[body] + 1]].astype(float)

    def placed(self, frame, body, axes):
        world = self.hull_vertices(body) @ matrix(self.orientation[frame, body]).T + self.position[frame, body]
        return world @ axes.T

    def points(self, frame):
        """Body a and b, world position, normal and point of every contact point."""
        records = np.load(self.contacts / f"frame_{frame:06d}.npy")
        for m in records:
            for p in m["points"][: m["count"]]:
                a, b = m["pair"]
                yield int(a), int(b), self.position[frame, a] + p["position"].astype(float), m, p


def near(a, b, what, scale=1.0):
    a, b = np.asarray(a, float), np.asarray(b, float)
    check(a.shape == b.shape, f"{what}: shapes {a.shape} and {b.shape}")
    worst = float(np.abs(a - b).max()) if a.size else 0.0
    check(worst <= 2e-6 * scale, f"{what}: off by {worst:.3g}")
    return worst


def same_cloud(a, b, what, scale):
    """Two sets of points, in any order: the file has the hull's corners only."""
    distance = np.linalg.norm(np.asarray(a)[:, None] - np.asarray(b)[None], axis=2)
    check(float(distance.min(axis=1).max()) <= 2e-6 * scale, f"{what}: a corner is elsewhere")


def check_outward(points, loops, what):
    """Loops run counter-clockwise seen from outside."""
    middle = points.mean(axis=0)
    for loop in loops:
        p = points[list(loop)]
        normal = np.cross(p[1] - p[0], p[2] - p[0])
        check(np.dot(normal, p.mean(axis=0) - middle) > 0, f"{what}: a face looks inwards")


def check_stage(case, stage):
    """What the file says of itself, and its prims. Returns those of the bodies."""
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
    # What the command usdchecker does, which the package of PyPI lacks: every validator that OpenUSD has.
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
        get = lambda name: list(primvars.GetPrimvar(name).Get(time))  # noqa: B023, E731
        check(get("bodyA") == [r[0] for r in rows] and get("bodyB") == [r[1] for r in rows], "bodies of contacts")
        check(get("feature") == [int(r[4]["feature"]) for r in rows], "features")
        near(get("separation"), [r[4]["separation"] for r in rows], "separations")
    check(total > 100, "contacts to compare")
    print(f"  USD   {case.name}: {len(prims)} instances, {frames} frames, {total} contact points; "
          f"{len(validators)} validators of OpenUSD have no finding")


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
for settings in (
    ("plain", "y", "right", 0, False, False),
    ("unreal", "z", "left", 1001, True, False),
    ("unity", "y", "left", -2, True, True),
    ("sideways", "x", "right", 7, True, False),
):
    one = Case(*settings)
    check_usd(one)
    check_vtk(one)
    check_ply(one)
    check_csv(one)
print(f"check_export: {checks:,} checks passed")
