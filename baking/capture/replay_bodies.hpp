// SPDX-License-Identifier: MIT
//
// Bodies and records of captured pairs, in the forms that the calls of a replay want.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include <lanefold/body.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/pose.hpp>

namespace lanefold::tools {

inline Body narrow(const BodyD& body) {
    Body out{};
    for (std::size_t i = 0; i < 3; ++i) out.position[i] = static_cast<float>(body.position[i]);
    std::copy_n(body.orientation, 4, out.orientation);
    out.hull = body.hull;
    return out;
}

// A record of either capacity in the memory of the larger one, with the captured bodies.
template <class M>
Manifold16 widened(const M& record, const Pair& bodies) {
    Manifold16 out{};
    std::memcpy(&out, &record, sizeof record);
    if (!is_reported(record)) return out;
    out.pair[0] = bodies.a;
    out.pair[1] = bodies.b;
    return out;
}

inline bool is_good_pose(const BodyD& body) {
    Quat q;
    return std::all_of(body.position, body.position + 3, [](double x) { return std::isfinite(x); }) &&
           normalize(body.orientation, q);
}

}  // namespace lanefold::tools
