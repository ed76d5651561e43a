// SPDX-License-Identifier: MIT
//
// Shapes for the builder: the error that they report against the support of the true shape in many directions, and what
// is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>

#include <lanefold/hull_builder.hpp>
#include <lanefold/shapes.hpp>

#include "support/random.hpp"

namespace lanefold::test {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Support of the hull of the shape's points, rounded.
double support(const HullSet& hulls, const Vec3d& u) {
    double most = -1e300;
    for (const Vec3f& p : hulls.vertices(0)) most = std::max(most, dot(u, to_double(p)));
    return most + static_cast<double>(hulls[0].round_radius);
}

// The largest and the least difference of the supports, of the true shape less the hull: the distances of the two
// surfaces, because the hull is convex.
struct Measured {
    double most = 0;
    double least = 1e300;
};

Measured measure(const Shape& shape, const std::function<double(const Vec3d&)>& truth) {
    BuildOptions options;
    options.radius = shape.radius;
    const BuildResult built = build_hull(shape.points, options);
    EXPECT_TRUE(built) << built.failures.front().what;
    Measured out;
    if (!built) return out;
    Random random(5);
    const auto look = [&](const Vec3d& u) {
        const double d = truth(u) - support(built.hulls, u);
        out.most = std::max(out.most, d);
        out.least = std::min(out.least, d);
    };
    const bool large = shape.points.size() > 300;
    for (int i = 0; i < (large ? 4000 : 20000); ++i) look(rotation(random.rotation()) * Vec3d{1, 0, 0});
    // Halfway between the meridians, where the error is largest.
    for (int k = 0; k < 2048; ++k) {
        for (int j = -64; j <= 64; ++j) {
            if ((k + j) % (large ? 32 : 8) != 0) continue;
            const double a = 2 * kPi * k / 2048, b = 0.5 * kPi * j / 64;
            look({std::cos(a) * std::cos(b), std::sin(b), std::sin(a) * std::cos(b)});
        }
    }
    return out;
}

void expect_error(const char* name, const Shape& shape, double wanted,
                  const std::function<double(const Vec3d&)>& truth) {
    ASSERT_TRUE(shape) << name << ": " << shape.what;
    const Measured m = measure(shape, truth);
    std::printf("%-16s wanted %-8.3g says %-10.4g is %-10.4g with %zu points\n", name, wanted, shape.error, m.most,
                shape.points.size());
    EXPECT_LE(m.most, shape.error) << name;
    EXPECT_GE(m.most, 0.4 * shape.error - 1e-6) << name;
    EXPECT_GE(m.least, -1e-6) << name << ": the hull lies within the shape";
    EXPECT_LE(shape.error, wanted * 1.00001 + 1e-6) << name;
}

TEST(Shapes, HaveTheErrorThatTheyReport) {
    for (const double wanted : {0.1, 0.01, 0.001}) {
        for (const double rim : {0.0, 0.125}) {
            expect_error(
                rim == 0 ? "cylinder" : "rounded cylinder", cylinder(0.5, 2, wanted, rim), wanted,
                [&](const Vec3d& u) { return (0.5 - rim) * std::hypot(u.x, u.z) + (1 - rim) * std::fabs(u.y) + rim; });
        }
        expect_error("cone", cone(0.5, 2, wanted), wanted,
                     [](const Vec3d& u) { return std::max(1.5 * u.y, 0.5 * std::hypot(u.x, u.z) - 0.5 * u.y); });
        for (const double second : {0.25, 1.0, 0.5}) {
            expect_error("tapered capsule", tapered_capsule(0.5, second, 2, wanted), wanted,
                         [&](const Vec3d& u) { return std::max(0.5 - u.y, second + u.y); });
        }
    }
    for (const double wanted : {0.1, 0.02, 0.005}) {
        const Vec3d axes[] = {{1, 1, 1}, {2, 1, 0.5}, {0.5, 2, 1}};
        for (const Vec3d& a : axes) {
            expect_error("ellipsoid", ellipsoid(a.x, a.y, a.z, wanted), wanted,
                         [&](const Vec3d& u) { return std::hypot(a.x * u.x, a.y * u.y, a.z * u.z); });
        }
    }
}

TEST(Shapes, SpheresAndCapsulesAreExact) {
    const Shape ball = sphere(0.5);
    ASSERT_TRUE(ball);
    EXPECT_EQ(ball.points.size(), 1U);
    EXPECT_EQ(ball.radius, 0.5F);
    EXPECT_LT(ball.error, 1e-7);
    expect_error("capsule", capsule(0.25, 2), 1e-6, [](const Vec3d& u) { return 0.25 + std::fabs(u.y); });
    EXPECT_EQ(capsule(0.25, 2).points.size(), 2U);
    // One ball within the other.
    const Shape within = tapered_capsule(2, 0.5, 1, 0.01);
    ASSERT_TRUE(within);
    EXPECT_EQ(within.points.size(), 1U);
    EXPECT_EQ(within.points[0].y, -0.5F);
    EXPECT_EQ(within.radius, 2.0F);
}

// A cylinder of so small an error has 4 sides where that is enough, and more as it shrinks with the square.
TEST(Shapes, SidesFollowTheError) {
    EXPECT_EQ(cylinder(1, 1, 0.5).points.size(), 8U);
    EXPECT_EQ(cylinder(1, 1, 0.01).points.size(), 2 * 24U);
    EXPECT_EQ(cylinder(1, 1, 0.0001).points.size(), 2 * 224U);
    // The points are on the axes.
    const Shape shape = cylinder(1, 1, 0.01);
    for (const Vec3f& p : shape.points) EXPECT_TRUE(p.x != 0 || std::fabs(p.z) == 1);
    EXPECT_EQ(shape.points[0].z, 0);
}

TEST(Shapes, WhatIsNoShapeIsRefused) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    for (const double bad : {0.0, -1.0, inf, nan, 1e13, 1e-13}) {
        for (const Shape& shape :
             {sphere(bad), capsule(bad, 1), capsule(1, bad), cylinder(bad, 1, 0.1), cylinder(1, bad, 0.1),
              cylinder(1, 1, bad), cone(bad, 1, 0.1), cone(1, bad, 0.1), cone(1, 1, bad),
              tapered_capsule(bad, 1, 1, 0.1), tapered_capsule(1, bad, 1, 0.1), tapered_capsule(1, 2, bad, 0.1),
              tapered_capsule(1, 2, 3, bad), ellipsoid(bad, 1, 1, 0.1), ellipsoid(1, bad, 1, 0.1),
              ellipsoid(1, 1, bad, 0.1), ellipsoid(1, 1, 1, bad)}) {
            EXPECT_FALSE(shape) << bad;
            EXPECT_NE(std::string(shape.what), "") << bad;
        }
    }
    EXPECT_FALSE(cylinder(1, 1, 0.1, -0.1));
    EXPECT_FALSE(cylinder(1, 1, 0.1, 0.5));
    EXPECT_FALSE(cylinder(0.25, 1, 0.1, 0.25));
    EXPECT_FALSE(cylinder(1, 1, 1e-9));
    EXPECT_FALSE(ellipsoid(1, 1, 1, 1e-9));
}

}  // namespace
}  // namespace lanefold::test
