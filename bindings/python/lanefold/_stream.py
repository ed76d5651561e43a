# SPDX-License-Identifier: MIT
"""Contacts frame after frame, with the state that goes from frame to frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._bodies import Bodies, flat, ids
from ._calls import Result, check_names, collide_compact
from ._native import Hulls, Workspace
from ._pairs import PairFinder
from ._records import as_bytes, manifold_type

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CallOptions, StreamOptions


class ContactStream:
    """Finds the pairs of each frame and collides them; keeps caches and, with hysteresis, features from frame to frame.

    stream = ContactStream(hulls, body_hull, margin=0.02)
    records, result = stream.step(position, orientation)

    Records are compact and ascend by pair. hysteresis: features of the frame before stay unless others are better by
    more than this. None, the default: every frame is decided alone and gives the bits of :func:`collide_compact`;
    method="patch" can do nothing else. Settings that no step could take are refused at once. One call at a time: a
    second thread gets a RuntimeError.
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
        **options: Unpack[StreamOptions],
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
        self._try()

    def _try(self) -> None:
        """A step without pairs and, with hysteresis, after a frame with a record: refuses what later steps would."""
        if self.hysteresis is not None and self.options.get("method") == "patch":
            raise ValueError(
                f"hysteresis is {self.hysteresis!r}, but method is 'patch', which keeps no features from frame to"
                " frame: leave hysteresis at None"
            )
        if np.ndim(self.margin) != 0:
            raise ValueError(f"margin of a stream must be one length, it has the shape {np.shape(self.margin)}")
        count = len(self.body_hull)
        flat(self.inverse_mass, "inverse_mass", np.float32, count)
        flat(self.group, "group", np.uint32, count)
        nowhere = np.zeros((count, 3), np.float32), np.tile(np.float32([0, 0, 0, 1]), (count, 1)), self.body_hull
        self._collide(nowhere, self.pairs, self._cache, np.zeros(1, self._previous.dtype))

    def _collide(
        self, bodies: tuple[np.ndarray, ...], pairs: np.ndarray, cache: np.ndarray, previous: np.ndarray
    ) -> tuple[np.ndarray, Result]:
        held: CallOptions = {} if self.hysteresis is None else {"previous": previous, "hysteresis": self.hysteresis}
        return collide_compact(
            self.hulls,
            *bodies,
            pairs,
            margin=self.margin,
            capacity=self.capacity,
            cache=cache,
            workspace=self._workspace,
            **held,
            **self.options,
        )

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
        records, result = self._collide(bodies.arrays, pairs, cache, self._previous)
        self.pairs, self._cache, self._previous = pairs, cache, records
        return records, result
