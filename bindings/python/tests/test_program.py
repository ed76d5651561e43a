# SPDX-License-Identifier: MIT
"""The program that the wheel brings: it is the package's own version, and does the same."""

import subprocess
import sys
from pathlib import Path

import pytest

import lanefold

PROGRAM = Path(lanefold.__file__).parent / "bin" / "lanefold"
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="an installation without the program")


def run(*arguments):
    command = [Path(sys.executable).parent / "lanefold", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_it_has_the_version_of_the_package():
    assert lanefold.__version__ in run("--version")


def test_it_bakes_what_the_package_bakes(tmp_path):
    scene, contacts, ours = tmp_path / "scene", tmp_path / "contacts", tmp_path / "ours"
    run("generate", "debris", scene, "--bodies", "60", "--frames", "4")
    run("collide", scene, "-o", contacts, "--margin", "0.02")
    assert "missed                   0" in run("verify", scene, contacts)
    lanefold.Bake(scene, ours, margin=0.02).make()
    names = sorted(p.name for p in contacts.iterdir() if p.name != "log")
    assert len(names) == 9
    assert all((contacts / name).read_bytes() == (ours / name).read_bytes() for name in names)


def test_its_errors_are_the_programs():
    done = subprocess.run([Path(sys.executable).parent / "lanefold", "no_such_command"], capture_output=True, text=True)
    assert done.returncode != 0 and "no_such_command" in done.stderr + done.stdout
