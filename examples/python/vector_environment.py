# SPDX-License-Identifier: MIT
"""A vector environment for Gymnasium: vector_environment.py [WORLDS [STEPS]]

A cart, a box on a floor, carries a smaller box and has to bring it over a mark. An action is the force on the cart. All
environments are worlds of one lanefold.WorldBatch, so a step of thousands is one call without copies; environments that
are done are set back by a mask. Their episodes are, bit for bit, those of single environments.

It needs the package gymnasium. As a program it lets Gymnasium's checker look at the single environment, compares the
vector of all worlds with a vector of single environments, and prints the time of a step.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import lanefold

CART, LOAD = 0, 1
MARK = 5.0  # metres that the load has to come
MOST_STEPS = 200
MOST_FORCE = 200.0  # newtons
STEP = 1 / 60

MOST = np.float32([100, 100, 100, 100, 100, 1])  # metres and metres a second; whether the load presses on the cart
OBSERVATION = Box(-MOST, MOST, dtype=np.float32)
ACTION = Box(-1, 1, (1,), np.float32)


def carts(worlds: int, threads: int) -> lanefold.WorldBatch:
    """Worlds with a cart and its load, on a floor that all of them share."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    sizes = np.float32([[1, 0.25, 1], [0.3, 0.3, 0.3], [50, 0.5, 5]])
    hulls = lanefold.build_hulls(np.concatenate([corners * s for s in sizes]), [0, 8, 16, 24])
    batch = lanefold.WorldBatch(hulls, worlds, sleep=False, threads=threads)
    upright = np.float32([[0, 0, 0, 1], [0, 0, 0, 1]])
    batch.add_bodies([[0, 0.25, 0], [0, 0.8, 0]], upright, np.uint32([0, 1]), mass=[20, 2], friction=0.5)
    batch.add_shared([[0, -0.5, 0]], upright[:1], np.uint32([2]), friction=0.1)
    batch.keep()
    return batch


class CarryVector(VectorEnv):
    """Environment i draws its starts from the seed of reset() plus ``first`` plus i. One that is done is set back by
    the step that follows (Gymnasium's next-step mode)."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs: int = 1, *, first: int = 0, threads: int = 1) -> None:
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = OBSERVATION, ACTION
        self.observation_space = batch_space(OBSERVATION, num_envs)
        self.action_space = batch_space(ACTION, num_envs)
        self._first = first
        self._batch = carts(num_envs, threads)
        self._random = [np.random.default_rng() for _ in range(num_envs)]
        self._done = np.ones(num_envs, bool)
        self._age = np.zeros(num_envs, int)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._random = [np.random.default_rng(seed + self._first + i) for i in range(self.num_envs)]
        self._begin(np.ones(self.num_envs, bool))
        return self._observe(), {}

    def _begin(self, which: np.ndarray) -> None:
        """Begins an episode of these worlds: the load lies somewhere on the cart."""
        if not which.any():
            return
        batch = self._batch
        batch.reset(which)
        batch.position[which, LOAD, 0] = [self._random[i].uniform(-0.5, 0.5) for i in np.flatnonzero(which)]
        batch.write(which)
        self._age[which] = 0
        self._done[which] = False

    def _observe(self) -> np.ndarray:
        x, v = self._batch.position, self._batch.velocity
        seen = np.empty((self.num_envs, 6), np.float32)
        seen[:, 0] = x[:, CART, 0]
        seen[:, 1] = x[:, LOAD, 0] - x[:, CART, 0]
        seen[:, 2] = x[:, LOAD, 1]
        seen[:, 3] = v[:, CART, 0]
        seen[:, 4] = v[:, LOAD, 0]
        seen[:, 5] = self._batch.touches[:, LOAD] > 0
        return seen

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        batch = self._batch
        goes_on = ~self._done
        self._begin(self._done.copy())
        batch.force[:, CART, 0] = MOST_FORCE * np.clip(np.asarray(actions, np.float32)[:, 0], -1, 1)
        batch.step(STEP, goes_on)
        self._age += goes_on
        over = batch.position[:, LOAD, 0] > MARK
        fell = batch.position[:, LOAD, 1] < 0.5
        terminated = goes_on & (over | fell)
        truncated = goes_on & (self._age >= MOST_STEPS) & ~terminated
        reward = np.where(goes_on, batch.velocity[:, LOAD, 0] * STEP - 10.0 * fell, 0.0)
        self._done = terminated | truncated
        return self._observe(), reward, terminated, truncated, {}


class Carry(gymnasium.Env):
    """One environment, for what expects gymnasium.Env."""

    metadata = {"render_modes": []}
    observation_space, action_space = OBSERVATION, ACTION

    def __init__(self) -> None:
        self._vector = CarryVector(1)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        super().reset(seed=seed, options=options)
        return self._vector.reset(seed=seed)[0][0], {}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict]:
        seen, reward, terminated, truncated, _ = self._vector.step(np.asarray(action)[None])
        return seen[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), {}


gymnasium.register(id="lanefold/Carry-v0", entry_point=Carry, vector_entry_point=CarryVector)


def compare(worlds: int, steps: int) -> int:
    """The vector of worlds beside a vector of single environments: equal to the last bit. Returns the episodes."""
    make = {"vectorization_mode": "vector_entry_point"}
    together = gymnasium.make_vec("lanefold/Carry-v0", num_envs=worlds, **make)
    alone = gymnasium.make_vec("lanefold/Carry-v0", num_envs=worlds, vectorization_mode="sync")
    random = np.random.default_rng(7)
    assert np.array_equal(together.reset(seed=3)[0], alone.reset(seed=3)[0])
    episodes = 0
    for _ in range(steps):
        action = random.uniform(-1, 1, (worlds, 1)).astype(np.float32)
        a, b = together.step(action), alone.step(action)
        assert all(np.array_equal(x, y) for x, y in zip(a[:4], b[:4]))
        assert together.observation_space.contains(a[0])
        episodes += int((a[2] | a[3]).sum())
    return episodes


def main() -> None:
    from gymnasium.utils.env_checker import check_env

    worlds = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 240
    check_env(gymnasium.make("lanefold/Carry-v0").unwrapped, skip_render_check=True)
    print(f"Gymnasium {gymnasium.__version__}: the checker has passed the environment")
    episodes = compare(8, 450)
    print(f"8 worlds together and alone: equal bits in 450 steps, {episodes} episodes ended")
    environment = CarryVector(worlds)
    environment.reset(seed=1)
    action = np.full((worlds, 1), 0.3, np.float32)
    done = 0
    begin = time.perf_counter()
    for _ in range(steps):
        _, _, terminated, truncated, _ = environment.step(action)
        done += int((terminated | truncated).sum())
    seconds = time.perf_counter() - begin
    print(f"{worlds} environments, {steps} steps: {1e6 * seconds / worlds / steps:.1f} us each, {done} episodes ended")


if __name__ == "__main__":
    main()
