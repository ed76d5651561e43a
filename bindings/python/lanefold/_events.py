# SPDX-License-Identifier: MIT
"""Events folders (docs/events.md): where contacts begin and end, how fast and how hard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

#: The bits of ``Events.flags``.
EVENT_FLAGS = {"touched_before": 1, "lasts": 2, "between": 4, "cut": 8, "bounce": 16}

_COLUMNS = {
    "begin": (np.float64, ()), "end": (np.float64, ()), "place": (np.float64, (3,)), "normal": (np.float32, (3,)),
    "closing_speed": (np.float32, ()), "sliding_speed": (np.float32, ()), "impulse": (np.float32, ()),
    "impulse_peak": (np.float32, ()), "impulse_sum": (np.float32, ()), "slip": (np.float32, ()),
    "pair": (np.uint32, (2,)), "group": (np.uint32, (2,)), "flags": (np.uint8, ()),
}  # fmt: skip


class Events:
    """An events folder of ``lanefold collide --events`` or ``lanefold simulate --events``. Columns are memory-mapped
    and have a row an event, ascending by begin: ``begin`` and ``end`` in frames and fractions, ``place`` (E, 3),
    ``normal`` (E, 3) from body a to b, ``closing_speed``, ``sliding_speed``, ``impulse``, ``impulse_peak``,
    ``impulse_sum``, ``slip``, ``pair`` (E, 2), ``group`` (E, 2) and ``flags`` (EVENT_FLAGS).

    ``settings`` are those that shaped them, ``rate`` the frames a second, ``impulses`` how impulses were found,
    ``names`` those of the bodies (None: they have none), ``movable`` (N,) of bool."""

    begin: np.ndarray
    end: np.ndarray
    place: np.ndarray
    normal: np.ndarray
    closing_speed: np.ndarray
    sliding_speed: np.ndarray
    impulse: np.ndarray
    impulse_peak: np.ndarray
    impulse_sum: np.ndarray
    slip: np.ndarray
    pair: np.ndarray
    group: np.ndarray
    flags: np.ndarray

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.header: dict[str, Any] = self._json("events.json")
        if self.header.get("format") != "lanefold-events" or self.header.get("version") != 1:
            raise ValueError(f"{self.folder}: not a lanefold-events of version 1")
        if not (self.folder / "events_summary.json").exists():
            raise ValueError(f"{self.folder}: the events are not joined yet: lanefold merge joins them")
        self.summary: dict[str, Any] = self._json("events_summary.json")
        self.settings: dict[str, Any] = self.header["settings"]
        self.rate = float(self.settings["rate"])
        self.impulses = str(self.settings["impulses"])
        bodies = self._json("bodies.json")
        self.names: list[str] | None = bodies.get("names")
        self.movable = np.array(bodies["movable"], bool)
        count = int(self.header["inputs"]["bodies"])
        if len(self.movable) != count or len(self.names or self.movable) != count:
            raise ValueError(f"{self.folder}/bodies.json: a list has not one element for each of the {count} bodies")
        for name, (dtype, shape) in _COLUMNS.items():
            column = np.load(self.folder / f"{name}.npy", mmap_mode="r")
            if column.dtype != dtype or column.shape != (len(self), *shape):
                raise ValueError(f"{self.folder}/{name}.npy: expected {np.dtype(dtype)} of {(len(self), *shape)}")
            setattr(self, name, column)
        if len(self) > 0 and int(self.pair.max()) >= count:
            raise ValueError(f"{self.folder}/pair.npy: an event has body {self.pair.max()}; there are {count}")

    def _json(self, name: str) -> dict[str, Any]:
        return dict(json.loads((self.folder / name).read_text(encoding="utf-8")))

    def __len__(self) -> int:
        """Number of events."""
        return int(self.summary["events"])

    def seconds(self) -> np.ndarray:
        """Begin and end of each event in seconds, (E, 2)."""
        return np.stack([self.begin, self.end], axis=1) / self.rate

    def has(self, flag: str) -> np.ndarray:
        """Which events have a flag of EVENT_FLAGS, (E,) of bool."""
        if flag not in EVENT_FLAGS:
            raise ValueError(f"flag must be one of {', '.join(EVENT_FLAGS)}, it is {flag!r}")
        return (self.flags & EVENT_FLAGS[flag]) != 0
