// SPDX-License-Identifier: MIT
//
// See the header.
#include "scene/drawn_hulls.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include <lanefold/compound.hpp>
#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/surface_set.hpp>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

// Meridians of a ball, and rings between its poles. With 16 and 7 the flat faces are 2% of the radius within the ball.
constexpr int kMeridians = 16;
constexpr int kRings = 7;

// Directions around a pole, the same on both sides of the equator.
std::vector<Vec3d> directions(const Vec3d& pole) {
    const Vec3d beside = std::fabs(pole.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d e1 = normalized(cross(pole, beside)), e2 = cross(pole, e1);
    std::vector<Vec3d> out{pole, -pole};
    for (int ring = 1; ring <= kRings; ++ring) {
        const double latitude = std::numbers::pi * ring / (kRings + 1);
        for (int m = 0; m < kMeridians; ++m) {
            const double angle = 2 * std::numbers::pi * m / kMeridians;
            out.push_back(pole * std::cos(latitude) +
                          (e1 * std::cos(angle) + e2 * std::sin(angle)) * std::sin(latitude));
        }
    }
    return out;
}

// Points of the rounded hull's surface: each vertex moved along the directions, and along the normals of all faces, so
// that faces stay where they are.
void add_surface(const HullSet& hulls, std::size_t hull, std::vector<Vec3d>& out) {
    const std::span<const Vec3f> vertices = hulls.vertices(hull);
    const HullRecord& record = hulls[hull];
    const Vec3d axis = to_double(vertices.back()) - to_double(vertices.front());
    std::vector<Vec3d> around = directions(vertices.size() == 2 ? normalized(axis) : Vec3d{0, 0, 1});
    const detail::HullView view(record);
    for (std::uint32_t f = 0; f < record.face_count; ++f) {
        const std::uint32_t first = view.face_first[f];
        const auto corner = [&](std::uint32_t k) { return to_double(vertices[view.face_vertex[first + k]]); };
        Vec3d normal;
        for (std::uint32_t k = 1; first + k + 1 < view.face_first[f + 1]; ++k)
            normal = normal + cross(corner(k) - corner(0), corner(k + 1) - corner(0));
        around.push_back(normalized(normal));
    }
    for (const Vec3f& v : vertices)
        for (const Vec3d& u : around) out.push_back(to_double(v) + u * static_cast<double>(record.round_radius));
}

// How far a plane is drawn, relative to the most distant body beside its middle.
constexpr double kPlaneReach = 1.1;
// Thickness of a drawn plane, relative to half of its side: a hull must not be flat.
constexpr double kPlaneThickness = 1e-3;

PoseD pose_of(const Scene& scene, const SceneFrame& frame, std::size_t body) {
    const BodyD b = detail::read_body(scene.view(frame), body);
    Quat unit;
    normalize(b.orientation, unit);  // read_frame() has checked it
    return {rotation(unit), detail::position_of(b)};
}

// Half of the side of the square that stands for a half-space: from the foot of the origin of each body that has it, it
// reaches all other bodies. 1 where there are none.
double reach_of(const Scene& scene, const HullSet& hulls, const SceneFrame& frame, std::size_t hull) {
    const HalfSpace plane = half_space(hulls, hull).value_or(HalfSpace{});
    const Vec3d n = normalized(to_double(plane.normal));
    double reach = 0;
    for (std::size_t b = 0; b < scene.bodies(); ++b) {
        if (scene.body_hull()[b] != hull || !frame.is_there(b)) continue;
        const PoseD pose = pose_of(scene, frame, b);
        const Vec3d out = pose.rotation * n;
        const Vec3d foot = pose.position + out * static_cast<double>(plane.offset);
        for (std::size_t i = 0; i < scene.bodies(); ++i) {
            const HullRecord& other = hulls[scene.body_hull()[i]];
            if (other.shape == ShapeKind::half_space || !frame.is_there(i)) continue;
            const Vec3d apart = pose_of(scene, frame, i).position - foot;
            const Vec3d beside = apart - out * dot(out, apart);
            reach = std::max(reach, length(beside) + static_cast<double>(other.size + other.round_radius));
        }
    }
    return reach > 0 ? kPlaneReach * reach : 1;
}

// A thin plate whose upper side is the plane.
void add_plate(const HalfSpace& plane, double reach, std::vector<Vec3f>& out) {
    const Vec3d n = normalized(to_double(plane.normal));
    const Vec3d beside = std::fabs(n.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d e1 = normalized(cross(n, beside)) * reach;
    const Vec3d e2 = normalized(cross(n, e1)) * reach;
    for (unsigned c = 0; c < 8; ++c) {
        const double down = (c & 4U) != 0 ? kPlaneThickness * reach : 0;
        out.push_back(to_float(n * (static_cast<double>(plane.offset) - down) + ((c & 1U) != 0 ? e1 : -e1) +
                               ((c & 2U) != 0 ? e2 : -e2)));
    }
}

// Hulls of points, and compounds of them and surfaces in between, run after run.
HullSet build(const Scene& scene, const HullSet& hulls, std::span<const Vec3f> points,
              std::span<const std::uint64_t> offsets, std::uint32_t threads) {
    const OtherShapes& shapes = scene.other_shapes();
    const auto kind_of = [&](std::size_t h) {
        const ShapeKind kind = shapes.kind_of(h);
        return kind == ShapeKind::half_space ? ShapeKind::hull : kind;
    };
    BuildOptions options;
    options.threads = threads;
    HullSet out;
    std::size_t compounds = 0;
    for (std::size_t first = 0, last = 0; first < hulls.size(); first = last) {
        while (last < hulls.size() && kind_of(last) == kind_of(first)) ++last;
        if (kind_of(first) == ShapeKind::surface) {
            std::vector<Surface> surfaces;
            for (std::size_t h = first; h < last; ++h) surfaces.push_back(*hulls.surface(h));
            out = out.append(surface_set(surfaces).hulls);
            continue;
        }
        if (kind_of(first) == ShapeKind::compound) {
            const auto own = std::span(shapes.offsets).subspan(compounds, last - first + 1);
            out = build_compounds(out, shapes.children, own).hulls;
            compounds += last - first;
            continue;
        }
        const BuildResult built = lanefold::build_hulls(points, offsets.subspan(first, last - first + 1), options);
        if (!built) {
            const std::size_t hull = first + built.failures.front().hull;
            throw bad_input("{}: hull {} is rounded by {}, too little or too far from its origin to be drawn: {}",
                            scene.folder().string(), hull, hulls[hull].round_radius, built.failures.front().what);
        }
        out = out.append(built.hulls);
    }
    return out;
}

}  // namespace

HullSet drawn_hulls(const Scene& scene, const HullSet& hulls, std::uint64_t frame, std::uint32_t threads) {
    const OtherShapes& shapes = scene.other_shapes();
    if (!hulls.rounded() && shapes.half_spaces.empty()) return hulls;
    SceneFrame places;
    if (!shapes.half_spaces.empty()) scene.read_poses(frame, 0, scene.bodies(), places);
    std::vector<Vec3f> points;
    std::vector<Vec3d> surface;
    std::vector<std::uint64_t> offsets{0};
    for (std::size_t h = 0; h < hulls.size(); ++h) {
        if (shapes.kind_of(h) == ShapeKind::half_space) {
            add_plate(half_space(hulls, h).value_or(HalfSpace{}), reach_of(scene, hulls, places, h), points);
        } else if (hulls[h].round_radius > 0) {
            surface.clear();
            add_surface(hulls, h, surface);
            for (const Vec3d& p : surface) points.push_back(to_float(p));
        } else {
            const std::uint64_t first = scene.hull_offsets()[h];
            const auto own = scene.hull_vertices().subspan(first, scene.hull_offsets()[h + 1] - first);
            points.insert(points.end(), own.begin(), own.end());
        }
        offsets.push_back(points.size());
    }
    return build(scene, hulls, points, offsets, threads);
}

std::vector<DrawnPiece> drawn_pieces(const HullSet& drawn, std::uint32_t hull) {
    const std::size_t children = drawn.child_count(hull);
    std::vector<DrawnPiece> out(std::max<std::size_t>(children, 1));
    out[0].hull = hull;
    for (std::size_t k = 0; k < children; ++k) {
        const CompoundChild child = drawn.child(hull, k);
        Quat unit;
        normalize(child.orientation, unit);
        out[k] = {child.hull, {rotation(unit), {child.position[0], child.position[1], child.position[2]}}};
    }
    return out;
}

}  // namespace lanefold::tools
