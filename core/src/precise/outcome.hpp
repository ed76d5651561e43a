// SPDX-License-Identifier: MIT
//
// The result of a pair before it is packed into a record.
#pragma once

#include <cstdint>

#include <lanefold/manifold.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

// The points are in PreciseScratch::Impl::points.
struct Outcome {
    bool reported = false;
    ContactKind kind = ContactKind::none;
    std::uint32_t feature_a = 0;
    std::uint32_t feature_b = 0;
    Vec3d normal;  // local A
    double distance = 0;
};

}  // namespace lanefold::detail
