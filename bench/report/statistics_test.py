#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the statistics of a page: intervals cover, planted slowdowns are found, contradictions are refused,
disturbed samples are marked and kept, a series that was interrupted goes on."""

import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCH))
from report import agreement, checks, intervals, plan, planted, results, samples, series, stored  # noqa: E402

# A page that was measured before the checks were made, in one process and on sources that were not committed.
OLD_PAGE = BENCH.parent / "tests" / "data" / "bench" / "2026-11-22-amd-epyc-model-17.json.xz"


def head():
    found = subprocess.run(["git", "-C", str(BENCH), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
    return found.stdout.strip() if found.returncode == 0 else None


COMMIT = head() or "0123456789ab"


class Intervals(unittest.TestCase):
    def test_interval_of_ten_processes_covers_the_median(self):
        """Times have a long tail, so they are drawn from a lognormal distribution, whose median is known."""
        numbers = random.Random(7)
        draws = 600
        covered = 0
        for _ in range(draws):
            low, high = intervals.bootstrap_median([100 * math.exp(numbers.gauss(0, 0.05)) for _ in range(10)])
            covered += low <= 100 <= high
        # The bootstrap of a median of ten is known to fall a little short of 95%.
        self.assertGreater(covered / draws, 0.90)
        self.assertLess(covered / draws, 0.99)

    def test_interval_lies_around_the_median_and_needs_two(self):
        low, high = intervals.bootstrap_median([3, 1, 2, 5, 4])
        self.assertTrue(1 <= low <= 3 <= high <= 5)
        self.assertIsNone(intervals.bootstrap_median([1.0]))

    def test_percentiles(self):
        self.assertEqual(intervals.percentile([4, 1, 3, 2], 0.5), 2.5)
        self.assertEqual(intervals.percentile(range(101), 0.05), 5)


class Samples(unittest.TestCase):
    def row(self, **planted_fields):
        row = planted.timing("s", "lanefold", [100.0] * 20)
        for name, value in planted_fields.items():
            row[name][3] = value
        row["samples"] = samples.samples_of(row, 0)
        samples.mark([row])
        return row

    def test_each_disturbance_is_marked_and_only_its_sample(self):
        for word, field in {"clock": {"ghz": 2.5}, "neighbour": {"width": 2.2}, "waited": {"switches": 1},
                            "stolen": {"stolen": 0.1}, "others": {"ready": 2}}.items():
            row = self.row(**field)
            self.assertEqual([s["disturbed"] for s in row["samples"]], [""] * 3 + [word] + [""] * 16)
        self.assertTrue(all(s["disturbed"] == "" for s in self.row()["samples"]))

    def test_disturbed_samples_are_kept(self):
        row = self.row(others=0.5)
        samples.summarise(row)
        self.assertEqual(row["disturbed"], 1)
        self.assertEqual(len(row["samples"]), 20)

    def test_csv_has_one_sample_a_line_and_gives_the_rows_back(self):
        whole = series.merge(planted.processes({("a", "lanefold"): 50, ("b", "x"): 70}, 1, COMMIT), {})
        text = samples.to_csv(whole["timings"])
        self.assertEqual(text, samples.to_csv(whole["timings"]))
        again = samples.from_csv(text)
        self.assertEqual([r["samples"] for r in again], [r["samples"] for r in whole["timings"]])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "s.json"
            series.write(whole, path)
            lines = stored.read(series.csv_path(path)).splitlines()
            self.assertEqual(len(lines), 1 + 2 * 10 * 3)
            loaded = results.load(path)
            for a, b in zip(loaded["timings"], whole["timings"]):
                self.assertEqual((a["median"], a["low"], a["high"]), (b["median"], b["low"], b["high"]))


class Series(unittest.TestCase):
    def test_processes_that_do_not_belong_together_are_refused(self):
        def merged(**change):
            all_ = planted.processes({("a", "lanefold"): 50}, 1, COMMIT, count=3)
            all_[2] = {**all_[2], **change}
            return series.merge(all_, {})

        self.assertEqual(merged()["timings"][0]["processes"], 3)
        with self.assertRaisesRegex(series.BadSeries, "commit"):
            merged(machine={**planted.result(2, [], "ffffffffffff")["machine"]})
        with self.assertRaisesRegex(series.BadSeries, "seed"):
            merged(seed=2)
        with self.assertRaisesRegex(series.BadSeries, "different results"):
            merged(scenes=[planted.scene("a", "1" * 16)])

    def test_a_row_of_frames_that_some_processes_leave_out_is_left_out_and_named(self):
        found = planted.processes({("a", "lanefold"): 50, ("a", "slow"): 4000}, 1, COMMIT)
        for data in found:
            data["timings"] += [{**t, "subset": "frames"} for t in data["timings"]]
        found[3]["timings"] = [t for t in found[3]["timings"] if (t["engine"], t["subset"]) != ("slow", "frames")]
        whole = {**series.merge(found, {}), "path": "p"}
        self.assertEqual([(r["engine"], r["subset"], r["processes"]) for r in whole["timings"]],
                         [("lanefold", "all", 10), ("slow", "all", 10), ("lanefold", "frames", 10)])
        self.assertEqual(whole["borderline"], ["a, frames in motion: slow is too slow in 1 of 10 processes"])
        self.assertEqual(checks.too_few_processes(whole), [])
        # Any other row must be in all processes.
        found[3]["timings"] = [t for t in found[3]["timings"] if t["engine"] != "slow"]
        self.assertEqual(len(checks.too_few_processes({**series.merge(found, {}), "path": "p"})), 1)

    def test_every_turn_has_every_job_once_in_its_own_order(self):
        jobs = plan.page_jobs("/s", 2)
        order = plan.turns(jobs, 10, 1)
        self.assertEqual(order, plan.turns(jobs, 10, 1))
        self.assertNotEqual(order, plan.turns(jobs, 10, 2))
        names = [[j.name for t, j in order if t == turn] for turn in range(10)]
        for one in names:
            self.assertEqual(sorted(one), sorted(j.name for j in jobs))
        self.assertEqual(len({tuple(n) for n in names}), 10)


class Checks(unittest.TestCase):
    def planted_series(self, other_ns, settings="isa avx2, output dense, threads 1", subset="all"):
        """Two rows of lanefold, under two names."""
        found = planted.processes({("a", "lanefold"): 200, ("a", "lanefold-avx2"): other_ns}, 1, COMMIT)
        engines = [planted.engine("lanefold", "isa avx2, output dense, threads 1"),
                   planted.engine("lanefold-avx2", settings)]
        for data in found:
            data["engines"] = engines
            data["timings"][1]["subset"] = subset
        return {**series.merge(found, {}), "path": "planted"}

    def test_two_times_of_one_configuration_are_refused(self):
        found = checks.contradiction_complaints(self.planted_series(280))
        self.assertEqual(len(found), 1)
        self.assertIn("two times", found[0])
        self.assertEqual(len(checks.contradiction_complaints(self.planted_series(280, subset="threads"))), 1)

    def test_equal_times_and_other_configurations_are_accepted(self):
        self.assertEqual(checks.contradiction_complaints(self.planted_series(200)), [])
        other = self.planted_series(280, settings="isa scalar, output dense, threads 1")
        self.assertEqual(checks.contradiction_complaints(other), [])

    def test_the_page_of_2026_11_22_is_refused(self):
        """It showed one configuration of debris_pile at 205, 297 and 303 ns."""
        data = results.load(OLD_PAGE)
        found = [(a["engine"], round(a["median"]), round(b["median"])) for a, b in checks.contradictions(data)
                 if a["scene"] == "debris_pile"]
        self.assertIn(("lanefold", 205, 297), found)
        self.assertIn(("lanefold", 205, 303), found)

    def test_nine_processes_are_too_few(self):
        for count, complaints in ((9, 1), (10, 0)):
            whole = series.merge(planted.processes({("a", "lanefold"): 50}, 1, COMMIT, count=count), {})
            self.assertEqual(len(checks.too_few_processes({**whole, "path": "p"})), complaints)


    def test_a_busy_machine_gives_no_page(self):
        for busy, complaints in ((4, 0), (6, 1)):
            found = planted.processes({("a", "lanefold"): 50}, 1, COMMIT)
            for data in found[:busy]:
                data["timings"][0]["ready"] = [3, 3, 3]
            whole = {**series.merge(found, {}), "path": "p"}
            self.assertEqual(len(checks.busy_machine(whole)), complaints)
            self.assertEqual(sum(len(r["samples"]) for r in whole["timings"]), 30)


class Slowdown(unittest.TestCase):
    def test_planted_five_per_cent_is_found_in_single_rows(self):
        """Half of forty rows are slower by 5%. Each of them whose interval is below 2% is found, and no other row."""
        before = {(f"scene{i}", "lanefold"): 20.0 * 1.13**i for i in range(40)}
        slow = {f"scene{i}" for i in range(0, 40, 2)}
        after = {k: v * (1.05 if k[0] in slow else 1) for k, v in before.items()}
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, medians, seed in (("before", before, 1), ("after", after, 2)):
                whole = series.merge(planted.processes(medians, seed, COMMIT), {})
                paths.append(pathlib.Path(folder) / f"{name}.json")
                series.write(whole, paths[-1])
            done = subprocess.run([sys.executable, str(BENCH / "compare"), *map(str, paths)], capture_output=True,
                                  text=True)
            narrow = {r["scene"] for p in paths for r in results.load(p)["timings"]
                      if intervals.half_width((r["low"], r["high"]), r["median"]) < 0.02}
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        found = {line.split()[0] for line in done.stdout.splitlines() if line.endswith("SLOWER")}
        self.assertGreater(len(narrow & slow), 15)
        self.assertEqual(found & narrow, slow & narrow)
        self.assertEqual(found - slow, set())
        self.assertIn("have 95% intervals that overlap", done.stdout)


class Agreement(unittest.TestCase):
    MEDIANS = {(f"scene{i}", engine): 20.0 * 1.13**i * times
               for i in range(40) for engine, times in (("lanefold", 1), ("Jolt", 7.0))}

    def series(self, folder, times, clock):
        """The files of two series. `times`: factors of the rows of the second one, by engine."""
        paths = []
        for name, factors, ghz, seed in (("one", {}, 3.0, 1), ("other", times, clock, 2)):
            medians = {k: v * factors.get(k[1], 1) * 3.0 / ghz for k, v in self.MEDIANS.items()}
            found = planted.processes(medians, seed, COMMIT)
            for timing in (t for data in found for t in data["timings"]):
                timing["ghz"] = [ghz] * len(timing["ns"])
            paths.append(pathlib.Path(folder) / f"{name}.json")
            series.write(series.merge(found, {}), paths[-1])
        return paths

    def compared(self, times, clock):
        """The text of bench/compare about two series."""
        with tempfile.TemporaryDirectory() as folder:
            files = map(str, self.series(folder, times, clock))
            return subprocess.run([sys.executable, str(BENCH / "compare"), *files], capture_output=True,
                                  text=True).stdout

    def share(self, text, pattern):
        return int(re.search(r"(?m)^(\d+)% " + pattern, text).group(1))

    def test_another_clock_of_the_host_changes_times_and_nothing_else(self):
        text = self.compared({}, 2.4)
        self.assertEqual(self.share(text, "of 80 rows have 95% intervals that overlap"), 0)
        self.assertGreater(self.share(text, "of the 80 rows of one thread do in core cycles"), 80)
        factor = re.search(r"the median change of all rows, a factor of ([\d.]+), is divided out", text).group(1)
        self.assertAlmostEqual(float(factor), 1.25, delta=0.02)
        self.assertGreater(self.share(text, "do after the median change"), 80)
        self.assertGreater(self.share(text, "of the 40 ratios of other engines to lanefold do"), 80)

    def test_a_ratio_that_changes_does_not_repeat(self):
        text = self.compared({"Jolt": 1.2}, 3.0)
        self.assertEqual(self.share(text, "of the 40 ratios of other engines to lanefold do"), 0)

    def test_the_page_tells_how_it_repeats_an_earlier_one_of_its_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            before, after = (results.load(p) for p in self.series(folder, {}, 2.4))
        text = agreement.other_days([after, before])
        row = [c.strip() for c in text.splitlines()[-1].strip("|").split("|")]
        self.assertEqual([row[1], row[3]], ["3.00 and 2.40", "0%"])
        self.assertAlmostEqual(float(row[2]), 1.25, delta=0.02)
        self.assertGreater(float(row[6].strip("%")), 80)
        before["machine"]["commit"] = "another"
        self.assertEqual(agreement.other_days([after, before]), "")


class Run(unittest.TestCase):
    """bench/run with a program that writes planted results."""

    def run_trial(self, folder, *options, **environment):
        return subprocess.run([sys.executable, str(BENCH / "run"), str(folder), "--trial", "--only",
                               "boxes_pile,mixed,deep", "--processes", "3", *options], capture_output=True, text=True,
                              env={**os.environ, "LANEFOLD_BENCH_SCENES": str(folder / "scenes"), **environment})

    def prepared(self, folder):
        for pile in plan.PILES:
            (folder / "scenes" / pile).mkdir(parents=True)
            (folder / "scenes" / pile / "scene.json").touch()
        (folder / "bench").mkdir()
        (folder / "bench" / "commit.hpp").write_text(f'#define LANEFOLD_COMMIT "{COMMIT}"\n')
        program = folder / "bench" / "lanefold_bench"
        text = planted.STUB.format(python=sys.executable, bench=str(BENCH), log=str(folder / "log"), commit=COMMIT)
        program.write_text(text)
        program.chmod(0o755)

    def test_an_interrupted_series_goes_on_and_loses_nothing(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.prepared(folder)
            died = self.run_trial(folder, DIE="4")
            self.assertNotEqual(died.returncode, 0)
            self.assertIn("--resume", died.stderr)
            done = self.run_trial(folder, "--resume")
            self.assertEqual(done.returncode, 0, done.stderr)
            log = (folder / "log").read_text().splitlines()
            self.assertEqual(len(log), 9)
            self.assertEqual(len(set(log)), 9)
            whole = results.load(folder / "trial" / "series.json")
            self.assertEqual({r["scene"]: r["processes"] for r in whole["timings"]},
                             {"boxes_pile": 3, "mixed": 3, "deep": 3})
            self.assertIn("A trial", (folder / "trial" / "docs" / "performance.md").read_text())
            other = self.run_trial(folder, "--resume", "--rounds", "9")
            self.assertIn("nothing that was measured with these settings", other.stderr)


if __name__ == "__main__":
    unittest.main()
