# SPDX-License-Identifier: MIT
"""examples/houdini with a stand-in for Houdini's module `hou`, which no package registry has: contact points and what
is said of each, and poses on their way out and in again. check_export.py calls it with its scenes."""

import sys
import types
from pathlib import Path

import numpy as np
from cases import check, near

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "houdini"))
import lanefold_contacts  # noqa: E402


class Geometry:
    """The part of hou.Geometry that the example uses. It refuses what Houdini refuses: values of an attribute that
    nobody added, of another type or another count."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.points, self.attributes, self.values = [], {}, {}

    def addAttrib(self, kind, name, default):
        check(kind == "point" and name not in self.attributes, f"attribute {name}")
        self.attributes[name] = default

    def createPoints(self, places):
        self.points += places

    def set(self, name, values, kind):
        default = self.attributes[name]
        size = len(default) if isinstance(default, tuple) else 1
        check(len(values) == size * len(self.points), f"{name}: {len(values)} values")
        check(all(type(value) is kind for value in values), f"{name}: types")
        check(isinstance(np.ravel(default)[0].item(), kind), f"{name}: type of its default")
        self.values[name] = np.reshape(values, (len(self.points), size))

    def setPointFloatAttribValues(self, name, values):
        self.set(name, values, float)

    def setPointIntAttribValues(self, name, values):
        self.set(name, values, int)


class Packed:
    """Packed points of one frame."""

    def __init__(self, position, orientation):
        self.values = {"P": position, "orient": orientation}

    def pointFloatAttribValues(self, name):
        return tuple(self.values[name].ravel().tolist())


def check_houdini(case, folder):
    hou = types.ModuleType("hou")
    hou.attribType = types.SimpleNamespace(Point="point")
    hou.text = types.SimpleNamespace(expandString=lambda text: text.replace("$HIP", str(folder)))
    sys.modules["hou"] = hou
    geometry, total = Geometry(), 0
    for f in range(len(case.position)):
        lanefold_contacts.cook(geometry, f"$HIP/{case.name}", f"$HIP/{case.name}_contacts", case.first + f)
        rows = list(case.points(f))
        total += len(rows)
        near(np.reshape(geometry.points, (-1, 3)), np.array([r[2] for r in rows]).reshape(-1, 3), "places",
             float(np.abs(case.position).max()) + 1)
        check(np.array_equal(geometry.values["N"], np.array([m["normal"] for *_, m, _ in rows]).reshape(-1, 3)), "N")
        expected = {"separation": [p["separation"] for *_, p in rows], "distance": [m["distance"] for *_, m, _ in rows],
                    "body_a": [r[0] for r in rows], "body_b": [r[1] for r in rows],
                    "feature": [int(p["feature"].view(np.int32)) for *_, p in rows]}
        for name, values in expected.items():
            check(np.array_equal(geometry.values[name][:, 0], values), f"{case.name}: {name} of frame {f}")
    check(total > 100, "contacts to compare")
    for frame in (case.first - 1, case.first + len(case.position)):
        try:
            lanefold_contacts.columns(case.scene, case.contacts, frame)
            check(False, f"frame {frame} is not there and was taken")
        except IndexError as error:
            check(str(frame) in str(error), "the message names the frame")
    poses = folder / f"{case.name}_houdini.npy"
    frames = list(zip(case.position.astype(float), case.orientation.astype(float)))
    lanefold_contacts.save_poses([Packed(*frame) for frame in frames], poses)
    check(np.array_equal(np.load(poses)[..., :3], case.position) and
          np.array_equal(np.load(poses)[..., 3:], case.orientation), "poses of packed points")
    try:
        lanefold_contacts.save_poses([Packed(*frames[0]), Packed(frames[0][0][1:], frames[0][1][1:])], poses)
        check(False, "frames of different points were taken")
    except ValueError as error:
        check("frame 1" in str(error), "the message names the frame")
    print(f"  Houdini (a stand-in)  {case.name}: {total} contact points, {len(frames)} frames of poses")
