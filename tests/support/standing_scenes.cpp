// SPDX-License-Identifier: MIT
//
// Places the bodies of the standing scenes.

#include "support/standing_scenes.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/pose.hpp>

namespace lanefold::test {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kGravity = 9.81;

void set_friction(StandingScene& scene, float friction) {
    for (RigidBody& body : scene.bodies) body.friction = friction;
}

}  // namespace

HullSet world_hulls(std::span<const Points> more) {
    std::vector<Points> points{box_points(50, 1, 50), box_points(0.5, 0.5, 0.5)};
    points.insert(points.end(), more.begin(), more.end());
    return build_library(points).hulls;
}

RigidBody world_floor() {
    RigidBody body;
    body.kind = BodyKind::fixed;
    body.position[1] = -1;
    return body;
}

RigidBody body_at(double x, double y, double z, std::uint32_t hull) {
    RigidBody body;
    body.hull = hull;
    body.position[0] = x;
    body.position[1] = y;
    body.position[2] = z;
    return body;
}

void set_rotation(RigidBody& body, const Quat& q) {
    body.orientation[0] = static_cast<float>(q.x);
    body.orientation[1] = static_cast<float>(q.y);
    body.orientation[2] = static_cast<float>(q.z);
    body.orientation[3] = static_cast<float>(q.w);
}

StandingScene tower_scene(std::uint32_t boxes) {
    StandingScene scene{"tower of " + std::to_string(boxes), world_hulls(), {world_floor()}};
    for (std::uint32_t i = 0; i < boxes; ++i) scene.bodies.push_back(body_at(0, 0.5 + i, 0));
    return scene;
}

StandingScene rough_tower_scene(std::uint32_t boxes, std::uint64_t seed) {
    StandingScene scene = tower_scene(boxes);
    scene.name = "rough " + scene.name;
    Random random(seed);
    for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
        scene.bodies[i].position[0] = random.uniform(-0.02, 0.02);
        scene.bodies[i].position[2] = random.uniform(-0.02, 0.02);
        set_rotation(scene.bodies[i], about({0, 1, 0}, random.uniform(-0.05, 0.05)));
    }
    return scene;
}

StandingScene pyramid_scene(std::uint32_t rows) {
    StandingScene scene{"pyramid of " + std::to_string(rows) + " rows", world_hulls(), {world_floor()}};
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t k = 0; k < rows - row; ++k)
            scene.bodies.push_back(body_at(1.05 * (k - 0.5 * (rows - 1 - row)), 0.5 + row, 0));
    }
    return scene;
}

StandingScene card_house_scene(std::uint32_t storeys, double lean, float friction) {
    constexpr double kThick = 0.01, kTall = 0.5, kDeep = 0.35;  // half sides of a card
    // Half of what a leaning card takes of the height and of the row.
    const double high = kTall * std::cos(lean) + kThick * std::sin(lean);
    const double wide = kTall * std::sin(lean) + kThick * std::cos(lean);
    const double pitch = 4 * wide + 0.02;
    StandingScene scene{"card house of " + std::to_string(storeys) + " storeys", {}, {world_floor()}};
    std::vector<Points> cards{box_points(kThick, kTall, kDeep)};
    double y = 0;
    for (std::uint32_t storey = 0; storey < storeys; ++storey) {
        const std::uint32_t pairs = storeys - storey;
        for (std::uint32_t k = 0; k < pairs; ++k) {
            const double x = pitch * (k - 0.5 * (pairs - 1));
            for (const double side : {-1.0, 1.0}) {
                RigidBody card = body_at(x + side * wide, y + high, 0, 2);
                set_rotation(card, about({0, 0, 1}, side * lean));
                scene.bodies.push_back(card);
            }
        }
        y += 2 * high;
        if (pairs == 1) break;
        // A level one over the whole row, for the next storey to stand on.
        scene.bodies.push_back(body_at(0, y + kThick, 0, static_cast<std::uint32_t>(2 + cards.size())));
        cards.push_back(box_points(0.5 * pitch * (pairs - 1) + 0.15, kThick, kDeep));
        y += 2 * kThick;
    }
    scene.hulls = world_hulls(cards);
    set_friction(scene, friction);
    return scene;
}

StandingScene arch_scene(std::uint32_t stones, double thickness_ratio, float friction) {
    constexpr double kRadius = 4, kDeep = 0.5;
    const double half = 0.5 * kPi / stones;
    Points wedge;
    for (const double r : {kRadius * (1 - 0.5 * thickness_ratio), kRadius * (1 + 0.5 * thickness_ratio)}) {
        for (const double side : {-1.0, 1.0}) {
            for (const double z : {-kDeep, kDeep})
                wedge.push_back(to_float(Vec3d{side * r * std::sin(half), r * std::cos(half) - kRadius, z}));
        }
    }
    StandingScene scene{
        "arch of " + std::to_string(stones) + " stones", world_hulls(std::span(&wedge, 1)), {world_floor()}};
    for (std::uint32_t i = 0; i < stones; ++i) {
        const double angle = (2 * i + 1) * half;
        RigidBody stone = body_at(kRadius * std::cos(angle), kRadius * std::sin(angle), 0, 2);
        set_rotation(stone, about({0, 0, 1}, angle - 0.5 * kPi));
        scene.bodies.push_back(stone);
    }
    set_friction(scene, friction);
    return scene;
}

