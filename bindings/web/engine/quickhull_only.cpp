// SPDX-License-Identifier: MIT
//
// The WebAssembly build has no Qhull: an answer without triangles does not stand the builder's proof, so that our own
// quickhull builds every hull (core/src/hull/hull.cpp). Hulls do not depend on which of the two it was.
#include "hull/qhull.hpp"

namespace lanefold::detail {

std::vector<Triangle> qhull_triangles(std::span<const Vec3d> /*points*/, const Vec3d& /*centre*/, double /*scale*/) {
    return {};
}

}  // namespace lanefold::detail
