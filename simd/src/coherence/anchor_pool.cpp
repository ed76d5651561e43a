// SPDX-License-Identifier: MIT
//
// See anchor_pool.hpp.
#include "coherence/anchor_pool.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace lanefold::detail {
namespace {

// All bytes are set, because lanes read whole lines before they know that there is no anchor.
template <class T>
AlignedBuffer<T> grown(const AlignedBuffer<T>& from, std::size_t used, std::size_t n) {
    AlignedBuffer<T> to;
    to.reserve(n);
    if (used != 0) std::memcpy(static_cast<void*>(to.data()), from.data(), used * sizeof(T));
    std::memset(static_cast<void*>(to.data() + used), 0, (n - used) * sizeof(T));
    return to;
}

}  // namespace

bool carries_pairs(const HullSet& hulls) {
    if (hulls.rounded() || hulls.max_children() != 0 || hulls.has_surfaces()) return false;
    const std::span<const HullRecord> records(hulls.records(), hulls.size());
    return !std::all_of(records.begin(), records.end(), [](const HullRecord& h) { return h.is_box(); });
}

void AnchorPool::reserve(std::size_t places, std::uint32_t blocks) {
    if (places <= places_) return;
    AlignedBuffer<AnchorState> states = grown(states_, places_, places);
    AlignedBuffer<AnchorPose> poses = grown(poses_, places_, places);
    points_ = grown(points_, places_ * blocks, places * blocks);
    states_ = std::move(states);
    poses_ = std::move(poses);
    places_ = places;
    blocks_ = blocks;
}

void AnchorPool::forget_all() {
    if (places_ != 0) std::memset(static_cast<void*>(states_.data()), 0, places_ * sizeof(AnchorState));
}

void AnchorPool::set(std::uint32_t place, const AnchorState& state, const AnchorPose& pose,
                     const AnchorPoints& points) {
    states_[place] = state;
    poses_[place] = pose;
    points_[place] = points;
}

AnchorTable AnchorPool::table(const std::uint32_t* of, float reuse) {
    AnchorTable t;
    t.states = states_.data();
    t.poses = poses_.data();
    t.points = points_.data();
    t.of = of;
    t.blocks = blocks_;
    t.reuse = reuse;
    return t;
}

}  // namespace lanefold::detail
