# SPDX-License-Identifier: MIT
"""The rooms of the repository and their folders. check_rooms.py checks these tables, DESIGN.md shows them."""

LIBRARY = ["core", "core/reference", "simd", "parallel", "broadphase", "dynamics"]
# The rooms whose public headers (ROOM/include) each room may include besides its own:
# core <- simd <- parallel <- {broadphase, dynamics} <- {tools, c, python, web} <- {bench, tests, examples}.
# core/reference depends on core only; core, simd and parallel never include it.
ROOMS = {
    "core/reference": {"core"},
    "core": set(),
    "simd": {"core"},
    "parallel": {"core", "simd"},
    "broadphase": {"core", "simd", "parallel"},
    "dynamics": {"core", "simd", "parallel", "broadphase"},
    "c": set(LIBRARY),
    "tools": {*LIBRARY},
    "python": {*LIBRARY, "c"},
    "web": {*LIBRARY, "c"},
    "bench": {*LIBRARY},
    "examples": {*LIBRARY, "c"},
    "tests": {*LIBRARY, "c"},
}
# The rooms whose private headers a room may include. Tests call single stages. The benchmark reads and makes scenes as
# the program does, and shares the trembling scenes with the tests. python and web use the program's file readers. Upper
# library rooms run on the workspace and the tasks of the lower ones. web replaces Qhull, of which core's builder has a
# private header.
PRIVATE_OF = {
    "parallel": {"simd"},
    "broadphase": {"simd", "parallel"},
    "dynamics": {"simd", "parallel"},
    "python": {"tools"},
    "web": {"tools", "core"},
    "bench": {"tools", "tests"},
    "tests": {*LIBRARY, "tools"},
}
# Folders of private headers, where they are not ROOM/src.
PRIVATE_ROOTS = {room: [room] for room in ("tools", "tests", "examples", "c", "python", "web")}

# Folders of a room and the folders that each may include. "." means the files beside the folders, "*" all folders that
# the table does not name.
FOLDERS = {
    "core/src": {
        "build": set(),
        "set": {"build"},
        "precise": set(),
        "contacts": set(),
    },
    "core/reference/src": {
        "oracle": set(),
        "published": set(),
        "response": set(),
        "judge": {"oracle"},
    },
    "simd/src": {
        **{f"lanes/native/{name}": set() for name in ("scalar", "xsimd", "x86")},
        "lanes/native/neon": {"lanes/native/xsimd"},
        **{f"lanes/native/{name}": {"lanes/native/x86", "lanes/native/xsimd"} for name in ("sse", "avx2", "avx512")},
        "lanes/native": {f"lanes/native/{name}" for name in ("scalar", "sse", "avx2", "avx512", "neon")},
        "lanes": {"lanes/native"},
        "isa": set(),
        "pair": {"lanes"},
        "search": {"pair", "lanes"},
        "record": {"pair", "lanes"},
        "contact/patch": {"record", "pair", "lanes"},
        "contact": {"contact/patch", "search", "record", "pair", "lanes"},
        "box": {"record", "pair", "lanes"},
        "chunk": {"isa", "box", "contact", "contact/patch", "record", "search", "pair", "lanes"},
        "batch": {"isa"},
    },
    "dynamics/src": {
        "solve": set(),
        "world": {"solve"},
    },
    "tools": {
        "console": set(),
        "files": {"console"},
        "scene": {"files", "console"},
        "contacts": {"scene", "files", "console"},
        "bake": {"contacts", "scene", "files", "console"},
        "generate": {"scene", "files", "console"},
        "import": {"scene", "files", "console"},
        "picture": {"contacts", "scene", "files", "console"},
        "simulate": {"scene", "files", "console"},
        "commands": {"bake", "contacts", "generate", "simulate", "import", "picture", "scene", "files", "console"},
        "mpi": {"bake", "commands", "contacts", "scene", "files", "console"},
        ".": {"commands", "console"},
    },
    "web": {
        "engine/serial": set(),
        "engine/serial/oneapi/tbb": set(),
        "engine": {"engine/serial"},
    },
    "bench/src": {
        "scenes": set(),
        "peers": {"scenes"},
        "measure": {"peers", "scenes"},
        "results": {"measure", "peers", "scenes"},
        "experiments": {"results", "measure", "peers", "scenes"},
        "response": set(),
        ".": {"experiments", "results", "measure", "peers", "scenes"},
    },
    "tests": {
        "support": set(),
        "support/tools": {"support"},
        "consumer/project": set(),
        "*": {"support", "support/tools"},
    },
}

# (file, header) pairs that may break the tables. This list only shrinks.
EXCEPTIONS: set[tuple[str, str]] = set()
