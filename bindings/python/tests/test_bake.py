# SPDX-License-Identifier: MIT
"""Contacts folders that Python writes are those of the program, byte for byte."""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import lanefold

PROGRAM = ROOT / "build/release/tools/lanefold"
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")


def files_of(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "log"}


def run(*arguments) -> None:
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True)


@pytest.fixture(scope="module")
def falling(tmp_path_factory) -> Path:
    """Forty frames of a pile that falls, with stored pairs."""
    scene = tmp_path_factory.mktemp("scene") / "falling"
    run("generate", "debris", scene, "--bodies", 200, "--frames", 40, "--seconds", 2, "--seed", 3)
    return scene


def changed(scene: Path, to: Path, **arrays) -> Path:
    """A copy with other arrays; those that are None go."""
    shutil.copytree(scene, to)
    for name, array in arrays.items():
        (to / f"{name}.npy").unlink(missing_ok=True)
        if array is not None:
            np.save(to / f"{name}.npy", array)
    return to


@pytest.mark.parametrize("options", [{}, {"margin": 0.02}, {"capacity": 16, "face_preference": 0.0, "margin": 0.0125}])
@pytest.mark.parametrize("find_pairs", [False, True])
def test_stored_and_found_pairs(falling, tmp_path, options, find_pairs):
    text = [f for k, v in options.items() for f in (f"--{k.replace('_', '-')}", v)] + ["--find-pairs"] * find_pairs
    run("collide", falling, "-o", tmp_path / "program", *text)
    bake = lanefold.Bake(falling, tmp_path / "python", find_pairs=find_pairs, **options)
    assert bake.make() == list(range(40))
    ours, theirs = files_of(tmp_path / "python"), files_of(tmp_path / "program")
    assert len(ours) == 81 and sum(map(len, ours.values())) > 300_000 and ours == theirs
    run("info", tmp_path / "python", "--check", "--complete")
    run("verify", falling, tmp_path / "python", "--sample", 500)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"select": "overlapping"}, ["--select", "overlapping"]),
        ({"select": 0.001, "points": "impact"}, ["--select", "deeper-than=0.001", "--points", "impact"]),
        ({"method": "patch", "capacity": 16}, ["--method", "patch", "--capacity", "16"]),
        ({"sync": "none"}, []),
    ],
)
def test_selection_methods_and_points(falling, tmp_path, options, text):
    run("collide", falling, "-o", tmp_path / "program", "--margin", 0.02, *text)
    lanefold.Bake(falling, tmp_path / "python", margin=0.02, **options).make()
    ours, theirs = files_of(tmp_path / "python"), files_of(tmp_path / "program")
    assert len(ours) == 81 and ours == theirs
    if "select" in options:
        left_out = sum(json.loads(ours[f"frame_{frame:06d}.json"])["left_out"] for frame in range(40))
        assert left_out > 0
    run("verify", falling, tmp_path / "python", "--sample", 500)


