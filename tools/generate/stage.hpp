// SPDX-License-Identifier: MIT
//
// Hulls and bodies of a generated scene as they are written; the immovable one first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/compound.hpp>
#include <lanefold/vec.hpp>

#include "scene/io.hpp"

namespace lanefold::tools {

struct Stage {
    std::vector<Vec3f> vertices;
    std::vector<std::uint64_t> offsets{0};
    std::vector<float> radius;
    std::vector<std::uint32_t> body_hull;
    std::vector<float> inverse_mass;
    std::vector<std::uint32_t> group;
    OtherShapes other_shapes;     // of hull 0, if it is none, and a compound, which is the last
    std::uint8_t first_kind = 0;  // of hull 0, as hull_kind.npy has it
    SceneInfo info;

    std::uint32_t add_hull(std::span<const Vec3f> points, float round);
    // A floor whose body is at y = -1: a box, or a half-space.
    void add_floor(double half, bool plane);
    // A compound of these hulls; no hulls may follow.
    std::uint32_t add_compound(std::span<const CompoundChild> children);
    // Masses of all bodies, those of people; the first one does not move. Throws Failure where a hull cannot be built.
    void set_masses();
    SceneWriter::Contents contents() const;
};

}  // namespace lanefold::tools
