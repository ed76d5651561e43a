// SPDX-License-Identifier: MIT
//
// Hulls of pieces, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <lanefold/vec.hpp>

namespace lanefold::tools {

class HullLibrary {
public:
    // The number of the hull with these vertices, bit for bit, whose numbers before they were rounded were the same but
    // for the last places of float64. A new hull goes behind the others.
    std::uint32_t add(std::span<const Vec3f> points, std::span<const Vec3d> numbers);

    std::size_t size() const { return offsets.size() - 1; }

    std::vector<std::uint64_t> offsets{0};
    std::vector<Vec3f> vertices;
    std::vector<Vec3d> numbers;

private:
    std::unordered_multimap<std::size_t, std::uint32_t> known_;
};

}  // namespace lanefold::tools