@pytest.mark.parametrize(
    ("compress", "suffix", "capacity"), [("zstd", ".npy.zst", 4), ("fast", ".planes", 4), ("small", ".planes", 16)]
)
def test_compressed_frames(falling, tmp_path, compress, suffix, capacity):
    """They unpack to the plain ones; a damaged one is refused by name and made again."""
    arguments = ["--margin", 0.02, "--compress", compress, "--select", "overlapping", "--capacity", capacity]
    run("collide", falling, "-o", tmp_path / "program", *arguments)
    options = {"margin": 0.02, "select": "overlapping", "capacity": capacity}
    bake = lanefold.Bake(falling, tmp_path / "python", **options, compress=compress)
    assert bake.make() == list(range(40))
    ours = files_of(tmp_path / "python")
    assert ours == files_of(tmp_path / "program")
    assert sum(name.endswith(suffix) for name in ours) == 40
    lanefold.Bake(falling, tmp_path / "plain", **options).make()
    made, wanted = lanefold.Contacts(tmp_path / "python"), lanefold.Contacts(tmp_path / "plain")
    assert sum(len(made[frame]) for frame in range(40)) > 1000
    assert all(made[frame].dtype == wanted[frame].dtype for frame in range(40))
    assert all(made[frame].tobytes() == wanted[frame].tobytes() for frame in range(40))
    run("info", tmp_path / "python", "--check", "--complete")
    run("verify", falling, tmp_path / "python", "--sample", 500)
    run("collide", falling, "-o", tmp_path / "python", *arguments, "--resume")
    victim = tmp_path / "python" / f"frame_000007{suffix}"
    damaged = bytearray(victim.read_bytes())
    damaged[len(damaged) // 2] ^= 0x55
    victim.write_bytes(damaged)
    with pytest.raises(ValueError, match=f"frame_000007{suffix}"):
        made[7]
    assert lanefold.Bake(falling, tmp_path / "python", **options, compress=compress).make() == [7]
    assert bake.make() == []


def test_progress_and_frames_are_of_the_calling_thread(falling, tmp_path):
    bake = lanefold.Bake(falling, tmp_path / "python", margin=0.02, threads=2)
    here, seen, threads = threading.get_ident(), [], set()

    def frames():
        for frame in (5, 3, 5, 39):
            threads.add(threading.get_ident())
            yield frame

    def progress(frame, made):
        threads.add(threading.get_ident())
        seen.append((frame, made))

    assert bake.make(frames(), progress=progress) == [5, 3, 39]
    assert {frame for frame, made in seen if made} == {3, 5, 39} and threads == {here}
    seen.clear()
    assert bake.make(range(3, 7), progress=progress) == [4, 6]
    assert sorted(seen) == [(3, False), (4, True), (5, False), (6, True)]


@pytest.mark.parametrize("where", ["frames", "progress"])
def test_exceptions_of_the_caller_come_back(falling, tmp_path, where):
    bake = lanefold.Bake(falling, tmp_path / "python", margin=0.02)

    def frames():
        yield from range(7)
        if where == "frames":
            raise LookupError("of the caller")

    def progress(frame, made):
        if where == "progress":
            raise LookupError("of the caller")

    with pytest.raises(LookupError, match="of the caller"):
        bake.make(frames(), progress=progress)
    if where == "frames":
        assert bake.make(range(8)) == [7]  # those before it were made
    run("info", tmp_path / "python", "--check")
    assert bake.make() and bake.make() == []


def test_keyboard_interrupt_stops_and_leaves_whole_frames(falling, tmp_path):
    """Ctrl-C ends a bake that would never end, while another thread of Python runs."""
    contacts = tmp_path / "python"
    code = f"""
import itertools, lanefold, os, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent in the background may have it ignored
bake = lanefold.Bake({str(falling)!r}, {str(contacts)!r}, margin=0.02)
def interrupt():
    time.sleep(0.3)
    os.kill(os.getpid(), 2)
threading.Thread(target=interrupt).start()
bake.make(itertools.cycle(range(40)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert "KeyboardInterrupt" in done.stderr and "Traceback" in done.stderr
    run("info", contacts, "--check")
    lanefold.Bake(falling, contacts, margin=0.02).make()
    run("collide", falling, "-o", tmp_path / "program", "--margin", 0.02)
    assert files_of(contacts) == files_of(tmp_path / "program")


def test_shards_are_those_of_the_program(falling, tmp_path):
    bake = lanefold.Bake(falling, tmp_path / "python", margin=0.02)
    run("collide", falling, "-o", tmp_path / "program", "--margin", 0.02, "--shard", "1/3")
    assert bake.shards(3)[1] == lanefold.Contacts(tmp_path / "program").frames
    with pytest.raises(ValueError, match="count"):
        bake.shards(0)


def test_a_missing_scene_is_a_missing_file(falling, tmp_path):
    with pytest.raises(FileNotFoundError, match="scene.json"):
        lanefold.Bake(tmp_path / "nowhere", tmp_path / "python")
    scene = changed(falling, tmp_path / "scene", orientation=None)
    with pytest.raises(FileNotFoundError, match="orientation.npy"):
        lanefold.Bake(scene, tmp_path / "python")
    assert not (tmp_path / "python").exists()


def test_pairs_of_an_unknown_margin_are_told(falling, tmp_path):
    scene = changed(falling, tmp_path / "scene")
    header = json.loads((scene / "scene.json").read_text())
    del header["pairs_margin"]
    (scene / "scene.json").write_text(json.dumps(header))
    with pytest.warns(UserWarning, match="does not say for which margin"):
        lanefold.Bake(scene, tmp_path / "python", margin=0.02)


@pytest.mark.parametrize("name", ["method", "points", "compress", "sync", "select"])
def test_wrong_words_are_refused(falling, tmp_path, name):
    with pytest.raises(ValueError, match=name if name != "select" else "select|float"):
        lanefold.Bake(falling, tmp_path / "python", **{name: -1 if name == "select" else "nonsense"})
    assert not (tmp_path / "python").exists()


def test_float64_positions_groups_and_no_stored_pairs(falling, tmp_path):
    stored = lanefold.Scene(falling)
    scene = changed(
        falling,
        tmp_path / "scene",
        position=stored.position.astype("<f8") + 1e5,
        body_group=np.arange(len(stored.body_hull), dtype="<u4") % 5,
        pairs=None,
        pair_offsets=None,
    )
    header = json.loads((scene / "scene.json").read_text()) | {"unit": "Längen"}
    (scene / "scene.json").write_text(json.dumps(header))
    run("collide", scene, "-o", tmp_path / "program", "--margin", 0.02)
    lanefold.Bake(scene, tmp_path / "python", margin=0.02).make()
    assert files_of(tmp_path / "python") == files_of(tmp_path / "program")


@pytest.mark.parametrize("find_pairs", [False, True])
def test_bodies_that_appear_and_vanish(falling, tmp_path, find_pairs):
    """Version 2: poses of bodies that are not there may be anything."""
    position, orientation = np.load(falling / "position.npy"), np.load(falling / "orientation.npy")
    active = np.random.default_rng(11).random(position.shape[:2]) < 0.8
    position[~active], orientation[~active] = np.nan, 3
    scene = changed(falling, tmp_path / "scene", position=position, orientation=orientation, active=active)
    header = json.loads((scene / "scene.json").read_text()) | {"version": 2}
    (scene / "scene.json").write_text(json.dumps(header))
    run("collide", scene, "-o", tmp_path / "program", "--margin", 0.02, *(["--find-pairs"] if find_pairs else []))
    lanefold.Bake(scene, tmp_path / "python", margin=0.02, find_pairs=find_pairs).make()
    assert files_of(tmp_path / "program") == files_of(tmp_path / "python")
    points = sum(len(lanefold.Contacts(tmp_path / "python")[f]) for f in range(len(active)))
    assert points > 1000


def test_shards_make_the_whole_and_only_what_is_missing(falling, tmp_path):
    bake = lanefold.Bake(falling, tmp_path / "python", margin=0.02)
    for count in (1, 3, 7, 40, 100):
        shards = bake.shards(count)
        assert len(shards) == count and sum(shards, []) == list(range(40))
    again = pickle.loads(pickle.dumps(bake))
    for shard in reversed(bake.shards(7)):
        assert again.make(shard) == shard
    assert bake.make() == []
    run("collide", falling, "-o", tmp_path / "program", "--margin", 0.02)
    whole = files_of(tmp_path / "program")
    assert files_of(tmp_path / "python") == whole
    # Damaged, missing and torn frames are made again, others are not touched.
    records = tmp_path / "python/frame_000030.npy"
    damaged = bytearray(records.read_bytes())
    damaged[-1] ^= 1
    records.write_bytes(damaged)
    (tmp_path / "python/frame_000011.json").unlink()
    (tmp_path / "python/frame_000012.json").write_text("{")
    (tmp_path / "python/frame_000013.npy").unlink()
    assert bake.make() == [11, 12, 13, 30]
    assert files_of(tmp_path / "python") == whole


def test_other_scenes_settings_and_folders_are_refused(falling, tmp_path):
    lanefold.Bake(falling, tmp_path / "contacts", margin=0.02)
    for options in ({}, {"margin": 0.01}, {"margin": 0.02, "capacity": 16}, {"margin": 0.02, "find_pairs": True}):
        with pytest.raises(ValueError, match="was made with"):
            lanefold.Bake(falling, tmp_path / "contacts", **options)
    with pytest.raises(ValueError, match="pairs were collected for margin"):
        lanefold.Bake(falling, tmp_path / "other", margin=0.5)
    with pytest.raises(ValueError, match="expected a number"):
        lanefold.Bake(falling, tmp_path / "other", margin=float("nan"))
    with pytest.raises(ValueError, match="no contacts.json"):
        lanefold.Bake(falling, falling)
    with pytest.raises(IndexError, match="no frame 40"):
        lanefold.Bake(falling, tmp_path / "contacts", margin=0.02).make([40])


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("position", np.nan, "position.npy: frame 39, body 7: coordinate 0 is nan"),
        ("orientation", 2.0, "orientation.npy: frame 39, body 7: .* not of unit length"),
        ("pairs", 10**6, "pairs.npy: frame 39, row .* is out of range"),
    ],
)
def test_frames_that_are_wrong_are_refused_with_their_place(falling, tmp_path, name, value, what):
    array = np.load(falling / f"{name}.npy")
    array[(-1, -1) if name == "pairs" else (-1, 7, 0)] = value
    scene = changed(falling, tmp_path / "scene", **{name: array})
    bake = lanefold.Bake(scene, tmp_path / "contacts", margin=0.02)
    with pytest.raises(ValueError, match=what):
        bake.make()
    assert len(list((tmp_path / "contacts").glob("frame_*.json"))) == 39


def test_killed_processes_leave_whole_frames(falling, tmp_path):
    contacts = tmp_path / "python"
    code = f"import lanefold; lanefold.Bake({str(falling)!r}, {str(contacts)!r}, margin=0.02).make()"
    killed = 0
    for at in range(1, 40, 6):
        process = subprocess.Popen([sys.executable, "-c", code])
        while not (contacts / f"frame_{at:06d}.json").exists() and process.poll() is None:
            time.sleep(0.0005)
        process.kill()
        killed += process.wait() == -signal.SIGKILL
        run("info", contacts, "--check")
    assert killed >= 4
    # Their left-overs go with the next one that opens the folder; the files of others stay.
    (contacts / ".frame_000003.npy.0123456789abcdef.tmp").write_text("left")
    (contacts / ".notes.tmp").write_text("of somebody else")
    lanefold.Bake(falling, contacts, margin=0.02).make()
    assert [name for name in os.listdir(contacts) if name.endswith(".tmp")] == [".notes.tmp"]
    (contacts / ".notes.tmp").unlink()
    run("collide", falling, "-o", tmp_path / "program", "--margin", 0.02)
    assert files_of(contacts) == files_of(tmp_path / "program")
