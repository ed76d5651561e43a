// SPDX-License-Identifier: MIT
//
// Builds half-spaces into a segment of a hull set.
#include <lanefold/half_space.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <xxhash.h>

#include <lanefold/detail/half_space_block.hpp>

#include "set/store.hpp"
#include "set/whole_set.hpp"

namespace lanefold {
namespace {

// Largest offset: that of coordinates of hulls.
constexpr float kLargestOffset = 1e15F;

HullReport check(const HalfSpace& s, std::size_t index) {
    if (!is_finite(s.normal))
        return refuse_shape(HullError::not_finite, index, "a component of a normal is NaN or infinite");
    if (!std::isfinite(s.offset)) return refuse_shape(HullError::not_finite, index, "an offset is NaN or infinite");
    const float most = std::max({std::fabs(s.normal.x), std::fabs(s.normal.y), std::fabs(s.normal.z)});
    if (!(most >= std::numeric_limits<float>::min()))
        return refuse_shape(HullError::too_small, index, "a normal is zero or below the normal numbers of float32");
    if (std::fabs(s.offset) > kLargestOffset)
        return refuse_shape(HullError::too_large, index, "an offset is beyond 1e15");
    return {};
}

detail::HalfSpaceBlock block_of(const HalfSpace& s) {
    detail::HalfSpaceBlock b{};
    const Vec3d n = normalized(to_double(s.normal) + Vec3d{});  // no -0
    const float offset = s.offset + 0.0F;
    const double unit[3] = {n.x, n.y, n.z};
    const float given[3] = {s.normal.x, s.normal.y, s.normal.z};
    for (std::size_t k = 0; k < 3; ++k) {
        b.normal[k] = unit[k];
        b.given[k] = given[k] + 0.0F;
        b.plane[k] = static_cast<float>(unit[k]);
    }
    b.offset = static_cast<double>(offset);
    b.given[3] = offset;
    b.plane[3] = offset;
    return b;
}

HullRecord record_of(const std::byte* block) {
    constexpr float kOpen = std::numeric_limits<float>::infinity();
    HullRecord r;
    r.block = block;
    r.face_count = 1;
    r.flags = HullRecord::kOther;
    r.shape = ShapeKind::half_space;
    r.size = kOpen;
    std::fill_n(r.half_extent, 3, kOpen);
    r.radius = kOpen;
    return r;
}

// XXH64 of a word that begins no hull's (a count of vertices) and the four given numbers.
std::uint64_t hash_of(const detail::HalfSpaceBlock& b) {
    std::uint32_t words[5] = {0xFFFFFFFFU};
    std::memcpy(words + 1, b.given, sizeof b.given);
    return XXH64(words, sizeof words, 0);
}

std::shared_ptr<const HullSet::Segment> make_segment(std::span<const HalfSpace> planes) {
    auto segment = std::make_shared<HullSet::Segment>();
    segment->blocks.reserve(planes.size() * sizeof(detail::HalfSpaceBlock));
    std::byte* at = segment->blocks.data();
    for (const HalfSpace& s : planes) {
        const detail::HalfSpaceBlock block = block_of(s);
        std::memcpy(at, &block, sizeof block);
        segment->records.push_back(record_of(at));
        segment->info.emplace_back();
        segment->hash.push_back(hash_of(block));
        at += sizeof block;
    }
    segment->index_first.assign(planes.size() + 1, 0);
    return segment;
}

}  // namespace

BuildResult build_half_spaces(std::span<const HalfSpace> planes) {
    return build_whole_set(
        planes.size(), [&](std::size_t i) { return check(planes[i], i); }, [&] { return make_segment(planes); });
}

std::optional<HalfSpace> half_space(const HullSet& hulls, std::size_t id) {
    if (!hulls.contains(id) || !detail::is_half_space(hulls[id])) return std::nullopt;
    const float* const given = detail::half_space_block(hulls[id]).given;
    return HalfSpace{{given[0], given[1], given[2]}, given[3]};
}

}  // namespace lanefold
