# SPDX-License-Identifier: MIT
"""Building hulls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np

from . import _native
from ._bodies import integers, on_cpu
from ._native import Hulls
from ._surface_state import surface_again

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import BuildOptions


class HullFailure(NamedTuple):
    """Why one hull could not be built: its number in the call, the point (counted from the hull's first), the name of
    the error and a sentence."""

    hull: int
    point: int
    error: str
    what: str


class HullsError(ValueError):
    """Some hulls could not be built. ``failures`` has one entry for each."""

    def __init__(self, failures: list[HullFailure]):
        first = failures[0]
        more = f", and {len(failures) - 1} more hulls" if len(failures) > 1 else ""
        super().__init__(f"hull {first.hull}, point {first.point}: {first.what} ({first.error}){more}")
        self.failures = failures

    def __reduce__(self) -> tuple[type, tuple[list[HullFailure]]]:
        return type(self), (self.failures,)


# By their numbers in the library.
ORIGINS = ("input", "centre_of_mass", "box_centre")


def _radii(radius: Any, count: int) -> np.ndarray:
    """One for each hull, of one for all or of as many."""
    radii = np.asarray(on_cpu(radius, "radius"))
    if radii.dtype.kind not in "fiu":
        raise TypeError(f"radius must be a number or numbers, it holds {radii.dtype}")
    if radii.shape not in ((), (count,)):
        raise ValueError(f"radius must be a number or have the shape ({count},), it has {radii.shape}")
    with np.errstate(over="ignore"):  # the builder refuses infinity
        return np.require(np.broadcast_to(radii, (count,)), np.float32, ["C", "A"])


@overload
def build_hulls(
    points: Any, offsets: Any = None, *, return_frames: Literal[False] = False, **options: Unpack[BuildOptions]
) -> Hulls: ...
@overload
def build_hulls(
    points: Any, offsets: Any = None, *, return_frames: Literal[True], **options: Unpack[BuildOptions]
) -> tuple[Hulls, dict[str, np.ndarray]]: ...
def build_hulls(
    points: Any,
    offsets: Any = None,
    *,
    merge_coplanar: bool = True,
    recognize_boxes: bool = True,
    max_vertices: int = 0,
    threads: int = 0,
    origin: str = "input",
    radius: Any = 0.0,
    return_frames: bool = False,
) -> Hulls | tuple[Hulls, dict[str, np.ndarray]]:
    """Convex hulls of points.

    points: (P, 3) of float32, or of any other numbers, which are read as float64. offsets: (H + 1,) of whole numbers,
    hull h has the points offsets[h] up to offsets[h + 1]; None: one hull of all points. max_vertices: keep at most this
    many, and at least 4; 0: all. threads: 0: as many as the machine has.

    origin: the origin of a hull's coordinates: "input", that of its points; "box_centre", the middle of their box;
    "centre_of_mass". Hulls are of float32, and the origin is subtracted before anything is rounded. So points far from
    their origin, such as UTM coordinates, need an origin of the hull's own; a body at p then is at p + R shift. Points
    of float64 that rounding about "input" would move by more than 2e-6 of their size are refused ("too_far").

    radius: one for all hulls, or (H,). Above 0 a hull is rounded: it is the hull of its points with all that is within
    the radius of it. Then one point is a hull, too (a sphere), and two are (a capsule).

    return_frames: returns also a dictionary of float64 arrays: ``shift`` (H, 3), a point p became p - shift;
    ``rounding`` (H,), the largest distance by which float32 moved a point; ``principal_axes`` (H, 3, 3), rotations from
    the principal axes to the hulls' coordinates; ``principal_moments`` (H, 3) for density 1.

    Raises HullsError, which says for every hull that could not be built why.
    """
    p = on_cpu(points, "points")
    if p.ndim != 2 or p.shape[1] != 3:
        raise ValueError(f"points must have the shape (P, 3), they have {p.shape}")
    p = np.require(p, np.float32 if p.dtype in (np.float32, np.float16) else np.float64, ["C", "A"])
    if offsets is None:
        o = np.array([0, len(p)], np.uint64)
    else:
        o = integers(offsets, "offsets", np.uint64)
        if o.ndim == 1:
            o = np.require(o, np.uint64, ["C", "A"])
    if o.ndim != 1 or len(o) == 0:
        raise ValueError("offsets must have the shape (H + 1,)")
    if origin not in ORIGINS:
        raise ValueError(f"origin must be 'input', 'box_centre' or 'centre_of_mass', it is {origin!r}")
    frames = np.zeros((len(o) - 1, 16))
    build = _native.build if p.dtype == np.float32 else _native.build_double
    options = (merge_coplanar, recognize_boxes, max_vertices, threads, ORIGINS.index(origin))
    hulls, failures = build(p, o, *options, _radii(radius, len(o) - 1), frames)
    hulls = built_or_raise((hulls, failures))
    if not return_frames:
        return hulls
    return hulls, {
        "shift": frames[:, :3],
        "principal_axes": frames[:, 3:12].reshape(-1, 3, 3),
        "principal_moments": frames[:, 12:15],
        "rounding": frames[:, 15],
    }


# Any hull: it takes the place of hulls that were removed, until it is removed as well.
_TETRAHEDRON = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


def _rebuild(part: int | tuple[Any, ...]) -> Hulls:
    """Ids of one call: the points, offsets and options of hulls, half-spaces, surfaces, or the number of ids that are
    all removed."""
    if isinstance(part, int):
        return build_hulls(np.tile(_TETRAHEDRON, (part, 1)), np.arange(part + 1, dtype=np.uint64) * 4)
    if isinstance(part[0], str) and part[0] == "surfaces":
        return built_or_raise(_native.surface_set([surface_again(*state) for state in part[1]]))
    if isinstance(part[0], str):
        return built_or_raise(_native.half_spaces(part[1]))
    points, offsets, merge_coplanar, recognize_boxes, max_vertices, origin, radius = part
    return build_hulls(
        points,
        offsets,
        merge_coplanar=merge_coplanar,
        recognize_boxes=recognize_boxes,
        max_vertices=max_vertices,
        origin=ORIGINS[origin],
        radius=radius,
    )


def built_or_raise(built: tuple[Hulls | None, list[tuple[Any, ...]]]) -> Hulls:
    """The set of a native build, or HullsError."""
    hulls, failures = built
    if hulls is None:
        raise HullsError([HullFailure(*f) for f in failures])
    return hulls


def _joined(sets: list[Hulls]) -> Hulls:
    """All sets, appended two and two, so that each hull is copied log2(sets) times."""
    while len(sets) > 1:
        sets = [a.append(b) for a, b in zip(sets[::2], sets[1::2])] + sets[len(sets) & ~1 :]
    return sets[0] if sets else build_hulls(np.zeros((0, 3), np.float32), [0])


def _restore(parts: list[Any], removed: list[int], fingerprint: int) -> Hulls:
    """The set of a pickle. Raises ValueError where this version builds other hulls of the same points."""
    hulls = _joined([])
    run: list[Hulls] = []
    for part in parts:
        if isinstance(part, tuple) and isinstance(part[0], str) and part[0] == "compounds":
            # Children are ids of all that stands before.
            hulls, run = _native.compounds(hulls.append(_joined(run)), *part[1:])[0], []
        else:
            run.append(_rebuild(part))
    hulls = hulls.append(_joined(run)).remove(removed)
    if hulls.fingerprint != fingerprint:
        raise ValueError(
            f"this version of lanefold builds other hulls than the one that made the pickle: fingerprint"
            f" 0x{hulls.fingerprint:016x} instead of 0x{fingerprint:016x}"
        )
    return hulls
