# SPDX-License-Identifier: MIT
"""Half-spaces, compounds and hulls at other scales, in sets that travel."""

import pickle

import numpy as np
import pytest
from conftest import CUBE
from test_hulls import same

import lanefold

UPRIGHT = np.float32([0, 0, 0, 1])


def bar_and_ball() -> lanefold.Hulls:
    """A cube (0), a ball (1), and a compound of both (2): a dumbbell along x."""
    hulls = lanefold.build_hulls([*CUBE, [0, 0, 0]], [0, 8, 9], radius=[0, 0.5])
    return lanefold.build_compounds(hulls, [[-2, 0, 0], [2, 0, 0]], [UPRIGHT, UPRIGHT], [0, 1])


def test_a_ball_rests_on_a_half_space():
    floor = lanefold.build_half_spaces([0, 0, 2], 1.0)
    hulls = lanefold.build_hulls([[0, 0, 0]], radius=0.5).append(floor)
    assert hulls.half_space(1) == ((0, 0, 2), 1) and hulls.info(1)["shape"] == "half_space"
    assert hulls.vertices(1).shape == (0, 3)
    bodies = np.float64([[0, 0, 1.75], [0, 0, 0.25], [1e6, 0, 0]]), np.tile(UPRIGHT, (3, 1)), [0, 1, 0]
    pairs = lanefold.PairFinder().find(hulls, *bodies, margin=0.1)
    assert pairs.tolist() == [[0, 1], [1, 2]]
    records, _ = lanefold.collide(hulls, *bodies, pairs, margin=0.1)
    assert records["distance"] == pytest.approx([0, -1.75], abs=2e-6)
    exact, normal = lanefold.oracle(hulls, *bodies, pairs)
    assert exact == pytest.approx(records["distance"], abs=2e-6) and normal[0] == pytest.approx([0, 0, -1])
    with pytest.raises(IndexError):
        hulls.half_space(0)
    assert len(lanefold.build_half_spaces([[0, 0, 1], [1, 0, 0]], [0, 3])) == 2


def test_numbers_that_are_no_plane_are_refused():
    for normal, offset, error in (
        ([0, 0, 0], 0, "too_small"),
        ([0, np.nan, 1], 0, "not_finite"),
        ([0, 0, 1], 1e16, "too_large"),
        ([0, 0, 1], 1e39, "not_finite"),
    ):
        with pytest.raises(lanefold.HullsError) as caught:
            lanefold.build_half_spaces([[0, 0, 1], normal], [0, offset])
        assert [(f.hull, f.error) for f in caught.value.failures] == [(1, error)]
    with pytest.raises(ValueError, match="normal must have"):
        lanefold.build_half_spaces([0, 1])
    with pytest.raises(ValueError, match="offset must be"):
        lanefold.build_half_spaces([0, 0, 1], [1, 2])
    with pytest.raises(TypeError, match="offset must be"):
        lanefold.build_half_spaces([0, 0, 1], "deep")


def test_records_name_the_children_of_a_compound():
    hulls = bar_and_ball()
    info = hulls.info(2)
    assert info["shape"] == "compound" and info["children"] == 2 and hulls.info(0)["children"] == 0
    assert info["volume"] == pytest.approx(8 + np.pi / 6)
    children = hulls.children(2)
    assert children["position"].tolist() == [[-2, 0, 0], [2, 0, 0]] and children["hull"].tolist() == [0, 1]
    assert children["orientation"].tolist() == [[0, 0, 0, 1]] * 2 and hulls.children(0)["hull"].size == 0
    # The ball of one dumbbell touches the cube of the other; a lone cube touches the first one's cube.
    bodies = np.float32([[0, 0, 0], [5.4, 0, 0], [-3.9, 0, 0]]), np.tile(UPRIGHT, (3, 1)), [2, 2, 0]
    pairs = lanefold.PairFinder().find(hulls, *bodies, margin=0.1)
    records, result = lanefold.collide_compact(hulls, *bodies, pairs, margin=0.1)
    fields = lanefold.arrays(records)
    assert records["pair"].tolist() == [[0, 1], [0, 2]]
    assert fields["child_a"].tolist() == [1, 0] and fields["child_b"].tolist() == [0, 0]
    assert records["distance"] == pytest.approx([-0.1, -0.1], abs=2e-6) and result.touching == 2
    assert not records["reserved"].any()
    near, _ = lanefold.distance(hulls, *bodies, [[1, 0]], margin=0.1)
    assert (near["child_a"][0], near["child_b"][0]) == (0, 1)
    exact, normal = lanefold.oracle(hulls, *bodies, pairs)
    assert exact == pytest.approx([-0.1, -0.1], abs=1e-6) and np.allclose(normal, [[1, 0, 0], [-1, 0, 0]])


def test_compounds_meet_as_their_children_do():
    random = np.random.default_rng(3)
    hulls = lanefold.build_hulls(random.normal(size=(60, 3)).astype(np.float32), [0, 12, 30, 60])
    turns = random.normal(size=(9, 4))
    turns = (turns / np.linalg.norm(turns, axis=1, keepdims=True)).astype(np.float32)
    places, which = random.uniform(-2, 2, (9, 3)), random.integers(0, 3, 9)
    all_hulls = lanefold.build_compounds(hulls, places, turns, which, [0, 4, 9])
    bodies = np.zeros((2, 3)), np.tile(UPRIGHT, (2, 1)), [3, 4]
    records, _ = lanefold.collide_compact(all_hulls, *bodies, [[0, 1]], margin=0.1)
    pairs = [[a, b] for a in range(4) for b in range(4, 9)]
    alone, _ = lanefold.collide_compact(hulls, places, turns, which, pairs, margin=0.1)
    assert len(records) == len(alone) > 3
    assert np.array_equal(np.stack([records["child_a"], records["child_b"] + 4], 1), alone["pair"])
    assert records["distance"] == pytest.approx(alone["distance"], abs=1e-6)


