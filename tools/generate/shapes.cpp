// SPDX-License-Identifier: MIT
//
// Hull shapes: points on a bumpy ellipsoid, or the intersection of half-spaces. A shape is drawn again until its hull
// has a number of vertices that its kind allows.

#include "generate/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>

#include "console/failure.hpp"
#include "console/thread_count.hpp"
#include "generate/random.hpp"

namespace lanefold::tools {

namespace {

constexpr std::array<std::pair<std::string_view, ShapeKind>, 6> kNames{{{"boxes", ShapeKind::boxes},
                                                                        {"debris", ShapeKind::debris},
                                                                        {"rocks", ShapeKind::rocks},
                                                                        {"big", ShapeKind::big},
                                                                        {"mixed", ShapeKind::mixed},
                                                                        {"gravel", ShapeKind::gravel}}};

// Radii of gravel, metres.
constexpr double kLeastRadius = 0.08;
constexpr double kMostRadius = 0.3;

// Vertices closer together than this (metres) make slivers, which modelled shapes do not have; such a shape is drawn
// again. Big hulls have smaller facets and therefore a smaller limit.
constexpr double kShortestEdge = 0.01;
constexpr double kShortestEdgeBig = 0.002;

// Most draws for one shape. Each kind needs fewer than 20 on average.
constexpr std::uint64_t kMaxAttempts = 4000;

// Widths of a shape along its axes: pebbles and stones are neither spheres nor needles.
Vec3d random_scale(Random& random, double low, double high) {
    const double x = random.range(low, high);
    const double y = random.range(low, high);
    return {x, y, random.range(low, high)};
}

Vec3d scaled(const Vec3d& v, const Vec3d& s) { return {v.x * s.x, v.y * s.y, v.z * s.z}; }

using Points = std::vector<Vec3f>;

BuildOptions one_thread() {
    BuildOptions options;
    options.threads = 1;
    return options;
}

// The vertices of the polyhedron { x : p_i . x <= 1 } around the origin, by duality: the hull of the points p_i
// has a face for every vertex. Empty when the planes do not close.
Points dual_vertices(const Points& poles) {
    BuildOptions options = one_thread();
    options.merge_coplanar = false;
    options.recognize_boxes = false;
    const BuildResult built = build_hull(poles, options);
    if (!built) return {};
    const detail::HullView view(built.hulls[0]);
    const std::span<const Vec3f> p = built.hulls.vertices(0);
    Points out;
    for (std::uint32_t f = 0; f < built.hulls[0].face_count; ++f) {
        const std::uint32_t slot = view.face_first[f];
        const Vec3d a = to_double(p[view.face_vertex[slot]]);
        const Vec3d b = to_double(p[view.face_vertex[slot + 1]]);
        const Vec3d c = to_double(p[view.face_vertex[slot + 2]]);
        // a.x = b.x = c.x = 1 by Cramer's rule.
        const double determinant = dot(a, cross(b, c));
        if (!(determinant > 1e-9)) return {};
        out.push_back(to_float((cross(b, c) + cross(c, a) + cross(a, b)) * (1.0 / determinant)));
    }
    return out;
}

Points box_points(Random& random) {
    const Vec3d half = to_double(to_float(random_scale(random, 0.15, 0.55)));
    Points points;
    for (int c = 0; c < 8; ++c) {
        points.push_back(to_float(
            {(c & 1) != 0 ? half.x : -half.x, (c & 2) != 0 ? half.y : -half.y, (c & 4) != 0 ? half.z : -half.z}));
    }
    return points;
}

// A box with corners and edges broken off: flat faces with three to eight sides.
Points broken_box_points(Random& random) {
    const Vec3d half = random_scale(random, 0.3, 0.75);
    Points poles{to_float({1 / half.x, 0, 0}),  to_float({-1 / half.x, 0, 0}), to_float({0, 1 / half.y, 0}),
                 to_float({0, -1 / half.y, 0}), to_float({0, 0, 1 / half.z}),  to_float({0, 0, -1 / half.z})};
    const std::uint32_t cuts = random.between(1, 9);
    for (std::uint32_t i = 0; i < cuts; ++i) {
        const Vec3d n = random.direction();
        // Between a third of the way to the box's corner in this direction and just short of it.
        const double corner = std::fabs(n.x) * half.x + std::fabs(n.y) * half.y + std::fabs(n.z) * half.z;
        poles.push_back(to_float(n * (1.0 / (corner * random.range(0.45, 0.95)))));
    }
    return dual_vertices(poles);
}

// Points near the surface of an ellipsoid. Points inside their hull are no vertices.
Points pebble_points(Random& random, std::uint32_t count, double bump, double half_low, double half_high) {
    const Vec3d half = random_scale(random, half_low, half_high);
    Points points;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3d n = random.direction();
        points.push_back(to_float(scaled(n * (1.0 - bump * random.unit()), half)));
    }
    return points;
}

// Directions with distances between them: each is the best of ten candidates, the one furthest from all earlier ones.
// Facets at independent random directions would leave slivers between them.
std::vector<Vec3d> spread_directions(Random& random, std::uint32_t count) {
    std::vector<Vec3d> chosen;
    for (std::uint32_t i = 0; i < count; ++i) {
        Vec3d best;
        double best_cosine = 2;
        for (int candidate = 0; candidate < 10; ++candidate) {
            const Vec3d n = random.direction();
            double cosine = -1;
            for (const Vec3d& c : chosen) cosine = std::max(cosine, dot(c, n));
            if (cosine < best_cosine) {
                best = n;
                best_cosine = cosine;
            }
        }
        chosen.push_back(best);
    }
    return chosen;
}

// Flat facets all around an ellipsoid. A polyhedron whose vertices all have three faces has 2 F - 4 of them.
Points stone_points(Random& random, std::uint32_t vertices, double bump, double half_low, double half_high) {
    const Vec3d half = random_scale(random, half_low, half_high);
    Points poles;
    for (const Vec3d& n : spread_directions(random, vertices / 2 + 2)) {
        const double r = 1.0 - bump * random.unit();
        poles.push_back(to_float({n.x / (half.x * r), n.y / (half.y * r), n.z / (half.z * r)}));
    }
    return dual_vertices(poles);
}

struct Range {
    std::uint32_t least;
    std::uint32_t most;
};

Range vertex_range(ShapeKind kind) {
    switch (kind) {
        case ShapeKind::debris:
            return {8, 32};
        case ShapeKind::rocks:
            return {32, 64};
        case ShapeKind::big:
            return {128, 250};
        default:
            return {8, 8};
    }
}

Points draw(ShapeKind kind, bool flat, Random& random) {
    const Range range = vertex_range(kind);
    const std::uint32_t wanted = random.between(range.least, range.most);
    switch (kind) {
        case ShapeKind::debris:
            return flat ? broken_box_points(random) : pebble_points(random, wanted, 0.5, 0.35, 0.85);
        case ShapeKind::rocks:
            return flat ? stone_points(random, wanted, 0.06, 0.35, 0.7)
                        : pebble_points(random, wanted + wanted / 3, 0.08, 0.4, 0.7);
        case ShapeKind::big:
            return flat ? stone_points(random, wanted, 0.004, 0.4, 0.75)
                        : pebble_points(random, wanted, 0.002, 0.4, 0.75);
        default:
            return box_points(random);
    }
}

bool has_short_edge(const HullSet& hulls, double shortest) {
    const detail::HullView view(hulls[0]);
    const std::span<const Vec3f> v = hulls.vertices(0);
    for (std::uint32_t e = 0; e < hulls[0].edge_count; ++e) {
        const Vec3d along = to_double(v[view.edge_vertex[2 * e]]) - to_double(v[view.edge_vertex[2 * e + 1]]);
        if (length_squared(along) < shortest * shortest) return true;
    }
    return false;
}

// Moves the centre of mass to the origin and keeps the hull's vertices only. Returns nothing if the points have no
// hull.
std::optional<Points> centred(const Points& points) {
    const BuildResult built = build_hull(points, one_thread());
    if (!built) return std::nullopt;
    const Vec3d centre = built.hulls.info(0).mass.centre_of_mass;
    Points moved;
    for (const Vec3f& p : built.hulls.vertices(0)) moved.push_back(to_float(to_double(p) - centre));
    return moved;
}

ShapeKind kind_of(ShapeKind kind, std::uint64_t seed, std::uint32_t index) {
    if (kind != ShapeKind::mixed) return kind;
    const std::uint32_t lot = Random(seed, index, kMaxAttempts).below(100);
    if (lot < 35) return ShapeKind::boxes;
    if (lot < 70) return ShapeKind::debris;
    return lot < 90 ? ShapeKind::rocks : ShapeKind::big;
}

Points shape(ShapeKind wanted, std::uint64_t seed, std::uint32_t index) {
    if (wanted == ShapeKind::gravel) return {{0, 0, 0}};
    const ShapeKind kind = kind_of(wanted, seed, index);
    const Range range = vertex_range(kind);
    const double shortest = kind == ShapeKind::big ? kShortestEdgeBig : kShortestEdge;
    // The way is chosen once for all attempts. If each attempt chose, the way that fails more often would be rare.
    const bool flat = Random(seed, index, kMaxAttempts + 1).below(2) == 0;
    for (std::uint64_t attempt = 0; attempt < kMaxAttempts; ++attempt) {
        Random random(seed, index, attempt);
        Points points = draw(kind, flat, random);
        if (points.size() < 4) continue;
        if (kind == ShapeKind::boxes) return points;  // centred as drawn
        const std::optional<Points> moved = centred(points);
        if (!moved || moved->size() < range.least || moved->size() > range.most) continue;
        // The move rounds coordinates, so a vertex that hardly stood out can be lost: the hull is built again.
        const BuildResult built = build_hull(*moved, one_thread());
        if (built && built.hulls[0].vertex_count == moved->size() && !has_short_edge(built.hulls, shortest))
            return *moved;
    }
    throw Failure(ExitCode::interrupted, fmt::format("no hull of kind {} in {} attempts (seed {}, hull {})",
                                                     to_string(kind), kMaxAttempts, seed, index));
}

}  // namespace

