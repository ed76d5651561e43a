// SPDX-License-Identifier: MIT
//
// Arrays of a scene folder that say something about each hull, or cut the rows of another array.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "files/npy.hpp"

namespace lanefold::tools {

template <class T>
std::vector<T> read_list(const NpyReader& file, std::uint64_t length = kAnyLength) {
    file.expect_dtype<T>();
    file.expect_shape({length});
    return file.read_all<T>();
}

// A number for each hull, which a scene of version 2 may only say to be 0. Empty if all are 0, or without the file.
template <class T>
std::vector<T> read_of_hulls(const std::filesystem::path& path, std::uint64_t hulls, int version, const char* what) {
    if (!is_there(path)) return {};
    std::vector<T> values = read_list<T>(NpyReader(path), hulls);
    const auto other = std::find_if(values.begin(), values.end(), [](T x) { return !(x == T{0}); });
    if (other == values.end()) return {};
    if (version >= 3) return values;
    throw bad_input("{}: hull {} has {} {}, which needs \"version\": 3 in scene.json", path.string(),
                    other - values.begin(), what, *other);
}

// `offsets` (not empty) of the file `name` cut the `rows` rows of another file.
inline void check_offsets(std::span<const std::uint64_t> offsets, const std::string& name, std::uint64_t rows,
                          const char* rows_file) {
    if (offsets.front() != 0) throw bad_input("{}: entry 0 is {}, expected 0", name, offsets.front());
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        if (offsets[i] >= offsets[i - 1]) continue;
        throw bad_input("{}: not ascending: entry {} is {} after {}", name, i, offsets[i], offsets[i - 1]);
    }
    if (offsets.back() != rows) {
        throw bad_input("{}: the last entry is {}, but {} has {} rows", name, offsets.back(), rows_file, rows);
    }
}

}  // namespace lanefold::tools