def test_children_that_are_none_are_refused():
    hulls = bar_and_ball()
    good = [[0, 0, 0]], [UPRIGHT], [0]
    cases = {
        "bad_hull": ([[0, 0, 0]], [UPRIGHT], [9]),
        "no_hull": ([[0, 0, 0]], [UPRIGHT], [2]),
        "bad_pose": ([[0, np.inf, 0]], [UPRIGHT], [0]),
    }
    for error, child in cases.items():
        both = [np.concatenate([a, b]) for a, b in zip(good, child)]
        with pytest.raises(lanefold.CompoundsError, match=error) as caught:
            lanefold.build_compounds(hulls, *both)
        assert [(f.compound, f.child, f.error) for f in caught.value.failures] == [(0, 1, error)]
        assert pickle.loads(pickle.dumps(caught.value)).failures == caught.value.failures
    with pytest.raises(lanefold.CompoundsError, match="removed_hull"):
        lanefold.build_compounds(hulls.remove(0), *good)
    with pytest.raises(lanefold.CompoundsError, match="compound 1.*empty.*1 more"):
        lanefold.build_compounds(hulls, *good, [0, 1, 1, 1])
    with pytest.raises(lanefold.CompoundsError, match="bad_offsets"):
        lanefold.build_compounds(hulls, *good, [0, 2])
    with pytest.raises(ValueError, match="offsets must"):
        lanefold.build_compounds(hulls, *good, [])
    with pytest.raises(ValueError, match="orientations for"):
        lanefold.build_compounds(hulls, good[0], [UPRIGHT, UPRIGHT], [0])
    with pytest.raises(ValueError, match="hull"):
        lanefold.build_compounds(hulls, *good[:2], [-1])


def test_scaled_hulls_are_baked_once():
    scaled = lanefold.ScaledHulls(bar_and_ball())
    taken = scaled.take([0, 0, 1, 0, 0], [[1, 2, 3], [1, 1, 1], [2, 2, -2], [1, 2, 3], [-1, 1, 1]])
    assert taken.tolist() == [3, 0, 4, 3, 5] and len(scaled.hulls) == 6
    assert scaled.take(1, 2.0).tolist() == [6] and scaled.take([0, 0], [1, 2, 3]).tolist() == [3, 3]
    assert sorted(scaled.hulls.vertices(3).tolist()) == sorted((CUBE * np.float32([1, 2, 3])).tolist())
    assert scaled.hulls.info(4)["radius"] == 1 and scaled.hulls.info(3)["volume"] == pytest.approx(48)
    for hull, scale, where in (([0, 7], 2, 1), (0, [1, 0, 1], 0), ([0, 1], [1, 2, 1], 1), (0, np.nan, 0)):
        with pytest.raises(lanefold.LanefoldError) as caught:
            scaled.take(hull, scale)
        assert caught.value.where == where and "scale" in caught.value.what
    assert len(scaled.hulls) == 7
    with pytest.raises(ValueError, match="scale must"):
        scaled.take([0, 1], [[1, 2]])


def sets():
    random = np.random.default_rng(12)
    rocks = lanefold.build_hulls(random.normal(size=(90, 3)).astype(np.float32), [0, 20, 50, 90])
    mixed = bar_and_ball().append(lanefold.build_half_spaces([[0, 0, 1], [1, 1, 1 / 3]], [0.1, -7]))
    scaled = lanefold.ScaledHulls(rocks.append(mixed), merge_coplanar=False)
    scaled.take([0, 4, 6, 2, 0], [[1, 2, 1 / 3], [3, 3, -3], [1, 2, 3], [-1, 1, 1], [1, 2, 1 / 3]])
    two = lanefold.build_compounds(rocks, random.normal(size=(3, 3)), [UPRIGHT] * 3, [0, 1, 2], [0, 1, 3])
    return {
        "half-spaces": lanefold.build_half_spaces([[0, 0, 1], [1, 2, 3]], [1 / 3, 2]),
        "a compound": bar_and_ball(),
        "appended": rocks.append(mixed).append(bar_and_ball()).append(mixed),
        "a child is gone": rocks.append(mixed).remove(3).append(two),
        "one compound of two is gone": two.append(two).remove([3]).append(rocks),
        "a half-space is gone": mixed.remove(3).append(mixed.remove([0, 4])),
        "scaled": scaled.hulls,
        "scaled of what is gone": scaled.hulls.remove([0, 1, 2, 3]).append(two),
    }


@pytest.mark.parametrize("name", list(sets()))
def test_sets_with_all_kinds_travel_in_a_pickle(name):
    hulls = sets()[name]
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(hulls))))
    assert same(again, hulls)
    for i in range(len(hulls)):
        if i not in hulls:
            continue
        if hulls.info(i)["shape"] == "half_space":
            assert again.half_space(i) == hulls.half_space(i)
        for field, values in hulls.children(i).items():
            assert again.children(i)[field].tobytes() == values.tobytes()


def test_a_set_tells_its_kinds():
    hulls = bar_and_ball().append(lanefold.build_half_spaces([0, 0, 1]))
    assert repr(hulls) == (
        f"<lanefold.Hulls: 2 hulls, 1 half-space, 1 compound, 9 vertices, fingerprint 0x{hulls.fingerprint:016x}>"
    )
    assert repr(hulls.remove(0)).startswith("<lanefold.Hulls: 1 hull, 1 half-space, 1 vertex, 2 ids removed, ")
