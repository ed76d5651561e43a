// SPDX-License-Identifier: MIT
//
// Geometry that is hard for hull builders: the result must be right, in bounded time.
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/hull_builder.hpp>

#include "support/hull_checks.hpp"
#include "support/hulls.hpp"
#include "support/sweep.hpp"

namespace lanefold::test {
namespace {

HullRecord build_and_check(const Points& p, const char* name, HullSet* out = nullptr) {
    const BuildResult r = build_hull(p);
    EXPECT_TRUE(r) << name;
    if (!r) return {};
    EXPECT_EQ(check_hull(r.hulls, 0, p), "") << name;
    if (out != nullptr) *out = r.hulls;
    const HullRecord& h = r.hulls[0];
    std::printf("%s: %zu points, V %u F %u E %u, deviation %g\n", name, p.size(), h.vertex_count, h.face_count,
                h.edge_count, r.hulls.info(0).deviation);
    return h;
}

TEST(HullHard, ManyPointsOnASphere) {
    Random random(111);
    Points p;
    const std::uint32_t count = long_run() ? 100000 : 30000;
    for (std::uint32_t i = 0; i < count; ++i) p.push_back(to_float(random.direction()));
    const HullRecord h = build_and_check(p, "sphere");
    EXPECT_GT(h.vertex_count, count - count / 100);
}

TEST(HullHard, HundredThousandPointsInAndOnABody) {
    Random random(112);
    Points inside;
    Points surface;
    const Mat3d turn = rotation(random.rotation());
    for (int i = 0; i < 100000; ++i) {
        inside.push_back(to_float(random.in_ball() + random.in_ball()));
        Vec3d v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        (i % 3 == 0 ? v.x : i % 3 == 1 ? v.y : v.z) = i / 3 % 2 == 0 ? -1 : 1;
        surface.push_back(to_float(turn * v));
    }
    EXPECT_LT(build_and_check(inside, "two balls' sum").vertex_count, 5000U);
    EXPECT_LT(build_and_check(surface, "turned cube's surface").vertex_count, 1000U);
}

TEST(HullHard, CylinderOfAThousandSides) {
    for (const std::uint32_t sides : {1000U, 5000U}) {
        const Points p = prism_points(sides, 1, 0.5);
        const HullRecord h = build_and_check(p, "cylinder");
        if (sides == 1000) {
            EXPECT_EQ(h.face_count, 1002U);
        }
        build_and_check(transformed(p, 1.0, Quat{0.1, 0.2, 0.3, std::sqrt(1 - 0.14)}, {}), "turned cylinder");
    }
}

TEST(HullHard, IntegerParaboloid) {
    // Every point a vertex, all coordinates exact, quads of four cocircular points everywhere.
    Points p;
    for (int i = -40; i <= 40; ++i) {
        for (int j = -40; j <= 40; ++j) p.push_back({float(i), float(j), float(i * i + j * j)});
    }
    EXPECT_EQ(build_and_check(p, "paraboloid").vertex_count, p.size());
}

TEST(HullHard, LatticeBall) {
    Points p;
    const int r = 25;
    for (int i = -r; i <= r; ++i) {
        for (int j = -r; j <= r; ++j) {
            for (int k = -r; k <= r; ++k) {
                if (i * i + j * j + k * k <= r * r) p.push_back({float(i), float(j), float(k)});
            }
        }
    }
    EXPECT_EQ(build_and_check(p, "lattice ball").vertex_count % 8, 6U);  // 6 on the axes, the others in eights
}

TEST(HullHard, ShallowBowl) {
    // Angles of 1e-6 between neighbouring faces everywhere: merging must stay sound and stop.
    for (const double bend : {1e-6, 1e-5, 1e-4}) {
        Points p;
        const int n = 60;
        for (int i = 0; i <= n; ++i) {
            for (int j = 0; j <= n; ++j) {
                const double x = 2.0 * i / n - 1;
                const double y = 2.0 * j / n - 1;
                p.push_back(to_float({x, y, bend * (x * x + y * y)}));
            }
        }
        p.push_back({0, 0, 1});
        build_and_check(p, "bowl");
    }
}

TEST(HullHard, LongSharpTips) {
    Random random(113);
    Points p;
    for (int i = 0; i < 1000; ++i) p.push_back(to_float(random.in_ball()));
    for (const double reach : {1e2, 1e4, 1e6}) {
        Points q = p;
        for (int i = 0; i < 6; ++i) q.push_back(to_float(random.direction() * reach * random.uniform(0.5, 1)));
        build_and_check(q, "tips");
    }
}

TEST(HullHard, SevenOfFifteenPointsOnAPlane) {
    std::uint32_t heptagons = 0;
    for (std::uint64_t i = 0; i < 300; ++i) {
        Random random(114, i);
        Points p;
        for (int k = 0; k < 7; ++k) {
            // On a circle of a lattice plane: 3-4-5 points are exact.
            static constexpr float kCircle[7][2] = {{5, 0}, {4, 3}, {3, 4}, {0, 5}, {-3, 4}, {-5, 0}, {0, -5}};
            p.push_back({kCircle[k][0], kCircle[k][1], 0});
        }
        for (int k = 0; k < 8; ++k) {
            p.push_back(to_float({random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(0.1, 5)}));
        }
        const BuildResult r = build_hull(p);
        ASSERT_TRUE(r);
        ASSERT_EQ(check_hull(r.hulls, 0, p), "") << i;
        const auto faces = input_faces(r.hulls, 0);
        for (const auto& f : faces) heptagons += f.size() == 7 ? 1U : 0U;
    }
    EXPECT_EQ(heptagons, 300U);
}

TEST(HullHard, TetrahedronOfACubesCorners) {
    const Points p = {{1, 1, -1}, {1, -1, -1}, {-1, -1, -1}, {1, -1, 1}};
    const HullRecord h = build_and_check(p, "tetrahedron");
    EXPECT_EQ(h.vertex_count, 4U);
    EXPECT_EQ(h.face_count, 4U);
}

TEST(HullHard, NearFlatHullOfSixVertices) {
    const Points p = {{-.0611590669F, -.13801524F, -.158372656F}, {.0620514415F, .135089189F, -.159879193F},
                      {-.105518319F, -.100999095F, -.188289702F}, {-.107238553F, -.102976903F, .1569262F},
                      {-.0851279497F, -.122304708F, .156887323F}, {-.0590926372F, -.104567274F, -.242715642F}};
    EXPECT_EQ(build_and_check(p, "six vertices").vertex_count, 6U);
}

TEST(HullHard, HugeAndTinyTogether) {
    // A triangle prism of hundreds of metres, a plate of 20 km, a pebble of 1e-10, a planet of 1e12.
    build_and_check(prism_points(3, 400, 0.5), "large prism");
    EXPECT_TRUE(build_and_check(box_points(10000, 10000, 0.5), "ground").is_box());
    EXPECT_TRUE(build_and_check(box_points(1e-10, 2e-10, 3e-10), "pebble").is_box());
    EXPECT_TRUE(build_and_check(box_points(1e12, 1e12, 2e12), "planet").is_box());
    Random random(115);
    Points rock = make_points(Shape::rock, random);
    for (const double scale : {1e-14, 1e-6, 1e6, 1e14}) build_and_check(transformed(rock, scale, {}, {}), "rock");
}

TEST(HullHard, NeedlesAndThreads) {
    for (const double width : {1e-2, 1e-4, 3e-6}) {
        for (std::uint64_t i = 0; i < 50; ++i) {
            Random random(116, i);
            Points p;
            for (int k = 0; k < 40; ++k) {
                p.push_back(
                    to_float({random.uniform(-1, 1), width * random.uniform(-1, 1), width * random.uniform(-1, 1)}));
            }
            const Points q = transformed(p, 1.0, random.rotation(), {});
            const BuildResult r = build_hull(q);
            if (!r) {  // a needle can be thinner than the builder accepts
                ASSERT_EQ(r.failures[0].error, HullError::flat) << i;
                ASSERT_LT(width, 1e-5);
                continue;
            }
            ASSERT_EQ(check_hull(r.hulls, 0, q), "") << width << " " << i;
        }
    }
}

// Points of every decade down to the least float32 beside the corners and the edges of a body. Without a grain the area
// of the faces between them vanished, and their normals were no numbers.
TEST(HullHard, PointsCloserThanFloat64Resolves) {
    int built = 0;
    int joined = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        Random random(117, i);
        const double size = std::pow(10.0, random.uniform(-3, 4));
        const auto tiny = [&] { return (random.chance(0.5) ? size : -size) * std::pow(10.0, random.uniform(-45, -9)); };
        Points p = {to_float({0, 0, 0}), to_float({size, 0, 0}), to_float({0, size, 0}), to_float({0, 0, -size})};
        const int more = 1 + static_cast<int>(random.uniform(0, 6));
        for (int k = 0; k < more; ++k) {
            const double along = random.chance(0.5) ? 0.0 : random.uniform(0, 1) * size;
            p.push_back(to_float({along + tiny(), tiny(), tiny()}));
        }
        BuildOptions options;
        options.merge_coplanar = random.chance(0.5);
        options.threads = 1;
        const BuildResult r = build_hull(p, options);
        ASSERT_TRUE(r) << i << ": " << r.failures[0].what;
        ASSERT_EQ(check_hull(r.hulls, 0, p), "") << i;
        built += 1;
        joined += r.hulls[0].vertex_count < p.size() ? 1 : 0;
    }
    std::printf("%d hulls, %d of them with fewer vertices than points\n", built, joined);
    EXPECT_GT(joined, 1000);
}

// A cloud within a few grains of a corner. The time must not grow with the square of its points.
TEST(HullHard, HundredThousandPointsAtOneCorner) {
    Random random(118);
    Points p = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    for (int k = 0; k < 100'000; ++k)
        p.push_back(to_float(Vec3d{random.uniform(-1, 2), random.uniform(-1, 1), random.uniform(-1, 1)} * 1e-13));
    EXPECT_LT(build_and_check(p, "corner").vertex_count, 100U);
}

TEST(HullHard, FarFromItsOwnOrigin) {
    // Far from the origin float32 is a coarse grid; the hull of the rounded points must be right.
    for (const double distance : {1e2, 1e4, 1e6, 1e7}) {
        for (std::uint64_t i = 0; i < 40; ++i) {
            Random random(117, i);
            Points p = make_points(static_cast<Shape>(i % kShapeCount), random);
            for (Vec3f& v : p) v = to_float(to_double(v) + Vec3d{distance, -distance / 2, distance / 3});
            const BuildResult r = build_hull(p);
            if (!r) {
                ASSERT_NE(r.failures[0].error, HullError::internal);
                ASSERT_GE(distance, 1e4);
                continue;
            }
            ASSERT_EQ(check_hull(r.hulls, 0, p), "") << distance << " " << i;
        }
    }
}

}  // namespace
}  // namespace lanefold::test
