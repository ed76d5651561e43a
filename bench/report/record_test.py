#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of records: Google Benchmark's JSON of a process says what a file of version 1 said, and nothing is lost on the
way: clocks, threads, counts that one sample lacks."""
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCH))
from report import planted, record, results, series  # noqa: E402

COMMIT = "0123456789ab"


def planted_process(turn=0):
    rows = [planted.timing("pile", "lanefold", [10.25, 11.5, 12.75], instructions=[900.0, None, 1100.5]),
            planted.timing("pile", "jolt", [90.0, 91.0, 92.0]),
            planted.timing("pile", "lanefold", [10.5, 11.0, 12.0], subset="share-0.25", order="shuffled"),
            planted.timing("pile@1e-05", "lanefold-t4", [3.0, 4.0, 5.0], subset="threads", threads=4, clock="wall")]
    return planted.result(turn, rows, COMMIT, refusals=[{"scene": "pile", "engine": "ode", "why": 'a "reason"\n/'}])


class Record(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def write(self, name, data):
        path = self.folder / name
        path.write_text(json.dumps(data))
        return path

    def both(self, turn=0):
        old = planted_process(turn)
        return self.write(f"old{turn}.json", old), self.write(f"new{turn}.json", planted.record(old))

    def test_a_record_says_what_version_1_said(self):
        old, new = (results.load(path) for path in self.both())
        self.assertEqual(len(new["timings"]), 4)
        self.assertEqual({k: new[k] for k in old if k not in ("path", "version")},
                         {k: old[k] for k in old if k not in ("path", "version")})
        self.assertEqual([r["clock"] for r in new["timings"]], ["thread", "thread", "thread", "wall"])
        self.assertNotIn("instructions", new["timings"][0]["samples"][1])
        self.assertEqual(new["timings"][0]["samples"][2]["instructions"], 1100.5)

    def test_processes_make_one_series_whatever_they_wrote(self):
        paths = [self.both(turn) for turn in range(3)]
        merged = [series.merge([results.read(pair[k]) for pair in paths], {}) for k in (0, 1)]
        self.assertEqual(merged[0]["timings"], merged[1]["timings"])
        self.assertEqual({k: v for k, v in merged[0].items()}, {k: v for k, v in merged[1].items()})
        self.assertEqual(merged[1]["timings"][0]["processes"], 3)

    def test_a_benchmark_that_failed_gives_no_sample(self):
        data = planted.record(planted_process())
        data["benchmarks"][1] = {"run_name": data["benchmarks"][1]["run_name"], "error_occurred": True,
                                 "error_message": "none"}
        self.assertEqual(record.facts_of(data)["timings"][0]["ns"], [10.25, 12.75])

    def test_other_files_are_refused_and_named(self):
        foreign = {"context": {"date": "2026"}, "benchmarks": []}
        newer = planted.record(planted_process())
        newer["context"]["version"] = "3"
        for data, why in ((foreign, "not a result file"), ({"context": 1}, "not a result file"), ([], "not a result"),
                          ({"context": {"format": "{"}}, "not a result file"), (newer, "version 3")):
            with self.assertRaisesRegex(results.BadResults, f"other.json: .*{why}"):
                results.read(self.write("other.json", data))


if __name__ == "__main__":
    unittest.main()
