# SPDX-License-Identifier: MIT
"""Zstandard, by Python 3.14 or by the package ``zstandard``. Raises ImportError where there is neither."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Damage(ValueError):
    """Bytes that do not unpack."""


def _standard() -> Any:
    """The module of Python 3.14, or None."""
    try:
        from compression import zstd
    except ImportError:
        return None
    return zstd


def unpack(packed: bytes) -> bytes:
    """The content of a row of frames."""
    if zstd := _standard():
        try:
            return zstd.decompress(packed)
        except zstd.ZstdError as error:
            raise Damage(error) from None
    import zstandard

    try:
        return zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True).read()
    except zstandard.ZstdError as error:
        raise Damage(error) from None


def unpack_frame(packed: bytes, size: int) -> bytes:
    """The content of one frame, which has so many bytes; more are not unpacked."""
    if zstd := _standard():
        try:
            decompressor = zstd.ZstdDecompressor()
            out = decompressor.decompress(packed, max_length=size + 1)
            if not decompressor.eof or decompressor.unused_data:
                raise Damage("it is not one frame of the size that its head says")
            return out
        except zstd.ZstdError as error:
            raise Damage(error) from None
    import zstandard

    try:
        if zstandard.frame_content_size(packed) != size:
            raise Damage("it is not one frame of the size that its head says")
        decompressor = zstandard.ZstdDecompressor().decompressobj()
        out = decompressor.decompress(packed)
        if not decompressor.eof or decompressor.unused_data:
            raise Damage("it is not one frame of the size that its head says")
        return out
    except zstandard.ZstdError as error:
        raise Damage(error) from None


def compressor(level: int, *, checksum: bool) -> Callable[[bytes], bytes]:
    """Makes frames with the content's size, and with a checksum of it or without."""
    if zstd := _standard():
        parameter = zstd.CompressionParameter
        options = {parameter.compression_level: level, parameter.checksum_flag: int(checksum)}
        return lambda content: zstd.compress(content, options=options)
    import zstandard

    return zstandard.ZstdCompressor(level=level, write_checksum=checksum, write_content_size=True).compress
