# SPDX-License-Identifier: MIT
"""A pile flies apart: contacts of every frame, and a plot of them. Usage: falling_apart.py [PLOT.svg]

Needs lanefold and matplotlib. Read it from top to bottom like a notebook.
"""

import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np

import lanefold

# %% Twenty shapes: clouds of points, of which the convex hulls are taken about their centres of mass.
random = np.random.default_rng(1)
clouds = [random.normal(size=(int(n), 3)) * random.uniform(0.2, 0.5, 3) for n in random.integers(8, 40, 20)]
offsets = np.cumsum([0] + [len(c) for c in clouds])
hulls = lanefold.build_hulls(np.concatenate(clouds), offsets, origin="centre_of_mass")
print(len(hulls), "hulls,", sum(hulls.info(h)["vertices"] for h in range(len(hulls))), "vertices")

# %% A thousand bodies close together, each with a velocity away from the middle and a spin.
count = 1000
body_hull = random.integers(0, len(hulls), count)
position = random.uniform(-2.5, 2.5, (count, 3))
velocity = position + random.normal(size=(count, 3))
axis = random.normal(size=(count, 3))
axis /= np.linalg.norm(axis, axis=1, keepdims=True)
turn = random.uniform(0, 3, count)

# %% Forty frames. The stream finds the pairs, keeps its caches, and returns the contacts of each frame.
stream = lanefold.ContactStream(hulls, body_hull, margin=0.02)
times = np.linspace(0, 1.5, 40)
touching, overlapping, deepest, kept = [], [], [], []
previous = None
for t in times:
    half = 0.5 * turn * t
    orientation = np.concatenate([axis * np.sin(half)[:, None], np.cos(half)[:, None]], axis=1)
    records, result = stream.step(position + velocity * t, orientation)
    touching.append(result.touching)
    overlapping.append(result.overlapping)
    deepest.append(-records["distance"].min() if len(records) else 0.0)
    if previous is not None:
        match = lanefold.match_contacts(previous, records)
        kept.append(match["points_kept"] / max(1, match["points_kept"] + match["points_new"]))
    previous = records
print(len(times), "frames,", sum(touching), "contacts; the last frame has the hash", lanefold.hash_records(previous))

# %% The plot.
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.plot(times, touching, label="within 20 mm")
left.plot(times, overlapping, label="overlapping")
left.set(xlabel="time, s", ylabel="pairs", title="Contacts of 1,000 bodies that fly apart")
left.legend()
right.plot(times, deepest, color="tab:red")
right.set(xlabel="time, s", ylabel="m", title="Deepest overlap")
right.twinx().plot(times[1:], kept, ":", color="tab:gray", label="points of the frame before")
target = sys.argv[1] if len(sys.argv) > 1 else "falling_apart.svg"
figure.savefig(target)
print("wrote", target)
