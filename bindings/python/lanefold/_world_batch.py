# SPDX-License-Identifier: MIT
"""Many worlds of one hull set, stepped together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._bodies import check, on_cpu, rows
from ._native import Hulls, NativeWorldBatch
from ._records import as_bytes
from ._world_rows import body_rows, check_values, link_rows

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import BodyValues, WorldSettings


@dataclass
class BatchStep:
    """The sums of a step: worlds that were stepped and refused, bodies that were lost, candidate pairs, manifolds.
    refusals: (world, reason, place) of each world that was refused; it stays where it was."""

    done: int
    refused: int
    lost: int
    pairs: int
    contacts: int
    refusals: list[tuple[int, str, int]]


class WorldBatch:
    """So many worlds of one hull set. Each has the bits that a :class:`World` alone has, with any mask, any number of
    threads and any other worlds.

    ``active``, in all calls: None for all worlds, or (E,) of bool. The array properties are NumPy arrays in the batch's
    memory, without copies: (E, N, ...) where every world has N bodies, otherwise (B, ...) for all bodies, world after
    world (:attr:`offsets`). They show the state after :meth:`step` and :meth:`reset`. Add all bodies first: once an
    array was taken, no more can be added. settings as in :class:`World`, ``threads`` for the whole batch.
    """

    def __init__(self, hulls: Hulls, worlds: int, **settings: Unpack[WorldSettings]) -> None:
        self._native = NativeWorldBatch(hulls, worlds)
        self._arrays: dict[str, np.ndarray] | None = None
        self._results: np.ndarray | None = None
        self.set(**settings)

    def __len__(self) -> int:
        return len(self._native)

    def _mask(self, active: Any) -> np.ndarray | None:
        if active is None:
            return None
        mask = np.asarray(active)
        if mask.shape != (len(self),) or mask.dtype != np.bool_:
            raise ValueError(f"active must be ({len(self)},) of bool, it is {mask.shape} of {mask.dtype}")
        return np.ascontiguousarray(mask).view(np.uint8)

    def set(self, active: Any = None, **settings: Unpack[WorldSettings]) -> None:
        """Changes settings of the steps to come, and wakes every body of these worlds. ``threads`` alone wakes none."""
        check(self._native.set_settings(settings, self._mask(active)))
        if "threads" in settings:
            self._native.set_threads(settings["threads"])

    def set_gravity(self, gravity: Any) -> None:
        """(E, 3): the gravity of each world. Wakes every body. All worlds or, where one is refused, none."""
        g, wanted = on_cpu(gravity, "gravity"), (len(self), 3)
        if g.shape != wanted:
            one = "one for all worlds is a setting: set(gravity=...)"
            raise ValueError(f"gravity must have the shape {wanted}, it has {g.shape}; {one}")
        with np.errstate(over="ignore"):  # beyond float32 is infinite, which is refused with its world
            each = rows(g, "gravity", 3, (np.float32,))
        check_world(self._native.set_gravity(np.ascontiguousarray(each)))

    def add_bodies(
        self,
        position: Any,
        orientation: Any,
        hull: Any,
        *,
        kind: Any = "dynamic",
        active: Any = None,
        **values: Unpack[BodyValues],
    ) -> None:
        """Adds the same bodies to every world, with the arguments of :meth:`World.add_bodies`. With a position of
        (E, N, 3) each world gets bodies of its own: every argument is then one value for all, one for each of N bodies
        or (E, N, ...), and sizes are ``scale``, not :func:`lanefold.at_scale`."""
        check_values(values, "add_bodies()")
        given: dict[str, Any] = {**_BODY_DEFAULTS, **values}
        if np.ndim(position) == 3:
            if active is not None:
                raise ValueError("bodies of each world go to all worlds: active must be None")
            new = self._rows_of_each(position, orientation, hull, kind, given)
            check(self._native.add_bodies_of_each(as_bytes(new)))
            return
        new = body_rows((position, orientation, hull), kind, **given)
        check(self._native.add_bodies(as_bytes(new), self._mask(active)))

    def _rows_of_each(self, position: Any, orientation: Any, hull: Any, kind: Any, values: dict[str, Any]) -> Any:
        worlds, count = len(self), np.shape(position)[1]

        def all_rows(name: str, value: Any, *tail: int) -> np.ndarray:
            rows, shape = np.asarray(on_cpu(value, name)), (worlds, count, *tail)
            try:
                return np.broadcast_to(rows, shape).reshape(worlds * count, *tail)
            except ValueError:
                wanted = f"{shape}, {shape[1:]} or {tail}"
                raise ValueError(f"{name} must have the shape {wanted}, it has {rows.shape}") from None

        poses = all_rows("position", position, 3), all_rows("orientation", orientation, 4), all_rows("hull", hull)
        tails = {"velocity": (3,), "spin": (3,)}
        flat = {name: all_rows(name, v, *tails.get(name, ())) for name, v in values.items() if v is not None}
        return body_rows(poses, all_rows("kind", kind), **flat)

    def add_shared(self, position: Any, orientation: Any, hull: Any, **values: Unpack[BodyValues]) -> None:
        """Adds fixed bodies that all worlds share, behind their own: a floor, a terrain. The arrays leave them out.
        Afterwards worlds get no other bodies. values as in :meth:`World.add_bodies`."""
        check_values(values, "add_shared()")
        new = body_rows((position, orientation, hull), "fixed", **{**_BODY_DEFAULTS, **values})
        check(self._native.add_shared(as_bytes(new)))

    @property
    def shared(self) -> int:
        """How many bodies all worlds share."""
        return self._native.shared()

    def set_hulls(self, hulls: Hulls) -> None:
        """More hulls: a set that begins with those there are (:meth:`Hulls.append`). Refused where a body has a scale,
        because that brought a hull of its own: give all hulls before."""
        check(self._native.set_hulls(hulls))

    def add_links(
        self,
        a: Any,
        b: Any,
        end_a: Any,
        end_b: Any,
        length: Any,
        *,
        kind: Any = "rod",
        restitution: Any = 0.0,
        active: Any = None,
    ) -> None:
        """Adds the same links to every world, as :meth:`World.add_links` does, in their order until one refuses: where
        worlds have other numbers of bodies, those before it have the links."""
        new = link_rows(a, b, end_a, end_b, length, kind, restitution)
        check(self._native.add_links(as_bytes(new), self._mask(active)))

    def step(self, dt: float, active: Any = None) -> BatchStep:
        """One step of dt seconds with :attr:`force` and :attr:`torque`. Worlds that are refused are in the result; bad
        arguments raise."""
        d = self._native.step(dt, self._mask(active))
        if not d["refusals"]:
            check(d)
        return BatchStep(**{name: d[name] for name in BatchStep.__dataclass_fields__})

    def keep(self, active: Any = None) -> None:
        """Keeps the state of these worlds for :meth:`reset`."""
        check_world(self._native.keep(self._mask(active)))

    def reset(self, active: Any = None) -> None:
        """Sets these worlds back to the state that :meth:`keep` kept, and clears their forces, impulses and targets."""
        check_world(self._native.reset(self._mask(active)))

    def write(self, active: Any = None) -> None:
        """Takes poses, velocities and :attr:`present` from the arrays, of the bodies whose numbers were changed."""
        check_world(self._native.write(self._mask(active)))

    def save(self, world: int) -> bytes:
        """The state of a world, as :meth:`World.save` gives it."""
        status, state = self._native.save(world)
        check(status)
        return state

    def restore(self, world: int, state: bytes) -> None:
        """See :meth:`World.restore`."""
        check(self._native.restore(world, state))

    def _array(self, name: str) -> np.ndarray:
        if self._arrays is None:
            self._arrays = _shaped(self._native.arrays())
        return self._arrays[name]

    @property
    def offsets(self) -> np.ndarray:
        """(E + 1,): world w has bodies offsets[w] to offsets[w + 1] - 1 of flat arrays."""
        return self._array("offsets")

    @property
    def position(self) -> np.ndarray:
        """3 of float64: of the origins of the hulls' coordinates."""
        return self._array("position")

    @property
    def orientation(self) -> np.ndarray:
        """4 of float32, (x, y, z, w)."""
        return self._array("orientation")

    @property
    def velocity(self) -> np.ndarray:
        """3 of float32: of the centres of mass."""
        return self._array("velocity")

    @property
    def spin(self) -> np.ndarray:
        """3 of float32: radians a second."""
        return self._array("spin")

    @property
    def force(self) -> np.ndarray:
        """3 of float32, to write: newtons at the centres of mass, in every step until they are changed."""
        return self._array("force")

    @property
    def torque(self) -> np.ndarray:
        """3 of float32, to write: newton metres."""
        return self._array("torque")

    @property
    def impulse(self) -> np.ndarray:
        """3 of float32, to write: kilogram metres a second at the centres of mass, once: a step sets them back to 0."""
        return self._array("impulse")

    @property
    def present(self) -> np.ndarray:
        """bool, to write: the body takes part in its world. :meth:`write` removes a body whose True became False, and
        puts one in again, at :attr:`position`, whose False became True, or whose pose was changed. False of a body that
        is lost."""
        return self._array("present")

    @property
    def target_position(self) -> np.ndarray:
        """3 of float64, to write: where each step takes a kinematic body while :attr:`has_target` is True."""
        return self._array("target_position")

    @property
    def target_orientation(self) -> np.ndarray:
        """4 of float32, to write, (x, y, z, w)."""
        return self._array("target_orientation")

    @property
    def has_target(self) -> np.ndarray:
        """bool, to write. A body that has arrived stands still until its target changes."""
        return self._array("has_target")

    @property
    def contact_force(self) -> np.ndarray:
        """3 of float32: the sum of the contact forces of the last substep, newtons."""
        return self._array("contact_force")

    @property
    def touches(self) -> np.ndarray:
        """uint32: how many manifolds press on the body."""
        return self._array("touches")

    @property
    def asleep(self) -> np.ndarray:
        """bool: the body sleeps."""
        return self._array("asleep")

    @property
    def results(self) -> np.ndarray:
        """(E,): what the latest step counted in each world, with the fields pairs, contacts, points, links, awake,
        asleep and lost; 0 in worlds that took no part. In the batch's memory, too."""
        if self._results is None:
            rows, places = self._native.results()
            names = list(places)
            counts = {"names": names, "formats": ["<u8"] * len(names), "offsets": [places[n] for n in names]}
            self._results = rows.view(np.dtype({**counts, "itemsize": rows.shape[1]}))[:, 0]
            self._results.flags.writeable = False
        return self._results


