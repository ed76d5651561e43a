# SPDX-License-Identifier: MIT
"""A pile of rocks, boxes, capsules and balls in MuJoCo, with MuJoCo's contacts and with lanefold's.

    side_by_side.py [BODIES [STEPS [KIND...]]]

The kinds are mesh, box, capsule and sphere; all if none is named. MuJoCo lets the pile fall. At every tenth step both
narrowphases get the same poses: how many contacts they find, and by how much depths and normals differ. Then both
simulate the pile from the same state, in turns of 20 steps, so that other programs on the machine slow both alike: the
time of a step, and of its collision detection.
"""

from __future__ import annotations

import statistics
import sys
import time

import mujoco
import numpy as np
from lanefold_mujoco import Narrowphase

HALF_WIDTH = 0.9  # metres, of the square between the walls
TURN = 20         # steps


def pile(bodies: int, kinds=("mesh", "box", "capsule", "sphere"), seed: int = 1) -> str:
    """The XML of the scene: bodies of about 20 cm above a floor, between four walls."""
    random = np.random.default_rng(seed)
    rocks = []
    for k in range(12):
        on_ball = random.normal(size=(24, 3))
        points = on_ball / np.linalg.norm(on_ball, axis=1)[:, None] * random.uniform(0.07, 0.13, 3)
        rocks.append(f'<mesh name="rock{k}" vertex="{" ".join(f"{x:.6f}" for x in points.ravel())}"/>')
    things = []
    side = 6
    for b in range(bodies):
        x, y, z = (b % side - 2.5) * 0.28, (b // side % side - 2.5) * 0.28, 0.2 + 0.28 * (b // side**2)
        turn = random.normal(size=4)
        a, c, e = random.uniform(0.06, 0.11, 3)
        shape = {"mesh": f'type="mesh" mesh="rock{b % 12}"', "box": f'type="box" size="{a} {c} {e}"',
                 "capsule": f'type="capsule" size="{a / 2} {c}"', "sphere": f'type="sphere" size="{a}"'}
        things.append(f'<body pos="{x} {y} {z}" quat="{" ".join(map(str, turn))}"><freejoint/>'
                      f'<geom {shape[kinds[b % len(kinds)]]}/></body>')
    walls = "".join(f'<geom type="plane" size="5 5 1" pos="{-HALF_WIDTH * x} {-HALF_WIDTH * y} 0" zaxis="{x} {y} 0"/>'
                    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)))
    return (f'<mujoco><option timestep="0.002"/><size memory="200M"/><asset>{"".join(rocks)}</asset><worldbody>'
            f'<geom type="plane" size="5 5 1"/>{walls}{"".join(things)}</worldbody></mujoco>')


def contacts(model: mujoco.MjModel, data: mujoco.MjData) -> dict:
    """The contacts at these poses, without those of planes, by pair: count, depth and normal of the deepest one."""
    mujoco.mj_collision(model, data)
    found: dict = {}
    planes = model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE
    geom = np.sort(data.contact.geom, axis=1)
    turned = data.contact.geom[:, 0] != geom[:, 0]
    for k in range(data.ncon):
        if planes[geom[k]].any():
            continue
        distance = float(data.contact.dist[k])
        normal = data.contact.frame[k, :3] * (-1 if turned[k] else 1)
        count, deepest, best = found.get(tuple(geom[k]), (0, np.inf, normal))
        found[tuple(geom[k])] = (count + 1, min(deepest, distance), normal if distance < deepest else best)
    return found


def compare(model: mujoco.MjModel, steps: int) -> dict:
    """Both on the poses of the same fall."""
    data, rows = mujoco.MjData(model), []
    sums = dict.fromkeys(("ours", "theirs", "both", "only ours", "only theirs"), 0)
    for step in range(steps):
        mujoco.mj_step(model, data)
        if step % 10:
            continue
        mujoco.mj_kinematics(model, data)
        theirs = contacts(model, data)
        with Narrowphase(model, data):
            ours = contacts(model, data)
        sums["theirs"] += sum(count for count, _, _ in theirs.values())
        sums["ours"] += sum(count for count, _, _ in ours.values())
        sums["both"] += len(ours.keys() & theirs.keys())
        for name, some, others in (("only ours", ours, theirs), ("only theirs", theirs, ours)):
            sums[name] += sum(some[pair][1] < 0 for pair in some.keys() - others.keys())
        for pair in ours.keys() & theirs.keys():
            rows.append((ours[pair][1] - theirs[pair][1], float(np.dot(ours[pair][2], theirs[pair][2]))))
    depth, cosine = np.array(rows).reshape(-1, 2).T
    return {**sums, "depth": depth, "angle": np.degrees(np.arccos(np.clip(cosine, -1, 1)))}


def in_turns(model: mujoco.MjModel, settle: int, turns: int) -> dict:
    """Seconds a step, and a call of mj_collision, of both; and what lanefold was asked."""
    data = {name: mujoco.MjData(model) for name in ("MuJoCo", "lanefold")}
    mujoco.mj_step(model, data["MuJoCo"], settle)
    state = np.empty(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_INTEGRATION))
    mujoco.mj_getState(model, data["MuJoCo"], state, mujoco.mjtState.mjSTATE_INTEGRATION)
    mujoco.mj_setState(model, data["lanefold"], state, mujoco.mjtState.mjSTATE_INTEGRATION)
    found = {name: {"step": [], "collision": []} for name in data}
    with Narrowphase(model, data["lanefold"]) as ours:
        for _ in range(turns):
            for name, d in data.items():
                for _ in range(TURN):
                    started = time.perf_counter()
                    mujoco.mj_step1(model, d)
                    mujoco.mj_step2(model, d)
                    found[name]["step"].append(time.perf_counter() - started)
                for _ in range(TURN):  # at poses that are new each time: by a thousandth of a millimetre
                    d.geom_xpos[:, 2] += 1e-9
                    started = time.perf_counter()
                    mujoco.mj_collision(model, d)
                    found[name]["collision"].append(time.perf_counter() - started)
        counts = ours.counts()
    return {**{name: {k: statistics.median(v) for k, v in times.items()} for name, times in found.items()},
            "counts": counts, "contacts": {name: d.ncon for name, d in data.items()}}


def main(bodies: int = 216, steps: int = 600, kinds=("mesh", "box", "capsule", "sphere")) -> None:
    model = mujoco.MjModel.from_xml_string(pile(bodies, kinds))
    same = compare(model, steps)
    print(f"{bodies} bodies, the same poses at {len(range(0, steps, 10))} steps:")
    print(f"  contacts                      lanefold {same['ours']:,}, MuJoCo {same['theirs']:,}")
    print(f"  pairs that overlap, of one    lanefold {same['only ours']}, MuJoCo {same['only theirs']}, of both "
          f"{same['both']:,}")
    for share in (50, 99, 100):
        print(f"  {share:3} of 100 pairs differ by at most {1000 * np.percentile(np.abs(same['depth']), share):.2e} mm"
              f" in depth, {np.percentile(same['angle'], share):.2e} degrees in the normal")
    took = in_turns(model, steps, 10)
    for what in ("step", "collision"):
        ours, theirs = took["lanefold"][what], took["MuJoCo"][what]
        print(f"  {what:9} lanefold {1000 * ours:.2f} ms, MuJoCo {1000 * theirs:.2f} ms, {theirs / ours:.2f} times")
    print("  asked:", ", ".join(f"{name} {value:,}" for name, value in took["counts"].items()))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), *([tuple(sys.argv[3:])] if sys.argv[3:] else []))
