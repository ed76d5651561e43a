# SPDX-License-Identifier: MIT
"""Rigid bodies that move: contacts, friction, cables and rods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._bodies import check, flat, pair_rows
from ._native import Hulls, NativeWorld, StopFlag
from ._records import MANIFOLD4, as_bytes
from ._world_rows import body_rows, link_rows

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import WorldSettings

#: Impulses of a contact in the last substep, in kilogram metres a second: ``normal`` of each point, ``tangent`` of the
#: whole manifold on body b, ``twist`` about the normal on body b.
CONTACT_IMPULSE = np.dtype([("normal", "<f4", 4), ("tangent", "<f4", 3), ("twist", "<f4")])
#: All that a manifold of a world pushed in a step: impulse along the normal, substeps before and after the pushes.
CONTACT_PUSH = np.dtype([("impulse", "<f4"), ("before", "<f4"), ("after", "<f4")])


@dataclass
class StepResult:
    """The counts of a step: candidate pairs, manifolds and their points, links, bodies awake and asleep at its end,
    bodies that it has lost. link_error: by which share of its length ``worst_link``, the link that is off most, is off.
    carried: candidate pairs whose manifolds were not computed (reuse).
    """

    pairs: int
    contacts: int
    points: int
    links: int
    awake: int
    asleep: int
    lost: int
    link_error: float
    worst_link: int
    carried: int
    isa: str


class World:
    """Rigid bodies in motion. The state after a step has the same bits on every machine, with any number of threads.

    world = World(hulls)
    world.add_bodies(position, orientation, hull, density=1000)
    world.step(1 / 60)
    world.position                                  # (N, 3)

    Lengths in metres, masses in kilograms, times in seconds; ``unit`` says how long a metre is in another unit.
    Settings are those of WorldSettings in ``lanefold/world.hpp``: gravity (x, y, z), substeps, margin, method ("clip",
    "patch"), face_preference, hysteresis, reuse, sleep (bool), sleep_speed, sleep_time, contact_hertz,
    contact_damping, link_hertz, link_damping, push_speed, restitution_threshold, linear_damping, angular_damping, unit,
    isa, threads.

    Calls release the interpreter lock. A call while another thread's call works on the same world raises RuntimeError.
    """

    def __init__(self, hulls: Hulls, **settings: Unpack[WorldSettings]) -> None:
        self._native = NativeWorld(hulls)
        self._state: np.ndarray | None = None
        self.set(**settings)

    def __len__(self) -> int:
        return len(self._native)

    def set(self, **settings: Unpack[WorldSettings]) -> None:
        """Changes settings for the steps to come, and wakes every body. Refused settings change nothing."""
        check(self._native.set_settings(settings))

    def set_hulls(self, hulls: Hulls) -> None:
        """More hulls: a set that begins with those there are (:meth:`Hulls.append`). Refused where a body has a scale,
        because that brought a hull of its own: give all hulls before."""
        check(self._native.set_hulls(hulls))

    def add_bodies(
        self,
        position: Any,
        orientation: Any,
        hull: Any,
        *,
        kind: Any = "dynamic",
        velocity: Any = None,
        spin: Any = None,
        density: Any = 1000.0,
        mass: Any = None,
        friction: Any = 0.6,
        restitution: Any = 0.0,
        category: Any = 1,
        collides_with: Any = 0xFFFFFFFF,
        group: Any = 0,
        scale: Any = None,
    ) -> None:
        """Adds N bodies, or none with an exception that names the first that is refused.

        position (N, 3), of the origin of the hull's coordinates; orientation (N, 4); hull (N,). The others are one
        value for all or one for each: kind, "dynamic", "fixed" or "kinematic" (moves with its velocity and spin,
        whatever is in its way); velocity (3) of the centre of mass; spin (3), radians a second, world axes; density, or
        mass where it is given and not 0; friction, Coulomb's coefficient, a pair has the geometric mean; restitution, 0
        to 1, a pair has the larger one; category and collides_with, bits: a pair needs a common bit both ways; group:
        bodies of the same number above 0 never touch; scale, above 0, of the hull about its origin: mass and inertia
        are those of the scaled hull.
        """
        new = body_rows(
            (position, orientation, hull),
            kind,
            velocity=velocity,
            spin=spin,
            density=density,
            mass=mass,
            friction=friction,
            restitution=restitution,
            category=category,
            collides_with=collides_with,
            group=group,
            scale=scale,
        )
        check(self._native.add_bodies(as_bytes(new)))
        self._state = None

    def add_links(
        self, a: Any, b: Any, end_a: Any, end_b: Any, length: Any, *, kind: Any = "rod", restitution: Any = 0.0
    ) -> None:
        """Adds L links between bodies: a rod keeps its ends ``length`` apart, a cable at most.

        a and b (L,): bodies; b None: the world. end_a and end_b (L, 3): the ends, in the coordinates of the bodies'
        hulls, end_b in the world where b is None. length (L,) or one for all. restitution: of a cable that comes taut.
        """
        new = link_rows(a, b, end_a, end_b, length, kind, restitution)
        check(self._native.add_links(as_bytes(new)))

    def step(self, dt: float, pairs: Any = None) -> StepResult:
        """One step of dt seconds. pairs (P, 2): candidates of a broad phase of your own; None: the world finds them."""
        d = self._native.step(dt, None if pairs is None else pair_rows(pairs))
        check(d)
        self._state = None
        return StepResult(**{name: d[name] for name in StepResult.__dataclass_fields__})

    def _columns(self, first: int, last: int) -> np.ndarray:
        if self._state is None:
            self._state = self._native.state()
        return self._state[:, first:last].copy()

    @property
    def position(self) -> np.ndarray:
        """(N, 3) of float64: of the origins of the hulls' coordinates."""
        return self._columns(0, 3)

    @property
    def orientation(self) -> np.ndarray:
        """(N, 4) of float32, (x, y, z, w)."""
        return self._columns(3, 7).astype(np.float32)

    @property
    def velocity(self) -> np.ndarray:
        """(N, 3) of float32: of the centres of mass, world axes."""
        return self._columns(7, 10).astype(np.float32)

    @property
    def spin(self) -> np.ndarray:
        """(N, 3) of float32: radians a second, world axes."""
        return self._columns(10, 13).astype(np.float32)

    @property
    def centre(self) -> np.ndarray:
        """(N, 3) of float64: the centres of mass, in the world."""
        return self._columns(13, 16)

    @property
    def mass(self) -> np.ndarray:
        """(N,) of float64; 0 unless dynamic."""
        return self._columns(16, 17)[:, 0]

    @property
    def asleep(self) -> np.ndarray:
        """(N,) of bool."""
        return np.array(self._native.asleep(), bool)

    @property
    def removed(self) -> np.ndarray:
        """(N,) of bool: :meth:`remove` has taken the body out."""
        return np.array(self._native.removed(), bool)

    @property
    def lost(self) -> list[tuple[int, int]]:
        """(body, step) of the bodies that take no part any more, because their motion was no longer finite or beyond
        what can be stored; the step that lost a body, from 1 on. :meth:`set_pose` brings one back."""
        return self._native.lost()

    @property
    def contacts(self) -> np.ndarray:
        """The manifolds of the last step (MANIFOLD4), ascending by pair."""
        return self._native.contacts().view(MANIFOLD4)

    @property
    def impulses(self) -> np.ndarray:
        """The impulses of each of :attr:`contacts` (CONTACT_IMPULSE)."""
        return self._native.impulses().view(CONTACT_IMPULSE)

    @property
    def pushes(self) -> np.ndarray:
        """All that each of :attr:`contacts` pushed in the last step (CONTACT_PUSH): the impulse along its normal on
        body b, and the substeps before the first and after the last push."""
        return self._native.pushes().view(CONTACT_PUSH)

    @property
    def motion(self) -> dict[str, Any]:
        """Sums over all dynamic bodies: momentum, angular_momentum about the origin, kinetic_energy, potential_energy,
        mass."""
        return self._native.motion()

    def link_force(self, link: int) -> float:
        """Force along a link in the last substep, newtons; negative: it pulls its ends together."""
        return self._native.link_force(link)

    def link_error(self, link: int) -> float:
        """By how much a link is longer than it should be; negative: shorter. 0 for a slack cable."""
        return self._native.link_error(link)

    def set_velocity(self, body: int, velocity: Any, spin: Any = (0, 0, 0)) -> None:
        """Sets the velocity of the centre of mass, and the spin in radians a second. Wakes the body."""
        check(self._native.set_velocity(body, _three(velocity, "velocity"), _three(spin, "spin")))
        self._state = None

    def apply_impulse(self, body: int, impulse: Any, point: Any) -> None:
        """An impulse in kilogram metres a second at a point of the world. Wakes the body."""
        check(self._native.apply_impulse(body, _three(impulse, "impulse"), _three(point, "point")))
        self._state = None

    def apply_angular_impulse(self, body: int, impulse: Any) -> None:
        """An angular impulse in newton metre seconds, world axes. Wakes the body."""
        check(self._native.apply_angular_impulse(body, _three(impulse, "impulse")))
        self._state = None

    def set_target(self, body: int, position: Any, orientation: Any, dt: float) -> None:
        """Gives a kinematic body the velocity and spin that take the origin of its hull there in a step of dt seconds.
        It keeps them afterwards."""
        q = flat(orientation, "orientation", np.float64, 4)
        check(self._native.set_target(body, _three(position, "position"), q, dt))
        self._state = None

    def remove(self, body: int) -> None:
        """Takes the body out: it stays where it is, without contacts and links, until :meth:`set_pose` puts it in
        again. Indices stay. Wakes what touched it."""
        check(self._native.remove(body))
        self._state = None

    def set_pose(self, body: int, position: Any, orientation: Any) -> None:
        """Places the origin of the body's hull; wakes what touches it. A body that is lost or was removed comes back,
        at rest."""
        q = flat(orientation, "orientation", np.float64, 4)
        check(self._native.set_pose(body, _three(position, "position"), q))
        self._state = None

    def wake(self, body: int) -> None:
        """Wakes the body and what sleeps with it."""
        check(self._native.wake(body))

    def save(self) -> bytes:
        """Everything that changes from step to step. A world with the same hulls, bodies, links and settings that
        restores it goes on to the same bits."""
        status, state = self._native.save()
        check(status)
        return state

    def restore(self, state: bytes) -> None:
        """See :meth:`save`. Bytes of another world, damaged or cut short are refused and change nothing."""
        check(self._native.restore(state))
        self._state = None


