# SPDX-License-Identifier: MIT
"""Bodies and links as worlds take them: rows of structured arrays that the native module reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._bodies import Bodies, integers, on_cpu, rows

_BODY = np.dtype(
    {
        "names": "hull kind position orientation velocity spin".split()
        + "density mass friction restitution category collides_with group scale".split(),
        "formats": ["<u4", "u1", ("<f8", 3), ("<f4", 4), ("<f4", 3), ("<f4", 3)] + ["<f4"] * 4 + ["<u4"] * 3 + ["<f4"],
        "offsets": [0, 4, 8, 32, 48, 60, 72, 76, 80, 84, 88, 92, 96, 100],
        "itemsize": 104,
    }
)
_LINK = np.dtype(
    {
        "names": ["kind", "a", "b", "end_a", "end_b", "length", "restitution"],
        "formats": ["u1", "<u4", "<u4", ("<f8", 3), ("<f8", 3), "<f8", "<f4"],
        "offsets": [0, 4, 8, 16, 40, 64, 72],
        "itemsize": 80,
    }
)

_KINDS = ("dynamic", "fixed", "kinematic")
_LINKS = ("cable", "rod")
_WORLD_ANCHOR = 0xFFFFFFFF


def _kinds(kind: Any, names: tuple[str, ...], count: int) -> np.ndarray:
    words = np.asarray(kind)
    if words.shape not in ((), (count,)):
        raise ValueError(f"kind must be one for all or have the shape ({count},), it has {words.shape}")
    words = np.broadcast_to(words, (count,))
    if words.dtype.kind in "iub":
        if count and (words.min() < 0 or words.max() >= len(names)):
            raise ValueError(f"kind must be one of 0 to {len(names) - 1}")
        return words.astype(np.uint8)
    unknown = set(words.tolist()) - set(names)
    if unknown:
        raise ValueError(f"kind must be one of {', '.join(names)}, it is {unknown.pop()!r}")
    return np.array([names.index(w) for w in words.tolist()], np.uint8)


def _fill(to: np.ndarray, name: str, value: Any) -> None:
    """One value for all elements, or one for each."""
    if value is None:
        return
    whole = to.dtype[name].kind in "u" if to.dtype[name].subdtype is None else False
    a = integers(value, name, np.uint32) if whole else on_cpu(value, name)
    shape = to[name].shape
    if a.shape not in (shape, shape[1:]):
        raise ValueError(f"{name} must have the shape {shape} or {shape[1:]}, it has {a.shape}")
    with np.errstate(over="ignore"):  # beyond float32 is infinite, which is refused with its place
        to[name] = a


_VALUES = tuple(n for n in _BODY.names or () if n not in ("position", "orientation", "hull", "kind"))


def check_values(values: Mapping[str, Any], call: str) -> None:
    """Raises the TypeError of a misspelt keyword of bodies."""
    for name in values:
        if name not in _VALUES:
            raise TypeError(f"{call} has no argument {name!r}; there are {', '.join(sorted(_VALUES))}")


def body_rows(poses: tuple[Any, Any, Any], kind: Any, **values: Any) -> np.ndarray:
    """Bodies as :meth:`World.add_bodies` takes them, for the native calls. poses: position, orientation, hull."""
    bodies = Bodies(*poses)
    new = np.zeros(len(bodies), _BODY)
    new["position"], new["orientation"], hull = bodies.arrays
    new["hull"] = hull if hull.ndim == 1 else hull[:, 0]
    new["scale"] = 1.0 if hull.ndim == 1 else hull[:, 1].copy().view(np.float32)
    new["kind"] = _kinds(kind, _KINDS, len(bodies))
    if hull.ndim == 2 and values.get("scale") is not None:
        raise ValueError("scale is given twice: hull has the scales of at_scale() already")
    for name, value in values.items():
        _fill(new, name, value)
    return new


def link_rows(a: Any, b: Any, end_a: Any, end_b: Any, length: Any, kind: Any, restitution: Any) -> np.ndarray:
    """Links as :meth:`World.add_links` takes them, for the native calls."""
    end = rows(end_a, "end_a", 3, (np.float64,))
    new = np.zeros(len(end), _LINK)
    new["end_a"] = end
    new["b"] = _WORLD_ANCHOR
    new["kind"] = _kinds(kind, _LINKS, len(end))
    for name, value in (("a", a), ("b", b), ("end_b", end_b), ("length", length), ("restitution", restitution)):
        _fill(new, name, value)
    return new
