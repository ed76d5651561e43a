# SPDX-License-Identifier: MIT
"""Rays against bodies (docs/between_frames.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _native
from ._bodies import Bodies, check, on_cpu
from ._calls import own_workspace, records_out
from ._native import Hulls, SweepWorkspace
from ._records import as_bytes

RAY_STATES = ("miss", "hit", "inside", "failed")
#: A record of :func:`lanefold.cast_rays`, 40 bytes.
RAY_HIT = np.dtype(
    [
        ("fraction", "<f8"),
        ("body", "<u4"),
        ("child", "<u4"),
        ("feature", "<u4"),
        ("normal", "<f4", 3),
        ("state", "u1"),
        ("status", "u1"),
        ("reserved", "u1", 6),
    ]
)


@dataclass
class RayResult:
    """Counts of a call by state. ``left_out``: bodies with a bad pose or hull, which no ray meets."""

    by_state: dict[str, int] = field(default_factory=dict)
    left_out: int = 0


def ray_rows(rays: Any) -> np.ndarray:
    """(R, 6) of float64, origin and direction; in place if contiguous."""
    r = np.asarray(on_cpu(rays, "rays"))
    if r.shape[1:] not in ((6,), (2, 3)):
        raise ValueError(f"rays must have the shape (R, 6) or (R, 2, 3), they have {r.shape}")
    if r.dtype.kind not in "fiu":
        raise TypeError(f"rays must hold numbers, they hold {r.dtype}")
    return np.require(r, np.float64, ["C", "A"]).reshape(len(r), 6)


def cast_rays(
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    rays: Any,
    *,
    out: np.ndarray | None = None,
    workspace: SweepWorkspace | None = None,
) -> tuple[np.ndarray, RayResult]:
    """The first body that each ray meets: (R,) of RAY_HIT.

    rays: (R, 6) of float64, origin and direction, or (R, 2, 3), read in place if contiguous: the points origin +
    fraction * direction, fraction from 0 to 1. ``state`` indexes RAY_STATES: a miss has fraction 1; "inside" starts
    in a body; "failed" is not finite or without a length. child: of a compound. feature: its number among the
    hull's, faces first; of a surface the triangle, which is met from its outer side. normal: out of the body. out:
    records to write into."""
    b = Bodies(position, orientation, hull)
    r = ray_rows(rays)
    hits = records_out(out, RAY_HIT, len(r))
    own = own_workspace(SweepWorkspace, workspace)
    d = _native.cast_rays(hulls, *b.arrays, r, as_bytes(hits), own)
    check(d)
    return hits, RayResult(dict(zip(RAY_STATES, d["by_state"])), d["left_out"])
