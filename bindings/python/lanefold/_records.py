# SPDX-License-Identifier: MIT
"""The types of records in the library and in contacts files (docs/formats.md), and views of them."""

from __future__ import annotations

import numpy as np

STATUSES = ("ok", "bad_pose", "bad_index", "bad_hull", "truncated", "cancelled", "bad_argument", "out_of_memory")
KINDS = ("none", "face_a", "face_b", "edge_edge", "vertex_edge", "edge_vertex", "vertex_vertex")

_POINT = np.dtype([("position", "<f4", 3), ("separation", "<f4"), ("feature", "<u4")])


def _manifold(capacity: int, rest: int) -> np.dtype:
    # The padding is a field, because NumPy does not copy bytes that belong to no field.
    return np.dtype(
        [
            ("pair", "<u4", 2),
            ("normal", "<f4", 3),
            ("distance", "<f4"),
            ("feature_a", "<u4"),
            ("feature_b", "<u4"),
            ("total", "<u2"),
            ("count", "u1"),
            ("kind", "u1"),
            ("status", "u1"),
            ("reserved", "u1", 3),
            ("child_a", "<u4"),
            ("child_b", "<u4"),
            ("points", _POINT, capacity),
            *([("padding", "u1", rest)] if rest else []),
        ]
    )


#: A manifold of up to 4 points, 128 bytes, and of up to 16, 384 bytes.
MANIFOLD4 = _manifold(4, 0)
MANIFOLD16 = _manifold(16, 16)
#: A record of :func:`lanefold.distance`, 24 bytes.
PAIR_DISTANCE = np.dtype(
    [
        ("normal", "<f4", 3),
        ("distance", "<f4"),
        ("kind", "u1"),
        ("status", "u1"),
        ("reserved", "u1", 2),
        ("child_a", "<u2"),
        ("child_b", "<u2"),
    ]
)


def manifold_type(capacity: int) -> np.dtype:
    if capacity not in (4, 16):
        raise ValueError(f"capacity must be 4 or 16, it is {capacity}")
    return MANIFOLD4 if capacity == 4 else MANIFOLD16


def as_bytes(records: np.ndarray) -> np.ndarray:
    """The memory of contiguous records."""
    if not records.flags.c_contiguous:
        raise ValueError("records must be contiguous")
    return records.view(np.uint8).reshape(-1) if records.size else np.empty(0, np.uint8)


def arrays(records: np.ndarray) -> dict[str, np.ndarray]:
    """Fields of records as separate arrays, views of the same memory: ``pair`` (M, 2), ``normal`` (M, 3), ``distance``
    (M,), ``points`` (M, capacity, 3), ``separation`` (M, capacity), ``feature`` (M, capacity), and the other fields.
    ``mask`` (M, capacity) says which points are stored."""
    out = {name: records[name] for name in records.dtype.names if name not in ("points", "reserved", "padding")}
    if "points" in records.dtype.names:
        points = records["points"]
        out["points"] = points["position"]
        out["separation"] = points["separation"]
        out["feature"] = points["feature"]
        out["mask"] = np.arange(points.shape[1]) < records["count"][:, None]
    return out


def world_points(records: np.ndarray, position: np.ndarray) -> np.ndarray:
    """Contact points in the world, (M, capacity, 3), in the precision of ``position`` (N, 3). Rows beyond ``count`` are
    the position of body a."""
    return np.asarray(position)[records["pair"][:, 0]][:, None, :] + records["points"]["position"]


def witnesses(records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points on the surfaces of a and b, (M, capacity, 3) each, as offsets from the position of body a."""
    half = records["normal"][:, None, :] * (records["points"]["separation"] * np.float32(0.5))[..., None]
    middle = records["points"]["position"]
    return middle - half, middle + half
