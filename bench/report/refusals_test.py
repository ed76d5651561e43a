#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what the scripts of this folder refuse: at once, with a message and without a trace."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parent.parent
STORED = sorted((BENCH / "results").glob("20*.json.xz"))[-1]


class Refusals(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def refused(self, status, text, script, *words):
        done = subprocess.run([sys.executable, BENCH / script, *map(str, words)], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, (words, done.stderr))
        self.assertIn(text, done.stderr, words)
        self.assertNotIn("Traceback", done.stderr, words)

    def build(self, commit="0123456789ab"):
        """A build directory with the benchmark only."""
        (self.folder / "bench").mkdir()
        (self.folder / "bench" / "commit.hpp").write_text(f'#define LANEFOLD_COMMIT "{commit}"\n')
        (self.folder / "bench" / "lanefold_bench").write_text("")
        return self.folder

    def test_run_without_a_build(self):
        for mode in ([], ["--scaling"]):
            self.refused(1, "/nosuch has no bench/lanefold_bench: ./dev build bench builds it", "run", "/nosuch", *mode)
        for mode in (["--page"], ["--trial"]):
            self.refused(1, "/nosuch has no bench/commit.hpp", "run", "/nosuch", *mode)

    def test_run_without_the_program_that_makes_scenes(self):
        build = self.build()
        for mode in ([], ["--page"], ["--trial", "--only", "crates"]):
            self.refused(1, f"{build} has no tools/lanefold", "run", build, *mode)
        self.assertEqual([p.name for p in build.iterdir()], ["bench"])

    def test_run_of_a_page_that_would_be_refused_after_an_hour(self):
        self.refused(1, "--processes 2: a page needs 10 or more; --trial takes fewer", "run", self.build(), "--page",
                     "--processes", "2")
        for option, least in (("--processes", 1), ("--rounds", 1), ("--seed", 0)):
            for value in ("-1", "abc", "1.5"):
                self.refused(2, f"{option}: must be a whole number of {least} or more, not '{value}'", "run",
                             self.folder, "--page", f"{option}={value}")

    def test_run_with_options_that_do_not_go_together(self):
        for options in (["--processes", "2"], ["--resume"], ["--only", "mixed"]):
            self.refused(1, "go with --page or --trial", "run", self.folder, *options)
        self.refused(1, "--only goes with --trial", "run", self.folder, "--page", "--only", "mixed")
        self.refused(1, "--scaling does not go with", "run", self.folder, "--page", "--scaling")

    def test_plots_into_a_folder_without_a_page(self):
        docs = self.folder / "docs"
        self.refused(1, f"--docs {docs}: there is no performance.md", "plots", STORED, "--docs", docs)
        self.assertFalse(docs.exists())
        docs.mkdir()
        (docs / "performance.md").write_text("# Performance\n")
        self.refused(1, "performance.md lacks the marks", "plots", STORED, "--docs", docs)
        self.assertEqual([p.name for p in docs.iterdir()], ["performance.md"])

    def test_compare(self):
        program = self.build() / "bench" / "lanefold_bench"
        for value in ("0", "-1", "one"):
            self.refused(2, f"--runs: must be a whole number of 1 or more, not '{value}'", "compare", f"--runs={value}",
                         "--programs", program, program)
        self.refused(2, "--plant: must be a finite number of 0 or more, not 'nan'", "compare", "--plant", "nan", "a",
                     "b")
        self.refused(2, "--programs: a is no program", "compare", "--programs", "a", "b")
        self.refused(2, f"--programs: {program} is no program", "compare", "--programs", program, program)
        self.refused(2, "/nosuch.json", "compare", "/nosuch.json", STORED)
        self.refused(2, "exclude each other", "compare", STORED, STORED, "--programs", "a", "b")

    def test_response_from_what_is_none(self):
        self.refused(1, "/nosuch.json: ", "response", "--from", "/nosuch.json")
        other = self.folder / "other.json"
        for text in ("", "[1]", '{"a": 1}'):
            other.write_text(text)
            self.refused(1, "other.json: ", "response", "--from", other)

    def test_compare_with_programs_that_measure_nothing(self):
        self.refused(2, "run-0-b.json", "compare", "--runs", "1", "--programs", "/bin/true", "/bin/true")


if __name__ == "__main__":
    unittest.main()
