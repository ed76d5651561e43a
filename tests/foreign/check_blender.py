#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The USD and PLY files of check_export.py in Blender: every body that is there, in every frame, corner by corner, the
contact points with all that is said of each, and one frame drawn by Cycles on the processor. The USD file as Alembic,
by examples/blender/alembic.py. And the other way: glTF that Blender writes of moving objects, imported by the program.

    check_blender.py PROGRAM FOLDER

`./dev export --test --long` runs it, with the packages of tests/foreign/blender.txt.
"""

import json
import subprocess
import sys
from pathlib import Path

import bpy
import cases
import numpy as np
from cases import Case, check, near, rotation, same_cloud
from mathutils import Quaternion, Vector

program, folder = Path(sys.argv[1]), Path(sys.argv[2])
UNIT = 0.01  # centimetres of the scenes; Blender has metres
WIDTH, HEIGHT = 160, 120


def to_blender(case):
    """From the file's axes to Blender's, which has z up: y up becomes z up by a quarter turn about x."""
    return np.eye(3) if case.up == "z" else np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])


def open_usd(case):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    done = bpy.ops.wm.usd_import(filepath=str(folder / f"{case.name}.usda"))
    check(done == {"FINISHED"}, f"{case.name}.usda: Blender says {done}")
    scene = bpy.context.scene
    check((scene.frame_start, scene.frame_end) == (case.first, case.first + len(case.position) - 1), "frames")


def instances(depsgraph):
    """World corners of each body, by the attribute lanefold:body of the empty that stands for it."""
    found = {}
    for instance in depsgraph.object_instances:
        parent = instance.parent
        if not instance.is_instance or instance.object.type != "MESH" or parent is None:
            continue
        mesh = instance.object.data
        corners = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", corners)
        world = np.array(instance.matrix_world)
        found[parent["lanefold:body"]] = corners.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
    return found


def check_attributes(case, f, points, rows, axes):
    """All that the file says of each contact point has arrived: in the file's axes, which the object turns."""
    def read(name, kind, width):
        check(name in points.attributes, f"{case.name}, frame {f}: '{name}' is not in Blender")
        attribute = points.attributes[name]
        check((attribute.data_type, attribute.domain) == (kind, "POINT"), f"{name} is {attribute.data_type}")
        values = np.empty(width * len(rows), np.int32 if kind == "INT" else np.float32)
        attribute.data.foreach_get("vector" if width == 3 else "value", values)
        return values.reshape(-1, 3) if width == 3 else values

    near(read("normal", "FLOAT_VECTOR", 3), np.array([m["normal"] for *_, m, _ in rows]).reshape(-1, 3) @ axes.T,
         f"{case.name}: normals of frame {f}")
    same = {"separation": [p["separation"] for *_, p in rows], "distance": [m["distance"] for *_, m, _ in rows]}
    for name, values in same.items():
        check(np.array_equal(read(name, "FLOAT", 1), np.array(values, np.float32)), f"{name} of frame {f}")
    numbers = {"bodyA": [a for a, *_ in rows], "bodyB": [b for _, b, *_ in rows],
               "feature": [p["feature"] for *_, p in rows]}
    for name, values in numbers.items():
        check(np.array_equal(read(name, "INT", 1), np.array(values, np.uint32).view(np.int32)), f"{name} of frame {f}")


def check_usd(case):
    open_usd(case)
    axes = to_blender(case) @ case.axes(usd=True)
    scale = case.extent + 1
    if case.position.dtype == np.float64:
        # Blender's own coordinates are float32, with steps of an eighth of a unit where this scene lies.
        scale = 0.15 * float(np.abs(case.position).max())
    total = 0
    for f in range(len(case.position)):
        bpy.context.scene.frame_set(case.first + f)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        found = instances(depsgraph)
        for b in np.flatnonzero(case.active[f]):
            check(int(b) in found, f"{case.name}: body {b} of frame {f} is not in Blender")
            same_cloud(found[b] / UNIT, case.placed(f, b, axes), f"{case.name}: body {b}, frame {f}", scale)
        cloud = bpy.data.objects["Contacts"].evaluated_get(depsgraph)
        points = np.empty(3 * len(cloud.data.points), np.float32)
        cloud.data.attributes["position"].data.foreach_get("vector", points)
        world = np.array(cloud.matrix_world)
        rows = list(case.points(f))
        total += len(rows)
        near((points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]) / UNIT,
             np.array([row[2] for row in rows]).reshape(-1, 3) @ axes.T, f"{case.name}: contacts of frame {f}", scale)
        # The directions of the file's axes: Blender turns and scales the object.
        near(world[:3, :3] / UNIT, to_blender(case), f"{case.name}: axes of the contacts")
        check_attributes(case, f, cloud.data, rows, case.axes(usd=True))
    check(total > 100, "contacts to compare")
    print(f"  USD   {case.name} in Blender {bpy.app.version_string}: {len(found)} bodies, {total} contact points "
          "with normal, separation, distance, bodies and feature")


