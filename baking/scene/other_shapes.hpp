// SPDX-License-Identifier: MIT
//
// Shapes of a scene that are no hulls, from version 3 on: half-spaces and compounds. They have numbers among those of
// the hulls. hull_kind.npy says which, and files of their own say the rest, in the order of these numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <lanefold/half_space.hpp>
#include <lanefold/hull_set.hpp>

namespace lanefold::tools {

inline constexpr const char* kHullKindFile = "hull_kind.npy";
// Files that only scenes with such shapes have.
inline constexpr const char* kHalfSpacesFile = "half_spaces.npy";
inline constexpr const char* kCompoundOffsetsFile = "compound_offsets.npy";
inline constexpr const char* kChildHullFile = "child_hull.npy";
inline constexpr const char* kChildPositionFile = "child_position.npy";
inline constexpr const char* kChildOrientationFile = "child_orientation.npy";

struct OtherShapes {
    std::vector<std::uint8_t> kind;       // a lanefold::ShapeKind for each hull of the scene; empty: all are hulls
    std::vector<HalfSpace> half_spaces;   // in the order of their numbers
    std::vector<std::uint64_t> offsets;   // (compounds + 1): compound i has the children from offsets[i] on
    std::vector<CompoundChild> children;  // of hulls with lower numbers than the compound

    // Qualified, because the generator has shapes of other kinds.
    lanefold::ShapeKind kind_of(std::size_t hull) const {
        return kind.empty() ? lanefold::ShapeKind::hull : static_cast<lanefold::ShapeKind>(kind[hull]);
    }
};

// "hull", "half-space", "compound".
const char* to_string(lanefold::ShapeKind kind);

// Reads the files of a scene of `hulls` hulls. Checks kinds, counts, and that a child is a hull of a lower number;
// planes and poses are checked where they are built. Throws Failure(bad_input) with the file and the place.
OtherShapes read_other_shapes(const std::filesystem::path& folder, std::uint64_t hulls, int version);

}  // namespace lanefold::tools
