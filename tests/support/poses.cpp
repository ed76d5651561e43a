// SPDX-License-Identifier: MIT
//
// Seeded pairs of poses.
#include "support/poses.hpp"

#include <algorithm>
#include <numbers>

namespace lanefold::test {
namespace {

void place(BodyD& body, const Vec3d& p, bool float_positions) {
    const double in[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; ++i) {
        body.position[i] = float_positions ? static_cast<double>(static_cast<float>(in[i])) : in[i];
    }
}

Vec3d position_of(const BodyD& body) { return {body.position[0], body.position[1], body.position[2]}; }

// Puts b's centre at a's centre + offset (world axes).
void place_centres(PosedPair& pair, const reference::OracleHull& a, const reference::OracleHull& b, const Vec3d& offset,
                   bool float_positions) {
    const PoseD pa = pose_of(pair.a);
    const Vec3d centre = transform(pa, centre_of(a)) + offset;
    place(pair.b, centre - pose_of(pair.b).rotation * centre_of(b), float_positions);
}

// Moves b along the minimiser until the signed distance is about `target`.
void move_to_distance(PosedPair& pair, const reference::OracleHull& a, const reference::OracleHull& b, double target,
                      bool float_positions) {
    for (int round = 0; round < 3; ++round) {
        const auto r = reference::signed_distance(a, pose_of(pair.a), b, pose_of(pair.b));
        if (std::fabs(r.distance - target) < 1e-12 * (a.size + b.size)) return;
        place(pair.b, position_of(pair.b) + r.normal * (target - r.distance), float_positions);
    }
}

Quat right_angle_turn(Random& random) {
    const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Quat q;
    for (int i = 0; i < 3; ++i) {
        const double angle = random.index(8) * std::numbers::pi / 4.0;
        q = about(axes[random.index(3)], angle) * q;
    }
    if (random.chance(0.5)) {
        const double angle = random.log_uniform(1e-7, 1e-2);
        q = about(random.direction(), angle) * q;
    }
    return q;
}

}  // namespace

const char* to_string(PoseKind kind) {
    switch (kind) {
        case PoseKind::random:
            return "random";
        case PoseKind::aligned:
            return "aligned";
        case PoseKind::equal_rotation:
            return "equal_rotation";
        case PoseKind::right_angle:
            return "right_angle";
        case PoseKind::touching:
            return "touching";
        case PoseKind::shallow:
            return "shallow";
        case PoseKind::near:
            return "near";
        case PoseKind::coincident:
            return "coincident";
        case PoseKind::contained:
            return "contained";
    }
    return "unknown";
}

BodyD placed_body(std::uint32_t hull, const Vec3d& at, const Quat& turn) {
    BodyD out{};
    out.position[0] = at.x;
    out.position[1] = at.y;
    out.position[2] = at.z;
    out.hull = hull;
    set_orientation(out, turn);
    return out;
}

Vec3d centre_of(const reference::OracleHull& hull) {
    Vec3d low = hull.vertices[0];
    Vec3d high = low;
    for (const Vec3d& v : hull.vertices) {
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    return (low + high) * 0.5;
}

PoseD pose_of(const BodyD& body) { return reference::oracle_pose(body.position, body.orientation); }

PoseD pose_of(const Body& body) {
    const double p[3] = {body.position[0], body.position[1], body.position[2]};
    return reference::oracle_pose(p, body.orientation);
}

Body to_float_body(const BodyD& body) {
    Body out{};
    for (int i = 0; i < 3; ++i) out.position[i] = static_cast<float>(body.position[i]);
    for (int i = 0; i < 4; ++i) out.orientation[i] = body.orientation[i];
    out.hull = body.hull;
    return out;
}

void set_orientation(BodyD& body, const Quat& q) {
    body.orientation[0] = static_cast<float>(q.x);
    body.orientation[1] = static_cast<float>(q.y);
    body.orientation[2] = static_cast<float>(q.z);
    body.orientation[3] = static_cast<float>(q.w);
}

void set_orientation(Body& body, const Quat& q) {
    BodyD d{};
    set_orientation(d, q);
    std::copy(d.orientation, d.orientation + 4, body.orientation);
}

PosedPair make_poses(PoseKind kind, const reference::OracleHull& a, const reference::OracleHull& b, double reach,
                     bool float_positions, Random& random) {
    PosedPair pair{};
    const double size_a = a.size + a.round_radius;
    const double size_b = b.size + b.round_radius;
    const double larger = std::max(size_a, size_b);
    const double sum = size_a + size_b;
    const Vec3d origin = random.chance(0.5) ? Vec3d{} : random.in_ball() * (10.0 * larger);
    place(pair.a, origin, float_positions);
    Quat qa = random.rotation();
    Quat qb = random.rotation();
    if (kind == PoseKind::aligned) qa = qb = Quat{};
    if (kind == PoseKind::equal_rotation) qb = qa;
    if (kind == PoseKind::right_angle) {
        qb = qa * right_angle_turn(random);
    } else if (kind != PoseKind::random && kind != PoseKind::aligned && random.chance(0.3)) {
        qb = random.chance(0.5) ? qa : qa * right_angle_turn(random);  // mix the coincidences
    }
    set_orientation(pair.a, qa);
    set_orientation(pair.b, qb);
    Vec3d offset = random.arrow(0.0, sum);
    switch (kind) {
        case PoseKind::aligned: {
            // Grid of eighths of a's own extent, so that faces, edges and corners meet exactly.
            const double step = static_cast<double>(static_cast<float>(larger)) / 8.0;
            offset = {step * (static_cast<double>(random.index(17)) - 8.0),
                      step * (static_cast<double>(random.index(17)) - 8.0),
                      step * (static_cast<double>(random.index(17)) - 8.0)};
            break;
        }
        case PoseKind::coincident:
            offset = {};
            break;
        case PoseKind::contained:
            offset = random.in_ball() * (0.3 * larger);
            break;
        default:
            break;
    }
    place_centres(pair, a, b, offset, float_positions);
    if (kind == PoseKind::touching) move_to_distance(pair, a, b, 0.0, float_positions);
    if (kind == PoseKind::shallow) {
        move_to_distance(pair, a, b, -random.log_uniform(1e-6, 1e-2) * std::min(size_a, size_b), float_positions);
    }
    if (kind == PoseKind::near) {
        const double gap =
            random.chance(0.5) ? random.uniform(0.0, 2.0 * reach) : random.log_uniform(1e-6, 1.0) * reach;
        move_to_distance(pair, a, b, gap, float_positions);
    }
    return pair;
}

}  // namespace lanefold::test
