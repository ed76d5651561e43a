# SPDX-License-Identifier: MIT
"""The rooms of the repository and their folders. check_rooms.py checks these tables, DESIGN.md shows them."""

LIBRARY = ["core", "core/reference", "simd", "parallel", "world/broadphase", "world/dynamics"]
# The rooms whose public headers (ROOM/include) each room may include besides its own:
# core <- simd <- parallel <- world <- baking <- {tools, bindings} <- {bench, tests, examples}.
# core/reference depends on core only; core, simd and parallel never include it.
ROOMS = {
    "core/reference": {"core"},
    "core": set(),
    "simd": {"core"},
    "parallel": {"core", "simd"},
    "world/broadphase": {"core", "simd", "parallel"},
    "world/dynamics": {"core", "simd", "parallel", "world/broadphase"},
    "baking": {*LIBRARY},
    "tools": {*LIBRARY},
    "bindings/c": set(LIBRARY),
    "bindings/python": {*LIBRARY, "bindings/c"},
    "bindings/web": {*LIBRARY, "bindings/c"},
    "bench": {*LIBRARY},
    "examples": {*LIBRARY, "bindings/c"},
    "tests": {*LIBRARY, "bindings/c"},
}
# The folders of other rooms whose private headers a room may include; a room's name stands for all of its folders.
# Tests call single stages and the dispatcher for Bullet. The benchmark reads and makes scenes as the program does, and
# shares the trembling scenes with the tests. Upper library rooms run on the workspace and the tasks of the lower ones,
# and the kernels of finder and solver on simd's lanes. web uses the program's scenes and messages.
PRIVATE_OF = {
    "parallel": {"simd/src/batch", "simd/src/coherence", "simd/src/measure", "simd/src/sweep", "simd/src/tasks"},
    "world/broadphase": {"simd/src/lanes"},
    "world/dynamics": {"simd/src/tasks", "simd/src/lanes", "parallel/src"},
    "tools": {"baking"},
    "bindings/python": {"baking/bake", "baking/console", "baking/contacts", "baking/files"},
    "bindings/web": {"baking/console", "baking/contacts", "tools/generate", "tools/picture"},
    "bench": {"baking/contacts", "tools/generate", "baking/scene", "tests/support"},
    "tests": {
        *("core", "simd", "parallel/src", "world/broadphase/src", "baking", "tools"),
        *("examples/bullet", "examples/mujoco"),
    },
}
# Folders of private headers, where they are not ROOM/src.
PRIVATE_ROOTS = {room: [room] for room in ("baking", "tools", "tests", "examples", "bindings/c", "bindings/python",
                                                "bindings/web")}

