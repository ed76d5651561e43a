# SPDX-License-Identifier: MIT
"""Pieces and poses out of USD files of any kind (.usd, .usda, .usdc, .usdz), for ``lanefold import``.

    python -m lanefold.usd STAGE -o FOLDER [--scene SCENE] [--frames A:B] [--apply-scale] [--decompose]

writes ``pieces.obj`` (a piece for each mesh or Cube, in its own coordinates), ``poses.npy`` (frames, pieces, 4, 4;
float64, translation in the last row), ``names.json`` (of their rows) and, where meshes appear or vanish, ``active.npy``
(frames, pieces), and prints the command that makes a scene of them. With ``--scene`` it runs that command, which checks
that pieces are convex and poses rigid. ``--decompose`` goes to that command, which splits concave meshes into convex
parts by the package coacd of this Python. It needs NumPy and usd-core, nothing else of lanefold.

    python -m lanefold.usd EXPORT.usda -o FILE.usdc

makes what ``lanefold export`` wrote binary (.usdc, .usd), which programs read faster, or packs it (.usdz).
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

# A Cube of size 2 as a mesh, its faces counter-clockwise from outside.
_CUBE_POINTS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
_CUBE_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]

_UNITS = {1.0: "m", 0.01: "cm", 0.001: "mm", 1000.0: "km", 0.0254: "in", 0.3048: "ft"}


# A stretch is uniform if it is off a multiple of the identity by this share of it at most: kUniformTolerance of the
# program.
_UNIFORM = 5e-7
# Ends of names of binary files.
BINARY = (".usdc", ".usd", ".usdz")


class UsdError(ValueError):
    """A stage that has no rigid pieces; the message names the prim."""


def _value(attribute: Any) -> Any:
    """The value of an attribute that stays the same. It may have a time sample only, which is no value at the default
    time; the earliest time gives the default of one that has no samples."""
    from pxr import Usd

    return attribute.Get(Usd.TimeCode.EarliestTime())


def _refuse_changes(prim: Any) -> None:
    """Refuses a shape that is not the same at all times. Samples that repeat one value are no change."""
    from pxr import UsdGeom

    if prim.IsA(UsdGeom.Cube):
        parts = [("size changes", UsdGeom.Cube(prim).GetSizeAttr())]
    else:
        mesh = UsdGeom.Mesh(prim)
        parts = [("points change", mesh.GetPointsAttr())]
        parts += [("faces change", a) for a in (mesh.GetFaceVertexCountsAttr(), mesh.GetFaceVertexIndicesAttr())]
        parts += [("faces change", a) for a in (mesh.GetHoleIndicesAttr(), mesh.GetOrientationAttr())]
    for what, attribute in parts:
        if not attribute.ValueMightBeTimeVarying():
            continue
        first = _value(attribute)
        if not all(np.array_equal(attribute.Get(time), first) for time in attribute.GetTimeSamples()):
            raise UsdError(f"{prim.GetPath()}: its {what} from frame to frame, but a body is rigid")


def _geometry(prim: Any) -> tuple[np.ndarray, list[np.ndarray]]:
    """Points, and the corners of each face, counter-clockwise from outside; faces that the mesh names as holes are not
    there. A Cube becomes a mesh: it is convex, and that is exact."""
    from pxr import UsdGeom

    if prim.IsA(UsdGeom.Cube):
        size = _value(UsdGeom.Cube(prim).GetSizeAttr())
        if not 0 < size < np.inf:
            raise UsdError(f"{prim.GetPath()}: its size is {size:g}, expected a number above 0")
        return np.array(_CUBE_POINTS, float) * (size / 2), [np.array(face) for face in _CUBE_FACES]
    mesh = UsdGeom.Mesh(prim)
    points = np.asarray(_value(mesh.GetPointsAttr()) or [], float).reshape(-1, 3)
    counts = np.asarray(_value(mesh.GetFaceVertexCountsAttr()) or [], int)
    corners = np.asarray(_value(mesh.GetFaceVertexIndicesAttr()) or [], int)
    if counts.sum() != len(corners) or not 0 <= corners.min() <= corners.max() < len(points):
        raise UsdError(f"{prim.GetPath()}: its faces name vertices that are not there")
    holes = set(np.asarray(_value(mesh.GetHoleIndicesAttr()) or [], int).tolist())
    faces = [face for i, face in enumerate(np.split(corners, np.cumsum(counts)[:-1])) if i not in holes]
    if not faces:
        raise UsdError(f"{prim.GetPath()}: all its faces are holes")
    left_handed = _value(mesh.GetOrientationAttr()) == UsdGeom.Tokens.leftHanded
    return points, [face[::-1] for face in faces] if left_handed else faces


def _warn(text: str) -> None:
    print(f"warning: {text}", file=sys.stderr)


def _tell_of_subdivision(meshes: list[Any]) -> None:
    from pxr import UsdGeom

    schemes = [UsdGeom.Mesh(prim).GetSubdivisionSchemeAttr() for prim in meshes if prim.IsA(UsdGeom.Mesh)]
    smooth = [a for a in schemes if a.HasAuthoredValue() and a.Get() != UsdGeom.Tokens.none]
    if smooth:
        _warn(f"{len(smooth)} of {len(meshes)} meshes ask to be subdivided ({smooth[0].Get()}), "
              f"{smooth[0].GetPrim().GetPath()} first: their points and faces are taken as they are")


def _tell_of_physics(stage: Any) -> None:
    """Counts the prims of UsdPhysics, which scenes have no place for."""
    from pxr import Usd, UsdPhysics

    kinds = {"rigid bodies": UsdPhysics.RigidBodyAPI, "masses": UsdPhysics.MassAPI,
             "materials": UsdPhysics.MaterialAPI}
    prims = list(stage.Traverse(Usd.TraverseInstanceProxies()))
    counts = {kind: sum(prim.HasAPI(api) for prim in prims) for kind, api in kinds.items()}
    counts["joints"] = sum(prim.IsA(UsdPhysics.Joint) for prim in prims)
    told = [f"{kind} ({count})" for kind, count in counts.items() if count]
    if told:
        _warn(f"of UsdPhysics these are left out: {', '.join(told)}. Each mesh is a body that moves, of one density: "
              "--fixed and --density of lanefold import say otherwise, --setup of lanefold simulate gives masses, "
              "friction, restitution, velocities and links")


def _meshes(stage: Any) -> list[Any]:
    """The meshes and Cubes that are drawn, those of instances included, as prims."""
    from pxr import Usd, UsdGeom, UsdSkel

    found = []
    left_out: Counter[str] = Counter()
    for prim in stage.Traverse(Usd.TraverseInstanceProxies()):
        if prim.IsA(UsdGeom.PointInstancer):
            raise UsdError(f"{prim.GetPath()}: a PointInstancer; export instances as prims of their own")
        if not prim.IsA(UsdGeom.Gprim) or UsdGeom.Imageable(prim).ComputePurpose() in ("guide", "proxy"):
            continue
        if not (prim.IsA(UsdGeom.Mesh) or prim.IsA(UsdGeom.Cube)):
            left_out[prim.GetTypeName()] += 1
            continue
        _refuse_changes(prim)
        faces = UsdGeom.Mesh(prim).GetFaceVertexCountsAttr, UsdGeom.Mesh(prim).GetFaceVertexIndicesAttr
        if prim.IsA(UsdGeom.Mesh) and not any(_value(attribute()) for attribute in faces):
            left_out["Mesh without faces"] += 1
            continue
        if UsdSkel.BindingAPI(prim).GetSkeleton():
            raise UsdError(f"{prim.GetPath()}: it is bound to a skeleton, but a body is rigid")
        found.append(prim)
    # Before the error below, which they explain.
    for kind, count in sorted(left_out.items()):
        prims = "1 prim of type {} is" if count == 1 else f"{count} prims of type {{}} are"
        _warn(f"{prims.format(kind)} left out: a piece is a Mesh with faces or a Cube")
    if not found:
        raise UsdError("the stage has no mesh that is drawn")
    _tell_of_subdivision(found)
    _tell_of_physics(stage)
    return found


def _names(stage: Any, meshes: list[Any]) -> list[str]:
    """Names that differ: paths below the default prim without its own, of all other prims with the leading slash."""
    default = stage.GetDefaultPrim()
    root = default.GetPath().pathString if default else ""
    names = [prim.GetPath().pathString.removeprefix(root + "/") for prim in meshes]
    # The default prim itself may be a mesh. It is called by its name, unless a mesh below it has that, too.
    if root in names and default.GetName() not in names:
        names[names.index(root)] = default.GetName()
    return names


def _times(stage: Any, frames: str | None) -> list[float]:
    """Time codes of the frames: each whole one of the stage's range (0 if it has none), or those of A:B of these."""
    timed = stage.HasAuthoredTimeCodeRange()
    start, end = (stage.GetStartTimeCode(), stage.GetEndTimeCode()) if timed else (0.0, 0.0)
    count = int(np.floor(end - start + 1e-6)) + 1
    if count < 1:
        raise UsdError(f"the stage ends at time code {end:g}, before it starts at {start:g}: it has no frame")
    every = [start + i for i in range(count)]
    if frames is None:
        return every
    first, colon, last = frames.partition(":")
    try:
        a = int(first or 0)
        chosen = every[a : int(last) if last else len(every)] if colon else every[a : a + 1]
    except ValueError:
        raise UsdError(f"--frames {frames}: expected A:B or a number") from None
    if a < 0 or not chosen:
        raise UsdError(f"--frames {frames}: the frames of the stage are 0 to {len(every) - 1}")
    return chosen


