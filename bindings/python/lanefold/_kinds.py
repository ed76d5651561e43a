# SPDX-License-Identifier: MIT
"""Ids of a set that are not built from points: half-spaces, compounds, and hulls at other scales."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _native
from ._bodies import check, ids, integers, on_cpu, rows, some_ids
from ._hulls import built_or_raise
from ._native import Hulls


def build_half_spaces(normal: Any, offset: Any = 0.0) -> Hulls:
    """Floors, walls and slopes without an end: all points x with n.x <= offset.

    normal: (3,) or (N, 3), of any length but 0, out of the solid side; n is the normal divided by its length. offset:
    a length, or (N,). Append the set to one of hulls. Half-spaces are for bodies that do not move by themselves. They
    have no vertices and no mass; ``hulls.half_space(id)`` gives the numbers back.

    Raises HullsError for numbers that are no plane."""
    n = rows(np.atleast_2d(on_cpu(normal, "normal")), "normal", 3, (np.float32,))
    d = np.asarray(on_cpu(offset, "offset"))
    if d.dtype.kind not in "fiu":
        raise TypeError(f"offset must be a number or numbers, it holds {d.dtype}")
    if d.shape not in ((), (len(n),)):
        raise ValueError(f"offset must be a number or have the shape ({len(n)},), it has {d.shape}")
    planes = np.empty((len(n), 4), np.float32)
    planes[:, :3] = n
    with np.errstate(over="ignore"):  # the builder refuses infinity
        planes[:, 3] = d
    return built_or_raise(_native.half_spaces(planes))


class CompoundFailure(NamedTuple):
    """Why one compound could not be built: its number in the call, the child (counted from the compound's first), the
    name of the error and a sentence."""

    compound: int
    child: int
    error: str
    what: str


class CompoundsError(ValueError):
    """Some compounds could not be built. ``failures`` has the first of each."""

    def __init__(self, failures: list[CompoundFailure]):
        first = failures[0]
        more = f", and {len(failures) - 1} more compounds" if len(failures) > 1 else ""
        super().__init__(f"compound {first.compound}, child {first.child}: {first.what} ({first.error}){more}")
        self.failures = failures

    def __reduce__(self) -> tuple[type, tuple[list[CompoundFailure]]]:
        return type(self), (self.failures,)


def build_compounds(hulls: Hulls, position: Any, orientation: Any, hull: Any, offsets: Any = None) -> Hulls:
    """The set with compounds added: bodies of several hulls, which get the next ids.

    Children are arrays as bodies are: position (C, 3), orientation (C, 4), quaternions (x, y, z, w), hull (C,), ids of
    ``hulls``; poses are in the compound's frame. offsets: (K + 1,), compound k has the children offsets[k] up to
    offsets[k + 1]; None: one compound of all children. Records name the children that meet (``child_a``, ``child_b``).
    ``hulls.children(id)`` gives the arrays back.

    Raises CompoundsError, which says for every compound that could not be built why."""
    p = np.require(rows(position, "position", 3, (np.float64,)), np.float64, ["C", "A"])
    q = np.require(rows(orientation, "orientation", 4, (np.float32,)), np.float32, ["C", "A"])
    if len(q) != len(p):
        raise ValueError(f"{len(q)} orientations for {len(p)} positions")
    h = np.require(ids(hull, "hull", len(p)), np.uint32, ["C", "A"])
    o = np.array([0, len(p)], np.uint64) if offsets is None else integers(offsets, "offsets", np.uint64)
    if o.ndim != 1 or len(o) == 0:
        raise ValueError("offsets must have the shape (K + 1,)")
    built, failures = _native.compounds(hulls, p, q, h, np.require(o, np.uint64, ["C", "A"]))
    if built is None:
        raise CompoundsError([CompoundFailure(*f) for f in failures])
    return built


class ScaledHulls:
    """A set that grows by hulls at other scales: stretched, flattened or mirrored ones are hulls of their own, built
    once for each hull and scale. merge_coplanar, recognize_boxes, threads: as in :func:`build_hulls`. One call at a
    time: a second thread gets a RuntimeError."""

    def __init__(
        self, hulls: Hulls, *, merge_coplanar: bool = True, recognize_boxes: bool = True, threads: int = 0
    ) -> None:
        self._native = _native.Scaler(hulls, merge_coplanar, recognize_boxes, threads)

    @property
    def hulls(self) -> Hulls:
        """The set with all hulls that were taken. Ids of earlier hulls stay."""
        return self._native.hulls

    def take(self, hull: Any, scale: Any) -> np.ndarray:
        """(N,) of uint32: the ids of these hulls at these scales. hull: an id, or (N,); scale: a number, (3,) for all,
        or (N, 3), factors of the coordinates; negative ones mirror. What was asked for before has its id.

        A rounded hull scales by one magnitude only. Raises LanefoldError, ``where`` being the place in the arrays, for
        a hull that there is not and for scales that give no hull; then nothing is added."""
        h = some_ids(hull, "hull")
        s = np.asarray(on_cpu(scale, "scale"))
        if s.shape not in ((), (3,), (len(h), 3)):
            raise ValueError(f"scale must be a number or have the shape (3,) or ({len(h)}, 3), it has {s.shape}")
        wanted = rows(np.broadcast_to(s, (len(h), 3)), "scale", 3, (np.float32,))
        status, taken = self._native.take(h, np.require(wanted, np.float32, ["C", "A"]))
        check(status)
        return taken
