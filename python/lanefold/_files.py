# SPDX-License-Identifier: MIT
"""Scene and contacts folders (docs/formats.md), memory-mapped."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from ._hulls import build_hulls
from ._native import Hulls


def _open_zstd(path: Path) -> io.BytesIO:
    """The content of a row of Zstandard frames."""
    packed = path.read_bytes()
    try:
        from compression import zstd  # Python 3.14
    except ImportError:
        try:
            import zstandard
        except ImportError:
            raise ImportError(
                f"{path} is compressed: install the package zstandard, or run lanefold unpack"
            ) from None
        reader = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
        return io.BytesIO(reader.read())
    return io.BytesIO(zstd.decompress(packed))


class Scene:
    """A scene folder. Arrays are memory-mapped: position (T, N, 3), orientation (T, N, 4), body_hull (N,),
    hull_vertices and hull_offsets. inverse_mass and group are arrays or None."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.header: dict[str, Any] = json.loads((self.folder / "scene.json").read_text(encoding="utf-8"))
        if self.header.get("format") != "lanefold-scene" or self.header.get("version") != 1:
            raise ValueError(f"{self.folder}: not a lanefold-scene of version 1")
        self.hull_offsets = self._array("hull_offsets")
        self.hull_vertices = self._array("hull_vertices")
        self.body_hull = self._array("body_hull")
        self.position = self._array("position")
        self.orientation = self._array("orientation")
        self.inverse_mass = self._array("body_inverse_mass", optional=True)
        self.group = self._array("body_group", optional=True)
        self._pair_offsets = self._array("pair_offsets", optional=True)
        self._pairs = self._array("pairs", optional=True)

    def _array(self, name: str, optional: bool = False) -> Any:
        path = self.folder / f"{name}.npy"
        if optional and not path.exists():
            return None
        return np.load(path, mmap_mode="r")

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.position)

    def build_hulls(self, **options: Any) -> Hulls:
        return build_hulls(self.hull_vertices, self.hull_offsets, **options)  # type: ignore[return-value]

    def pairs(self, frame: int) -> np.ndarray | None:
        """Stored candidate pairs of a frame (P, 2), or None if the scene has none: use a PairFinder."""
        if self._pairs is None:
            return None
        return self._pairs[self._pair_offsets[frame] : self._pair_offsets[frame + 1]]


class Contacts:
    """A contacts folder: ``contacts[frame]`` are the records of a frame; ``frames`` which there are.

    Plain frames are memory-mapped. Compressed ones (``collide --compress zstd``) are unpacked into memory, which needs
    Python 3.14 or the package ``zstandard``.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.header: dict[str, Any] = json.loads((self.folder / "contacts.json").read_text(encoding="utf-8"))
        self.frames = sorted(int(p.stem.removeprefix("frame_")) for p in self.folder.glob("frame_*.json"))

    def __len__(self) -> int:
        return len(self.frames)

    def __getitem__(self, frame: int) -> np.ndarray:
        if frame not in self.frames:
            raise KeyError(f"{self.folder} has no finished frame {frame}")
        path = self.folder / f"frame_{frame:06d}.npy"
        if self.header["settings"].get("compression") != "zstd":
            return np.load(path, mmap_mode="r")
        with _open_zstd(path.with_suffix(".npy.zst")) as file:
            return np.load(file)

    def summary(self, frame: int) -> dict[str, Any]:
        """Counts and hash of a frame, as the program wrote them."""
        return json.loads((self.folder / f"frame_{frame:06d}.json").read_text(encoding="utf-8"))
