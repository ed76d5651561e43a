# SPDX-License-Identifier: MIT
"""Surfaces of triangles: meshes, height fields, and the contacts of bodies with them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from . import _native
from ._bodies import Bodies, check, integers, on_cpu, some_ids
from ._calls import call_options
from ._hulls import ORIGINS, built_or_raise
from ._kinds import ScaledHulls
from ._native import Hulls
from ._records import MANIFOLD4
from ._surface_state import surface_again

_INFINITE = float("inf")


class SurfaceFinding(NamedTuple):
    """How often the builder found something, and the first four places: triangles or vertices of the input."""

    count: int
    places: tuple[int, ...]


class SurfaceReport(NamedTuple):
    """The builder's changes, and its findings that it left. Without any the surface is the input, bit for bit."""

    #: Vertices that were joined with an earlier one: other than exact copies, and exact copies.
    welded: SurfaceFinding
    copies: SurfaceFinding
    #: Triangles left out: without height, the same as an earlier one, covered by others of the opposite sense.
    degenerate: SurfaceFinding
    duplicate: SurfaceFinding
    opposite: SurfaceFinding
    #: Triangles of which a part was covered so.
    cut: SurfaceFinding
    #: Triangles that were divided because vertices lie on their edges.
    split: SurfaceFinding
    #: Triangles with an edge of more than two triangles, or one that a neighbour runs through in the same direction.
    non_manifold: SurfaceFinding
    winding: SurfaceFinding
    #: Triangles that have a vertex of another on an edge after all divisions.
    unhealed: SurfaceFinding
    border_edges: int
    #: Lengths: of a vertex by welding, and the tolerance that was used.
    largest_movement: float
    weld_tolerance: float


class SurfaceArrays(NamedTuple):
    """The triangles of a surface. Triangle i of ``triangles`` has the number ``numbers[i]``: holes of a height field
    are left out. ``materials`` is None if there are none."""

    vertices: np.ndarray
    triangles: np.ndarray
    numbers: np.ndarray
    materials: np.ndarray | None


class Surface:
    """An immutable, one-sided surface of triangles, which are seen counter-clockwise from their outer side. Made by
    :func:`build_surface`, :func:`surface_of_hulls` and :func:`build_height_field`. len(): its triangles, those in holes
    too."""

    def __init__(self, native: _native.NativeSurface) -> None:
        self._native = native

    def __len__(self) -> int:
        return len(self._native)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._native.state(), self.fingerprint)

    def __repr__(self) -> str:
        kind = "height field" if self.is_height_field else "mesh"
        return f"<lanefold.Surface: {kind} of {len(self)} triangles, fingerprint 0x{self.fingerprint:016x}>"

    def arrays(self) -> SurfaceArrays:
        """Copies of all triangles: vertices (V, 3) of float32 in the surface's coordinates, triangles (T, 3)."""
        return SurfaceArrays(**self._native.arrays())

    def input_triangles(self) -> np.ndarray:
        """(len(),) of uint32: the triangle of the input, or the piece, that each triangle is or is a part of."""
        return self._native.input_triangles()

    @property
    def report(self) -> SurfaceReport:
        """The builder's report."""
        found = self._native.report()
        return SurfaceReport(**{k: SurfaceFinding(*v) if isinstance(v, tuple) else v for k, v in found.items()})

    @property
    def is_height_field(self) -> bool:
        return self._native.is_height_field

    @property
    def vertex_count(self) -> int:
        """Vertices that triangles use; of a height field all samples."""
        return self._native.vertex_count

    @property
    def bounds(self) -> np.ndarray:
        """(2, 3) of float64: the least and the greatest corner of the box of all triangles."""
        return np.array(self._native.bounds())

    @property
    def size(self) -> float:
        """Half the diagonal of the box."""
        return self._native.size

    @property
    def thickness(self) -> float:
        """A hull deeper than this below a triangle's plane does not touch it."""
        return self._native.thickness

    @property
    def shift(self) -> np.ndarray:
        """(3,) of float64: the origin of the surface's coordinates in those of the input."""
        return np.array(self._native.shift())

    @property
    def rounding(self) -> float:
        """The largest distance by which float32 moved a point."""
        return self._native.rounding

    @property
    def fingerprint(self) -> int:
        """64 bits over vertices, triangles, materials and thickness; equal on every machine."""
        return self._native.fingerprint

    @property
    def nbytes(self) -> int:
        """Bytes that the surface owns: without borrowed samples."""
        return self._native.nbytes


