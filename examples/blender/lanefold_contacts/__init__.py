# SPDX-License-Identifier: MIT
"""Bakes the contacts of a rigid body cache with lanefold and shows them: points, and needles along their normals.

In the sidebar of the 3D view, tab lanefold. lanefold's Python package comes with the add-on as a wheel.
"""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, FloatProperty, PointerProperty

try:
    import lanefold
    MISSING = ""
except ImportError as error:  # the panel says so
    lanefold, MISSING = None, str(error)


class Settings(bpy.types.PropertyGroup):
    margin: FloatProperty(name="Margin", description="Contacts of bodies that are apart by no more than this",
                          default=0.05, min=0, subtype="DISTANCE")
    simulate: BoolProperty(name="Bake the simulation first", default=True,
                           description="Bakes the rigid body cache anew, so that every frame is there")
    radius: FloatProperty(name="Ball", description="Radius of the ball at a point", default=0.03, min=0,
                          subtype="DISTANCE")
    needle: FloatProperty(name="Needle", description="Length of the needle along a normal", default=0.4, min=0,
                          subtype="DISTANCE")


class BakeContacts(bpy.types.Operator):
    """Computes the contacts of all frames of the scene and shows them"""

    bl_idname = "lanefold.bake_contacts"
    bl_label = "Bake contacts"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        if lanefold is None:
            self.report({"ERROR"}, f"lanefold's Python package is missing ({MISSING}); install the add-on from its zip")
            return {"CANCELLED"}
        from . import bake, bodies, show
        scene, settings = context.scene, context.scene.lanefold
        if scene.rigidbody_world is None:
            self.report({"ERROR"}, "the scene has no rigid body world")
            return {"CANCELLED"}
        if settings.simulate:
            cache = scene.rigidbody_world.point_cache
            cache.frame_start, cache.frame_end = scene.frame_start, scene.frame_end
            with context.temp_override(point_cache=cache):
                bpy.ops.ptcache.bake(bake=True)
        frames = range(scene.frame_start, scene.frame_end + 1, scene.frame_step)
        manager = context.window_manager
        manager.progress_begin(0, len(frames))
        try:
            contacts = bake.bake(scene, context.evaluated_depsgraph_get(), frames, settings.margin,
                                 manager.progress_update)
        except (bodies.Unusable, lanefold.LanefoldError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            manager.progress_end()
        show.show(scene, contacts, settings.radius, settings.needle)
        self.tell(contacts, len(frames))
        return {"FINISHED"}

    def tell(self, contacts, frames):
        for names, what in ((contacts.bodies.left_out, "compounds are left out"),
                            (contacts.bodies.made_convex, "meshes that move count as their convex hulls")):
            if names:
                self.report({"WARNING"}, f"{what}: {', '.join(names)}")
        self.report({"INFO"}, f"{len(contacts.place)} points of {len(contacts.names)} bodies in {frames} frames")


class Panel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_lanefold"
    bl_label = "Contacts"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "lanefold"

    def draw(self, context):
        if MISSING:
            self.layout.label(text="lanefold's package is missing", icon="ERROR")
        for name in ("margin", "simulate", "radius", "needle"):
            self.layout.prop(context.scene.lanefold, name)
        self.layout.operator(BakeContacts.bl_idname)


CLASSES = (Settings, BakeContacts, Panel)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Scene.lanefold = PointerProperty(type=Settings)


def unregister():
    del bpy.types.Scene.lanefold
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
