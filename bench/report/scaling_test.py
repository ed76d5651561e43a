#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the pages of scaling and of everyday scenes: they show what was recorded; the summary keeps its piles."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from report import everyday, plan, planted, plots, results, scaling  # noqa: E402

COMMIT = "0123456789ab"


def load(rows, folder, **more):
    data = planted.result(0, rows, COMMIT) | more
    return results.load(planted.write(data, pathlib.Path(folder) / "r.json"))


class Scaling(unittest.TestCase):
    def recorded(self, folder):
        # 100 ns on one thread, 40 on three; each scene has 10,000 pairs, 2 bodies and 100 bytes of hulls.
        rows = [planted.timing(scene, engine, [ns] * 3, subset="scaling", threads=threads, clock="wall")
                for scene in ("debris-1000", "debris-10000000") for form in ("", "-compact")
                for engine, threads, ns in ((f"lanefold{form}", 1, 100.0), (f"lanefold{form}-t3", 3, 40.0))]
        return load(rows, folder, copies=[{"threads": 1, "bytes": 2e9}, {"threads": 3, "bytes": 8e9}])

    def test_table_has_gain_efficiency_and_bandwidth(self):
        with tempfile.TemporaryDirectory() as folder:
            data = self.recorded(folder)
        text = scaling.scaling_table(data, "dense")
        self.assertEqual(text.count("\n"), 2 + 4)
        # 136 + 164 / 10,000 bytes in 40 ns are 3.4 GB/s, 43% of what three threads copy.
        self.assertIn("| debris | 10,000 | 3 | 40.0 | 0% | 2.50 | 83% | 3.4 | 43% |", text)
        self.assertIn("| debris | 10,000 | 1 | 100 | 0% | 1.00 | 100% | 1.4 | 68% |", text)
        self.assertIn("| 2.50 | 83% | - | - |", scaling.scaling_table(data, "compact"))

    def test_sizes_stand_in_order_and_the_plot_has_a_line_for_each(self):
        with tempfile.TemporaryDirectory() as folder:
            data = self.recorded(folder)
        self.assertEqual([s for s, _ in scaling.rows_of(data, "dense")], ["debris-1000", "debris-10000000"])
        drawn = scaling.plot(data)
        self.assertIn("debris-10000000", drawn)
        self.assertIn("Copying memory, GB/s: 2.0 by 1, 8.0 by 3.", scaling.page(data))


class Steps(unittest.TestCase):
    def recorded(self, folder):
        # 100, 200 and 300 ns on one thread; 50 of each on four.
        rows = [planted.timing("fall", call if threads == 1 else f"{call}-t{threads}", [ns] * 3, subset="steps",
                               threads=threads, clock="wall")
                for threads, times in ((1, (100.0, 200.0, 300.0)), (4, (50.0, 50.0, 50.0)))
                for call, ns in zip(scaling.CALLS, times)]
        return load(rows, folder)

    def test_table_has_every_call_beside_its_gain(self):
        with tempfile.TemporaryDirectory() as folder:
            data = self.recorded(folder)
        text = scaling.steps_table(data)
        self.assertEqual(text.count("\n"), 2 + 2)
        self.assertIn("| 4 | 50.0 | 0% | 2.00 | 50% | 50.0 | 0% | 4.00 | 100% | 50.0 | 0% | 6.00 | 150% |", text)

    def test_page_without_clouds_has_steps_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            data = self.recorded(folder)
        text = scaling.archive_page([data])
        self.assertIn("## Steps of a simulation", text)
        self.assertNotIn("Dense output", text)


class Everyday(unittest.TestCase):
    def recorded(self, folder):
        scenes = ["ragdolls", "debris_pile", "crates", "boxes_pile"]
        rows = [planted.timing(s, e, [ns] * 3) for s in scenes for e, ns in (("lanefold", 50.0), ("jolt", 700.0))]
        rows += [planted.timing(s, "lanefold-warm", [33.0] * 3, subset="frames") for s in scenes if "pile" not in s]
        return load(rows, folder)

    def test_the_summary_has_the_piles_in_order_and_the_page_the_rest(self):
        with tempfile.TemporaryDirectory() as folder:
            data = self.recorded(folder)
        self.assertEqual(results.summary_scenes(data), ["boxes_pile", "debris_pile"])
        self.assertEqual(plots.shown_scenes(data), ["boxes_pile", "debris_pile"])
        self.assertEqual(results.everyday(data), ["crates", "ragdolls"])
        text = everyday.page([data], plots.all_plots([data]), None)
        self.assertIn("| crates | ragdolls |", text)
        self.assertIn("| **lanefold** | up to 4 points, to the margin | float32 | 50.0 (100%) | 50.0 (100%) |", text)
        self.assertIn("| crates | lanefold-warm | 33.0 |", text)
        self.assertNotIn("debris_pile", text)
        self.assertIn("(../plots/moving.svg)", text)

    def test_results_without_them_say_so(self):
        with tempfile.TemporaryDirectory() as folder:
            data = load([planted.timing("boxes_pile", "lanefold", [50.0] * 3)], folder)
        self.assertIn("have none of these scenes", everyday.page([data], [], None))

    def test_every_everyday_scene_is_a_job_of_a_page(self):
        names = {j.name: j for j in plan.page_jobs("scenes", 4)}
        for name in plan.EVERYDAY:
            self.assertIn(f"scenes/{name}", names[name].options)
            self.assertTrue(names[name].judged)


if __name__ == "__main__":
    unittest.main()
