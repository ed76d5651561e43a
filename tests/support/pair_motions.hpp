// SPDX-License-Identifier: MIT
//
// Motions of one body of a pair against the other: shifts, turns about a point, or both.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include <lanefold/pose.hpp>

#include "support/coherent_scene.hpp"

namespace lanefold::test {

// A point of a body's hull: one of its vertices, in the world.
inline Vec3d draw_vertex(const BatchScene& scene, const Body& body, BatchRandom& random) {
    const std::span<const Vec3f> vertices = scene.hulls.vertices(body.hull);
    Quat unit;
    EXPECT_TRUE(normalize(body.orientation, unit));
    const Vec3d at = {static_cast<double>(body.position[0]), static_cast<double>(body.position[1]),
                      static_cast<double>(body.position[2])};
    return at + rotation(unit) * to_double(vertices[random.below(static_cast<std::uint32_t>(vertices.size()))]);
}

inline Vec3d draw_axis(BatchRandom& random) {
    float u[3];
    random.axis(u);
    return {static_cast<double>(u[0]), static_cast<double>(u[1]), static_cast<double>(u[2])};
}

// Across three vertices of one hull, which often are of one face; or any direction.
inline Vec3d draw_direction(const BatchScene& scene, const Pair& pair, BatchRandom& random) {
    const Body& body = scene.bodies[random.below(2) == 0 ? pair.a : pair.b];
    if (random.below(4) != 0) {
        const Vec3d at = draw_vertex(scene, body, random);
        const Vec3d p = draw_vertex(scene, body, random) - at;
        const Vec3d q = draw_vertex(scene, body, random) - at;
        const Vec3d n = cross(p, q);
        const double length = std::sqrt(dot(n, n));
        if (length > 1e-9) return n * (1 / length);
    }
    return draw_axis(random);
}

struct PairMotion {
    std::uint32_t body = 0;
    Vec3d shift;
    Vec3d pivot;
    Vec3d axis;
    double angle = 0;

    // `length`: metres of the shift; a turn about the body's middle moves its surface by as much at most. `contact`: a
    // point about which every second motion turns, if there is one.
    static PairMotion draw(const BatchScene& scene, const Pair& pair, double length,
                           const std::optional<Vec3d>& contact, BatchRandom& random) {
        PairMotion m;
        m.body = random.below(2) == 0 ? pair.a : pair.b;
        const std::uint32_t kind = random.below(4);
        constexpr std::uint32_t kTurnOnly = 0;
        constexpr std::uint32_t kShiftOnly = 1;
        const double either_way = random.below(2) == 0 ? length : -length;
        m.shift = draw_direction(scene, pair, random) * (kind == kTurnOnly ? 0 : either_way);
        m.axis = draw_direction(scene, pair, random);
        m.pivot = draw_vertex(scene, scene.bodies[random.below(2) == 0 ? pair.a : pair.b], random);
        if (contact.has_value() && random.below(2) == 0) m.pivot = *contact;
        const double size = static_cast<double>(scene.hulls[scene.bodies[m.body].hull].size);
        m.angle = kind == kShiftOnly ? 0 : length / size * static_cast<double>(random.uniform(0.2F, 1));
        return m;
    }

    // Moves the body by a part of the motion.
    void apply(std::vector<Body>& bodies, double part) const { bodies[body] = moved(bodies[body], part); }

    // Any body, moved by a part of the motion.
    Body moved(Body b, double part) const {
        const double c = std::cos(angle * part);
        const double s = std::sin(angle * part);
        const Vec3d from = {static_cast<double>(b.position[0]), static_cast<double>(b.position[1]),
                            static_cast<double>(b.position[2])};
        const Vec3d arm = from - pivot;
        const Vec3d to = pivot + arm * c + cross(axis, arm) * s + axis * (dot(axis, arm) * (1 - c)) + shift * part;
        const Vec3f rounded = to_float(to);
        const float u[3] = {static_cast<float>(axis.x), static_cast<float>(axis.y), static_cast<float>(axis.z)};
        const float q[4] = {b.orientation[0], b.orientation[1], b.orientation[2], b.orientation[3]};
        b.position[0] = rounded.x;
        b.position[1] = rounded.y;
        b.position[2] = rounded.z;
        CoherentScene::turn(u, static_cast<float>(angle * part), q, b.orientation);
        return b;
    }
};

// The pairs of a scene, each with bodies of its own: bodies 2 i and 2 i + 1 make pair i.
inline BatchScene with_own_bodies(const BatchScene& scene) {
    BatchScene own;
    own.hulls = scene.hulls;
    own.margin = scene.margin;
    for (const Pair& p : scene.pairs) {
        const auto first = static_cast<std::uint32_t>(own.bodies.size());
        own.bodies.push_back(scene.bodies[p.a]);
        own.bodies.push_back(scene.bodies[p.b]);
        own.pairs.push_back({first, first + 1});
    }
    return own;
}

// Turns each pair as a whole, so that what is level stays level but for rounding, and then moves one of its bodies by
// 1e-8 to 1e-2 m.
inline void unsettle(BatchScene& scene, std::uint64_t seed) {
    BatchRandom random(seed);
    for (const Pair& p : scene.pairs) {
        PairMotion whole;
        whole.axis = draw_axis(random);
        whole.angle = static_cast<double>(random.uniform(0, 3));
        for (const std::uint32_t b : {p.a, p.b}) {
            whole.body = b;
            whole.apply(scene.bodies, 1);
        }
        const double length = std::pow(10.0, static_cast<double>(random.uniform(-8, -2)));
        PairMotion::draw(scene, p, length, {}, random).apply(scene.bodies, 1);
    }
}

}  // namespace lanefold::test
