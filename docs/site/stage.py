#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lays out the sources of the site for Sphinx: stage.py ROOT FOLDER EXTRA. EXTRA/live has the live pages, if there are.

The documents keep their places, so that their links are the same as in the repository. Beside them come a page for each
public header (by Breathe, from Doxygen's XML), a page for each example with its expected output, and the pages of
docs/site; the page of the contract gets the tests of each promise, and bench/results become pages and plots. A file
whose text stays is not written again, so that Sphinx reads only what changed.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "cmake"))

import contract  # noqa: E402: of cmake

# Rooms with public headers, in the order of DESIGN.md, and what one of them is for.
ROOMS = {
    "parallel": "Batch calls on all cores",
    "simd": "The same calls without threads",
    "core": "Hulls, bodies, options, results",
    "world/broadphase": "Candidate pairs",
    "world/dynamics": "Rigid bodies that move",
    "core/reference": "Oracle and published methods",
    "bindings/c": "The C interface",
}
DOCUMENTS = re.compile(r"(README|CHANGELOG|CODE_OF_CONDUCT|CONTRIBUTING|DESIGN|SECURITY)\.md|LICENSE"
                       r"|bench/(README\.md|adapters/.*)|bindings/web/module/README\.md|docs/(?!site/).*|examples/.*")
SHOWN = {".cpp": "cpp", ".hpp": "cpp", ".c": "c", ".py": "python", ".sbatch": "bash", ".expected": "text",
         ".json": "json"}


def heading(text: str, under: str = "=") -> str:
    return f"{text}\n{under * len(text)}\n"


