// SPDX-License-Identifier: MIT
//
// Recognition of boxes of any position and rotation.
#pragma once

#include <optional>
#include <span>

#include "hull/draft.hpp"

namespace lanefold::detail {

struct FoundBox {
    BoxFrame frame;
    double deviation = 0;  // length: largest distance of a stored vertex from its corner of the box
};

// The box whose corners, placed in float64 from the float32 centre and extents, deviate from the stored vertices by at
// most `tolerance` (a length); nullopt if there is none.
std::optional<FoundBox> find_box(std::span<const Vec3d> vertices, const HullTopology& topology, double tolerance);

}  // namespace lanefold::detail