def check_world(status: dict[str, Any]) -> None:
    """Raises with the world that was refused, which is ``where`` unless the call as a whole was refused."""
    more = status.get("refused", 1) - 1
    if status["code"] != 0 and more >= 0:
        rest = f", and {more} more world{'s' if more > 1 else ''}" if more else ""
        status = {**status, "what": f"world {status['where']}: {status['what']}{rest}"}
    check(status)


_BODY_DEFAULTS = {"density": 1000.0, "friction": 0.6, "category": 1, "collides_with": 0xFFFFFFFF}
_READ_ONLY = ("offsets", "contact_force", "touches", "asleep")
_FLAGS = ("present", "has_target", "asleep")


def _shaped(flat: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """(E, N, ...) where all worlds have as many bodies."""
    offsets = flat["offsets"][:, 0]
    counts = np.diff(offsets)
    same = len(counts) > 0 and bool((counts == counts[0]).all())
    shaped = {}
    for name, array in flat.items():
        if name != "offsets" and same:
            array = array.reshape(len(counts), int(counts[0]), array.shape[1])
        if name in _FLAGS:
            array = array.view(np.bool_)
        shaped[name] = array[..., 0] if name in ("offsets", "touches", *_FLAGS) else array
    for name in _READ_ONLY:
        shaped[name].flags.writeable = False
    return shaped
