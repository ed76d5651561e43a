#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the options of lanefold_bench: what cannot be measured is refused before anything is measured, with status 2
and the name of the option. `bench/src/options/test.py LANEFOLD_BENCH LANEFOLD`; ctest runs it in build/bench."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bench"))
from report import results  # noqa: E402

PILE = ROOT / "tests" / "data" / "scenes" / "boxes_pile"
SMALL = ["--no-peers", "--rounds", "1", "--pairs", "300", "--oracle", "5", "--pass", "0.01"]


def run(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)


class Options(unittest.TestCase):
    def refused(self, words, *texts):
        done = run(*words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), (words, done.stderr))
        for text in ("lanefold_bench: ", *texts):
            self.assertIn(text, done.stderr, words)

    def test_numbers_that_are_none_wrap_or_overflow(self):
        pairs, any_ = "from 1 to 1000000000", "from 0 to 18446744073709551615"
        for option, allowed in (("--pairs", pairs), ("--oracle", any_), ("--count", any_), ("--stream", any_),
                                ("--seed", any_), ("--frames", "from 1 to 18446744073709551615"),
                                ("--turn", "from 0 to 4294967295"), ("--threads", "from 0 to 4096"),
                                ("--bodies", "from 1 to 4294967295"), ("--rounds", "from 1 to 1000000"),
                                ("--processor", "from 0 to 2147483647")):
            for value in ("-1", "18446744073709551616", "1e3", "1.5", "0x10", "abc", "+1"):
                self.refused([f"{option}={value}"], f"{option}: must be a whole number {allowed}, not '{value}'")
        for option in ("--pairs", "--rounds", "--frames", "--bodies"):
            self.refused([option, "0"], f"{option}: must be a whole number from 1")
        self.refused(["--pairs", "1000000001"], pairs)
        for value in ("0", "-1", "1000000001", "1000,-1"):
            self.refused(["--scaling", f"--sizes={value}"], f"--sizes: must be a whole number {pairs}")

    def test_margins_and_shares(self):
        for value in ("-1", "nan", "inf", "1e39", "1e999", "one"):
            self.refused([f"--margin={value}"], f"--margin: must be 0 or more and finite, not '{value}'")
        for value in ("0", "-0.1", "nan", "inf"):
            self.refused([f"--pass={value}"], f"--pass: must be more than 0 and finite, not '{value}'")
        for value in ("lanefold", "lanefold=abc", "lanefold=", "lanefold=-0.1", "lanefold=nan"):
            self.refused([f"--slow={value}"], f"--slow {value}: must be ENGINE=SHARE with a share of 0 or more")

    def test_names_that_nothing_has(self):
        some = [*SMALL, "--synthetic", "debris"]
        self.refused([*some, "--engines", "nosuch"], "--engines nosuch", "there are lanefold, lanefold-strict")
        self.refused([*some, "--engines", "lanefold,nosuch"], "--engines nosuch")
        self.refused([*some, "--slow", "foo=0.1"], "--slow foo", "there are lanefold, lanefold-strict")
        self.refused(["--cliffs", "--placements", "nosuch"], "--placements nosuch", "there are flat-deep, ", "nested")
        for name in ("nosuch", "vertices-", "vertices-3", "vertices-abc", "vertices-10001", "share-nosuch"):
            self.refused([*some, "--sweep", f"vertices,{name}"], f"--sweep {name}", "vertices-N (N from 4 to 10000)")
        self.refused([*some, "--synthetic", "nosuch"], "--synthetic nosuch", "boxes, debris, rocks42")
        self.refused([*some, "--stream", "10", "--stream-scenes", "nosuch"], "--stream-scenes nosuch")
        self.refused(["--processor", "2147483647"], "--processor 2147483647: this process may run on ")
        self.refused(["--nosuch"], "--nosuch")

    def test_options_that_need_another(self):
        for mode in ("--warm", "--certificates"):
            self.refused([mode], f"{mode} takes the frames of scene folders: give --scene DIR or --scenes DIR")
            self.refused([mode, "--synthetic", "debris"], "scene folders", "and no --synthetic")
            self.refused([mode, "--scene", PILE, "--synthetic", "debris"], "scene folders", "and no --synthetic")
            self.refused([mode, "--scene", PILE, "--json", "x.json"], f"--json x.json: {mode} only prints")
        self.refused(["--moving"], "--moving takes the frames of scene folders: give --scene DIR or --scenes DIR")
        self.refused(["--placements", "grid"], "--placements requires --cliffs or --steady")
        self.refused(["--sizes", "1000"], "--sizes requires --scaling")
        self.refused(["--stream-scenes", "boxes"], "--stream-scenes requires --stream")
        self.refused(["--scaling"], "--scaling needs --json FILE")
        self.refused(["--scaling", "--json", "x.json", "--synthetic", "none"], "nothing to measure")
        self.refused(["--cliffs", "--methods"], "one at a time, not all of --methods, --cliffs")
        self.refused(["--synthetic", "none"], "nothing to measure")

    def test_frames_that_are_too_few(self):
        none = ["--scene", PILE, "--synthetic", "none", *SMALL]
        for mode in ([], ["--certificates"], ["--warm"]):
            self.refused([*mode, *none, "--frames", "0"], "--frames: must be a whole number from 1")
        self.refused(["--certificates", *none], "--certificates needs consecutive frames: give --frames 2 or more")
        self.refused(["--scaling", "--json", "x.json", "--scene", PILE],
                     "--scaling needs 7 consecutive frames of a scene: give --frames 7 or more, not 1")
        self.refused(["--moving", *none], "--moving needs 60 consecutive frames: give --frames 60 or more, not 1")
        self.refused(["--warm", *none], "--warm needs 30 consecutive frames: give --frames 30 or more, not 1")

    def test_files_and_folders(self):
        some = [*SMALL, "--synthetic", "debris"]
        self.refused([*some, "--json", "/nosuch/x.json"], "--json /nosuch/x.json: cannot be written: No such file")
        self.refused(["--scene", "/nosuch"], "--scene /nosuch: this is no scene folder")
        self.refused(["--scenes", "/nosuch"], "--scenes /nosuch: there is no such folder")
        with tempfile.TemporaryDirectory() as folder:
            self.refused(["--scenes", folder], "no scene folder is in it")
            self.refused([*some, "--json", folder], f"--json {folder}: cannot be written")
            kept, new = pathlib.Path(folder) / "kept.json", pathlib.Path(folder) / "new.json"
            kept.write_text("mine")
            for file in (kept, new):
                self.refused([*some, "--json", file, "--engines", "nosuch"], "--engines nosuch")
            self.assertEqual(kept.read_text(), "mine")
            self.assertFalse(new.exists())
            done = run(*some, "--json", new, "--engines", "lanefold", "--slow", "lanefold=0.5")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual({t["engine"] for t in results.load(new)["timings"]}, {"lanefold"})

    def test_moving_scenes_are_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder) / "scene"
            subprocess.run([TOOL, "generate", "debris", scene, "--bodies", "12", "--hulls", "4", "--frames", "30",
                            "--seconds", "1", "--progress", "none"], check=True, capture_output=True)
            warm = run("--warm", "--scene", scene, "--frames", "30", "--rounds", "1")
            self.assertEqual(warm.returncode, 0, warm.stderr)
            self.assertIn("30 frames", warm.stdout)
            few = run("--warm", "--scene", PILE, "--frames", "30")
            self.assertEqual(few.returncode, 2)
            self.assertRegex(few.stderr, r"boxes_pile: --warm needs 30 consecutive frames, this scene has \d+\n")
            found = run("--certificates", "--scene", scene, "--frames", "2")
            self.assertEqual(found.returncode, 0, found.stderr)
            self.assertIn("step    0: motion", found.stdout)
            boxes = pathlib.Path(folder) / "boxes"
            subprocess.run([TOOL, "generate", "boxes", boxes, "--bodies", "8", "--frames", "2", "--seconds", "0.1",
                            "--progress", "none"], check=True, capture_output=True)
            self.assertIn("step    0: no pair", run("--certificates", "--scene", boxes, "--frames", "2").stdout)

    def test_documents_name_options_that_are_there(self):
        text = (ROOT / "bench" / "README.md").read_text()
        table = re.findall(r"^\| (`--.*?) \|", text, re.MULTILINE)
        names = set(re.findall(r"--[a-z-]+", " ".join(table)))
        self.assertGreater(len(names), 20)
        there = set(re.findall(r"--[a-z-]+", run("--help").stdout))
        self.assertEqual(names - there, set())


if __name__ == "__main__":
    PROGRAM, TOOL = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
