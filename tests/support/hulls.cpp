// SPDX-License-Identifier: MIT
//
// Seeded shapes for the tests.
#include "support/hulls.hpp"

#include <cstdio>
#include <cstdlib>
#include <numbers>

#include <lanefold/hull_builder.hpp>

namespace lanefold::test {
namespace {

constexpr Shape kAll[] = {Shape::box,    Shape::rotated_box, Shape::tetrahedron, Shape::wedge, Shape::prism,
                          Shape::slab,   Shape::needle,      Shape::debris,      Shape::rock,  Shape::cylinder,
                          Shape::sphere, Shape::octahedron,  Shape::big};
static_assert(sizeof(kAll) / sizeof(kAll[0]) == kShapeCount);

Vec3f rounded(const Vec3d& p) { return to_float(p); }

Points cloud(std::uint32_t count, double roughness, const Vec3d& stretch, Random& random) {
    Points points;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3d d = random.arrow(1.0 - roughness, 1.0);
        points.push_back(rounded({d.x * stretch.x, d.y * stretch.y, d.z * stretch.z}));
    }
    return points;
}

Points sphere_points(std::uint32_t rings, std::uint32_t sides) {
    Points points{{0, 0, 1}, {0, 0, -1}};
    for (std::uint32_t r = 1; r < rings; ++r) {
        const double theta = std::numbers::pi * r / rings;
        for (std::uint32_t s = 0; s < sides; ++s) {
            const double phi = 2.0 * std::numbers::pi * s / sides;
            points.push_back(
                rounded({std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)}));
        }
    }
    return points;
}

// A thin shape may fail only as flat.
bool refused_as_flat(const Points& points) {
    const BuildResult built = build_hull(points);
    if (built) return false;
    const HullError e = built.failures[0].error;
    return e == HullError::flat || e == HullError::collinear || e == HullError::too_few_points;
}

[[noreturn]] void give_up(const char* what, std::size_t hull, std::size_t points) {
    std::fprintf(stderr, "test hull %zu of %zu points: %s\n", hull, points, what);
    std::abort();
}

// A point, or a segment: half of them along an axis, so that pairs can be parallel to the bit.
Points small_core(Shape shape, double length, const Quat& any, Random& random) {
    if (shape == Shape::point) return {{0, 0, 0}};
    return transformed({{-0.5F, 0, 0}, {0.5F, 0, 0}}, length, random.chance(0.5) ? any : Quat{}, {});
}

}  // namespace

const char* to_string(Shape shape) {
    switch (shape) {
        case Shape::box:
            return "box";
        case Shape::rotated_box:
            return "rotated_box";
        case Shape::tetrahedron:
            return "tetrahedron";
        case Shape::wedge:
            return "wedge";
        case Shape::prism:
            return "prism";
        case Shape::slab:
            return "slab";
        case Shape::needle:
            return "needle";
        case Shape::debris:
            return "debris";
        case Shape::rock:
            return "rock";
        case Shape::big:
            return "big";
        case Shape::cylinder:
            return "cylinder";
        case Shape::sphere:
            return "sphere";
        case Shape::octahedron:
            return "octahedron";
        case Shape::pebble:
            return "pebble";
        case Shape::plate:
            return "plate";
        case Shape::thread:
            return "thread";
        case Shape::blade:
            return "blade";
        case Shape::lens:
            return "lens";
        case Shape::sliver:
            return "sliver";
        case Shape::bevelled:
            return "bevelled";
        case Shape::dented:
            return "dented";
        case Shape::splinter:
            return "splinter";
        case Shape::twin_ends:
            return "twin_ends";
        case Shape::point:
            return "point";
        case Shape::segment:
            return "segment";
    }
    return "unknown";
}

Points box_points(double hx, double hy, double hz) {
    Points points;
    for (int corner = 0; corner < 8; ++corner) {
        points.push_back(
            rounded({(corner & 1) != 0 ? hx : -hx, (corner & 2) != 0 ? hy : -hy, (corner & 4) != 0 ? hz : -hz}));
    }
    return points;
}

Points prism_points(std::uint32_t sides, double radius, double half_height) {
    Points points;
    for (std::uint32_t s = 0; s < sides; ++s) {
        const double phi = 2.0 * std::numbers::pi * s / sides;
        points.push_back(rounded({radius * std::cos(phi), radius * std::sin(phi), -half_height}));
        points.push_back(rounded({radius * std::cos(phi), radius * std::sin(phi), half_height}));
    }
    return points;
}

Points transformed(const Points& points, double scale, const Quat& q, const Vec3d& offset) {
    const Mat3d m = rotation(q);
    Points out;
    out.reserve(points.size());
    for (const Vec3f& p : points) out.push_back(rounded(m * (to_double(p) * scale) + offset));
    return out;
}

static Points turned_sphere(const Quat& any, Random& random) {
    const Quat turn = random.chance(0.5) ? any : Quat{};
    const std::uint32_t sides = random.between(4, 10);
    return transformed(sphere_points(random.between(3, 7), sides), 1.0, turn, {});
}

