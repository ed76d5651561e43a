// SPDX-License-Identifier: MIT
//
// The names of the kinds, in a source of their own: the live page has them without the files of scenes.
#include "scene/other_shapes.hpp"

namespace lanefold::tools {

const char* to_string(ShapeKind kind) {
    return kind == ShapeKind::half_space ? "half-space"
           : kind == ShapeKind::compound ? "compound"
           : kind == ShapeKind::surface  ? "surface"
                                         : "hull";
}

}  // namespace lanefold::tools
