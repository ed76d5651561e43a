// SPDX-License-Identifier: MIT
//
// One body of a view, whatever its layout and the type of its positions, and where a body or a child of a compound is.
#pragma once

#include <cstddef>
#include <cstring>

#include <lanefold/body.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

// A float32 position widens exactly. Other members of a body are not in the view.
inline BodyD read_body(const BodyView& bodies, std::size_t i) {
    BodyD out{};
    const std::byte* const position = bodies.position + i * bodies.position_stride;
    if (bodies.position_is_double) {
        std::memcpy(out.position, position, sizeof out.position);
    } else {
        float narrow[3];
        std::memcpy(narrow, position, sizeof narrow);
        for (int k = 0; k < 3; ++k) out.position[k] = static_cast<double>(narrow[k]);
    }
    std::memcpy(out.orientation, bodies.orientation + i * bodies.orientation_stride, sizeof out.orientation);
    std::memcpy(&out.hull, bodies.hull + i * bodies.hull_stride, sizeof out.hull);
    return out;
}

// The place of a body in the world, or of a child in its compound.
template <typename Placed>
constexpr Vec3d position_of(const Placed& placed) {
    return {placed.position[0], placed.position[1], placed.position[2]};
}

// The orientation may have any length but 0.
template <typename Placed>
PoseD pose_of(const Placed& placed) {
    Quat unit;
    normalize(placed.orientation, unit);
    return {rotation(unit), position_of(placed)};
}

}  // namespace lanefold::detail
