# SPDX-License-Identifier: MIT
"""Mistakes of scripts: objects shared by threads, exceptions that travel, numbers that do not fit."""

import json
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import CUBE

import lanefold

UPRIGHT = np.float32([0, 0, 0, 1])


def test_a_finder_that_is_in_use_says_so(pile):
    finder = lanefold.PairFinder()
    right = finder.find(pile.hulls, *pile.bodies, margin=0.1)
    copies = 200
    position = np.concatenate([pile.position + np.float32([20 * i, 0, 0]) for i in range(copies)])
    orientation, hull = np.tile(pile.orientation, (copies, 1)), np.tile(pile.hull, copies)
    found, refused = [], []
    barrier = threading.Barrier(3)

    def work():
        barrier.wait()
        for _ in range(20):
            try:
                found.append(len(finder.find(pile.hulls, position, orientation, hull, margin=0.1)))
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) + len(refused) == 60 and found
    assert set(found) == {copies * len(right)}
    assert refused and all("in use" in text for text in refused)


def test_a_stream_that_is_in_use_says_so(pile):
    stream = lanefold.ContactStream(pile.hulls, pile.hull, margin=0.1)
    with ThreadPoolExecutor(3) as pool:
        for step in [pool.submit(stream.step, pile.position, pile.orientation) for _ in range(60)]:
            try:
                step.result()
            except (RuntimeError, lanefold.LanefoldError, ValueError):
                pass  # refused; what must not happen is a crash


def test_exceptions_can_be_pickled():
    with pytest.raises(lanefold.HullsError) as failed:
        lanefold.build_hulls(np.zeros((8, 3), np.float32))
    again = pickle.loads(pickle.dumps(failed.value))
    assert again.failures == failed.value.failures and str(again) == str(failed.value)
    hulls = lanefold.build_hulls(CUBE)
    with pytest.raises(lanefold.LanefoldError) as refused:
        lanefold.collide(hulls, [[0, 0, 0]], [UPRIGHT], [0], [[0, 0]], margin=-1)
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.code, again.what, again.where) == (refused.value.code, refused.value.what, refused.value.where)


def test_unmoved_pairs_keep_their_records(pile):
    records, _ = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, margin=0.1)
    rest = np.ones(len(pile.position), bool)
    kept, result = lanefold.collide(
        pile.hulls, *pile.bodies, pile.pairs, margin=0.1, unmoved=rest, previous=records, hysteresis=0.0
    )
    assert result.touching > 100 and kept.tobytes() == records.tobytes() and kept is not records
    with pytest.raises(ValueError, match="unmoved needs out"):
        lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, unmoved=rest)
    with pytest.raises(ValueError, match="unmoved needs out"):
        lanefold.distance(pile.hulls, *pile.bodies, pile.pairs, unmoved=rest)


@pytest.mark.parametrize("ids", [[0, -1], [0, 2**32], [0.5, 0.0], ["a", "b"]])
def test_ids_that_do_not_fit_are_refused(ids):
    hulls = lanefold.build_hulls(np.concatenate([CUBE, CUBE]), [0, 8, 16])
    with pytest.raises((TypeError, ValueError)):
        lanefold.ContactStream(hulls, np.array(ids))
    with pytest.raises((TypeError, ValueError)):
        hulls.remove(np.array(ids))


def test_hulls_are_removed_by_any_list_of_ids():
    hulls = lanefold.build_hulls(np.concatenate([CUBE] * 4), [0, 8, 16, 24, 32])
    for ids, count in (([0, 2], 2), (1, 1), (np.int64([3]), 1), ([], 0), (np.uint32([0, 1, 2])[::2], 2)):
        assert hulls.remove(ids).removed == count


def test_offsets_must_be_a_list():
    with pytest.raises(ValueError, match="offsets"):
        lanefold.build_hulls(CUBE, 8)


def test_arrays_that_are_not_aligned_are_copied(pile):
    def shifted(a):
        a = np.ascontiguousarray(a)
        memory = np.zeros(a.nbytes + 1, np.uint8)
        memory[1:] = a.view(np.uint8).reshape(-1)
        out = memory[1:].view(a.dtype).reshape(a.shape)
        assert not out.flags.aligned
        return out

    bodies = [shifted(part) for part in pile.bodies]
    margin = np.full(len(pile.pairs), 0.1, np.float32)
    records, _ = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, margin=margin)
    same, _ = lanefold.collide(pile.hulls, *bodies, shifted(pile.pairs), margin=shifted(margin))
    assert same.tobytes() == records.tobytes()