# Folders of a room and the folders that each may include. "." means the files beside the folders, "*" all folders that
# the table does not name.
FOLDERS = {
    "core/src": {
        "hull": set(),
        "set": {"hull"},
        "precise": set(),
        "contacts": set(),
        "capture": set(),
        "surface": set(),
        "measure": set(),
        "rays": set(),
        "ground": {"precise"},
    },
    "core/reference/src": {
        "oracle": set(),
        "published": set(),
        "response": set(),
        "judge": set(),
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
        "tasks": set(),
        "coherence": {"record", "search", "pair", "tasks"},
        "record": {"pair", "lanes"},
        "contact/patch": {"record", "pair"},
        "contact": {"contact/patch", "record", "pair"},
        "box": {"record", "pair", "lanes"},
        "round": {"pair"},
        "small": {"box", "contact", "record", "pair", "lanes"},
        "floor": {"box", "contact", "record", "round", "pair", "lanes"},
        "chunk": {"isa", "floor", "small", "box", "contact", "record", "round", "coherence", "search", "pair"},
        "batch": {"coherence", "round", "tasks"},
        "sweep": {"batch", "tasks"},
        "measure": {"batch", "tasks"},
    },
    "world/broadphase/src": {
        "boxes": set(),
        "tree": {"boxes"},
        "finders": {"tree", "boxes"},
        "queries": {"finders", "boxes"},
    },
    "world/dynamics/src": {
        "solve": set(),
        "state": {"solve"},
        "islands": {"state", "solve"},
        "step": {"islands", "state", "solve"},
        "calls": {"step", "islands", "state"},
    },
    "baking": {
        "console": set(),
        "files": {"console"},
        "scene": {"files", "console"},
        "contacts": {"scene", "files", "console"},
        "capture": {"contacts", "files", "console"},
        "bake": {"capture", "contacts", "scene", "files", "console"},
        "events": {"bake", "contacts", "scene", "files", "console"},
    },
    "tools": {
        "export": set(),
        "generate": set(),
        "import": set(),
        "picture": set(),
        "simulate": set(),
        "commands": {"export", "generate", "import", "picture", "simulate"},
        "mpi": {"commands"},
        ".": {"commands"},
    },
    "bindings/web": {
        "engine/serial": set(),
        "engine/serial/oneapi/tbb": set(),
        "engine": set(),
        "module": set(),
    },
    "bench/src": {
        "scenes": set(),
        "peers": {"scenes"},
        "measure": {"peers", "scenes"},
        "results": {"measure"},
        "experiments": {"results", "measure", "scenes"},
        "options": {"measure", "scenes"},
        "response": {"peers"},
        "ground": {"measure"},
        ".": {"experiments", "measure", "options", "scenes"},
    },
    "examples": {
        ".": set(),
        "bullet": set(),
        "mujoco": set(),
        "adapter": set(),
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

# Third-party libraries: the headers of each and the folders that may include them. DESIGN.md names the libraries of
# each room. "peers" are the other engines of the benchmark.
THIRD_PARTY = {
    "Qhull": (r"^(libqhull|qhull)", {"tests/hull"}),
    "xxHash": (
        r"^xxhash\.h$",
        {
            *("core/src/capture", "core/src/contacts", "core/src/set", "core/src/surface"),
            *("baking/files", "baking/scene", "tests/capture", "tests/fuzz"),
        },
    ),
    "xsimd": (r"^xsimd/", {"simd/src/lanes/native"}),
    "oneTBB": (r"^(oneapi/)?tbb/",
               {"parallel/src", "world/broadphase/src", "baking", "tools", "bench/src/measure", "tests"}),
    "nanobind": (r"^nanobind/", {"bindings/python/src"}),
    "CLI11": (r"^CLI/", {"tools/commands", "tools/main.cpp", "tools/mpi", "bench/src"}),
    "fmt": (r"^fmt/", {"baking", "tools", "bindings/web/engine", "bench/src", "tests/tools"}),
    "nlohmann-json": (r"^nlohmann/", {"baking", "tools", "bindings/web/engine", "bench/src", "tests"}),
    "tinyobjloader": (r"^tiny_obj_loader\.h$", {"tools/import"}),
    "Bullet": (r"^(bt\w+\.h$|Bullet\w+/)", {"tools/generate", "bench/src", "examples/bullet", "tests/bullet"}),
    "Zstandard": (r"^zstd\w*\.h$", {"baking/files"}),
    "MPI": (r"^mpi\.h$", {"tools/mpi"}),
    "emscripten": (r"^emscripten/", {"bindings/web/engine", "bindings/web/module"}),
    "Google Benchmark": (r"^benchmark/", {"bench/src"}),
    "Valgrind": (r"^valgrind/", {"bench/src/measure"}),
    "peers": (r"^(CGAL|Jolt|box3d|ccd|coal|embree3|fcl|mujoco(?=/mujoco\.h)|ode)/"
              r"|^((cooking|extensions|foundation|geom\w+)/)?(Px|Gu)\w+\.h$",
              {
                  *("bench/src/peers", "bench/src/response", "bench/src/rays.cpp", "bench/src/volumes.cpp",
                    "bench/src/toi_box3d.cpp"),
                  "examples/mujoco",
              }),
    "GoogleTest": (r"^(gtest|gmock)/", {"tests"}),
}
# Headers with a suffix that are of no library: those of the C library, of the system and of the compiler.
SYSTEM_HEADERS = (
    r"^((sys|linux)/\w+|assert|dlfcn|fcntl|link|math|poll|sched|signal|spawn|stddef|stdint|stdio|stdlib|string|time"
    r"|unistd|io|windows|\w*intrin|cpuid|arm_\w+)\.h$"
)

# The places of code that depends on the instruction set, and what it is. simd/src/lanes/native has the lanes.
NATIVE = {
    "simd/src/lanes/native/": "lanes",
    "simd/src/isa/detection.cpp": "which instruction sets the processor has",
    "simd/include/lanefold/detail/stage_clock.hpp": "the clock of the processor",
    "core/include/lanefold/fp_environment.hpp": "rounding mode and flushing of denormals",
    "core/src/precise/lanes.hpp": "the bits of a comparison of two doubles",
    "world/dynamics/src/solve/stages.cpp": "the pause of a waiting task",
}

# Folders whose headers may have the names of others in their room: a file for each instruction set, of one contract.
SAME_NAMES = {"simd/src/lanes/native"}
# Names that two headers of a room have, (room, name). This list only shrinks.
NAMED_TWICE = {
    ("baking", "io.hpp"),
    *(("core", name) for name in ("pose.hpp", "support.hpp")),
    *(("simd", name) for name in ("gather.hpp", "lane_reduce.hpp", "reduce.hpp")),
    ("tests", "program.hpp"),
}

# Files without an opening paragraph. This list only shrinks.
NO_PARAGRAPH: set[str] = set()
