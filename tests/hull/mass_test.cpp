// SPDX-License-Identifier: MIT
//
// Volume, centre of mass and inertia against closed forms, in input coordinates.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <lanefold/detail/angles.hpp>
#include <lanefold/hull_builder.hpp>

#include "hull/geometry.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

MassProperties mass_of(const Points& p) {
    const BuildResult r = build_hull(p);
    EXPECT_TRUE(r);
    return r.hulls.info(0).mass;
}

void expect_near(const Vec3d& a, const Vec3d& b, double bound) {
    EXPECT_NEAR(a.x, b.x, bound);
    EXPECT_NEAR(a.y, b.y, bound);
    EXPECT_NEAR(a.z, b.z, bound);
}

void expect_near(const Mat3d& a, const Mat3d& b, double bound) {
    for (int i = 0; i < 3; ++i) expect_near(a.row[i], b.row[i], bound);
}

Mat3d diagonal(double x, double y, double z) { return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}}; }

TEST(HullMass, Box) {
    const MassProperties m = mass_of(box_points(1, 2, 4));
    EXPECT_DOUBLE_EQ(m.volume, 64.0);
    expect_near(m.centre_of_mass, {}, 1e-15);
    expect_near(m.inertia, diagonal(64.0 / 3 * (4 + 16), 64.0 / 3 * (1 + 16), 64.0 / 3 * (1 + 4)), 1e-12);
}

TEST(HullMass, CornerTetrahedron) {
    // (0,0,0) and the unit points: volume 1/6, centre 1/4; about the centre 3/80 V' on the diagonal, and the
    // product of inertia -(-1/80) off it, with 6 V = 1.
    const MassProperties m = mass_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    EXPECT_NEAR(m.volume, 1.0 / 6, 1e-16);
    expect_near(m.centre_of_mass, {0.25, 0.25, 0.25}, 1e-15);
    const double d = 1.0 / 80;
    const double o = 1.0 / 480;
    expect_near(m.inertia, {{{d, o, o}, {o, d, o}, {o, o, d}}}, 1e-16);
}

TEST(HullMass, PrismOfManySides) {
    const std::uint32_t n = 64;
    const double r = 1.5;
    const double h = 0.75;
    const MassProperties m = mass_of(prism_points(n, r, h));
    const double pi = std::acos(-1.0);
    const double area = 0.5 * n * r * r * std::sin(2 * pi / n);
    const double volume = area * 2 * h;
    // Polar second moment of a regular polygon, per area.
    const double polar = r * r / 6 * (2 + std::cos(2 * pi / n));
    EXPECT_NEAR(m.volume, volume, 1e-6 * volume);
    const double across = volume * (polar / 2 + h * h / 3);
    expect_near(m.inertia, diagonal(across, across, volume * polar), 1e-6 * volume * r * r);
}

TEST(HullMass, MovesWithTheHull) {
    for (std::uint64_t i = 0; i < 100; ++i) {
        Random random(81, i);
        const Points p = make_points(static_cast<Shape>(i % kShapeCount), random);
        const Quat q = random.rotation();
        const Vec3d offset = random.direction() * 3.0;
        const double scale = random.log_uniform(0.1, 10);
        const MassProperties a = mass_of(p);
        const MassProperties b = mass_of(transformed(p, scale, q, offset));
        // Rounding the points to float32 moves them by up to 3e-7; slabs and needles are 1e-3 thick.
        const double loose = 1e-3;
        const Mat3d turn = rotation(q);
        EXPECT_NEAR(b.volume, a.volume * std::pow(scale, 3), loose * a.volume * std::pow(scale, 3)) << i;
        expect_near(b.centre_of_mass, turn * (a.centre_of_mass * scale) + offset, loose * scale);
        const Mat3d expected = turn * a.inertia * transpose(turn);
        const double largest = a.inertia.row[0].x + a.inertia.row[1].y + a.inertia.row[2].z;
        for (int r = 0; r < 3; ++r) {
            expect_near(b.inertia.row[r], expected.row[r] * std::pow(scale, 5), loose * largest * std::pow(scale, 5));
        }
    }
}

TEST(HullMass, ShiftLosesNoDigits) {
    // Exactly representable shift: the same body, so the same mass and inertia to the last digits.
    Points p = box_points(0.5, 0.25, 1);
    p.push_back({0, 0, 1.5F});
    Points q = p;
    for (Vec3f& v : q) v = v + Vec3f{4096, -8192, 2048};
    const MassProperties a = mass_of(p);
    const MassProperties b = mass_of(q);
    EXPECT_EQ(a.volume, b.volume);
    EXPECT_EQ(a.inertia, b.inertia);
    expect_near(b.centre_of_mass, a.centre_of_mass + Vec3d{4096, -8192, 2048}, 2e-12);
}

TEST(HullMass, BallOfManyPointsComesCloseToTheBall) {
    Points p;
    Random random(82);
    for (int i = 0; i < 5000; ++i) p.push_back(to_float(random.direction() * 2.0));
    const MassProperties m = mass_of(p);
    const double pi = std::acos(-1.0);
    const double volume = 4.0 / 3 * pi * 8;
    EXPECT_LT(m.volume, volume);
    EXPECT_NEAR(m.volume, volume, 3e-3 * volume);
    expect_near(m.inertia, diagonal(0.4 * volume * 4, 0.4 * volume * 4, 0.4 * volume * 4), 6e-3 * volume * 4);
}

TEST(HullMass, EdgeAngleWarnsOfFlicker) {
    const double pi = std::acos(-1.0);
    for (const std::uint32_t n : {3U, 8U, 32U, 35U, 37U, 64U, 200U}) {
        const BuildResult r = build_hull(prism_points(n, 1, 1));
        ASSERT_TRUE(r);
        const double angle = std::min(2 * pi / n, pi / 2);
        EXPECT_NEAR(r.hulls.info(0).min_edge_angle, angle, 1e-4) << n;
        EXPECT_EQ(r.hulls.info(0).may_flicker, n > 36) << n;
    }
    const BuildResult box = build_hull(box_points(1, 1, 1));
    EXPECT_NEAR(box.hulls.info(0).min_edge_angle, pi / 2, 1e-15);
}

TEST(PortableAtan, MatchesTheLibraryToAFewUnits) {
    Random random(83);
    for (int i = 0; i < 100000; ++i) {
        const double t = random.log_uniform(1e-12, 1e12);
        ASSERT_NEAR(detail::portable_atan(t), std::atan(t), 1e-15 * std::atan(t)) << t;
    }
    EXPECT_EQ(detail::portable_atan(0), 0.0);
    EXPECT_NEAR(detail::portable_atan(1e300), std::acos(0.0), 1e-15);
    EXPECT_NEAR(detail::portable_atan(INFINITY), std::acos(0.0), 1e-15);
}

TEST(PortableSinCos, MatchesTheLibraryToAFewUnits) {
    Random random(84);
    for (int i = 0; i < 200000; ++i) {
        const double angle = i % 2 == 0 ? random.uniform(0, 10) : random.log_uniform(1e-12, detail::kLargestAngle);
        const detail::SineCosine r = detail::portable_sin_cos(angle);
        ASSERT_NEAR(r.sine, std::sin(angle), 3e-16) << angle;
        ASSERT_NEAR(r.cosine, std::cos(angle), 3e-16) << angle;
    }
    EXPECT_EQ(detail::portable_sin_cos(0).sine, 0.0);
    EXPECT_EQ(detail::portable_sin_cos(0).cosine, 1.0);
}

}  // namespace
}  // namespace lanefold::test
