# SPDX-License-Identifier: MIT
"""An object that shows contacts: one mesh with a vertex for each point of all frames, and geometry nodes that keep
those of the scene's frame. They make a ball at each point and a needle along its normal. It is part of the file, needs
neither the add-on nor lanefold to play, and renders like any object.
"""

from __future__ import annotations

import bpy
import numpy as np

NODES = "lanefold contacts"
NAME = "Contacts"
COLOUR = (1.0, 0.35, 0.05, 1.0)


def attribute(mesh, name, kind, field, values):
    mesh.attributes.new(name, kind, "POINT").data.foreach_set(field, np.ascontiguousarray(values).ravel())


def make_mesh(contacts):
    mesh = bpy.data.meshes.new(NAME)
    mesh.vertices.add(len(contacts.place))
    mesh.vertices.foreach_set("co", contacts.place.ravel())
    attribute(mesh, "frame", "INT", "value", contacts.frame)
    attribute(mesh, "contact_normal", "FLOAT_VECTOR", "vector", contacts.normal)
    attribute(mesh, "separation", "FLOAT", "value", contacts.separation)
    attribute(mesh, "body_a", "INT", "value", contacts.body[:, 0])
    attribute(mesh, "body_b", "INT", "value", contacts.body[:, 1])
    mesh["bodies"] = contacts.names
    mesh.update()
    return mesh


def material():
    made = bpy.data.materials.get(NODES) or bpy.data.materials.new(NODES)
    made.diffuse_color = COLOUR
    if made.node_tree is None:
        made.use_nodes = True  # Blender 5 makes them anyway
    made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = COLOUR
    return made


def node_group():
    """Inputs: the points, the radius of the balls, the length of the needles."""
    tree = bpy.data.node_groups.get(NODES)
    if tree is not None:
        return tree
    tree = bpy.data.node_groups.new(NODES, "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    for name, value in (("Radius", 0.02), ("Needle", 0.3)):
        tree.interface.new_socket(name, in_out="INPUT", socket_type="NodeSocketFloat").default_value = value
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    add, link = tree.nodes.new, tree.links.new
    given, out = add("NodeGroupInput"), add("NodeGroupOutput")

    frame, now, differs = add("GeometryNodeInputNamedAttribute"), add("GeometryNodeInputSceneTime"), add(
        "FunctionNodeCompare")
    frame.data_type, frame.inputs["Name"].default_value = "INT", "frame"
    differs.data_type, differs.operation = "INT", "NOT_EQUAL"
    numbers = [s for s in differs.inputs if s.type == "INT"]
    link(enabled(frame.outputs), numbers[0])
    link(now.outputs["Frame"], numbers[1])
    kept = add("GeometryNodeDeleteGeometry")
    kept.domain = "POINT"
    link(given.outputs["Geometry"], kept.inputs["Geometry"])
    link(differs.outputs["Result"], kept.inputs["Selection"])

    ball, balls = add("GeometryNodeMeshIcoSphere"), add("GeometryNodeInstanceOnPoints")
    ball.inputs["Subdivisions"].default_value = 2
    link(given.outputs["Radius"], ball.inputs["Radius"])
    link(kept.outputs["Geometry"], balls.inputs["Points"])
    link(ball.outputs["Mesh"], balls.inputs["Instance"])

    normal, along = add("GeometryNodeInputNamedAttribute"), add("FunctionNodeAlignRotationToVector")
    normal.data_type, normal.inputs["Name"].default_value = "FLOAT_VECTOR", "contact_normal"
    along.axis = "Z"
    link(enabled(normal.outputs), along.inputs["Vector"])
    needle, needles, third = add("GeometryNodeMeshCone"), add("GeometryNodeInstanceOnPoints"), add("ShaderNodeMath")
    third.operation, third.inputs[1].default_value = "MULTIPLY", 0.4
    needle.inputs["Vertices"].default_value = 8
    link(given.outputs["Radius"], third.inputs[0])
    link(third.outputs[0], needle.inputs["Radius Bottom"])
    link(given.outputs["Needle"], needle.inputs["Depth"])
    link(kept.outputs["Geometry"], needles.inputs["Points"])
    link(needle.outputs["Mesh"], needles.inputs["Instance"])
    link(along.outputs["Rotation"], needles.inputs["Rotation"])

    joined, coloured = add("GeometryNodeJoinGeometry"), add("GeometryNodeSetMaterial")
    coloured.inputs["Material"].default_value = material()
    link(balls.outputs["Instances"], joined.inputs["Geometry"])
    link(needles.outputs["Instances"], joined.inputs["Geometry"])
    link(joined.outputs["Geometry"], coloured.inputs["Geometry"])
    link(coloured.outputs["Geometry"], out.inputs["Geometry"])
    return tree


def enabled(sockets):
    """The output of the chosen type: an attribute has one for each."""
    return next(s for s in sockets if s.enabled and s.name == "Attribute")


def show(scene, contacts, radius, needle):
    """Makes the object, or gives the one that is there the new contacts."""
    mesh = make_mesh(contacts)
    shown = scene.objects.get(NAME)
    if shown is None or shown.type != "MESH":
        shown = bpy.data.objects.new(NAME, mesh)
        scene.collection.objects.link(shown)
    else:
        old, shown.data = shown.data, mesh
        if old.users == 0:
            bpy.data.meshes.remove(old)
    modifier = shown.modifiers.get(NODES) or shown.modifiers.new(NODES, "NODES")
    modifier.node_group = node_group()
    for item in modifier.node_group.interface.items_tree:
        if item.in_out == "INPUT" and item.name in ("Radius", "Needle"):
            modifier[item.identifier] = radius if item.name == "Radius" else needle
    shown.update_tag()
    return shown
