// SPDX-License-Identifier: MIT
//
// The steps of building one hull: look at the input, find the exact hull (Qhull first, our own where its
// result does not stand the proof), cut it down to the vertex budget, number it, measure it.
#include "hull_build.hpp"

#include <algorithm>

#include "hull_geometry.hpp"
#include "hull_incremental.hpp"
#include "hull_input.hpp"
#include "hull_qhull.hpp"

namespace lanefold::detail {

namespace {

// Power of two that brings an extent to between 1 and 2: exact, so the unit does not show.
double unit_scale(double extent) {
    double scale = 1.0;
    while (extent * scale < 1.0) scale *= 2.0;
    while (extent * scale >= 2.0) scale *= 0.5;
    return scale;
}

FaceLoops find_hull(const HullInput& input) {
    const std::span<const Vec3d> points = input.points;
    const Vec3d inside =
        (points[input.start[0]] + points[input.start[1]] + points[input.start[2]] + points[input.start[3]]) * 0.25;
    TriangleSurface surface;
    auto triangles = qhull_triangles(points, (input.box_min + input.box_max) * 0.5, unit_scale(input.size));
    if (make_convex_surface(points, std::move(triangles), inside, surface)) {
        FaceLoops faces = exact_faces(points, surface);
        if (contains_all(points, faces, inside)) return faces;
    }
    return exact_faces(points, incremental_hull(points, input.start).surface);
}

// Keeps only the points that faces use, renumbering these.
void keep_used(const std::vector<Vec3d>& points, const std::vector<std::uint32_t>& index, FaceLoops& faces,
               HullDraft& out) {
    std::vector<std::uint32_t> number(points.size(), kNone);
    for (const std::uint32_t v : faces.vertex) number[v] = 0;
    out.vertices.clear();
    out.input_index.clear();
    for (std::uint32_t p = 0; p < points.size(); ++p) {
        if (number[p] == kNone) continue;
        number[p] = static_cast<std::uint32_t>(out.vertices.size());
        out.vertices.push_back(points[p]);
        out.input_index.push_back(index[p]);
    }
    for (std::uint32_t& v : faces.vertex) v = number[v];
}

}  // namespace

HullReport build_draft(std::span<const Vec3f> points, const BuildOptions& options, HullDraft& out) {
    (void)options;
    HullInput input;
    if (const HullReport bad = prepare_input(points, input); !bad) return bad;
    FaceLoops faces = find_hull(input);
    keep_used(input.points, input.index, faces, out);
    HullReport report;
    if (!make_topology(faces, static_cast<std::uint32_t>(out.vertices.size()), out.topology)) {
        report.error = HullError::internal;
        report.what = "the hull's faces do not close";
        return report;
    }
    out.info.input_points = static_cast<std::uint32_t>(points.size());
    out.info.mass = mass_properties(out.vertices, out.topology.faces);
    const auto normals = face_normals(out.vertices, out.topology.faces);
    out.info.min_edge_angle = smallest_edge_angle(out.topology, normals);
    out.info.may_flicker = out.info.min_edge_angle < 0.17453292519943295;
    return report;
}

}  // namespace lanefold::detail
