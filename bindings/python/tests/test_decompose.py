# SPDX-License-Identifier: MIT
"""The OBJ files that lanefold.decompose reads are those that `lanefold import` reads, and others are refused with their
place. Reading needs no coacd; tests/foreign/check_decompose.py judges the parts."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import CUBE, ROOT

from lanefold import decompose

PROGRAM = ROOT / "build/release/tools/lanefold"
POINTS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
VERTICES = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
FACES = b"f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
LOOPS = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
# Bytes that are one tetrahedron, and the name of its object.
ACCEPTED = {
    "plain": (b"o rock\n" + VERTICES + FACES, "rock"),
    "tabs": (b"o rock\n" + (VERTICES + FACES).replace(b"v ", b"v\t").replace(b"f ", b"f \t "), "rock"),
    "indented": (b"\to  rock \n" + VERTICES.replace(b"v", b"  v") + FACES, "rock"),
    "carriage returns": ((b"o rock\n" + VERTICES + FACES).replace(b"\n", b"\r\n"), "rock"),
    "byte order mark": (b"\xef\xbb\xbfo rock\n" + VERTICES + FACES, "rock"),
    "Latin-1": (b"o d\xe9bris\x85\n" + VERTICES + FACES, "d\udce9bris\udc85"),
    "UTF-8": ("o Stein\u2028zwei Blöcke\n".encode() + VERTICES + FACES, "Stein\u2028zwei Blöcke"),
    "backslashes of comments and names": (
        b"# C:\\temp\\\no ro\\ck\\\n# a\\\n" + VERTICES + b"usemtl a\\\n" + FACES,
        "ro\\ck\\",
    ),
    "continued lines": (b"o rock\n" + VERTICES + FACES.replace(b"1 3 2", b"1 \\\n3\\ \n 2"), "rock"),
    "comments": (b"# v\no rock\n" + VERTICES.replace(b"\n", b" # here\n") + FACES.replace(b"\n", b"# b\n"), "rock"),
    "no name": (VERTICES + FACES, ""),
    "other lines": (b"mtllib x\no rock\n" + VERTICES + b"vt 0 0\ng side\n" + FACES.replace(b"3", b"3/1"), "rock"),
    "colours": (b"o rock\n" + VERTICES.replace(b"\n", b" 1 0.5 nan\n") + FACES, "rock"),
}
REFUSED = {
    "empty": (b"", "no vertices"),
    "no vertices": (b"# nothing\no rock\n", "no vertices"),
    "no faces": (b"o rock\n" + VERTICES, "no faces"),
    "nan": (VERTICES + b"v 1 nan 1\n" + FACES, ":5: .*nan"),
    "inf": (VERTICES + b"v 1 1 -inf\n" + FACES, ":5: .*-inf"),
    "beyond double": (VERTICES + b"v 1e999 1 1\n" + FACES, ":5: .*1e999"),
    "two numbers": (VERTICES + b"v 1 2\n" + FACES, ":5: .*three numbers"),
    "a word": (b"v a b c\n" + VERTICES + FACES, ":1: "),
    "two corners": (VERTICES + b"f 1 2\n", ":5: no face"),
    "corner 0": (VERTICES + b"f 1 2 0\n", ":5: no face"),
    "after continued lines": (VERTICES + b"f 1 2 \\\n3\nf 1 2 \\\n9\n", ":7: no face"),
}


def command(*arguments) -> subprocess.CompletedProcess:
    words = [sys.executable, "-m", "lanefold.decompose", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("case", ACCEPTED)
def test_what_import_reads_is_read(tmp_path, case):
    content, name = ACCEPTED[case]
    path = tmp_path / "meshes.obj"
    path.write_bytes(content)
    ((found, points, faces),) = decompose._read(path)
    assert (found, points.tolist(), faces) == (name, POINTS, LOOPS)
    if PROGRAM.exists() and case != "Latin-1":  # names.json must be UTF-8
        done = subprocess.run(
            [PROGRAM, "import", path, "-o", tmp_path / "scene"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        (body,) = json.loads((tmp_path / "scene/names.json").read_text(encoding="utf-8"))["bodies"]
        assert len(np.load(tmp_path / "scene/hull_vertices.npy")) == 4 and body.startswith(name)


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_mesh_is_refused_with_its_place(tmp_path, case):
    content, message = REFUSED[case]
    path = tmp_path / "meshes.obj"
    path.write_bytes(content)
    with pytest.raises(decompose.DecomposeError, match=f"meshes.obj:? ?{message}"):
        decompose.split_file(path, tmp_path / "parts.obj")
    assert not (tmp_path / "parts.obj").exists()


def test_an_object_goes_on_after_another_one(tmp_path):
    path = tmp_path / "meshes.obj"
    second = b"o b\n" + VERTICES + b"f -4 -2 -3\n"
    path.write_bytes(b"o a\n" + VERTICES + b"f 1 3 2\nf 1 2 4\n" + second + b"o a\nf 2 3 4\nf 1 4 3\n")
    a, b = decompose._read(path)
    assert (a[0], a[1].tolist(), a[2]) == ("a", POINTS, LOOPS)
    assert (b[0], b[1].tolist(), b[2]) == ("b", POINTS[:3], LOOPS[:1])


def test_the_exit_code_of_a_refused_file(tmp_path):
    path = tmp_path / "meshes.obj"
    for case in ("empty", "no faces", "nan"):
        path.write_bytes(REFUSED[case][0])
        done = command(path, "-o", tmp_path / "parts.obj")
        assert done.returncode != 0 and "meshes.obj" in done.stderr and "Traceback" not in done.stderr, done.stderr
        assert not (tmp_path / "parts.obj").exists()


def split(folder: Path, content: bytes) -> bytes:
    (folder / "meshes.obj").write_bytes(content)
    done = command(folder / "meshes.obj", "-o", folder / "parts.obj")
    assert done.returncode == 0, done.stderr
    return (folder / "parts.obj").read_bytes()


def test_parts_keep_the_bytes_of_names(tmp_path):
    pytest.importorskip("coacd", reason="coacd is not installed")
    parts = split(tmp_path, ACCEPTED["Latin-1"][0])
    assert parts.startswith(b"o d\xe9bris\x85\ng 0\nv ") and parts.count(b"\nv ") == 4
    assert split(tmp_path, ACCEPTED["byte order mark"][0]).startswith(b"o rock\ng 0\n")
    assert split(tmp_path, ACCEPTED["tabs"][0]) == split(tmp_path, ACCEPTED["continued lines"][0])


def test_points_that_are_not_finite_do_not_reach_coacd():
    pytest.importorskip("coacd", reason="coacd is not installed")
    points = CUBE.astype(float)
    points[3, 1] = np.nan
    with pytest.raises(decompose.DecomposeError, match="not finite"):
        decompose.parts(points, LOOPS)
