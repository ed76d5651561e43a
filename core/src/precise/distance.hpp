// SPDX-License-Identifier: MIT
//
// The distance of a pair that some axis separates, and contacts of two features below face level.
#pragma once

#include <cstdint>

#include <lanefold/manifold.hpp>

#include "precise/edges.hpp"
#include "precise/faces.hpp"

namespace lanefold::detail {

// A contact of two features below face level: one point midway between p and q.
struct FeatureContact {
    ContactKind kind = ContactKind::none;
    std::uint32_t feature_a = 0;
    std::uint32_t feature_b = 0;
    Vec3d normal;
    Vec3d p;  // on A, local A
    Vec3d q;  // on B, local A
    double distance = 0;
};

// What is nearest to what, for a pair that some axis separates.
struct Nearest {
    double distance = 0;
    bool beyond_margin = false;
    bool face = false;       // the best face axis is a minimiser
    FeatureContact contact;  // kind none when the face itself is known to be nearest
};
Nearest finish_distance(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& face, const EdgeAxis& edge);
// The contact of an edge axis.
FeatureContact edge_contact(const Problem& p, const EdgeAxis& edge);

}  // namespace lanefold::detail
