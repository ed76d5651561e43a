# SPDX-License-Identifier: MIT
"""Events of a bake in Blender: blender --python blender_events.py -- EVENTS.jsonl

Makes an object "Events": a vertex for each event at its place, with the attributes begin, end, closing_speed,
sliding_speed, impulse, impulse_peak, impulse_sum, slip, flags and normal. Geometry nodes take them by name: compare
`begin` with the frame of the scene to let particles go at each hit. EVENTS.jsonl is what
`lanefold export SCENE EVENTS -o EVENTS.jsonl` writes, in the axes of the scene, with frames from 0 on; an object of a
scene with y up is turned upright. columns() needs no Blender.
"""

import json
import math
import sys

NUMBERS = ["begin", "end", "closing_speed", "sliding_speed", "impulse", "impulse_peak", "impulse_sum", "slip"]


def columns(path):
    """Lists by the name of the column, of one length."""
    with open(path, encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    out = {name: [e[name] for e in events] for name in [*NUMBERS, "flags", "place", "normal", "bodies"]}
    out["names"] = [e.get("names", [str(b) for b in e["bodies"]]) for e in events]
    return out


def make_object(data, y_up=True):
    import bpy

    mesh = bpy.data.meshes.new("Events")
    mesh.from_pydata(data["place"], [], [])
    for name in NUMBERS:
        attribute = mesh.attributes.new(name, "FLOAT", "POINT")
        attribute.data.foreach_set("value", data[name])
    attribute = mesh.attributes.new("flags", "INT", "POINT")
    attribute.data.foreach_set("value", data["flags"])
    attribute = mesh.attributes.new("normal", "FLOAT_VECTOR", "POINT")
    attribute.data.foreach_set("vector", [x for n in data["normal"] for x in n])
    made = bpy.data.objects.new("Events", mesh)
    if y_up:
        made.rotation_euler = (math.pi / 2, 0, 0)
    bpy.context.scene.collection.objects.link(made)
    return made


if __name__ == "__main__" and "--" in sys.argv:
    arguments = sys.argv[sys.argv.index("--") + 1 :]
    made = make_object(columns(arguments[0]), y_up="--z-up" not in arguments)
    print(f"{len(made.data.vertices)} events")
