#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the reports: a page names a commit that exists, nothing of a result is lost, stages keep their order."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCH))
from report import checks, headline, more_tables, moving, plots, response, results, stored, tables  # noqa: E402
from report.markdown import time as time_text  # noqa: E402

# A page of one process a row, which shows two times of one configuration.
OLD_PAGE = BENCH.parent / "tests" / "data" / "bench" / "2026-11-22-amd-epyc-model-17.json.xz"
failures = []


def expect(what, true):
    if not true:
        failures.append(what)


def stages():
    profiles = [{"stages": [{"stage": s} for s in names]} for names in (["pose", "clear"], ["pose", "faces", "clear"])]
    expect("stages of two profiles in the order of the pipeline",
           results.stage_order(profiles) == ["pose", "faces", "clear"])


def commits(folder):
    def git(*words):
        command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(folder), *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def complaint(commit):
        return checks.commit_complaint({"path": "r.json", "machine": {"commit": commit}}, folder)

    expect("a changed tree is refused", "not committed" in complaint("0123456789ab+changes"))
    expect("an unknown commit is refused", "says nothing" in complaint("unknown"))
    if shutil.which("git"):
        git("init", "-q")
        git("commit", "-q", "--allow-empty", "-m", "one")
        expect("a commit that exists is accepted", complaint(git("rev-parse", "--short=12", "HEAD")) is None)
        expect("a commit that does not exist is refused", "does not have" in complaint("0123456789ab"))


def pages(folder):
    """bench/plots refuses a stored result with a wrong commit; with a remark the pages show the remark."""
    data = json.loads(stored.read(OLD_PAGE))
    data["machine"]["commit"] = "0123456789ab+changes"
    result = folder / "r.json"
    result.write_text(json.dumps(data))
    docs = folder / "docs"
    (docs / "performance").mkdir(parents=True)
    empty = f"# Performance\n\n{headline.BEGIN}\n{headline.END}\n"
    (docs / "performance.md").write_text(empty)
    (docs / "performance" / "gone.md").write_text(f"{tables.MADE}\n# A scene that is no more\n")

    def run(*more):
        return subprocess.run([sys.executable, str(BENCH / "plots"), str(result), "--docs", str(docs), *more],
                              capture_output=True, text=True)

    refused = run()
    expect("bench/plots refuses a changed tree", refused.returncode == 1 and "not committed" in refused.stderr)
    expect("a refusal leaves the page alone", (docs / "performance.md").read_text() == empty)
    made = run("--despite", "Measured on a dirty tree.")
    expect(f"bench/plots makes pages with a remark: {made.stderr}", made.returncode == 0)
    names = [p.name for p in (docs / "performance").iterdir()]
    # The pages of scaling and of bodies that move have results of their own.
    pages = [p for p in (docs / "performance").glob("*.md") if p.name not in ("scaling.md", "moving.md")]
    texts = [p.read_text() for p in [docs / "performance.md", *pages]]
    shown = [t for t in texts if "Measured on a dirty tree." in t]
    expect("each page shows the remark, apart from that of the checks",
           len(shown) > 10 and len(shown) == len(texts) - 1)
    checked = (docs / "performance" / "checks.md").read_text()
    summary = (docs / "performance" / "summary.md").read_text()
    expect("the page of the checks has the complaints", "not committed" in checked and "two times" in checked)
    expect("pages of scenes that are no more go", "gone.md" not in names)
    for scene in {q["scene"] for q in data["quality"]}:
        expect(f"{scene} has a page", f"{scene}.md" in names)
        expect(f"the summary links {scene}", f"({scene}.md)" in summary)
    whole = "\n".join(texts)
    loaded = results.load(result)
    again = f"lanefold-{more_tables.chosen_isa(loaded)}"  # the chosen instruction set under a second name: old files
    for row in loaded["timings"]:
        if row["engine"] == again or (row["subset"] == "threads" and row["threads"] == 1):
            continue
        expect(f"median of {row['scene']} {row['engine']} {row['subset']}", time_text(row["median"]) in whole)


def kept_page(folder):
    """The figures of docs/performance.md are those of the newest results that are kept."""
    page = BENCH.parent / "docs" / "performance.md"
    data = results.load(sorted((BENCH / "results").glob("20*.json.xz"))[-1])
    drawn = {"speed": plots.speed(data)}
    expect("the newest results have no complaint", not checks.complaints(data, BENCH.parent))
    text = headline.replace_block(page.read_text(), headline.page([data], drawn, None, moving.kept(BENCH.parent)))
    expect("docs/performance.md has the figures of bench/results: run bench/plots", text == page.read_text())
    expect("its plot is theirs, too", drawn["speed"] == (page.parent / "plots" / "speed.svg").read_text())
    page = BENCH.parent / "docs" / "response.md"
    data = json.loads(stored.read(BENCH / "results" / "response.json.xz"))
    expect("docs/response.md has the figures of bench/results: run bench/response --from",
           response.measured(page.read_text(), data) == page.read_text())


def refusals_of_run(folder):
    """bench/run --page stops before it makes a pile or measures if the program was built from changed sources."""
    (folder / "bench").mkdir()
    for commit, why in (("0123456789ab+changes", "not committed"), ("unknown", "does not know"), ("", "does not know")):
        (folder / "bench" / "commit.hpp").write_text(f'#pragma once\n#define LANEFOLD_COMMIT "{commit}"\n')
        run = subprocess.run([sys.executable, str(BENCH / "run"), str(folder), "--page"], capture_output=True,
                             text=True)
        expect(f"bench/run refuses '{commit}': {run.stderr}", run.returncode == 1 and why in run.stderr)
        expect("bench/run stops before the piles", not (folder / "scenes").exists())


def main():
    stages()
    for test in (commits, pages, kept_page, refusals_of_run):
        with tempfile.TemporaryDirectory() as folder:
            test(pathlib.Path(folder))
    for what in failures:
        print(f"failed: {what}")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
