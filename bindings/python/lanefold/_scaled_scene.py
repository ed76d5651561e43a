# SPDX-License-Identifier: MIT
"""Hulls of a scene at the scales of its bodies, as the program makes them (docs/formats.md)."""

from __future__ import annotations

from typing import Any

import numpy as np

# Kinds of hull_kind.npy.
_HALF_SPACE, _COMPOUND = 1, 2


def _wanted(scene: Any, kinds: np.ndarray, number: np.ndarray, scale: np.ndarray) -> list[tuple[int, float]]:
    """Each hull and scale once: hulls and children of compounds in the order of the bodies, then half-spaces, then
    compounds."""
    lists: dict[int, dict[tuple[int, float], None]] = {0: {}, _HALF_SPACE: {}, _COMPOUND: {}}
    for hull, s in zip(scene.body_hull.tolist(), scale.tolist()):
        if s == 1 or (hull, s) in lists[int(kinds[hull])]:
            continue
        if kinds[hull] == _COMPOUND:
            first, end = (int(k) for k in scene.compound_offsets[number[hull] : number[hull] + 2])
            for child in scene.child_hull[first:end].tolist():
                lists[0][child, s] = None
        lists[int(kinds[hull])][hull, s] = None
    return [key for one in lists.values() for key in one]


def scaled_shapes(scene: Any, scale: np.ndarray) -> dict[str, Any]:
    """The arrays of a scene with the scaled hulls that its bodies want, and the bodies that have them."""
    hulls = len(scene.hull_offsets) - 1
    kinds = np.zeros(hulls, np.uint8) if scene.hull_kind is None else np.asarray(scene.hull_kind)
    number = np.zeros(hulls, np.int64)  # of a hull among those of its kind
    for kind in np.unique(kinds):
        number[kinds == kind] = np.arange(np.sum(kinds == kind))
    wanted = _wanted(scene, kinds, number, scale)
    ids = {key: hulls + k for k, key in enumerate(wanted)}
    vertices, offsets = [np.asarray(scene.hull_vertices)], list(map(int, scene.hull_offsets))
    planes, children = [scene.half_spaces], [(scene.child_hull, scene.child_position, scene.child_orientation)]
    compounds = [] if scene.compound_offsets is None else list(map(int, scene.compound_offsets))
    for hull, s in wanted:
        own = scene.hull_vertices[int(scene.hull_offsets[hull]) : int(scene.hull_offsets[hull + 1])]
        vertices.append(own * np.float32(s))
        offsets.append(offsets[-1] + len(own))
        if kinds[hull] == _HALF_SPACE:
            planes.append(scene.half_spaces[number[hull]][None] * np.float32([1, 1, 1, s]))
        elif kinds[hull] == _COMPOUND:
            rows = slice(*(int(k) for k in scene.compound_offsets[number[hull] : number[hull] + 2]))
            own_hulls = np.array([ids[child, s] for child in scene.child_hull[rows].tolist()], np.uint32)
            children.append((own_hulls, scene.child_position[rows] * s, scene.child_orientation[rows]))
            compounds.append(compounds[-1] + len(own_hulls))
    of = [hull for hull, _ in wanted]
    out: dict[str, Any] = {
        "body_hull": np.array(
            [ids.get(key, key[0]) for key in zip(scene.body_hull.tolist(), scale.tolist())], np.uint32
        ),
        "hull_offsets": np.array(offsets, np.uint64),
        "hull_vertices": np.concatenate(vertices),
    }
    if scene.hull_kind is not None:
        out["hull_kind"] = np.concatenate([kinds, kinds[of]])
    if scene.hull_radius is not None:
        by = np.float32([s for _, s in wanted])
        out["hull_radius"] = np.concatenate([scene.hull_radius, scene.hull_radius[of] * by])
    if len(planes) > 1:
        out["half_spaces"] = np.concatenate(planes)
    if len(children) > 1:
        out["compound_offsets"] = np.array(compounds, np.uint64)
        for k, name in enumerate(("child_hull", "child_position", "child_orientation")):
            out[name] = np.concatenate([part[k] for part in children])
    return out
