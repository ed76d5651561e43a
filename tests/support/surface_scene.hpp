// SPDX-License-Identifier: MIT
//
// Scenes with surfaces beside hulls, half-spaces and compounds, and what their records must be: those of
// collide_surface() for each hull or child and each surface.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include <lanefold/collide_surface.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/height_field.hpp>
#include <lanefold/surface_set.hpp>

#include "support/compound_calls.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {

// n by n cells of the given side about the origin, with heights of up to `rough` above and below.
inline Surface rough_ground(std::uint32_t n, float cell, float rough, std::uint64_t seed,
                            const SurfaceOptions& options = {}) {
    BatchRandom random(seed);
    std::vector<Vec3f> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::uint32_t j = 0; j <= n; ++j) {
        for (std::uint32_t i = 0; i <= n; ++i) {
            points.push_back({(static_cast<float>(i) - 0.5F * static_cast<float>(n)) * cell,
                              (static_cast<float>(j) - 0.5F * static_cast<float>(n)) * cell,
                              random.uniform(-rough, rough)});
        }
    }
    for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t a = j * (n + 1) + i;
            triangles.push_back({a, a + 1, a + n + 2});
            triangles.push_back({a, a + n + 2, a + n + 1});
        }
    }
    const SurfaceResult built = build_surface(points, triangles, options);
    EXPECT_TRUE(built) << built.status.what;
    return built.surface;
}

struct SurfaceScene {
    HullSet plain;               // the same ids, without the surfaces
    std::uint32_t surfaces = 0;  // the first of their ids
    BatchScene scene;

    bool is_surface(std::uint32_t body) const {
        return body < scene.bodies.size() && scene.hulls.surface(scene.bodies[body].hull) != nullptr;
    }
    bool has_surface(const Pair& pair) const { return is_surface(pair.a) || is_surface(pair.b); }
};

// A third of the bodies are surfaces, some compounds and half-spaces; some bodies and pairs are bad.
inline SurfaceScene make_surface_scene(const HullSet& hulls, std::uint64_t seed, std::uint32_t bodies,
                                       std::uint32_t pairs) {
    SurfaceScene s;
    s.scene = make_bad_batch_scene(seed, bodies, pairs);
    const HalfSpace plane{{0.1F, 0.2F, 1}, -0.3F};
    s.plain = with_compounds(hulls, seed + 1, 6, 6).append(build_half_spaces(std::span(&plane, 1)).hulls);
    s.surfaces = static_cast<std::uint32_t>(s.plain.size());
    SurfaceOptions thin;
    thin.thickness = 0.2F;
    const Surface surfaces[] = {rough_ground(8, 0.25F, 0.1F, seed + 2), rough_ground(1, 6, 0, seed + 3),
                                rough_ground(5, 0.4F, 0.3F, seed + 4, thin)};
    BuildResult built = surface_set(surfaces);
    EXPECT_TRUE(static_cast<bool>(built));
    s.scene.hulls = s.plain.append(built.hulls);
    BatchRandom random(seed + 5);
    s.scene.bodies[0].hull = 0xFFFFFFFFU;  // none
    for (Body& body : s.scene.bodies) {
        const std::uint32_t kind = random.below(6);
        if (body.hull == 0xFFFFFFFFU || kind > 3) continue;
        if (kind < 2) body.hull = s.surfaces + random.below(3);
        if (kind >= 2) body.hull = static_cast<std::uint32_t>(hulls.size()) + random.below(7);
    }
    return s;
}

// The hulls of a body of a pair, relative to `origin`: its own for a hull.
inline std::vector<BodyD> pieces_of(const SurfaceScene& s, std::uint32_t body, const Vec3d& origin) {
    return children_of_body(s.scene.hulls, detail::read_body(s.scene.view(), body), origin);
}

// The record as one of the exchanged pair. `shift`: from the surface's position to the origin of the offsets.
inline Manifold4 exchanged(Manifold4 m) {
    std::swap(m.pair[0], m.pair[1]);
    std::swap(m.feature_a, m.feature_b);
    std::swap(m.child_a, m.child_b);
    constexpr ContactKind kOther[] = {ContactKind::none,         ContactKind::face_b,      ContactKind::face_a,
                                      ContactKind::edge_edge,    ContactKind::edge_vertex, ContactKind::vertex_edge,
                                      ContactKind::vertex_vertex};
    m.kind = kOther[static_cast<std::size_t>(m.kind)];
    for (float& x : m.normal) x = -x;
    return m;
}

// The records of a pair of a good surface and a good hull or compound, by collide_surface(). Ids of points are those of
// (hull, surface); `exact`: positions are the call's to the last bit.
inline std::vector<Manifold4> ground_records(const SurfaceScene& s, const Pair& pair, const Options& options,
                                             bool& exact) {
    const bool first = s.is_surface(pair.a);
    const std::uint32_t ground = first ? pair.a : pair.b;
    const std::uint32_t body = first ? pair.b : pair.a;
    const BodyD its = detail::read_body(s.scene.view(), ground);
    const bool compound = s.scene.hulls.child_count(s.scene.bodies[body].hull) != 0;
    exact = !first && !compound;
    const Vec3d of_a = detail::position_of(detail::read_body(s.scene.view(), pair.a));
    const Vec3d origin = compound ? of_a : Vec3d{};
    const std::vector<BodyD> pieces = pieces_of(s, body, origin);
    SurfacePose pose;
    for (std::size_t k = 0; k < 3; ++k) pose.position[k] = its.position[k];
    const double back[3] = {origin.x, origin.y, origin.z};
    for (std::size_t k = 0; k < 3; ++k) pose.position[k] -= back[k];
    std::copy_n(its.orientation, 4, pose.orientation);
    pose.index = ground;
    SurfaceContacts out;
    EXPECT_TRUE(collide_surface(*s.scene.hulls.surface(its.hull), pose, s.plain, BodyView(pieces), {}, options, out));
    std::vector<Manifold4> records;
    for (Manifold4 m : out.records) {
        const BodyD& piece = pieces[m.pair[0]];
        m.child_a = compound ? m.pair[0] : 0;
        m.pair[0] = body;
        const double a[3] = {of_a.x - origin.x, of_a.y - origin.y, of_a.z - origin.z};
        for (std::uint32_t k = 0; !exact && k < m.count; ++k) {
            for (std::size_t i = 0; i < 3; ++i) {
                float& x = m.points[k].position[i];
                x = static_cast<float>(static_cast<double>(x) + (piece.position[i] - a[i]));
            }
        }
        records.push_back(first ? exchanged(m) : m);
    }
    return records;
}

}  // namespace lanefold::test
