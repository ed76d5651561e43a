# SPDX-License-Identifier: MIT
"""Scene and contacts folders (docs/formats.md), memory-mapped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._hulls import build_hulls
from ._kinds import build_compounds, build_half_spaces
from ._native import Hulls, read_records
from ._records import manifold_type
from ._scaled_scene import scaled_shapes
from ._surface import Surface, build_height_field, build_surface, surface_set

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import BuildOptions

_VERSION_2_KEYS = {
    "format", "version", "unit", "pairs_margin", "first_frame", "frames_per_second", "up", "handedness",
}  # fmt: skip
# How the names of files of records end.
_SUFFIXES = {None: ".npy", "zstd": ".npy.zst", "fast": ".planes", "small": ".planes"}
_CHILD_ARRAYS = ("compound_offsets", "child_hull", "child_position", "child_orientation")
_MESH_ARRAYS = ("surface_offsets", "surface_vertices", "surface_triangles")
_FIELD_ARRAYS = ("height_fields", "height_samples")
_SURFACE_OPTIONS = ("surface_thickness", "height_holes", "height_diagonals")
_VERSION_2_FILES = (
    "names.json", "active.npy", "hull_kind.npy", "hull_radius.npy", "half_spaces.npy",
    *(f"{name}.npy" for name in (*_CHILD_ARRAYS, *_MESH_ARRAYS, *_FIELD_ARRAYS, *_SURFACE_OPTIONS)),
)  # fmt: skip
# Kinds of hull_kind.npy.
_HALF_SPACE, _COMPOUND, _MESH, _FIELD = 1, 2, 3, 4


def _mapped(path: Path) -> Any:
    """The array of a file. The words of NumPy about one that is damaged do not name it."""
    try:
        return np.load(path, mmap_mode="r")
    except (ValueError, EOFError) as error:
        raise ValueError(f"{path}: {error}") from error


class Scene:
    """A scene folder, version 1 to 3. Arrays are memory-mapped: position (T, N, 3), orientation (T, N, 4), body_hull
    (N,), hull_vertices and hull_offsets. inverse_mass and group are arrays or None.

    From version 2 on, or their defaults: ``names`` of the bodies (None), ``active`` (T, N) bool, False where a body is
    not there (None: all are), ``first_frame``, the number that people give to frame 0 (0), ``frames_per_second``
    (None), ``up``, "x", "y" or "z" ("y"), ``handedness``, "right" or "left" ("right"). Of version 3: ``hull_radius``
    (H,), by which hulls are rounded (None: by nothing), and ``hull_kind`` (H,): 0 a hull, 1 a half-space, 2 a compound,
    3 a mesh, 4 a height field (None: all are hulls). ``half_spaces`` (S, 4) has normals and offsets,
    ``compound_offsets``, ``child_hull``, ``child_position`` and ``child_orientation`` the children of compounds,
    ``surface_offsets``, ``surface_vertices`` and ``surface_triangles`` the meshes, ``height_fields``,
    ``height_samples``, ``height_holes`` and ``height_diagonals`` the height fields, ``surface_thickness`` their
    thickness (None: there are none). ``body_scale`` (N,) has the scales of bodies (None: all are 1).

    A body with a scale is a body of another hull. ``body_hull``, ``hull_vertices`` and all other arrays of hulls have
    these behind those of the files, each hull and scale once, so ``build_hulls()`` gives them and whatever takes a
    scene computes with them. ``file_hull`` (N,) is the hull of each body as the files have it, one of the first
    ``hulls_in_files``.

    Where a body is not there, its pose may be anything. ``poses(frame)`` gives arrays in which it is zeros, which a
    ``PairFinder`` and the calls leave out, and ``pairs(frame)`` has no pair of it.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.header: dict[str, Any] = json.loads((self.folder / "scene.json").read_text(encoding="utf-8"))
        if self.header.get("format") != "lanefold-scene" or self.header.get("version") not in (1, 2, 3):
            raise ValueError(f"{self.folder}: not a lanefold-scene of version 1 to 3")
        self.hull_offsets = self._array("hull_offsets")
        self.hull_vertices = self._array("hull_vertices")
        self.body_hull = self._array("body_hull")
        self.position = self._array("position")
        self.orientation = self._array("orientation")
        self.inverse_mass = self._array("body_inverse_mass", optional=True)
        self.group = self._array("body_group", optional=True)
        self._check_shapes()
        self._pair_offsets = self._array("pair_offsets", optional=True)
        self._pairs = self._array("pairs", optional=True)
        self.names: list[str] | None = None
        self.active: np.ndarray | None = None
        self.hull_radius: np.ndarray | None = None
        self.hull_kind: np.ndarray | None = None
        self.half_spaces: Any = None
        self.compound_offsets: Any = None
        self.child_hull: Any = None
        self.child_position: Any = None
        self.child_orientation: Any = None
        self.surface_offsets: Any = None
        self.surface_vertices: Any = None
        self.surface_triangles: Any = None
        self.surface_thickness: Any = None
        self.height_fields: Any = None
        self.height_samples: Any = None
        self.height_holes: Any = None
        self.height_diagonals: Any = None
        self.body_scale: np.ndarray | None = None
        self.file_hull = self.body_hull
        self.hulls_in_files = len(self.hull_offsets) - 1
        self._read_version_2()

    def _read_version_2(self) -> None:
        header = self.header
        if header["version"] < 3 and (self.folder / "body_scale.npy").exists():
            raise ValueError(f"{self.folder}: body_scale.npy needs version 3 in scene.json")
        if header["version"] == 1:
            for name in _VERSION_2_FILES:
                if (self.folder / name).exists():
                    raise ValueError(f"{self.folder}: {name} needs version 2 in scene.json")
            header = {}
        elif unknown := set(header) - _VERSION_2_KEYS:
            raise ValueError(f"{self.folder}/scene.json: version {header['version']} has no key {sorted(unknown)[0]!r}")
        self.first_frame = int(header.get("first_frame") or 0)
        self.frames_per_second: float | None = header.get("frames_per_second")
        rate = self.frames_per_second
        if rate is not None and not (isinstance(rate, (int, float)) and 0 < rate <= 1e6):
            raise ValueError(f"{self.folder}/scene.json: frames_per_second is {rate!r}, expected a number above 0")
        self.up = str(header.get("up") or "y")
        self.handedness = str(header.get("handedness") or "right")
        if self.up not in ("x", "y", "z") or self.handedness not in ("right", "left"):
            raise ValueError(f"{self.folder}/scene.json: up is {self.up!r}, handedness {self.handedness!r}")
        self._read_version_3()
        bodies = len(self.body_hull)
        names = self.folder / "names.json"
        if names.exists():
            self.names = list(json.loads(names.read_text(encoding="utf-8"))["bodies"])
            if len(self.names) != bodies:
                raise ValueError(f"{names}: {len(self.names)} names, but there are {bodies} bodies")
        active = self._array("active", optional=True)
        if active is not None:
            if active.shape != self.position.shape[:2] or active.dtype not in (np.bool_, np.uint8):
                raise ValueError(f"{self.folder}/active.npy: expected bool of shape {self.position.shape[:2]}")
            if active.dtype == np.uint8 and any(np.any(part > 1) for part in active):
                raise ValueError(f"{self.folder}/active.npy: only 0 and 1")
            self.active = active.view(np.bool_)

    def _read_version_3(self) -> None:
        """Kinds and radii of hulls; in version 2 the files hold zeros."""
        for name, wanted in (("hull_kind", np.uint8), ("hull_radius", np.float32)):
            values = self._array(name, optional=True)
            if values is None:
                continue
            if values.shape != (len(self.hull_offsets) - 1,) or values.dtype != wanted:
                raise ValueError(f"{self.folder}/{name}.npy: expected {np.dtype(wanted)}, one a hull")
            if not np.any(values != 0):
                continue
            if self.header["version"] < 3:
                raise ValueError(f"{self.folder}/{name}.npy: numbers other than 0 need version 3 in scene.json")
            if name == "hull_kind":
                if values.max() > _FIELD:
                    raise ValueError(f"{self.folder}/{name}.npy: kind {values.max()}; 0 to {_FIELD} are known")
                self.hull_kind = values
                continue
            if not np.all((values >= 0) & np.isfinite(values)):
                raise ValueError(f"{self.folder}/{name}.npy: a radius is negative or not finite")
            self.hull_radius = values

        self._read_other_shapes()
        self._read_scales()

    def _read_scales(self) -> None:
        """Scales of bodies; the hulls that have them go behind those of the files."""
        scale = self._array("body_scale", optional=True)
        if scale is None:
            return
        self._expect("body_scale", scale, np.float32, self.body_hull.shape)
        wrong = np.flatnonzero(~(np.isfinite(scale) & (scale >= np.finfo(np.float32).tiny)))
        if len(wrong) > 0:
            raise ValueError(f"{self.folder}/body_scale.npy: body {wrong[0]} has scale {scale[wrong[0]]}")
        if len(self.body_hull) > 0 and int(self.body_hull.max()) >= self.hulls_in_files:
            raise ValueError(f"{self.folder}/body_hull.npy: there are {self.hulls_in_files} hulls")
        if self.hull_kind is not None:
            moved = np.flatnonzero((scale != 1) & (self.hull_kind[self.body_hull] >= _MESH))
            if len(moved) > 0:
                raise ValueError(f"{self.folder}/body_scale.npy: body {moved[0]} has a surface, which has no scale")
        if np.any(scale != 1):
            self.body_scale = scale
            for name, array in scaled_shapes(self, scale).items():
                setattr(self, name, array)

    def _read_other_shapes(self) -> None:
        """Half-spaces, compounds and surfaces, in the order of their numbers."""
        kinds = np.zeros(0, np.uint8) if self.hull_kind is None else np.asarray(self.hull_kind)
        counts = dict.fromkeys(_CHILD_ARRAYS, np.sum(kinds == _COMPOUND))
        counts["half_spaces"] = np.sum(kinds == _HALF_SPACE)
        counts.update(dict.fromkeys(_MESH_ARRAYS, np.sum(kinds == _MESH)))
        counts.update(dict.fromkeys(_FIELD_ARRAYS, np.sum(kinds == _FIELD)))
        for name, count in counts.items():
            if (count > 0) != (self.folder / f"{name}.npy").exists():
                there = "missing, but one" if count > 0 else "is there, but no hull"
                raise ValueError(f"{self.folder}/{name}.npy: {there} of hull_kind.npy asks for it")
        if counts["half_spaces"] > 0:
            self.half_spaces = self._array("half_spaces")
            self._expect("half_spaces", self.half_spaces, np.float32, (counts["half_spaces"], 4))
        self._read_surfaces(counts["surface_offsets"], counts["height_fields"])
        if counts["child_hull"] == 0:
            return
        for name in _CHILD_ARRAYS:
            setattr(self, name, self._array(name))
        self._expect("compound_offsets", self.compound_offsets, np.uint64, (counts["child_hull"] + 1,))
        children = len(self.child_hull)
        self._expect("child_hull", self.child_hull, np.uint32, (children,))
        self._expect("child_position", self.child_position, np.float64, (children, 3))
        self._expect("child_orientation", self.child_orientation, np.float32, (children, 4))

    def _read_surfaces(self, meshes: int, fields: int) -> None:
        """Meshes of triangles and height fields."""
        if meshes > 0:
            for name in _MESH_ARRAYS:
                setattr(self, name, self._array(name))
            self._expect("surface_offsets", self.surface_offsets, np.uint64, (meshes + 1, 2))
            vertices, triangles = (int(n) for n in self.surface_offsets[-1])
            self._expect("surface_vertices", self.surface_vertices, np.float32, (vertices, 3))
            self._expect("surface_triangles", self.surface_triangles, np.uint32, (triangles, 3))
        if fields > 0:
            self.height_fields = self._array("height_fields")
            self._expect("height_fields", self.height_fields, np.float64, (fields, 8))
            samples = int(np.sum(self.height_fields[:, 0] * self.height_fields[:, 1]))
            cells = int(np.sum((self.height_fields[:, 0] - 1) * (self.height_fields[:, 1] - 1)))
            self.height_samples = self._array("height_samples")
            wanted = np.uint16 if self.height_samples.dtype == np.uint16 else np.float32
            self._expect("height_samples", self.height_samples, wanted, (samples,))
            for name in ("height_holes", "height_diagonals"):
                values = self._array(name, optional=True)
                if values is None:
                    continue
                self._expect(name, values, np.bool_ if values.dtype == np.bool_ else np.uint8, (cells,))
                setattr(self, name, values)
        if meshes + fields > 0:
            self.surface_thickness = self._array("surface_thickness", optional=True)
            if self.surface_thickness is not None:
                self._expect("surface_thickness", self.surface_thickness, np.float32, (meshes + fields,))

    def _surface(self, kind: int, mesh: int, field: int) -> Surface:
        """A mesh or a height field, of which so many came before."""
        thickness = float("inf") if self.surface_thickness is None else float(self.surface_thickness[mesh + field])
        if kind == _MESH:
            (first_vertex, first), (end_vertex, end) = (
                tuple(map(int, row)) for row in self.surface_offsets[mesh : mesh + 2]
            )
            return build_surface(
                np.asarray(self.surface_vertices[first_vertex:end_vertex]),
                np.asarray(self.surface_triangles[first:end]),
                weld_tolerance=0,
                split_t_junctions=False,
                drop_opposite=False,
                thickness=thickness,
            )
        rows, columns = (self.height_fields[:, k].astype(np.int64) for k in (0, 1))
        sample = int(np.sum((rows * columns)[:field]))
        cell = int(np.sum(((rows - 1) * (columns - 1))[:field]))
        shape = int(rows[field]), int(columns[field])

        def cells(values: Any) -> np.ndarray | None:
            count = (shape[0] - 1) * (shape[1] - 1)
            return (
                None if values is None else np.asarray(values[cell : cell + count]).reshape(shape[0] - 1, shape[1] - 1)
            )

        x0, y0, dx, dy, scale, offset = (float(x) for x in self.height_fields[field, 2:])
        return build_height_field(
            np.asarray(self.height_samples[sample:sample + shape[0] * shape[1]]).reshape(shape),
            x0=x0, y0=y0, dx=dx, dy=dy, scale=scale, offset=offset,
            holes=cells(self.height_holes), diagonals=cells(self.height_diagonals), thickness=thickness,
        )  # fmt: skip

    def _expect(self, name: str, values: Any, dtype: Any, shape: tuple[int, ...]) -> None:
        if values.dtype != dtype or values.shape != shape:
            raise ValueError(f"{self.folder}/{name}.npy: expected {np.dtype(dtype)} of shape {shape}")

    def _array(self, name: str, optional: bool = False) -> Any:
        path = self.folder / f"{name}.npy"
        if optional and not path.exists():
            return None
        return _mapped(path)

    def _check_shapes(self) -> None:
        """Frames, bodies and hulls are as many in every array."""
        bodies, frames = self.body_hull.shape[:1], self.position.shape[:1]
        wanted = {
            "hull_offsets": (self.hull_offsets, self.hull_offsets.shape[:1]),
            "hull_vertices": (self.hull_vertices, self.hull_vertices.shape[:1] + (3,)),
            "body_hull": (self.body_hull, bodies),
            "position": (self.position, frames + bodies + (3,)),
            "orientation": (self.orientation, frames + bodies + (4,)),
            "body_inverse_mass": (self.inverse_mass, bodies),
            "body_group": (self.group, bodies),
        }
        for name, (values, shape) in wanted.items():
            if values is not None and values.shape != shape:
                raise ValueError(f"{self.folder}/{name}.npy: expected the shape {shape}, it has {values.shape}")

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.position)

    def build_hulls(self, **options: Unpack[BuildOptions]) -> Hulls:
        """The hulls, half-spaces, compounds and surfaces of the scene, with its numbers. The options are of its
        hulls."""
        if self.hull_kind is None:
            if self.hull_radius is not None:
                options.setdefault("radius", self.hull_radius)
            return build_hulls(self.hull_vertices, self.hull_offsets, **options)
        radius = options.pop("radius", self.hull_radius)
        kinds = np.asarray(self.hull_kind)
        ends = [*(np.flatnonzero(np.diff(kinds)) + 1), len(kinds)]
        hulls = build_hulls(self.hull_vertices[:0], self.hull_offsets[:1] * 0)
        first, half_spaces, compounds, meshes, fields = 0, 0, 0, 0, 0
        for end in ends:
            if kinds[first] == _HALF_SPACE:
                planes = self.half_spaces[half_spaces : half_spaces + end - first]
                hulls = hulls.append(build_half_spaces(planes[:, :3], planes[:, 3]))
                half_spaces += end - first
            elif kinds[first] == _COMPOUND:
                offsets = self.compound_offsets[compounds : compounds + end - first + 1]
                hulls = build_compounds(hulls, self.child_position, self.child_orientation, self.child_hull, offsets)
                compounds += end - first
            elif kinds[first] in (_MESH, _FIELD):
                surfaces = []
                for kind in kinds[first:end]:
                    surfaces.append(self._surface(int(kind), meshes, fields))
                    meshes, fields = meshes + int(kind == _MESH), fields + int(kind == _FIELD)
                hulls = hulls.append(surface_set(surfaces))
            else:
                if radius is not None:
                    options["radius"] = radius[first:end] if np.ndim(radius) > 0 else radius
                own = self.hull_offsets[first : end + 1]
                hulls = hulls.append(build_hulls(self.hull_vertices, own, **options))
            first = end
        return hulls

    def pairs(self, frame: int) -> np.ndarray | None:
        """Stored candidate pairs of a frame (P, 2) between bodies that are there, or None if the scene has none: use a
        PairFinder."""
        if self._pairs is None:
            return None
        frame = range(len(self))[frame]
        pairs = self._pairs[self._pair_offsets[frame] : self._pair_offsets[frame + 1]]
        if self.active is None or len(pairs) == 0:
            return pairs
        if pairs.max() >= len(self.body_hull):
            raise ValueError(f"{self.folder}/pairs.npy: frame {frame} has a pair of bodies that cannot be")
        return pairs[self.active[frame][pairs].all(axis=1)]

    def poses(self, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """Positions (N, 3) and orientations (N, 4) of a frame, zeros for bodies that are not there."""
        position, orientation = self.position[frame], self.orientation[frame]
        if self.active is None:
            return position, orientation
        there = self.active[frame][:, None]
        return np.where(there, position, 0), np.where(there, orientation, 0)


class Contacts:
    """A contacts folder: ``contacts[frame]`` are the records of a frame; ``frames`` which there are.

    Plain frames are memory-mapped. Compressed ones (``collide --compress``) are unpacked into memory.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.header: dict[str, Any] = json.loads((self.folder / "contacts.json").read_text(encoding="utf-8"))
        self.frames = sorted(int(p.stem.removeprefix("frame_")) for p in self.folder.glob("frame_*.json"))

    def __len__(self) -> int:
        return len(self.frames)

    def __contains__(self, frame: object) -> bool:
        return frame in self.frames

    def __iter__(self) -> Iterator[int]:
        """The numbers of the frames, as of a dictionary."""
        return iter(self.frames)

    def __getitem__(self, frame: int) -> np.ndarray:
        if frame not in self.frames:
            raise KeyError(f"{self.folder} has no finished frame {frame}")
        settings = self.header["settings"]
        path = self.folder / f"frame_{frame:06d}{_SUFFIXES[settings.get('compression')]}"
        if path.suffix == ".npy":
            return _mapped(path).view(manifold_type(settings["capacity"]))
        return read_records(str(path), settings["capacity"]).view(manifold_type(settings["capacity"]))

    def summary(self, frame: int) -> dict[str, Any]:
        """Counts and hash of a frame, as the program wrote them."""
        return json.loads((self.folder / f"frame_{frame:06d}.json").read_text(encoding="utf-8"))
