# SPDX-License-Identifier: MIT
"""Files of planes: frame_NNNNNN.planes (docs/formats.md). Piece by piece, so that memory is that of the records."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from . import _native
from ._records import as_bytes, manifold_type

# skippable frame, its size, magic, version, capacity, records, pieces, bytes of the file; XXH3 of all that
_FILE = struct.Struct("<II8sIIQQQ")
# skippable frame, its size, records, bytes of a head, points, bytes of the frame behind it, what these unpack to, XXH3
# of the frame; XXH3 of all that
_PIECE = struct.Struct("<IIIIIIQQ")
_SKIPPED = 0x184D2A50
_MAGIC = b"lfplanes"
_VERSION = 2
_SUM = 8
_HEAD = 48
_POINT = 20
_PIECE_RECORDS = 1 << 17


def _hash(data: bytes) -> int:
    return _native.xxh3(np.frombuffer(data, np.uint8) if data else np.empty(0, np.uint8))


def _sum(data: bytes) -> bytes:
    return _hash(data).to_bytes(_SUM, "little")


def _read_head(file: BinaryIO, path: Path, form: struct.Struct) -> tuple[Any, ...]:
    data = file.read(form.size + _SUM)
    if len(data) < form.size + _SUM:
        raise ValueError(f"{path} is truncated")
    fields = form.unpack_from(data)
    if fields[:2] != (_SKIPPED, len(data) - 8) or data[form.size :] != _sum(data[: form.size]):
        raise ValueError(f"{path} is damaged: a head has a wrong checksum")
    return fields[2:]


def _shapes(file: BinaryIO, path: Path) -> tuple[int, list[tuple[int, int, int, int, int, int]]]:
    """The capacity, and of each piece: records, bytes of a head, points, place of its frame, bytes and sum of it."""
    size = path.stat().st_size
    magic, version, capacity, records, count, end = _read_head(file, path, _FILE)
    if magic != _MAGIC or version != _VERSION or capacity not in (4, 16):
        raise ValueError(f"{path} is no file of planes of version {_VERSION}")
    if size != end:
        raise ValueError(f"{path} has {size} bytes, its head says {end}")
    record = manifold_type(capacity).itemsize
    pieces = []
    for _ in range(count):
        own, head, points, packed, unpacked, content = _read_head(file, path, _PIECE)
        possible = points == 0 if head == record else head == _HEAD and points <= own * capacity
        if not (0 < own <= _PIECE_RECORDS and possible and unpacked == own * head + points * _POINT):
            raise ValueError(f"{path} is damaged: a piece of {own} records with {points} points cannot be")
        pieces.append((own, head, points, file.tell(), packed, content))
        if file.seek(packed, 1) > size:
            raise ValueError(f"{path} is truncated")
    if file.tell() != size or sum(piece[0] for piece in pieces) != records:
        raise ValueError(f"{path} is damaged: its pieces are not what its head says")
    return capacity, pieces


def _rows(planes: np.ndarray, count: int, width: int) -> np.ndarray:
    return planes.reshape(width, count).T


def _unpack(planes: np.ndarray, out: np.ndarray, head: int, points: int) -> bool:
    """Planes into the records ``out``, which are zeros. False if the points are not as many as the records say."""
    count, width = len(out), out.dtype.itemsize
    rows = out.view(np.uint8).reshape(count, width)
    rows[:, :head] = _rows(planes[: count * head], count, head)
    if head == width:
        return True
    capacity = out.dtype["points"].shape[0]
    used = np.arange(capacity) < out["count"][:, None]
    if out["count"].max() > capacity or np.count_nonzero(used) != points:
        return False
    stored = np.ascontiguousarray(_rows(planes[count * head :], points, _POINT))
    out["points"][used] = stored.view(out.dtype["points"].base).reshape(-1)
    return True


def read(path: Path, decompress: Callable[[bytes, int], bytes]) -> np.ndarray:
    """The records of a file. decompress: a Zstandard frame, which has so many bytes."""
    with path.open("rb") as file:
        capacity, pieces = _shapes(file, path)
        records = np.zeros(sum(piece[0] for piece in pieces), manifold_type(capacity))
        begin = 0
        for own, head, points, place, packed, content in pieces:
            file.seek(place)
            frame = file.read(packed)
            if _hash(frame) != content:
                raise ValueError(f"{path} is damaged: a piece has a wrong checksum")
            planes = decompress(frame, own * head + points * _POINT)
            whole = len(planes) == own * head + points * _POINT
            out = records[begin : begin + own]
            if not whole or not _unpack(np.frombuffer(planes, np.uint8), out, head, points):
                raise ValueError(f"{path} is damaged: a piece is not what its head says")
            begin += own
    return records


def _pack(records: np.ndarray) -> tuple[int, int, bytes]:
    """Bytes of a head, number of points, and planes of records: trimmed if that loses nothing."""
    count, width = len(records), records.dtype.itemsize
    rows = as_bytes(records).reshape(count, width)
    capacity = records.dtype["points"].shape[0]
    used = np.arange(capacity) < records["count"][:, None]
    of_points = rows[:, _HEAD : _HEAD + capacity * _POINT].reshape(count, capacity, _POINT)
    padding = rows[:, _HEAD + capacity * _POINT :]
    if records["count"].max() > capacity or padding.any() or of_points[~used].any():
        return width, 0, rows.T.tobytes()
    points = of_points[used]
    return _HEAD, len(points), rows[:, :_HEAD].T.tobytes() + points.T.tobytes()


def content(records: np.ndarray, compress: Callable[[bytes], bytes], most: int) -> Iterator[bytes]:
    """The parts of a file of these records, at most so many in a piece."""
    pieces = []
    for begin in range(0, len(records), most):
        own = records[begin : begin + most]
        head, points, planes = _pack(own)
        frame = compress(planes)
        fields = _PIECE.pack(
            _SKIPPED, _PIECE.size, len(own), head, points, len(frame), len(planes), _hash(frame)
        )
        pieces += [fields, _sum(fields), frame]
    size = _FILE.size + _SUM + sum(map(len, pieces))
    capacity = records.dtype["points"].shape[0]
    count = len(pieces) // 3
    fields = _FILE.pack(_SKIPPED, _FILE.size, _MAGIC, _VERSION, capacity, len(records), count, size)
    yield from (fields, _sum(fields), *pieces)
