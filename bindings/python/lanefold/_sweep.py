# SPDX-License-Identifier: MIT
"""Between frames: when do pairs of moving bodies first come as near as a target (docs/between_frames.md)?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _native
from ._bodies import Bodies, check, on_cpu, pair_rows, rows
from ._calls import CANCELLED, add_sums, in_parts, own_workspace
from ._native import Hulls, StopFlag, SweepWorkspace
from ._records import as_bytes

SWEEP_STATES = ("miss", "hit", "overlapping", "failed")
SWEEP_FAILURES = ("none", "rounds", "accuracy", "range", "shape")
#: A record of :func:`lanefold.sweep`, 64 bytes.
SWEEP_RECORD = np.dtype(
    [
        ("fraction", "<f8"),
        ("pair", "<u4", 2),
        ("normal", "<f4", 3),
        ("distance", "<f4"),
        ("point", "<f4", 3),
        ("feature_a", "<u4"),
        ("feature_b", "<u4"),
        ("kind", "u1"),
        ("state", "u1"),
        ("failure", "u1"),
        ("status", "u1"),
        ("rounds", "<u2"),
        ("child_a", "<u2"),
        ("child_b", "<u2"),
        ("reserved", "u1", 2),
    ]
)


@dataclass
class SweepResult:
    """Sums of a call. ``culled``: misses that no distance was computed for; ``distances``: computed in all rounds.
    ``cancelled``: a stop flag ended the call early."""

    pairs: int = 0
    culled: int = 0
    distances: int = 0
    by_state: dict[str, int] = field(default_factory=dict)
    by_status: dict[str, int] = field(default_factory=dict)
    cancelled: bool = False

    def add(self, d: dict[str, Any]) -> None:
        """Adds the sums of another part of the call, as the native module gives them."""
        add_sums(self, d, ("pairs", "culled", "distances"), ("by_state", "by_status"))


def spin_rows(spins: Any, count: int) -> np.ndarray | None:
    if spins is None:
        return None
    a = on_cpu(spins, "spins")
    if a.shape != (count, 3):
        raise ValueError(f"spins must have the shape ({count}, 3), they have {a.shape}")
    return np.require(a, np.float64, ["C", "A"])


def sweep(
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    next_position: Any,
    next_orientation: Any,
    pairs: Any,
    *,
    compact: bool = False,
    target: float = 0.0,
    tolerance: float = 1e-3,
    spins: Any = None,
    isa: str = "automatic",
    threads: int = 0,
    stop: StopFlag | None = None,
    workspace: SweepWorkspace | None = None,
) -> tuple[np.ndarray, SweepResult]:
    """The first fraction of a motion at which each pair is as near as ``target``: records of SWEEP_RECORD, one for each
    pair, or with ``compact`` all but those of misses.

    Bodies move from the first poses to the next ones: positions on a line, orientations by the shorter way, or with
    ``spins`` (N, 3) by these axes times radians; then ``next_orientation`` may be None. tolerance: of the distance at a
    hit, relative to the smaller hull's size. A fraction is never later than the truth, and nothing is missed.
    """
    first = Bodies(position, orientation, hull)
    last = Bodies(next_position, orientation if next_orientation is None else next_orientation, hull)
    if next_orientation is None and spins is None:
        raise ValueError("next_orientation may be None with spins only")
    p = pair_rows(pairs)
    options = {
        "target": target,
        "tolerance": tolerance,
        "isa": isa,
        "threads": threads,
        "spins": spin_rows(spins, len(first)),
        "stop": stop,
    }
    own = own_workspace(SweepWorkspace, workspace)
    arrays = (*first.arrays, last.position, last.orientation)
    result = SweepResult()

    def call(out: np.ndarray, begin: int) -> dict[str, Any]:
        return _native.sweep_compact(hulls, *arrays, p, options, out, own, begin)

    if compact:
        return in_parts(max(len(p) // 4, 256), SWEEP_RECORD, result, call), result
    records = np.zeros(len(p), SWEEP_RECORD)
    d = _native.sweep_dense(hulls, *arrays, p, options, as_bytes(records), own)
    check(d, (0, CANCELLED))
    result.add(d)
    return records, result


def speculative_margins(
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    velocity: Any,
    spin: Any,
    pairs: Any,
    time: float,
    margin: float = 0.0,
) -> np.ndarray:
    """(P,) of float32: margins with which :func:`collide` sees every pair that can meet within ``time``. They are
    ``margin`` and the most by which bodies with these velocities (N, 3) and spins (N, 3), radians per unit of time,
    come nearer."""
    b = Bodies(position, orientation, hull)
    p = pair_rows(pairs)
    linear = np.require(rows(velocity, "velocity", 3, (np.float32,)), np.float32, ["C", "A"])
    angular = np.require(rows(spin, "spin", 3, (np.float32,)), np.float32, ["C", "A"])
    out = np.zeros(len(p), np.float32)
    check(_native.speculative_margins(hulls, *b.arrays, linear, angular, p, time, margin, as_bytes(out)))
    return out
