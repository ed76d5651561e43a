// SPDX-License-Identifier: MIT
//
// Random sweeps of hulls and rounded shapes before surfaces: terrain, balls, boxes and open sheets, from the front or
// from behind, with spins up to two turns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/collide_surface.hpp>
#include <lanefold/serial_sweep.hpp>
#include <lanefold/surface_set.hpp>

#include "support/hulls.hpp"
#include "support/meshes.hpp"
#include "support/random.hpp"
#include "support/surface_sweep_oracle.hpp"
#include "support/sweep_scene.hpp"

namespace lanefold::test {

// The motions of a family, before surfaces of about a unit.
struct SurfaceFamily {
    const char* name;
    double most_turn = 0;  // radians; 0: only translation
    double least_scale = 0.1;
    double most_scale = 0.6;
    double behind = 0.1;   // share of flights that come from the inner side
    bool grazing = false;  // motion along the surface
    float target = 0;
    double ground_turn = 0;      // radians that the surface turns by at most
    double most_failed = 0.005;  // share of flights that may slide within the tolerance for too many rounds
};

struct SurfaceSweeps {
    Library library;
    HullSet hulls;  // the library, then the surfaces
    std::vector<reference::OracleSurface> oracle;
    std::vector<BodyD> begin;
    std::vector<BodyD> end;
    std::vector<Vec3d> spins;
    std::vector<Pair> pairs;
    SweepOptions options;

    std::vector<SweepRecord> sweep(SweepWorkspace& workspace) const { return sweep(workspace, options); }
    std::vector<SweepRecord> sweep(SweepWorkspace& workspace, const SweepOptions& with) const {
        std::vector<SweepRecord> out(pairs.size());
        SweepInputs inputs;
        inputs.spins = spins;
        const SweepResult r = sweep_serial(hulls, BodyView(std::span<const BodyD>(begin)),
                                           BodyView(std::span<const BodyD>(end)), pairs, with, out, workspace, inputs);
        EXPECT_TRUE(r.status) << r.status.what;
        return out;
    }

    bool ground_is_a(std::size_t i) const { return begin[pairs[i].a].hull >= library.size(); }

    GroundFlight flight(std::size_t i) const {
        const std::uint32_t ground = ground_is_a(i) ? pairs[i].a : pairs[i].b;
        const std::uint32_t body = ground_is_a(i) ? pairs[i].b : pairs[i].a;
        return {&oracle[begin[ground].hull - library.size()], &library.oracle[begin[body].hull], motion(ground),
                motion(body)};
    }

    // The contacts at the first pose.
    std::vector<Manifold4> start(std::size_t i) const {
        const std::uint32_t ground = ground_is_a(i) ? pairs[i].a : pairs[i].b;
        const std::uint32_t body = ground_is_a(i) ? pairs[i].b : pairs[i].a;
        SurfacePose pose;
        std::memcpy(pose.position, begin[ground].position, sizeof pose.position);
        std::memcpy(pose.orientation, begin[ground].orientation, sizeof pose.orientation);
        Options with;
        with.margin = options.target;
        with.face_preference = 0;
        SurfaceContacts out;
        EXPECT_TRUE(collide_surface(*hulls.surface(begin[ground].hull), pose, library.hulls,
                                    BodyView(std::span<const BodyD>(begin)), std::span(&body, 1), with, out));
        return out.records;
    }

