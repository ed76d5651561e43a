// SPDX-License-Identifier: MIT
//
// The helpers of the targets that compute contacts: options from any bytes, and what every record keeps to.
#pragma once

#include <cmath>
#include <cstdint>

#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>

#include "fuzz/input.hpp"

namespace lanefold::fuzz {

// The options that every call takes; `flags` say which are raw bits.
inline Options take_options(Input& in, std::uint8_t flags) {
    Options o;
    o.margin = (flags & 1U) != 0 ? in.take<float>() : static_cast<float>(in.take<std::uint8_t>()) / 64.0F;
    if ((flags & 2U) != 0) o.face_preference = in.take<float>();
    if ((flags & 4U) != 0) o.points = PointSelection::impact;
    return o;
}

template <class M>
void check_numbers(const M& m) {
    bool finite = std::isfinite(m.distance);
    for (const float x : m.normal) finite = finite && std::isfinite(x);
    for (const ContactPoint& p : m.points) {
        finite = finite && std::isfinite(p.separation);
        for (const float x : p.position) finite = finite && std::isfinite(x);
    }
    require(finite, "a record with numbers that are not finite");
    require(m.count <= M::kCapacity && m.total >= m.count, "more points than there is room for");
}

}  // namespace lanefold::fuzz