def _three(value: Any, name: str) -> np.ndarray:
    return flat(value, name, np.float64, 3)


def simulate(
    hulls: Hulls,
    position: Any,
    orientation: Any,
    hull: Any,
    *,
    steps: int,
    rate: float = 60.0,
    every: int = 1,
    kind: Any = "dynamic",
    velocity: Any = None,
    spin: Any = None,
    density: Any = 1000.0,
    mass: Any = None,
    friction: Any = 0.6,
    restitution: Any = 0.0,
    group: Any = 0,
    stop: StopFlag | None = None,
    **settings: Unpack[WorldSettings],
) -> tuple[np.ndarray, np.ndarray]:
    """Lets bodies move, as ``lanefold simulate`` does: position (F, N, 3) of float64 and orientation (F, N, 4) of
    float32. The first frame is the start; one follows every ``every`` steps, ``rate`` steps a second.

    Bodies as in :meth:`World.add_bodies`, settings as in :class:`World`. stop: a StopFlag; the frames so far come back.
    """
    if steps < 0 or every < 1 or not rate > 0:
        raise ValueError("steps must be 0 or more, every 1 or more, rate above 0")
    world = World(hulls, **settings)
    world.add_bodies(
        position,
        orientation,
        hull,
        kind=kind,
        velocity=velocity,
        spin=spin,
        density=density,
        mass=mass,
        friction=friction,
        restitution=restitution,
        group=group,
    )
    positions, orientations = [world.position], [world.orientation]
    for step in range(1, steps + 1):
        if stop is not None and stop.stop_requested:
            break
        world.step(1 / rate)
        if step % every == 0:
            positions.append(world.position)
            orientations.append(world.orientation)
    return np.array(positions), np.array(orientations)