def _warn_of_lost_motion(stage: Any, meshes: list[Any]) -> None:
    """Programs that write layers may leave the range of time codes out; the stage is one frame then."""
    from pxr import UsdGeom

    for prim in [] if stage.HasAuthoredTimeCodeRange() else meshes:
        while prim and prim.IsA(UsdGeom.Xformable):
            if len(samples := UsdGeom.Xformable(prim).GetTimeSamples()) > 1:
                return _warn(f"{prim.GetPath()} moves from time code {samples[0]:g} to {samples[-1]:g}, but the stage "
                             "has no startTimeCode and endTimeCode, so only time code 0 is taken")
            prim = prim.GetParent()


def _split_stretch(linear: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Row vectors x L = (x A) R with a rotation R: A and its inverse, by the polar decomposition."""
    u, s, vt = np.linalg.svd(linear)
    if s[-1] < 1e-9 * s[0]:
        raise UsdError("it is flattened by its scale")
    turn = u @ vt
    turn *= np.sign(np.linalg.det(turn))
    stretch = linear @ turn.T
    return stretch, np.linalg.inv(stretch)


def _uniform_scale(stretch: np.ndarray) -> float | None:
    """The factor of a stretch that is the same in all directions, by the rule of ``lanefold import`` (docs/formats.md);
    1 if it is so near to it."""
    scale = float(np.trace(stretch)) / 3
    if not (scale >= np.finfo(np.float32).tiny and np.isfinite(np.float32(scale))):
        return None
    if np.abs(stretch - scale * np.eye(3)).max() > _UNIFORM * scale:
        return None
    return 1.0 if abs(scale - 1) <= _UNIFORM else scale


def _take_stretches(
    meshes: list[Any], poses: np.ndarray, active: np.ndarray, stretches: list[np.ndarray], scales: np.ndarray
) -> None:
    """Takes the stretch of each mesh's first frame out of its poses: a uniform one into ``scales``."""
    for i, prim in enumerate(meshes):
        try:
            stretches[i], inverse = _split_stretch(poses[int(np.argmax(active[:, i])), i, :3, :3])
        except UsdError as error:
            raise UsdError(f"{prim.GetPath()}: {error}") from None
        poses[:, i, :3, :3] = inverse @ poses[:, i, :3, :3]
        if (uniform := _uniform_scale(stretches[i])) is not None:
            stretches[i], scales[i] = np.eye(3), uniform


def _write_obj(path: Path, names: list[str], meshes: list[Any], stretches: list[np.ndarray]) -> None:
    first = 1
    with path.open("w", encoding="utf-8") as file:
        for name, prim, stretch in zip(names, meshes, stretches):
            points, faces = _geometry(prim)
            if np.linalg.det(stretch) < 0:  # a mirror turns the order of corners round, but not what is outside
                faces = [face[::-1] for face in faces]
            file.write(f"o {name}\n")
            file.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in (points @ stretch).tolist())
            file.writelines("f " + " ".join(map(str, (face + first).tolist())) + "\n" for face in faces)
            first += len(points)


