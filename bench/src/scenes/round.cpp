// SPDX-License-Identifier: MIT
//
// Makes pairs of one kind. Bodies of metre size at any rotation, from 40 mm in each other to 40 mm apart: three of four
// touch within the usual margin.
#include "scenes/round.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <lanefold/compound.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/reference.hpp>

#include "generate/random.hpp"
#include "scenes/recipes.hpp"
#include "scenes/shapes.hpp"

namespace lanefold::bench {
namespace {

using tools::Random;
using Points = std::vector<Vec3f>;

constexpr double kReach = 0.04;
constexpr std::uint32_t kShapes = 32;  // of each side
constexpr double kFloor = 200;         // side of a floor, metres

enum class Form { sphere, capsule, box, hull, rounded_box, rounded_hull, half_space, floor, compound, parts };

struct Kind {
    RoundKind info;
    Form a;
    Form b;
    bool lies = false;  // b is a capsule that lies on a face of a
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> list{
        {{"sphere-sphere", "spheres", "sphere-capsule"}, Form::sphere, Form::sphere},
        {{"sphere-capsule", "spheres and capsules", "sphere-sphere"}, Form::sphere, Form::capsule},
        {{"capsule-capsule", "capsules", "sphere-capsule"}, Form::capsule, Form::capsule},
        {{"box-sphere", "boxes and spheres", "capsule-capsule"}, Form::box, Form::sphere},
        {{"box-capsule", "boxes and capsules", "box-sphere"}, Form::box, Form::capsule},
        {{"box-capsule-lying", "capsules that lie on a box", "box-capsule"}, Form::box, Form::capsule, true},
        {{"hull-sphere", "rocks of 32 vertices and spheres", "hull-capsule"}, Form::hull, Form::sphere},
        {{"hull-capsule", "rocks of 32 vertices and capsules", "hull-sphere"}, Form::hull, Form::capsule},
        {{"hull-capsule-lying", "capsules that lie on a face of a rock", "hull-capsule"},
         Form::hull,
         Form::capsule,
         true},
        {{"box-box", "sharp boxes", "rounded-box"}, Form::box, Form::box},
        {{"rounded-box", "boxes with rounded edges", "box-box"}, Form::rounded_box, Form::rounded_box},
        {{"hull-hull", "sharp rocks of 32 vertices", "rounded-hull"}, Form::hull, Form::hull},
        {{"rounded-hull", "rocks with rounded edges", "hull-hull"}, Form::rounded_hull, Form::rounded_hull},
        {{"floor-box", "boxes on a floor of 200 m", "box-box"}, Form::floor, Form::box},
        {{"half-space-box", "boxes on a half-space", "floor-box"}, Form::half_space, Form::box},
        {{"floor-hull", "rocks on a floor of 200 m", "hull-hull"}, Form::floor, Form::hull},
        {{"half-space-hull", "rocks on a half-space", "floor-hull"}, Form::half_space, Form::hull},
        {{"half-space-sphere", "spheres on a half-space", "half-space-hull"}, Form::half_space, Form::sphere},
        {{"half-space-capsule", "capsules on a half-space", "half-space-hull"}, Form::half_space, Form::capsule},
        {{"parts", "the children of these compounds as bodies of their own", "capsule-capsule"},
         Form::parts,
         Form::parts},
        {{"compound", "compounds of five capsules; a pair is one of children", "parts"},
         Form::compound,
         Form::compound},
    };
    return list;
}

struct Core {
    Points points;
    double radius = 0;
};

Core core_of(Form form, Random& random) {
    switch (form) {
        case Form::sphere:
            return {{Vec3f{}}, random.range(0.25, 0.5)};
        case Form::capsule: {
            const auto half = static_cast<float>(random.range(0.25, 0.5));
            return {{{0, 0, -half}, {0, 0, half}}, random.range(0.1, 0.25)};
        }
        case Form::floor:
            return {box_points(kFloor, kFloor, 1), 0};
        case Form::box:
        case Form::rounded_box: {
            const double x = random.range(0.25, 0.5);
            const double y = random.range(0.25, 0.5);
            return {box_points(2 * x, 2 * y, 2 * random.range(0.25, 0.5)), form == Form::box ? 0 : 0.05};
        }
        default:
            return {rock_points(random, 32), form == Form::rounded_hull ? 0.05 : 0};
    }
}

// The hulls of both sides: those of a, then those of b.
void build(Scene& scene, Random& random, Form a, Form b) {
    Points points;
    std::vector<std::uint64_t> offsets{0};
    std::vector<float> radii;
    const bool on_plane = a == Form::half_space;
    for (std::uint32_t k = 0; k < 2 * kShapes; ++k) {
        const Core core = core_of(k < kShapes && !on_plane ? a : b, random);
        points.insert(points.end(), core.points.begin(), core.points.end());
        offsets.push_back(points.size());
        radii.push_back(static_cast<float>(core.radius));
    }
    BuildOptions options;
    options.radii = radii;
    BuildResult built = build_hulls(points, offsets, options);
    if (!built) throw std::runtime_error(scene.name + ": " + built.failures.front().what);
    if (on_plane) {
        const HalfSpace ground{{0, 0, 1}, 0.5F};
        built.hulls = built.hulls.append(build_half_spaces({&ground, 1}).hulls);
    }
    set_scene_hulls(scene, std::move(built.hulls));
}

reference::OracleHull oracle_of(const HullSet& hulls, std::uint32_t id) {
    if (const auto plane = half_space(hulls, id))
        return reference::make_oracle_half_space(plane->normal, plane->offset);
    return reference::make_oracle_hull(hulls.vertices(id), hulls[id].round_radius);
}

PoseD pose_of(const Body& b) {
    const double p[3] = {b.position[0], b.position[1], b.position[2]};
    return reference::oracle_pose(p, b.orientation);
}

// The turn that brings the z axis to `to`.
Quat from_z(const Vec3d& to) {
    const Vec3d axis = cross(Vec3d{0, 0, 1}, to);
    const double w = 1 + to.z;
    if (w < 1e-9) return {1, 0, 0, 0};
    const double l = std::sqrt(length_squared(axis) + w * w);
    return {axis.x / l, axis.y / l, axis.z / l, w / l};
}

// A capsule on a face of a hull, over its middle.
Body lying(const PolyHull& host, const Body& on, std::uint32_t capsule, Random& random) {
    const std::uint32_t f = random.below(static_cast<std::uint32_t>(host.faces.size()));
    const Vec3d n = host.normals[f];
    Vec3d middle{};
    for (const std::uint32_t v : host.faces[f])
        middle = middle + to_double(host.vertices[v]) * (1.0 / static_cast<double>(host.faces[f].size()));
    const PoseD pose = pose_of(on);
    const Vec3d along = pose.rotation * normalized(cross(n, random.direction()));
    return body_at(capsule, pose.position + pose.rotation * (middle + n), from_z(along));
}

void add_couples(Scene& scene, Random& random, const Kind& kind, std::size_t pairs) {
    std::vector<reference::OracleHull> oracle;
    for (std::uint32_t h = 0; h < scene.hulls.size(); ++h) oracle.push_back(oracle_of(scene.hulls, h));
    const bool on_plane = kind.a == Form::half_space;
    const bool on_floor = kind.a == Form::floor;
    Frame frame;
    for (std::size_t i = 0; i < pairs; ++i) {
        const Vec3d place{4.0 * static_cast<double>(i % 16), 4.0 * static_cast<double>(i / 16 % 16), 0};
        const std::uint32_t hull_a = on_plane ? 2 * kShapes : random.below(kShapes);
        const std::uint32_t hull_b = kShapes + random.below(kShapes);
        const bool level = on_plane || on_floor;
        Body a = body_at(hull_a, level ? Vec3d{30, 30, 0} : place, level ? Quat{} : random.rotation());
        Body b = body_at(hull_b, place + (level ? Vec3d{0, 0, 3} : random.arrow(1, 2)), random.rotation());
        if (kind.lies) b = lying(scene.polyhedra[hull_a], a, hull_b, random);
        const auto now = reference::signed_distance(oracle[hull_a], pose_of(a), oracle[hull_b], pose_of(b));
        shift(b, now.normal * (random.range(-kReach, kReach) - now.distance));
        add_couple(frame, a, b);
    }
    scene.frames.push_back(std::move(frame));
}

// Compounds of five capsules in a row, side by side, so that their children meet; or these children as bodies.
void add_compounds(Scene& scene, Random& random, std::size_t pairs, bool as_parts) {
    constexpr std::uint32_t kParts = 5;
    build(scene, random, Form::capsule, Form::capsule);
    std::vector<CompoundChild> children;
    for (std::uint32_t k = 0; k < kParts; ++k) {
        CompoundChild child;
        child.hull = k;
        child.position[0] = 0.45 * (k - 0.5 * (kParts - 1));
        const Quat q = random.rotation();
        const double o[4] = {q.x, q.y, q.z, q.w};
        for (int c = 0; c < 4; ++c) child.orientation[c] = static_cast<float>(o[c]);
        children.push_back(child);
    }
    CompoundResult compound = build_compound(scene.hulls, children);
    if (!compound) throw std::runtime_error(scene.name + ": " + compound.failures.front().what);
    const auto id = static_cast<std::uint32_t>(scene.hulls.size());
    // About five pairs of children a pair of compounds.
    Frame whole;
    for (std::size_t i = 0; i < pairs / 5; ++i) {
        const Vec3d place{8.0 * static_cast<double>(i % 16), 8.0 * static_cast<double>(i / 16), 0};
        const Quat q = random.rotation();
        const Body other = body_at(id, place + random.arrow(0.2, 0.8), random.rotation());
        add_couple(whole, body_at(id, place, q), other);
    }
    if (!as_parts) {
        scene.hulls = compound.hulls;
        scene.frames.push_back(std::move(whole));
        return;
    }
    Frame parts;
    for (const Body& body : whole.bodies) {
        BodyD exact{};
        for (int k = 0; k < 3; ++k) exact.position[k] = static_cast<double>(body.position[k]);
        std::copy_n(body.orientation, 4, exact.orientation);
        exact.hull = id;
        for (std::uint32_t k = 0; k < kParts; ++k) {
            const BodyD child = child_body(compound.hulls, exact, k);
            Body out{};
            for (int c = 0; c < 3; ++c) out.position[c] = static_cast<float>(child.position[c]);
            std::copy_n(child.orientation, 4, out.orientation);
            out.hull = child.hull;
            parts.bodies.push_back(out);
        }
    }
    // Pairs of children of the two compounds of a pair, not of one.
    parts.pairs = find_candidates(scene, parts.bodies);
    std::erase_if(parts.pairs, [](const Pair& p) {
        return p.a / kParts == p.b / kParts || p.a / (2 * kParts) != p.b / (2 * kParts);
    });
    scene.frames.push_back(std::move(parts));
}

}  // namespace

const std::vector<RoundKind>& round_kinds() {
    static const std::vector<RoundKind> list = infos(kinds());
    return list;
}

Scene make_round(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin) {
    const Kind& kind = recipe_of(kinds(), "kind of pairs", name);
    Scene scene = empty_scene(kind.info, margin);
    Random random(seed, 0x50C1);
    if (kind.a == Form::compound || kind.a == Form::parts) {
        add_compounds(scene, random, pairs, kind.a == Form::parts);
    } else {
        build(scene, random, kind.a, kind.b);
        add_couples(scene, random, kind, pairs);
    }
    return scene;
}

}  // namespace lanefold::bench
