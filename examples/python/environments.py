# SPDX-License-Identifier: MIT
"""Thousands of environments with a policy in NumPy. Usage: environments.py [WORLDS [STEPS]]

A cart, a box on a floor, carries a smaller box and has to bring it over a mark. The policy sees where both are and
whether the load presses on the cart. The reward is the way that the load has come, less a fine when it falls off.
"""

import sys
import time

import numpy as np

import lanefold

# %% One set of hulls for all worlds: the floor, the cart, the load.
corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
sizes = np.float32([[50, 0.5, 5], [1, 0.25, 1], [0.3, 0.3, 0.3]])
hulls = lanefold.build_hulls(np.concatenate([corners * s for s in sizes]), [0, 8, 16, 24])

worlds = int(sys.argv[1]) if len(sys.argv) > 1 else 4096
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 120
batch = lanefold.WorldBatch(hulls, worlds, sleep=False)
batch.add_bodies(
    [[0, -0.5, 0], [0, 0.25, 0], [0, 0.8, 0]],
    np.tile(np.float32([0, 0, 0, 1]), (3, 1)),
    np.uint32([0, 1, 2]),
    kind=["fixed", "dynamic", "dynamic"],
    mass=[0, 20, 2],
    friction=[0.1, 0.5, 0.5],
)
batch.set_gravity(np.stack([np.zeros(worlds), np.linspace(-12, -8, worlds), np.zeros(worlds)], axis=1))
batch.keep()

# %% Every array is the memory of the batch: the loop below copies nothing of the worlds.
cart, load = 1, 2
gain = np.linspace(20, 200, worlds)  # each world has another policy
reward = np.zeros(worlds)
episodes = np.zeros(worlds, int)
begin = time.perf_counter()
for _ in range(steps):
    carried = batch.touches[:, load] > 0
    lag = batch.position[:, cart, 0] - batch.position[:, load, 0]
    batch.force[:, cart, 0] = np.where(carried, gain * (1 - lag), 0)
    batch.step(1 / 60)
    fell = batch.position[:, load, 1] < 0.5
    over = batch.position[:, load, 0] > 5
    reward += batch.velocity[:, load, 0] / 60 - 10 * fell
    episodes += over
    batch.reset(fell | over)
seconds = time.perf_counter() - begin
best = int(np.argmax(reward))
print(f"{worlds} worlds, {steps} steps: {1e6 * seconds / worlds / steps:.1f} us a world and step")
print(f"best gain {gain[best]:.0f} N, reward {reward[best]:.2f}; {episodes.sum()} loads are over the mark")