def check_ply(case):
    for f in range(len(case.position)):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        path = folder / f"{case.name}.{case.first + f:04d}.ply"
        # As the file has it: Blender would turn y up otherwise.
        done = bpy.ops.wm.ply_import(filepath=str(path), forward_axis="Y", up_axis="Z")
        check(done == {"FINISHED"}, f"{path.name}: Blender says {done}")
        mesh = bpy.data.meshes[0]
        corners = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", corners)
        axes = case.axes(usd=False)
        expected = np.concatenate([case.placed(f, b, axes) for b in np.flatnonzero(case.active[f])])
        scale = float(np.abs(case.position).max()) + 1
        low, high = expected.min(axis=0), expected.max(axis=0)
        found = corners.reshape(-1, 3)
        near(found.min(axis=0), low, f"{path.name}: lowest corner", scale)
        near(found.max(axis=0), high, f"{path.name}: highest corner", scale)
    print(f"  PLY   {case.name} in Blender: {len(case.position)} frames")


def world_corners(thing, depsgraph):
    mesh = thing.evaluated_get(depsgraph)
    corners = np.empty(3 * len(mesh.data.vertices), np.float32)
    mesh.data.vertices.foreach_get("co", corners)
    world = np.array(mesh.matrix_world)
    return corners.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]


def check_alembic(case):
    """The file of examples/blender/alembic.py, read again: corners of bodies, and balls around contact points."""
    path = folder / f"{case.name}.abc"
    path.unlink(missing_ok=True)
    script, ball = Path(__file__).parents[2] / "examples" / "blender" / "alembic.py", 0.004
    command = [sys.executable, script, folder / f"{case.name}.usda", "-o", path, "--ball", str(ball)]
    done = subprocess.run(command, capture_output=True, text=True)
    check(done.returncode == 0 and path.exists(), f"{path.name}: {done.stderr}")
    open_usd(case)
    # Alembic keeps the names of Blender's objects and no properties.
    body_of = {thing.name: thing["lanefold:body"] for thing in bpy.data.objects if "lanefold:body" in thing}
    bpy.ops.wm.read_factory_settings(use_empty=True)
    check(bpy.ops.wm.alembic_import(filepath=str(path)) == {"FINISHED"}, f"Blender reads {path.name}")
    axes, scale, total = to_blender(case) @ case.axes(usd=True), case.extent + 1, 0
    for f in range(len(case.position)):
        bpy.context.scene.frame_set(case.first + f)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        found = {body_of[thing.parent.name]: thing for thing in bpy.data.objects
                 if thing.type == "MESH" and thing.parent is not None and thing.parent.name in body_of}
        check(sorted(found) == list(range(len(case.names))), f"{path.name}: bodies {sorted(found)}")
        for b, thing in found.items():
            same_cloud(world_corners(thing, depsgraph) / UNIT, case.placed(f, b, axes), f"{path.name}: {b}", scale)
        rows = list(case.points(f))
        total += len(rows)
        places = np.array([row[2] for row in rows]).reshape(-1, 3) @ axes.T
        balls = world_corners(bpy.data.objects["Contacts"], depsgraph).reshape(len(rows), 42, 3) / UNIT
        near(balls.mean(axis=1), places, f"{path.name}: contacts of frame {f}", scale)
        near(np.linalg.norm(balls - places[:, None], axis=2), np.full(balls.shape[:2], ball / UNIT), "balls", scale)
    check(total > 100, "contacts to compare")
    print(f"  Alembic  {path.name}: {len(found)} bodies, {total} contact points")


