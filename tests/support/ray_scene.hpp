// SPDX-License-Identifier: MIT
//
// Scenes of bodies of every shape and rays through them, and the oracle's hulls of all bodies and children.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/compound.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/judge.hpp>
#include <lanefold/ray_oracle.hpp>
#include <lanefold/ray_record.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"

namespace lanefold::test {

inline Ray ray_of(const Vec3d& from, const Vec3d& by) { return {{from.x, from.y, from.z}, {by.x, by.y, by.z}}; }
inline Vec3d origin_of(const Ray& r) { return {r.origin[0], r.origin[1], r.origin[2]}; }
inline Vec3d direction_of(const Ray& r) { return {r.direction[0], r.direction[1], r.direction[2]}; }

// A body or a child of one, for the oracle.
struct RayPart {
    std::uint32_t body = 0;
    std::uint32_t child = 0;
    reference::OracleHull hull;
    PoseD pose;

    double size() const { return hull.half_space ? 1 : hull.size + hull.round_radius; }
    // Whether a line comes as near as the furthest point of the part from its origin.
    bool is_near(const Vec3d& from, const Vec3d& by) const {
        double reach = 0;
        for (const Vec3d& v : hull.vertices) reach = std::max(reach, length(v));
        const Vec3d beside = cross(by, pose.position - from);
        return hull.half_space || length(beside) <= 1.001 * (reach + hull.round_radius) * length(by);
    }
    double distance(const Vec3d& p) const { return reference::point_distance(hull, pose.rotation, p - pose.position); }
};

struct RayScenery {
    HullSet hulls;
    std::vector<BodyD> bodies;
    std::vector<RayPart> parts;  // in the order of bodies and children
    std::vector<Ray> rays;

    BodyView view() const { return BodyView(std::span<const BodyD>(bodies)); }

    void add(const BodyD& body) {
        const auto b = static_cast<std::uint32_t>(bodies.size());
        bodies.push_back(body);
        const auto part = [&](std::uint32_t child, const BodyD& at) {
            parts.push_back({b, child, reference::make_oracle_hull(hulls, at.hull),
                             reference::oracle_pose(at.position, at.orientation)});
        };
        const std::size_t children = hulls.child_count(body.hull);
        if (children == 0) part(0, body);
        for (std::uint32_t k = 0; k < children; ++k) part(k, child_body(hulls, body, k));
    }
    const RayPart& part(std::uint32_t body, std::uint32_t child) const {
        std::size_t i = 0;
        while (parts[i].body != body || parts[i].child != child) ++i;
        return parts[i];
    }
};

inline BodyD body_at(const Vec3d& at, const Quat& q, std::uint32_t hull) {
    BodyD b = {};
    b.position[0] = at.x;
    b.position[1] = at.y;
    b.position[2] = at.z;
    set_orientation(b, q);
    b.hull = hull;
    return b;
}

struct RaySceneSettings {
    std::uint64_t seed = 1;
    std::uint32_t bodies = 40;
    std::uint32_t rays = 500;
    double radius = 6;  // of the ball of bodies
    Vec3d at;           // the middle of all
};

// Sharp and rounded hulls of all shapes, spheres, capsules, compounds of them, and one half-space below.
inline RayScenery make_ray_scene(const RaySceneSettings& s) {
    RayScenery scene;
    Random random(s.seed);
    std::vector<Points> points;
    std::vector<float> radii;
    for (const Shape shape : small_shapes()) {
        points.push_back(make_points(shape, random));
        radii.push_back(0);
        points.push_back(make_points(shape, random));
        radii.push_back(static_cast<float>(random.log_uniform(1e-3, 1)));
    }
    points.push_back({{0.2F, 0.1F, 0}});
    radii.push_back(0.7F);
    points.push_back({{0.2F, 0.1F, -1}, {0.3F, 0.1F, 1}});
    radii.push_back(0.4F);
    const Library library = build_library(points, radii);
    const auto shapes = static_cast<std::uint32_t>(library.size());
    std::vector<CompoundChild> children;
    std::vector<std::uint64_t> offsets{0};
    for (std::uint32_t k = 0; k < 4; ++k) {
        for (std::uint32_t c = 0; c <= k; ++c) {
            CompoundChild child;
            child.hull = random.index(shapes);
            const Vec3d p = random.in_ball();
            const double at[3] = {p.x, p.y, p.z};
            std::memcpy(child.position, at, sizeof at);
            const Quat q = random.rotation();
            const double turn[4] = {q.x, q.y, q.z, q.w};
            for (int i = 0; i < 4; ++i) child.orientation[i] = static_cast<float>(turn[i]);
            children.push_back(child);
        }
        offsets.push_back(children.size());
    }
    const CompoundResult built = build_compounds(library.hulls, children, offsets);
    EXPECT_TRUE(built) << "the test's own compounds must build";
    const HalfSpace planes[1] = {{{0.1F, -0.2F, 2}, 0.25F}};
    scene.hulls = built.hulls.append(build_half_spaces(planes).hulls);
    for (std::uint32_t i = 0; i < s.bodies; ++i) {
        const Vec3d at = s.at + random.in_ball() * s.radius;
        scene.add(body_at(at, random.rotation(), random.index(shapes + 4)));
    }
    scene.add(body_at(s.at + Vec3d{0, 0, -1.2 * s.radius}, Quat{}, shapes + 4));
    for (std::uint32_t i = 0; i < s.rays; ++i) {
        const Vec3d from = s.at + random.direction() * (random.uniform(0.1, 3) * s.radius);
        const Vec3d to = s.at + random.in_ball() * s.radius;
        scene.rays.push_back(ray_of(from, (to - from) * random.uniform(1, 3)));
    }
    return scene;
}

}  // namespace lanefold::test
