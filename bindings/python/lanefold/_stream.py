# SPDX-License-Identifier: MIT
"""Contacts frame after frame, with the state that goes from frame to frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native
from ._bodies import Bodies, ids
from ._calls import Result, check_names, collide_compact
from ._native import Hulls, Workspace
from ._pairs import PairFinder
from ._records import as_bytes, manifold_type


class ContactStream:
    """Finds the pairs of each frame and collides them; keeps caches and, with hysteresis, features from frame to frame.

    stream = ContactStream(hulls, body_hull, margin=0.02)
    records, result = stream.step(position, orientation)

    Records are compact and ascend by pair. hysteresis: features of the frame before stay unless others are better by
    more than this. None, the default: every frame is decided alone and gives the bits of :func:`collide_compact`.
    One call at a time: a second thread gets a RuntimeError.
    """

    def __init__(
        self,
        hulls: Hulls,
        body_hull: Any,
        *,
        margin: float = 0.0,
        capacity: int = 4,
        hysteresis: float | None = None,
        inverse_mass: Any = None,
        group: Any = None,
        **options: Any,
    ) -> None:
        check_names(options, "ContactStream()", taken=("margin", "previous", "hysteresis", "cache"))
        self.hulls = hulls
        self.body_hull = ids(body_hull, "body_hull").copy()
        self.margin = margin
        self.capacity = capacity
        self.hysteresis = hysteresis
        self.inverse_mass = inverse_mass
        self.group = group
        self.options = options
        self.pairs = np.zeros((0, 2), np.uint32)
        self._cache = np.zeros(0, np.uint64)
        self._previous = np.zeros(0, manifold_type(capacity))
        self._finder = PairFinder()
        self._workspace = Workspace()

    def step(self, position: Any, orientation: Any) -> tuple[np.ndarray, Result]:
        """Contacts of the next frame."""
        bodies = Bodies(position, orientation, self.body_hull)
        pairs = self._finder.find(
            self.hulls,
            *bodies.arrays,
            margin=self.margin,
            inverse_mass=self.inverse_mass,
            group=self.group,
            threads=self.options.get("threads", 0),
        )
        cache = np.zeros(len(pairs), np.uint64)
        _native.carry_over(self.pairs, as_bytes(self._cache), pairs, as_bytes(cache))
        held = {} if self.hysteresis is None else {"previous": self._previous, "hysteresis": self.hysteresis}
        records, result = collide_compact(
            self.hulls,
            *bodies.arrays,
            pairs,
            margin=self.margin,
            capacity=self.capacity,
            cache=cache,
            workspace=self._workspace,
            **held,
            **self.options,
        )
        self.pairs, self._cache, self._previous = pairs, cache, records
        return records, result
