#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""MuJoCo with lanefold's contacts (examples/mujoco): what the contacts are, beside MuJoCo's own; that they are a
function of the poses; that only the pairs of one MjData are taken, and given back; and that a pile lies still.

    check_mujoco.py

`./dev mujoco --test` runs it, with the packages of tests/foreign/mujoco.txt.
"""

import ctypes
import os
import sys
from pathlib import Path

import mujoco
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples/mujoco"))
import lanefold_mujoco
import side_by_side
from lanefold_mujoco import Narrowphase

checks = 0


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"check_mujoco: {text}")


def scene(*geoms, option=""):
    """Bodies with one geom each, which do not fall."""
    bodies = "".join(f"<body><freejoint/><geom {geom}/></body>" for geom in geoms)
    octahedron = "1 0 0 -1 0 0 0 1 0 0 -1 0 0 0 1 0 0 -1"
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 0 0">{option}</option><asset><mesh name="octahedron" vertex="{octahedron}"/>'
        f'<mesh name="cube" vertex="{" ".join(f"{x} {y} {z}" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))}"/>'
        f"</asset><worldbody>{bodies}</worldbody></mujoco>")
    return model, mujoco.MjData(model)


def place(model, data, heights):
    for body, height in enumerate(heights):
        data.qpos[7 * body + 2] = height
    mujoco.mj_kinematics(model, data)
    mujoco.mj_collision(model, data)
    return data.contact


def known_contacts():
    """Two of each kind, one upon the other, 0.1 deep: as many points as their faces have, along z."""
    cases = (('type="box" size="1 1 1"', 1, 4), ('type="mesh" mesh="cube"', 1, 4), ('type="sphere" size="0.5"', 0.5, 1),
             ('type="capsule" size="0.5 1"', 1.5, 1), ('type="mesh" mesh="octahedron"', 1, 1))
    for lower, below, points in cases:
        for upper, above, others in cases:
            if "octahedron" in lower and "octahedron" in upper:
                continue  # two tips that overlap part sideways
            model, data = scene(lower, upper)
            with Narrowphase(model, data) as ours:
                found = place(model, data, (0, below + above - 0.1))
                check(ours.counts()["refused"] == 0, f"{lower} and {upper} were left to MuJoCo")
            expected = min(points, others)
            first = "below" if found.geom[0, 0] == 0 else "above"
            check(data.ncon == expected, f"{lower} and {upper}: {data.ncon} contacts, not {expected}")
            check(np.abs(found.dist + 0.1).max() < 1e-5, f"{lower} and {upper}: depths {-found.dist}")
            check(np.abs(found.frame[:, 2] - (1 if first == "below" else -1)).max() < 1e-6,
                  f"{lower} and {upper}: normals {found.frame[:, :3]}")
            check(np.abs(found.pos[:, 2] - (below - 0.05)).max() < 1e-5, f"{lower} and {upper}: points {found.pos}")


def room_for_one():
    """MuJoCo gets the deepest contact if it has room for one only."""
    model, data = scene('type="mesh" mesh="cube"', 'type="mesh" mesh="cube"', option='<flag multiccd="disable"/>')
    data.qpos[7 + 3:14] = np.array([1, 0.01, 0, 0]) / np.hypot(1, 0.01)
    with Narrowphase(model, data):
        found = place(model, data, (0, 1.9))
        check(data.ncon == 1, f"{data.ncon} contacts where one was asked for")
        one = float(found.dist[0])
    model.opt.disableflags = 0
    with Narrowphase(model, data):
        found = place(model, data, (0, 1.9))
        check(data.ncon == 4 and abs(found.dist.min() - one) < 1e-7, "the one contact was not the deepest")


def bytes_of(model, data):
    mujoco.mj_collision(model, data)
    return b"".join(x.tobytes() for x in (data.contact.geom, data.contact.dist, data.contact.pos, data.contact.frame))


def one_data_only():
    """Other MjData keep MuJoCo's contacts within the block, and this one has them again behind it."""
    model = mujoco.MjModel.from_xml_string(side_by_side.pile(48))
    data, other = mujoco.MjData(model), mujoco.MjData(model)
    mujoco.mj_step(model, data, 200)
    mujoco.mj_kinematics(model, data)
    other.geom_xpos[:], other.geom_xmat[:], other.xpos[:], other.xmat[:] = (data.geom_xpos, data.geom_xmat, data.xpos,
                                                                            data.xmat)
    other.xipos[:], other.ximat[:] = data.xipos, data.ximat
    mujocos = bytes_of(model, data)
    check(bytes_of(model, other) == mujocos and data.ncon > 20, "MuJoCo does not repeat its own contacts")
    with Narrowphase(model, data):
        ours = bytes_of(model, data)
        check(ours != mujocos, "lanefold was not asked")
        check(bytes_of(model, other) == mujocos, "another MjData got other contacts")
        check(bytes_of(model, data) == ours, "the same poses gave other contacts")
        with Narrowphase(model, other) as second:
            check(bytes_of(model, other) == ours, "another MjData with the same poses gave other contacts")
            check(second.counts()["alone"] == second.counts()["asked"] > 0, "a first step has no batch")
        check(bytes_of(model, other) == mujocos and bytes_of(model, data) == ours, "one block ended the other")
        data.geom_xpos[7, 2] += 0.01
        check(bytes_of(model, data) != ours, "a body that moved was not noticed")
        data.geom_xpos[7, 2] -= 0.01
    check(bytes_of(model, data) == mujocos, "MuJoCo's functions did not come back")


