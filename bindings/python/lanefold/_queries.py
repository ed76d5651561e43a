# SPDX-License-Identifier: MIT
"""Questions to a scene: rays, shapes on a motion, overlaps and closest points (docs/between_frames.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._bodies import Bodies, check, flat
from ._calls import TRUNCATED, own_workspace
from ._native import NativePairFinder, QueryWorkspace, StopFlag
from ._rays import RAY_HIT, RAY_STATES, RayResult, ray_rows
from ._records import as_bytes
from ._sweep import spin_rows

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CastOptions, QueryOptions

#: A body's index where there is none.
NO_BODY = 0xFFFFFFFF
#: A record of :meth:`PairFinder.closest_points`, 64 bytes.
CLOSEST_POINTS = np.dtype(
    [
        ("distance", "<f4"),
        ("body", "<u4"),
        ("child", "<u4"),
        ("shape_child", "<u4"),
        ("normal", "<f4", 3),
        ("on_shape", "<f4", 3),
        ("on_body", "<f4", 3),
        ("feature_shape", "<u4"),
        ("feature_body", "<u4"),
        ("kind", "u1"),
        ("status", "u1"),
        ("reserved", "u1", 2),
    ]
)
#: A record of :meth:`PairFinder.cast_shapes`, 64 bytes.
SHAPE_HIT = np.dtype(
    [
        ("fraction", "<f8"),
        ("body", "<u4"),
        ("child", "<u4"),
        ("normal", "<f4", 3),
        ("distance", "<f4"),
        ("point", "<f4", 3),
        ("feature_shape", "<u4"),
        ("feature_body", "<u4"),
        ("kind", "u1"),
        ("state", "u1"),
        ("failure", "u1"),
        ("status", "u1"),
        ("shape_child", "<u4"),
        ("padding", "u1", 4),
    ]
)


@dataclass
class QueryResult:
    """Sums of a call with shapes. ``first_bad``: the first query with a status other than ok, their number if none.
    ``candidates``: pairs of a query and a body near it. ``touching``: queries with a record. ``statuses``: of each
    query (STATUSES), where records are listed with offsets."""

    by_status: dict[str, int] = field(default_factory=dict)
    first_bad: int = 0
    candidates: int = 0
    touching: int = 0
    statuses: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))


def _result(d: dict[str, Any], statuses: np.ndarray | None = None) -> QueryResult:
    check(d)
    known = np.zeros(0, np.uint8) if statuses is None else statuses
    return QueryResult(d["by_status"], d["first_bad"], d["candidates"], d["touching"], known)


def _listed(
    queries: int, dtype: Any, call: Callable[[np.ndarray, np.ndarray], dict[str, Any]]
) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Offsets and records of a call that gives all of them: it is made again if there was no room."""
    offsets = np.zeros(queries + 1, np.uint64)
    room = max(2 * queries, 64)
    while True:
        records = np.zeros(room, dtype)
        d = call(as_bytes(offsets), as_bytes(records))
        if d["code"] != TRUNCATED:
            check(d)
            return offsets, records[: d["required"]].copy(), d
        room = d["required"]


