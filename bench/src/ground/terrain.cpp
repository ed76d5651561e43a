// SPDX-License-Identifier: MIT
//
// See the header.
#include "ground/terrain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <lanefold/height_field.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/surface_set.hpp>

#include "generate/random.hpp"

namespace lanefold::bench {
namespace {

// The side of a terrain: room for the bodies and for a few cells of the largest size.
constexpr double kSide = 40;

using tools::Random;

Quat turn(Random& random, bool level) {
    if (!level) return random.rotation();
    const double yaw = random.range(0, 6.283);
    return {0, 0, std::sin(0.5 * yaw), std::cos(0.5 * yaw)};
}

std::vector<GroundShape> make_shapes(Random& random) {
    std::vector<GroundShape> shapes(4);
    shapes[0].kind = GroundShape::Kind::box;
    shapes[0].half = {0.5, 0.4, 0.3};
    for (int i = 0; i < 8; ++i) {
        shapes[0].points.push_back(
            {(i & 1) != 0 ? 0.5F : -0.5F, (i & 2) != 0 ? 0.4F : -0.4F, (i & 4) != 0 ? 0.3F : -0.3F});
    }
    shapes[1].kind = GroundShape::Kind::rock;
    for (int i = 0; i < 16; ++i) {
        const Vec3d p = random.direction();
        shapes[1].points.push_back(to_float(Vec3d{0.5 * p.x, 0.45 * p.y, 0.35 * p.z}));
    }
    shapes[2].kind = GroundShape::Kind::sphere;
    shapes[2].radius = 0.5;
    shapes[2].points.push_back({0, 0, 0});
    shapes[3].kind = GroundShape::Kind::capsule;
    shapes[3].half = {0.3, 0, 0};
    shapes[3].radius = 0.25;
    shapes[3].points = {{-0.3F, 0, 0}, {0.3F, 0, 0}};
    return shapes;
}

HullSet hulls_of(const std::vector<GroundShape>& shapes, const Surface& surface) {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    std::vector<float> radii;
    for (const GroundShape& s : shapes) {
        points.insert(points.end(), s.points.begin(), s.points.end());
        offsets.push_back(points.size());
        radii.push_back(static_cast<float>(s.radius));
    }
    BuildOptions options;
    options.radii = radii;
    const BuildResult bodies = build_hulls(points, offsets, options);
    const BuildResult ground = surface_set(std::span(&surface, 1));
    if (!bodies || !ground) throw std::runtime_error("the shapes could not be built");
    return bodies.hulls.append(ground.hulls);
}

// The points, triangles and the surface of the heights.
void make_surface(Terrain& t) {
    const std::uint32_t n = t.cells + 1;
    const double cell = t.cell;
    const double low = -0.5 * t.side();
    for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t i = 0; i < n; ++i) {
            t.points.push_back({static_cast<float>(low + i * cell), static_cast<float>(low + j * cell),
                                t.heights[static_cast<std::size_t>(j) * n + i]});
        }
    }
    for (std::uint32_t j = 0; j < t.cells; ++j) {
        for (std::uint32_t i = 0; i < t.cells; ++i) {
            const std::uint32_t a = j * n + i;
            t.triangles.push_back({a, a + 1, a + n + 1});
            t.triangles.push_back({a, a + n + 1, a + n});
        }
    }
    SurfaceResult made;
    if (t.field) {
        HeightFieldOptions options;
        options.rows = options.columns = n;
        options.x0 = options.y0 = low;
        options.dx = options.dy = cell;
        const HeightSamples samples(t.heights.data(), n);
        made = build_height_field(std::span(&samples, 1), options);
    } else {
        made = build_surface(t.points, t.triangles);
    }
    if (!made) throw std::runtime_error(made.status.what);
    t.surface = made.surface;
}

// A body whose lowest point is `depth` below the terrain at its place.
BodyD place(const Terrain& terrain, const GroundShape& shape, const Quat& q, double depth, Random& random) {
    BodyD b{};
    const double values[4] = {q.x, q.y, q.z, q.w};
    for (int k = 0; k < 4; ++k) b.orientation[k] = static_cast<float>(values[k]);
    const double room = 0.5 * terrain.side() - 2;
    b.position[0] = random.range(-room, room);
    b.position[1] = random.range(-room, room);
    const Mat3d r = rotation(q);
    Vec3d lowest{0, 0, std::numeric_limits<double>::infinity()};
    for (const Vec3f& p : shape.points) {
        const Vec3d x = r * to_double(p);
        if (x.z < lowest.z) lowest = x;
    }
    b.position[2] =
        terrain.height(b.position[0] + lowest.x, b.position[1] + lowest.y) - lowest.z + shape.radius - depth;
    return b;
}

