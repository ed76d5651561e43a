# SPDX-License-Identifier: MIT
"""Refuses scenes that ``lanefold collide`` refuses, with file and value (baking/scene/info.cpp and io.cpp)."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

_MOST_FRAME_NUMBER = 10**9
_MOST_FRAMES_PER_SECOND = 1e6


def _is_number(value: Any, kinds: tuple[type, ...] = (int, float)) -> bool:
    """true and false are no numbers in JSON, but in Python."""
    return isinstance(value, kinds) and not isinstance(value, bool)


def check_header(path: Path) -> None:
    """Refuses values of scene.json. Which keys there may be is for Scene to say. A key of null counts as absent."""
    header = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(header, dict):
        raise ValueError(f"{path}: expected an object, not a {type(header).__name__}")

    def refuse_unless(key: str, right: bool, expected: str) -> None:
        if not right:
            raise ValueError(f'{path}: "{key}" is {json.dumps(header[key], ensure_ascii=False)}, expected {expected}')

    refuse_unless("version", not isinstance(header.get("version"), bool), "1 or 2")
    refuse_unless("unit", isinstance(header.get("unit", ""), str), "a string")
    if (margin := header.get("pairs_margin")) is not None:
        refuse_unless("pairs_margin", _is_number(margin) and 0 <= margin < math.inf, "a number >= 0")
    if header.get("version") != 2:
        return  # version 1 ignores the keys below
    if (first := header.get("first_frame")) is not None:
        whole = _is_number(first, (int,)) and abs(first) <= _MOST_FRAME_NUMBER
        refuse_unless("first_frame", whole, "a whole number up to 1e9")
    if (rate := header.get("frames_per_second")) is not None:
        right = _is_number(rate) and 0 < rate <= _MOST_FRAMES_PER_SECOND
        refuse_unless("frames_per_second", right, "a number above 0, up to 1e6")
    for key, words in (("up", ("x", "y", "z")), ("handedness", ("right", "left"))):
        refuse_unless(key, header.get(key) in (None, *words), " or ".join(words))


def _check_array(path: Path, array: np.ndarray, types: tuple[str, ...], shape: tuple[int | None, ...]) -> None:
    """None in ``shape``: any length."""
    if array.dtype not in [np.dtype(name) for name in types]:
        raise ValueError(f"{path}: element type is {array.dtype.str}, expected {' or '.join(types)}")
    if len(array.shape) != len(shape) or any(want not in (None, n) for n, want in zip(array.shape, shape)):
        wanted = ", ".join("any" if n is None else str(n) for n in shape)
        raise ValueError(f"{path}: shape is {array.shape}, expected ({wanted})")
    if not array.flags.c_contiguous:
        raise ValueError(f"{path}: stored in Fortran order, expected C order")


def _check_offsets(path: Path, offsets: np.ndarray, rows: int, of: str) -> None:
    if len(offsets) == 0 or offsets[0] != 0:
        raise ValueError(f"{path}: entry 0 is {offsets[0] if len(offsets) else 'missing'}, expected 0")
    falls = offsets[1:] < offsets[:-1]
    if falls.any():
        i = int(np.argmax(falls))
        raise ValueError(f"{path}: not ascending: entry {i + 1} is {offsets[i + 1]} after {offsets[i]}")
    if offsets[-1] != rows:
        raise ValueError(f"{path}: the last entry is {offsets[-1]}, but {of} has {rows} rows")


def _check_hulls_and_bodies(scene: Any) -> None:
    folder = scene.folder
    _check_array(folder / "hull_offsets.npy", scene.hull_offsets, ("<u8",), (None,))
    _check_array(folder / "hull_vertices.npy", scene.hull_vertices, ("<f4",), (None, 3))
    _check_offsets(folder / "hull_offsets.npy", scene.hull_offsets, len(scene.hull_vertices), "hull_vertices.npy")
    hulls = len(scene.hull_offsets) - 1
    _check_array(folder / "body_hull.npy", scene.body_hull, ("<u4",), (None,))
    wrong = scene.body_hull >= hulls
    if wrong.any():
        body = int(np.argmax(wrong))
        raise ValueError(
            f"{folder}/body_hull.npy: body {body} has hull {scene.body_hull[body]}, but there are {hulls} hulls"
        )
    bodies = len(scene.body_hull)
    if scene.group is not None:
        _check_array(folder / "body_group.npy", scene.group, ("<u4",), (bodies,))
    if scene.inverse_mass is None:
        return
    _check_array(folder / "body_inverse_mass.npy", scene.inverse_mass, ("<f4",), (bodies,))
    wrong = ~(np.isfinite(scene.inverse_mass) & (scene.inverse_mass >= 0))
    if wrong.any():
        body = int(np.argmax(wrong))
        raise ValueError(
            f"{folder}/body_inverse_mass.npy: body {body} has inverse mass {scene.inverse_mass[body]},"
            " expected a number >= 0"
        )


def _check_frames(scene: Any) -> None:
    folder, bodies, frames = scene.folder, len(scene.body_hull), len(scene)
    _check_array(folder / "position.npy", scene.position, ("<f4", "<f8"), (None, bodies, 3))
    _check_array(folder / "orientation.npy", scene.orientation, ("<f4",), (frames, bodies, 4))
    if frames == 0:
        raise ValueError(f"{folder}/position.npy: shape is {scene.position.shape}: the scene has no frames")
    offsets, pairs = scene._pair_offsets, scene._pairs
    if (offsets is None) != (pairs is None):
        missing, there = ("pairs", "pair_offsets") if pairs is None else ("pair_offsets", "pairs")
        raise ValueError(f"{folder}/{missing}.npy: missing, but {there}.npy is there; a scene has both or none")
    if pairs is None:
        return
    _check_array(folder / "pair_offsets.npy", offsets, ("<u8",), (frames + 1,))
    _check_array(folder / "pairs.npy", pairs, ("<u4",), (None, 2))
    _check_offsets(folder / "pair_offsets.npy", offsets, len(pairs), "pairs.npy")


def check_scene(scene: Any) -> None:
    """Refuses what does not depend on the frame. A Scene itself checks shapes and values of the files of version 2."""
    _check_hulls_and_bodies(scene)
    _check_frames(scene)
    for file, kind in (("hull_kind", "|u1"), ("hull_radius", "<f4")):
        if (values := scene._array(file, optional=True)) is not None:
            _check_array(scene.folder / f"{file}.npy", values, (kind,), (None,))
    known: set[str] = set()
    for body, name in enumerate(scene.names or []):
        if not isinstance(name, str) or not name:
            raise ValueError(f"{scene.folder}/names.json: the name of body {body} is {name!r}, expected a text")
        if name in known:
            raise ValueError(f"{scene.folder}/names.json: body {body} has the name {name!r} of another body")
        known.add(name)
