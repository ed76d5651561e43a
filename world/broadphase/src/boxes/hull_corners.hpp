// SPDX-License-Identifier: MIT
//
// The stored vertices of a set's hulls as the kernels read them: one array per coordinate. They are kept from set to
// set, so that a set with more hulls costs only these.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lanefold/hull_set.hpp>

#include "boxes/box_kernels.hpp"

namespace lanefold::detail {

class HullCorners {
public:
    // Takes the hulls of `now`. `before`: the set of the latest call, or an empty one.
    void take(const HullSet& before, const HullSet& now);

    // By hull id. A hull without vertices has no corners.
    std::span<const Corners> all() const { return hulls_; }

private:
    void add(std::span<const Vec3f> vertices, float round_radius);

    std::vector<float> coordinates_;
    std::vector<std::size_t> start_;  // of each hull in coordinates_
    std::vector<Corners> hulls_;
};

// The corners of a set, for any number of finders. Nobody changes them.
struct SharedCorners {
    HullSet hulls;
    HullCorners corners;
};

}  // namespace lanefold::detail
