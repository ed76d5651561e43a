# SPDX-License-Identifier: MIT
"""Blender's rigid bodies as lanefold's: the shape that Blender's solver has for each, and its pose at a frame.

Blender places boxes, spheres, capsules, cylinders and cones about the object's origin with the size of the object's
bounding box, wherever the mesh is; hulls and meshes are where their vertices are. So do the shapes here. A scaled
object has scaled points and a pose without a scale.
"""

from __future__ import annotations

import lanefold
import numpy as np

# Cylinders and cones have as many flat sides as keep them within this share of their size.
CURVED_ERROR = 1e-3
# By how much of a body's size its scale may change from frame to frame before it counts as animated.
SCALE_TOLERANCE = 1e-4


class Unusable(Exception):
    """A scene whose contacts cannot be baked, and why."""


def upright(points, z_shift=0.0):
    """lanefold's shapes stand along y, Blender's along z."""
    p = np.asarray(points)
    return np.column_stack([p[:, 0], p[:, 2], p[:, 1] + np.float32(z_shift)]).astype(np.float32)


def primitive(kind, dimensions):
    """Points and radius of Blender's shape of these dimensions, or None for a hull or a mesh."""
    x, y, z = dimensions
    radius = max(x, y) / 2
    if kind == "BOX":
        corners = [[i, j, k] for i in (-x / 2, x / 2) for j in (-y / 2, y / 2) for k in (-z / 2, z / 2)]
        return np.float32(corners), 0.0
    if kind == "SPHERE":
        return np.zeros((1, 3), np.float32), max(x, y, z) / 2
    if kind == "CAPSULE":
        half = max(z / 2 - radius, 0)
        return np.float32([[0, 0, -half], [0, 0, half]])[: 2 if half > 0 else 1], radius
    if kind in ("CYLINDER", "CONE"):
        make = lanefold.shapes.cylinder if kind == "CYLINDER" else lanefold.shapes.cone
        shape = make(radius, z, error=CURVED_ERROR * max(radius, z))
        # Blender's cone has its origin halfway up, lanefold's in its centre of mass.
        return upright(shape.points, 0 if kind == "CYLINDER" else -z / 4), 0.0
    return None


def stretch_of(matrix):
    """The rotation of a matrix and what is left of it, scale and shear: matrix = rotation * stretch."""
    rotation = matrix.to_3x3().to_quaternion().to_matrix()
    return np.array(rotation.transposed() @ matrix.to_3x3())


class Bodies:
    """The rigid bodies of a scene: `hulls`, an id of each in `hull`, `movable`. Passive ones come first, so that
    normals point from the ground into what lies on it; then they are in the order of their names."""

    def __init__(self, scene, depsgraph):
        world = scene.rigidbody_world
        if world is None or world.collection is None:
            raise Unusable("the scene has no rigid body world")
        compounds = {o for o in world.collection.all_objects if o.rigid_body and
                     o.rigid_body.collision_shape == "COMPOUND"}
        #: Names of what is not as Blender's solver sees it.
        self.left_out = sorted(o.name for o in compounds)
        self.made_convex = []
        self.objects = sorted((o for o in world.collection.all_objects if o.rigid_body and o.type == "MESH" and
                               o not in compounds and o.parent not in compounds),
                              key=lambda o: (o.rigid_body.type == "ACTIVE", o.name))
        if len(self.objects) < 2:
            raise Unusable("the rigid body world has fewer than two bodies with a shape")
        self.movable = np.array([o.rigid_body.type == "ACTIVE" for o in self.objects])
        self.hull = np.zeros(len(self.objects), np.uint32)
        self._stretch = []
        self._build(depsgraph)

    def _build(self, depsgraph):
        points, radii, surfaces, of_surface, of_hull = [], [], [], [], []
        for b, o in enumerate(self.objects):
            evaluated = o.evaluated_get(depsgraph)
            self._stretch.append(stretch_of(evaluated.matrix_world))
            kind = o.rigid_body.collision_shape
            made = primitive(kind, evaluated.dimensions)
            if made is None and kind == "MESH" and not self.movable[b]:
                of_surface.append(b)
                surfaces.append(self._surface(evaluated, self._stretch[b]))
                continue
            if made is None:
                if kind == "MESH":
                    self.made_convex.append(o.name)
                made = self._vertices(evaluated, self._stretch[b]), 0.0
            of_hull.append(b)
            points.append(made[0])
            radii.append(made[1])
        offsets = np.cumsum([0] + [len(p) for p in points])
        try:
            hulls = lanefold.build_hulls(np.concatenate(points), offsets, radius=np.float32(radii))
        except lanefold.HullsError as error:
            names = ", ".join(f"{self.objects[of_hull[f.hull]].name}: {f.what}" for f in error.failures[:3])
            raise Unusable(f"no convex hull ({names})") from error
        self.hull[of_hull] = np.arange(len(of_hull))
        if surfaces:
            self.hull[of_surface] = len(hulls) + np.arange(len(surfaces))
            hulls = hulls.append(lanefold.surface_set(surfaces))
        self.hulls = hulls

    @staticmethod
    def _vertices(evaluated, stretch):
        mesh = evaluated.data
        p = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", p)
        return (p.reshape(-1, 3) @ stretch.T).astype(np.float32)

    def _surface(self, evaluated, stretch):
        mesh = evaluated.data
        mesh.calc_loop_triangles()
        t = np.empty(3 * len(mesh.loop_triangles), np.int32)
        mesh.loop_triangles.foreach_get("vertices", t)
        t = t.reshape(-1, 3)
        if np.linalg.det(stretch) < 0:
            t = t[:, ::-1]  # mirrored: the outer side stays outside
        try:
            return lanefold.build_surface(self._vertices(evaluated, stretch), t)
        except lanefold.LanefoldError as error:
            raise Unusable(f"{evaluated.name}: {error}") from error

    def poses(self, depsgraph):
        """Positions (N, 3) in float64 and orientations (N, 4), x, y, z, w."""
        position, orientation = np.empty((len(self.objects), 3)), np.empty((len(self.objects), 4), np.float32)
        for b, o in enumerate(self.objects):
            matrix = o.evaluated_get(depsgraph).matrix_world
            now = stretch_of(matrix)
            if np.abs(now - self._stretch[b]).max() > SCALE_TOLERANCE * np.abs(self._stretch[b]).max():
                raise Unusable(f"{o.name}: its scale is animated")
            position[b] = matrix.translation
            q = matrix.to_3x3().to_quaternion()
            orientation[b] = q.x, q.y, q.z, q.w
        return position, orientation / np.linalg.norm(orientation, axis=1)[:, None]
