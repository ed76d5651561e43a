#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants one violation of each rule of check_rooms.py and expects to find it (check_rooms.py --self-test)."""

import sys
import tempfile
from pathlib import Path

from check_rooms import Check, cycle

# A small repository that follows the rules, and (file, text, finding) of violations.
LICENCE = "// SPDX-License-Identifier: MIT\n"
PARAGRAPH = "//\n// The purpose of the file.\n"
RIGHT = {
    "core/include/lanefold/vec.hpp": "",
    "core/include/lanefold/hull_set.hpp": "#include <lanefold/vec.hpp>\n",
    "core/src/set/store.hpp": "",
    "core/src/set/store.cpp": '#include "set/store.hpp"\n#include "hull/hull.hpp"\n',
    "core/src/hull/hull.hpp": "",
    "core/reference/include/lanefold/reference.hpp": "#include <lanefold/vec.hpp>\n",
    "core/reference/src/oracle/exact.hpp": "",
    "core/reference/src/oracle/distance.cpp": '#include <lanefold/reference.hpp>\n#include "oracle/exact.hpp"\n',
    "simd/include/lanefold/serial.hpp": "#include <lanefold/hull_set.hpp>\n",
    "simd/src/batch/loops.hpp": "",
    "simd/src/search/faces.hpp": '#include "lanes/wide.hpp"\n',
    "simd/src/contact/edges.hpp": '#include "pair/point.hpp"\n',
    "simd/src/chunk/pipeline.hpp": '#include "contact/edges.hpp"\n',
    "parallel/include/lanefold/narrowphase.hpp": "",
    "parallel/src/narrowphase.cpp": '#include <lanefold/serial.hpp>\n#include "batch/loops.hpp"\n',
    "world/broadphase/include/lanefold/broadphase.hpp": "#include <lanefold/hull_set.hpp>\n",
    "world/broadphase/src/tree/box_tree.hpp": "",
    "world/dynamics/src/state/bodies.hpp": "",
    "world/dynamics/src/solve/lanes.hpp": '#include "lanes/wide.hpp"\n',
    "world/dynamics/include/lanefold/world.hpp": "#include <lanefold/narrowphase.hpp>\n",
    "baking/scene/io.hpp": "#include <cstdio>\n",
    "tools/main.cpp": "#include <cstdio>\n#include <lanefold/reference.hpp>\n#include <lanefold/serial.hpp>\n",
    "bench/src/main.cpp": '#include "scene/io.hpp"\n',
    "tests/support/random.hpp": "",
    "tests/bits/neighbour.hpp": "",
    "tests/hull/beside.hpp": "",
    "tests/hull/set_test.cpp": '#include "support/random.hpp"\n#include "set/store.hpp"\n',
    "simd/include/lanefold/detail/stage_clock.hpp": "inline auto t() { return __builtin_ia32_rdtsc(); }\n",
    "bindings/c/include/lanefold.h": "#include <stdint.h>\n",
    "tests/hull/c_test.cpp": "#include <lanefold.h>\n#include <unistd.h>\nint n = __SSE2__;\n",
    "simd/src/lanes/native/avx2/wide.inl": "#include <immintrin.h>\n#include <xsimd/xsimd.hpp>\n"
    "#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2\n__m256 f() { return _mm256_setzero_ps(); }\n#endif\n",
    "simd/src/lanes/native/wide.inl": '#include "lanes/native/avx2/wide.inl"\n',
    "simd/src/lanes/wide.hpp": '#include "lanes/native/wide.inl"  // over xsimd\n',
}
PLANTED = [
    ("core/src/set/planted.cpp", "#include <lanefold/reference.hpp>\n", "core must not depend on core/reference"),
    ("core/src/set/planted.cpp", '#include "oracle/exact.hpp"\n', "private to core/reference"),
    ("core/src/set/planted.cpp", '#include "../../reference/src/oracle/exact.hpp"\n', "private to core/reference"),
    ("simd/src/pair/planted.hpp", "#include <lanefold/reference.hpp>\n", "simd must not depend on core/reference"),
    ("simd/src/pair/planted.hpp", '#include "set/store.hpp"\n', "private to core"),
    ("parallel/src/planted.cpp", "#include <lanefold/reference.hpp>\n", "must not depend on core/reference"),
    ("parallel/src/planted.cpp", "#include <lanefold/world.hpp>\n", "must not depend on world/dynamics"),
    ("core/reference/src/oracle/planted.cpp", "#include <lanefold/serial.hpp>\n", "the oracle shares no code"),
    ("core/reference/src/published/planted.cpp", "#include <lanefold/serial.hpp>\n", "must not depend on simd"),
    ("core/reference/src/published/planted.cpp", '#include "set/store.hpp"\n', "private to core"),
    ("core/reference/src/oracle/planted.cpp", "#include <lanefold/hull_set.hpp>\n", "the oracle shares no code"),
    ("core/src/set/planted.cpp", "#include <lanefold/serial.hpp>\n", "core must not depend on simd"),
    ("tools/planted.cpp", '#include "set/store.hpp"\n', "private to core"),
    ("tools/planted.cpp", '#include "support/random.hpp"\n', "private to tests"),
    ("examples/planted.cpp", '#include "scene/io.hpp"\n', "private to baking"),
    ("core/src/hull/planted.cpp", '#include "set/store.hpp"\n', "hull must not include set"),
    ("simd/src/search/planted.hpp", '#include "contact/edges.hpp"\n', "search must not include contact"),
    ("simd/src/search/planted.hpp", '#include "../contact/edges.hpp"\n', "search must not include contact"),
    ("simd/src/planted.hpp", "", "no folder '.'"),
    ("core/src/other/planted.hpp", "", "no folder 'other'"),
    ("tests/hull/planted.cpp", '#include "bits/neighbour.hpp"\n', "hull must not include bits"),
    ("parallel/src/planted.cpp", "#include <lanefold/broadphase.hpp>\n", "must not depend on world/broadphase"),
    ("world/broadphase/src/tree/planted.cpp", "#include <lanefold/reference.hpp>\n", "not depend on core/reference"),
    ("world/broadphase/src/boxes/planted.cpp", '#include "tree/box_tree.hpp"\n', "boxes must not include tree"),
    ("parallel/src/planted.cpp", "#include <lanefold/world.hpp>\n", "parallel must not depend on world/dynamics"),
    ("world/dynamics/src/step/planted.cpp", "#include <lanefold/reference.hpp>\n", "not depend on core/reference"),
    ("world/dynamics/src/step/planted.cpp", "#include <tbb/task.h>\n", "TBB is private"),
    ("world/dynamics/src/solve/planted.cpp", '#include "state/bodies.hpp"\n', "solve must not include state"),
    ("tests/support/planted.hpp", '#include "hull/beside.hpp"\n', "support must not include hull"),
    ("core/src/set/planted.cpp", "#include <tbb/task.h>\n", "TBB is private"),
    ("core/src/set/planted.cpp", "#include <xsimd/xsimd.hpp>\n", "xsimd is private"),
    ("simd/src/pair/planted.cpp", "#include <libqhull_r/libqhull_r.h>\n", "Qhull is private"),
    ("simd/src/pair/planted.cpp", "#include <xxhash.h>\n", "xxHash is private"),
    ("simd/src/lanes/planted.hpp", "#include <xsimd/xsimd.hpp>\n", "xsimd is private to simd/src/lanes/native"),
    ("simd/src/lanes/planted.hpp", "using Batch = xsimd::batch<float>;\n", "xsimd belongs to"),
    ("simd/src/search/planted.hpp", "#include <immintrin.h>\n", "immintrin.h belongs to"),
    ("parallel/src/planted.cpp", "#include <arm_neon.h>\n", "arm_neon.h belongs to"),
    ("simd/src/search/planted.hpp", "#if LANEFOLD_ISA_ID != 1\n#endif\n", "LANEFOLD_ISA_ID belongs to"),
    ("simd/src/search/planted.hpp", "#ifdef LANEFOLD_KERNEL_AVX512\n#endif\n", "LANEFOLD_KERNEL_AVX512 belongs to"),
    ("simd/src/search/planted.hpp", "#ifdef __AVX2__\n#endif\n", "__AVX2__ belongs to"),
    ("simd/src/contact/planted.hpp", "int f() { return _mm_popcnt_u32(3); }\n", "_mm_popcnt_u32 belongs to"),
    ("simd/src/contact/planted.hpp", "void f(__m256i);\n", "__m256i belongs to"),
    ("simd/src/contact/planted.hpp", "void f(float32x4_t);\n", "float32x4_t belongs to"),
    ("simd/src/contact/planted.hpp", "auto f(const float* p) { return vld1q_f32(p); }\n", "vld1q_f32 belongs to"),
    ("simd/src/contact/planted.hpp", "int f() { return _pdep_u32(3, 5); }\n", "_pdep_u32 belongs to"),
    ("simd/src/contact/planted.hpp", "int f() { return _tzcnt_u64(3); }\n", "_tzcnt_u64 belongs to"),
    ("simd/src/contact/planted.hpp", "auto f() { return vaddq_f32(a, b); }\n", "vaddq_f32 belongs to"),
    ("simd/src/contact/planted.hpp", "auto f() { return vcvtq_f32_u32(a); }\n", "vcvtq_f32_u32 belongs to"),
    ("simd/src/contact/planted.hpp", "void f(svfloat32_t);\n", "svfloat32_t belongs to"),
    ("simd/src/contact/planted.hpp", "void f() { __builtin_ia32_pause(); }\n", "__builtin_ia32_pause belongs to"),
    ("simd/src/isa/planted.cpp", "int n = __builtin_cpu_supports(0);\n", "__builtin_cpu_supports belongs to"),
    ("simd/src/isa/planted.cpp", "#include <cpuid.h>\n", "cpuid.h belongs to"),
    ("parallel/src/planted.cpp", "void f() { __asm__ volatile(0); }\n", "__asm__ belongs to"),
    ("world/dynamics/src/solve/planted.hpp", "void f() { asm(0); }\n", "asm belongs to"),
    ("core/src/set/planted.cpp", "#ifdef __x86_64__\n#endif\n", "__x86_64__ belongs to"),
    ("core/reference/src/judge/planted.cpp", "#ifdef __aarch64__\n#endif\n", "__aarch64__ belongs to"),
    ("core/src/precise/planted.cpp", "#ifdef __SSE2__\n#endif\n", "__SSE2__ belongs to"),
    ("core/src/precise/lanes.hpp", "", "take it out of NATIVE"),
    ("world/dynamics/src/solve/planted.hpp", '#include "search/faces.hpp"\n', "private to simd"),
    ("parallel/src/planted.cpp", '#include "lanes/wide.hpp"\n', "private to simd"),
    ("bench/src/planted.cpp", "#include <nanobind/nanobind.h>\n", "nanobind is private"),
    ("tools/commands/planted.cpp", "#include <zstd.h>\n", "Zstandard is private"),
    ("core/src/set/planted.cpp", "#include <boost/any.hpp>\n", "boost/any.hpp is of no library"),
    ("tools/planted.cpp", "#include <png.h>\n", "png.h is of no library"),
    ("simd/src/pair/planted.cpp", "#include <cstdio>\n", "never prints"),
    ("core/src/set/planted.cpp", "void f() { throw 1; }\n", "never throws"),
]
# A header beside those above, the names that may be twice, and the finding.
NAMES = [
    ("simd/src/box/faces.hpp", set(), "simd/src/box/faces.hpp has the same name"),
    ("simd/src/box/faces.hpp", {("simd", "faces.hpp")}, None),
    ("simd/src/box/other.hpp", {("simd", "faces.hpp")}, "take it out of NAMED_TWICE"),
    ("core/src/set/faces.hpp", set(), None),
    ("simd/src/lanes/native/sse/wide.inl", set(), None),
]
# A file beside one that defines lanefold::detail::Part, and whether it defines the same type.
TYPES = [
    ("namespace lanefold::detail {\nclass Part final : public Base {};\n}\n", True),
    ("namespace lanefold {\nnamespace detail {\nenum class Part { a };\n}\n}\n", True),
    ("namespace lanefold {\nstruct Part {};\n}\n", False),
    ("namespace lanefold::detail {\nnamespace {\nstruct Part {};\n}\nstruct Outer { struct Part {}; };\n}\n", False),
    ("namespace lanefold::detail {\nstruct Part;\nstruct Part::Impl {};\n// struct Part {\n}\n", False),
]


