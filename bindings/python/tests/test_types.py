# SPDX-License-Identifier: MIT
"""Type checkers know the keywords of the calls. Needs mypy and pyright: `./dev wheel --test --long`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "python.md"
WRONG = """import numpy as np
import lanefold

hulls = lanefold.build_hulls(np.zeros((4, 3)))
lanefold.collide(hulls, [], [], [], [], marginn=0.1)
lanefold.collide(hulls, [], [], [], [], threads="two")
lanefold.World(hulls, gravitation=3)
lanefold.ContactStream(hulls, [], cache=None)
lanefold.WorldBatch(hulls, 2).add_bodies([], [], [], masss=1)
"""

SHAPES = """import numpy as np
import lanefold

floor: lanefold.Hulls = lanefold.build_half_spaces([0, 0, 1])
pair = lanefold.build_compounds(floor, [[0, 0, 0]], [[0, 0, 0, 1]], [0])
ids: np.ndarray = lanefold.ScaledHulls(pair).take(0, [1, 2, 3])
ground: lanefold.Surface = lanefold.build_height_field(np.zeros((3, 3)), borrow=False)
count: int = ground.report.welded.count
contacts = lanefold.collide_surface(ground, pair, [], [], [], margin=0.1)
records: np.ndarray = contacts.records
hits, rays = lanefold.cast_rays(pair, [], [], [], [])
left_out: int = rays.left_out
found, results, sums = lanefold.collide_worlds(pair, [], [], [], [], [0], margin=0.1)
truncated: int = sums.truncated
lanefold.collide_worlds(pair, [], [], [], [], [0], marginn=0.1)
lanefold.build_surface([], [], weld_tolerance="none")
lanefold.build_height_field([], keep=True)
wrong: str = ground.report.border_edges
lanefold.PairFinder().find(pair, [], [], [], worlds="two")
"""

QUERIES = """import lanefold

finder = lanefold.PairFinder()
hits, rays = finder.cast_rays([], any=True)
offsets, points, sums = finder.closest_points_all([], [], [], 1.0, threads=1)
near: int = sums.candidates
events = lanefold.Events("folder")
fastest: float = float(events.closing_speed.max())
measures, result = lanefold.measure_contacts(lanefold.build_half_spaces([0, 0, 1]), [], [], [], [])
volume: float = result.volume
finder.cast_rays([], back_face=1, any="yes")
wrong: str = sums.candidates
lanefold.Events(3)
"""


def run_checker(checker: str, program: str, folder: Path) -> set[int]:
    """Lines of the program with errors."""
    pytest.importorskip(checker)
    (folder / "program.py").write_text(program)
    options = ["--strict"] if checker == "mypy" else ["--pythonpath", sys.executable]
    command = [sys.executable, "-m", checker, *options, "program.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    lines = {int(n) for n in re.findall(r"program\.py:(\d+)(?::\d+)?(?: -|:) error", done.stdout)}
    assert (done.returncode == 0) == (not lines), done.stdout + done.stderr
    return lines


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_first_program_of_the_page_passes(checker: str, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)[:3]
    assert len(blocks) == 3 and "build_hulls" in blocks[0] and "collide" in blocks[1]
    assert run_checker(checker, "\n".join(blocks), tmp_path) == set()


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_misspelt_and_wrong_keywords_are_found(checker: str, tmp_path: Path) -> None:
    assert run_checker(checker, WRONG, tmp_path) == {5, 6, 7, 8, 9}


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_shapes_surfaces_rays_and_worlds_have_types(checker: str, tmp_path: Path) -> None:
    assert run_checker(checker, SHAPES, tmp_path) == {15, 16, 17, 18, 19}


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_queries_measures_and_events_have_types(checker: str, tmp_path: Path) -> None:
    assert run_checker(checker, QUERIES, tmp_path) == {11, 12, 13}
