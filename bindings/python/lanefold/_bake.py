# SPDX-License-Identifier: MIT
"""Contacts folders from Python: the files of ``lanefold collide``, byte for byte (docs/formats.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from ._calls import Result, collide_compact, hash_records
from ._checks import check_header, check_scene
from ._files import Contacts, Scene, read_records, records_content, records_suffix
from ._native import MOST_FRAMES_IN_WINDOW
from ._pairs import WindowFinder
from ._publish import publish, remove_stale
from ._records import KINDS, STATUSES, as_bytes, manifold_type

# A header is as long as the longest one: the program writes it again when the number is known.
_MOST_RECORDS = 2**64 - 2
# As the program's: | |q|^2 - 1 | of a unit quaternion.
_QUATERNION_TOLERANCE = 1e-3
# Number, positions, orientations and pairs of a frame.
_Input = tuple[int, np.ndarray, np.ndarray, np.ndarray]

_CHOICES = {
    "method": ("clip", "patch"),
    "points": ("all", "impact"),
    "compress": (None, "fast", "small", "zstd"),
    "sync": ("frame", "none"),
}
# Options::patch_band, which contacts.json records with its method.
_PATCH_BAND = 0.01


def _hash_text(value: int) -> str:
    return f"{value:016x}"


def _hash_of(*arrays: np.ndarray) -> int:
    """XXH64 of the bytes of each array, seeded with that of the one before."""
    value = 0
    for array in arrays:
        value = _native.xxh64(as_bytes(np.ascontiguousarray(array)), value)
    return value


def _content_text(records: np.ndarray) -> str:
    return "xxh3-" + _hash_text(_native.xxh3(as_bytes(np.ascontiguousarray(records))))


def _decimal(value: float) -> float:
    """The number whose shortest spelling is that of the float32."""
    return float(str(np.float32(value)))


def _json(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _header(dtype: np.dtype, records: int) -> bytes:
    """A .npy header of the length that any number of records needs."""

    def text(count: int) -> str:
        return f"{{'descr': {dtype.descr!r}, 'fortran_order': False, 'shape': ({count},), }}"

    total = (10 + len(text(_MOST_RECORDS)) + 1 + 63) // 64 * 64
    body = text(records).ljust(total - 11) + "\n"
    return b"\x93NUMPY\x01\x00" + len(body).to_bytes(2, "little") + body.encode()


class Bake:
    """The bake of a scene into a contacts folder: the same bytes as ``lanefold collide SCENE -o CONTACTS``.

    Each frame appears whole or not at all, so processes may share the folder, be killed, and begin again. A Bake can be
    pickled: it is opened again where it arrives. margin, face_preference, capacity, method and points as in
    :func:`lanefold.collide`; find_pairs: find the candidate pairs even if the scene has some stored; threads of this
    process, 0: all. select: "overlapping", or a depth in the scene's unit: keep only the records of pairs that are
    deeper, and of those that could not be computed. compress: "fast", "small" or "zstd" (docs/formats.md), which need
    Python 3.14 or the package ``zstandard``; unpacked the frames are those of the program, packed they may differ by
    the release of zstd and the cut of large frames. sync:
    "frame", or "none": do not wait for the disk; when the power goes finished frames may be torn, which
    ``lanefold info --check`` finds.

    Raises ValueError when the folder holds contacts of another scene or of other settings, and for a scene that the
    program refuses, with file and value.
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
        # Records of pairs with distance < -depth are kept; None: all.
        self._depth = None if select is None else np.float32(0 if select == "overlapping" else select)
        if self._depth is not None and not (np.isfinite(self._depth) and self._depth >= 0):
            raise ValueError(f"select is {select!r}, expected 'overlapping' or a depth >= 0")
        for name in ("margin", "face_preference"):
            if not (np.isfinite(np.float32(self._options[name])) and self._options[name] >= 0):
                raise ValueError(f"{name} is {self._options[name]}, expected a number >= 0")
        self._dtype = manifold_type(capacity)
        check_header(Path(scene) / "scene.json")
        self.scene = Scene(scene)
        check_scene(self.scene)
        self.folder = Path(contacts)
        self._finds = find_pairs or self.scene.pairs(0) is None
        stored = self.scene.header.get("pairs_margin")
        if not self._finds and stored is not None and np.float32(margin) > np.float32(stored):
            raise ValueError(
                f"{scene}: the stored pairs were collected for margin {stored}, but margin is {margin};"
                " find_pairs=True finds them again"
            )
        self._hulls = self.scene.build_hulls()
        self._open()

    def __reduce__(self) -> Any:
        return _reopen, (self._arguments, self._options)

    def _description(self) -> bytes:
        scene = self.scene
        inputs = {
            "unit": scene.header.get("unit", "m"),
            "frames": len(scene),
            "bodies": len(scene.body_hull),
            "hulls": len(scene.hull_offsets) - 1,
            "positions": "float64" if scene.position.dtype == np.float64 else "float32",
            "hull_fingerprint": _hash_text(self._hulls.fingerprint),
            "body_hull": _hash_text(_hash_of(scene.body_hull)),
        }
        if self._finds:
            for name, array in (("body_inverse_mass", scene.inverse_mass), ("body_group", scene.group)):
                if array is not None and len(array):
                    inputs[name] = _hash_text(_hash_of(array))
        settings = {
            "margin": _decimal(self._options["margin"]),
            "face_preference": _decimal(self._options["face_preference"]),
            "capacity": self._options["capacity"],
            "method": self._options["method"],
            "points": self._options["points"],
        }
        if self._options["method"] == "patch":
            settings["band"] = _decimal(_PATCH_BAND)
        settings["pairs"] = "found" if self._finds else "stored"
        if self._depth is not None:
            settings["deeper_than"] = _decimal(self._depth)
        if self._options["compress"]:
            settings["compression"] = self._options["compress"]
        version = 1 if self._depth is None else 2
        version = {None: version, "zstd": 2}.get(self._options["compress"], 3)
        return _json({"format": "lanefold-contacts", "version": version, "inputs": inputs, "settings": settings})

    def _open(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        remove_stale(self.folder)
        description = self._description()
        path = self.folder / "contacts.json"
        if not path.exists():
            strangers = [p.name for p in self.folder.iterdir() if not p.name.startswith(".") and p.name != "log"]
            if strangers and not path.exists():
                raise ValueError(f"{self.folder} holds {strangers[0]} but no contacts.json; choose another folder")
            if publish(path, description, exclusive=True):
                return
        there = path.read_bytes()
        if there == description:
            return
        old, new = json.loads(there), json.loads(description)
        for part in ("settings", "inputs"):
            for key in {**old[part], **new[part]}:
                if old[part].get(key) != new[part].get(key):
                    raise ValueError(f"{path} was made with {key} {old[part].get(key)}, not {new[part].get(key)}")
        raise ValueError(f"{path} was made by another version or edited; choose another folder")

    def shards(self, count: int) -> list[list[int]]:
        """All frames in runs of successive ones, each of about equal numbers of stored pairs."""
        frames = len(self.scene)
        offsets = np.arange(frames + 1) if self._finds else self.scene._pair_offsets
        pairs = np.diff(np.asarray(offsets, np.float64)) + 1.0
        ends = np.searchsorted(np.cumsum(pairs), pairs.sum() * np.arange(1, count) / count, side="left")
        return [part.tolist() for part in np.split(np.arange(frames), ends)]

    def make(self, frames: Iterable[int] | None = None) -> list[int]:
        """Computes those of the frames (all) that are not there or not whole. Returns their numbers.

        Where pairs are found, up to 16 numbers are taken from ``frames`` before the first of them is made.
        """
        if isinstance(frames, str):
            raise TypeError(f"frames are numbers, such as range(0, 3), not the text {frames!r}")
        numbers = (int(frame) for frame in (range(len(self.scene)) if frames is None else frames))
        inputs = self._found(numbers) if self._finds else self._stored(numbers)
        return [frame for frame, *arrays in inputs if self._make_frame(frame, *arrays)]

    def _stored(self, frames: Iterator[int]) -> Iterator[_Input]:
        """Frames with the pairs that the scene has."""
        for frame in frames:
            position, orientation = self._poses(frame)
            pairs = np.array(self.scene.pairs(frame))
            if len(pairs) and (pairs.max() >= len(position) or (pairs[:, 0] == pairs[:, 1]).any()):
                raise ValueError(f"{self.scene.folder}/pairs.npy: frame {frame} has a pair of bodies that cannot be")
            yield frame, position, orientation, pairs

    def _found(self, frames: Iterator[int]) -> Iterator[_Input]:
        """Frames with the pairs that a search finds: one for many. A frame that is wrong comes after those before."""
        finder = WindowFinder()  # of this call: others may run on other threads
        while True:
            window, failure = [], None
            try:
                for frame in islice(frames, MOST_FRAMES_IN_WINDOW):
                    window.append((frame, *self._poses(frame)))
            except Exception as error:
                failure = error  # raised below, when the frames before it are made
            found = finder.find(
                self._hulls,
                [poses for _, *poses in window],
                self.scene.body_hull,
                margin=self._options["margin"],
                inverse_mass=self.scene.inverse_mass,
                group=self.scene.group,
                threads=self._options["threads"],
            )
            for (frame, position, orientation), pairs in zip(window, found, strict=True):
                yield frame, position, orientation, pairs
            if failure is not None:
                raise failure
            if not window:
                return

    def _poses(self, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """Poses of a frame, checked as the program checks them."""
        if not 0 <= frame < len(self.scene):
            raise IndexError(f"{self.scene.folder}: there is no frame {frame} (frames: {len(self.scene)})")
        position, orientation = (np.array(part) for part in self.scene.poses(frame))
        if not np.isfinite(position).all():
            body = int(np.argwhere(~np.isfinite(position))[0, 0])
            raise ValueError(f"{self.scene.folder}/position.npy: frame {frame}, body {body} is not finite")
        off = ~(np.abs((orientation.astype(np.float64) ** 2).sum(axis=1) - 1) <= _QUATERNION_TOLERANCE)
        if self.scene.active is not None:
            off &= self.scene.active[frame]
        if off.any():
            body = int(np.argmax(off))
            raise ValueError(f"{self.scene.folder}/orientation.npy: frame {frame}, body {body} has no unit quaternion")
        return position, orientation

    def _path(self, frame: int) -> Path:
        return self.folder / f"frame_{frame:06d}{records_suffix(self._options['compress'])}"

    def _is_whole(self, frame: int, source: str) -> bool:
        """The frame is there, was made from this, and its records have the checksum of its summary."""
        try:
            summary = Contacts.summary(self, frame)  # type: ignore[arg-type]
            if summary["input"] != source or summary["frame"] != frame:
                return False
            records = read_records(self._path(frame), mmap_mode="r")
            return records.dtype == self._dtype and _content_text(records) == summary["content"]
        except (OSError, ValueError, KeyError):
            return False  # a damaged frame counts as absent

    def _make_frame(self, frame: int, position: np.ndarray, orientation: np.ndarray, pairs: np.ndarray) -> bool:
        empty = np.empty(0, np.uint8)
        single = position.dtype == np.float32
        # Positions of float32 and of float64 are hashed one after the other; one of them is empty.
        source = _hash_text(_hash_of(position if single else empty, empty if single else position, orientation, pairs))
        if self._is_whole(frame, source):
            return False
        names = ("margin", "face_preference", "capacity", "method", "points", "threads")
        options = {name: self._options[name] for name in names}
        records, result = collide_compact(
            self._hulls, position, orientation, self.scene.body_hull, pairs, **options
        )
        left_out = None
        if self._depth is not None:
            computed = len(records)
            records = records[(records["status"] != 0) | (records["distance"] < -self._depth)]
            result = _result_of(records, len(pairs))
            left_out = computed - len(records)
        summary = self._summary(frame, records, result, source, left_out)
        path = self.folder / f"frame_{frame:06d}.json"
        # A frame that another process finished stays finished; another summary must not vouch for new records.
        stands = path.exists() and path.read_bytes() == summary
        if not stands:
            path.unlink(missing_ok=True)
        synced = self._options["sync"] == "frame"
        content = records_content(_header(self._dtype, len(records)), records, self._options["compress"])
        publish(self._path(frame), *content, synced=synced)
        if not stands:
            publish(path, summary, synced=synced)
        return True

    def _summary(
        self, frame: int, records: np.ndarray, result: Result, source: str, left_out: int | None
    ) -> bytes:
        selection = {} if left_out is None else {"left_out": left_out}
        return _json(
            {
                "frame": frame,
                "pairs": result.pairs,
                "touching": result.touching,
                "overlapping": result.overlapping,
                "points": result.points,
                "records": len(records),
                **selection,
                "status": result.by_status,
                "kind": result.by_kind,
                "input": source,
                "hash": result.hash,
                "content": _content_text(records),
            }
        )


def _result_of(records: np.ndarray, pairs: int) -> Result:
    """The sums of a call that gives just these records of its pairs."""
    status = np.bincount(records["status"], minlength=len(STATUSES)).tolist()
    kind = np.bincount(records["kind"], minlength=len(KINDS)).tolist()
    kind[0] += pairs - len(records)
    status[0] = pairs - sum(status[1:])
    touching = records[records["status"] == 0]
    return Result(
        pairs=pairs,
        touching=len(touching),
        overlapping=int((touching["distance"] < 0).sum()),
        points=int(touching["count"].sum()),
        hash=hash_records(records),
        by_status=dict(zip(STATUSES, status, strict=True)),
        by_kind=dict(zip(KINDS, kind, strict=True)),
    )


def _reopen(arguments: tuple[str, str], options: dict[str, Any]) -> Bake:
    return Bake(*arguments, **options)
