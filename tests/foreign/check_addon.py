#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The add-on examples/blender in Blender: installed from its zip, it bakes the contacts of bodies of each shape that
fall, and of a pile; what it shows is what the poses say; its errors; a picture; and it goes without a trace.

    check_addon.py ADDON.zip FOLDER

`./dev blender --test` runs it, with the packages of tests/foreign/blender.txt. The picture stays in FOLDER.
"""

import contextlib
import os
import sys
from pathlib import Path

import bpy
import numpy as np

addon, folder = Path(sys.argv[1]), Path(sys.argv[2])
MODULE = "bl_ext.user_default.lanefold_contacts"
checks = 0


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"check_addon: {text}")


@contextlib.contextmanager
def quiet():
    """Blender's bakes print a line for each frame, in C."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)


def empty_scene(frames=60):
    for o in list(bpy.data.objects):
        bpy.data.objects.remove(o)
    scene = bpy.context.scene
    if scene.rigidbody_world is not None:
        bpy.ops.rigidbody.world_remove()
    scene.frame_start, scene.frame_end = 1, frames
    scene.frame_set(1)
    return scene


def body(kind, make, *, passive=False, name=None, **where):
    make(**where)
    o = bpy.context.object
    o.name = name or kind
    bpy.ops.rigidbody.object_add(type="PASSIVE" if passive else "ACTIVE")
    o.rigid_body.collision_shape = kind
    o.rigid_body.use_margin, o.rigid_body.collision_margin = True, 0
    return o


def floor(kind="BOX"):
    return body(kind, bpy.ops.mesh.primitive_cube_add, passive=True, name="Floor", size=20, location=(0, 0, -10))


def baked(margin=0.05, simulate=True):
    bpy.context.scene.lanefold.margin = margin
    bpy.context.scene.lanefold.simulate = simulate
    with quiet():
        done = bpy.ops.lanefold.bake_contacts()
    check(done == {"FINISHED"}, f"the operator says {done}")
    return bpy.context.scene.objects["Contacts"]


def read(mesh, name, kind, width):
    attribute = mesh.attributes[name]
    field = "vector" if width == 3 else "value"
    values = np.empty(len(mesh.vertices) * width, kind)
    attribute.data.foreach_get(field, values)
    return values.reshape(-1, width) if width > 1 else values


def places(mesh):
    p = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", p)
    return p.reshape(-1, 3)


def refused(text):
    try:
        with quiet():
            bpy.ops.lanefold.bake_contacts()
    except RuntimeError as error:
        check(text in str(error), f"not refused for '{text}' but: {error}")
        return
    check(False, f"'{text}' was not refused")


def each_shape():
    """A body of each shape lies on the floor: its contacts are where it touches, with the normal of the floor."""
    cube, ball, tube = (bpy.ops.mesh.primitive_cube_add, bpy.ops.mesh.primitive_uv_sphere_add,
                        bpy.ops.mesh.primitive_cylinder_add)
    cases = (("BOX", cube, {"size": 2}, 4, 1), ("CONVEX_HULL", cube, {"size": 2}, 4, 1),
             ("SPHERE", ball, {"radius": 0.7}, 1, 0.7), ("CYLINDER", tube, {"radius": 0.5, "depth": 2}, 4, 1),
             ("CAPSULE", tube, {"radius": 0.5, "depth": 3}, 1, 1.5), ("MESH", cube, {"size": 2}, 4, 1))
    for ground in ("BOX", "MESH"):
        for kind, make, size, points, height in cases:
            scene = empty_scene(10)
            floor(ground)
            o = body(kind, make, location=(0.3, 0.2, height + 0.01), **size)
            o.rigid_body.kinematic = True  # it stays there
            mesh = baked().data
            frame, normal = read(mesh, "frame", np.int32, 1), read(mesh, "contact_normal", np.float32, 3)
            separation, a, b = (read(mesh, "separation", np.float32, 1), read(mesh, "body_a", np.int32, 1),
                                read(mesh, "body_b", np.int32, 1))
            what = f"{kind} on {ground}"
            check((np.bincount(frame)[1:] == points).all() and frame.max() == 10,
                  f"{what}: {np.bincount(frame)[1:].tolist()} points, not {points} each")
            check(np.abs(separation - 0.01).max() < 1e-5, f"{what}: separations {separation[:4]}")
            up = np.where(np.array(list(mesh["bodies"]))[a] == "Floor", 1, -1)
            check((a != b).all() and np.abs(normal[:, 2] * up - 1).max() < 1e-5, f"{what}: normals {normal[:4]}")
            check(np.abs(places(mesh)[:, 2] - 0.005).max() < 1e-5, f"{what}: places {places(mesh)[:4]}")


def scaled_and_turned():
    """A scaled, mirrored and turned hull has the contacts of its vertices as Blender places them."""
    scene = empty_scene(3)
    floor()
    o = body("CONVEX_HULL", bpy.ops.mesh.primitive_cone_add, radius1=1, depth=2, vertices=5, location=(0, 0, 3))
    o.scale, o.rotation_euler, o.rigid_body.kinematic = (1.5, -0.5, 2), (0.4, 0.7, 0.2), True
    bpy.context.view_layer.update()
    lowest = min((o.matrix_world @ v.co).z for v in o.data.vertices)
    o.location.z -= lowest + 0.125
    mesh = baked().data
    separation = read(mesh, "separation", np.float32, 1)
    check(len(separation) >= 3 and abs(separation.min() + 0.125) < 1e-5, f"separations {separation}")