    // A record's normal in the surface's axes, from the surface to the body.
    Vec3d normal_of_ground(std::size_t i, const SweepRecord& r) const {
        const std::uint32_t ground = ground_is_a(i) ? pairs[i].a : pairs[i].b;
        const reference::OracleMotion moves = motion(ground);
        PoseD pose;
        PoseD same;
        reference::oracle_poses({nullptr, nullptr, moves, moves}, r.fraction, pose, same);
        const Vec3d n = transpose_times(pose.rotation, to_double({r.normal[0], r.normal[1], r.normal[2]}));
        return ground_is_a(i) ? n : -n;
    }

private:
    reference::OracleMotion motion(std::uint32_t i) const {
        return reference::oracle_motion(begin[i].position, begin[i].orientation, end[i].position, spins[i]);
    }
};

inline std::vector<Mesh> sweep_meshes(Random& random) {
    std::vector<Mesh> meshes;
    Mesh ground = grid_mesh(5, 0.3F, random.next());
    for (Vec3f& p : ground.points) p = {p.x - 0.5F, p.y - 0.5F, p.z};
    meshes.push_back(ground);
    Mesh flat = grid_mesh(4, 0, random.next());
    for (Vec3f& p : flat.points) p = {p.x - 0.5F, p.y - 0.5F, 0};
    meshes.push_back(flat);
    meshes.push_back(ball_mesh(5, 7, 0.5F));
    Mesh boxes = box_mesh({-0.5F, -0.4F, -0.2F}, {0.1F, 0.3F, 0.2F});
    boxes.add(box_mesh({0.3F, -0.4F, -0.3F}, {0.5F, 0.4F, 0.5F}));
    meshes.push_back(boxes);
    Mesh sheet;
    sheet.points = {{-0.5F, -0.4F, 0}, {0.6F, -0.3F, 0.1F}, {0.1F, 0.5F, -0.1F}};
    sheet.triangles = {{0, 1, 2}};
    meshes.push_back(sheet);
    return meshes;
}

// A point of a triangle or beside it.
inline Vec3d aim_at(const reference::OracleSurface& surface, std::uint32_t t, Random& random) {
    const double p = random.uniform(-0.3, 1.3);
    const double q = random.uniform(-0.3, 1.3 - p);
    const auto& c = surface.triangles[t];
    const Vec3d& corner = surface.vertices[c[0]];
    return corner + (surface.vertices[c[1]] - corner) * p + (surface.vertices[c[2]] - corner) * q;
}

inline SurfaceSweeps make_surface_sweeps(const SurfaceFamily& family, std::uint64_t seed, std::uint32_t count) {
    SurfaceSweeps s;
    const Shape shapes[] = {Shape::box,    Shape::debris,  Shape::tetrahedron, Shape::prism,
                            Shape::needle, Shape::segment, Shape::point,       Shape::slab};
    s.library = random_library(seed, 16, shapes, family.least_scale, family.most_scale, {0.3, 0.05, 0.5});
    Random random(seed, 77);
    std::vector<Surface> surfaces;
    for (const Mesh& mesh : sweep_meshes(random)) {
        const SurfaceResult built = build_surface(mesh.points, mesh.triangles);
        EXPECT_TRUE(built) << built.status.what;
        surfaces.push_back(built.surface);
        const SurfaceArrays arrays = surface_arrays(built.surface);
        s.oracle.push_back(reference::make_oracle_surface(arrays.vertices, arrays.triangles));
    }
    s.hulls = s.library.hulls.append(surface_set(surfaces).hulls);
    s.options.target = family.target;
    for (std::uint32_t i = 0; i < count; ++i) {
        BodyD ground{};
        BodyD body{};
        const std::uint32_t which = random.index(static_cast<std::uint32_t>(surfaces.size()));
        ground.hull = static_cast<std::uint32_t>(s.library.size()) + which;
        body.hull = random.index(static_cast<std::uint32_t>(s.library.size()));
        set_orientation(random.chance(0.3) ? Quat{} : random.rotation(), ground);
        set_orientation(random.chance(0.2) ? Quat{} : random.rotation(), body);
        const Vec3d place = random.in_ball() * 3.0;
        set_position(place, ground);
        const PoseD pose = reference::oracle_pose(ground.position, ground.orientation);
        const reference::OracleHull& hull = s.library.oracle[body.hull];
        const double size = hull.size + hull.round_radius;
        const reference::OracleSurface& oracle = s.oracle[which];
        const std::uint32_t t = random.index(static_cast<std::uint32_t>(oracle.triangles.size()));
        const Vec3d aim = aim_at(oracle, t, random);
        const double side = random.chance(family.behind) ? -1 : 1;
        const Vec3d normal = oracle.normals[t];
        Vec3d way = normalized(normal * -side + random.in_ball() * 1.2) * random.uniform(2, 8);
        Vec3d from = aim - way * random.uniform(0.2, 1.1);
        if (family.grazing) {
            const Vec3d beside = random.direction();
            way = normalized(beside - normal * dot(beside, normal)) * random.uniform(0.5, 3);
            way = way + normal * (random.uniform(-0.05, 0.05) * size);
            from = aim - way * random.uniform(0.2, 0.8) + normal * (side * size * random.uniform(0.05, 1));
        }
        set_position(pose.position + pose.rotation * from, body);
        BodyD ground_end = ground;
        BodyD body_end = body;
        const Vec3d drift = random.chance(0.3) ? random.in_ball() * 2.0 : Vec3d{};
        set_position(place + drift, ground_end);
        set_position(pose.position + pose.rotation * (from + way) + drift, body_end);
        const double turn = random.chance(0.2) ? 0 : random.uniform(0, family.most_turn);
        const auto first = static_cast<std::uint32_t>(s.begin.size());
        s.begin.insert(s.begin.end(), {ground, body});
        s.end.insert(s.end.end(), {ground_end, body_end});
        const Vec3d spin = random.direction() * turn;
        const Vec3d ground_spin =
            family.ground_turn > 0 ? random.direction() * random.uniform(0, family.ground_turn) : Vec3d{};
        s.spins.insert(s.spins.end(), {ground_spin, spin});
        s.pairs.push_back(random.chance(0.5) ? Pair{first, first + 1} : Pair{first + 1, first});
    }
    return s;
}

}  // namespace lanefold::test
