// SPDX-License-Identifier: MIT
//
// Motion and sleep of a world's bodies as they were before the caller's orders, for a step that is refused after them.
#pragma once

#include <cstdint>
#include <vector>

#include "state/world_state.hpp"

namespace lanefold::detail {

class KeptMotion {
public:
    void forget() { bodies_.clear(); }
    bool empty() const { return bodies_.empty(); }
    // Throws std::bad_alloc.
    void keep(const WorldState& world);
    // Sets the world back to what was kept of it; changes nothing where nothing was.
    void take_back(WorldState& world) const;

private:
    struct Body {
        BodyState state;
        float slow_time;
        std::uint32_t label;
        std::uint32_t lost;
        bool unmoved;
    };
    std::vector<Body> bodies_;
};

}  // namespace lanefold::detail