def _restore(state: tuple[str, dict[str, Any]], fingerprint: int) -> Surface:
    """The surface of a pickle: the same triangles; the report, and the map to the input, are its own."""
    surface = Surface(surface_again(*state))
    if surface.fingerprint != fingerprint:
        raise ValueError(
            f"this version of lanefold makes another surface than the one that made the pickle: fingerprint"
            f" 0x{surface.fingerprint:016x} instead of 0x{fingerprint:016x}"
        )
    return surface


def _made(result: tuple[dict[str, Any], _native.NativeSurface]) -> Surface:
    status, surface = result
    check(status)
    return Surface(surface)


def _numbers(materials: Any, name: str, shape: tuple[int, ...]) -> np.ndarray | None:
    """None, or uint16 of this shape, flat."""
    if materials is None:
        return None
    a = integers(materials, name, np.uint16)
    if a.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, it has {a.shape}")
    return np.require(a, np.uint16, ["C", "A"]).reshape(-1)


def _options(weld_tolerance: float | None, origin: str = "input", **others: Any) -> dict[str, Any]:
    if weld_tolerance is not None and not weld_tolerance >= 0:
        raise ValueError(f"weld_tolerance must be None or at least 0, it is {weld_tolerance!r}")
    if origin not in ("input", "box_centre"):
        raise ValueError(f"origin must be 'input' or 'box_centre', it is {origin!r}")
    tolerance = -1.0 if weld_tolerance is None else weld_tolerance
    return {"weld_tolerance": tolerance, "origin": ORIGINS.index(origin), **others}


def build_surface(
    vertices: Any,
    triangles: Any,
    *,
    weld_tolerance: float | None = None,
    split_t_junctions: bool = True,
    drop_opposite: bool = True,
    thickness: float = _INFINITE,
    materials: Any = None,
    origin: str = "input",
) -> Surface:
    """A surface of vertices (V, 3) and triangles (T, 3), indices of vertices counter-clockwise from the outer side.

    vertices: float32, or other numbers, which are read as float64. weld_tolerance: vertices no further apart are one;
    None: some roundings of float32, 0: only equal ones. split_t_junctions: divides triangles on whose edges a vertex of
    another lies. drop_opposite: leaves out the walls between solids side by side; a sheet of two sides needs False.
    thickness: a hull deeper than this below a triangle's plane does not touch it. materials: (T,) of uint16. origin:
    "input", or "box_centre" for points far from their origin (:attr:`Surface.shift`).

    ``surface.report`` says what was changed. Raises LanefoldError, ``where`` being the vertex or triangle."""
    v = on_cpu(vertices, "vertices")
    if v.ndim != 2 or v.shape[1] != 3:
        raise ValueError(f"vertices must have the shape (V, 3), they have {v.shape}")
    v = np.require(v, np.float32 if v.dtype in (np.float32, np.float16) else np.float64, ["C", "A"])
    t = integers(triangles, "triangles", np.uint32)
    if t.shape == (0,):
        t = t.reshape(0, 3)
    if t.ndim != 2 or t.shape[1] != 3:
        raise ValueError(f"triangles must have the shape (T, 3), they have {t.shape}")
    options = _options(
        weld_tolerance,
        origin,
        split_t_junctions=split_t_junctions,
        drop_opposite=drop_opposite,
        thickness=thickness,
        materials=_numbers(materials, "materials", (len(t),)),
    )
    build = _native.surface_mesh if v.dtype == np.float32 else _native.surface_mesh_double
    return _made(build(v, np.require(t, np.uint32, ["C", "A"]), options))


