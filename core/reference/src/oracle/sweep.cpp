// SPDX-License-Identifier: MIT
//
// See the header.
#include <lanefold/sweep_oracle.hpp>

#include <algorithm>
#include <cmath>

#include <lanefold/fp_environment.hpp>

namespace lanefold::reference {
namespace {

Mat3d turn(const Vec3d& spin, double fraction) {
    const double angle = length(spin);
    if (angle == 0) return {};
    const Vec3d n = spin * (1.0 / angle);
    const double c = std::cos(angle * fraction);
    const double s = std::sin(angle * fraction);
    const double k = 1.0 - c;
    return {{{c + k * n.x * n.x, k * n.x * n.y - s * n.z, k * n.x * n.z + s * n.y},
             {k * n.y * n.x + s * n.z, c + k * n.y * n.y, k * n.y * n.z - s * n.x},
             {k * n.z * n.x - s * n.y, k * n.z * n.y + s * n.x, c + k * n.z * n.z}}};
}

// The greatest speed of a point of the core by the turn.
double turning_speed(const OracleHull& hull, const OracleMotion& motion) {
    double most = 0;
    for (const Vec3d& v : hull.vertices) most = std::max(most, length(cross(motion.spin, motion.rotation * v)));
    return most;
}

}  // namespace

OracleMotion oracle_motion(const double position[3], const float orientation[4], const double next[3],
                           const Vec3d& spin) {
    return in_default_environment([&] {
        OracleMotion m;
        m.position = {position[0], position[1], position[2]};
        m.shift = Vec3d{next[0], next[1], next[2]} - m.position;
        m.rotation = oracle_pose(position, orientation).rotation;
        m.spin = spin;
        return m;
    });
}

OracleMotion oracle_motion(const double position[3], const float orientation[4], const double next[3],
                           const float next_orientation[4]) {
    return in_default_environment([&] {
        OracleMotion m = oracle_motion(position, orientation, next, Vec3d{});
        Quat p;
        Quat q;
        normalize(orientation, p);
        normalize(next_orientation, q);
        // q times the inverse of p.
        const double w = q.w * p.w + q.x * p.x + q.y * p.y + q.z * p.z;
        const Vec3d u = {p.x, p.y, p.z};
        const Vec3d v = {q.x, q.y, q.z};
        Vec3d axis = v * p.w - u * q.w - cross(v, u);
        if (w < 0) axis = -axis;
        const double sine = length(axis);
        if (sine > 0) m.spin = axis * (2.0 * std::atan2(sine, std::fabs(w)) / sine);
        return m;
    });
}

void oracle_poses(const OraclePair& pair, double fraction, PoseD& a, PoseD& b) {
    in_default_environment([&] {
        const OracleMotion& ma = pair.motion_a;
        const OracleMotion& mb = pair.motion_b;
        a = {turn(ma.spin, fraction) * ma.rotation, ma.shift * fraction};
        b = {turn(mb.spin, fraction) * mb.rotation, (mb.position - ma.position) + mb.shift * fraction};
        return 0;
    });
}

OracleResult distance_at(const OraclePair& pair, double fraction) {
    return in_default_environment([&] {
        PoseD a;
        PoseD b;
        oracle_poses(pair, fraction, a, b);
        // Subtracted once more: shifts may be far larger than what is between the bodies.
        b.position =
            (pair.motion_b.position - pair.motion_a.position) + (pair.motion_b.shift - pair.motion_a.shift) * fraction;
        a.position = {};
        return signed_distance(*pair.a, a, *pair.b, b);
    });
}

March march(const OraclePair& pair, double target, double slack, double to, std::uint32_t most) {
    return in_default_environment([&] {
        const double speed = length(pair.motion_b.shift - pair.motion_a.shift) + turning_speed(*pair.a, pair.motion_a) +
                             turning_speed(*pair.b, pair.motion_b);
        March m;
        m.least = INFINITY;
        double at = 0;
        while (m.distances < most) {
            const double d = distance_at(pair, at).distance;
            ++m.distances;
            m.least = std::min(m.least, d);
            m.fraction = at;
            if (d <= target) {
                m.end = MarchEnd::reached;
                return m;
            }
            const double step = (d - target) + slack;
            at = speed * (to - at) < step ? to : at + step / speed;
            if (at >= to) {
                m.end = MarchEnd::clear;
                return m;
            }
        }
        return m;
    });
}

}  // namespace lanefold::reference