def read(
    path: str | Path,
    folder: str | Path,
    frames: str | None = None,
    apply_scale: bool = False,
    decompose: bool = False,
) -> list[str]:
    """Writes pieces and poses of the stage ``path`` into ``folder``. Returns the arguments of ``lanefold`` that make a
    scene of them, without ``-o SCENE``. ``apply_scale`` takes scale, shear and mirroring of each mesh's first frame
    into its vertices, but a scale that is the same in all directions into ``scales.npy``; ``decompose`` lets the
    program split concave meshes. Raises UsdError that names the prim, and ImportError without the package usd-core.
    Warnings about prims and motion that are left out go to standard error."""
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(path))
    meshes = _meshes(stage)
    names = _names(stage, meshes)
    times = _times(stage, frames)
    _warn_of_lost_motion(stage, meshes)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    poses = np.lib.format.open_memmap(folder / "poses.npy", "w+", "<f8", (len(times), len(meshes), 4, 4))
    active = np.ones((len(times), len(meshes)), bool)
    for f, time in enumerate(times):
        cache = UsdGeom.XformCache(Usd.TimeCode(time))
        for i, prim in enumerate(meshes):
            poses[f, i] = np.array(cache.GetLocalToWorldTransform(prim))
            active[f, i] = UsdGeom.Imageable(prim).ComputeVisibility(Usd.TimeCode(time)) != "invisible"
    stretches, scales = [np.eye(3)] * len(meshes), np.ones(len(meshes))
    if apply_scale:
        _take_stretches(meshes, poses, active, stretches, scales)
    poses.flush()
    _write_obj(folder / "pieces.obj", names, meshes, stretches)
    (folder / "names.json").write_text(json.dumps(names), encoding="utf-8")
    unit = UsdGeom.GetStageMetersPerUnit(stage)
    arguments = ["import", folder / "pieces.obj", "--poses", folder / "poses.npy"]
    arguments += ["--pose-names", folder / "names.json", "--matrices", "row"]
    arguments += ["--up", UsdGeom.GetStageUpAxis(stage).lower()]
    arguments += ["--unit", _UNITS.get(round(unit, 9), f"{unit!r} m")]
    (folder / "scales.npy").unlink(missing_ok=True)
    if np.any(scales != 1):
        np.save(folder / "scales.npy", scales)
        arguments += ["--scales", folder / "scales.npy"]
    (folder / "active.npy").unlink(missing_ok=True)
    if not active.all():
        np.save(folder / "active.npy", active)
        arguments += ["--active", folder / "active.npy"]
    if len(times) > 1:
        arguments += ["--fps", f"{stage.GetTimeCodesPerSecond():g}"]
        if times[0] == int(times[0]):
            arguments += [f"--first-frame={int(times[0])}"]
    if decompose:
        arguments += ["--decompose"]
    return [str(argument) for argument in arguments]


