# SPDX-License-Identifier: MIT
"""The contacts of all frames, as arrays with a row for each point."""

from __future__ import annotations

from typing import NamedTuple

import lanefold
import numpy as np

from .bodies import Bodies, Unusable


class Contacts(NamedTuple):
    """One row a point. Normals point from body a to body b; separations are negative where bodies overlap."""

    frame: np.ndarray
    place: np.ndarray
    normal: np.ndarray
    separation: np.ndarray
    body: np.ndarray  # (N, 2), indices into names
    names: list
    bodies: Bodies


def of_frame(bodies: Bodies, finder: lanefold.PairFinder, depsgraph, margin: float):
    """Places, normals, separations and bodies of the contacts at the scene's frame."""
    position, orientation = bodies.poses(depsgraph)
    pairs = finder.find(bodies.hulls, position, orientation, bodies.hull, margin=margin,
                        inverse_mass=bodies.movable.astype(np.float32))
    records, _ = lanefold.collide_compact(bodies.hulls, position, orientation, bodies.hull, pairs, margin=margin)
    bad = np.flatnonzero(records["status"])
    if len(bad):
        names = [bodies.objects[b].name for b in records["pair"][bad[0]]]
        raise Unusable(f"{names[0]}, {names[1]}: {lanefold.STATUSES[records['status'][bad[0]]]}")
    there = np.arange(4)[None, :] < records["count"][:, None]
    row = np.nonzero(there)[0]
    return (lanefold.world_points(records, position)[there], records["normal"][row],
            records["points"]["separation"][there], records["pair"][row])


def bake(scene, depsgraph, frames, margin: float, progress=lambda done: None) -> Contacts:
    """Goes through the frames, which evaluates the rigid body cache, and leaves the scene at the frame it had."""
    before = scene.frame_current
    scene.frame_set(frames[0])
    bodies, finder = Bodies(scene, depsgraph), lanefold.PairFinder()
    parts, numbers = [], []
    try:
        for done, frame in enumerate(frames):
            scene.frame_set(frame)
            parts.append(of_frame(bodies, finder, depsgraph, margin))
            numbers.append(np.full(len(parts[-1][0]), frame, np.int32))
            progress(done + 1)
    finally:
        scene.frame_set(before)
    place, normal, separation, body = (np.concatenate(column) for column in zip(*parts))
    return Contacts(np.concatenate(numbers), place.astype(np.float32), normal, separation, body.astype(np.int32),
                    [o.name for o in bodies.objects], bodies)