def draw(case):
    """The last frame, from the side, on nothing: where a ray meets a body, the picture has one."""
    open_usd(case)
    scene = bpy.context.scene
    scene.frame_set(scene.frame_end)
    bodies = instances(bpy.context.evaluated_depsgraph_get())
    corners = np.concatenate([bodies[b] for b in np.flatnonzero(case.active[-1])])
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    size = float(np.linalg.norm(np.ptp(corners, axis=0)))
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = middle + size * np.array([0.6, -1.2, 0.7])
    camera.rotation_euler = (Vector(middle) - camera.location).to_track_quat("-Z", "Y").to_euler()
    light = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    light.rotation_euler = (0.5, 0.3, 0)
    for thing in (camera, light):
        scene.collection.objects.link(thing)
    scene.camera = camera
    camera.data.clip_start, camera.data.clip_end = size / 100, size * 10
    scene.render.engine, scene.cycles.device, scene.cycles.samples = "CYCLES", "CPU", 4
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = WIDTH, HEIGHT, 100
    scene.render.film_transparent = True
    scene.render.filepath = str(folder / f"{case.name}_blender.png")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    pixels = np.array(image.pixels[:]).reshape(HEIGHT, WIDTH, 4)
    covered = pixels[..., 3] > 0.5
    depsgraph = bpy.context.evaluated_depsgraph_get()
    frame = [camera.matrix_world @ corner for corner in camera.data.view_frame(scene=scene)]
    right_top, right_bottom, left_bottom, left_top = (np.array(corner) for corner in frame)
    agree = met = 0
    places = [(x, y) for x in range(2, WIDTH, 8) for y in range(2, HEIGHT, 8)]
    for x, y in places:
        u, v = (x + 0.5) / WIDTH, (y + 0.5) / HEIGHT
        target = left_bottom + u * (right_bottom - left_bottom) + v * (left_top - left_bottom)
        direction = Vector(target) - camera.location
        hit = scene.ray_cast(depsgraph, camera.location, direction.normalized())[0]
        met += hit
        agree += hit == bool(covered[y, x])
    share = covered.mean()
    check(0.02 < share < 0.9 and met > len(places) * 0.02, f"the picture is empty or full: {share:.3f}, {met} rays")
    check(agree >= 0.95 * len(places), f"bodies are not where the picture has them: {agree} of {len(places)} rays")
    shades = len(np.unique(np.round(pixels[covered][:, :3], 2), axis=0))
    check(shades > 10, f"the picture has {shades} shades")
    print(f"  Blender draws {case.name}: {100 * share:.0f}% of the picture, {agree} of {len(places)} rays agree; "
          f"{scene.render.filepath}")


def animate(frames):
    """Two objects of one mesh and one below a moving parent, with keys in every frame. Returns them."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 25, 1, frames
    bpy.ops.mesh.primitive_cube_add(size=1)
    first = bpy.context.object
    second = first.copy()
    scene.collection.objects.link(second)
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, radius=0.5)
    ball = bpy.context.object
    parent = bpy.data.objects.new("parent", None)
    scene.collection.objects.link(parent)
    parent.location, parent.rotation_euler = (1, 2, 3), (0.3, 0.2, 0.1)
    ball.parent = parent
    first.name, second.name, ball.name = "crate.10", "crate.2", "ball"
    random = np.random.default_rng(1)
    for frame in range(1, frames + 1):
        for k, thing in enumerate((first, second, ball)):
            thing.rotation_mode = "QUATERNION"
            thing.location = random.normal(size=3) * 0.2 + [2 * k, 0, 0.1 * frame]
            thing.rotation_quaternion = Quaternion(random.normal(size=4)).normalized()
            thing.keyframe_insert("location", frame=frame)
            thing.keyframe_insert("rotation_quaternion", frame=frame)
    return first, second, ball


def check_gltf(ending, settings):
    frames = 10
    things = animate(frames)
    truth = []
    for frame in range(1, frames + 1):
        bpy.context.scene.frame_set(frame)
        truth.append({thing.name: np.array(thing.matrix_world) for thing in things})
    path, scene = folder / f"blender{ending}", folder / "from_blender"
    bpy.ops.export_scene.gltf(filepath=str(path), **settings)
    cases.run(program, "import", path, "-o", scene, "--replace")
    names = json.loads((scene / "names.json").read_text())["bodies"]
    check(names == ["crate.2", "crate.10", "ball"], f"{path.name}: names {names}")
    header = json.loads((scene / "scene.json").read_text())
    check(header["frames_per_second"] == 25, f"{path.name}: frames per second")
    position, orientation = np.load(scene / "position.npy"), np.load(scene / "orientation.npy")
    check(position.shape == (frames, 3, 3), f"{path.name}: shape {position.shape}")
    y_up = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    for f, placed in enumerate(truth):
        for b, name in enumerate(names):
            near(position[f, b], y_up @ placed[name][:3, 3], f"{path.name}: place of {name}", 4)
            near(rotation(orientation[f, b]), y_up @ placed[name][:3, :3] @ y_up.T, f"{path.name}: turn of {name}")
    print(f"  glTF  {path.name} of Blender {bpy.app.version_string}: {frames} frames of {len(names)} pieces")


for settings in cases.SETTINGS:
    one = Case(folder, settings[0])
    check_usd(one)
    if not settings[5]:  # float32 meshes cannot hold a scene that is far from the origin
        check_ply(one)
check_alembic(Case(folder, "plain"))
draw(Case(folder, "unreal"))
check_gltf(".glb", {"export_format": "GLB"})
check_gltf(".gltf", {"export_format": "GLTF_SEPARATE"})
print(f"check_blender: {cases.checks:,} checks passed")
