# SPDX-License-Identifier: MIT
"""Contacts of many worlds in one call (docs/many_environments.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._bodies import Bodies, check, flat, integers, on_cpu, pair_rows
from ._calls import CANCELLED, TRUNCATED, Result, call_options, check_names, own_workspace, records_out
from ._native import Hulls, Workspace
from ._records import as_bytes, manifold_type

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CallOptions

#: The result of one world, 184 bytes: that of :func:`collide_compact` with its pairs and its room. ``status`` is 0, 4
#: (truncated) or 5 (cancelled); ``deepest`` is the least distance of its records, 0 or more: nothing overlaps;
#: ``next_pair`` is its first pair without a record for want of room.
WORLD_RESULT = np.dtype(
    {
        "names": [
            "status",
            "deepest",
            "written",
            "required",
            "next_pair",
            "touching",
            "overlapping",
            "points",
            "by_status",
            "by_kind",
            "hash",
        ],
        "formats": ["u1", "<f4", *["<u8"] * 6, ("<u8", 8), ("<u8", 7), "<u8"],
        "offsets": [0, 4, 8, 16, 24, 32, 40, 48, 56, 120, 176],
        "itemsize": 184,
    }
)


@dataclass
class WorldsResult(Result):
    """Sums over all worlds. ``written``: records; ``truncated``: worlds whose room was too small."""

    written: int = 0
    truncated: int = 0


def _offsets(offsets: Any, name: str) -> np.ndarray:
    o = integers(offsets, name, np.uint64)
    if o.ndim != 1 or len(o) == 0:
        raise ValueError(f"{name} must have the shape (W + 1,), they have {o.shape}")
    return np.require(o, np.uint64, ["C", "A"])


def _ranges(
    pairs: Any, records: Any, bodies: Any, active: Any, previous_offsets: Any, previous_results: np.ndarray | None
) -> dict[str, Any]:
    """The arrays of WorldRanges by name, as the native call takes them."""
    ranges: dict[str, Any] = {"pairs": _offsets(pairs, "pair_offsets"), "previous_results": None}
    worlds = len(ranges["pairs"]) - 1
    ranges["records"] = ranges["pairs"] if records is None else _offsets(records, "record_offsets")
    ranges["bodies"] = None if bodies is None else _offsets(bodies, "body_offsets")
    ranges["active"] = flat(None if active is None else on_cpu(active, "active"), "active", np.uint8, worlds)
    ranges["previous_records"] = None if previous_offsets is None else _offsets(previous_offsets, "previous_offsets")
    if previous_results is not None:
        ranges["previous_results"] = as_bytes(records_out(previous_results, WORLD_RESULT, worlds, "previous_results"))
    return ranges


def collide_worlds(
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    pairs: Any,
    pair_offsets: Any,
    record_offsets: Any = None,
    *,
    body_offsets: Any = None,
    active: Any = None,
    previous_offsets: Any = None,
    previous_results: np.ndarray | None = None,
    capacity: int = 4,
    out: np.ndarray | None = None,
    results: np.ndarray | None = None,
    candidates: np.ndarray | None = None,
    workspace: Workspace | None = None,
    **options: Unpack[CallOptions],
) -> tuple[np.ndarray, np.ndarray, WorldsResult]:
    """The contacts of many worlds, each in room of its own: (records, results, sums).

    pair_offsets (W + 1,): world w has the pairs pair_offsets[w] up to pair_offsets[w + 1], as
    :attr:`PairFinder.world_offsets` gives them. record_offsets (W + 1,): the room of each world in ``records``; None:
    as many as its pairs (compounds and surfaces may have more). World w has records[record_offsets[w] :][:
    results["written"][w]]; a world that is full is truncated and costs no other a record. body_offsets (W + 1,): then
    the indices in records count within the world, and bodies that all worlds share come behind its last. active (W,) of
    bool: worlds that take part; nothing of the others is read or written but their result.

    out, results, candidates: arrays to write into: records, (W,) of WORLD_RESULT, and uint32, as many as records, the
    index in ``pairs`` of each record. Options are those of :func:`collide`. previous_offsets and previous_results: the
    record_offsets and results of an earlier call of these worlds, whose records ``previous`` then is, as a whole; the
    results may be the array that this call writes. ``unmoved`` needs them."""
    check_names(options, "collide_worlds()")
    b = Bodies(position, orientation, hull)
    p = pair_rows(pairs)
    o = call_options(b, p, **options)
    o["previous_one_per_pair"] = False
    ranges = _ranges(pair_offsets, record_offsets, body_offsets, active, previous_offsets, previous_results)
    worlds = len(ranges["pairs"]) - 1
    room = int(ranges["records"][-1]) if out is None else len(out)
    records = records_out(out, manifold_type(capacity), room)
    each = records_out(results, WORLD_RESULT, worlds, "results")
    indices = None if candidates is None else records_out(candidates, np.uint32, room, "candidates")
    d = _native.worlds(
        hulls,
        *b.arrays,
        p,
        ranges,
        o,
        as_bytes(records),
        capacity,
        as_bytes(each),
        None if indices is None else as_bytes(indices),
        own_workspace(Workspace, workspace),
    )
    check(d, (0, TRUNCATED, CANCELLED))
    result = WorldsResult(written=d["written"], truncated=d["truncated"])
    result.add(d)
    return records, each, result
