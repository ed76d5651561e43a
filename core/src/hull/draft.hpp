// SPDX-License-Identifier: MIT
//
// A hull between building and storing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <lanefold/hull_set.hpp>
#include <lanefold/vec.hpp>

#include "hull/topology.hpp"

namespace lanefold::detail {

// The frame of a recognised box: x_input = rotation * x_internal + centre.
struct BoxFrame {
    Mat3d rotation;
    bool rotated = false;  // rotation is not the identity
    float centre[3] = {};
    float half_extent[3] = {};
};

// A hull ready to be stored.
struct HullDraft {
    std::vector<Vec3d> vertices;             // float32 values, input coordinates
    std::vector<std::uint32_t> input_index;  // per vertex
    HullTopology topology;
    std::optional<BoxFrame> box;
    HullInfo info;
    float round_radius = 0;
};

}  // namespace lanefold::detail
