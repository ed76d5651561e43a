#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every C++ file includes the headers that it uses, itself or through headers of this project. `./dev lint` runs it.

The build compiles these headers beforehand for all files of a room (cmake/Precompiled.cmake), so its compiler does not
miss one that a file forgets; that of a project with lanefold inside it does. The check reads names, not types: it knows
the headers that are compiled beforehand, and the names of them that this project uses.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from check_rooms import COMMENT, INCLUDE, room_of

# Names behind std:: by header. A call is needed where a name alone says too little.
CALLS = {
    "algorithm": "sort stable_sort min max clamp minmax fill fill_n copy copy_n copy_if copy_backward find find_if "
                 "any_of all_of none_of lower_bound upper_bound equal_range unique reverse rotate nth_element "
                 "remove_if transform count count_if partial_sort max_element min_element minmax_element equal "
                 "mismatch binary_search is_sorted for_each generate partition stable_partition "
                 "lexicographical_compare next_permutation replace includes push_heap pop_heap make_heap",
    "cmath": "sqrt fabs sin cos tan asin acos atan atan2 exp exp2 log log2 log10 pow floor ceil round trunc isfinite "
             "isnan isinf signbit copysign hypot fmin fmax fmod remainder ldexp frexp ilogb lround llround nearbyint "
             "rint cbrt nextafter fma",
    "cstring": "memcpy memmove memset memcmp memchr strlen strcmp strncmp strchr strrchr strstr strerror",
    "numeric": "iota accumulate partial_sum exclusive_scan inclusive_scan inner_product gcd lcm midpoint",
}
NAMES = {
    "array": "array to_array",
    "bit": "bit_cast popcount countr_zero countr_one countl_zero countl_one bit_width bit_floor bit_ceil "
           "has_single_bit endian rotl rotr",
    "functional": "function reference_wrapper",
    "limits": "numeric_limits",
    "memory": "unique_ptr shared_ptr weak_ptr make_unique make_shared",
    "optional": "optional nullopt",
    "span": "span",
    "string": "string to_string",
    "utility": "move forward swap pair exchange make_pair as_const",
    "vector": "vector",
    "filesystem": "filesystem",
}
PATTERNS = {header: rf"std::(?:ranges::)?(?:{'|'.join(names.split())})(?:<[^<>()]*>)?\("
            for header, names in CALLS.items()}
PATTERNS |= {header: rf"std::(?:{'|'.join(names.split())})\b" for header, names in NAMES.items()}
PATTERNS |= {
    "cstdint": r"\b(?:std::)?u?int(?:8|16|32|64)_t\b",
    "gtest/gtest.h": r"\b(?:TEST|TEST_F|TEST_P)\(",
    "fmt/format.h": r"\bfmt::",
    "CLI/CLI.hpp": r"\bCLI::(?!App&)",  # which is declared without it
    "nlohmann/json.hpp": r"\bnlohmann::",
}
PATTERNS = {header: re.compile(pattern) for header, pattern in PATTERNS.items()}

# Headers that define the names of another by their own interface.
ALSO = {
    "utility": {"algorithm", "array", "functional", "map", "memory", "optional", "set", "string", "tuple",
                "unordered_map", "variant", "vector"},
    "string": {"filesystem", "fstream", "iostream", "sstream", "stdexcept"},
    "nlohmann/json.hpp": {"nlohmann/json_fwd.hpp"},
    "gtest/gtest.h": {"gtest/gtest-spi.h"},
    "fmt/format.h": {"fmt/core.h"},
}


class Tree:
    """The C++ files below a folder, and the headers that each includes, itself or through others of these files."""

    def __init__(self, files):
        self.text = {file: pathlib.Path(file).read_text(encoding="utf-8") for file in files}
        self.by_name = {}
        for file in files:
            self.by_name.setdefault(pathlib.PurePath(file).name, []).append(file)
        self.known = {}

    def resolve(self, file, name):
        """The file that an include of `name` means: beside `file`, then in its room, then anywhere."""
        ends = [other for other in self.by_name.get(pathlib.PurePath(name).name, [])
                if f"/{other}".endswith(f"/{name}")]
        beside = str(pathlib.PurePath(file).parent / name)
        if beside in ends:
            return beside
        room = file.split("/")[0]
        return next((other for other in ends if other.startswith(room + "/")), ends[0] if ends else None)

    def headers(self, file):
        """Foreign headers that `file` includes."""
        if file not in self.known:
            self.known[file] = found = set()
            for _, name in INCLUDE.findall(self.text[file]):
                other = self.resolve(file, name)
                found |= {name} if other is None else self.headers(other)
        return self.known[file]


def findings(tree, files):
    """Each header that a file uses and does not include, as a line of text."""
    for file in files:
        code = COMMENT.sub(lambda match: "\n" * match.group().count("\n"), tree.text[file])
        headers = tree.headers(file)
        for header, pattern in PATTERNS.items():
            used = pattern.search(code)
            if used and header not in headers and not ALSO.get(header, set()) & headers:
                line = code.count("\n", 0, used.start()) + 1
                yield f"{file}:{line}: {used.group()} without <{header}>"


def self_test():
    """The check finds each planted line, and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        (at / "a.hpp").write_text("#include <vector>\ninline std::vector<int> a;\n", encoding="utf-8")
        (at / "good.cpp").write_text('#include "a.hpp"\nstd::vector<int> b;  // std::span<int>\n', encoding="utf-8")
        (at / "bad.cpp").write_text('#include "a.hpp"\n\nstd::span<int> c = std::max(1, 2);\n', encoding="utf-8")
        files = sorted(str(file) for file in at.iterdir())
        found = [line.replace(f"{folder}/", "") for line in findings(Tree(files), files)]
    expected = ["bad.cpp:3: std::max( without <algorithm>", "bad.cpp:3: std::span without <span>"]
    if found != expected:
        sys.exit(f"check_headers finds {found}, not {expected}")


def main():
    if "--self-test" in sys.argv:
        self_test()
        return
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], check=True, text=True,
                            capture_output=True).stdout.splitlines()
    files = [file for file in listed if re.search(r"\.[ch]pp$", file) and room_of(file)
             and pathlib.Path(file).is_file()]
    if len(files) < 100:
        sys.exit(f"check_headers sees {len(files)} files only")
    wrong = list(findings(Tree(files), files))
    sys.stdout.writelines(f"{line}\n" for line in wrong)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
