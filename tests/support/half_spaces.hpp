// SPDX-License-Identifier: MIT
//
// Seeded pairs of hulls of every kind with half-spaces, and the judge's verdict on their records.
#pragma once

#include <vector>

#include <lanefold/half_space.hpp>
#include <lanefold/judge.hpp>
#include <lanefold/serial.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"

namespace lanefold::test {

struct PlaneScene {
    Library hulls;
    HullSet set;  // the hulls, then the half-spaces
    std::vector<reference::OracleHull> oracle;
    std::vector<BodyD> bodies;
    std::vector<Pair> pairs;

    BodyView view() const { return BodyView(bodies); }
};

struct PlaneSceneSettings {
    std::uint64_t seed = 1;
    std::uint32_t pairs = 3000;
    double far = 0;    // positions up to this
    double apart = 0;  // in sizes: how far over the plane the lowest vertex is, up to this, and as deep
    double level = 0;  // share of bodies that lie flat on a face but for a turn of up to 1e-3
};

// The oracle's and the engine's half-spaces of one draw.
inline HalfSpace random_half_space(Random& random) {
    const double length = random.log_uniform(1e-3, 1e3);
    const Vec3f normal = to_float(random.chance(0.3) ? Vec3d{0, 0, 1} : random.direction() * length);
    return {normal, static_cast<float>(random.uniform(-2, 2))};
}

inline Quat quat_of(const BodyD& b) { return {b.orientation[0], b.orientation[1], b.orientation[2], b.orientation[3]}; }

inline PlaneScene make_plane_scene(const PlaneSceneSettings& s, std::span<const Shape> shapes,
                                   const Rounding& rounding = {}) {
    Random random(s.seed);
    PlaneScene scene;
    scene.hulls = random_library(s.seed, 120, shapes, 0.3, 3, rounding);
    std::vector<HalfSpace> planes;
    for (int i = 0; i < 40; ++i) planes.push_back(random_half_space(random));
    const BuildResult built = build_half_spaces(planes);
    if (!built) return scene;
    scene.set = scene.hulls.hulls.append(built.hulls);
    for (std::size_t i = 0; i < scene.set.size(); ++i)
        scene.oracle.push_back(reference::make_oracle_hull(scene.set, i));
    for (std::uint32_t i = 0; i < s.pairs; ++i) {
        BodyD plane{};
        plane.hull = static_cast<std::uint32_t>(scene.hulls.size()) + random.index(40);
        BodyD hull{};
        hull.hull = random.index(static_cast<std::uint32_t>(scene.hulls.size()));
        const Vec3d at = random.in_ball() * s.far;
        const Quat turn = random.chance(0.3) ? Quat{} : random.rotation();
        const HullSet& set = scene.set;
        const reference::OracleHull& o = scene.oracle[hull.hull];
        const Vec3d n = rotation(turn) * scene.oracle[plane.hull].normals[0];
        Quat lie = random.rotation();
        if (random.chance(s.level) && !o.normals.empty()) {
            // A face down, then a little turn.
            const Vec3d down = o.normals[random.index(static_cast<std::uint32_t>(o.normals.size()))];
            const Vec3d axis = cross(down, -n);
            const double sine = length(axis);
            if (sine > 1e-9) lie = about(axis * (1 / sine), std::atan2(sine, dot(down, -n)));
            lie = about(random.direction(), random.chance(0.5) ? 0 : random.log_uniform(1e-9, 1e-3)) * lie;
        }
        set_orientation(plane, turn);
        set_orientation(hull, lie);
        const Vec3d beside = at + cross(n, random.direction()) * random.uniform(0, 20);
        const auto place = [](BodyD& b, const Vec3d& x) {
            b.position[0] = x.x;
            b.position[1] = x.y;
            b.position[2] = x.z;
        };
        place(plane, at);
        place(hull, beside);
        const double now =
            reference::signed_distance(scene.oracle[plane.hull], pose_of(plane), o, pose_of(hull)).distance;
        const double size = static_cast<double>(set[hull.hull].size + set[hull.hull].round_radius);
        const double wanted = random.chance(0.5) ? random.uniform(-s.apart, s.apart) * size
                                                 : random.uniform(-1, 1) * random.log_uniform(1e-7, 0.1) * size;
        place(hull, beside + n * (wanted - now));
        const bool first = random.chance(0.5);
        const auto k = static_cast<std::uint32_t>(scene.bodies.size());
        scene.bodies.push_back(first ? plane : hull);
        scene.bodies.push_back(first ? hull : plane);
        scene.pairs.push_back({k, k + 1});
    }
    return scene;
}

inline reference::JudgedPair judged_pair(const PlaneScene& scene, std::size_t i, const Options& options) {
    const Pair pair = scene.pairs[i];
    const BodyD& a = scene.bodies[pair.a];
    const BodyD& b = scene.bodies[pair.b];
    reference::JudgedPair q;
    q.a = &scene.oracle[a.hull];
    q.b = &scene.oracle[b.hull];
    q.record_a = &scene.set[a.hull];
    q.record_b = &scene.set[b.hull];
    q.pose_a = pose_of(a);
    q.pose_b = pose_of(b);
    q.index_a = pair.a;
    q.index_b = pair.b;
    q.margin = options.margin;
    q.face_preference = options.face_preference;
    q.points = options.points;
    q.method = reference::judged_method(options.method);
    return q;
}

}  // namespace lanefold::test
