// SPDX-License-Identifier: MIT
//
// The steps of building one hull: check the input, find the exact hull, cut it down to the vertex budget, number it,
// measure it.
#include "hull/hull.hpp"

#include <algorithm>

#include <lanefold/detail/point_box.hpp>
#include <lanefold/limits.hpp>

#include "hull/box.hpp"
#include "hull/geometry.hpp"
#include "hull/input.hpp"
#include "hull/merge.hpp"
#include "hull/quickhull.hpp"
#include "hull/rounded_mass.hpp"
#include "hull/support.hpp"

namespace lanefold::detail {

namespace {

// Angle in radians (10 degrees) between neighbouring faces, below which the reference face may alternate from step to
// step.
constexpr double kFlickerAngle = 0.17453292519943295;

// Thickness across the first plane, relative to size, below which the thickness across every face is measured. That
// plane spans far-apart points, so a flat set's thickness across it is at most a few times its least.
constexpr double kThinnessToLookAt = 16 * kFlatness;

struct Hull {
    std::vector<Vec3d> points;
    std::vector<std::uint32_t> input_index;
    FaceLoops faces;
};

// Keeps the points that the loops use, in their old order, and renumbers the loops.
Hull keep_used(const std::vector<Vec3d>& points, const std::vector<std::uint32_t>& index, FaceLoops faces) {
    Hull hull;
    std::vector<std::uint32_t> number(points.size(), kNone);
    for (const std::uint32_t v : faces.vertex) number[v] = 0;
    for (std::uint32_t p = 0; p < points.size(); ++p) {
        if (number[p] == kNone) continue;
        number[p] = static_cast<std::uint32_t>(hull.points.size());
        hull.points.push_back(points[p]);
        hull.input_index.push_back(index[p]);
    }
    for (std::uint32_t& v : faces.vertex) v = number[v];
    // Makes the result independent of the order in which the faces were found.
    hull.faces = canonical_faces(faces);
    return hull;
}

// Measures a thin hull across each of its faces, because the plane of prepare_input() need not be the one of least
// thickness. Returns the vertex furthest from the face across which the hull is flat, or kNone.
std::uint32_t find_flatness(const Hull& hull, double least) {
    const VertexGraph graph(hull.faces, static_cast<std::uint32_t>(hull.points.size()));
    for (std::uint32_t f = 0; f < hull.faces.face_count(); ++f) {
        const std::uint32_t on_face = hull.faces.loop(f)[0];
        const Vec3d inward = -normalized(newell_normal(hull.points, hull.faces.loop(f)));
        // The extent in both directions, because the normal of a sliver is not exact and the face need not be the
        // lowest.
        const double extent = support_maximum(hull.points, graph, inward, on_face) +
                              support_maximum(hull.points, graph, -inward, on_face);
        if (!(extent < least)) continue;
        std::uint32_t furthest = 0;
        const auto depth = [&](std::uint32_t v) { return dot(inward, hull.points[v] - hull.points[on_face]); };
        for (std::uint32_t v = 1; v < hull.points.size(); ++v) {
            if (depth(v) > depth(furthest)) furthest = v;
        }
        return furthest;
    }
    return kNone;
}

// Cuts a hull down to the vertices that reach furthest, chosen greedily from a tetrahedron on. Returns the length by
// which the full hull exceeds the cut one.
double cut_down(Hull& hull, std::uint32_t max_vertices) {
    const auto start = spanning_tetrahedron(hull.points);
    const IncrementalHull cut = incremental_hull(hull.points, start, std::max(max_vertices, 4U));
    const double deviation = outside_distance(hull.points, cut);
    hull = keep_used(hull.points, hull.input_index, exact_faces(hull.points, cut.surface));
    return deviation;
}

// Every face as a fan of triangles around its lowest vertex.
FaceLoops triangulated(const FaceLoops& faces) {
    FaceLoops out;
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        const auto loop = faces.loop(f);
        const auto count = static_cast<std::uint32_t>(loop.size());
        const auto low = static_cast<std::uint32_t>(std::min_element(loop.begin(), loop.end()) - loop.begin());
        for (std::uint32_t k = 1; k + 1 < count; ++k) {
            const std::uint32_t triangle[3] = {loop[low], loop[(low + k) % count], loop[(low + k + 1) % count]};
            out.add(triangle);
        }
    }
    return out;
}

bool adopt(Hull hull, HullDraft& out) {
    if (!make_topology(hull.faces, static_cast<std::uint32_t>(hull.points.size()), out.topology)) return false;
    out.vertices = std::move(hull.points);
    out.input_index = std::move(hull.input_index);
    return true;
}

// Merges faces as the options ask and numbers the result. It tries merging that drops vertices, then merging that keeps
// all, then the exact hull, which always closes.
bool number_faces(const Hull& hull, const BuildOptions& options, double tolerance, HullDraft& out) {
    if (!options.merge_coplanar) {
        Hull triangles = hull;
        triangles.faces = triangulated(hull.faces);
        return adopt(std::move(triangles), out);
    }
    // The triangles of a closed surface are fixed by its vertices: 2 V - 4.
    const auto exact_triangles = static_cast<std::uint32_t>(2 * hull.points.size() - 4);
    for (const Drop drop : {Drop::all, Drop::none}) {
        const MergeResult merged = merge_faces(hull.points, hull.faces, tolerance, drop);
        if (!adopt(keep_used(hull.points, hull.input_index, merged.faces), out)) continue;
        out.info.deviation = merged.deviation / PointBox(hull.points).size();
        out.info.dropped_vertices = merged.dropped_vertices;
        out.info.merged_faces = exact_triangles - out.topology.faces.face_count();
        return true;
    }
    if (!adopt(hull, out)) return false;
    out.info.merged_faces = exact_triangles - out.topology.faces.face_count();
    return true;
}

HullReport does_not_close() {
    HullReport report;
    report.error = HullError::internal;
    report.what = "the faces of the hull do not close";
    return report;
}

}  // namespace

