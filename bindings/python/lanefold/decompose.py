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
import math
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# The concavity at which coacd stops, relative to the mesh's size: its own default.
THRESHOLD = 0.05
# The separators of words in an OBJ file, as for `lanefold import`. A name may hold other blanks of Unicode.
_BLANKS = " \t\r"
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
    if not np.isfinite(points).all():
        raise DecomposeError("a point is not finite")  # coacd would end the process
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


def _goes_on(line: str) -> bool:
    """Whether a statement goes on in the next line, as `lanefold import` decides it: after a backslash that ends
    neither a comment nor a name."""
    if not line.endswith("\\"):
        return False
    word = re.split(f"[{_BLANKS}]+", line[:-1].lstrip(_BLANKS), maxsplit=1)[0]
    if word in ("g", "o"):
        return line[-2] in _BLANKS
    return word in ("v", "vt", "vn", "vp", "f", "fo", "l", "p") and "#" not in line


def _statements(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, without a byte order mark; one may go on in the next.
    Bytes that are not UTF-8 stay what they are: programs write names in encodings of their own."""
    text = path.read_bytes().decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    before, first = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip(_BLANKS)
        first = first or number
        if _goes_on(before + line):
            before += line[:-1] + " "
            continue
        yield first, before + line
        before, first = "", 0
    if before:
        yield first, before


def _vertex(words: list[str]) -> list[float]:
    if len(words) < 3:
        raise ValueError(f"a vertex needs three numbers, this one has {len(words)}")
    numbers = [float(word) for word in words[:3]]
    for word, number in zip(words, numbers):
        if not math.isfinite(number):
            raise ValueError(f"a vertex needs finite numbers, but one is '{word}'")
    return numbers


def _face(words: list[str], vertices: int) -> list[int]:
    """The indices from 0 of a face's corners; negative ones of the file count back from the latest vertex."""
    corners = [int(word.split("/")[0]) for word in words]
    loop = [i - 1 if i > 0 else vertices + i for i in corners]
    if len(loop) < 3 or not all(0 <= i < vertices for i in loop):
        raise ValueError(f"no face of known vertices: f {' '.join(words)}")
    return loop


def _read(path: Path) -> list[tuple[str, Any, list[list[int]]]]:
    """Name, points and faces of each object of a file with lines o, v and f, as `lanefold import` reads it."""
    import numpy as np

    places: list[list[float]] = []
    objects: dict[str, list[list[int]]] = {}  # an object may go on after another one
    name = ""
    for number, line in _statements(path):
        word, text = [*re.split(f"[{_BLANKS}]+", line.strip(_BLANKS), maxsplit=1), ""][:2]
        numbers = text.partition("#")[0].split()
        try:
            if word == "o":
                name = text
            elif word == "v":
                places.append(_vertex(numbers))
            elif word == "f":
                objects.setdefault(name, []).append(_face(numbers, len(places)))
        except ValueError as error:
            raise DecomposeError(f"{path}:{number}: {error}") from None
    if not places:
        raise DecomposeError(f"{path}: no vertices; is it an OBJ file?")
    if not objects:
        raise DecomposeError(f"{path}: no faces, so there is no mesh to split")
    every = np.array(places, np.float64)
    out = []
    for name, faces in objects.items():
        used = np.unique([i for face in faces for i in face]).astype(int)
        at = {int(i): k for k, i in enumerate(used)}
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
    Path(output).write_bytes("".join(lines).encode("utf-8", "surrogateescape"))


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