def refused():
    """Each misuse is a RuntimeError that says why."""
    model, data = scene('type="box" size="1 1 1"', 'type="box" size="1 1 1"')
    with Narrowphase(model, data):
        try:
            Narrowphase(model, data)
            check(False, "a second block for one MjData was not refused")
        except RuntimeError as error:
            check("already" in str(error), str(error))
    library, what = lanefold_mujoco._library(), ctypes.c_char_p()
    handle = library.lanefold_mujoco_begin(lanefold_mujoco._table(), mujoco.mj_version() + 1, model._address,
                                           data._address, 15, 1, ctypes.byref(what))
    check(handle is None and b"version" in what.value, f"another version of MuJoCo was not refused: {what.value}")


def core(model, data, geom):
    """The points of a geom in the world, and by how much it is rounded."""
    kind, size, mesh = model.geom_type[geom], model.geom_size[geom], model.geom_dataid[geom]
    points, radius = np.zeros((1, 3)), size[0]
    if kind == mujoco.mjtGeom.mjGEOM_MESH:
        first = model.mesh_vertadr[mesh]
        points, radius = model.mesh_vert[first : first + model.mesh_vertnum[mesh]].astype(float), 0
    elif kind == mujoco.mjtGeom.mjGEOM_BOX:
        points, radius = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) * size, 0
    elif kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
        points = np.array([[0, 0, -size[1]], [0, 0, size[1]]])
    return points @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom], radius


def judge(model, data, a, b, random):
    """The distance of two geoms that overlap, by many directions: the largest separation of all that were tried."""
    (p, r), (q, s) = core(model, data, a), core(model, data, b)
    best, normal, tried = -np.inf, None, random.normal(size=(100000, 3))
    for k in range(14):
        tried /= np.linalg.norm(tried, axis=1)[:, None]
        separation = (q @ tried.T).min(axis=0) - (p @ tried.T).max(axis=0) - r - s
        if separation.max() > best:
            best, normal = separation.max(), tried[separation.argmax()]
        tried = normal + random.normal(size=(5000, 3)) * 10 ** (-1 - 0.5 * k)
    return best


PREFERENCE = 0.005  # of the smaller geom's size: a face may be this much deeper than the best edges (Options)


def the_same_poses(model, steps):
    """A search over directions judges pairs that differ: lanefold is right within its face preference."""
    data, random = mujoco.MjData(model), np.random.default_rng(1)
    pairs, judged, theirs_off, ours_off = 0, 0, 0.0, 0.0
    for step in range(steps):
        mujoco.mj_step(model, data)
        if step % 10:
            continue
        mujoco.mj_kinematics(model, data)
        theirs = side_by_side.contacts(model, data)
        with Narrowphase(model, data):
            ours = side_by_side.contacts(model, data)
        for pair in ours.keys() & theirs.keys():
            pairs += 1
            if abs(ours[pair][1] - theirs[pair][1]) < 2e-7:
                continue
            judged += 1
            exact = judge(model, data, *pair, random)
            size = min(model.geom_rbound[list(pair)])
            check(abs(ours[pair][1] - exact) <= PREFERENCE * size + 1e-6,
                  f"geoms {pair}: lanefold {ours[pair][1]:.7f}, MuJoCo {theirs[pair][1]:.7f}, searched {exact:.7f}")
            theirs_off = max(theirs_off, abs(theirs[pair][1] - exact))
            ours_off = max(ours_off, abs(ours[pair][1] - exact))
        for pair in theirs.keys() ^ ours.keys():
            check(abs((theirs.get(pair) or ours[pair])[1]) < 2e-6, f"only one finds the contact of geoms {pair}")
    print(f"the same poses: {pairs} pairs, {judged} of them judged by a search; lanefold's depth is off by at most "
          f"{1000 * ours_off:.2f} mm (a preferred face), MuJoCo's by {1000 * theirs_off:.2f} mm")
    check(pairs > 1500 and judged > 50, "too few pairs")


def a_pile():
    """A pile falls and lies still with lanefold's contacts."""
    model = mujoco.MjModel.from_xml_string(side_by_side.pile(72))
    the_same_poses(model, 800)
    data = mujoco.MjData(model)
    with Narrowphase(model, data) as ours:
        mujoco.mj_step(model, data, 1500)
        counts = ours.counts()
    # Balls and capsules go on rolling.
    speed = float(np.median(np.linalg.norm(data.qvel.reshape(-1, 6)[:, :3], axis=1)))
    lowest = float(data.xpos[1:, 2].min())
    print(f"a pile of 72 after 3 s: {speed:.4f} m/s, lowest {lowest:.3f} m, {data.ncon} contacts; {counts}")
    check(lowest > 0.02 and data.xpos[1:, 2].max() < 1.5, "a body has left the pile")
    check(speed < 0.02, "the pile does not come to rest")
    check(counts["refused"] == 0 and counts["batched"] > 9 * counts["alone"], f"few pairs in batches: {counts}")
    check(not any(data.warning.number), "MuJoCo warns")


for part in (known_contacts, room_for_one, one_data_only, refused, a_pile):
    part()
print(f"{checks} checks with MuJoCo {mujoco.__version__}, and {os.path.basename(lanefold_mujoco.BUILT)}")
