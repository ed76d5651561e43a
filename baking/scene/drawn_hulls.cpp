// SPDX-License-Identifier: MIT
//
// See the header.
#include "scene/drawn_hulls.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>

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

}  // namespace

HullSet drawn_hulls(const Scene& scene, const HullSet& hulls, std::uint32_t threads) {
    if (!hulls.rounded()) return hulls;
    std::vector<Vec3f> points;
    std::vector<Vec3d> surface;
    std::vector<std::uint64_t> offsets{0};
    for (std::size_t h = 0; h < hulls.size(); ++h) {
        if (hulls[h].round_radius > 0) {
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
    BuildOptions options;
    options.threads = threads;
    BuildResult built = lanefold::build_hulls(points, offsets, options);
    if (built) return std::move(built.hulls);
    const HullReport& report = built.failures.front();
    throw bad_input("{}: hull {} is rounded by {}, too little or too far from its origin to be drawn: {}",
                    scene.folder().string(), report.hull, hulls[report.hull].round_radius, report.what);
}

}  // namespace lanefold::tools
