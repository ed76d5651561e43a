// SPDX-License-Identifier: MIT
//
// Shapes of a scene that are no hulls, from version 3 on: half-spaces, compounds and surfaces. They have numbers among
// those of the hulls. hull_kind.npy says which, and files of their own say the rest, in the order of these numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <lanefold/half_space.hpp>
#include <lanefold/hull_set.hpp>

#include "scene/surfaces.hpp"

namespace lanefold::tools {

inline constexpr const char* kHullKindFile = "hull_kind.npy";
// Files that only scenes with such shapes have.
inline constexpr const char* kHalfSpacesFile = "half_spaces.npy";
inline constexpr const char* kCompoundOffsetsFile = "compound_offsets.npy";
inline constexpr const char* kChildHullFile = "child_hull.npy";
inline constexpr const char* kChildPositionFile = "child_position.npy";
inline constexpr const char* kChildOrientationFile = "child_orientation.npy";

// The kind of a surface that is a height field; all others are a lanefold::ShapeKind, whose `surface` is a mesh.
inline constexpr std::uint8_t kHeightFieldKind = 4;

struct OtherShapes {
    std::vector<std::uint8_t> kind;       // for each hull of the scene; empty: all are hulls
    std::vector<HalfSpace> half_spaces;   // in the order of their numbers
    std::vector<std::uint64_t> offsets;   // (compounds + 1): compound i has the children from offsets[i] on
    std::vector<CompoundChild> children;  // of hulls with lower numbers than the compound

    SceneSurfaces surfaces;

    // Qualified, because the generator has shapes of other kinds.
    lanefold::ShapeKind kind_of(std::size_t hull) const {
        constexpr auto kMost = static_cast<std::uint8_t>(lanefold::ShapeKind::surface);
        return kind.empty() ? lanefold::ShapeKind::hull : static_cast<lanefold::ShapeKind>(std::min(kind[hull], kMost));
    }
    bool is_height_field(std::size_t hull) const { return !kind.empty() && kind[hull] == kHeightFieldKind; }
};

// "hull", "half-space", "compound", "surface".
const char* to_string(lanefold::ShapeKind kind);

// Reads the files of a scene of `hulls` hulls. Checks kinds, counts, that a child is a hull of a lower number, and the
// numbers of surfaces; planes, poses and what else a surface is made of are checked where they are built. Throws
// Failure(bad_input) with the file and the place.
OtherShapes read_other_shapes(const std::filesystem::path& folder, std::uint64_t hulls, int version);

}  // namespace lanefold::tools
