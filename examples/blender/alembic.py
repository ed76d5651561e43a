# SPDX-License-Identifier: MIT
"""Bodies and contacts of a bake as Alembic, by Blender, for programs that read no USD:

    python alembic.py EXPORT.usda -o FILE.abc [--ball METRES]        (Python 3.11 with bpy: pip install bpy==5.0.1)
    blender --background --python alembic.py -- EXPORT.usda -o FILE.abc

EXPORT.usda is what `lanefold export SCENE CONTACTS -o EXPORT.usda` writes. FILE.abc has a transform with a mesh for
each body, and the mesh `Contacts`: in each frame a ball of 42 vertices at each contact point, in the export's order.
Alembic of Blender has no points and no attributes of theirs, so separation and normal are in the USD file only. A body
that appears or vanishes stays where it was last, as in Blender itself.
"""

import argparse
import sys


def balls_at_points(bpy, points, radius):
    """An object whose geometry nodes put a ball at each point of a cloud, and make one mesh of them."""
    tree = bpy.data.node_groups.new("lanefold balls", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    new, link = tree.nodes.new, tree.links.new
    source, ball, placed, whole, out = map(new, (
        "GeometryNodeObjectInfo", "GeometryNodeMeshIcoSphere", "GeometryNodeInstanceOnPoints",
        "GeometryNodeRealizeInstances", "NodeGroupOutput"))
    source.inputs["Object"].default_value = points
    ball.inputs["Radius"].default_value = radius
    ball.inputs["Subdivisions"].default_value = 2
    link(source.outputs["Geometry"], placed.inputs["Points"])
    link(ball.outputs["Mesh"], placed.inputs["Instance"])
    link(placed.outputs["Instances"], whole.inputs["Geometry"])
    link(whole.outputs["Geometry"], out.inputs["Geometry"])
    balls = bpy.data.objects.new("Contacts", bpy.data.meshes.new("Contacts"))
    balls.matrix_world = points.matrix_world
    bpy.context.scene.collection.objects.link(balls)
    balls.modifiers.new("balls", "NODES").node_group = tree
    return balls


def convert(bpy, path, output, ball):
    """Reads the stage into an empty file of Blender and writes all of its frames."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if bpy.ops.wm.usd_import(filepath=path) != {"FINISHED"}:
        sys.exit(f"alembic.py: {path}: Blender cannot read it")
    scene = bpy.context.scene
    points = bpy.data.objects.get("Contacts")
    if points is not None and points.type == "POINTCLOUD":
        points.name = "points of contacts"
        # The length of a ball is that of the world, and the stage may have another unit.
        scale = points.matrix_world.to_scale().x
        balls_at_points(bpy, points, ball / scale if scale > 0 else ball)
    # Without the points, of which Alembic would get an empty transform.
    for thing in scene.objects:
        thing.select_set(thing != points)
    done = bpy.ops.wm.alembic_export(filepath=output, start=scene.frame_start, end=scene.frame_end, selected=True)
    if done != {"FINISHED"}:
        sys.exit(f"alembic.py: {output}: Blender cannot write it")


def main():
    own = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else sys.argv[1:]
    parser = argparse.ArgumentParser(prog="alembic.py", description="Bodies and contacts of a bake as Alembic.")
    parser.add_argument("stage", help="what lanefold export wrote, .usda, .usdc or .usd")
    parser.add_argument("-o", "--output", required=True, help="file to write, .abc")
    parser.add_argument("--ball", type=float, default=0.01, help="radius of the ball at a contact point, in metres")
    given = parser.parse_args(own)
    try:
        import bpy
    except ImportError:
        sys.exit("alembic.py: this needs Blender: pip install bpy==5.0.1 (with Python 3.11), or start it by blender "
                 "--background --python alembic.py -- ...")
    convert(bpy, given.stage, given.output, given.ball)


if __name__ == "__main__":
    main()