StandingScene domino_scene(std::uint32_t dominoes, double gap) {
    constexpr double kThick = 0.0625, kTall = 0.5, kTilt = 0.2;
    const std::vector<Points> shape{box_points(kThick, kTall, 0.25)};
    StandingScene scene{"run of " + std::to_string(dominoes) + " dominoes", world_hulls(shape), {world_floor()}};
    for (std::uint32_t i = 0; i < dominoes; ++i)
        scene.bodies.push_back(body_at(i * (2 * kThick + gap) - 0.5 * dominoes * (2 * kThick + gap), kTall, 0, 2));
    // The first is turned about its lower edge, past its balance.
    RigidBody& first = scene.bodies[1];
    const double c = std::cos(kTilt), s = std::sin(kTilt);
    first.position[0] += kThick - (c * kThick - s * kTall);
    first.position[1] = s * kThick + c * kTall;
    set_rotation(first, about({0, 0, 1}, -kTilt));
    return scene;
}

TopScene top_scene(double lean, double spin) {
    Points cone{{0, 0, 0}};
    for (int k = 0; k < 24; ++k) {
        const double angle = 2 * kPi * k / 24;
        cone.push_back(to_float(Vec3d{0.5 * std::cos(angle), 1, 0.5 * std::sin(angle)}));
    }
    TopScene scene;
    scene.name = "spinning top";
    scene.hulls = world_hulls(std::span(&cone, 1));
    scene.bodies.push_back(world_floor());
    // About the tip, of a cone of density 1.
    const MassProperties& mass = scene.hulls.info(2).mass;
    const double arm = mass.centre_of_mass.y;
    const double along = mass.inertia.row[1].y;
    const double across = mass.inertia.row[0].x + mass.volume * arm * arm;
    const double torque = mass.volume * kGravity * arm;
    const double c = std::cos(lean);
    const double root = std::sqrt(along * spin * along * spin - 4 * across * torque * c);
    scene.precession = (along * spin - root) / (2 * across * c);

    RigidBody top = body_at(0, 0, 0, 2);
    const Quat q = about({0, 0, 1}, -lean);
    set_rotation(top, q);
    const Vec3d axis = rotation(q) * Vec3d{0, 1, 0};
    const Vec3d w = Vec3d{0, scene.precession, 0} + axis * (spin - scene.precession * c);
    const Vec3f turn = to_float(w);
    const Vec3f velocity = to_float(cross(w, axis * arm));
    std::copy_n(&turn.x, 3, top.spin);
    std::copy_n(&velocity.x, 3, top.velocity);
    scene.bodies.push_back(top);
    set_friction(scene, 1);
    return scene;
}

StandingScene pile_scene(std::uint64_t seed, std::uint32_t count, Shape shape) {
    Random random(seed);
    const double half = 0.42 * std::cbrt(static_cast<double>(count)) + 0.5;
    std::vector<Points> shapes{box_points(0.5, 30, half + 1), box_points(half + 1, 30, 0.5)};
    constexpr std::uint32_t kShapes = 16;
    for (std::uint32_t i = 0; i < kShapes; ++i) {
        Points points = make_points(shape, random);
        float reach = 0;
        for (const Vec3f& p : points) reach = std::max(reach, dot(p, p));
        shapes.push_back(transformed(points, 0.35 / std::sqrt(static_cast<double>(reach)), {0, 0, 0, 1}, {}));
    }
    const std::string what = shape == Shape::debris ? "pieces of debris" : std::string(to_string(shape)) + "s";
    StandingScene pile{"pile of " + std::to_string(count) + " " + what, world_hulls(shapes), {world_floor()}};
    const double wall = half + 0.5;
    const double at[4][2] = {{wall, 0}, {-wall, 0}, {0, wall}, {0, -wall}};
    for (std::uint32_t w = 0; w < 4; ++w) {
        RigidBody body = body_at(at[w][0], 29, at[w][1], w < 2 ? 2 : 3);
        body.kind = BodyKind::fixed;
        pile.bodies.push_back(body);
    }
    const auto per_row = static_cast<std::uint32_t>((2 * half - 0.1) / 0.75);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t layer = i / (per_row * per_row);
        const std::uint32_t row = i % (per_row * per_row) / per_row;
        RigidBody body = body_at(-half + 0.42 + 0.75 * (i % per_row), 0.5 + 0.75 * layer, -half + 0.42 + 0.75 * row,
                                 4 + i % kShapes);
        set_rotation(body, random.rotation());
        pile.bodies.push_back(body);
    }
    return pile;
}

}  // namespace lanefold::test
