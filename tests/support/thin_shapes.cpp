// SPDX-License-Identifier: MIT
//
// Seeded thin shapes: plates, needles and blades over twelve decades of thickness, faces and edges as narrow and short
// as float32 can represent, neighbours that are almost coplanar. The exponent of each shape's thickness is uniform, so
// every decade is equally likely.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

constexpr Shape kThin[] = {Shape::plate,    Shape::thread, Shape::blade,    Shape::lens,     Shape::sliver,
                           Shape::bevelled, Shape::dented, Shape::splinter, Shape::twin_ends};

using Cloud = std::vector<Vec3d>;

double thinness(Random& random) { return random.log_uniform(1e-12, 1.0); }

Cloud box(double x, double y, double z) {
    Cloud out;
    for (int c = 0; c < 8; ++c) out.push_back({(c & 1) != 0 ? x : -x, (c & 2) != 0 ? y : -y, (c & 4) != 0 ? z : -z});
    return out;
}

Cloud prism(std::uint32_t sides, double radius, double half_height, Random& random) {
    Cloud out;
    const bool regular = random.chance(0.5);
    for (std::uint32_t s = 0; s < sides; ++s) {
        const double phi = 2.0 * std::numbers::pi * (regular ? s / static_cast<double>(sides) : random.uniform());
        out.push_back({radius * std::cos(phi), radius * std::sin(phi), -half_height});
        out.push_back({radius * std::cos(phi), radius * std::sin(phi), half_height});
    }
    return out;
}

Cloud ball(std::uint32_t count, Random& random) {
    Cloud out;
    for (std::uint32_t i = 0; i < count; ++i) out.push_back(random.arrow(0.5, 1.0));
    return out;
}

// A shape with a volume of the order of one.
Cloud thick(Random& random) {
    switch (random.index(3)) {
        case 0: {
            const double z = random.uniform(0.3, 1.0), y = random.uniform(0.3, 1.0);
            return box(random.uniform(0.3, 1.0), y, z);
        }
        case 1: {
            const double half_height = random.uniform(0.3, 1.0), radius = random.uniform(0.3, 1.0);
            return prism(random.between(3, 9), radius, half_height, random);
        }
        default:
            return ball(random.between(5, 20), random);
    }
}

Cloud scaled(Cloud cloud, const Vec3d& by) {
    for (Vec3d& p : cloud) p = {p.x * by.x, p.y * by.y, p.z * by.z};
    return cloud;
}

Cloud blade(Random& random) {
    const double width = random.uniform(0.3, 1.0);
    const double back = thinness(random);
    const double edge = random.chance(0.5) ? 0.0 : back * random.uniform();
    Cloud out;
    for (const double z : {-1.0, 1.0}) {
        const double taper = random.chance(0.5) ? 1.0 : random.uniform(0.2, 1.0);
        out.push_back({-width, back * taper, z});
        out.push_back({-width, -back * taper, z});
        out.push_back({width * taper, edge, z});
        out.push_back({width * taper, -edge, z});
    }
    return out;
}

Cloud sliver(Random& random) {
    const double height = thinness(random);
    const double width = random.chance(0.5) ? 1.0 : thinness(random);
    Cloud out{{-1, 0, 0},
              {1, 0, 0},
              {random.uniform(-1, 1), width, 0},
              {random.uniform(-1, 1), width * random.uniform(), height}};
    for (std::uint32_t k = random.index(4); k > 0; --k) {
        out.push_back({random.uniform(-1, 1), width * random.uniform(-1, 1), height * random.uniform(-1, 1)});
    }
    return out;
}

// A thick shape with a few points very close to each corner instead of the corner.
Cloud bevelled(Random& random) {
    Cloud out;
    const double cut = thinness(random);
    const bool everywhere = random.chance(0.3);
    for (const Vec3d& p : thick(random)) {
        if (!everywhere && random.chance(0.6)) {
            out.push_back(p);
            continue;
        }
        const std::uint32_t count = random.between(2, 3);
        for (std::uint32_t k = 0; k < count; ++k) {
            const Vec3d d = random.direction();
            out.push_back(p - Vec3d{std::fabs(d.x) * (p.x > 0 ? cut : -cut), std::fabs(d.y) * (p.y > 0 ? cut : -cut),
                                    std::fabs(d.z) * (p.z > 0 ? cut : -cut)});
        }
    }
    return out;
}

