// SPDX-License-Identifier: MIT
//
// Makes the trembling scenes and measures steadiness.

#include "support/trembling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <lanefold/hull_builder.hpp>
#include <lanefold/serial.hpp>

#include "console/failure.hpp"
#include "generate/random.hpp"
#include "support/polygons.hpp"

namespace lanefold::tools {
namespace {

using Points = std::vector<Vec3f>;

constexpr double kTremor = 1e-3;  // radians
constexpr int kBodies = 5;
constexpr int kFrames = 200;  // of each

Quat about(const Vec3d& axis, double angle) {
    const Vec3d n = normalized(axis) * std::sin(angle / 2);
    return {n.x, n.y, n.z, std::cos(angle / 2)};
}

// First b, then a.
Quat after(const Quat& a, const Quat& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// About a level axis.
Quat tilt(Random& random, double most) {
    const double x = random.range(-1, 1);
    const double y = random.range(-1, 1);
    return about({x, y, 1e-9}, most * random.unit());
}

BodyD body_at(std::uint32_t hull, const Vec3d& p, const Quat& q) {
    BodyD body{};
    body.hull = hull;
    const std::array<double, 3> at{p.x, p.y, p.z};
    const std::array<double, 4> turn{q.x, q.y, q.z, q.w};
    for (std::size_t k = 0; k < 3; ++k) body.position[k] = at[k];
    for (std::size_t k = 0; k < 4; ++k) body.orientation[k] = static_cast<float>(turn[k]);
    return body;
}

Points floor_points() {
    Points p;
    for (int k = 0; k < 8; ++k)
        p.push_back(to_float(Vec3d{(k & 1) != 0 ? 3.0 : -3.0, (k & 2) != 0 ? 3.0 : -3.0, (k & 4) != 0 ? 0.5 : -0.5}));
    return p;
}

HullSet build(const std::vector<Points>& lists) {
    Points all;
    std::vector<std::uint64_t> offsets{0};
    for (const Points& p : lists) {
        all.insert(all.end(), p.begin(), p.end());
        offsets.push_back(all.size());
    }
    BuildResult built = build_hulls(all, offsets);
    if (!built) throw io_failure("a trembling body's hull cannot be built: {}", built.failures[0].what);
    return std::move(built.hulls);
}

// Moves b so that it overlaps a by kTrembleDepth along the axis of least overlap.
TremblingFrame settle(const HullSet& hulls, const BodyD& a, BodyD b, bool other_body) {
    Workspace workspace;
    Options options;
    options.margin = 1.0F;
    options.face_preference = 0;
    for (int round = 0; round < 3; ++round) {
        Manifold4 m{};
        const BatchResult r = collide_pair(hulls, a, b, options, m, workspace);
        if (!r.status || m.kind == ContactKind::none) throw io_failure("a trembling body is not near its support");
        const double move = -kTrembleDepth - static_cast<double>(m.distance);
        for (std::size_t k = 0; k < 3; ++k) b.position[k] += static_cast<double>(m.normal[k]) * move;
    }
    return {a, b, other_body};
}

// A cylinder of 64 sides whose lid bulges and ripples: 64 and more nearly coplanar faces, which the builder must not
// merge.
Points rippled_cylinder(Random& random) {
    Points p;
    for (const double z : {-0.3, 0.3}) {
        const double out = z > 0 ? 1 : -1;
        for (int k = 0; k < 64; ++k) {
            const double angle = 2 * std::numbers::pi * k / 64;
            const double c = std::cos(angle), s = std::sin(angle);
            p.push_back(to_float(Vec3d{c, s, z + out * random.range(0, 2e-4)}));
            if (k % 4 == 0) p.push_back(to_float(Vec3d{0.5 * c, 0.5 * s, z + out * random.range(3e-4, 4e-4)}));
        }
        p.push_back(to_float(Vec3d{0, 0, z + out * 5e-4}));
    }
    return p;
}

TremblingScene rippled_lids(std::uint64_t seed) {
    Random random(seed, 1);
    std::vector<Points> lists{floor_points()};
    for (int k = 0; k < kBodies; ++k) lists.push_back(rippled_cylinder(random));
    TremblingScene scene{"cylinder, 64 sides, rippled lids, on a floor", build(lists), std::numbers::pi, {}};
    for (std::uint32_t body = 1; body <= kBodies; ++body) {
        const Quat yaw = about({0, 0, 1}, random.range(0, 6));
        for (int f = 0; f < kFrames; ++f) {
            scene.frames.push_back(settle(scene.hulls, body_at(0, {0, 0, -0.5}, Quat{}),
                                          body_at(body, {0, 0, 0.3}, after(tilt(random, kTremor), yaw)), f == 0));
        }
    }
    return scene;
}

TremblingScene fine_sphere(std::uint64_t seed) {
    Random random(seed, 2);
    constexpr int kPoints = 3000;
    Points sphere;
    for (int k = 0; k < kPoints; ++k) {
        // Points of equal area along a spiral of the golden angle.
        const double z = 1 - (2 * k + 1.0) / kPoints, r = std::sqrt(1 - z * z), angle = 2.399963229728653 * k;
        sphere.push_back(to_float(Vec3d{r * std::cos(angle), r * std::sin(angle), z}));
    }
    // The cap within the band: its rim has radius sqrt(2 R h), and the half diagonal of a unit ball's box is sqrt(3).
    const double band = static_cast<double>(kPatchBand) * std::sqrt(3.0);
    TremblingScene scene{
        "sphere of 3,000 vertices on a floor", build({floor_points(), sphere}), std::numbers::pi * 2 * band, {}};
    for (int rest = 0; rest < kBodies; ++rest) {
        const Quat turn = random.rotation();
        for (int f = 0; f < kFrames; ++f) {
            scene.frames.push_back(settle(scene.hulls, body_at(0, {0, 0, -0.5}, Quat{}),
                                          body_at(1, {0, 0, 1}, after(tilt(random, 0.02), turn)), f == 0));
        }
    }
    return scene;
}

// A scanned stone: an ellipsoid with two flat sides, and noise.
Points scanned_rock(Random& random) {
    Points p;
    while (p.size() < 600) {
        const Vec3d d = random.direction();
        const Vec3d x{d.x * 1.1, d.y * 0.9, std::clamp(d.z, -0.5, 0.5)};
        p.push_back(to_float(x * (1 + random.range(-2e-4, 2e-4))));
    }
    return p;
}

TremblingScene stacked_rocks(std::uint64_t seed) {
    Random random(seed, 3);
    std::vector<Points> lists;
    for (int k = 0; k <= kBodies; ++k) lists.push_back(scanned_rock(random));
    // Both flat sides are ellipses with these half axes, turned against each other by a little.
    const double rim = std::sqrt(1 - 0.25);
    TremblingScene scene{"scanned rock on scanned rock", build(lists), std::numbers::pi * 1.1 * 0.9 * rim * rim, {}};
    for (std::uint32_t body = 1; body <= kBodies; ++body) {
        const Quat yaw = about({0, 0, 1}, random.range(-0.1, 0.1));
        const double x = random.range(-0.02, 0.02);
        const double y = random.range(-0.02, 0.02);
        for (int f = 0; f < kFrames; ++f) {
            scene.frames.push_back(settle(scene.hulls, body_at(body - 1, {0, 0, 0}, Quat{}),
                                          body_at(body, {x, y, 1.0}, after(tilt(random, kTremor), yaw)), f == 0));
        }
    }
    return scene;
}

double area(const std::vector<PlanePoint>& p) {
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const PlanePoint u = p[i], v = p[i + 1 < p.size() ? i + 1 : 0];
        sum += u.x * v.y - u.y * v.x;
    }
    return 0.5 * sum;
}

// Distance of x from a convex polygon with all it contains (counter-clockwise; a point or a segment too).
double distance_from(const std::vector<PlanePoint>& p, const PlanePoint& x) {
    double least = std::numeric_limits<double>::infinity();
    bool inside = p.size() >= 3;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const PlanePoint u = p[i], v = p[i + 1 < p.size() ? i + 1 : 0];
        const double ex = v.x - u.x, ey = v.y - u.y, ee = ex * ex + ey * ey;
        inside = inside && ex * (x.y - u.y) - ey * (x.x - u.x) >= 0;
        const double t = ee > 0 ? std::clamp((ex * (x.x - u.x) + ey * (x.y - u.y)) / ee, 0.0, 1.0) : 0.0;
        least = std::min(least, std::hypot(x.x - u.x - t * ex, x.y - u.y - t * ey));
    }
    return inside ? 0.0 : least;
}

// Hausdorff distance of two convex polygons: reached at a corner. Infinite when one is empty and the other not.
double hausdorff(const std::vector<PlanePoint>& p, const std::vector<PlanePoint>& q) {
    double worst = 0;
    for (const PlanePoint& x : p) worst = std::max(worst, distance_from(q, x));
    for (const PlanePoint& x : q) worst = std::max(worst, distance_from(p, x));
    return worst;
}

}  // namespace

std::vector<TremblingScene> make_trembling_scenes(std::uint64_t seed) {
    std::vector<TremblingScene> scenes;
    scenes.push_back(rippled_lids(seed));
    scenes.push_back(fine_sphere(seed));
    scenes.push_back(stacked_rocks(seed));
    return scenes;
}

void Steadiness::add(const std::vector<PlanePoint>& points, bool other_body) {
    std::vector<PlanePoint> polygon = test::convex_hull(points);
    if (!other_body) {
        ++frames_;
        jumps_ += hausdorff(polygon, last_) > 0.5 * std::sqrt(true_area_ / std::numbers::pi) ? 1U : 0U;
        const double share = polygon.size() < 3 ? 0.0 : area(polygon) / true_area_;
        area_ += share;
        least_area_ = std::min(least_area_, share);
        points_ += static_cast<double>(points.size());
    }
    last_ = std::move(polygon);
}

}  // namespace lanefold::tools
