# SPDX-License-Identifier: MIT
"""The vector environment of vector_environment.py on the workers of Ray: environments_ray.py [WORLDS [STEPS [WORKERS]]]

Each worker, two unless told otherwise, is a process with its part of the worlds in one lanefold.WorldBatch. The driver
sends actions and gathers what the workers see. As a program it compares all of it with one batch of all worlds in this
process, to the last bit, and prints the time of a step. It needs the packages ray and gymnasium.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

NEEDS = "environments_ray.py needs the packages ray and gymnasium: pip install ray==2.60.0 gymnasium==1.4.0"

try:
    import gymnasium  # noqa: F401  vector_environment.py builds on it
    import ray
except ImportError as missing:
    sys.exit(f"{NEEDS} ({missing})")

import numpy as np
from vector_environment import CarryVector


@ray.remote(num_cpus=1)
class Worker:
    """Environments first to first + count - 1 of all."""

    def __init__(self, first: int, count: int) -> None:
        self._vector = CarryVector(count, first=first)

    def reset(self, seed: int) -> np.ndarray:
        return self._vector.reset(seed=seed)[0]

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, ...]:
        return self._vector.step(actions)[:4]

    def process(self) -> int:
        return os.getpid()


class CarryWorkers:
    """All environments, their parts on so many workers. Observations are new arrays: they have crossed processes."""

    def __init__(self, worlds: int, workers: int) -> None:
        self._borders = [worlds * i // workers for i in range(workers + 1)]
        parts = zip(self._borders, self._borders[1:])
        self._workers = [Worker.remote(first, end - first) for first, end in parts]

    def processes(self) -> set[int]:
        return set(ray.get([worker.process.remote() for worker in self._workers]))

    def reset(self, seed: int) -> np.ndarray:
        return np.concatenate(ray.get([worker.reset.remote(seed) for worker in self._workers]))

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, ...]:
        parts = zip(self._workers, self._borders, self._borders[1:])
        done = ray.get([worker.step.remote(actions[first:end]) for worker, first, end in parts])
        return tuple(np.concatenate(column) for column in zip(*done))


def main() -> None:
    worlds, steps, workers = (int(x) for x in (*sys.argv[1:4], *("1024", "240", "2")[len(sys.argv) - 1 :]))
    # Workers import this folder's vector_environment.py.
    folder = str(Path(__file__).resolve().parent)
    ray.init(
        num_cpus=workers,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])}},
    )
    spread, together = CarryWorkers(worlds, workers), CarryVector(worlds)
    assert np.array_equal(spread.reset(3), together.reset(seed=3)[0])
    print(f"Ray {ray.__version__}: {worlds} environments in {len(spread.processes())} processes")
    random = np.random.default_rng(7)
    episodes, seconds = 0, 0.0
    for _ in range(steps):
        action = random.uniform(-1, 1, (worlds, 1)).astype(np.float32)
        begin = time.perf_counter()
        a = spread.step(action)
        seconds += time.perf_counter() - begin
        b = together.step(action)
        assert all(np.array_equal(x, y) for x, y in zip(a, b[:4]))
        episodes += int((a[2] | a[3]).sum())
    print(f"{workers} workers and one batch: equal bits in {steps} steps, {episodes} episodes ended")
    print(f"{1e6 * seconds / worlds / steps:.1f} us an environment and step on the workers")
    ray.shutdown()


if __name__ == "__main__":
    main()