BodyD ground_of(const GroundScene& s) {
    BodyD ground{};
    ground.hull = static_cast<std::uint32_t>(s.shapes.size());
    ground.orientation[3] = 1;
    return ground;
}

}  // namespace

double Terrain::height(double x, double y) const {
    const double u = std::clamp(x / cell + 0.5 * cells, 0.0, cells - 1e-9);
    const double v = std::clamp(y / cell + 0.5 * cells, 0.0, cells - 1e-9);
    const auto i = static_cast<std::size_t>(u);
    const auto j = static_cast<std::size_t>(v);
    const double s = u - static_cast<double>(i);
    const double t = v - static_cast<double>(j);
    const auto z = [&](std::size_t a, std::size_t b) { return static_cast<double>(heights[b * (cells + 1) + a]); };
    // The diagonal runs from the low corner to the high one.
    if (s >= t) return z(i, j) + s * (z(i + 1, j) - z(i, j)) + t * (z(i + 1, j + 1) - z(i + 1, j));
    return z(i, j) + t * (z(i, j + 1) - z(i, j)) + s * (z(i + 1, j + 1) - z(i, j + 1));
}

Terrain make_terrain(double cell, double rough, bool field, std::uint64_t seed) {
    Random random(seed);
    Terrain t;
    t.field = field;
    t.flat = rough == 0;
    t.cell = cell;
    t.cells = static_cast<std::uint32_t>(std::lround(kSide / cell));
    const std::uint32_t n = t.cells + 1;
    for (std::uint32_t i = 0; i < n * n; ++i) {
        t.heights.push_back(static_cast<float>(rough == 0 ? 0 : random.range(-rough, rough) * cell));
    }
    make_surface(t);
    return t;
}

GroundScene make_scene(const Terrain& terrain, std::uint32_t bodies, double depth, std::uint64_t seed) {
    Random random(seed);
    GroundScene s;
    s.terrain = &terrain;
    s.shapes = make_shapes(random);
    s.hulls = hulls_of(s.shapes, terrain.surface);
    for (std::uint32_t i = 0; i < bodies; ++i) {
        const std::uint32_t hull = i % static_cast<std::uint32_t>(s.shapes.size());
        const Quat q = turn(random, i / s.shapes.size() % 2 == 0);
        s.bodies.push_back(place(terrain, s.shapes[hull], q, depth, random));
        s.bodies.back().hull = hull;
    }
    s.bodies.push_back(ground_of(s));
    return s;
}

Terrain make_hills(std::uint64_t seed) {
    // Half a wave of the longest hills, metres, and their height; the roughness of single samples.
    constexpr double kLong = 24, kHigh = 3, kRough = 0.04;
    Random random(seed);
    Terrain t;
    t.field = true;
    t.cell = 0.5;
    t.cells = 1024;
    for (std::uint32_t j = 0; j <= t.cells; ++j) {
        for (std::uint32_t i = 0; i <= t.cells; ++i) {
            const double x = i * t.cell / kLong * 3.1416;
            const double y = j * t.cell / kLong * 3.1416;
            const double hill = std::sin(x) * std::cos(0.7 * y) + 0.3 * std::sin(2.7 * x + 1) * std::sin(3.1 * y);
            t.heights.push_back(static_cast<float>(kHigh * hill + random.range(-kRough, kRough)));
        }
    }
    make_surface(t);
    return t;
}

GroundScene make_crowd(const Terrain& hills, std::uint32_t bodies, std::uint64_t seed) {
    Random random(seed);
    GroundScene s;
    s.terrain = &hills;
    GroundShape person;
    person.kind = GroundShape::Kind::capsule;
    person.half = {0.55, 0, 0};
    person.radius = 0.3;
    person.points = {{-0.55F, 0, 0}, {0.55F, 0, 0}};
    s.shapes.push_back(person);
    // Sixteen different rocks.
    for (int k = 0; k < 16; ++k) s.shapes.push_back(make_shapes(random)[1]);
    s.hulls = hulls_of(s.shapes, hills.surface);
    const Quat upright{0, -std::sqrt(0.5), 0, std::sqrt(0.5)};
    for (std::uint32_t i = 0; i < bodies; ++i) {
        const std::uint32_t hull = i % 7 < 5 ? 0 : 1 + i % 16;
        s.bodies.push_back(place(hills, s.shapes[hull], hull == 0 ? upright : random.rotation(), 0.005, random));
        s.bodies.back().hull = hull;
    }
    s.bodies.push_back(ground_of(s));
    return s;
}

}  // namespace lanefold::bench
