// SPDX-License-Identifier: MIT
//
// Sweeps of the hull builder over seeded families of point sets. Every hull must keep all promises.
#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include <lanefold/hull_builder.hpp>

#include "support/hull_checks.hpp"
#include "support/hulls.hpp"
#include "support/sweep.hpp"

namespace lanefold::test {
namespace {

enum class Cloud : std::uint8_t {
    gauss,
    sphere,
    lattice,       // small integers: masses of exactly coplanar and collinear points, and duplicates
    rotated_grid,  // the same turned: nearly coplanar
    noisy_plane,   // a lid of points that deviate by about the merge tolerance
    lens,          // smooth and nearly flat: chains of tiny angles
    thin,          // plates down to 3e-6 of their width
    tips,          // a ball with a few points far out
    prism,         // rotated, many sides
    clusters,      // groups of points closer than any tolerance
    count,
};

// Points of a lattice of side + 1 numbers an axis.
Points lattice(std::uint32_t n, Random& random) {
    Points p;
    const std::uint32_t side = random.between(1, 5);
    for (std::uint32_t i = 0; i < 2 * n; ++i) {
        const double x = random.between(0, side), y = random.between(0, side), z = random.between(0, side);
        p.push_back(to_float(Vec3d{x, y, z}));
    }
    return p;
}

Points rotated_grid(const Mat3d& turn, Random& random) {
    Points p;
    const std::uint32_t side = random.between(1, 6);
    for (std::uint32_t i = 0; i <= side; ++i) {
        for (std::uint32_t j = 0; j <= side; ++j) {
            for (std::uint32_t k = 0; k <= side; ++k)
                p.push_back(to_float(turn * Vec3d{double(i), double(j), double(k)}));
        }
    }
    return p;
}

Points noisy_plane(std::uint32_t n, const Mat3d& turn, Random& random) {
    Points p;
    const double noise = random.log_uniform(1e-8, 1e-5);
    for (std::uint32_t i = 0; i < 3 * n; ++i) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
        p.push_back(to_float(turn * Vec3d{x, y, noise * random.uniform(-1, 1)}));
    }
    p.push_back(to_float(turn * Vec3d{0, 0, 1}));
    return p;
}

Points lens(std::uint32_t n, const Mat3d& turn, Random& random) {
    Points p;
    const double bend = random.log_uniform(1e-6, 1e-1);
    for (std::uint32_t i = 0; i < 3 * n; ++i) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
        p.push_back(to_float(turn * Vec3d{x, y, bend * (x * x + y * y)}));
    }
    p.push_back(to_float(turn * Vec3d{0, 0, 0.5}));
    return p;
}

Points thin_plate(std::uint32_t n, const Mat3d& turn, Random& random) {
    Points p;
    const double thickness = random.log_uniform(3e-6, 1e-1);
    for (std::uint32_t i = 0; i < n; ++i) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
        p.push_back(to_float(turn * Vec3d{x, y, i % 2 == 0 ? thickness : -thickness}));
    }
    return p;
}

Points make_cloud(Cloud kind, Random& random) {
    Points p;
    const auto add = [&](const Vec3d& v) { p.push_back(to_float(v)); };
    const std::uint32_t n = random.between(8, 80);
    const Mat3d turn = rotation(random.rotation());
    switch (kind) {
        case Cloud::gauss:
            for (std::uint32_t i = 0; i < n; ++i) add(random.in_ball() + random.in_ball());
            break;
        case Cloud::sphere:
            for (std::uint32_t i = 0; i < n; ++i) add(random.direction());
            break;
        case Cloud::lattice:
            return lattice(n, random);
        case Cloud::rotated_grid:
            return rotated_grid(turn, random);
        case Cloud::noisy_plane:
            return noisy_plane(n, turn, random);
        case Cloud::lens:
            return lens(n, turn, random);
        case Cloud::thin:
            return thin_plate(n, turn, random);
        case Cloud::tips:
            for (std::uint32_t i = 0; i < n; ++i) add(random.in_ball());
            for (std::uint32_t i = 0; i < 5; ++i) add(random.direction() * random.log_uniform(1, 1e4));
            break;
        case Cloud::prism: {
            const std::uint32_t sides = random.between(3, 120);
            const double radius = random.log_uniform(0.1, 10);
            const double height = random.log_uniform(0.1, 10);
            return transformed(prism_points(sides, radius, height), 1.0, random.rotation(), {});
        }
        case Cloud::clusters:
            for (std::uint32_t i = 0; i < 8; ++i) {
                const Vec3d c = random.direction();
                for (std::uint32_t k = 0; k < 6; ++k) add(c + random.in_ball() * random.log_uniform(1e-8, 1e-5));
            }
            break;
        case Cloud::count:
            break;
    }
    return p;
}

