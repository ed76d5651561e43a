# SPDX-License-Identifier: MIT
"""A scene that several tests use, and the path of the repository."""

from pathlib import Path

import numpy as np
import pytest

import lanefold

ROOT = Path(__file__).resolve().parents[3]
CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)


class Pile:
    """Random boxes and rocks close together, with candidate pairs."""

    def __init__(self, count: int = 300) -> None:
        random = np.random.default_rng(7)
        points = [CUBE * np.float32(0.5)] + [random.normal(size=(24, 3)).astype(np.float32) * 0.4 for _ in range(9)]
        self.offsets = np.cumsum([0] + [len(p) for p in points]).astype(np.uint64)
        self.hulls = lanefold.build_hulls(np.concatenate(points), self.offsets)
        self.position = random.uniform(-3, 3, (count, 3)).astype(np.float32)
        q = random.normal(size=(count, 4))
        self.orientation = (q / np.linalg.norm(q, axis=1, keepdims=True)).astype(np.float32)
        self.hull = random.integers(0, 10, count).astype(np.uint32)
        self.pairs = lanefold.PairFinder().find(self.hulls, *self.bodies, margin=0.1)

    @property
    def bodies(self):
        return self.position, self.orientation, self.hull


@pytest.fixture(scope="session")
def pile() -> Pile:
    return Pile()
