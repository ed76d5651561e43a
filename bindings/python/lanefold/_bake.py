# SPDX-License-Identifier: MIT
"""Contacts folders from Python: the bake of ``lanefold collide`` (docs/formats.md)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ._files import Scene
from ._native import NativeBake
from ._records import manifold_type

_CHOICES = {
    "method": ("clip", "patch"),
    "points": ("all", "impact"),
    "compress": (None, "fast", "small", "zstd"),
    "sync": ("frame", "none"),
}


class Bake:
    """The bake of a scene into a contacts folder: the same bytes as ``lanefold collide SCENE -o CONTACTS``.

    Each frame appears whole or not at all, so processes may share the folder, be killed, and begin again. A Bake can be
    pickled: it is opened again where it arrives. margin, face_preference, capacity, method and points as in
    :func:`lanefold.collide`; find_pairs: find the candidate pairs even if the scene has some stored; threads of this
    process, 0: all. select: "overlapping", or a depth in the scene's unit: keep only the records of pairs that are
    deeper, and of those that could not be computed. compress: "fast", "small" or "zstd" (docs/formats.md). sync:
    "frame", or "none": do not wait for the disk; when the power goes finished frames may be torn, which
    ``lanefold info --check`` finds.

    Raises ValueError when the folder holds contacts of another scene or of other settings, and for a scene that the
    program refuses, with file and value, in the words of the program. Warns where the program does.
    """

    def __init__(
        self,
        scene: str | Path,
        contacts: str | Path,
        *,
        margin: float = 0.0,
        face_preference: float = 0.005,
        capacity: int = 4,
        method: str = "clip",
        points: str = "all",
        find_pairs: bool = False,
        threads: int = 1,
        select: str | float | None = None,
        compress: str | None = None,
        sync: str = "frame",
    ) -> None:
        self._arguments = (str(scene), str(contacts))
        self._options = {
            "margin": margin,
            "face_preference": face_preference,
            "capacity": capacity,
            "method": method,
            "points": points,
            "find_pairs": find_pairs,
            "threads": threads,
            "select": select,
            "compress": compress,
            "sync": sync,
        }
        for name, choices in _CHOICES.items():
            if self._options[name] not in choices:
                raise ValueError(f"{name} is {self._options[name]!r}, expected one of {choices}")
        depth = None if select is None else np.float32(0 if select == "overlapping" else select)
        if depth is not None and not (np.isfinite(depth) and depth >= 0):
            raise ValueError(f"select is {select!r}, expected 'overlapping' or a depth >= 0")
        for name in ("margin", "face_preference"):
            if not (np.isfinite(np.float32(self._options[name])) and self._options[name] >= 0):
                raise ValueError(f"{name} is {self._options[name]}, expected a number >= 0")
        manifold_type(capacity)  # refuses others
        changed = {"select": depth, "compress": compress or "none", "find_pairs": bool(find_pairs)}
        self._native = NativeBake(*self._arguments, self._options | changed)
        if self._native.note:
            warnings.warn(self._native.note, stacklevel=2)
        self.scene = Scene(scene)
        self.folder = Path(contacts)

    def __reduce__(self) -> Any:
        return _reopen, (self._arguments, self._options)

    def shards(self, count: int) -> list[list[int]]:
        """All frames in runs of successive ones, each of about equal cost: those of ``collide --shard``."""
        if count < 1:
            raise ValueError(f"count is {count}, expected a number >= 1")
        return self._native.shards(count)

    def make(
        self, frames: Iterable[int] | None = None, *, progress: Callable[[int, bool], Any] | None = None
    ) -> list[int]:
        """Computes those of the frames (all) that are not there or not whole. Returns their numbers.

        Some numbers are taken from ``frames`` before the first of them is made. ``progress(frame, made)`` is called for
        each frame when it is there; made: it was not before. The interpreter lock is released meanwhile. An exception
        of ``frames`` comes when the frames before it are made; one of ``progress``, and KeyboardInterrupt, stops the
        bake: finished frames stay.
        """
        if isinstance(frames, str):
            raise TypeError(f"frames are numbers, such as range(0, 3), not the text {frames!r}")
        return self._native.make(self._numbers(range(len(self.scene)) if frames is None else frames), progress)

    def _numbers(self, frames: Iterable[int]) -> Iterator[int]:
        for frame in map(int, frames):
            if not 0 <= frame < len(self.scene):
                raise IndexError(f"{self.scene.folder}: there is no frame {frame} (frames: {len(self.scene)})")
            yield frame


def _reopen(arguments: tuple[str, str], options: dict[str, Any]) -> Bake:
    return Bake(*arguments, **options)
