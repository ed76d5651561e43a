// SPDX-License-Identifier: MIT
//
// Options with which build_surface() changes nothing, so that the arrays of surface_arrays() give their surface again.
#pragma once

#include <lanefold/surface.hpp>

namespace lanefold::detail {

// `thickness`: that of the surface, in its unit.
inline SurfaceOptions exact_surface(float thickness) {
    SurfaceOptions options;
    options.weld_tolerance = 0;
    options.split_t_junctions = false;
    options.drop_opposite = false;
    options.thickness = thickness;
    return options;
}

}  // namespace lanefold::detail
