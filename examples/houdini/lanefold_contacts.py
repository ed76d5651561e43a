# SPDX-License-Identifier: MIT
"""Contacts of lanefold as points in Houdini: the code of a Python SOP, and of what follows a solver.

In a Python SOP (docs/houdini.md has the steps):

    import lanefold_contacts
    lanefold_contacts.cook(hou.pwd().geometry(), "$HIP/scene", "$HIP/contacts", hou.intFrame())

makes a point for each contact point of the frame, with the attributes `N` (from body a to body b), `separation`
(negative where they overlap), `distance` (of the pair), `body_a`, `body_b` and `feature`. Before it,

    lanefold_contacts.save_poses(geometries, "poses.npy")

writes `P` and `orient` of packed points as the poses that `lanefold import` takes. Both need NumPy, which Houdini
brings, and of lanefold nothing but the folders that its program wrote.
"""

import json
from pathlib import Path

import numpy as np

FLOATS = ("separation", "distance")
INTEGERS = ("body_a", "body_b", "feature")


def columns(scene, contacts, frame):
    """Arrays by name of the contact points of a frame, by the number that people give it, in the axes of the scene.
    Contacts must not be compressed."""
    scene, contacts = Path(scene), Path(contacts)
    first = json.loads((scene / "scene.json").read_text(encoding="utf-8")).get("first_frame", 0)
    index = frame - first
    position = np.load(scene / "position.npy", mmap_mode="r")
    if not 0 <= index < len(position):
        raise IndexError(f"{scene} has the frames {first} to {first + len(position) - 1}, not {frame}")
    position = position[index]
    records = np.load(contacts / f"frame_{index:06d}.npy")
    used = np.arange(records["points"].shape[1]) < records["count"][:, None]
    pair = np.repeat(records["pair"], records["count"], axis=0)
    points = records["points"][used]
    return {
        "P": position[pair[:, 0]].astype(np.float64) + points["position"],
        "N": np.repeat(records["normal"], records["count"], axis=0),
        "separation": points["separation"],
        "distance": np.repeat(records["distance"], records["count"]),
        "body_a": pair[:, 0].astype(np.int32),
        "body_b": pair[:, 1].astype(np.int32),
        "feature": points["feature"].view(np.int32),
    }


def cook(geometry, scene, contacts, frame):
    """Fills the geometry of a Python SOP with the contact points of a frame. A frame that is not there is an error,
    which Houdini shows at the node."""
    import hou

    data = columns(hou.text.expandString(scene), hou.text.expandString(contacts), frame)
    geometry.clear()
    geometry.addAttrib(hou.attribType.Point, "N", (0.0, 0.0, 0.0))
    for name in FLOATS:
        geometry.addAttrib(hou.attribType.Point, name, 0.0)
    for name in INTEGERS:
        geometry.addAttrib(hou.attribType.Point, name, 0)
    geometry.createPoints(data["P"].tolist())
    geometry.setPointFloatAttribValues("N", data["N"].ravel().tolist())
    for name in FLOATS:
        geometry.setPointFloatAttribValues(name, data[name].tolist())
    for name in INTEGERS:
        geometry.setPointIntAttribValues(name, data[name].tolist())


def save_poses(geometries, path):
    """Writes position and orientation (x, y, z, w) of packed points, one geometry for each frame, as float64
    [frames, points, 7]. All frames have the same points in the same order, named by `name` in the OBJ file."""
    rows = []
    for geometry in geometries:
        place = np.reshape(geometry.pointFloatAttribValues("P"), (-1, 3))
        turn = np.reshape(geometry.pointFloatAttribValues("orient"), (-1, 4))
        rows.append(np.concatenate([place, turn], axis=1))
        if len(rows[-1]) != len(rows[0]):
            raise ValueError(f"frame {len(rows) - 1} has {len(rows[-1])} points, the first {len(rows[0])}")
    np.save(path, np.stack(rows))