def expect_types(look, expect) -> None:
    for text, expected in TYPES:
        with tempfile.TemporaryDirectory() as where:
            files = {"core/src/set/a.hpp": "namespace lanefold::detail {\nstruct Part {\n    int a;\n};\n}\n",
                     "world/dynamics/src/state/b.hpp": text}
            look(files, where)
            expect(text, Check(Path(where)).same_types(list(files)), "lanefold::detail::Part" if expected else None)


def main() -> int:
    failures = []

    def look(files: dict[str, str], where: str, exceptions: set[tuple[str, str]] = frozenset()) -> list[str]:
        root = Path(where)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(LICENCE + PARAGRAPH + text)
        check = Check(root, exceptions)
        for name in files:
            check.file(name)
        return check.found

    def expect(title: str, found: list[str], expected: str | None) -> None:
        if len(found) != (expected is not None) or (expected is not None and expected not in found[0]):
            failures.append(f"{title}: expected {expected and f'one {expected!r}' or 'nothing'}, found {found}")

    with tempfile.TemporaryDirectory() as where:
        expect("what is right", look(RIGHT, where), None)
    for name, text, expected in PLANTED:
        with tempfile.TemporaryDirectory() as where:
            expect(f"{name} with {text!r}", look(RIGHT | {name: text}, where), expected)
    upward = ("core/src/hull/planted.cpp", "set/store.hpp")
    with tempfile.TemporaryDirectory() as where:
        expect("a listed exception", look(RIGHT | {upward[0]: f'#include "{upward[1]}"\n'}, where, {upward}), None)
    with tempfile.TemporaryDirectory() as where:
        expect("an exception of no use", look(RIGHT | {upward[0]: ""}, where, {upward}), "take it out")
    def opening(text: str, no_paragraph: set[str] = frozenset()) -> list[str]:
        with tempfile.TemporaryDirectory() as where:
            (Path(where) / "core/src/set").mkdir(parents=True)
            (Path(where) / "core/src/set/a.cpp").write_text(text)
            check = Check(Path(where), no_paragraph=no_paragraph)
            check.file("core/src/set/a.cpp")
            return check.found

    expect("a file without a licence", opening("// Copyright\n" + PARAGRAPH), "must open with")
    expect("a licence for C", opening("/* SPDX-License-Identifier: MIT\n *\n * The purpose of the file. */\n"), None)
    for body in ("", "#include <a>\n// Too late.\n", "//\n//\n", "// No empty line.\n"):
        expect(f"no paragraph, but {body!r}", opening(LICENCE + body), "must say its purpose")
    expect("a listed file without one", opening(LICENCE, {"core/src/set/a.cpp"}), None)
    expect("a listed file with one", opening(LICENCE + PARAGRAPH, {"core/src/set/a.cpp"}), "out of NO_PARAGRAPH")
    with tempfile.TemporaryDirectory() as where:
        look(RIGHT, where)
        stale = Check(Path(where), {("core/src/gone.cpp", "a.hpp")}).stale()
    for name, listed, expected in NAMES:
        expect(f"{name}, listed: {listed}", Check(Path(), named_twice=listed).same_names([*RIGHT, name]), expected)
    expect_types(look, expect)
    for arrow, expected in {"core/src/set -> build": False, "parallel -> simd/src/batch": False,
                            "world/dynamics -> simd/src/lanes": False, "simd/src/chunk -> contact": False,
                            "world/dynamics -> simd/src/tasks": True, "simd/src/chunk -> box": True}.items():
        here, there = arrow.split(" -> ")
        if any(f" {there}" in line and line.endswith(f"{Path(here).name} to {there}") for line in stale) != expected:
            failures.append(f"the arrow {arrow}: expected {'a' if expected else 'no'} finding, found {stale}")
    if not any(line.startswith("core/src/gone.cpp: is gone") for line in stale):
        failures.append("an exception for a file that is gone is not found")
    if cycle({"a": {"b"}, "b": {"a"}, "c": set()}) != ["a", "b"] or cycle({"a": {"b"}, "b": set()}):
        failures.append("a circle in a table is not found")
    sys.stdout.writelines(f"{line}\n" for line in failures)
    print(f"{len(PLANTED) + len(NAMES) + len(TYPES) + 12} planted violations, {len(failures)} failures")
    return 1 if failures else 0