def surface_of_hulls(
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    *,
    weld_tolerance: float | None = None,
    thickness: float = _INFINITE,
    materials: Any = None,
    origin: str = "input",
) -> Surface:
    """One surface of fixed convex pieces, given as bodies are: tiles, bricks, walls. Faces, or parts of them, that lie
    on those of another piece vanish, and so do the seams. materials: (N,) of uint16, one a piece."""
    b = Bodies(np.asarray(on_cpu(position, "position"), np.float64), orientation, hull)
    if b.hull.ndim == 2:  # the builder knows no scales
        scale = np.ascontiguousarray(b.hull[:, 1:]).view(np.float32)
        if not np.all(scale > 0):  # negative ones would mirror
            raise ValueError(f"the scale of piece {np.argmin(scale > 0)} must be above 0")
        scaled = ScaledHulls(hulls)
        b.hull = scaled.take(b.hull[:, 0], np.repeat(scale, 3, axis=1))
        hulls = scaled.hulls
    options = _options(
        weld_tolerance, origin, split_t_junctions=True, drop_opposite=True, thickness=thickness, materials=None
    )
    arrays = (
        np.require(b.position, np.float64, ["C", "A"]),
        np.require(b.orientation, np.float32, ["C", "A"]),
        np.require(b.hull, np.uint32, ["C", "A"]),
    )
    return _made(_native.surface_pieces(hulls, *arrays, _numbers(materials, "materials", (len(b),)), options))


def _cells(mask: Any, name: str, shape: tuple[int, int]) -> np.ndarray | None:
    if mask is None:
        return None
    a = np.asarray(on_cpu(mask, name))
    if a.shape != shape or a.dtype not in (np.bool_, np.uint8):
        raise ValueError(f"{name} must be {shape} of bool, it is {a.shape} of {a.dtype}")
    return np.ascontiguousarray(a).view(np.uint8).reshape(-1)


def build_height_field(
    samples: Any,
    *,
    x0: float = 0.0,
    y0: float = 0.0,
    dx: float = 1.0,
    dy: float = 1.0,
    scale: float = 1.0,
    offset: float = 0.0,
    holes: Any = None,
    diagonals: Any = None,
    materials: Any = None,
    thickness: float = _INFINITE,
    borrow: bool = False,
) -> Surface:
    """A height field of samples (R, C): sample (r, c) is at x0 + c dx, y0 + r dy, offset + scale * sample.

    samples: float32 or uint16 with any strides; other numbers become float32. Tiles that share their borders: (I, J, R,
    C). Of the whole field's cells, (I (R - 1), J (C - 1)): holes, of bool, have no triangles; diagonals, of bool: the
    cell is divided from (r, c + 1) to (r + 1, c) instead of from (r, c) to (r + 1, c + 1); materials, of uint16.
    Triangles 2 k and 2 k + 1 are those of cell k.

    borrow: keeps float32 or uint16 samples in place instead of a copy. The surface holds the array, whose samples must
    not change. Raises LanefoldError, ``where`` being the sample or cell."""
    a = on_cpu(samples, "samples")
    if a.ndim not in (2, 4):
        raise ValueError(f"samples must have the shape (R, C) or (I, J, R, C), they have {a.shape}")
    in_place = (
        a.dtype in (np.float32, np.uint16)
        and a.dtype.isnative
        and a.flags.aligned
        and all(s % a.itemsize == 0 for s in a.strides)
    )
    if not in_place and borrow:
        raise TypeError(f"samples of {a.dtype} cannot be borrowed, only aligned ones of float32 and uint16")
    if not in_place:
        if a.dtype.kind not in "fiu":
            raise TypeError(f"samples must hold numbers, they hold {a.dtype}")
        a = np.array(a, np.uint16 if a.dtype.kind == "u" and a.itemsize == 2 else np.float32)
    tiles = a if a.ndim == 4 else a[None, None]
    cells = tiles.shape[0] * (tiles.shape[2] - 1), tiles.shape[1] * (tiles.shape[3] - 1)
    options = {
        "x0": x0,
        "y0": y0,
        "dx": dx,
        "dy": dy,
        "scale": scale,
        "offset": offset,
        "holes": _cells(holes, "holes", cells),
        "diagonals": _cells(diagonals, "diagonals", cells),
        "materials": _numbers(materials, "materials", cells),
        "thickness": thickness,
        "borrow": borrow,
    }
    return _made(_native.surface_field(tiles, options))