Points make_points(Shape shape, Random& random) {
    const Vec3d stretch{random.uniform(0.4, 1.0), random.uniform(0.4, 1.0), random.uniform(0.4, 1.0)};
    const Quat any = random.rotation();
    switch (shape) {
        case Shape::box:
            return box_points(stretch.x, stretch.y, stretch.z);
        case Shape::rotated_box:
            return transformed(box_points(stretch.x, stretch.y, stretch.z), 1.0, any, {});
        case Shape::tetrahedron: {
            const Points regular{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
            Points out = transformed(regular, 0.8, any, {});
            for (Vec3f& p : out) {
                p = rounded({p.x * stretch.x, p.y * stretch.y, p.z * stretch.z});
            }
            return out;
        }
        case Shape::wedge: {
            Points out = box_points(stretch.x, stretch.y, stretch.z);
            out.erase(out.begin() + 7);
            out.erase(out.begin() + 5);  // both corners with x > 0, z > 0
            return transformed(out, 1.0, random.chance(0.5) ? any : Quat{}, {});
        }
        case Shape::prism:
            return transformed(prism_points(random.between(3, 12), stretch.x, stretch.y), 1.0,
                               random.chance(0.5) ? any : Quat{}, {});
        case Shape::slab: {
            const double thin = random.log_uniform(1e-3, 1e-2);
            Points out = random.chance(0.5) ? box_points(stretch.x, stretch.y, thin)
                                            : prism_points(random.between(3, 8), stretch.x, thin);
            return transformed(out, 1.0, random.chance(0.5) ? any : Quat{}, {});
        }
        case Shape::needle: {
            const double thin = random.log_uniform(1e-3, 1e-2);
            Points out = random.chance(0.5) ? box_points(thin, thin, stretch.z)
                                            : prism_points(random.between(3, 6), thin, stretch.z);
            return transformed(out, 1.0, random.chance(0.5) ? any : Quat{}, {});
        }
        case Shape::debris:
            return cloud(random.between(8, 32), 0.5, stretch, random);
        case Shape::rock:
            return cloud(random.between(32, 64), 0.05, stretch, random);
        case Shape::big:
            return cloud(random.between(128, 250), 0.0, {1, 1, 1}, random);
        case Shape::cylinder: {
            const Quat turn = random.chance(0.5) ? any : Quat{};
            return transformed(prism_points(random.between(8, 48), stretch.x, stretch.y), 1.0, turn, {});
        }
        case Shape::sphere:
            return turned_sphere(any, random);
        case Shape::octahedron:
            return transformed({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}, stretch.x,
                               random.chance(0.5) ? any : Quat{}, {});
        case Shape::pebble:
            return cloud(random.between(8, 12), 0.5, stretch, random);
        default:
            return shape >= Shape::point ? small_core(shape, stretch.x, any, random) : make_thin_points(shape, random);
    }
}

Library build_library(std::span<const Points> points, std::span<const float> radii) {
    Library library;
    library.offsets.push_back(0);
    for (const Points& p : points) {
        library.points.insert(library.points.end(), p.begin(), p.end());
        library.offsets.push_back(library.points.size());
    }
    BuildOptions options;
    options.radii = radii;
    BuildResult built = build_hulls(library.points, library.offsets, options);
    if (!built) give_up(built.failures[0].what, built.failures[0].hull, points[built.failures[0].hull].size());
    library.hulls = std::move(built.hulls);
    for (std::size_t i = 0; i < points.size(); ++i) {
        library.oracle.push_back(reference::make_oracle_hull(library.hulls.vertices(i), library.hulls[i].round_radius));
        if (library.oracle.back().vertices.empty()) give_up("the oracle found no hull", i, points[i].size());
    }
    library.shapes.resize(points.size(), Shape::box);
    return library;
}

Library random_library(std::uint64_t seed, std::uint32_t count, std::span<const Shape> shapes, double min_scale,
                       double max_scale, const Rounding& rounding) {
    std::vector<Points> points;
    std::vector<float> radii;
    std::vector<Shape> made;
    std::size_t refused = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        Random random(seed, i);
        const Shape shape = shapes[i % shapes.size()];
        for (;;) {
            Points p = make_points(shape, random);
            const double scale = random.log_uniform(min_scale, max_scale);
            const Vec3d offset = random.chance(0.25) ? random.in_ball() * (3.0 * scale) : Vec3d{};
            p = transformed(p, scale, Quat{}, offset);
            const bool small = shape == Shape::point || shape == Shape::segment;
            if (shape > Shape::pebble && !small && refused_as_flat(p)) {
                ++refused;
                continue;
            }
            points.push_back(std::move(p));
            // Numbers of their own: libraries without rounding stay as they are.
            Random rounds(seed, 0x200000000U + i);
            const bool rounded = rounding.part > 0 && (small || rounds.chance(rounding.part));
            radii.push_back(rounded ? static_cast<float>(scale * rounds.log_uniform(rounding.least, rounding.most))
                                    : 0.0F);
            break;
        }
        made.push_back(shape);
    }
    Library library = build_library(points, radii);
    library.refused = refused;
    library.shapes = std::move(made);
    return library;
}

std::span<const Shape> small_shapes() { return std::span<const Shape>(kAll).first(kShapeCount - 1); }
std::span<const Shape> all_shapes() { return kAll; }

}  // namespace lanefold::test