def convert(path: str | Path, output: str | Path) -> None:
    """Writes the file of USD ``path``, with all that is in it, as ``output``: binary (.usdc, .usd) or packed (.usdz).
    A file is whole or not there. Raises UsdError, and ImportError without the package usd-core."""
    from pxr import Sdf, UsdUtils

    output = Path(output)
    if output.suffix not in BINARY:
        raise UsdError(f"{output}: a binary file ends in {', '.join(BINARY)}")
    layer = Sdf.Layer.FindOrOpen(str(path))
    if not layer:
        raise UsdError("cannot be read")
    if not output.parent.is_dir():
        raise UsdError(f"{output}: there is no folder {output.parent}")
    # USD chooses the format by the end of the name. A package takes only files with names of formats.
    stage = output.with_name(f".{output.stem}.{os.getpid()}.usdc")
    packed = stage.with_suffix(".usdz")
    try:
        done = layer.Export(str(stage))
        if done and output.suffix == ".usdz":
            done = UsdUtils.CreateNewUsdzPackage(str(stage), str(packed), f"{output.stem}.usdc")
        if not done:
            raise UsdError(f"{output}: cannot be written")
        os.replace(packed if packed.exists() else stage, output)
    finally:
        stage.unlink(missing_ok=True)
        packed.unlink(missing_ok=True)


