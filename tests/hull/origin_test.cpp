// SPDX-License-Identifier: MIT
//
// Hulls about their centre of mass, principal axes, and the version of the library.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/hull_builder.hpp>
#include <lanefold/version.hpp>

#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

BuildOptions about(Origin origin) {
    BuildOptions options;
    options.origin = origin;
    return options;
}

double worst_of(const Mat3d& a, const Mat3d& b) {
    double worst = 0;
    for (int i = 0; i < 3; ++i) {
        const Vec3d d = a.row[i] - b.row[i];
        worst = std::max({worst, std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
    }
    return worst;
}

double determinant(const Mat3d& m) { return dot(m.row[0], cross(m.row[1], m.row[2])); }

TEST(HullOrigin, CentreOfMassIsTheOriginAndPointsAreOnlyShifted) {
    double worst_centre = 0;
    double worst_point = 0;
    double worst_volume = 0;
    std::uint32_t hulls = 0;
    for (std::uint32_t i = 0; i < 10 * kShapeCount; ++i) {
        Random random(71, i);
        Points points = make_points(static_cast<Shape>(i % kShapeCount), random);
        for (Vec3f& p : points) p = p + Vec3f{3, -2, 1};
        BuildOptions options;
        const BuildResult plain = build_hull(points, options);
        options.origin = Origin::centre_of_mass;
        const BuildResult centred = build_hull(points, options);
        ASSERT_EQ(static_cast<bool>(plain), static_cast<bool>(centred));
        if (!plain) continue;
        ++hulls;
        ASSERT_EQ(plain.frames.size(), 1U);
        ASSERT_EQ(centred.frames.size(), 1U);
        EXPECT_EQ(plain.frames[0].shift, Vec3d{});
        const Vec3d shift = centred.frames[0].shift;
        EXPECT_EQ(shift, plain.hulls.info(0).mass.centre_of_mass);
        const double size = static_cast<double>(plain.hulls[0].size);
        worst_centre = std::max(worst_centre, length(centred.hulls.info(0).mass.centre_of_mass) / size);
        const double volume = plain.hulls.info(0).mass.volume;
        worst_volume = std::max(worst_volume, std::fabs(centred.hulls.info(0).mass.volume / volume - 1));
        const auto vertices = centred.hulls.vertices(0);
        const auto index = centred.hulls.input_index(0);
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            const Vec3d expected = to_double(points[index[v]]) - shift;
            worst_point = std::max(worst_point, length(to_double(vertices[v]) - expected) / size);
        }
    }
    std::printf("%u hulls: centre within %.1e of size, points within %.1e, volume within %.1e\n", hulls, worst_centre,
                worst_point, worst_volume);
    EXPECT_GT(hulls, 100U);
    EXPECT_LT(worst_centre, 1e-5);  // of thin shapes, whose rounded vertices weigh otherwise
    EXPECT_LT(worst_point, 2e-7);
    EXPECT_LT(worst_volume, 1e-3);  // of the flattest shapes, whose thickness is rounded
}

TEST(HullOrigin, PrincipalAxesDiagonaliseTheInertia) {
    double worst = 0;
    std::uint32_t hulls = 0;
    for (std::uint32_t i = 0; i < 10 * kShapeCount; ++i) {
        Random random(72, i);
        const BuildResult r = build_hull(make_points(static_cast<Shape>(i % kShapeCount), random));
        if (!r) continue;
        ++hulls;
        const HullFrame& f = r.frames[0];
        const Mat3d& inertia = r.hulls.info(0).mass.inertia;
        const Vec3d m = f.principal_moments;
        EXPECT_LE(m.x, m.y);
        EXPECT_LE(m.y, m.z);
        EXPECT_NEAR(determinant(f.principal_axes), 1, 1e-14) << "right-handed";
        const Mat3d diagonal{{{m.x, 0, 0}, {0, m.y, 0}, {0, 0, m.z}}};
        worst = std::max(worst, worst_of(f.principal_axes * diagonal * transpose(f.principal_axes), inertia) / m.z);
        worst = std::max(worst, worst_of(f.principal_axes * transpose(f.principal_axes), Mat3d{}));
    }
    std::printf("inertia from its axes within %.1e of the largest moment\n", worst);
    EXPECT_LT(worst, 1e-14);
    EXPECT_GT(hulls, 100U);
    // A box: the axes are its own, moments by the closed form, longest axis first.
    const BuildResult box = build_hull(box_points(1, 2, 4));
    ASSERT_TRUE(box);
    EXPECT_EQ(box.frames[0].principal_moments.x, box.hulls.info(0).mass.inertia.row[2].z);
    EXPECT_NEAR(std::fabs(column(box.frames[0].principal_axes, 0).z), 1, 1e-15);
}

TEST(HullOrigin, AFailedHullIsNamedAlike) {
    const Points points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    const std::uint64_t offsets[] = {0, 4, 8};
    const BuildResult r = build_hulls(points, offsets, about(Origin::centre_of_mass));
    ASSERT_EQ(r.failures.size(), 1U);
    EXPECT_EQ(r.failures[0].hull, 1U);
    EXPECT_EQ(r.failures[0].error, HullError::flat);
    EXPECT_TRUE(r.frames.empty());
}

// Every vertex against its float64 point, by the frame that the builder gives back.
double worst_vertex(const BuildResult& r, std::size_t hull, std::span<const Vec3d> points) {
    double worst = 0;
    const auto vertices = r.hulls.vertices(hull);
    const auto index = r.hulls.input_index(hull);
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const Vec3d expected = points[index[v]] - r.frames[hull].shift;
        worst = std::max(worst, length(to_double(vertices[v]) - expected));
    }
    return worst;
}

