# SPDX-License-Identifier: MIT
"""The vector environment of examples/python, where Gymnasium is installed (./dev wheel --test --long)."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT

pytest.importorskip("gymnasium")


def test_the_checker_passes_it_and_worlds_together_are_as_alone():
    example = ROOT / "examples/python/vector_environment.py"
    command = [sys.executable, "-W", "error::UserWarning", example, "64", "210"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "the checker has passed the environment" in ran.stdout
    episodes = re.search(r"equal bits in 450 steps, (\d+) episodes ended", ran.stdout)
    assert episodes and int(episodes[1]) > 8, ran.stdout
    ended = re.search(r"64 environments, 210 steps: .* us each, (\d+) episodes ended", ran.stdout)
    assert ended and int(ended[1]) >= 64, ran.stdout
