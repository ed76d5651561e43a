# SPDX-License-Identifier: MIT
"""Splits concave meshes into convex parts with the package coacd.

    python -m lanefold.decompose MESHES.obj -o PARTS.obj [--threshold T]

Every object (``o``) of MESHES.obj is one mesh. PARTS.obj has an object of the same name for it, in which each group
(``g 0``, ``g 1`` and so on) is a convex part: a list of points, whose hull the part is. `lanefold import --decompose`
runs this file, which is inside the program, so it needs Python, NumPy and coacd, and nothing else of lanefold.

The method: X. Wei, M. Liu, Z. Ling, H. Su, "Approximate Convex Decomposition for 3D Meshes with Collision-Aware
Concavity and Tree Search", ACM Transactions on Graphics 41, 2022.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

# The concavity at which coacd stops, relative to the mesh's size: its own default.
THRESHOLD = 0.05
# The same parts in every run.
SEED = 1
# How coacd asks for a mesh without holes. "auto" makes one of a mesh that has some.
PREPROCESS = "auto"

MISSING = "pip install coacd numpy, for the Python named by LANEFOLD_PYTHON or else python3"


class DecomposeError(ValueError):
    """A mesh that cannot be split; the message names it."""


def _triangles(points: Any, loop: list[int]) -> list[list[int]]:
    """Triangles of a face, which need not be convex: ears are cut off, in the plane of Newell's normal."""
    import numpy as np

    corners = list(loop)
    p = points[corners]
    normal = np.cross(p - p[0], np.roll(p, -1, axis=0) - p[0]).sum(axis=0)
    out = []
    while len(corners) > 3:
        n = len(corners)
        for k in range(n):
            a, b, c = (points[corners[(k + d) % n]] for d in (-1, 0, 1))
            sides = ((a, b), (b, c), (c, a))
            others = [points[i] for i in corners if i not in (corners[k - 1], corners[k], corners[(k + 1) % n])]
            inside = (all(np.dot(np.cross(v - u, q - u), normal) >= 0 for u, v in sides) for q in others)
            if np.dot(np.cross(b - a, c - b), normal) > 0 and not any(inside):
                break
        else:
            k = 0  # a face that is flat or crosses itself
        out.append([corners[k - 1], corners[k], corners[(k + 1) % n]])
        del corners[k]
    return [*out, corners]


def parts(points: Any, faces: list[list[int]], threshold: float = THRESHOLD) -> list[Any]:
    """Convex parts of a mesh.

    ``points``: float64 of shape (n, 3); ``faces``: indices of the corners of each face, three or more. Returns the
    points of each part, float64 of shape (m, 3); one part if the mesh is convex within ``threshold`` (0.01 to 1, of its
    size). Points at one place count as one, and a mesh that is inside out is turned. Raises ImportError without coacd.
    """
    import coacd
    import numpy as np

    points = np.asarray(points, np.float64).reshape(-1, 3)
    places, which = np.unique(points, axis=0, return_inverse=True)
    which = which.reshape(-1)
    triangles = [t for face in faces for t in _triangles(places, [int(which[i]) for i in face])]
    triangles = [t for t in triangles if len(set(t)) == 3]
    if not triangles:
        raise DecomposeError("it has no triangle")
    corners = np.array(triangles)
    a, b, c = (places[corners[:, k]] - places.mean(axis=0) for k in range(3))
    if (np.cross(a, b) * c).sum() < 0:
        corners = corners[:, ::-1]
    coacd.set_log_level("error")
    mesh = coacd.Mesh(places, np.ascontiguousarray(corners))
    return [np.asarray(p, float) for p, _ in coacd.run_coacd(mesh, threshold, preprocess_mode=PREPROCESS, seed=SEED)]


def _read(path: Path) -> list[tuple[str, Any, list[list[int]]]]:
    """Name, points and faces of each object of a file with lines o, v and f."""
    import numpy as np

    places: list[list[float]] = []
    objects: list[tuple[str, list[list[int]]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        word, _, rest = line.partition(" ")
        try:
            if word == "o":
                objects.append((rest.strip(), []))
            elif word == "v":
                x, y, z = map(float, rest.split()[:3])
                places.append([x, y, z])
            elif word == "f":
                corners = [int(corner.split("/")[0]) for corner in rest.split()]
                loop = [i - 1 if i > 0 else len(places) + i for i in corners]
                if len(loop) < 3 or not all(0 <= i < len(places) for i in loop):
                    raise ValueError(f"no face of known vertices: {line}")
                if not objects:
                    objects.append(("", []))
                objects[-1][1].append(loop)
        except ValueError as error:
            raise DecomposeError(f"{path}:{number}: {error}") from None
    every = np.array(places, np.float64).reshape(-1, 3)
    out = []
    for name, faces in objects:
        used = np.unique([i for face in faces for i in face]).astype(int)
        at = {int(i): k for k, i in enumerate(used)}
        if faces:
            out.append((name, every[used], [[at[i] for i in face] for face in faces]))
    return out


def split_file(source: str | Path, output: str | Path, threshold: float = THRESHOLD, tell: Any = None) -> None:
    """Writes the parts of all objects of the OBJ file ``source`` into ``output``. ``tell(i)`` is called before object
    ``i``. Raises DecomposeError that names the object, and ImportError without coacd or NumPy."""
    lines = []
    for i, (name, points, faces) in enumerate(_read(Path(source))):
        if tell:
            tell(i)
        lines.append(f"o {name}\n")
        try:
            found = parts(points, faces, threshold)
        except (DecomposeError, RuntimeError) as error:
            raise DecomposeError(f"{source}: object '{name}': {error}") from None
        for k, part in enumerate(found):
            lines.append(f"g {k}\n")
            lines += [f"v {x!r} {y!r} {z!r}\n" for x, y, z in part.tolist()]
    Path(output).write_text("".join(lines), encoding="utf-8")


def _end_with(parent: int) -> None:
    """Ends this process when its parent is gone: nobody would read the parts."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m lanefold.decompose", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("meshes", help="OBJ file, an object for each mesh")
    parser.add_argument("-o", "--output", required=True, help="OBJ file for the parts")
    parser.add_argument("--threshold", type=float, default=THRESHOLD, help="concavity to stop at, 0.01 to 1")
    parser.add_argument("--parent", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    tell = None
    if given.parent:
        threading.Thread(target=_end_with, args=(given.parent,), daemon=True).start()
        tell = lambda i: print(f"lanefold: mesh {i}", flush=True)  # noqa: E731
    if not 0.01 <= given.threshold <= 1:
        sys.exit("lanefold.decompose: --threshold must be from 0.01 to 1")
    try:
        split_file(given.meshes, given.output, given.threshold, tell)
    except ImportError as error:
        sys.exit(f"lanefold.decompose: {error}: {MISSING}")
    except (DecomposeError, OSError) as error:
        sys.exit(f"lanefold.decompose: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(_main())
