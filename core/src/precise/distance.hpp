// SPDX-License-Identifier: MIT
//
// Distance of pairs that are apart, and contacts of edges and vertices.
#pragma once

#include <cstdint>

#include <lanefold/feature.hpp>
#include <lanefold/manifold.hpp>

#include "precise/edges.hpp"
#include "precise/faces.hpp"

namespace lanefold::detail {

// A contact of two edges or vertices: one point, midway between p and q.
struct FeatureContact {
    ContactKind kind = ContactKind::none;
    std::uint32_t feature_a = 0;
    std::uint32_t feature_b = 0;
    Vec3d normal;
    Vec3d p;  // on A, local A
    Vec3d q;  // on B, local A
    double distance = 0;
    bool aside = false;  // the closest points are on no feature, and p and q further apart

    FeaturePair features() const {
        const auto of = [&](ContactKind edge, std::uint32_t index) {
            const bool is_edge = kind == ContactKind::edge_edge || kind == edge;
            return Feature{is_edge ? FeatureType::edge : FeatureType::vertex, index};
        };
        return {of(ContactKind::edge_vertex, feature_a), of(ContactKind::vertex_edge, feature_b)};
    }
};

// The closest features of a pair that is apart.
struct Nearest {
    double distance = 0;
    bool beyond_margin = false;
    bool face = false;       // the face axis gives the distance
    FeatureContact contact;  // kind none if the closest point is known to lie inside the face
};
// Computes the distance of a pair that is apart from its best face axis and, if there is one, a better edge axis.
Nearest finish_distance(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& face, const EdgeAxis& edge);
// The contact of an edge axis.
FeatureContact edge_contact(const Problem& p, const EdgeAxis& edge);

}  // namespace lanefold::detail