TEST(HullOrigin, Float64PointsFarAwayKeepTheirDigits) {
    std::uint32_t hulls = 0;
    double worst = 0;
    for (const double away : {0.0, 76194.3, 5411932.0, 4.4e8}) {
        for (const double size : {0.001, 1.0, 300.0}) {
            for (std::uint32_t i = 0; i < kShapeCount; ++i) {
                Random random(73, i);
                std::vector<Vec3d> points;
                for (const Vec3f& p : make_points(static_cast<Shape>(i), random))
                    points.push_back(to_double(p) * size + Vec3d{away, 0.7 * away, -away});
                const BuildResult r = build_hull(points, about(Origin::box_centre));
                if (!r) continue;  // some shapes are flat
                ++hulls;
                const double by = worst_vertex(r, 0, points);
                EXPECT_LE(by, r.frames[0].rounding);
                worst = std::max(worst, r.frames[0].rounding / static_cast<double>(r.hulls[0].size));
                const BuildResult massive = build_hull(points, about(Origin::centre_of_mass));
                ASSERT_TRUE(massive);
                EXPECT_LE(worst_vertex(massive, 0, points), massive.frames[0].rounding);
            }
        }
    }
    std::printf("%u hulls: rounding %.1e of size at most\n", hulls, worst);
    EXPECT_GT(hulls, 80U);
    EXPECT_LT(worst, 1.1e-7);
}

TEST(HullOrigin, Float64PointsAreNeverRoundedSilently) {
    std::vector<Vec3d> points;
    for (const Vec3f& p : box_points(1, 1, 1)) points.push_back(to_double(p) + Vec3d{76194.3, 0, 0});
    const BuildResult far = build_hull(points);
    ASSERT_EQ(far.failures.size(), 1U);
    EXPECT_EQ(far.failures[0].error, HullError::too_far);
    EXPECT_STREQ(to_string(far.failures[0].error), "too_far");
    EXPECT_NE(std::string(far.failures[0].what).find("Origin::box_centre"), std::string::npos);
    // Coordinates that are float32 numbers lose nothing, wherever they are.
    for (Vec3d& p : points) p.x = std::floor(p.x);
    const BuildResult whole = build_hull(points);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole.frames[0].rounding, 0);
    // Near the origin the points are rounded as they always were.
    Random random(74, 0);
    const Points floats = make_points(Shape::debris, random);
    std::vector<Vec3d> near;
    for (const Vec3f& p : floats) near.push_back(to_double(p));
    ASSERT_TRUE(build_hull(near));
    EXPECT_EQ(build_hull(near).hulls.fingerprint(), build_hull(floats).hulls.fingerprint());
    // float32 points may have an origin of their own, too.
    const BuildResult own = build_hull(floats, about(Origin::box_centre));
    ASSERT_TRUE(own);
    EXPECT_LE(worst_vertex(own, 0, near), own.frames[0].rounding);
    // One place is no hull, wherever it is.
    EXPECT_EQ(build_hull(std::vector<Vec3d>(5, {76194.3, 0.1, 0})).failures[0].error, HullError::too_few_points);
    EXPECT_EQ(build_hull(std::vector<Vec3d>(5, {2e15, 0, 0})).failures[0].error, HullError::too_large);
    EXPECT_EQ(build_hull(std::span<const Vec3d>()).failures[0].error, HullError::too_few_points);
}

TEST(Version, LibraryAndHeadersAgree) {
    EXPECT_EQ(version_number(), LANEFOLD_VERSION_NUMBER);
    char text[32];
    std::snprintf(text, sizeof text, "%d.%d.%d", LANEFOLD_VERSION_MAJOR, LANEFOLD_VERSION_MINOR,
                  LANEFOLD_VERSION_PATCH);
    EXPECT_STREQ(version(), text);
    EXPECT_STREQ(version(), LANEFOLD_PROJECT_VERSION);
}

}  // namespace
}  // namespace lanefold::test
