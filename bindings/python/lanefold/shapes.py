# SPDX-License-Identifier: MIT
"""Points of common shapes for :func:`lanefold.build_hulls`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import _native


class Shape(NamedTuple):
    """``build_hulls(shape.points, radius=shape.radius)`` builds it: the hull of ``points`` (P, 3), rounded by
    ``radius``. It lies within the shape, and no point of the shape is further from it than ``error``."""

    points: np.ndarray
    radius: float
    error: float


def sphere(radius: float) -> Shape:
    """A ball about the origin, exact."""
    return Shape(*_native.sphere(radius))


def capsule(radius: float, length: float) -> Shape:
    """All within the radius of a segment of so much length, along y; exact."""
    return Shape(*_native.capsule(radius, length))


def cylinder(radius: float, height: float, error: float, rim: float = 0.0) -> Shape:
    """A cylinder along y that is off by at most ``error``; ``rim`` rounds its edges."""
    return Shape(*_native.cylinder(radius, height, error, rim))


def cone(radius: float, height: float, error: float) -> Shape:
    """A cone along y, tip up, about its centre of mass."""
    return Shape(*_native.cone(radius, height, error))


def tapered_capsule(first_radius: float, second_radius: float, length: float, error: float) -> Shape:
    """The hull of two balls, ``length`` apart along y, the first below."""
    return Shape(*_native.tapered_capsule(first_radius, second_radius, length, error))


def ellipsoid(x: float, y: float, z: float, error: float) -> Shape:
    """An ellipsoid with these half axes."""
    return Shape(*_native.ellipsoid(x, y, z, error))
