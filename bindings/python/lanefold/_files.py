# SPDX-License-Identifier: MIT
"""Scene and contacts folders (docs/formats.md), memory-mapped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._hulls import build_hulls
from ._native import Hulls, read_records
from ._records import manifold_type

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import BuildOptions

_VERSION_2_KEYS = {
    "format", "version", "unit", "pairs_margin", "first_frame", "frames_per_second", "up", "handedness",
}  # fmt: skip
# How the names of files of records end.
_SUFFIXES = {None: ".npy", "zstd": ".npy.zst", "fast": ".planes", "small": ".planes"}
_VERSION_2_FILES = ("names.json", "active.npy", "hull_kind.npy", "hull_radius.npy")


class Scene:
    """A scene folder, version 1 to 3. Arrays are memory-mapped: position (T, N, 3), orientation (T, N, 4), body_hull
    (N,), hull_vertices and hull_offsets. inverse_mass and group are arrays or None.

    From version 2 on, or their defaults: ``names`` of the bodies (None), ``active`` (T, N) bool, False where a body is
    not there (None: all are), ``first_frame``, the number that people give to frame 0 (0), ``frames_per_second``
    (None), ``up``, "x", "y" or "z" ("y"), ``handedness``, "right" or "left" ("right"). Of version 3: ``hull_radius``
    (H,), by which hulls are rounded (None: by nothing).

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
        self._pair_offsets = self._array("pair_offsets", optional=True)
        self._pairs = self._array("pairs", optional=True)
        self.names: list[str] | None = None
        self.active: np.ndarray | None = None
        self.hull_radius: np.ndarray | None = None
        self._read_version_2()

    def _read_version_2(self) -> None:
        header = self.header
        if header["version"] == 1:
            for name in _VERSION_2_FILES:
                if (self.folder / name).exists():
                    raise ValueError(f"{self.folder}: {name} needs version 2 in scene.json")
            header = {}
        elif unknown := set(header) - _VERSION_2_KEYS:
            raise ValueError(
                f"{self.folder}/scene.json: version {header['version']} has no key {sorted(unknown)[0]!r}"
            )
        self.first_frame = int(header.get("first_frame") or 0)
        self.frames_per_second: float | None = header.get("frames_per_second")
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
                raise ValueError(f"{self.folder}/{name}.npy: only zeros: convex hulls")
            if not np.all((values >= 0) & np.isfinite(values)):
                raise ValueError(f"{self.folder}/{name}.npy: a radius is negative or not finite")
            self.hull_radius = values

    def _array(self, name: str, optional: bool = False) -> Any:
        path = self.folder / f"{name}.npy"
        if optional and not path.exists():
            return None
        return np.load(path, mmap_mode="r")

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.position)

    def build_hulls(self, **options: Unpack[BuildOptions]) -> Hulls:
        if self.hull_radius is not None:
            options.setdefault("radius", self.hull_radius)
        return build_hulls(self.hull_vertices, self.hull_offsets, **options)

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
            return np.load(path, mmap_mode="r").view(manifold_type(settings["capacity"]))
        return read_records(str(path), settings["capacity"]).view(manifold_type(settings["capacity"]))

    def summary(self, frame: int) -> dict[str, Any]:
        """Counts and hash of a frame, as the program wrote them."""
        return json.loads((self.folder / f"frame_{frame:06d}.json").read_text(encoding="utf-8"))
