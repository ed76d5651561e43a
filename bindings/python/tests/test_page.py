# SPDX-License-Identifier: MIT
"""Runs the code of docs/python.md and README, compares the page's output with it. Runs the example, too."""

import re
import subprocess
import sys

from conftest import ROOT


def test_the_page_prints_what_it_says(capsys):
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(python|text)\n(.*?)```", text, re.DOTALL)
    assert sum(kind == "python" for kind, _ in blocks) >= 5
    names: dict = {"__name__": "page"}
    compared = 0
    for i, (kind, body) in enumerate(blocks):
        if kind == "python":
            exec(compile(body, f"docs/python.md block {i}", "exec"), names)
        else:
            assert capsys.readouterr().out == body
            compared += 1
    assert compared >= 3


def test_the_readme_gives_the_contact_of_two_cubes():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    names: dict = {}
    exec(compile(blocks[0], "README.md", "exec"), names)
    assert len(blocks) == 1 and abs(names["records"]["distance"][0] + 0.1) < 2e-6 and names["result"].points == 4


def test_the_example_makes_its_plot(tmp_path):
    out = tmp_path / "plot.svg"
    run = subprocess.run(
        [sys.executable, ROOT / "examples/python/falling_apart.py", out], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    svg = out.read_text()
    assert "<svg" in svg and svg.count('<g id="line2d_') > 20
    assert "frames" in run.stdout