class SceneQueries:
    """The questions of a :class:`PairFinder` about the scene of its latest ``find()``. Shapes are bodies whose hulls
    are ids of the finder's set.

    All take ``group``, ``category`` and ``collides_with`` (Q,), filters as ``find()`` has them for bodies, ``world``
    (Q,), the world whose bodies each query meets, ``isa``, ``threads`` and a ``workspace``. Where all records are
    asked for, those of query q are ``records[offsets[q] : offsets[q + 1]]``."""

    _native: NativePairFinder

    def cast_rays(
        self, rays: Any, *, any: bool = False, back_faces: bool = False, **filters: Unpack[QueryOptions]
    ) -> tuple[np.ndarray, RayResult]:
        """The first body that each ray meets, as :func:`lanefold.cast_rays` gives it: (R,) of RAY_HIT. any: only
        whether there is one. back_faces: triangles of surfaces are met from behind, too."""
        r = ray_rows(rays)
        options, own = _options(len(r), any=any, back_faces=back_faces, **filters)
        hits = np.zeros(len(r), RAY_HIT)
        d = _native.query_rays(self._native, r, options, as_bytes(hits), own)
        return hits, _ray_result(d)

    def cast_rays_all(
        self, rays: Any, *, back_faces: bool = False, **filters: Unpack[QueryOptions]
    ) -> tuple[np.ndarray, np.ndarray, RayResult]:
        """All bodies that each ray meets, by fraction: (offsets, records, result)."""
        r = ray_rows(rays)
        options, own = _options(len(r), back_faces=back_faces, **filters)
        offsets, hits, d = _listed(
            len(r), RAY_HIT, lambda ends, out: _native.query_rays_all(self._native, r, options, ends, out, own)
        )
        return offsets, hits, _ray_result(d)

    def overlaps(
        self, position: Any, orientation: Any, hull: Any, margin: float = 0.0, **filters: Unpack[QueryOptions]
    ) -> tuple[np.ndarray, np.ndarray, QueryResult]:
        """The bodies within ``margin`` of each shape, ascending: (offsets, bodies of uint32, result)."""
        b = Bodies(position, orientation, hull)
        options, own = _options(len(b), **filters)
        statuses = np.zeros(len(b), np.uint8)

        def call(ends: np.ndarray, out: np.ndarray) -> dict[str, Any]:
            return _native.query_overlaps(self._native, *b.arrays, margin, options, ends, out, statuses, own)

        offsets, bodies, d = _listed(len(b), np.uint32, call)
        return offsets, bodies, _result(d, statuses)

    def closest_points(
        self, position: Any, orientation: Any, hull: Any, radii: Any, **filters: Unpack[QueryOptions]
    ) -> tuple[np.ndarray, QueryResult]:
        """The nearest body within radii (Q,), or one radius, of each shape: (Q,) of CLOSEST_POINTS. Where there is
        none, ``body`` is NO_BODY and ``distance`` infinite."""
        b = Bodies(position, orientation, hull)
        options, own = _options(len(b), **filters)
        points = np.zeros(len(b), CLOSEST_POINTS)
        reach = _radii(radii, len(b))
        return points, _result(
            _native.query_closest(self._native, *b.arrays, reach, options, as_bytes(points), own)
        )

    def closest_points_all(
        self, position: Any, orientation: Any, hull: Any, radii: Any, **filters: Unpack[QueryOptions]
    ) -> tuple[np.ndarray, np.ndarray, QueryResult]:
        """All bodies within radii of each shape, by distance: (offsets, records, result)."""
        b = Bodies(position, orientation, hull)
        options, own = _options(len(b), **filters)
        statuses = np.zeros(len(b), np.uint8)
        reach = _radii(radii, len(b))

        def call(ends: np.ndarray, out: np.ndarray) -> dict[str, Any]:
            return _native.query_closest_all(self._native, *b.arrays, reach, options, ends, out, statuses, own)

        offsets, points, d = _listed(len(b), CLOSEST_POINTS, call)
        return offsets, points, _result(d, statuses)

    def cast_shapes(
        self,
        position: Any,
        orientation: Any,
        hull: Any,
        next_position: Any,
        next_orientation: Any,
        **settings: Unpack[CastOptions],
    ) -> tuple[np.ndarray, QueryResult]:
        """The first body that each shape meets on its way to the next pose, as :func:`lanefold.sweep` moves it: (Q,) of
        SHAPE_HIT. settings: target, tolerance, spins and stop of a sweep, and filters."""
        first, last, options, own = _cast(position, orientation, hull, next_position, next_orientation, settings)
        hits = np.zeros(len(first), SHAPE_HIT)
        d = _native.query_shapes(
            self._native, *first.arrays, last.position, last.orientation, options, as_bytes(hits), own
        )
        return hits, _result(d)

    def cast_shapes_all(
        self,
        position: Any,
        orientation: Any,
        hull: Any,
        next_position: Any,
        next_orientation: Any,
        **settings: Unpack[CastOptions],
    ) -> tuple[np.ndarray, np.ndarray, QueryResult]:
        """All bodies that each shape meets, by fraction: (offsets, records, result)."""
        first, last, options, own = _cast(position, orientation, hull, next_position, next_orientation, settings)
        statuses = np.zeros(len(first), np.uint8)
        arrays = (*first.arrays, last.position, last.orientation)

        def call(ends: np.ndarray, out: np.ndarray) -> dict[str, Any]:
            return _native.query_shapes_all(self._native, *arrays, options, ends, out, statuses, own)

        offsets, hits, d = _listed(len(first), SHAPE_HIT, call)
        return offsets, hits, _result(d, statuses)


def _options(
    count: int,
    *,
    group: Any = None,
    category: Any = None,
    collides_with: Any = None,
    world: Any = None,
    any: bool = False,
    back_faces: bool = False,
    isa: str = "automatic",
    threads: int = 0,
    workspace: QueryWorkspace | None = None,
) -> tuple[dict[str, Any], QueryWorkspace]:
    options: dict[str, Any] = {
        "group": flat(group, "group", np.uint32, count),
        "category": flat(category, "category", np.uint32, count),
        "collides_with": flat(collides_with, "collides_with", np.uint32, count),
        "world": flat(world, "world", np.int32, count),
        "any": bool(any),
        "back_faces": bool(back_faces),
        "isa": isa,
        "threads": threads,
    }
    return options, own_workspace(QueryWorkspace, workspace)


def _cast(
    position: Any, orientation: Any, hull: Any, next_position: Any, next_orientation: Any, settings: CastOptions
) -> tuple[Bodies, Bodies, dict[str, Any], QueryWorkspace]:
    """Both poses, and the options of a cast: those of a sweep and the filters."""
    filters: dict[str, Any] = {**settings}
    target: float = filters.pop("target", 0.0)
    tolerance: float = filters.pop("tolerance", 1e-3)
    stop: StopFlag | None = filters.pop("stop", None)
    spins = filters.pop("spins", None)
    if next_orientation is None and spins is None:
        raise ValueError("next_orientation may be None with spins only")
    first = Bodies(position, orientation, hull)
    last = Bodies(next_position, orientation if next_orientation is None else next_orientation, hull)
    options, own = _options(len(first), **filters)
    options |= {"target": target, "tolerance": tolerance, "stop": stop, "spins": spin_rows(spins, len(first))}
    return first, last, options, own


def _radii(radii: Any, count: int) -> np.ndarray | None:
    return flat(np.full(count, radii, np.float32) if np.ndim(radii) == 0 else radii, "radii", np.float32, count)


def _ray_result(d: dict[str, Any]) -> RayResult:
    check(d)
    return RayResult(dict(zip(RAY_STATES, d["by_state"])), d["left_out"])