std::optional<ShapeKind> parse_shape_kind(std::string_view name) {
    const auto* const at = std::find_if(kNames.begin(), kNames.end(), [&](const auto& n) { return n.first == name; });
    if (at == kNames.end()) return std::nullopt;
    return at->second;
}

std::string_view to_string(ShapeKind kind) { return kNames[static_cast<std::size_t>(kind)].first; }

Shapes generate_shapes(ShapeKind kind, std::uint32_t count, std::uint64_t seed, std::uint32_t threads) {
    std::vector<Points> all(count);
    tbb::task_arena arena(arena_size(threads));
    arena.execute(
        [&] { tbb::parallel_for(std::uint32_t{0}, count, [&](std::uint32_t i) { all[i] = shape(kind, seed, i); }); });
    Shapes out;
    for (const Points& points : all) {
        out.vertices.insert(out.vertices.end(), points.begin(), points.end());
        out.offsets.push_back(out.vertices.size());
        const bool round = kind == ShapeKind::gravel;
        Random random(seed, out.radius.size());
        out.radius.push_back(round ? static_cast<float>(random.range(kLeastRadius, kMostRadius)) : 0.0F);
    }
    BuildOptions options;
    options.threads = threads;
    options.radii = out.radius;
    BuildResult built = build_hulls(out.vertices, out.offsets, options);
    if (!built)
        throw Failure(ExitCode::interrupted,
                      fmt::format("hull {}: {}", built.failures[0].hull, built.failures[0].what));
    out.hulls = std::move(built.hulls);
    return out;
}

}  // namespace lanefold::tools
