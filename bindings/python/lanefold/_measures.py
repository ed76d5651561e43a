# SPDX-License-Identifier: MIT
"""Measures of contacts: overlap volume and contact area (docs/measures.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _native
from ._bodies import Bodies, check, on_cpu, pair_rows
from ._calls import own_workspace, records_out
from ._native import Hulls, MeasureWorkspace
from ._records import as_bytes

MEASURE_STATES = ("apart", "overlapping", "not_measured")
#: A record of :func:`lanefold.measure_contacts`, 96 bytes.
CONTACT_MEASURES = np.dtype(
    [
        ("volume", "<f8"),
        ("volume_centroid", "<f8", 3),
        ("area", "<f8"),
        ("area_normal", "<f8", 3),
        ("area_centroid", "<f8", 3),
        ("state", "u1"),
        ("status", "u1"),
        ("reserved", "u1", 6),
    ]
)


@dataclass
class MeasureResult:
    """Counts of a call by state, and the volume of all pairs."""

    by_state: dict[str, int] = field(default_factory=dict)
    volume: float = 0.0


def measure_contacts(
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    pairs: Any,
    *,
    shifts: Any = None,
    threads: int = 0,
    out: np.ndarray | None = None,
    workspace: MeasureWorkspace | None = None,
) -> tuple[np.ndarray, MeasureResult]:
    """Overlap volume and contact area of each pair: (P,) of CONTACT_MEASURES. ``state`` indexes MEASURE_STATES.

    shifts: (P, 3), by which body b of each pair is moved, as periodic boundaries need. Centroids are offsets in world
    axes from the position of body a. Sharp hulls, half-spaces and spheres are measured; other shapes have the state
    "not_measured". threads: 0, all, or 1. out: records to write into."""
    b = Bodies(position, orientation, hull)
    p = pair_rows(pairs)
    if threads not in (0, 1):
        raise ValueError(f"threads must be 0 or 1, it is {threads}")
    moved = None
    if shifts is not None:
        moved = np.asarray(on_cpu(shifts, "shifts"))
        if moved.shape != (len(p), 3):
            raise ValueError(f"shifts must have the shape ({len(p)}, 3), they have {moved.shape}")
        moved = np.require(moved, np.float64, ["C", "A"]).reshape(-1)
    records = records_out(out, CONTACT_MEASURES, len(p))
    own = own_workspace(MeasureWorkspace, workspace)
    d = _native.measure_contacts(hulls, *b.arrays, p, moved, threads == 1, as_bytes(records), own)
    check(d)
    return records, MeasureResult(dict(zip(MEASURE_STATES, d["by_state"])), d["volume"])
