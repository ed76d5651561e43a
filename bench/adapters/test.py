#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the adapters' protocol: an engine behind it gives the results that it gives when it is linked, and a file
that is no adapter is named. `bench/adapters/test.py LANEFOLD_BENCH ADAPTER_OF_ODE`; ctest runs it in build/bench."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from report import results  # noqa: E402

ENGINES = ["ode", "ode-box"]
# An adapter of another version, in C: the header must be C, too.
OTHER_VERSION = """#include "adapter.h"
static const LanefoldAdapter adapter = {LANEFOLD_ADAPTER_VERSION + 1};
const LanefoldAdapter* lanefold_adapter(void) { return &adapter; }
"""


def run(*more):
    """(process, what it wrote) of a small measurement."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "r.json"
        command = [PROGRAM, "--synthetic", "boxes,debris,big", "--engines", ",".join(ENGINES), "--pairs", "1500",
                   "--rounds", "1", "--pass", "0.01", "--oracle", "300", "--json", result, *more]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        return done, results.load(result) if result.exists() else None


class Adapter(unittest.TestCase):
    def test_an_engine_behind_the_protocol_gives_the_same_results(self):
        linked_run, linked = run()
        adapted_run, adapted = run("--adapter", ODE)
        self.assertEqual((linked_run.returncode, adapted_run.returncode), (0, 0), adapted_run.stderr)
        self.assertEqual(linked["quality"], adapted["quality"])
        self.assertEqual(linked["refusals"], adapted["refusals"])
        self.assertEqual(linked["engines"], adapted["engines"])
        # Enough was compared: contacts of boxes and hulls, and a refusal on each scene of hulls.
        found = {(q["scene"], q["engine"]): q["found"] for q in adapted["quality"]}
        self.assertEqual(sorted(found), [("big", "ode"), ("boxes", "ode"), ("boxes", "ode-box"), ("debris", "ode")])
        self.assertGreater(min(found.values()), 50)
        self.assertEqual(len(adapted["refusals"]), 2)
        timed = {(t["scene"], t["engine"]) for t in adapted["timings"]}
        self.assertEqual(timed, set(found))

    def test_a_file_that_is_no_adapter_is_named(self):
        for file, why in (("/nowhere/engine.so", "/nowhere/engine.so"), (HERE / "adapter.h", "adapter.h"),
                          ("libm.so.6", "has no function lanefold_adapter")):
            done, result = run("--adapter", file)
            self.assertEqual(done.returncode, 2)
            self.assertIn(why, done.stderr)
            self.assertIsNone(result)

    def test_another_version_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            source, library = pathlib.Path(folder) / "a.c", pathlib.Path(folder) / "a.so"
            source.write_text(OTHER_VERSION)
            subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers",
                            "-shared", "-fPIC", f"-I{HERE}", source, "-o", library], check=True)
            done, result = run("--adapter", library)
            self.assertEqual(done.returncode, 2)
            self.assertIn("another version", done.stderr)
            self.assertIsNone(result)


if __name__ == "__main__":
    PROGRAM, ODE = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