HullReport build_draft(std::span<const Vec3f> points, const BuildOptions& options, float radius, HullDraft& out) {
    HullInput input;
    if (const HullReport bad = prepare_input(points, input); !bad) return bad;
    out.info.input_points = static_cast<std::uint32_t>(points.size());

    const IncrementalHull all = incremental_hull(input.points, input.start);
    Hull hull = keep_used(input.points, input.index, exact_faces(input.points, all.surface));
    if (input.thickness < kThinnessToLookAt * input.size) {
        const std::uint32_t culprit = find_flatness(hull, kFlatness * input.size);
        if (culprit != kNone) {
            HullReport report;
            report.error = HullError::flat;
            report.culprit = hull.input_index[culprit];
            report.what = "the hull is flat across one of its faces";
            return report;
        }
    }
    if (options.max_vertices != 0 && hull.points.size() > options.max_vertices) {
        out.info.budget_deviation = cut_down(hull, options.max_vertices) / input.size;
    }
    const double tolerance = kBuildDeviation * PointBox(hull.points).size();
    if (!number_faces(hull, options, tolerance, out)) return does_not_close();
    if (options.recognize_boxes) {
        if (const auto box = find_box(out.vertices, out.topology, tolerance)) {
            out.box = box->frame;
            out.info.deviation = std::max(out.info.deviation, box->deviation / PointBox(out.vertices).size());
        }
    }
    // From the exact hull, because merged faces are not quite plane and the result would depend on their numbering.
    out.info.mass = mass_properties(hull.points, hull.faces);
    if (radius > 0 && !round_mass(hull.points, hull.faces, static_cast<double>(radius), out.info.mass)) {
        return does_not_close();
    }
    out.info.min_edge_angle = smallest_edge_angle(out.topology, face_normals(out.vertices, out.topology.faces));
    out.info.may_flicker = out.info.min_edge_angle < kFlickerAngle;
    return {};
}

}  // namespace lanefold::detail
