// SPDX-License-Identifier: MIT
//
// See the header.
#include "import/hull_library.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

namespace lanefold::tools {
namespace {

// Hulls are one when their float32 vertices are equal, and the numbers behind these by this share of the largest: far
// from the origin, equal pieces differ by the last places of float64.
constexpr double kSameNumbers = 1e-9;

// Do the numbers of two pieces mean the same vertices?
bool are_same(std::span<const Vec3d> a, std::span<const Vec3d> b) {
    double largest = 0;
    double apart = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, length(a[i]));
        apart = std::max(apart, length(a[i] - b[i]));
    }
    return apart <= kSameNumbers * largest;
}

}  // namespace

std::uint32_t HullLibrary::add(std::span<const Vec3f> points, std::span<const Vec3d> own) {
    const std::size_t bytes = points.size_bytes();
    const std::size_t hash = std::hash<std::string_view>()({reinterpret_cast<const char*>(points.data()), bytes});
    const auto [begin, end] = known_.equal_range(hash);
    const auto same = std::find_if(begin, end, [&](const auto& entry) {
        const std::uint64_t at = offsets[entry.second];
        return offsets[entry.second + 1] - at == points.size() &&
               std::memcmp(vertices.data() + at, points.data(), bytes) == 0 &&
               are_same(std::span(numbers).subspan(at, points.size()), own);
    });
    if (same != end) return same->second;
    const auto hull = static_cast<std::uint32_t>(size());
    known_.emplace(hash, hull);
    vertices.insert(vertices.end(), points.begin(), points.end());
    numbers.insert(numbers.end(), own.begin(), own.end());
    offsets.push_back(vertices.size());
    return hull;
}

}  // namespace lanefold::tools
