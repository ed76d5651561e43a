# SPDX-License-Identifier: MIT
"""Environments on workers of Ray, where Ray and Gymnasium are installed (./dev wheel --test --long)."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLE = ROOT / "examples/python/environments_ray.py"


def test_two_workers_have_the_bits_of_one_batch():
    pytest.importorskip("ray")
    pytest.importorskip("gymnasium")
    ran = subprocess.run([sys.executable, EXAMPLE, "24", "230"], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(r"24 environments in 2 processes", ran.stdout), ran.stdout
    episodes = re.search(r"2 workers and one batch: equal bits in 230 steps, (\d+) episodes ended", ran.stdout)
    assert episodes and int(episodes[1]) >= 24, ran.stdout


def test_without_the_packages_it_says_which():
    code = "import runpy, sys; sys.modules['ray'] = None; runpy.run_path(sys.argv[1], run_name='__main__')"
    ran = subprocess.run([sys.executable, "-c", code, EXAMPLE], capture_output=True, text=True)
    assert ran.returncode == 1
    assert "environments_ray.py needs the packages ray and gymnasium: pip install ray==" in ran.stderr
