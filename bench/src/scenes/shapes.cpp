// SPDX-License-Identifier: MIT
//
// Hulls and bodies of synthetic scenes.
#include "scenes/shapes.hpp"

#include <cmath>
#include <numbers>

namespace lanefold::bench {

std::vector<Vec3f> rock_points(tools::Random& random, std::size_t count) {
    const Vec3d axes{random.range(0.4, 0.65), random.range(0.4, 0.65), random.range(0.4, 0.65)};
    const Quat turn = random.rotation();
    const Mat3d r = rotation(turn);
    // A spiral from pole to pole in equal steps of height, each point moved by a part of the spacing.
    const double golden = 2.399963229728653;
    const double spacing = 2.0 / std::sqrt(static_cast<double>(count));
    std::vector<Vec3f> points;
    for (std::size_t i = 0; i < count; ++i) {
        const double z = 1.0 - (2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(count);
        const double radius = std::sqrt(1.0 - z * z);
        const double angle = golden * static_cast<double>(i);
        const Vec3d on_spiral{radius * std::cos(angle), radius * std::sin(angle), z};
        const Vec3d u = normalized(on_spiral + random.direction() * (0.6 * spacing));
        points.push_back(to_float(r * Vec3d{u.x * axes.x, u.y * axes.y, u.z * axes.z}));
    }
    return points;
}

std::vector<Vec3f> box_points(double x, double y, double z) {
    std::vector<Vec3f> out;
    for (const double i : {-0.5, 0.5})
        for (const double j : {-0.5, 0.5})
            for (const double k : {-0.5, 0.5}) out.push_back(to_float(Vec3d{i * x, j * y, k * z}));
    return out;
}

std::vector<Vec3f> prism_points(int n, double radius, double height) {
    std::vector<Vec3f> out;
    for (int k = 0; k < n; ++k) {
        for (const double z : {-0.5, 0.5}) {
            const double angle = 2 * std::numbers::pi * k / n;
            out.push_back(to_float(Vec3d{radius * std::cos(angle), radius * std::sin(angle), z * height}));
        }
    }
    return out;
}

Quat times(const Quat& a, const Quat& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

Quat about(const Vec3d& axis, double angle) {
    const double s = std::sin(angle / 2);
    return {axis.x * s, axis.y * s, axis.z * s, std::cos(angle / 2)};
}

Body body_at(std::uint32_t hull, const Vec3d& position, const Quat& q) {
    Body b{};
    b.hull = hull;
    const double p[3] = {position.x, position.y, position.z};
    const double o[4] = {q.x, q.y, q.z, q.w};
    for (int k = 0; k < 3; ++k) b.position[k] = static_cast<float>(p[k]);
    for (int k = 0; k < 4; ++k) b.orientation[k] = static_cast<float>(o[k]);
    return b;
}

void shift(Body& body, const Vec3d& by) {
    body.position[0] += static_cast<float>(by.x);
    body.position[1] += static_cast<float>(by.y);
    body.position[2] += static_cast<float>(by.z);
}

}  // namespace lanefold::bench
