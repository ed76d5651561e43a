// SPDX-License-Identifier: MIT
//
// See the header.
#include "calls/shared_bodies.hpp"

#include <algorithm>
#include <cstring>

#include <lanefold/detail/caller_memory.hpp>

namespace lanefold::detail {

SharedBodies SharedBodies::with_room_for(std::span<const RigidBody> bodies) const {
    SharedBodies all;
    all.places_.resize(size() + bodies.size());
    all.scaled_ = scaled_;
    for (const RigidBody& body : bodies) all.scaled_.push_back(body.scale != 1.0F ? 1 : 0);
    return all;
}

void SharedBodies::take_places(std::span<const BodyD> world) {
    std::copy_n(world.end() - static_cast<std::ptrdiff_t>(size()), size(), places_.begin());
}

CallStatus SharedBodies::check(const Bodies& world) const {
    const std::size_t first = world.size() - size();
    for (std::size_t i = 0; i < size(); ++i) {
        BodyD pose = world.poses()[first + i];
        if (scaled_[i] != 0) pose.hull = places_[i].hull;
        const bool same = std::memcmp(&pose, &places_[i], sizeof pose) == 0;
        if (!same) return refuse("a shared body has moved, or bodies were added behind it", i);
        if (world.lost(first + i)) return refuse("a shared body was removed", i);
    }
    return {};
}

}  // namespace lanefold::detail
