// SPDX-License-Identifier: MIT
//
// Puts surfaces into a segment of a hull set: a record and a block for each, and the surface itself.
#include <lanefold/surface_set.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <xxhash.h>

#include <lanefold/detail/surface_block.hpp>

#include "set/store.hpp"
#include "set/whole_set.hpp"

namespace lanefold {
namespace {

float above(double x) {
    const auto f = static_cast<float>(x);
    return static_cast<double>(f) < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

float below(double x) { return -above(-x); }

detail::SurfaceBlock block_of(const Surface& surface) {
    detail::SurfaceBlock block{};
    block.view = &surface.view();
    const SurfaceBox box = surface.bounds();
    for (std::size_t c = 0; c < 8; ++c) {
        block.corner[c] = {(c & 1U) != 0 ? above(box.high.x) : below(box.low.x),
                           (c & 2U) != 0 ? above(box.high.y) : below(box.low.y),
                           (c & 4U) != 0 ? above(box.high.z) : below(box.low.z)};
    }
    return block;
}

HullRecord record_of(const Surface& surface, const std::byte* block) {
    HullRecord r;
    r.block = block;
    r.flags = HullRecord::kOther;
    r.shape = ShapeKind::surface;
    const SurfaceBox box = surface.bounds();
    const Vec3f centre = to_float((box.low + box.high) * 0.5);
    const Vec3d c = to_double(centre);
    const double half[3] = {std::max(box.high.x - c.x, c.x - box.low.x), std::max(box.high.y - c.y, c.y - box.low.y),
                            std::max(box.high.z - c.z, c.z - box.low.z)};
    for (std::size_t k = 0; k < 3; ++k) r.half_extent[k] = above(half[k]);
    r.centre[0] = centre.x;
    r.centre[1] = centre.y;
    r.centre[2] = centre.z;
    r.size = static_cast<float>(surface.size());
    r.radius = above(length(Vec3d{half[0], half[1], half[2]}));
    return r;
}

// XXH64 of a word that begins no hull's (a count of vertices) and no half-space's, and the surface's fingerprint.
std::uint64_t hash_of(const Surface& surface) {
    constexpr std::uint32_t kBegin = 0xFFFFFFFEU;
    const std::uint64_t own = surface.fingerprint();
    return XXH64(&own, sizeof own, kBegin);
}

std::shared_ptr<const HullSet::Segment> make_segment(std::span<const Surface> surfaces) {
    auto segment = std::make_shared<HullSet::Segment>();
    segment->blocks.reserve(surfaces.size() * sizeof(detail::SurfaceBlock));
    segment->surfaces.assign(surfaces.begin(), surfaces.end());
    auto* at = reinterpret_cast<detail::SurfaceBlock*>(segment->blocks.data());
    for (const Surface& surface : segment->surfaces) {
        *at = block_of(surface);
        segment->records.push_back(record_of(surface, reinterpret_cast<const std::byte*>(at)));
        segment->info.emplace_back();
        segment->hash.push_back(hash_of(surface));
        ++at;
    }
    segment->index_first.assign(surfaces.size() + 1, 0);
    return segment;
}

}  // namespace

BuildResult surface_set(std::span<const Surface> surfaces) {
    const auto check = [&](std::size_t i) {
        return surfaces[i].empty() ? refuse_shape(HullError::too_few_points, i, "a surface has no triangle")
                                   : HullReport{};
    };
    return build_whole_set(surfaces.size(), check, [&] { return make_segment(surfaces); });
}

}  // namespace lanefold
