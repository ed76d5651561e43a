// SPDX-License-Identifier: MIT
//
// The arrays of a WorldBatch: bodies of all worlds, one after the other, without those that all worlds share. These are
// the last bodies of each world, so that array and world count bodies alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/world_batch.hpp>

#include "calls/kept_motion.hpp"
#include "state/world_state.hpp"

namespace lanefold::detail {

class BodyArrays {
public:
    // Makes arrays for worlds of so many bodies, one number for each, anew if there were others. Throws std::bad_alloc.
    void resize(std::span<const std::size_t> bodies);
    WorldArrays view();

    // The following calls are about world w, and may run at once for different worlds.
    void read(const WorldState& world, std::size_t w);
    CallStatus write(World& to, const WorldState& world, std::size_t w);
    // Gives the bodies of `to` the motion to their targets, the impulses of their forces over dt seconds, and those
    // that act once. Refused: numbers that are not finite, bodies of another kind, and what World refuses; some bodies
    // may have their orders then. `before`, which is empty, gets what was, if there is an order. Throws std::bad_alloc.
    CallStatus push(World& to, const WorldState& world, std::size_t w, double dt, KeptMotion& before) const;
    // Forces and impulses become 0, and targets those of bodies that stay where they are.
    void clear_orders(const WorldState& world, std::size_t w);
    void clear_impulses(std::size_t w);

private:
    std::size_t count(std::size_t w) const { return offsets_[w + 1] - offsets_[w]; }
    CallStatus check_forces(const WorldState& world, std::size_t w) const;
    CallStatus check_targets(const WorldState& world, std::size_t w, double dt) const;
    CallStatus push_body(World& to, const WorldState& world, std::size_t i, std::size_t at, double dt) const;
    bool has_order(const WorldState& world, std::size_t i, std::size_t at) const;
    CallStatus write_body(World& to, const WorldState& world, std::size_t i, std::size_t at);
    void read_body(const WorldState& world, std::size_t i, std::size_t at);
    void add_contacts(const WorldState& world, std::size_t w);

    std::vector<std::uint64_t> offsets_{0};
    std::vector<double> positions_;
    std::vector<float> orientations_;
    std::vector<float> velocities_;
    std::vector<float> spins_;
    std::vector<std::uint8_t> present_;
    std::vector<float> forces_;
    std::vector<float> torques_;
    std::vector<float> impulses_;
    std::vector<double> target_positions_;
    std::vector<float> target_orientations_;
    std::vector<std::uint8_t> targets_;
    std::vector<float> contact_forces_;
    std::vector<std::uint32_t> touches_;
    std::vector<std::uint8_t> asleep_;
};

}  // namespace lanefold::detail
