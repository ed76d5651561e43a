#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of counters and roofs: what callgrind writes is read, what could not be read is never a zero, and the page and
its plots show the recorded values."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCH))
from report import counters, counts, headline, planted, results, samples  # noqa: E402

COMMIT = "0123456789ab"
COUNTERS = {"instructions": [900.0, 1000.0, 1100.0], "core_cycles": [500.0, 510.0, None],
            "branch_misses": [2.0, 2.0, 2.0], "cache_misses": [0.5, 0.25, 0.125]}
# Stages of a pair at width 8 and 3 GHz: (name, ns, operations, bytes that the first cache lacks).
STAGES = [("pose", 10.0, 200.0, 400.0), ("faces", 40.0, 960.0, 320.0), ("clear", 1.0, 0.0, 64.0)]


def dump(name, ir, misses):
    return (f"part: 1\ndesc: Trigger: Client Request: {name}\nevents: Ir Dr Dw D1mr D1mw\nfn=(1)\n10 {ir} 0 0 0 0\n"
            f"summary: {ir} 8 2 {misses} 1\n\n")


def recorded(counted=True):
    """A file of one process with counters, a stage profile and callgrind's counts, or without any of them."""
    pile = "debris_pile"
    rows = [planted.timing(pile, "lanefold", [100.0] * 3, **(COUNTERS if counted else {})),
            planted.timing(pile, "jolt", [900.0] * 3)]
    data = planted.result(0, rows, COMMIT)
    data["machine"] |= {"counters": "perf events, user mode" if counted else "not available (perf_event_open: none)",
                        "energy": "not available (no readable energy_uj)"}
    if counted:
        data["stages"] = [{"scene": pile, "isa": "avx2", "width": 8, "flops": 1160.0, "ns_with_clock": 52.0,
                           "ns_without": 51.0, "stages": [{"stage": name, "ns": ns, "lanes_in_use": 0.9, "flops": flops}
                                                          for name, ns, flops, _ in STAGES]}]
        data["counts"] = [{"scene": pile, "kind": "stage", "name": name, "pairs": 10000, "D1mr": size / 64 * 10000}
                          for name, _, _, size in STAGES]
        data["counts"] += [{"scene": pile, "kind": "engine", "name": "jolt", "pairs": 1000, "Ir": 5_432_000}]
        data |= {"counts_source": "all pairs", "cache_bandwidth": 4e10}
    return data


def loaded(data, folder):
    return results.load(planted.write(data, pathlib.Path(folder) / "r.json"))


class Callgrind(unittest.TestCase):
    def test_dumps_of_one_name_are_added_up_and_others_left_out(self):
        text = (dump("pile\tstage\tfaces\t100", 1000, 3) + dump("pile\tstage\tpose\t100", 50, 0) +
                dump("pile\tstage\tfaces\t100", 500, 1) + "desc: Trigger: Program termination\nevents: Ir\n"
                "summary: 99999\n")
        rows = counts.parse(text)
        self.assertEqual([(r["name"], r["Ir"]) for r in rows], [("faces", 1500), ("pose", 50)])
        faces = counts.per_pair(rows[0])
        self.assertEqual(faces["instructions"], 15)
        self.assertEqual(faces["bytes_from_l2"], 64 * (4 + 2) / 100)

    def test_a_program_that_fails_is_told_with_what_it_said(self):
        with self.assertRaisesRegex(counts.NoCounts, "valgrind"):
            counts.count("/nowhere/lanefold_bench", [])


class Counters(unittest.TestCase):
    def test_medians_leave_out_rounds_that_could_not_read(self):
        with tempfile.TemporaryDirectory() as folder:
            text = counters.of_processor(loaded(recorded(), folder))
        self.assertIn("| debris_pile | lanefold | 1,000 | 505 | 2.00 | 0.250 | - |", text)
        self.assertNotIn("jolt", text)

    def test_csv_keeps_what_was_read_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = loaded(recorded(), folder)["timings"]
        again = samples.from_csv(samples.to_csv(rows))
        self.assertEqual([r["samples"] for r in again], [r["samples"] for r in rows])
        self.assertEqual(again[0]["samples"][0]["core_cycles"], 500.0)
        self.assertNotIn("core_cycles", again[0]["samples"][2])
        self.assertNotIn("nanojoules", again[0]["samples"][0])

    def test_stages_stand_below_the_roofs(self):
        with tempfile.TemporaryDirectory() as folder:
            data = loaded(recorded(), folder)
        self.assertEqual(counters.peak(data, "debris_pile"), 2 * 8 * 3.0)
        text = counters.roof_table(data)
        self.assertIn("| debris_pile | pose | 10.0 | 200 | 400 | 0.50 | 20.0 | 42% |", text)
        self.assertIn("| debris_pile | faces | 40.0 | 960 | 320 | 3.00 | 24.0 | 50% |", text)
        self.assertNotIn("clear", text)  # without operations it has no place in the plot
        drawn = counters.plots(data)
        self.assertEqual(list(drawn), ["roofline-debris_pile"])
        for word in ("peak, 48 operations/ns", "memory, 10 bytes/ns", "second cache, 40 bytes/ns", "pose"):
            self.assertIn(word, drawn["roofline-debris_pile"])


class Page(unittest.TestCase):
    def page(self, data, folder):
        docs = pathlib.Path(folder) / "docs"
        docs.mkdir()
        (docs / "performance.md").write_text(f"# Performance\n\n{headline.BEGIN}\n{headline.END}\n")
        path = planted.write(data, pathlib.Path(folder) / "r.json")
        done = subprocess.run([sys.executable, str(BENCH / "plots"), str(path), "--docs", str(docs), "--despite", "x"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return docs, (docs / "performance" / "counters.md").read_text()

    def test_a_recorded_file_gives_the_page_and_its_plots(self):
        with tempfile.TemporaryDirectory() as folder:
            docs, text = self.page(recorded(), folder)
            self.assertIn("(counters.md)", (docs / "performance" / "summary.md").read_text())
            for title in ("Where the counts come from", "By the processor", "By callgrind", "Stages below their roofs",
                          "Bounds of a call"):
                self.assertIn(f"## {title}", text)
            self.assertIn("| debris_pile | jolt | 5,432 |", text)
            self.assertIn("(../plots/roofline-debris_pile.svg)", text)
            self.assertTrue((docs / "plots" / "roofline-debris_pile.svg").exists())

    def test_a_machine_without_counters_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            _, text = self.page(recorded(counted=False), folder)
        self.assertIn("Counters of the processor: not available (perf_event_open: none).", " ".join(text.split()))
        self.assertIn("Energy: not available", text)
        self.assertIn("lets a process read no counters", text)
        for title in ("By callgrind", "Stages below", "Bounds of"):
            self.assertNotIn(title, text)


if __name__ == "__main__":
    unittest.main()
