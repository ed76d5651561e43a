# SPDX-License-Identifier: MIT
"""lanefold as the narrowphase of MuJoCo's Python package, version 4.0 and newer.

    with Narrowphase(model, data):
        mujoco.mj_step(model, data)

Within the block lanefold computes the pairs of spheres, capsules, boxes and meshes of this `data`, through MuJoCo's
table mjCOLLISIONFUNC. All else stays MuJoCo's, and so does every other MjData. The library is made by ./dev mujoco, or
by CMakeLists.txt in this folder; LANEFOLD_MUJOCO names it where it lies elsewhere.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

try:
    import mujoco
except ImportError as missing:
    raise ImportError("examples/mujoco needs MuJoCo: pip install mujoco==4.0.0") from missing

KINDS = {"sphere": 1, "capsule": 2, "box": 4, "mesh": 8}
BUILT = Path(__file__).resolve().parents[2] / "build/release/examples/mujoco/liblanefold_mujoco.so"


class Counts(ctypes.Structure):
    """lanefold_mujoco_counts of lanefold_mujoco.h."""

    _fields_ = [(name, ctypes.c_uint64) for name in ("asked", "batched", "alone", "refused", "batches")]


def _library() -> ctypes.CDLL:
    path = os.environ.get("LANEFOLD_MUJOCO", BUILT)
    try:
        library = ctypes.CDLL(os.fspath(path))
    except OSError as error:
        raise ImportError(f"{path}: {error}; ./dev mujoco makes it") from error
    library.lanefold_mujoco_begin.restype = ctypes.c_void_p
    library.lanefold_mujoco_begin.argtypes = [ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p,
                                              ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_char_p)]
    library.lanefold_mujoco_end.argtypes = [ctypes.c_void_p]
    library.lanefold_mujoco_count.argtypes = [ctypes.c_void_p]
    library.lanefold_mujoco_count.restype = Counts
    return library


def _table() -> int:
    """The address of mjCOLLISIONFUNC in the library that the package has loaded."""
    loaded = sorted(Path(mujoco.__file__).parent.glob("libmujoco.so.*"))
    if not loaded:
        raise ImportError("this package of MuJoCo has no libmujoco.so beside it")
    return ctypes.addressof(ctypes.c_void_p.in_dll(ctypes.CDLL(os.fspath(loaded[0])), "mjCOLLISIONFUNC"))


class Narrowphase:
    """lanefold for the pairs of one MjData, from here until close() or the end of the block."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, kinds=tuple(KINDS), threads: int = 1):
        self._library = _library()
        self._kept = model, data  # they live as long as the library reads them
        what = ctypes.c_char_p()
        self._handle = self._library.lanefold_mujoco_begin(
            _table(), mujoco.mj_version(), model._address, data._address, sum(KINDS[k] for k in kinds), threads,
            ctypes.byref(what))
        if not self._handle:
            raise RuntimeError(what.value.decode())

    def counts(self) -> dict[str, int]:
        """How many pairs MuJoCo asked for, and how each was answered: lanefold_mujoco.h."""
        counts = self._library.lanefold_mujoco_count(self._handle)
        return {name: getattr(counts, name) for name, _ in Counts._fields_}

    def close(self) -> None:
        handle, self._handle = self._handle, None
        self._library.lanefold_mujoco_end(handle)

    def __enter__(self) -> Narrowphase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
