// SPDX-License-Identifier: MIT
//
// See the header.
#include "boxes/hull_corners.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/detail/compound_block.hpp>

namespace lanefold::detail {

void HullCorners::take(const HullSet& before, const HullSet& now) {
    // A block is that of one hull for ever: `before` still holds it, so its place is not another's. Corners of a
    // removed hull stay until they are as many as all others.
    const auto stays = [&](std::size_t h) { return now[h].block == nullptr || now[h].block == before[h].block; };
    std::size_t same = 0;
    std::size_t removed = 0;
    const std::size_t both = std::min({before.size(), now.size(), hulls_.size()});
    for (; same < both && stays(same); ++same) {
        if (now[same].block == nullptr) removed += std::size_t{3} * hulls_[same].stride;
    }
    if (2 * removed > coordinates_.size()) same = 0;
    if (same < hulls_.size()) coordinates_.resize(start_[same]);
    start_.resize(same);
    hulls_.resize(same);
    for (std::size_t h = same; h < now.size(); ++h) add(outline_of(now, h), now[h].round_radius);
    for (std::size_t h = 0; h < hulls_.size(); ++h) hulls_[h].x = coordinates_.data() + start_[h];
}

void HullCorners::add(std::span<const Vec3f> vertices, float round_radius) {
    const std::size_t n = vertices.size();
    const std::size_t stride = (n + kCornerBlock - 1) / kCornerBlock * kCornerBlock;
    start_.push_back(coordinates_.size());
    coordinates_.resize(coordinates_.size() + 3 * stride);
    float* const x = coordinates_.data() + start_.back();
    double reach = 0;
    for (std::size_t i = 0; i < stride; ++i) {
        const Vec3f& v = vertices[std::min(i, n - 1)];
        x[i] = v.x;
        x[stride + i] = v.y;
        x[2 * stride + i] = v.z;
        for (const float c : {v.x, v.y, v.z}) reach = std::max(reach, std::fabs(static_cast<double>(c)));
    }
    hulls_.push_back({nullptr, static_cast<std::uint32_t>(stride), static_cast<std::uint32_t>(n), reach,
                      static_cast<double>(round_radius)});
}

}  // namespace lanefold::detail
