# SPDX-License-Identifier: MIT
"""Contacts frame after frame, with the state that goes from frame to frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._bodies import Bodies, body_hulls, check, flat
from ._calls import CANCELLED, Result, call_options, check_names
from ._native import Hulls
from ._pairs import PairFinder
from ._records import as_bytes, manifold_type

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CallOptions, StreamOptions


@dataclass
class StreamResult(Result):
    """Sums of a frame. ``begun``, ``kept``, ``ended``: contacts that the frame before did not have, had, and had alone.
    ``carried``: pairs that were not computed, because they had moved too little (reuse)."""

    begun: int = 0
    kept: int = 0
    ended: int = 0
    carried: int = 0


class ContactStream:
    """Finds the pairs of each frame and collides them; keeps from frame to frame what saves time or holds features.

    stream = ContactStream(hulls, body_hull, margin=0.02)
    records, result = stream.step(position, orientation)

    Records are compact and ascend by pair. body_hull: (N,), or that of :func:`at_scale`. hysteresis: features of the
    frame before stay unless others are better by more than this. None, the default: every frame is decided alone and
    gives the bits of :func:`collide_compact`; method="patch" can do nothing else. reuse, relative to the smaller
    hull's size: pairs that have moved by less keep their contact, carried by both bodies; distances are then within
    twice that of the exact ones. 0: exact. Settings that no step could take are refused at once. One call at a time: a
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
        reuse: float = 0.0,
        inverse_mass: Any = None,
        group: Any = None,
        **options: Unpack[StreamOptions],
    ) -> None:
        check_names(options, "ContactStream()", taken=("margin", "previous", "hysteresis", "unmoved", "cache"))
        self.hulls = hulls
        self.body_hull = body_hulls(body_hull, "body_hull").copy()
        self.margin = margin
        self.capacity = capacity
        self.hysteresis = hysteresis
        self.reuse = reuse
        self.inverse_mass = inverse_mass
        self.group = group
        self.options = options
        self.pairs = np.zeros((0, 2), np.uint32)
        self._finder = PairFinder()
        self._record = manifold_type(capacity)
        self._stream = _native.Stream(capacity)
        self._try()

    def _try(self) -> None:
        """A step without pairs: refuses what later steps would."""
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
        self._collide(_native.Stream(self.capacity), Bodies(*nowhere), self.pairs)

    def _collide(
        self, stream: _native.Stream, bodies: Bodies, pairs: np.ndarray, unmoved: Any = None
    ) -> tuple[np.ndarray, StreamResult]:
        held: CallOptions = {"margin": self.margin, "unmoved": unmoved, "hysteresis": self.hysteresis or 0.0}
        options = call_options(bodies, pairs, **held, **self.options)
        d = stream.step(self.hulls, *bodies.arrays, pairs, options, self.reuse)
        check(d, (0, CANCELLED))
        records = np.zeros(d["records"], self._record)
        stream.contacts(as_bytes(records))
        result = StreamResult(begun=d["begun"], kept=d["kept"], ended=d["ended"], carried=d["carried"])
        result.add(d)
        return records, result

    def step(self, position: Any, orientation: Any, *, unmoved: Any = None) -> tuple[np.ndarray, StreamResult]:
        """Contacts of the next frame. unmoved, (N,) of bool: bodies that have kept pose and hull since the frame
        before; pairs of two such bodies keep their records without being computed."""
        bodies = Bodies(position, orientation, self.body_hull)
        pairs = self._finder.find(
            self.hulls,
            *bodies.arrays,
            margin=self.margin,
            inverse_mass=self.inverse_mass,
            group=self.group,
            threads=self.options.get("threads", 0),
        )
        found = self._collide(self._stream, bodies, pairs, unmoved)
        self.pairs = pairs
        return found
