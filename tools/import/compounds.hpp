// SPDX-License-Identifier: MIT
//
// Bodies of several pieces: the pieces of an object that move as one become a compound, on request. Otherwise each
// piece is a body.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>

#include "import/cast.hpp"
#include "import/frames.hpp"
#include "scene/other_shapes.hpp"

namespace lanefold::tools {

// The bodies of the scene that is written. A body has the pose of its first piece.
struct ImportBodies {
    std::vector<std::uint32_t> first_piece;
    std::vector<std::uint32_t> hull;
    std::vector<std::string> names;
    std::vector<std::uint32_t> group;
    std::vector<float> inverse_mass;
    HullSet hulls;  // those of the cast with its surfaces, then the compounds
    std::vector<std::uint64_t> offsets;
    // If bodies share hulls at scales (import/scaled_pieces.hpp); empty: the vertices are those of the cast.
    std::vector<float> scale;
    std::vector<Vec3f> vertices;
    std::vector<Vec3d> source_vertices;
    OtherShapes other_shapes;

    std::uint64_t compounds() const { return other_shapes.offsets.empty() ? 0 : other_shapes.offsets.size() - 1; }
};

// The poses of the bodies in the frame that was read.
struct BodyFrame {
    std::vector<double> position;       // where positions are float64
    std::vector<float> position_float;  // where they are float32
    std::vector<float> orientation;
    std::vector<std::uint8_t> active;  // empty without a mask

    void take(const ImportBodies& bodies, const ImportFrames& frames);
    BodyView view(const ImportBodies& bodies) const;
};

// Each piece is a body.
ImportBodies bodies_of(const Cast& cast);

// Each object is a body, a compound if it has several pieces; equal ones are one compound. Throws Failure(bad_input)
// for an object whose pieces have poses of their own.
ImportBodies compounds_of(const ImportRequest& request, const Cast& cast, const ImportFrames& frames);

}  // namespace lanefold::tools
