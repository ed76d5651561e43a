// SPDX-License-Identifier: MIT
//
// See the header.

#include "ground/ground_body.hpp"

#include <algorithm>
#include <limits>

#include <lanefold/detail/point_box.hpp>
#include <lanefold/detail/round.hpp>

namespace lanefold::detail {

void GroundBody::place(const HullRecord& r, const Mat3d& turn) {
    const HullView view(r);
    record = &r;
    radius = static_cast<double>(r.round_radius);
    size = rounded_size(r);
    const Vec3d middle{r.centre[0], r.centre[1], r.centre[2]};
    centre = turn * middle;
    vertices.resize(r.vertex_count);
    for (std::uint32_t i = 0; i < r.vertex_count; ++i) {
        const Vec3d x = turn * (view.input_vertex(i) - middle);
        vertices[i] = x;
    }
    const PointBox box(vertices);
    low = box.low;
    high = box.high;

    const Mat3d inner = view.internal_to_input().rotation;
    normals.resize(r.face_count);
    offsets.resize(r.face_count);
    loop_first.assign(1, 0);
    loop_vertex.clear();
    loop_edge.clear();
    for (std::uint32_t f = 0; f < r.face_count; ++f) {
        normals[f] = turn * (inner * view.normal(f));
        offsets[f] = highest(normals[f]);
        for (std::uint32_t k = view.face_first[f]; k < view.face_first[f + 1]; ++k) {
            loop_vertex.push_back(view.face_vertex[k]);
            loop_edge.push_back(view.face_edge[k]);
        }
        loop_first.push_back(static_cast<std::uint32_t>(loop_vertex.size()));
    }
    edges.resize(r.edge_count);
    for (std::uint32_t e = 0; e < r.edge_count; ++e) {
        edges[e].v[0] = view.edge_vertex[2 * e];
        edges[e].v[1] = view.edge_vertex[2 * e + 1];
        edges[e].whole = vertices[edges[e].v[1]] - vertices[edges[e].v[0]];
        edges[e].length = length(edges[e].whole);
        edges[e].along = {edges[e].whole.x / edges[e].length, edges[e].whole.y / edges[e].length,
                          edges[e].whole.z / edges[e].length};
        if (!has_faces()) continue;
        edges[e].normal[0] = normals[view.edge_face0[e]];
        edges[e].normal[1] = normals[view.edge_face1[e]];
        edges[e].middle = -edges[e].normal[0] - edges[e].normal[1];
        edges[e].from = cross(edges[e].along, -edges[e].normal[0]);
        edges[e].to = cross(-edges[e].normal[1], edges[e].along);
    }
}

GroundSupport GroundBody::lowest(const Vec3d& u) const {
    GroundSupport s{std::numeric_limits<double>::infinity(), 0};
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        const double h = dot(u, vertices[i]);
        if (h < s.value) s = {h, i};
    }
    return s;
}

double GroundBody::highest(const Vec3d& u) const {
    double h = -std::numeric_limits<double>::infinity();
    for (const Vec3d& x : vertices) h = std::max(h, dot(u, x));
    return h;
}

std::uint32_t GroundBody::face_against(const Vec3d& u, double tie) const {
    const double limit = lowest(u).value + tie;
    std::uint32_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t f = 0; f < faces(); ++f) {
        const double c = dot(u, normals[f]);
        if (!(c < least)) continue;
        bool near = false;
        for (std::uint32_t k = loop_first[f]; k < loop_first[f + 1] && !near; ++k) {
            near = dot(u, vertices[loop_vertex[k]]) <= limit;
        }
        if (!near) continue;
        least = c;
        best = f;
    }
    return best;
}

}  // namespace lanefold::detail
