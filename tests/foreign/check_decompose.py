#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`lanefold import --decompose` with the real coacd: concave pieces of OBJ and glTF files become parts that fill their
pieces and nothing else, in the same bytes in every run; convex pieces stay as they are.

    check_decompose.py PROGRAM FOLDER      `./dev export --test` runs it
"""

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
from cases import check

program, folder = Path(sys.argv[1]), Path(sys.argv[2])
SCRIPT = Path(__file__).parents[2] / "bindings" / "python" / "lanefold" / "decompose.py"
CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
CUBE_FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
OUTLINE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]


def hook():
    """An L of area 5, one unit thick, with faces of six corners."""
    points = np.array([(x, y, z) for z in (0, 1) for x, y in OUTLINE], float)
    walls = [[i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6] for i in range(6)]
    return points, [[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11], *walls]


def torus(around=48, tube=20, radius=2.0, thickness=0.6):
    """A ring about z, of 2 around tube triangles."""
    u, v = np.meshgrid(np.arange(around) * 2 * np.pi / around, np.arange(tube) * 2 * np.pi / tube, indexing="ij")
    reach = radius + thickness * np.cos(v)
    points = np.stack([reach * np.cos(u), reach * np.sin(u), thickness * np.sin(v)], axis=-1).reshape(-1, 3)
    at = lambda i, j: (i % around) * tube + j % tube  # noqa: E731
    faces = []
    for i in range(around):
        for j in range(tube):
            faces += [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
    return points, faces


def write_obj(path, pieces):
    lines, first = [], 1
    for name, points, faces in pieces:
        lines.append(f"o {name}")
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(points, float).tolist()]
        lines += ["f " + " ".join(str(i + first) for i in face) for face in faces]
        first += len(points)
    path.write_text("\n".join(lines) + "\n")
    return path


def write_gltf(path, points, faces, places):
    """A node for each place, all of one mesh; the last one moves up by 5 in half a second."""
    triangles = [[face[0], face[i], face[i + 1]] for face in faces for i in range(1, len(face) - 1)]
    arrays = [np.asarray(points, "<f4"), np.array(triangles, "<u2").ravel(), np.array([0, 0.5], "<f4")]
    arrays.append(np.array([places[-1], np.add(places[-1], (0, 5, 0))], "<f4"))
    kinds = [("VEC3", 5126), ("SCALAR", 5123), ("SCALAR", 5126), ("VEC3", 5126)]
    data, views, accessors = b"", [], []
    for array, (kind, component) in zip(arrays, kinds):
        data += b"\0" * (-len(data) % 4)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": array.nbytes})
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "type": kind, "count": len(array)})
        data += array.tobytes()
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    nodes = [{"name": f"hook_{i}", "mesh": 0, "translation": list(p)} for i, p in enumerate(places)]
    channel = {"sampler": 0, "target": {"node": len(places) - 1, "path": "translation"}}
    root = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(places)))}], "nodes": nodes}
    root |= {"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "accessors": accessors}
    root |= {"animations": [{"samplers": [{"input": 2, "output": 3}], "channels": [channel]}], "bufferViews": views}
    path.write_text(json.dumps(root | {"buffers": [{"byteLength": len(data), "uri": uri}]}))
    return path


def run(source, name, *more, python=sys.executable):
    scene = folder / f"{name}_scene"
    shutil.rmtree(scene, ignore_errors=True)
    command = [program, "import", source, "-o", scene, "--progress", "none", *more]
    environment = os.environ | {"LANEFOLD_PYTHON": str(python)}
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment), scene


class Parts:
    """Names, groups, vertices and half spaces of the bodies of a scene."""

    def __init__(self, scene):
        load = lambda name: np.load(scene / f"{name}.npy")  # noqa: E731
        self.names = json.loads((scene / "names.json").read_text())["bodies"]
        self.group, self.hull, self.position = load("body_group"), load("body_hull"), load("position")
        self.inverse_mass = load("body_inverse_mass")
        offsets, vertices = load("hull_offsets"), load("hull_vertices").astype(float)
        self.vertices = [vertices[offsets[h] : offsets[h + 1]] for h in self.hull]

    def of(self, piece):
        return [i for i, name in enumerate(self.names) if name.rpartition("/")[0] == piece]

    def inside(self, body, points):
        """Which points lie in the hull, by the planes through three vertices with all others on one side."""
        v = self.vertices[body]
        corners = np.array(np.meshgrid(*[np.arange(len(v))] * 3, indexing="ij")).reshape(3, -1)
        a, b, c = (v[k] for k in corners[:, (corners[0] < corners[1]) & (corners[1] < corners[2])])
        normal = np.cross(b - a, c - a)
        length = np.linalg.norm(normal, axis=1)
        keep = length > 1e-9
        normal, a = normal[keep] / length[keep, None], a[keep]
        height = normal @ v.T - (normal * a).sum(axis=1)[:, None]
        planes = [(n, p) for n, p, h in zip(normal, a, height) if h.max() < 1e-5] + [
            (-n, p) for n, p, h in zip(normal, a, height) if h.min() > -1e-5
        ]
        out = np.ones(len(points), bool)
        for n, p in planes:
            out &= points @ n - p @ n <= 1e-5
        return out


folder.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng(3)

# A box, two hooks of which one is inside out, and a box again: from OBJ.
points, faces = hook()
turned = [face[::-1] for face in faces]
file = write_obj(
    folder / "mixed.obj",
    [("box", CUBE - 4, CUBE_FACES), ("hook", points, faces)]
    + [("inverted", points + 9, turned), ("last", CUBE, CUBE_FACES)],
)
refused, scene = run(file, "refused")
check(refused.returncode == 2 and "--decompose" in refused.stderr and not scene.exists(), refused.stderr)
done, scene = run(file, "mixed", "--decompose", "--density", "10", "--pairs", "--margin", "0.5")
check(done.returncode == 0 and "split by CoACD" in done.stdout, done.stderr + done.stdout)
parts = Parts(scene)
check(parts.names[0] == "box" and parts.names[-1] == "last", "convex pieces stay")
for piece, shift in (("hook", 0), ("inverted", 9)):
    bodies = parts.of(piece)
    check(len(bodies) >= 2, f"{piece}: {parts.names}")
    check([parts.names[i] for i in bodies] == [f"{piece}/{k}" for k in range(len(bodies))], parts.names)
    check(len({int(parts.group[i]) for i in bodies}) == 1, "parts are of one group")
    cloud = random.uniform((0.02, 0.02, 0.02), (2.98, 2.98, 0.98), (4000, 3))
    solid = (cloud[:, 0] < 0.98) | (cloud[:, 1] < 0.98)
    gap = (cloud[:, 0] > 1.1) & (cloud[:, 1] > 1.1)
    filled = np.zeros(len(cloud), bool)
    for i in bodies:
        place = parts.position.reshape(-1, len(parts.names), 3)[0, i]  # a piece far out has an origin of its own
        filled |= parts.inside(i, cloud + shift - place)
    check(solid.sum() > 2000 and gap.sum() > 1000, "the cloud is large enough")
    check(filled[solid].mean() > 0.99, f"{piece}: the parts fill {filled[solid].mean():.3f} of it")
    check(filled[gap].mean() < 0.01, f"{piece}: the parts fill {filled[gap].mean():.3f} of the gap")
    mass = (1 / parts.inverse_mass[bodies].astype(float)).sum()
    check(abs(mass - 50) < 2.5, f"{piece}: the parts weigh {mass:.2f}, the piece 50")
pairs = np.load(scene / "pairs.npy")
check(len(pairs) > 0 and (parts.group[pairs[:, 0]] != parts.group[pairs[:, 1]]).all(), "parts are no pairs")
again, other = run(file, "again", "--decompose", "--density", "10", "--pairs", "--margin", "0.5")
names = sorted(p.name for p in scene.iterdir())
check(names == sorted(p.name for p in other.iterdir()), "the same files")
check(all((scene / n).read_bytes() == (other / n).read_bytes() for n in names), "the same bytes in every run")

# A ring of 1,920 triangles: the hole stays open, and a smaller threshold gives more parts.
ring, ring_faces = torus()
file = write_obj(folder / "ring.obj", [("ring", ring, ring_faces), ("stick", CUBE * (0.3, 0.3, 2), CUBE_FACES)])
counts = {}
for threshold in ("0.2", "0.05"):
    done, scene = run(file, f"ring_{threshold}", "--decompose", "--decompose-threshold", threshold, "--pairs")
    check(done.returncode == 0, done.stderr)
    counts[threshold] = len(Parts(scene).of("ring"))
check(4 <= counts["0.2"] < counts["0.05"], f"parts by threshold: {counts}")
contacts = folder / "ring_contacts"
shutil.rmtree(contacts, ignore_errors=True)
for command in (["collide", scene, "-o", contacts], ["verify", scene, contacts]):
    done = subprocess.run(list(map(str, [program, *command])), capture_output=True, text=True)
    check(done.returncode == 0, done.stderr + done.stdout)
deep = [m for m in np.load(contacts / "frame_000000.npy") if m["distance"] < -0.05]
check(not deep, f"the stick is deep in the ring's hole: {len(deep)} pairs")

# Nodes of one mesh, one of them moving: from glTF.
file = write_gltf(folder / "hooks.gltf", points, faces, [(0, 0, 0), (10, 0, 0), (20, 0, 0)])
done, scene = run(file, "hooks", "--decompose")
check(done.returncode == 0, done.stderr)
parts = Parts(scene)
count = len(parts.of("hook_0"))
check(count >= 2 and len(parts.names) == 3 * count and len(set(parts.hull.tolist())) == count, "hulls are shared")
check(len(set(parts.group.tolist())) == 3, "a group for each node")
check(parts.position.shape[0] == 2, "two frames")
for i, name in enumerate(parts.names):
    node = int(name[len("hook_")])
    check(parts.position[:, i].tolist() == [[10 * node, 0, 0], [10 * node, 5 * (node == 2), 0]], f"{name}: its place")

# The script alone, and what it says of files that it cannot read.
alone = subprocess.run([sys.executable, SCRIPT, folder / "mixed.obj", "-o", folder / "alone.obj"], text=True)
groups = (folder / "alone.obj").read_text().splitlines()
check(alone.returncode == 0 and groups.count("g 0") == 4 and groups.count("g 1") == 2, "parts of each object")
for text, reason in (("o a\nv 0 0 0\nf 1 2 3\n", "known vertices"), ("o a\nv 0 0 x\n", "could not convert")):
    (folder / "torn.obj").write_text(text)
    torn = [sys.executable, SCRIPT, folder / "torn.obj", "-o", folder / "none.obj"]
    said = subprocess.run(torn, capture_output=True, text=True)
    check(said.returncode == 1 and reason in said.stderr and "Traceback" not in said.stderr, said.stderr)
print(f"check_decompose: pieces of OBJ and glTF are split by coacd; a ring into {counts} parts by threshold")
