# SPDX-License-Identifier: MIT
"""Batch calls: results against the oracle and each other, copies and views, refusals, threads, stopping."""

import importlib
import os
import threading

import numpy as np
import pytest
from conftest import CUBE

import lanefold


def two_cubes():
    position = np.array([[0, 0, 0], [0.5, 0, 1.9], [5, 0, 0]], np.float32)
    orientation = np.tile(np.float32([0, 0, 0, 1]), (3, 1))
    return lanefold.build_hulls(CUBE), position, orientation, np.zeros(3, np.uint32)


def test_two_cubes_touch_in_four_points():
    hulls, *bodies = two_cubes()
    records, result = lanefold.collide(hulls, *bodies, [[0, 1], [0, 2]])
    assert result.touching == 1 and result.by_kind["none"] == 1
    assert np.isclose(records["distance"][0], -0.1, atol=1e-6) and records["count"].tolist() == [4, 0]
    assert records["normal"][0].tolist() == [0, 0, 1]
    a = lanefold.arrays(records)
    assert a["points"].shape == (2, 4, 3) and a["mask"].sum() == 4
    assert np.allclose(lanefold.world_points(records, bodies[0])[0, :, 2], 0.95, atol=1e-6)
    on_a, on_b = lanefold.witnesses(records)
    assert np.allclose(on_a[0, :, 2], 1.0) and np.allclose(on_b[0, :, 2], 0.9)


@pytest.mark.parametrize("isa", lanefold.instruction_sets())
def test_distances_are_those_of_the_oracle(pile, isa):
    records, result = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, margin=0.1, isa=isa)
    exact, normal = lanefold.oracle(pile.hulls, *pile.bodies, pile.pairs)
    reported = records["kind"] != 0
    size = max(pile.hulls.info(h)["size"] for h in range(len(pile.hulls)))
    assert result.isa == isa and reported.sum() > 300
    assert np.abs(records["distance"][reported] - exact[reported]).max() <= 2e-6 * size
    assert (exact[~reported] > 0.1 - 2e-6 * size).all()
    assert np.allclose(np.linalg.norm(normal, axis=1), 1)


def test_all_forms_agree(pile):
    dense, result = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, margin=0.1)
    compact, compact_result = lanefold.collide_compact(pile.hulls, *pile.bodies, pile.pairs, margin=0.1)
    reported = dense["kind"] != 0
    assert compact.tobytes() == dense[reported].tobytes()
    assert result.hash == compact_result.hash == lanefold.hash_records(compact) == lanefold.hash_records(dense)
    distances, _ = lanefold.distance(pile.hulls, *pile.bodies, pile.pairs, margin=0.1)
    assert np.array_equal(distances["distance"], dense["distance"])
    touching, _ = lanefold.overlap(pile.hulls, *pile.bodies, pile.pairs, margin=0.1)
    assert np.array_equal(touching, reported)
    sixteen, _ = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, margin=0.1, capacity=16)
    assert np.array_equal(sixteen["distance"], dense["distance"]) and sixteen["count"].max() > 4


@pytest.mark.parametrize("capacity", [4, 16])
def test_plain_arrays_take_the_short_way_to_the_same_bytes(pile, capacity, monkeypatch):
    options = {"margin": 0.1, "face_preference": 0.01, "threads": 1}
    ways = []
    direct = importlib.import_module("lanefold._native").direct
    monkeypatch.setattr("lanefold._native.direct", lambda *a: ways.append(direct(*a)) or ways[-1])
    pairs = np.uint32(pile.pairs[:300])
    bodies = [np.ascontiguousarray(x) for x in pile.bodies]
    short, one = lanefold.collide(pile.hulls, *bodies, pairs, capacity=capacity, **options)
    assert ways[-1] is not None
    converted, other = lanefold.collide(pile.hulls, *bodies, pairs.tolist(), capacity=capacity, **options)
    assert ways[-1] is None
    assert short.tobytes() == converted.tobytes() and short.dtype == converted.dtype
    assert one == other and one.touching > 20
    short["distance"] = 1  # the caller's own memory
    doubles = [bodies[0].astype(np.float64), *bodies[1:]]
    again, _ = lanefold.collide(pile.hulls, *doubles, pairs, capacity=capacity, **options)
    assert ways[-1] is not None and again.tobytes() == converted.tobytes()
    # Options that are no numbers, other arrays and refused calls go the other way, which says why.
    lanefold.collide(pile.hulls, *bodies, pairs, margin=np.full(len(pairs), 0.1, np.float32))
    lanefold.collide(pile.hulls, *bodies, pairs, isa="scalar")
    lanefold.collide(pile.hulls, *bodies, pairs[::2])
    assert ways[-3:] == [None] * 3
    with pytest.raises(lanefold.LanefoldError, match="margin"):
        lanefold.collide(pile.hulls, *bodies, pairs, margin=-1.0)
    with pytest.raises(ValueError, match="capacity"):
        lanefold.collide(pile.hulls, *bodies, pairs, capacity=7)
    none, nothing = lanefold.collide(pile.hulls, *bodies, pairs[:0])
    assert len(none) == 0 and nothing.pairs == 0


