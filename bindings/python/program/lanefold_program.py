# SPDX-License-Identifier: MIT
"""Starts the program `lanefold` that the wheel brings. Not a part of the package lanefold, whose import would take
longer than the program."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "lanefold" / "bin" / "lanefold"


def main() -> None:
    if not PROGRAM.exists():
        sys.exit("lanefold: this wheel was built without the program; ./dev wheel builds it with it")
    os.execv(PROGRAM, [os.fspath(PROGRAM), *sys.argv[1:]])
