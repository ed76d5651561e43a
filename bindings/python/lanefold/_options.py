# SPDX-License-Identifier: MIT
"""The keywords of calls by name and type, for editors and type checkers. Nothing here runs in a call."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

import numpy as np

from ._native import QueryWorkspace, StopFlag


class StreamOptions(TypedDict, total=False):
    """Keywords of a :class:`ContactStream`, besides those that it names itself."""

    face_preference: float
    isa: str
    threads: int
    points: Literal["all", "impact"]
    method: Literal["clip", "patch"]
    stop: StopFlag | None


class CallOptions(StreamOptions, total=False):
    """Keywords of :func:`collide` and its kin."""

    margin: Any
    unmoved: Any
    previous: np.ndarray | None
    hysteresis: float
    cache: np.ndarray | None


class QueryOptions(TypedDict, total=False):
    """Keywords of the questions of a :class:`PairFinder`."""

    group: Any
    category: Any
    collides_with: Any
    world: Any
    isa: str
    threads: int
    workspace: QueryWorkspace | None


class CastOptions(QueryOptions, total=False):
    """Keywords of its casts of shapes."""

    target: float
    tolerance: float
    spins: Any
    stop: StopFlag | None


class BuildOptions(TypedDict, total=False):
    """Keywords of :func:`build_hulls`."""

    merge_coplanar: bool
    recognize_boxes: bool
    max_vertices: int
    threads: int
    origin: Literal["input", "box_centre", "centre_of_mass"]
    radius: Any


class BodyValues(TypedDict, total=False):
    """Numbers of bodies of a :class:`World`, besides pose, hull and kind."""

    velocity: Any
    spin: Any
    density: Any
    mass: Any
    friction: Any
    restitution: Any
    category: Any
    collides_with: Any
    group: Any
    scale: Any


class WorldSettings(TypedDict, total=False):
    """Settings of a :class:`World`."""

    gravity: Any
    substeps: int
    margin: float
    method: Literal["clip", "patch"]
    face_preference: float
    hysteresis: float
    reuse: float
    sleep: bool
    sleep_speed: float
    sleep_time: float
    contact_hertz: float
    contact_damping: float
    link_hertz: float
    link_damping: float
    push_speed: float
    restitution_threshold: float
    linear_damping: float
    angular_damping: float
    unit: float
    isa: str
    threads: int