def test_memory_is_read_where_it_is(pile):
    expected, _ = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs)
    # Columns of a structured array, every second body of a longer one, and float64.
    body = np.zeros(len(pile.hull), [("name", "S4"), ("p", "f4", 3), ("q", "f4", 4), ("hull", "u4"), ("mass", "f4")])
    body["p"], body["q"], body["hull"] = pile.bodies
    from lanefold._bodies import Bodies

    b = Bodies(body["p"], body["q"], body["hull"])
    assert all(np.shares_memory(x, body) for x in b.arrays)
    assert (
        lanefold.collide(pile.hulls, body["p"], body["q"], body["hull"], pile.pairs)[0].tobytes()
        == expected.tobytes()
    )
    twice = [np.repeat(x, 2, axis=0) for x in pile.bodies]
    views = [x[::2] for x in twice]
    assert all(np.shares_memory(x, y) for x, y in zip(Bodies(*views).arrays, twice))
    assert lanefold.collide(pile.hulls, *views, pile.pairs)[0].tobytes() == expected.tobytes()
    exact = pile.position.astype(np.float64)
    assert Bodies(exact, pile.orientation, pile.hull).position is exact
    far = lanefold.collide(pile.hulls, exact + 1e6, pile.orientation, pile.hull, pile.pairs)[0]
    assert np.allclose(far["distance"], expected["distance"], atol=1e-5)
    # Arrays that cannot be read in place are copied, with the same result.
    odd = (
        np.asfortranarray(pile.position),
        pile.orientation[::-1][::-1].astype(np.float64),
        pile.hull.astype(np.int64),
    )
    assert lanefold.collide(pile.hulls, *odd, pile.pairs.tolist())[0].tobytes() == expected.tobytes()


def test_out_is_written_in_place(pile):
    out = np.full(len(pile.pairs) * 128, 7, np.uint8).view(lanefold.MANIFOLD4)
    records, _ = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, out=out)
    assert records is out
    with pytest.raises(ValueError, match="out"):
        lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, out=out[:-1])


def test_refusals_say_what_and_where(pile):
    hulls, *bodies = two_cubes()
    with pytest.raises(lanefold.LanefoldError, match="margin"):
        lanefold.collide(hulls, *bodies, [[0, 1]], margin=-1.0)
    with pytest.raises(lanefold.LanefoldError) as caught:
        lanefold.collide(hulls, *bodies, [[0, 1], [0, 2], [1, 2]], margin=[0.0, 0.0, np.nan])
    assert caught.value.where == 2
    with pytest.raises(lanefold.LanefoldError, match="instruction set"):
        lanefold.collide(
            hulls,
            *bodies,
            [[0, 1]],
            isa=next(i for i in ("neon", "avx512", "sse2") if i not in lanefold.instruction_sets())
        )
    with pytest.raises(ValueError, match="isa"):
        lanefold.collide(hulls, *bodies, [[0, 1]], isa="mmx")
    with pytest.raises(ValueError, match="2 orientations for 3"):
        lanefold.collide(hulls, bodies[0], bodies[1][:2], bodies[2], [[0, 1]])
    with pytest.raises(ValueError, match="outside"):
        lanefold.collide(hulls, *bodies, [[0, -1]])
    with pytest.raises(TypeError, match="whole numbers"):
        lanefold.collide(hulls, *bodies, [[0.5, 1.0]])
    # A bad pair gives a status, not an exception, and does not affect the others.
    records, result = lanefold.collide(hulls, *bodies, [[0, 9], [0, 1]])
    assert [lanefold.STATUSES[s] for s in records["status"]] == ["bad_index", "ok"] and result.by_status[
        "bad_index"
    ] == 1


def test_threads_work_while_the_call_computes(pile):
    """The interpreter lock is released: one thread counts while another computes."""
    pairs = np.tile(pile.pairs, (400, 1))
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    before = counted[0]
    lanefold.overlap(pile.hulls, *pile.bodies, pairs, margin=0.1, threads=1)
    during = counted[0] - before
    done.set()
    counter.join()
    assert during > 100


def test_a_stop_flag_ends_a_call(pile):
    flag = lanefold.StopFlag()
    flag.request_stop()
    records, result = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, stop=flag)
    assert result.cancelled and (records["status"] == lanefold.STATUSES.index("cancelled")).all()
    flag.reset()
    assert not lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, stop=flag)[1].cancelled


def test_calls_on_several_threads_at_once(pile):
    expected = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs)[1].hash
    hashes = []
    threads = [
        threading.Thread(target=lambda: hashes.append(lanefold.collide(pile.hulls, *pile.bodies, pile.pairs)[1].hash))
        for _ in range(6)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert hashes == [expected] * 6


class Borrowed:
    """An array of another library, which has only DLPack."""

    def __init__(self, array, device=1):
        self.array = array
        self.device = device

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return (self.device, 0)


def test_arrays_of_others_come_through_dlpack(pile):
    expected = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs)[1].hash
    borrowed = [Borrowed(x) for x in pile.bodies]
    assert lanefold.collide(pile.hulls, *borrowed, Borrowed(pile.pairs))[1].hash == expected
    from lanefold._bodies import on_cpu

    assert np.shares_memory(on_cpu(borrowed[0], "position"), pile.position)
    with pytest.raises(TypeError, match="on a device"):
        lanefold.collide(pile.hulls, Borrowed(pile.position, device=2), *pile.bodies[1:], pile.pairs)


@pytest.mark.parametrize("library", ["jax", "torch"])
def test_arrays_of_jax_and_torch(pile, library):
    name = "jax.numpy" if library == "jax" else "torch"
    if library in os.environ.get("LANEFOLD_ARRAYS_OF", "").split():
        module = importlib.import_module(name)
    else:
        module = pytest.importorskip(name)
    make = module.asarray
    expected = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs)[1].hash
    assert (
        lanefold.collide(pile.hulls, make(pile.position), make(pile.orientation), pile.hull, pile.pairs)[1].hash
        == expected
    )


def test_fields_of_records_go_out_by_dlpack_without_a_copy(pile):
    records, _ = lanefold.collide(pile.hulls, *pile.bodies, pile.pairs, margin=0.1)
    for name, field in lanefold.arrays(records).items():
        out = np.from_dlpack(field)
        assert out.shape == field.shape and np.array_equal(out, field), name
        assert name == "mask" or np.shares_memory(out, records)