@pytest.mark.parametrize("none", [[], (), np.zeros(0), np.zeros((0, 2)), np.zeros((0, 2), np.uint32)])
def test_no_pairs_are_fine(pile, none):
    for call in (lanefold.collide, lanefold.collide_compact, lanefold.distance):
        records, result = call(pile.hulls, *pile.bodies, none)
        assert len(records) == 0 and result.pairs == 0 and result.hash == "0" * 16
    bits, result = lanefold.overlap(pile.hulls, *pile.bodies, none)
    assert bits.shape == (0,) and bits.dtype == bool and result.pairs == 0
    exact, normal = lanefold.oracle(pile.hulls, *pile.bodies, none)
    assert exact.shape == (0,) and normal.shape == (0, 3)
    world = lanefold.World(lanefold.build_hulls(CUBE))
    world.add_bodies([[0, 0, 0], [0, 0, 1]], [UPRIGHT] * 2, [0, 0])
    assert world.step(0.01, none).pairs == 0 and world.step(0.01).pairs == 1


@pytest.mark.parametrize("wrong", [[0, 1], np.zeros((0, 3)), np.zeros((3, 0)), [[0, 1, 2]], [[0.5, 1.0]], [[0, -1]]])
def test_pairs_of_another_shape_are_refused(pile, wrong):
    for call in (lanefold.collide, lanefold.collide_compact, lanefold.distance, lanefold.overlap, lanefold.oracle):
        with pytest.raises((TypeError, ValueError), match="pairs"):
            call(pile.hulls, *pile.bodies, wrong)


@pytest.mark.parametrize(
    "options", [{"threads": -1}, {"threads": 1.5}, {"face_preference": "x"}, {"isa": None}, {"stop": 1}]
)
def test_options_of_a_wrong_kind_are_named(pile, options):
    with pytest.raises(TypeError, match=next(iter(options))):
        lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, **options)


@pytest.mark.parametrize("call", [lanefold.collide, lanefold.collide_compact, lanefold.distance, lanefold.overlap])
def test_options_that_there_are_not_are_named_with_the_call(pile, call):
    with pytest.raises(TypeError, match=rf"{call.__name__}\(\) has no option 'marginn'; there are cache,.* margin,"):
        call(pile.hulls, *pile.bodies, pile.pairs, marginn=0.1)
    with pytest.raises(TypeError, match=r"ContactStream\(\) has no option 'cache'"):
        lanefold.ContactStream(pile.hulls, pile.bodies[2], cache=None)


@pytest.mark.parametrize("settings", [{"gravity": 3}, {"substeps": 1.5}, {"threads": -1}, {"unit": "m"}])
def test_settings_of_a_wrong_kind_are_named(settings):
    with pytest.raises(TypeError, match=next(iter(settings))):
        lanefold.World(lanefold.build_hulls(CUBE), **settings)


def test_a_truth_of_any_kind_is_a_setting():
    for sleep in (True, 1, np.bool_(True), 0):
        lanefold.World(lanefold.build_hulls(CUBE), sleep=sleep)


@pytest.mark.parametrize("name", ["out", "previous", "cache"])
def test_memory_of_the_caller_must_be_an_array(pile, name):
    with pytest.raises(TypeError, match=f"{name} must be a NumPy array, it is list"):
        lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, **{name: [0] * len(pile.pairs)})


def _scene(folder, **arrays):
    """A scene of two frames of one cube, with other arrays."""
    turn = np.tile(UPRIGHT, (2, 1, 1))
    whole = {"hull_offsets": np.uint64([0, 8]), "hull_vertices": CUBE, "body_hull": np.uint32([0])}
    whole |= {"position": np.zeros((2, 1, 3), np.float32), "orientation": turn}
    for name, array in (whole | arrays).items():
        np.save(folder / f"{name}.npy", array)
    header = {"format": "lanefold-scene", "version": 2, "unit": "m", "frames_per_second": 24}
    (folder / "scene.json").write_text(json.dumps(header))
    return folder


def test_scenes_that_do_not_fit_name_their_file(tmp_path):
    assert len(lanefold.Scene(_scene(tmp_path))) == 2
    wrong = {
        "orientation": np.tile(UPRIGHT, (1, 1, 1)),
        "position": np.zeros((2, 2, 3), np.float32),
        "hull_vertices": np.zeros((8, 2), np.float32),
        "body_hull": np.zeros((1, 1), np.uint32),
        "body_group": np.zeros(2, np.uint32),
    }
    for name, array in wrong.items():
        for old in tmp_path.iterdir():
            old.unlink()
        with pytest.raises(ValueError, match=r"\.npy: expected the shape"):
            lanefold.Scene(_scene(tmp_path, **{name: array}))
    for old in tmp_path.iterdir():
        old.unlink()
    for cut in (-4, 20, 0):
        path = _scene(tmp_path) / "position.npy"
        path.write_bytes(path.read_bytes()[:cut])
        with pytest.raises(ValueError, match=r"position\.npy: "):
            lanefold.Scene(tmp_path)
    header = _scene(tmp_path) / "scene.json"
    header.write_text(header.read_text().replace("24", '"24"'))
    with pytest.raises(ValueError, match="frames_per_second is '24'"):
        lanefold.Scene(tmp_path)
