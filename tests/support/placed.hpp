// SPDX-License-Identifier: MIT
//
// Polyhedra of the published methods, placed in the world.
#pragma once

#include <lanefold/published.hpp>

#include "support/hulls.hpp"

namespace lanefold::test {

inline published::Polyhedron placed(const Points& points, const PoseD& pose) {
    const Points list[] = {points};
    return published::make_polyhedron(build_library(list).hulls[0], pose);
}

}  // namespace lanefold::test