def summary(path: Path) -> str:
    """The first sentence of the comment that a source begins with."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        text = re.match(r"^(?://|#|/\*| \*(?!/)) ?(.*)", line)
        if not text or (lines and not text[1]):
            break
        if text[1] and not text[1].startswith(("SPDX", "!", "/usr")):
            lines.append(text[1])
    sentence = re.split(r"(?<=\.) ", " ".join(lines))[0]
    return re.sub(r"([*`|_\\])", r"\\\1", sentence.rstrip(":."))


def contents(rows: dict[str, str], names: dict[str, str]) -> str:
    """A list of pages with what each is, and the same as contents for the navigation."""
    shown = "\n".join(f"- :doc:`{names.get(page, page)} <{page}>`" + (f": {text}" if text else "")
                      for page, text in rows.items())
    inside = "\n".join(f"   {page}" for page in rows)
    return f"{shown}\n\n.. toctree::\n   :hidden:\n\n{inside}\n"


def header_page(name: str) -> str:
    return f"{heading(name)}\n.. code-block:: cpp\n\n   #include <{name}>\n\n.. doxygenfile:: {name}\n"


def room_page(title: str, room: str, base: Path, headers: list[str]) -> str:
    rows = {Path(h).stem: summary(base / h) for h in headers}
    return f"{heading(f'{title} ({room})')}\n{contents(rows, {Path(h).stem: h for h in headers})}"


def example_page(files: list[Path], title: str, said: str = "") -> str:
    """A sentence about an example, its sources, one after the other; its output, last."""
    page = [heading(title), f"{said}.\n"] if said else [heading(title)]
    for path in files:
        place = f"/examples/{path.as_posix()}"
        if path.suffix == ".expected":
            page.append(f"It prints\n\n.. literalinclude:: {place}\n   :language: text\n")
        else:
            page.append(f".. literalinclude:: {place}\n   :language: {SHOWN[path.suffix]}\n"
                        f"   :caption: examples/{path.as_posix()}\n")
    return "\n".join(page)


def examples(root: Path, files: list[str]) -> dict[str, str]:
    """The pages of examples: one for each program, one for each folder."""
    pages: dict[str, list[Path]] = {}
    for name in sorted(files):
        path = Path(name).relative_to("examples")
        if path.suffix in SHOWN and path.name != "CMakeLists.txt":
            pages.setdefault(path.stem if path.parent == Path(".") else path.parts[0], []).append(path)
    code = {name: [path for path in paths if path.suffix in (".cpp", ".c", ".py")] for name, paths in pages.items()}
    rows = {name: summary(root / "examples" / code[name][-1]) if code[name] else "" for name in pages}
    told = {"baking": "A wall and a throw, for :doc:`/docs/ten_minutes/baking`",
            "farm": "Bakes through Slurm, Ray and Dask: :doc:`/docs/baking`",
            "python": "A pile that falls apart, as a plot, and environments in parallel: :doc:`/docs/python`"}
    rows |= told
    out = {f"examples/{name}.rst": example_page(sorted(paths, key=lambda p: p.suffix == ".expected"), name,
                                                told.get(name, "")) for name, paths in pages.items()}
    out["examples/index.rst"] = f"{heading('Examples')}\n{contents(rows, {})}"
    return out


def live_pages(extra: Path) -> str:
    """The part of the first page about the live pages."""
    title = heading("Live", "-")
    if not (extra / "live/pair.html").exists():
        return f"{title}\n``./dev page`` makes a live page of two hulls; made before ``./dev docs``, it is here.\n"
    rows = ["- `Two hulls <live/pair.html>`__: drag, turn and edit them; axis, clipping and contact points follow."]
    if (extra / "live/pile.html").exists():
        rows.append("- `A settled pile <live/pile.html>`__: all its contacts; pick a body, open a pair.")
    inside = "\n".join(rows)
    return f"{title}\nTheir engine is lanefold itself (:doc:`how <docs/page>`):\n\n{inside}\n"


def pages(root: Path, files: list[str], extra: Path) -> dict[str, str]:
    """Everything that is made, by its place."""
    out = examples(root, [f for f in files if f.startswith("examples/")])
    for room, title in ROOMS.items():
        base = root / room / "include"
        headers = [p.relative_to(base).as_posix() for p in sorted(base.rglob("*.h*")) if "detail" not in p.parts]
        folder = f"api/{room.replace('/', '_')}"
        out |= {f"{folder}/{Path(h).stem}.rst": header_page(h) for h in headers}
        out[f"{folder}/index.rst"] = room_page(title, room, base, headers)
    inside = "\n".join(f"   {room.replace('/', '_')}/index" for room in ROOMS)
    out["api/index.rst"] = f"{heading('Interface')}\n.. toctree::\n   :maxdepth: 2\n\n{inside}\n   python\n"
    out["index.rst"] = (root / "docs/site/pages/index.rst").read_text(encoding="utf-8").replace(
        ".. include:: /live.rst\n", live_pages(extra))
    for path in sorted((root / "docs/site/pages").rglob("*.rst")):
        out.setdefault(path.relative_to(root / "docs/site/pages").as_posix(), path.read_text(encoding="utf-8"))
    return out


def measured(root: Path, folder: Path) -> dict[str, bytes]:
    """The pages and plots of bench/results, by their place; FOLDER keeps them until results or scripts are newer."""
    mark = folder / "made"
    newest = max(path.stat().st_mtime for path in [*(root / "bench").rglob("*"), root / "docs/performance.md"])
    if not mark.exists() or mark.stat().st_mtime < newest:
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "docs").mkdir(parents=True)
        shutil.copy(root / "docs/performance.md", folder / "docs")
        for words in (["plots", "--docs", folder / "docs"], ["response", "--docs", folder / "docs"]):
            subprocess.run([sys.executable, root / "bench" / words[0], *words[1:]], check=True,
                           stdout=subprocess.DEVNULL)
        (folder / "docs/performance.md").unlink()
        mark.touch()
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in (folder / "docs").rglob("*")
            if path.is_file()}


def complete(name: str, text: str) -> str:
    """A document of the repository with what the site alone has."""
    if name == "docs/contract.md":
        return text + contract.listing(text)
    if name == "docs/performance.md":
        return text + "\n[All tables and plots](performance/summary.md)\n"
    if name == "docs/response.md":
        return text + "\n[All figures and plots](performance/response.md)\n"
    return text


def listed(root: Path) -> list[str]:
    """The files of the repository; of a release archive all but what was built."""
    done = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root,
                          capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout.splitlines()
    return [path.relative_to(root).as_posix() for path in root.rglob("*")
            if path.is_file() and path.relative_to(root).parts[0] not in ("build", "out")]


def main() -> int:
    root, folder, extra = map(Path, sys.argv[1:4])
    files = [name for name in listed(root) if DOCUMENTS.fullmatch(name) and (root / name).is_file()]
    wanted = {name: (root / name).read_bytes() for name in files}
    wanted |= {name: text.encode() for name, text in pages(root, files, extra).items()}
    made = measured(root, folder.parent / "measured")
    for name in ("docs/contract.md", "docs/performance.md", "docs/response.md"):
        wanted[name] = complete(name, wanted[name].decode()).encode()
    wanted |= made
    for old in folder.rglob("*") if folder.is_dir() else ():
        if old.is_file() and old.relative_to(folder).as_posix() not in wanted:
            old.unlink()
    for name, data in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    print(f"{len(wanted)} files, {sum(n.startswith('api/') for n in wanted)} of them pages of the interface")
    return 0


if __name__ == "__main__":
    sys.exit(main())