def surface_set(surfaces: Surface | Iterable[Surface]) -> Hulls:
    """A set with one id for each surface, to be appended to one of hulls; then surfaces are in all calls, streams,
    finders and worlds. Sets share the surfaces' memory. ``hulls.surface(id)`` gives a surface back.

    A body's pose places the surface's coordinates (:attr:`Surface.shift` is not added). Such bodies never move: in a
    World they are fixed. A pair of a surface has any number of records in :func:`collide_compact`, deepest first, and
    the deepest in :func:`collide`. Surfaces meet neither one another nor half-spaces. A pickle of the set holds
    their triangles or samples.

    Raises HullsError for an empty surface."""
    all_ = [surfaces] if isinstance(surfaces, Surface) else list(surfaces)
    for s in all_:
        if not isinstance(s, Surface):
            raise TypeError(f"surfaces must be Surface objects, one is {type(s).__name__}")
    return built_or_raise(_native.surface_set([s._native for s in all_]))


def _vector(values: Any, name: str, count: int) -> list[float]:
    a = np.asarray(on_cpu(values, name), np.float64)
    if a.shape != (count,):
        raise ValueError(f"{name} must have the shape ({count},), it has {a.shape}")
    return a.tolist()


class SurfaceContacts(NamedTuple):
    """``records`` of MANIFOLD4; those of body i (of the list) are records[offsets[i] : offsets[i + 1]]."""

    records: np.ndarray
    offsets: np.ndarray


def collide_surface(
    surface: Surface,
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    *,
    bodies: Any = None,
    surface_position: Any = (0, 0, 0),
    surface_orientation: Any = (0, 0, 0, 1),
    surface_index: int = 0xFFFFFFFF,
    margin: float = 0.0,
    face_preference: float = 0.005,
    points: str = "all",
) -> SurfaceContacts:
    """Contacts of bodies with a surface: any number of records for each body, one for each normal, deepest first.

    Body a of a record is the body, so normals point into the surface and points are offsets from the body's position;
    body b is surface_index. feature_b is a triangle, 3 t + k for edge k of triangle t, or a vertex. bodies: the indices
    of those that take part; None: all. surface_position, surface_orientation: where the origin of its coordinates is.
    Bodies are hulls, sharp or rounded: others have the status bad_hull; compounds are for :func:`surface_set`.
    margin, face_preference, points: as in :func:`collide`."""
    if np.ndim(margin) != 0:
        raise ValueError(f"margin must be one length, it has the shape {np.shape(margin)}")
    b = Bodies(position, orientation, hull)
    chosen = None if bodies is None else some_ids(bodies, "bodies")
    none = np.zeros((0, 2), np.uint32)
    options = call_options(b, none, margin=margin, face_preference=face_preference, points=points)
    status, records, offsets = _native.surface_contacts(
        surface._native,
        hulls,
        *b.arrays,
        chosen,
        _vector(surface_position, "surface_position", 3),
        _vector(surface_orientation, "surface_orientation", 4),
        surface_index,
        options,
    )
    check(status)
    return SurfaceContacts(records.reshape(-1).view(MANIFOLD4), offsets)
