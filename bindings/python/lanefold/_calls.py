# SPDX-License-Identifier: MIT
"""The batch calls."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import _native
from ._bodies import Bodies, check, flat, pair_rows
from ._native import Hulls, StopFlag, Workspace
from ._records import PAIR_DISTANCE, as_bytes, manifold_type

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CallOptions

CANCELLED = 5
TRUNCATED = 4
_own = threading.local()
_W = TypeVar("_W")


@dataclass
class Result:
    """Sums of a call. ``hash`` is the documented hash of its reported records, 16 hexadecimal digits. ``cancelled``: a
    stop flag ended the call early."""

    pairs: int = 0
    touching: int = 0
    overlapping: int = 0
    points: int = 0
    isa: str = ""
    hash: str = "0" * 16
    by_status: dict[str, int] = field(default_factory=dict)
    by_kind: dict[str, int] = field(default_factory=dict)
    cancelled: bool = False

    def add(self, d: dict[str, Any]) -> None:
        """Adds the sums of another part of the call, as the native module gives them."""
        add_sums(self, d, ("pairs", "touching", "overlapping", "points"), ("by_status", "by_kind"))
        self.isa = d["isa"]
        self.hash = f"{(int(self.hash, 16) + d['hash']) % 2**64:016x}"


def add_sums(result: Any, d: dict[str, Any], numbers: tuple[str, ...], counts: tuple[str, ...]) -> None:
    """Adds the named numbers and dictionaries of counts of a part of a call to those of the result."""
    for name in numbers:
        setattr(result, name, getattr(result, name) + d[name])
    for name in counts:
        mine = getattr(result, name)
        for key, n in d[name].items():
            mine[key] = mine.get(key, 0) + n
    result.cancelled = result.cancelled or d["code"] == CANCELLED


def own_workspace(kind: type[_W], workspace: _W | None) -> _W:
    """The caller's workspace, or one of this kind for each thread."""
    if workspace is not None:
        return workspace
    own: _W | None = _own.__dict__.get(kind)
    if own is None:
        own = _own.__dict__[kind] = kind()
    return own


def in_parts(room: int, dtype: np.dtype, result: Any, call: Callable[[np.ndarray, int], dict[str, Any]]) -> np.ndarray:
    """The records of a compact call that goes on where its memory ended. call(bytes, pair): the native call that
    writes them from a pair on; its sums are added to the result."""
    parts: list[np.ndarray] = []
    first = 0
    while True:
        records = np.zeros(room, dtype)
        d = call(as_bytes(records), first)
        check(d, (0, CANCELLED, TRUNCATED))
        result.add(d)
        parts.append(records[: d["written"]])
        if d["code"] != TRUNCATED:
            break
        first = d["next_pair"]
        room = d["required"] - d["written"]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def check_array(array: Any, name: str) -> None:
    """Arrays that a call reads or writes in place cannot be lists or others' arrays, which would be copied."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} must be a NumPy array, it is {type(array).__name__}")


def call_options(  # the dictionary that the native module reads
    bodies: Bodies,
    pairs: np.ndarray,
    *,
    margin: Any = 0.0,
    face_preference: float = 0.005,
    isa: str = "automatic",
    threads: int = 0,
    points: str = "all",
    method: str = "clip",
    previous: np.ndarray | None = None,
    hysteresis: float = 0.005,
    unmoved: Any = None,
    cache: np.ndarray | None = None,
    stop: StopFlag | None = None,
) -> dict[str, Any]:
    if points not in ("all", "impact"):
        raise ValueError(f"points must be 'all' or 'impact', it is {points!r}")
    if method not in ("clip", "patch"):
        raise ValueError(f"method must be 'clip' or 'patch', it is {method!r}")
    single = np.ndim(margin) == 0
    options: dict[str, Any] = {
        "margin": float(margin) if single else 0.0,
        "face_preference": face_preference,
        "hysteresis": hysteresis,
        "threads": threads,
        "isa": isa,
        "impact_points_only": points == "impact",
        "patch": method == "patch",
        "pair_margins": None if single else flat(margin, "margin", np.float32, len(pairs)),
        "unmoved": flat(unmoved, "unmoved", np.uint8, len(bodies)),
        "stop": stop,
        "cache": None,
        "previous": None,
    }
    if cache is not None:
        check_array(cache, "cache")
        if cache.dtype != np.uint64 or cache.shape != (len(pairs),):
            raise ValueError(f"cache must be ({len(pairs)},) of uint64: numpy.zeros(len(pairs), numpy.uint64)")
        options["cache"] = as_bytes(cache)
    if previous is not None:
        check_array(previous, "previous")
        options["previous"] = as_bytes(previous)
        options["previous_stride"] = previous.dtype.itemsize
        if previous.dtype.itemsize not in (128, 384):
            raise TypeError(f"previous must hold manifolds, it holds {previous.dtype}")
    return options


_OPTION_NAMES = frozenset(list(signature(call_options).parameters)[2:])


def check_names(options: Mapping[str, Any], call: str, taken: tuple[str, ...] = ()) -> None:
    """Raises the TypeError of a misspelt keyword in the name of the call that the user knows; `taken`: options that the
    call sets itself."""
    names = _OPTION_NAMES.difference(taken)
    for name in options:
        if name not in names:
            raise TypeError(f"{call} has no option {name!r}; there are {', '.join(sorted(names))}")


def records_out(out: np.ndarray | None, dtype: Any, count: int, name: str = "out") -> np.ndarray:
    """The caller's array, checked, or a new one."""
    if out is None:
        return np.zeros(count, dtype)
    check_array(out, name)
    if out.dtype != dtype or out.shape != (count,) or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f"{name} must be contiguous and writeable, ({count},) of {np.dtype(dtype)}")
    return out


