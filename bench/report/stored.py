# SPDX-License-Identifier: MIT
#
# Files of results: text, compressed by xz where the name ends with .xz, as in bench/results.
"""Reads and writes the files of bench/results. The same text gives the same bytes."""
import lzma
import pathlib


def read(path):
    """The text of a file. Raises OSError or ValueError."""
    path = pathlib.Path(path)
    if path.suffix != ".xz":
        return path.read_text(encoding="utf-8")
    try:
        return lzma.decompress(path.read_bytes()).decode()
    except lzma.LZMAError as error:
        raise ValueError(str(error)) from error


def write(path, text):
    path = pathlib.Path(path)
    data = text.encode()
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME) if path.suffix == ".xz" else data)


def with_suffix(path, suffix):
    """The file of another kind beside NAME.json or NAME.json.xz."""
    path = pathlib.Path(path)
    return path.with_name(path.name.removesuffix(".xz").removesuffix(".json") + suffix)
