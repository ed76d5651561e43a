# SPDX-License-Identifier: MIT
"""Frames: candidate pairs, streams, matching, and the folders and hashes of the program."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import lanefold
from lanefold import _native

SCENES = ROOT / "tests/data/scenes"
PROGRAM = ROOT / "build/release/tools/lanefold"


def test_pairs_are_those_of_all_boxes(pile):
    boxes = []
    for p, q, h in zip(*pile.bodies):
        x, y, z, w = q.astype(float) / np.linalg.norm(q.astype(float))
        r = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        v = pile.hulls.vertices(int(h)).astype(float) @ r.T + p
        boxes.append([v.min(0) - 0.05, v.max(0) + 0.05])
    low, high = np.array(boxes).transpose(1, 0, 2)
    near = (low[:, None] <= high[None]).all(-1) & (low[None] <= high[:, None]).all(-1)
    expected = np.argwhere(np.triu(near, 1))
    assert len(expected) > 1000 and np.array_equal(pile.pairs, expected)


def test_groups_and_immovable_bodies_are_left_out(pile):
    n = len(pile.hull)
    group = np.arange(n, dtype=np.uint32) % 3
    mass = (np.arange(n) % 2).astype(np.float32)
    pairs = lanefold.PairFinder().find(pile.hulls, *pile.bodies, margin=0.1, group=group, inverse_mass=mass)
    a, b = pile.pairs.T
    keep = ~((group[a] == group[b]) & (group[a] != 0)) & ((mass[a] != 0) | (mass[b] != 0))
    assert np.array_equal(pairs, pile.pairs[keep])
    with pytest.raises(ValueError, match="group"):
        lanefold.PairFinder().find(pile.hulls, *pile.bodies, group=group[:-1])


def test_a_stream_gives_what_single_calls_give(pile):
    random = np.random.default_rng(3)
    stream = lanefold.ContactStream(pile.hulls, pile.hull, margin=0.05)
    position = pile.position.copy()
    kept = 0
    previous = None
    for _ in range(5):
        records, result = stream.step(position, pile.orientation)
        pairs = lanefold.PairFinder().find(pile.hulls, position, pile.orientation, pile.hull, margin=0.05)
        single, single_result = lanefold.collide_compact(
            pile.hulls, position, pile.orientation, pile.hull, pairs, margin=0.05
        )
        assert records.tobytes() == single.tobytes() and result.hash == single_result.hash and len(records) > 200
        if previous is not None:
            match = lanefold.match_contacts(previous, records)
            kept += match["points_kept"]
            same = match["record"] >= 0
            assert np.array_equal(previous["pair"][match["record"][same]], records["pair"][same])
            assert match["begun"] == (~same).sum() and match["ended"] == (match["fate"] < 0).sum()
        previous = records
        position += random.uniform(-0.002, 0.002, position.shape).astype(np.float32)
    assert kept > 500


@pytest.mark.parametrize("options", [{"method": "patch"}, {"hysteresis": 0}, {"hysteresis": 0.005, "capacity": 16}])
def test_a_stream_goes_on_for_many_steps(pile, options):
    random = np.random.default_rng(4)
    stream = lanefold.ContactStream(pile.hulls, pile.hull, margin=0.05, **options)
    position = pile.position.copy()
    previous, held = None, 0
    for _ in range(12):
        records, _ = stream.step(position, pile.orientation)
        pairs = lanefold.PairFinder().find(pile.hulls, position, pile.orientation, pile.hull, margin=0.05)
        frame = pile.hulls, position, pile.orientation, pile.hull, pairs
        kept = {} if "method" in options or previous is None else {"previous": previous}
        single, _ = lanefold.collide_compact(*frame, margin=0.05, **kept, **options)
        assert records.tobytes() == single.tobytes() and len(records) > 200
        if kept:
            alone, _ = lanefold.collide_compact(*frame, margin=0.05, capacity=options.get("capacity", 4))
            held += alone.tobytes() != single.tobytes()
        previous = records
        position += random.uniform(-0.002, 0.002, position.shape).astype(np.float32)
    assert options.get("hysteresis", 0) == 0 or held > 0  # the frame before decided something


def test_a_stream_that_reuses_stays_within_its_bound(pile):
    reuse = 0.01
    stream = lanefold.ContactStream(pile.hulls, pile.hull, margin=0.05, reuse=reuse)
    exact = lanefold.ContactStream(pile.hulls, pile.hull, margin=0.05)
    random = np.random.default_rng(5)
    position = pile.position.copy()
    carried, worst = 0, 0.0
    half = [np.ptp(pile.hulls.vertices(h).astype(float), axis=0) / 2 for h in range(len(pile.hulls))]
    size = np.array([np.linalg.norm(h) for h in half])
    for _ in range(8):
        records, result = stream.step(position, pile.orientation)
        right, right_result = exact.step(position, pile.orientation)
        assert right_result.carried == 0
        carried += result.carried
        both = {tuple(p): d for p, d in zip(right["pair"].tolist(), right["distance"])}
        for pair, distance in zip(records["pair"].tolist(), records["distance"]):
            smaller = size[pile.hull[pair]].min()
            if tuple(pair) in both:
                worst = max(worst, abs(float(distance) - float(both[tuple(pair)])) / smaller)
            else:
                assert distance > 0.05 - 2 * reuse * smaller
        position += random.uniform(-0.001, 0.001, position.shape).astype(np.float32)
    assert carried > 500 and 1e-5 < worst < 2 * reuse


def test_a_stream_keeps_pairs_of_unmoved_bodies(pile):
    stream = lanefold.ContactStream(pile.hulls, pile.hull, margin=0.05)
    records, first = stream.step(pile.position, pile.orientation)
    again, result = stream.step(pile.position, pile.orientation, unmoved=np.ones(len(pile.hull), bool))
    assert records.tobytes() == again.tobytes() and result.hash == first.hash and result.kept == len(records)
    with pytest.raises(ValueError, match="unmoved must have the shape"):
        stream.step(pile.position, pile.orientation, unmoved=np.ones(3, bool))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"method": "patch", "hysteresis": 0}, "leave hysteresis at None"),
        ({"method": "patch", "hysteresis": 0.005}, "leave hysteresis at None"),
        ({"method": "pach"}, "'clip' or 'patch'"),
        ({"hysteresis": -1}, "hysteresis is negative"),
        ({"hysteresis": np.nan}, "hysteresis is negative or not finite"),
        ({"margin": -1.0}, "margin is negative"),
        ({"margin": np.zeros(3)}, "margin of a stream must be one length"),
        ({"capacity": 5}, "capacity must be 4 or 16"),
        ({"points": "some"}, "'all' or 'impact'"),
        ({"isa": "sse9"}, "instruction set"),
        ({"face_preference": -0.1}, "face_preference is negative"),
        ({"inverse_mass": np.ones(2)}, "inverse_mass must have the shape"),
        ({"group": np.ones(2, int)}, "group must have the shape"),
        ({"reuse": -1e-3}, "reuse"),
        ({"reuse": np.nan}, "reuse"),
        ({"reuse": np.inf}, "reuse"),
        ({"reuse": 0.11}, "reuse"),
        ({"reuse": 1e9}, "reuse"),
    ],
)
def test_a_stream_refuses_at_once_what_no_step_could_take(pile, settings, said):
    with pytest.raises(ValueError, match=said):
        lanefold.ContactStream(pile.hulls, pile.hull, **settings)


def test_a_stream_with_a_bad_reuse_goes_on_and_other_hulls_are_computed(pile):
    stream = lanefold.ContactStream(pile.hulls, pile.hull, margin=0.05, reuse=0.01)
    for _ in range(3):
        _, result = stream.step(pile.position, pile.orientation)
    assert result.carried > 100
    for bad in (-1e-3, np.nan, np.inf, 0.11):
        stream.reuse = bad
        with pytest.raises(ValueError, match="reuse"):
            stream.step(pile.position, pile.orientation)
    stream.reuse = 0.01
    _, result = stream.step(pile.position, pile.orientation)
    assert result.carried == 0  # a refused step forgets
    for _ in range(2):
        _, result = stream.step(pile.position, pile.orientation)
    assert result.carried > 100
    # The same hulls, each a tenth larger: none of their contacts is one of the anchors.
    points = [np.float32(1.1) * pile.hulls.vertices(h) for h in range(len(pile.hulls))]
    stream.hulls = lanefold.build_hulls(np.concatenate(points), np.cumsum([0, *map(len, points)]))
    records, result = stream.step(pile.position, pile.orientation)
    assert result.carried == 0
    fresh = lanefold.ContactStream(stream.hulls, pile.hull, margin=0.05, reuse=0.01)
    assert records.tobytes() == fresh.step(pile.position, pile.orientation)[0].tobytes() and len(records) > 200


def golden(scene: str) -> str:
    """The hash of the default setting: margin 0.02, preference 0.005, 4 points."""
    for line in (ROOT / f"tests/data/golden/{scene}.txt").read_text().splitlines():
        if line.startswith("0.02 0.005 4 "):
            return line.split()[-1]
    raise AssertionError(f"no golden hash of {scene}")


@pytest.mark.parametrize("name", sorted(p.stem for p in (ROOT / "tests/data/golden").glob("*.txt")))
def test_stored_scenes_have_the_golden_hash(name):
    scene = lanefold.Scene(SCENES / name)
    hulls = scene.build_hulls()
    finder = lanefold.PairFinder()
    total = 0
    for frame in range(len(scene)):
        bodies = scene.position[frame], scene.orientation[frame], scene.body_hull
        pairs = scene.pairs(frame)
        if pairs is None:
            pairs = finder.find(hulls, *bodies, margin=0.02, inverse_mass=scene.inverse_mass, group=scene.group)
        _, result = lanefold.collide_compact(hulls, *bodies, pairs, margin=0.02)
        total += _native.mix_frame_hash(frame, int(result.hash, 16))
    assert f"{total % 2**64:016x}" == golden(name)


@pytest.mark.parametrize("wide", [False, True])
def test_a_window_of_frames_has_the_pairs_of_each_frame(wide):
    scene = lanefold.Scene(SCENES / "debris_pile")
    hulls = scene.build_hulls()
    rng = np.random.default_rng(5)
    position = np.array(scene.position[0], np.float64 if wide else np.float32)
    frames = []
    for _ in range(37):
        frames.append((position.copy(), scene.orientation[0]))
        position[rng.random(len(position)) < 0.3] += rng.uniform(-0.2, 0.2)
    lost = np.array(frames[20][1])
    lost[7] = 0
    frames[20] = (frames[20][0], lost)
    filters = {"margin": 0.02, "inverse_mass": scene.inverse_mass, "group": scene.group}
    windows = lanefold.WindowFinder()
    found = windows.find(hulls, iter(frames), scene.body_hull, **filters)
    assert len(found) == 37 and windows.without_box == [int(k == 20) for k in range(37)]
    finder = lanefold.PairFinder()
    for (p, q), pairs in zip(frames, found):
        assert pairs.dtype == np.uint32 and len(pairs) > 1000
        assert np.array_equal(pairs, finder.find(hulls, p, q, scene.body_hull, **filters))
    assert not np.array_equal(found[0], found[36])
    assert windows.find(hulls, [], scene.body_hull) == [] and windows.without_box == []
    with pytest.raises(ValueError, match="3 orientations for 2 positions"):
        windows.find(hulls, [(np.zeros((2, 3)), np.zeros((3, 4)))], [0, 0])
    with pytest.raises(ValueError, match=r"hull must have the shape \(3,\)"):
        windows.find(hulls, [(np.zeros((2, 3)), np.zeros((2, 4))), (np.zeros((3, 3)), np.zeros((3, 4)))], [0, 0])
    with pytest.raises(lanefold.LanefoldError, match="margin"):
        windows.find(hulls, frames, scene.body_hull, margin=-1)


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")
def test_folders_of_the_program_are_read(tmp_path: Path):
    scene = SCENES / "boxes_pile"
    subprocess.run([PROGRAM, "collide", scene, "-o", tmp_path / "contacts"], check=True, capture_output=True)
    contacts = lanefold.Contacts(tmp_path / "contacts")
    assert contacts.frames == list(range(len(lanefold.Scene(scene))))
    records = contacts[0]
    assert records.dtype.itemsize == 128 and (records["kind"] != 0).all()
    assert lanefold.hash_records(records) == contacts.summary(0)["hash"]
    with pytest.raises(KeyError):
        contacts[999]
    for compress in ("zstd", "fast", "small"):
        packed = tmp_path / compress
        bake = [PROGRAM, "collide", scene, "-o", packed, "--compress", compress]
        subprocess.run(bake, check=True, capture_output=True)
        unpacked = lanefold.Contacts(packed)[0]
        assert unpacked.dtype == records.dtype and unpacked.tobytes() == records.tobytes()


def _write_version_2(folder, **header):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    folder.mkdir()
    np.save(folder / "hull_offsets.npy", np.array([0, 8], np.uint64))
    np.save(folder / "hull_vertices.npy", corners)
    np.save(folder / "body_hull.npy", np.zeros(3, np.uint32))
    position = np.zeros((2, 3, 3), np.float32)
    position[..., 0] = [0, 1.5, 3]
    position[1, 1] = np.nan
    np.save(folder / "position.npy", position)
    np.save(folder / "orientation.npy", np.tile(np.float32([0, 0, 0, 1]), (2, 3, 1)))
    np.save(folder / "active.npy", np.array([[1, 1, 1], [1, 0, 1]], bool))
    np.save(folder / "pair_offsets.npy", np.array([0, 2, 4], np.uint64))
    np.save(folder / "pairs.npy", np.array([[0, 1], [1, 2], [0, 1], [0, 2]], np.uint32))
    (folder / "names.json").write_text(json.dumps({"bodies": ["a", "b", "c"]}))
    header = {"format": "lanefold-scene", "version": 2, "first_frame": 7, "up": "z"} | header
    (folder / "scene.json").write_text(json.dumps(header))


def test_a_scene_of_version_2_is_what_the_program_reads(tmp_path):
    _write_version_2(tmp_path / "scene", frames_per_second=24, handedness="left")
    scene = lanefold.Scene(tmp_path / "scene")
    assert (scene.names, scene.first_frame, scene.frames_per_second) == (["a", "b", "c"], 7, 24)
    assert (scene.up, scene.handedness) == ("z", "left")
    assert scene.pairs(0).tolist() == [[0, 1], [1, 2]] and scene.pairs(1).tolist() == [[0, 2]]
    hulls = scene.build_hulls()
    found = lanefold.PairFinder().find(hulls, *scene.poses(1), scene.body_hull, margin=2)
    assert found.tolist() == [[0, 2]]
    subprocess.run([PROGRAM, "collide", tmp_path / "scene", "-o", tmp_path / "c"], check=True, capture_output=True)
    contacts = lanefold.Contacts(tmp_path / "c")
    assert [len(contacts[f]) for f in (0, 1)] == [2, 0]
    position, orientation = scene.poses(0)
    records, _ = lanefold.collide_compact(hulls, position, orientation, scene.body_hull, scene.pairs(0))
    assert records.tobytes() == contacts[0].tobytes()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("hull_radius", np.array([0.5], np.float32)),
        ("hull_kind", np.array([1], np.uint8)),
        ("active", np.ones((1, 3), bool)),
    ],
)
def test_what_a_scene_of_version_2_may_not_say_is_refused(tmp_path, name, content):
    _write_version_2(tmp_path / "scene")
    np.save(tmp_path / "scene" / f"{name}.npy", content)
    with pytest.raises(ValueError, match=name):
        lanefold.Scene(tmp_path / "scene")


def test_a_scene_of_version_3_has_rounded_hulls(tmp_path):
    _write_version_2(tmp_path / "scene", version=3)
    hulls = len(np.load(tmp_path / "scene" / "hull_offsets.npy")) - 1
    np.save(tmp_path / "scene" / "hull_radius.npy", np.full(hulls, 0.25, np.float32))
    scene = lanefold.Scene(tmp_path / "scene")
    assert scene.hull_radius.tolist() == [0.25] * hulls
    assert scene.build_hulls().info(0)["radius"] == 0.25 and scene.build_hulls(radius=0).info(0)["radius"] == 0
    for wrong in (np.full(hulls, -1, np.float32), np.full(hulls, np.nan, np.float32), np.zeros(hulls + 1, np.float32)):
        np.save(tmp_path / "scene" / "hull_radius.npy", wrong)
        with pytest.raises(ValueError, match="hull_radius"):
            lanefold.Scene(tmp_path / "scene")
    np.save(tmp_path / "scene" / "hull_radius.npy", np.zeros(hulls, np.float32))
    np.save(tmp_path / "scene" / "hull_kind.npy", np.full(hulls, 9, np.uint8))
    with pytest.raises(ValueError, match="hull_kind"):
        lanefold.Scene(tmp_path / "scene")


def _write_shapes(folder):
    """A half-space, a cube, a compound of two cubes, and a sphere."""
    _write_version_2(folder, version=3)
    cube = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    arrays = {
        "hull_vertices": np.float32([*cube, [0, 0, 0]]),
        "hull_offsets": np.uint64([0, 0, 8, 8, 9]),
        "hull_kind": np.uint8([1, 0, 2, 0]),
        "hull_radius": np.float32([0, 0, 0, 0.5]),
        "half_spaces": np.float32([[0, 0, 2, 0.25]]),
        "compound_offsets": np.uint64([0, 2]),
        "child_hull": np.uint32([1, 1]),
        "child_position": np.float64([[0, 0, 0], [3, 0, 0]]),
        "child_orientation": np.float32([[0, 0, 0, 1], [0, 0, 0.6, 0.8]]),
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    return arrays


def test_a_scene_of_version_3_has_half_spaces_and_compounds(tmp_path):
    arrays = _write_shapes(tmp_path / "scene")
    scene = lanefold.Scene(tmp_path / "scene")
    for name, array in arrays.items():
        assert np.array_equal(getattr(scene, name), array), name
    hulls = scene.build_hulls()
    cube = lanefold.build_hulls(arrays["hull_vertices"], [0, 8])
    expected = lanefold.build_half_spaces([0, 0, 2], 0.25).append(cube)
    expected = lanefold.build_compounds(
        expected, arrays["child_position"], arrays["child_orientation"], arrays["child_hull"]
    ).append(lanefold.build_hulls([[0, 0, 0]], radius=0.5))
    assert len(hulls) == 4 and hulls.fingerprint == expected.fingerprint


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("hull_kind", np.uint8([1, 0, 3, 0])),
        ("hull_kind", np.uint8([0, 0, 2, 0])),
        ("half_spaces", np.zeros((2, 4), np.float32)),
        ("compound_offsets", np.uint64([0, 1, 2])),
        ("child_hull", np.int64([1, 1])),
        ("child_position", np.zeros((2, 3), np.float32)),
        ("child_orientation", np.zeros((1, 4), np.float32)),
    ],
)
def test_wrong_half_spaces_and_compounds_are_refused(tmp_path, name, content):
    _write_shapes(tmp_path / "scene")
    np.save(tmp_path / "scene" / f"{name}.npy", content)
    with pytest.raises(ValueError, match="npy"):
        lanefold.Scene(tmp_path / "scene")


def test_unknown_keys_and_masks_of_version_1_are_refused(tmp_path):
    _write_version_2(tmp_path / "key", frames_per_secnd=24)
    with pytest.raises(ValueError, match="frames_per_secnd"):
        lanefold.Scene(tmp_path / "key")
    _write_version_2(tmp_path / "old", version=1)
    with pytest.raises(ValueError, match="version 2"):
        lanefold.Scene(tmp_path / "old")