def _kept(previous: np.ndarray | None) -> np.ndarray:
    """Records that pairs of unmoved bodies keep in a dense call: a copy of the previous records, one for each pair."""
    if previous is None:
        raise ValueError("unmoved needs out, with the records of the frame before, or previous: it keeps what is there")
    return np.array(previous, order="C")


def _finish(d: dict[str, Any]) -> Result:
    check(d, (0, CANCELLED))
    result = Result()
    result.add(d)
    return result


def _records_of(dtype: np.dtype, memory: bytearray, fields: dict[str, Any]) -> tuple[np.ndarray, Result]:
    """Records and sums that a call by the short way has returned. fields: all of the result's, in a new dictionary."""
    result = Result.__new__(Result)
    result.__dict__ = fields
    return np.ndarray((fields["pairs"],), dtype, memory), result


def collide(
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    pairs: Any,
    *,
    capacity: int = 4,
    out: np.ndarray | None = None,
    workspace: Workspace | None = None,
    **options: Unpack[CallOptions],
) -> tuple[np.ndarray, Result]:
    """Contact manifolds of pairs: one record for each, all zeros for a pair that is further apart than the margin.

    capacity: 4 or 16 points a record (MANIFOLD4, MANIFOLD16). out: records to write into. workspace: memory between
    calls; by default each thread has one. Options: margin, a length or (P,) of lengths; face_preference and hysteresis,
    relative to the smaller hull's size; isa; threads, 0: all; points, "all" or "impact"; method, "clip" or "patch";
    previous, the records of the frame before, one for each pair; unmoved, (N,) of bool: pairs of two such bodies keep
    what `out` holds, without `out` their previous records; cache, (P,) of uint64, read and
    written; stop, a StopFlag.
    """
    own = own_workspace(Workspace, workspace)
    if out is None:
        direct = _native.direct(hulls, position, orientation, hull, pairs, options, capacity, own)
        if direct is not None:
            return _records_of(manifold_type(capacity), *direct)
    check_names(options, "collide()")
    b = Bodies(position, orientation, hull)
    p = pair_rows(pairs)
    o = call_options(b, p, **options)
    o["previous_one_per_pair"] = True
    if out is None and options.get("unmoved") is not None:
        out = _kept(options.get("previous"))
    records = records_out(out, manifold_type(capacity), len(p))
    d = _native.dense(hulls, *b.arrays, p, o, as_bytes(records), capacity, own)
    return records, _finish(d)


