// SPDX-License-Identifier: MIT
//
// Hulls of a capture: compared bit for bit, hashed with all that kernels read, built again from their points.

#include "capture/captured_hull.hpp"

#include <cstring>

#include <xxhash.h>

#include <lanefold/detail/compound_block.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/surface_set.hpp>

namespace lanefold {

bool CapturedHull::operator==(const CapturedHull& o) const {
    // Bits, because -0 and 0 are different points of equal value. Fingerprints tell surfaces apart.
    return fingerprint == o.fingerprint && block == o.block && shape == o.shape && merge_coplanar == o.merge_coplanar &&
           recognize_boxes == o.recognize_boxes && max_vertices == o.max_vertices && origin == o.origin &&
           std::memcmp(&radius, &o.radius, sizeof radius) == 0 && points.size() == o.points.size() &&
           std::memcmp(points.data(), o.points.data(), points.size() * sizeof(Vec3f)) == 0;
}

namespace detail {

std::uint64_t hash_block(const HullSet& hulls, std::uint32_t id) {
    const HullRecord& record = hulls[id];
    // Its block is an address, which a file cannot know.
    if (record.shape == ShapeKind::surface) return hulls.surface(id)->fingerprint();
    constexpr std::size_t kFirst = offsetof(HullRecord, vertex_count);
    constexpr std::size_t kEnd = offsetof(HullRecord, loops) + sizeof(record.loops);
    const auto* const bytes = reinterpret_cast<const std::byte*>(&record);
    const std::uint64_t of_record = XXH64(bytes + kFirst, kEnd - kFirst, 0);
    const std::uint64_t of_block = XXH64(record.block, block_bytes(record), of_record);
    // Sharp hulls keep the hashes of captures that know of no others.
    return record.round_radius > 0 ? XXH64(&record.round_radius, sizeof record.round_radius, of_block) : of_block;
}

CapturedHull capture_half_space(const HullSet& hulls, std::uint32_t id) {
    const HalfSpace plane = half_space(hulls, id).value_or(HalfSpace{});
    CapturedHull hull;
    hull.shape = ShapeKind::half_space;
    hull.points = {plane.normal, {plane.offset, 0, 0}};
    return hull;
}

CapturedHull capture_surface(const HullSet& hulls, std::uint32_t id) {
    CapturedHull hull;
    hull.shape = ShapeKind::surface;
    hull.surface = *hulls.surface(id);
    return hull;
}

BuildResult rebuild(const CapturedHull& hull) {
    if (hull.shape == ShapeKind::half_space) {
        const HalfSpace plane{hull.points[0], hull.points[1].x};
        return build_half_spaces(std::span(&plane, 1));
    }
    if (hull.shape == ShapeKind::surface) return surface_set(std::span(&hull.surface, 1));
    BuildOptions options;
    options.merge_coplanar = hull.merge_coplanar;
    options.recognize_boxes = hull.recognize_boxes;
    options.max_vertices = hull.max_vertices;
    options.origin = hull.origin;
    options.radius = hull.radius;
    options.threads = 1;
    return build_hull(hull.points, options);
}

}  // namespace detail
}  // namespace lanefold
