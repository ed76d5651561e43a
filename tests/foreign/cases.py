# SPDX-License-Identifier: MIT
"""Scenes with everything that an export has to carry (names, frame numbers, a rate, axes, bodies that appear and
vanish, contacts), and what a reader of an export must find: poses, corners and contacts, computed here from the scene's
own arrays."""

import json
import shutil
import subprocess
import sys

import numpy as np

# Name, up, handedness, number of the first frame, has a mask, positions are float64 far from the origin.
SETTINGS = (
    ("plain", "y", "right", 0, False, False),
    ("unreal", "z", "left", 1001, True, False),
    ("unity", "y", "left", -2, True, True),
    ("sideways", "x", "right", 7, True, False),
)
checks = 0


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"tests/foreign: {text}")


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments), "--progress", "none"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"tests/foreign: {arguments}: {done.stderr}")
    return done.stdout


def near(a, b, what, scale=1.0):
    a, b = np.asarray(a, float), np.asarray(b, float)
    check(a.shape == b.shape, f"{what}: shapes {a.shape} and {b.shape}")
    worst = float(np.abs(a - b).max()) if a.size else 0.0
    check(worst <= 2e-6 * scale, f"{what}: off by {worst:.3g}")


def same_cloud(a, b, what, scale):
    """Every corner of the file is a vertex of the scene: the file has the corners of the hull only."""
    distance = np.linalg.norm(np.asarray(a)[:, None] - np.asarray(b)[None], axis=2)
    check(float(distance.min(axis=1).max()) <= 2e-6 * scale, f"{what}: a corner is elsewhere")


def check_outward(points, loops, what):
    """Loops run counter-clockwise seen from outside."""
    middle = points.mean(axis=0)
    for loop in loops:
        p = points[list(loop)]
        normal = np.cross(p[1] - p[0], p[2] - p[0])
        check(np.dot(normal, p.mean(axis=0) - middle) > 0, f"{what}: a face looks inwards")


def rotation(q):
    x, y, z, w = (np.asarray(q, float) / np.linalg.norm(np.asarray(q, float))).tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


class Case:
    """A scene of version 2 in FOLDER/NAME, its contacts in FOLDER/NAME_contacts."""

    def __init__(self, folder, name):
        self.name, self.scene, self.contacts = name, folder / name, folder / f"{name}_contacts"
        load = lambda part: np.load(self.scene / f"{part}.npy")  # noqa: E731
        self.position, self.orientation = load("position"), load("orientation")
        self.hull, self.offsets, self.vertices = load("body_hull"), load("hull_offsets"), load("hull_vertices")
        header = json.loads((self.scene / "scene.json").read_text())
        self.up, self.handedness = header["up"], header["handedness"]
        self.first, self.rate = header["first_frame"], header["frames_per_second"]
        self.names = json.loads((self.scene / "names.json").read_text(encoding="utf-8"))["bodies"]
        masked = (self.scene / "active.npy").exists()
        self.active = load("active") if masked else np.ones(self.position.shape[:2], bool)
        # Files keep places in float32 about an origin near the scene, or in float64.
        there = self.position[self.active]
        self.extent = float(np.abs(there - there.mean(axis=0)).max())
        if self.position.dtype == np.float32:
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
        world = self.hull_vertices(body) @ rotation(self.orientation[frame, body]).T + self.position[frame, body]
        return world @ axes.T

    def points(self, frame):
        """Body a and b, world position, record and point of every contact point."""
        records = np.load(self.contacts / f"frame_{frame:06d}.npy")
        for m in records:
            for p in m["points"][: m["count"]]:
                a, b = m["pair"]
                yield int(a), int(b), self.position[frame, a] + p["position"].astype(float), m, p


def make_case(program, folder, name, up, handedness, first, masked, double):
    """Lets a heap fall, says more of it than the program does, and computes its contacts."""
    scene = folder / name
    contacts = folder / f"{name}_contacts"
    for old in (scene, contacts):
        shutil.rmtree(old, ignore_errors=True)
    run(program, "generate", "debris", scene, "--bodies", 60, "--frames", 6, "--seconds", 1, "--seed", 5)
    position = np.load(scene / "position.npy")
    frames, bodies = position.shape[:2]
    if masked:
        active = np.ones((frames, bodies), bool)
        for f in range(frames):
            active[f, (3 * f + np.arange(10) * 7) % bodies] = False
        np.save(scene / "active.npy", active)
    if double:
        np.save(scene / "position.npy", position.astype(np.float64) + [1e6, 0.25, -2e6])
    header = {"format": "lanefold-scene", "version": 2, "unit": "cm", "first_frame": first, "up": up}
    header |= {"frames_per_second": 30.0, "handedness": handedness}
    (scene / "scene.json").write_text(json.dumps(header))
    names = [f"heap, \"{i % 3}\"/pièce {i}" for i in range(bodies)]
    (scene / "names.json").write_text(json.dumps({"bodies": names}))
    for part in ("pairs", "pair_offsets"):
        (scene / f"{part}.npy").unlink(missing_ok=True)
    run(program, "collide", scene, "-o", contacts, "--margin", 0.02)
    return Case(folder, name)
