// SPDX-License-Identifier: MIT
//
// The fixed bodies that all worlds of a batch share: the last of each world, which stay where they were added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/rigid_body.hpp>
#include <lanefold/status.hpp>

#include "state/bodies.hpp"

namespace lanefold::detail {

class SharedBodies {
public:
    std::size_t size() const { return places_.size(); }
    // These and the new ones, whose places take_places() gets when worlds have them. Throws std::bad_alloc.
    SharedBodies with_room_for(std::span<const RigidBody> bodies) const;
    // `world`: all bodies of one.
    void take_places(std::span<const BodyD> world);
    // Refuses a world whose last bodies are not these.
    CallStatus check(const Bodies& world) const;

private:
    std::vector<BodyD> places_;
    // 1: its hull is one at a scale, which worlds with scales of their own have under other numbers.
    std::vector<std::uint8_t> scaled_;
};

}  // namespace lanefold::detail