TEST(HullSweep, EveryCloudKeepsEveryPromise) {
    const std::uint32_t count = sweep_pairs(3000, 200000);
    const std::uint64_t seed = sweep_seed(20);
    std::uint32_t built = 0;
    std::uint32_t merged = 0;
    std::uint32_t dropped = 0;
    std::uint32_t boxes = 0;
    std::uint32_t refused = 0;
    std::map<Cloud, std::uint32_t> by_kind;
    double worst = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        Random random(seed, i);
        const auto kind = static_cast<Cloud>(i % static_cast<std::uint32_t>(Cloud::count));
        Points p = make_cloud(kind, random);
        if (random.chance(0.3)) {
            const Vec3d offset = random.direction() * random.log_uniform(1, 1e4);
            for (Vec3f& v : p) v = to_float(to_double(v) + offset);
        }
        BuildOptions options;
        options.threads = 1;
        options.merge_coplanar = !random.chance(0.2);
        const BuildResult r = build_hull(p, options);
        if (!r) {
            // A set can be flat by rounding far from the origin, and by chance in the smallest lattices.
            ++refused;
            const HullError e = r.failures[0].error;
            ASSERT_TRUE(e == HullError::flat || e == HullError::collinear || e == HullError::too_few_points)
                << "case " << i << ": " << to_string(e);
            continue;
        }
        HullExpectation expect;
        expect.merged = options.merge_coplanar;
        const std::string problem = check_hull(r.hulls, 0, p, expect);
        ASSERT_EQ(problem, "") << "case " << i << " of kind " << int(kind) << ", seed " << seed;
        const HullInfo& info = r.hulls.info(0);
        ++built;
        ++by_kind[kind];
        merged += options.merge_coplanar && info.merged_faces > 0 ? 1U : 0U;
        dropped += info.dropped_vertices > 0 ? 1U : 0U;
        boxes += r.hulls[0].is_box() ? 1U : 0U;
        worst = std::max(worst, info.deviation);
        EXPECT_GT(info.mass.volume, 0.0);
    }
    std::printf(
        "seed %llu: %u hulls, %u with merges, %u with dropped vertices, %u boxes, %u refused, worst deviation %g\n",
        static_cast<unsigned long long>(seed), built, merged, dropped, boxes, refused, worst);
    EXPECT_GT(built, count * 9 / 10);
    EXPECT_GT(merged, count / 5);
    EXPECT_GT(dropped, count / 20);
    EXPECT_GT(boxes, count / 200);
    EXPECT_GT(worst, 2e-7);
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(Cloud::count); ++k) {
        EXPECT_GT(by_kind[static_cast<Cloud>(k)], count / 25) << "kind " << k;
    }
}

// The library of shapes that all other tests build from.
TEST(HullSweep, EveryTestShapeKeepsEveryPromise) {
    for (const Shape shape : all_shapes()) {
        for (std::uint64_t i = 0; i < 40; ++i) {
            Random random(7, i);
            const Points p = make_points(shape, random);
            const BuildResult r = build_hull(p);
            ASSERT_TRUE(r) << to_string(shape) << " " << i;
            ASSERT_EQ(check_hull(r.hulls, 0, p), "") << to_string(shape) << " " << i;
            if (shape == Shape::box || shape == Shape::rotated_box) {
                EXPECT_TRUE(r.hulls[0].is_box()) << i;
            }
        }
    }
}

}  // namespace
}  // namespace lanefold::test
