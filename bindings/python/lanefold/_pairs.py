# SPDX-License-Identifier: MIT
"""Candidate pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ._bodies import Bodies, check, flat, rows
from ._native import MOST_FRAMES_IN_WINDOW, Hulls, NativePairFinder, NativeWindowFinder
from ._queries import SceneQueries


#: The world of a body that all worlds share.
SHARED_BODY = -1


def _motion(motion: Any, count: int) -> np.ndarray:
    a = rows(motion, "motion", 3, (np.float32,))
    if len(a) != count:
        raise ValueError(f"motion must have the shape ({count}, 3), it has {a.shape}")
    return np.require(a, np.float32, ["C", "A"]).reshape(-1)


class PairFinder(SceneQueries):
    """Finds candidate pairs, frame after frame: bodies whose boxes overlap after growing by half the margin. Its tree
    answers questions about the latest frame: rays, casts, overlaps and closest points. One call at a time: a second
    thread gets a RuntimeError."""

    def __init__(self) -> None:
        self._native = NativePairFinder()
        #: Number of bodies of the latest frame that cannot be placed. They have no pairs.
        self.without_box = 0
        #: (worlds + 1,) of uint64: world w of the latest frame has pairs[world_offsets[w] : world_offsets[w + 1]].
        self.world_offsets = np.zeros(0, np.uint64)

    def find(
        self,
        hulls: Hulls,
        position: Any,
        orientation: Any,
        hull: Any,
        *,
        margin: float = 0.0,
        inverse_mass: Any = None,
        group: Any = None,
        category: Any = None,
        collides_with: Any = None,
        unmoved: Any = None,
        growth: Any = None,
        motion: Any = None,
        world: Any = None,
        worlds: int = 0,
        active: Any = None,
        threads: int = 0,
    ) -> np.ndarray:
        """(P, 2) of uint32, a < b, ascending. inverse_mass (N,): pairs of two zeros are left out. group (N,): pairs of
        one group above 0 are left out. category and collides_with (N,): bits; a pair needs a common bit both ways.
        unmoved (N,) of bool: the body has the pose and hull of the call before. growth (N,): by how much more each box
        grows. motion (N, 3): displacements until the next call, which sweep the boxes.

        Many worlds in one call: world (N,), the world of each body, 0 to worlds - 1, or SHARED_BODY for one of all
        worlds, which must not move. Pairs then come world after world (:attr:`world_offsets`). active (worlds,) of
        bool: worlds that take part."""
        b = Bodies(position, orientation, hull)
        n = len(b)
        more = {
            "unmoved": flat(unmoved, "unmoved", np.uint8, n),
            "growth": flat(growth, "growth", np.float32, n),
            "motion": None if motion is None else _motion(motion, n),
            "world": flat(world, "world", np.int32, n),
            "worlds": worlds,
            "active": flat(active, "active", np.uint8, worlds),
        }
        status, pairs, self.without_box, self.world_offsets = self._native.find(
            hulls,
            *b.arrays,
            margin,
            flat(inverse_mass, "inverse_mass", np.float32, n),
            flat(group, "group", np.uint32, n),
            flat(category, "category", np.uint32, n),
            flat(collides_with, "collides_with", np.uint32, n),
            more,
            threads,
        )
        check(status)
        return pairs


class WindowFinder:
    """Finds candidate pairs of frames that are all there before their pairs are needed: a recorded simulation, a bake.
    One search serves sixteen of them, in a third of a PairFinder's time where bodies move. One call at a time, as
    there."""

    def __init__(self) -> None:
        self._native = NativeWindowFinder()
        #: Per frame of the latest call: number of bodies that cannot be placed. They have no pairs.
        self.without_box: list[int] = []

    def find(
        self,
        hulls: Hulls,
        frames: Iterable[tuple[Any, Any]],
        hull: Any,
        *,
        margin: float = 0.0,
        inverse_mass: Any = None,
        group: Any = None,
        category: Any = None,
        collides_with: Any = None,
        threads: int = 0,
    ) -> list[np.ndarray]:
        """Per frame what PairFinder.find() returns. frames: (position, orientation) of each, as many as there are:
        ``zip(scene.position, scene.orientation)``, for example. All have the same bodies. The other arguments are
        those of PairFinder.find(), for all frames."""
        bodies = [Bodies(position, orientation, hull) for position, orientation in frames]
        self.without_box = []
        found = []
        for first in range(0, len(bodies), MOST_FRAMES_IN_WINDOW):
            window = bodies[first : first + MOST_FRAMES_IN_WINDOW]
            n = len(window[0])
            status, part = self._native.find(
                hulls,
                [(b.position, b.orientation) for b in window],
                window[0].hull,
                margin,
                flat(inverse_mass, "inverse_mass", np.float32, n),
                flat(group, "group", np.uint32, n),
                flat(category, "category", np.uint32, n),
                flat(collides_with, "collides_with", np.uint32, n),
                threads,
            )
            check(status)
            found += [pairs for pairs, _ in part]
            self.without_box += [without for _, without in part]
        return found