def a_pile():
    """Bodies fall for two seconds: at each frame the points shown are those of the frame, near both bodies."""
    scene = empty_scene(96)
    floor("MESH")
    random = np.random.default_rng(5)
    makers = (("CONVEX_HULL", bpy.ops.mesh.primitive_ico_sphere_add, {"radius": 0.5, "subdivisions": 1}),
              ("BOX", bpy.ops.mesh.primitive_cube_add, {"size": 0.8}),
              ("CAPSULE", bpy.ops.mesh.primitive_cylinder_add, {"radius": 0.25, "depth": 1}))
    for k in range(27):
        kind, make, size = makers[k % 3]
        body(kind, make, name=f"Body {k}", location=(1.4 * (k % 3 - 1), 1.4 * (k // 3 % 3 - 1), 1.5 + 1.4 * (k // 9)),
             rotation=tuple(random.uniform(-3, 3, 3)), **size)
    scene.lanefold.radius, scene.lanefold.needle = 0.06, 0.8
    shown = baked()
    mesh = shown.data
    frame, separation = read(mesh, "frame", np.int32, 1), read(mesh, "separation", np.float32, 1)
    counts = np.bincount(frame, minlength=97)[1:]
    check(counts[0] == 0 and counts[-1] > 40, f"points of the frames: {counts.tolist()}")
    check(scene.frame_current == 1 and scene.rigidbody_world.point_cache.is_baked, "frame or cache")
    balls = []
    for f in (48, 96):
        scene.frame_set(f)
        seen = {42: [], 9: []}  # vertices of a ball and of a needle: place and z axis of each
        for i in bpy.context.evaluated_depsgraph_get().object_instances:
            if i.is_instance and i.parent.original == shown:
                m = np.array(i.matrix_world)
                seen[len(i.object.data.vertices)].append((m[:3, 3], m[:3, 2]))
        place, along = np.array([p for p, _ in seen[42]]), np.array([z for _, z in seen[9]])
        rows = frame == f
        check(len(place) == len(along) == rows.sum() > 40, f"frame {f}: {len(place)} balls for {rows.sum()} points")
        check(np.abs(place - places(mesh)[rows]).max() < 1e-5, f"frame {f}: balls are elsewhere")
        check(np.abs(along - read(mesh, "contact_normal", np.float32, 3)[rows]).max() < 1e-5, f"frame {f}: needles")
        balls.append(len(place))
    print(f"a pile of 27: {len(frame)} points in 96 frames, {balls} shown at frames 48 and 96; deepest "
          f"{-separation.min():.4f} m")
    check(separation.min() > -0.2, "bodies overlap by more than Blender's solver lets them")
    before, kept = len(bpy.data.meshes), places(mesh)
    again = baked(simulate=False)
    check(again == shown and len(bpy.data.meshes) == before, "a second bake left something behind")
    check(np.array_equal(places(again.data), kept), "a second bake of the same cache differs")
    return shown


def a_picture(shown):
    scene = bpy.context.scene
    bpy.ops.object.camera_add(location=(7, -7, 5), rotation=(1.15, 0, 0.785))
    scene.camera = bpy.context.object
    bpy.ops.object.light_add(type="SUN", rotation=(0.5, 0.3, 0))
    bpy.context.object.data.energy = 4
    scene.render.engine, scene.cycles.samples, scene.cycles.device = "CYCLES", 4, "CPU"
    scene.render.resolution_x, scene.render.resolution_y = 360, 240
    scene.render.filepath = str(folder / "contacts.png")
    scene.frame_set(96)
    glass = bpy.data.materials.new("Glass")
    glass.node_tree.nodes["Principled BSDF"].inputs["Alpha"].default_value = 0.25
    for o in scene.rigidbody_world.collection.objects:
        if o.rigid_body.type == "ACTIVE":
            o.data.materials.append(glass)
    images = []
    for hidden in (True, False):
        shown.hide_render = hidden
        with quiet():
            bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        images.append(np.array(image.pixels[:]).reshape(-1, 4))
        bpy.data.images.remove(image)
    orange = [(p[:, 0] > 1.6 * p[:, 2]) & (p[:, 0] > 0.2) for p in images]
    print(f"the picture {folder / 'contacts.png'}: {orange[1].sum()} orange pixels, {orange[0].sum()} without contacts")
    check(orange[1].sum() > 300 and orange[0].sum() < 30, "the contacts are not in the picture")


def errors():
    """A scene that cannot be baked is refused with the object's name, and nothing is left."""
    empty_scene(3)
    refused("no rigid body world")
    floor()
    refused("fewer than two bodies")
    flat = body("CONVEX_HULL", bpy.ops.mesh.primitive_plane_add, name="Sheet", location=(0, 0, 1))
    refused("Sheet")
    bpy.data.objects.remove(flat)
    o = body("BOX", bpy.ops.mesh.primitive_cube_add, name="Balloon", location=(0, 0, 3))
    o.rigid_body.kinematic = True
    for f, size in ((1, 1), (3, 2)):
        o.scale = (size,) * 3
        o.keyframe_insert("scale", frame=f)
    refused("Balloon: its scale is animated")
    check("Contacts" not in bpy.data.objects, "an error left an object")


bpy.ops.wm.read_factory_settings(use_empty=True)
with quiet():
    bpy.ops.extensions.package_install_files(filepath=str(addon), repo="user_default", enable_on_install=True)
check(MODULE in bpy.context.preferences.addons, "the zip was not installed")
import lanefold  # noqa: E402  (the wheel of the zip)

check("extensions" in lanefold.__file__, f"lanefold is {lanefold.__file__}, not the wheel of the add-on")
each_shape()
scaled_and_turned()
a_picture(a_pile())
errors()
bpy.ops.preferences.addon_disable(module=MODULE)
check(not hasattr(bpy.types.Scene, "lanefold"), "the add-on left its settings")
print(f"{checks} checks in Blender {bpy.app.version_string}")
