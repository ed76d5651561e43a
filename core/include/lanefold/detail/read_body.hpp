// SPDX-License-Identifier: MIT
//
// One body of a view, whatever its layout and the type of its positions.
#pragma once

#include <cstddef>
#include <cstring>

#include <lanefold/body.hpp>
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

inline Vec3d position_of(const BodyD& body) { return {body.position[0], body.position[1], body.position[2]}; }

}  // namespace lanefold::detail