def collide_compact(
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    pairs: Any,
    *,
    capacity: int = 4,
    workspace: Workspace | None = None,
    **options: Unpack[CallOptions],
) -> tuple[np.ndarray, Result]:
    """Only the records of pairs that touch or have a bad status, in the order of the pairs.

    Options are those of :func:`collide`; ``previous`` are compact records of a frame whose pairs ascended."""
    check_names(options, "collide_compact()")
    b = Bodies(position, orientation, hull)
    p = pair_rows(pairs)
    o = call_options(b, p, **options)
    o["previous_one_per_pair"] = False
    result = Result()
    own = own_workspace(Workspace, workspace)

    def call(out: np.ndarray, first: int) -> dict[str, Any]:
        return _native.compact(hulls, *b.arrays, p, o, out, capacity, own, first)

    return in_parts(max(len(p) // 2, 256), manifold_type(capacity), result, call), result


def distance(
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    pairs: Any,
    *,
    out: np.ndarray | None = None,
    workspace: Workspace | None = None,
    **options: Unpack[CallOptions],
) -> tuple[np.ndarray, Result]:
    """Signed distance and normal of pairs within the margin: (P,) of PAIR_DISTANCE. Options as in :func:`collide`."""
    check_names(options, "distance()")
    b = Bodies(position, orientation, hull)
    p = pair_rows(pairs)
    o = call_options(b, p, **options)
    o["previous_one_per_pair"] = True
    if out is None and options.get("unmoved") is not None:
        _kept(None)
    records = records_out(out, PAIR_DISTANCE, len(p))
    own = own_workspace(Workspace, workspace)
    return records, _finish(_native.distance(hulls, *b.arrays, p, o, as_bytes(records), own))


def overlap(
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    pairs: Any,
    *,
    workspace: Workspace | None = None,
    **options: Unpack[CallOptions],
) -> tuple[np.ndarray, Result]:
    """Which pairs have distance <= margin: (P,) of bool. Options as in :func:`collide`."""
    check_names(options, "overlap()")
    b = Bodies(position, orientation, hull)
    p = pair_rows(pairs)
    o = call_options(b, p, **options)
    o["previous_one_per_pair"] = True
    words = np.zeros((len(p) + 63) // 64, "<u8")
    d = _native.overlap(hulls, *b.arrays, p, o, as_bytes(words), own_workspace(Workspace, workspace))
    bits = np.unpackbits(as_bytes(words), bitorder="little")[: len(p)]
    return bits.astype(bool), _finish(d)


def oracle(hulls: Hulls, position: Any, orientation: Any, hull: Any, pairs: Any) -> tuple[np.ndarray, np.ndarray]:
    """Exact signed distances (P,) and normals (P, 3) by float64 brute force, at any distance. It is slow and meant for
    checking results. NaN for pairs with a surface, or with a body that cannot be placed."""
    b = Bodies(position, orientation, hull)
    p = pair_rows(pairs)
    out = np.zeros((len(p), 4))
    _native.oracle(hulls, *b.arrays, p, out)
    return out[:, 0], out[:, 1:]


def hash_records(records: np.ndarray) -> str:
    """The documented hash of reported records, 16 hexadecimal digits: equal on every machine for equal contacts."""
    capacity = 16 if records.dtype.itemsize == 384 else 4
    return f"{_native.hash_records(as_bytes(np.array(records)), capacity):016x}"


def match_contacts(previous: np.ndarray, current: np.ndarray) -> dict[str, Any]:
    """Which points of two frames' compact records are the same. Both ascend by pair.

    ``record`` (M,): the previous record of the same pair, or -1; ``points`` (M, capacity): the previous point of each,
    or -1; ``fate`` (K,): the current record of each previous one, or -1; and the counts begun, kept, ended, points_new,
    points_kept, points_broken."""
    if previous.dtype.itemsize != current.dtype.itemsize or current.dtype.itemsize not in (128, 384):
        raise TypeError("previous and current must both hold MANIFOLD4 or both MANIFOLD16")
    capacity = 16 if current.dtype.itemsize == 384 else 4
    record = np.dtype([("record", "<u4"), ("points", "u1", capacity)])
    fate = np.dtype([("record", "<u4"), ("broken", "<u2"), ("reserved", "<u2")])
    matches = np.zeros(len(current), record)
    fates = np.zeros(len(previous), fate)
    d = _native.match(
        as_bytes(np.array(previous)), as_bytes(np.array(current)), capacity, as_bytes(matches), as_bytes(fates)
    )
    check(d)
    out = {k: d[k] for k in ("begun", "kept", "ended", "points_new", "points_kept", "points_broken")}
    out["record"] = matches["record"].astype(np.int32)
    out["points"] = matches["points"].astype(np.int16)
    out["points"][out["points"] == 255] = -1
    out["fate"] = fates["record"].astype(np.int32)
    return out
