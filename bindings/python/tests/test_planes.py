# SPDX-License-Identifier: MIT
"""Records as planes (frame_NNNNNN.planes): any records come back, and a damaged file is refused by name."""

import numpy as np
import pytest

from lanefold import _planes, _zstd
from lanefold._records import manifold_type

pytest.importorskip("zstandard")


def random_records(count, capacity, seed):
    random = np.random.default_rng(seed)
    kind = manifold_type(capacity)
    rows = random.integers(0, 256, (count, kind.itemsize), np.uint8)
    records = rows.view(kind).reshape(count)
    records["count"] %= capacity + 1
    records["points"][np.arange(capacity) >= records["count"][:, None]] = np.zeros((), kind["points"].base)
    if capacity == 16:
        records["padding"] = 0
    return records


def there_and_back(path, records):
    path.write_bytes(b"".join(_planes.content(records, _zstd.compressor(-200, checksum=False), 3000)))
    back = _planes.read(path, _zstd.unpack_frame)
    assert back.dtype == records.dtype and back.tobytes() == records.tobytes()
    return _planes._pack(records)[0] if len(records) else None


@pytest.mark.parametrize("capacity", [4, 16])
def test_any_records_come_back(tmp_path, capacity):
    path = tmp_path / "frame_000000.planes"
    width = manifold_type(capacity).itemsize
    for count in (1, 17, 1000):
        records = random_records(count, capacity, count)
        assert there_and_back(path, records) == 48
        records["count"][count // 2] = capacity + 1
        assert there_and_back(path, records) == width
        records["count"][count // 2] = 0
        records["points"][count // 2] = np.zeros((), records.dtype["points"].base)
        assert there_and_back(path, records) == 48
        records.view(np.uint8).reshape(count, width)[count // 2, -1] = 7
        assert there_and_back(path, records) == width
    assert there_and_back(path, records[:0]) is None
    many = np.resize(random_records(500, capacity, 5), (1 << 17) + 300)
    there_and_back(path, many)


def test_damage_is_refused_by_name(tmp_path):
    path = tmp_path / "frame_000000.planes"
    whole = b"".join(_planes.content(random_records(20, 4, 1), _zstd.compressor(1, checksum=False), 12))
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 0x40
        for damaged in (whole[:at], bytes(changed)):
            path.write_bytes(damaged)
            with pytest.raises(ValueError, match="frame_000000.planes"):
                try:
                    _planes.read(path, _zstd.unpack_frame)
                except _zstd.Damage as error:
                    raise ValueError(f"{path} is damaged: {error}") from None
    path.write_bytes(whole + b"x")
    with pytest.raises(ValueError, match="frame_000000.planes"):
        _planes.read(path, _zstd.unpack_frame)
