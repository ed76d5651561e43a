// SPDX-License-Identifier: MIT
//
// Generates hulls with an exact number of vertices.
#include "scenes/shapes.hpp"

#include <cmath>

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

}  // namespace lanefold::bench
