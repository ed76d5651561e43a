# SPDX-License-Identifier: MIT
"""Turns arguments into arrays that the native module can read, and its status into exceptions."""

from __future__ import annotations

from typing import Any

import numpy as np

CPU_DEVICES = (1, 3)  # DLPack: kDLCPU, kDLCUDAHost


class LanefoldError(ValueError):
    """A call was refused. ``code`` is the status, ``where`` the index of the refused element."""

    def __init__(self, code: int, what: str, where: int):
        super().__init__(f"{what} (at {where})" if where else what)
        self.code = code
        self.what = what
        self.where = where

    def __reduce__(self) -> tuple[type, tuple[int, str, int]]:
        return type(self), (self.code, self.what, self.where)


def check(status: dict[str, Any], allowed: tuple[int, ...] = (0,)) -> None:
    """Raises for every status that the caller does not handle itself."""
    code = status["code"]
    if code in allowed:
        return
    if code == 7:
        raise MemoryError(status["what"])
    raise LanefoldError(code, status["what"], status["where"])


def on_cpu(array: Any, name: str) -> Any:
    """A NumPy array of any library's array on the CPU, without a copy where DLPack allows it."""
    if isinstance(array, np.ndarray):
        return array
    if hasattr(array, "__dlpack_device__"):
        device, _ = array.__dlpack_device__()
        if int(device) not in CPU_DEVICES:
            raise TypeError(
                f"{name} is on a device (DLPack type {int(device)}); lanefold computes on the CPU: copy it there first"
            )
        try:
            return np.from_dlpack(array)
        except (BufferError, RuntimeError, TypeError):
            pass  # a type that NumPy cannot borrow
    return np.asarray(array)


def rows(array: Any, name: str, columns: int, types: tuple[type, ...]) -> np.ndarray:
    """(N, columns) of one of the types: the array itself if its rows are contiguous and ascend, otherwise a copy."""
    a = on_cpu(array, name)
    if a.ndim != 2 or a.shape[1] != columns:
        raise ValueError(f"{name} must have the shape (N, {columns}), it has {a.shape}")
    if a.dtype not in types or not a.dtype.isnative:
        if not (np.issubdtype(a.dtype, np.floating) or np.issubdtype(a.dtype, np.integer)):
            raise TypeError(f"{name} must hold numbers, it holds {a.dtype}")
        a = a.astype(types[-1] if np.dtype(types[-1]).kind == "f" and a.dtype.itemsize > 4 else types[0])
    size = a.dtype.itemsize
    in_place = a.shape[0] == 0 or (
        a.strides[1] == size and a.strides[0] > 0 and a.strides[0] % size == 0 and a.flags.aligned
    )
    return a if in_place else np.array(a, order="C")


def integers(array: Any, name: str, dtype: type) -> np.ndarray:
    """Converts whole numbers. Raises if one does not fit the type."""
    a = on_cpu(array, name)
    if a.dtype == dtype:
        return a
    if a.dtype.kind not in "iub" and a.size:
        raise TypeError(f"{name} must hold whole numbers, it holds {a.dtype}")
    limit = np.iinfo(dtype)
    if a.size and (int(a.min()) < limit.min or int(a.max()) > limit.max):
        raise ValueError(f"{name} has numbers outside of {np.dtype(dtype)}")
    return a.astype(dtype)


def ids(array: Any, name: str, count: int | None = None) -> np.ndarray:
    """(N,) of uint32, in place if the stride is a positive number of whole elements."""
    a = integers(array, name, np.uint32)
    if a.ndim != 1 or (count is not None and len(a) != count):
        raise ValueError(f"{name} must have the shape ({'N' if count is None else count},), it has {a.shape}")
    in_place = len(a) == 0 or (a.strides[0] > 0 and a.strides[0] % 4 == 0 and a.flags.aligned)
    return a if in_place else np.array(a, order="C")


def some_ids(array: Any, name: str) -> np.ndarray:
    """(N,) contiguous of uint32: of one number, of a list or of an array."""
    a = np.atleast_1d(on_cpu(array, name))
    return np.require(ids(a.astype(np.uint32) if a.size == 0 else a, name), np.uint32, ["C", "A"])


def flat(array: Any, name: str, dtype: type, count: int) -> np.ndarray | None:
    """None, or (count,) contiguous of the type."""
    if array is None:
        return None
    a = on_cpu(array, name) if np.dtype(dtype).kind == "f" else integers(array, name, dtype)
    if a.shape != (count,):
        raise ValueError(f"{name} must have the shape ({count},), it has {a.shape}")
    return np.require(a, dtype, ["C", "A"])


def pair_rows(array: Any) -> np.ndarray:
    """(P, 2) contiguous of uint32. An empty list, which has no columns, is no pairs."""
    a = integers(array, "pairs", np.uint32)
    if a.shape == (0,):
        a = a.reshape(0, 2)
    if a.ndim != 2 or a.shape[1] != 2:
        raise ValueError(f"pairs must have the shape (P, 2), they have {a.shape}")
    return np.require(a, np.uint32, ["C", "A"])


def at_scale(hull: Any, scale: Any) -> np.ndarray:
    """Hulls of bodies with a scale each, as every call takes them for the ``hull`` of bodies: (N, 2) of uint32, ids
    and the bits of float32 scales. Children of compounds have no scale. hull (N,), scale (N,) or one for all, above 0.
    A body with a scale is, bit for bit, the body with the hull that :class:`ScaledHulls` makes at this scale. A scale
    that is none, or other than 1 of a surface, is a bad pose of the body's pairs."""
    own = ids(hull, "hull")
    out = np.empty((len(own), 2), np.uint32)
    out[:, 0] = own
    s = np.asarray(on_cpu(scale, "scale"), np.float32)
    if s.shape not in ((), own.shape):
        raise ValueError(f"scale must be a number or have the shape ({len(own)},), it has {s.shape}")
    out[:, 1] = np.broadcast_to(s, own.shape).view(np.uint32)
    return out


def body_hulls(hull: Any, name: str, count: int | None = None) -> np.ndarray:
    """(N,) of uint32 as :func:`ids` gives it, or (N, 2), which :func:`at_scale` has made."""
    if np.ndim(hull) != 2:
        return ids(hull, name, count)
    a = integers(hull, name, np.uint32)
    wanted = "N" if count is None else count
    if a.shape[1] != 2 or (count is not None and len(a) != count):
        raise ValueError(f"{name} must have the shape ({wanted},), or ({wanted}, 2) of at_scale(), it has {a.shape}")
    return np.require(a, np.uint32, ["C", "A"])


class Bodies:
    """The three arrays of bodies, checked."""

    def __init__(self, position: Any, orientation: Any, hull: Any):
        self.position = rows(position, "position", 3, (np.float32, np.float64))
        self.orientation = rows(orientation, "orientation", 4, (np.float32,))
        count = len(self.position)
        if len(self.orientation) != count:
            raise ValueError(f"{len(self.orientation)} orientations for {count} positions")
        self.hull = body_hulls(hull, "hull", count)

    def __len__(self) -> int:
        return len(self.position)

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.position, self.orientation, self.hull