// Points of the faces (means of corners), moved out or in very slightly.
Cloud dented(Random& random) {
    Cloud out = thick(random);
    const std::size_t corners = out.size();
    const double height = thinness(random);
    for (std::uint32_t k = random.between(1, 8); k > 0; --k) {
        const std::size_t i = random.index(static_cast<std::uint32_t>(corners));
        const std::size_t j = random.index(static_cast<std::uint32_t>(corners));
        const double t = random.uniform();
        Vec3d p = out[i] * t + out[j] * (1.0 - t);
        // The mean of two corners lies on a face only if both corners do. Otherwise it is inside and no vertex.
        p = p * (1.0 + height * random.uniform(-1, 1));
        out.push_back(p + random.arrow(0, height));
    }
    return out;
}

Cloud splinter(Random& random) {
    Cloud out = thick(random);
    const double rest = thinness(random);
    for (Vec3d& p : out) p = p * rest;
    out.push_back(random.direction());
    if (random.chance(0.5)) out.push_back(random.arrow(0.3, 1.0));
    if (random.chance(0.3)) out.push_back(out.back() * -1.0);
    return out;
}

Cloud twin_ends(Random& random) {
    Cloud out = thick(random);
    const std::size_t corners = out.size();
    const double apart = thinness(random);
    for (std::size_t i = 0; i < corners; ++i) {
        if (random.chance(0.5)) out.push_back(out[i] + random.direction() * apart);
    }
    return out;
}

}  // namespace

std::span<const Shape> thin_shapes() { return kThin; }

Points make_thin_points(Shape shape, Random& random) {
    Cloud cloud;
    switch (shape) {
        case Shape::plate: {
            const Vec3d by{1.0, 1.0, thinness(random)};
            cloud = scaled(random.chance(0.7) ? box(random.uniform(0.3, 1.0), 1.0, 1.0)
                                              : prism(random.between(3, 9), 1.0, 1.0, random),
                           by);
            break;
        }
        case Shape::thread: {
            const Vec3d by{1.0, thinness(random), random.chance(0.5) ? thinness(random) : 1e-3};
            cloud = scaled(thick(random), by);
            break;
        }
        case Shape::blade:
            cloud = blade(random);
            break;
        case Shape::lens: {
            const Vec3d by{1.0, 1.0, thinness(random)};
            cloud = scaled(ball(random.between(6, 24), random), by);
            break;
        }
        case Shape::sliver:
            cloud = sliver(random);
            break;
        case Shape::bevelled:
            cloud = bevelled(random);
            break;
        case Shape::dented:
            cloud = dented(random);
            break;
        case Shape::splinter:
            cloud = splinter(random);
            break;
        case Shape::twin_ends:
            cloud = twin_ends(random);
            break;
        default:
            break;
    }
    // Along the axes float32 holds any thickness. A turned shape is rounded to the grid of float32.
    const Mat3d turn = random.chance(0.5) ? Mat3d{} : rotation(random.rotation());
    Points out;
    for (const Vec3d& p : cloud) out.push_back(to_float(turn * p));
    return out;
}

int thickness_decade(const reference::OracleHull& hull) {
    double least = hull.size;
    for (const Vec3d& n : hull.normals) {
        double low = dot(n, hull.vertices[0]);
        double high = low;
        for (const Vec3d& v : hull.vertices) {
            low = std::min(low, dot(n, v));
            high = std::max(high, dot(n, v));
        }
        least = std::min(least, high - low);
    }
    return std::clamp(static_cast<int>(std::floor(-std::log10(least / hull.size))), 0, 12);
}

}  // namespace lanefold::test