def _any_is_stretched(folder: Path) -> bool:
    """Has a matrix of the poses a scale, a shear or a mirroring, which the program refuses?"""
    linear = np.load(folder / "poses.npy", mmap_mode="r")[..., :3, :3]
    lengths = linear @ np.swapaxes(linear, -1, -2)
    return bool((np.abs(lengths - np.eye(3)) > 1e-4).any() or (np.linalg.det(linear) < 0).any())


def _run_convert(path: str, output: str) -> int:
    try:
        convert(path, output)
    except ImportError as error:
        sys.exit(f"lanefold.usd: {error}: pip install numpy usd-core")
    except Exception as error:  # noqa: BLE001: USD's own errors have no class in common
        sys.exit(f"lanefold.usd: {path}: {error}")
    print(f"{output}: {os.path.getsize(output):,} bytes, {path}: {os.path.getsize(path):,}")
    return 0


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m lanefold.usd", description="Pieces and poses out of USD files.")
    parser.add_argument("stage", help="file of USD")
    parser.add_argument("-o", "--output", required=True,
                        help="folder for pieces and poses; if it ends in .usdc, .usd or .usdz: STAGE as such a file")
    parser.add_argument("--scene", help="scene folder: runs the program, too")
    parser.add_argument("--frames", help="A:B, counted from 0")
    parser.add_argument("--apply-scale", action="store_true", help="take the scale of meshes into their vertices")
    program = os.environ.get("LANEFOLD_PROGRAM", "lanefold")
    parser.add_argument("--program", default=program, help="the program lanefold")
    parser.add_argument("--decompose", action="store_true", help="split concave meshes into convex parts (coacd)")
    parser.epilog = "Options after -- go to lanefold import."
    own, more = sys.argv[1:], []
    if "--" in own:
        own, more = own[: own.index("--")], own[own.index("--") + 1 :]
    given = parser.parse_args(own)
    if Path(given.output).suffix in BINARY:
        return _run_convert(given.stage, given.output)
    try:
        pieces = read(given.stage, given.output, given.frames, given.apply_scale, given.decompose)
        command = [given.program, *pieces, *more]
    except ImportError as error:
        sys.exit(f"lanefold.usd: {error}: pip install numpy usd-core")
    except Exception as error:  # noqa: BLE001: USD's own errors have no class in common
        sys.exit(f"lanefold.usd: {given.stage}: {error}")
    # The program runs coacd by a Python of its own choice.
    python = os.environ.get("LANEFOLD_PYTHON", sys.executable)
    if given.scene is None:
        chosen = [f"LANEFOLD_PYTHON={shlex.quote(python)}"] if given.decompose else []
        print(*chosen, shlex.join(command), "-o SCENE")
        return 0
    try:
        environment = os.environ | {"LANEFOLD_PYTHON": python}
        code = subprocess.run([*command, "-o", given.scene], check=False, env=environment).returncode
    except OSError as error:
        sys.exit(f"lanefold.usd: {given.program}: {error}; name it with --program or LANEFOLD_PROGRAM")
    if code == 2 and not given.apply_scale and _any_is_stretched(Path(given.output)):
        print("lanefold.usd: --apply-scale takes scale, shear and mirroring into the vertices", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(_main())
