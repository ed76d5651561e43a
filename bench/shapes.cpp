// SPDX-License-Identifier: MIT
//
// See shapes.hpp.
#include "shapes.hpp"

#include <cmath>

namespace lanefold::bench {
namespace {

struct Plane {
    Vec3d n;
    double d;
};

// Corners of the intersection of half spaces n.x <= d: every triple of planes that meet in a point inside
// all others. Cubic in the number of planes, of which there are at most twenty.
std::vector<Vec3d> corners(const std::vector<Plane>& planes) {
    std::vector<Vec3d> out;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        for (std::size_t j = i + 1; j < planes.size(); ++j) {
            const Vec3d u = cross(planes[i].n, planes[j].n);
            for (std::size_t k = j + 1; k < planes.size(); ++k) {
                const double det = dot(u, planes[k].n);
                if (std::fabs(det) < 1e-6) continue;
                const Vec3d p = (cross(planes[j].n, planes[k].n) * planes[i].d +
                                 cross(planes[k].n, planes[i].n) * planes[j].d + u * planes[k].d) *
                                (1.0 / det);
                bool inside = true;
                for (const Plane& q : planes) inside = inside && dot(q.n, p) <= q.d + 1e-9;
                for (const Vec3d& q : out) inside = inside && length_squared(p - q) > 1e-8;
                if (inside) out.push_back(p);
            }
        }
    }
    return out;
}

std::vector<Vec3f> to_floats(const std::vector<Vec3d>& points) {
    std::vector<Vec3f> out;
    for (const Vec3d& p : points) out.push_back(to_float(p));
    return out;
}

}  // namespace

std::vector<Vec3f> box_points(Random& random) {
    const auto x = static_cast<float>(random.uniform(0.25, 0.6));
    const auto y = static_cast<float>(random.uniform(0.25, 0.6));
    const auto z = static_cast<float>(random.uniform(0.25, 0.6));
    std::vector<Vec3f> out;
    for (unsigned c = 0; c < 8; ++c) {
        out.push_back({(c & 1U) != 0 ? x : -x, (c & 2U) != 0 ? y : -y, (c & 4U) != 0 ? z : -z});
    }
    return out;
}

std::vector<Vec3f> debris_points(Random& random) {
    for (;;) {
        std::vector<Plane> planes;
        for (int axis = 0; axis < 3; ++axis) {
            for (const double sign : {-1.0, 1.0}) {
                Vec3d n = random.direction() * 0.25;
                (axis == 0 ? n.x : axis == 1 ? n.y : n.z) += sign;
                planes.push_back({normalized(n), random.uniform(0.3, 0.6)});
            }
        }
        const std::size_t cuts = random.below(12);
        for (std::size_t i = 0; i < cuts; ++i) planes.push_back({random.direction(), random.uniform(0.35, 0.6)});
        const std::vector<Vec3d> points = corners(planes);
        if (points.size() >= 8 && points.size() <= 32) return to_floats(points);
    }
}

std::vector<Vec3f> rock_points(Random& random, std::size_t count) {
    const Vec3d axes{random.uniform(0.4, 0.65), random.uniform(0.4, 0.65), random.uniform(0.4, 0.65)};
    const Quat turn = random.rotation();
    const Mat3d r = rotation(turn);
    // A spiral from pole to pole in equal steps of height, each point moved by a part of the spacing.
    const double golden = 2.399963229728653;
    const double spacing = 2.0 / std::sqrt(static_cast<double>(count));
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i < count; ++i) {
        const double z = 1.0 - (2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(count);
        const double radius = std::sqrt(1.0 - z * z);
        const double angle = golden * static_cast<double>(i);
        const Vec3d on_spiral{radius * std::cos(angle), radius * std::sin(angle), z};
        const Vec3d u = normalized(on_spiral + random.direction() * (0.6 * spacing));
        points.push_back(r * Vec3d{u.x * axes.x, u.y * axes.y, u.z * axes.z});
    }
    return to_floats(points);
}

}  // namespace lanefold::bench
