// SPDX-License-Identifier: MIT
//
// Mass of rounded hulls against closed forms that are derived otherwise, and against fine tessellations of all shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include <lanefold/hull_builder.hpp>

#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

constexpr double kPi = 3.14159265358979323846;

BuildResult rounded(const Points& points, float radius, Origin origin = Origin::input) {
    BuildOptions options;
    options.radius = radius;
    options.origin = origin;
    return build_hull(points, options);
}

MassProperties mass_of(const Points& points, float radius) {
    const BuildResult built = rounded(points, radius);
    EXPECT_TRUE(built);
    return built.hulls.info(0).mass;
}

double largest(const Mat3d& m) {
    double most = 0;
    for (const Vec3d& r : m.row) most = std::max({most, std::fabs(r.x), std::fabs(r.y), std::fabs(r.z)});
    return most;
}

Mat3d difference(const Mat3d& a, const Mat3d& b) {
    return {{a.row[0] - b.row[0], a.row[1] - b.row[1], a.row[2] - b.row[2]}};
}

TEST(RoundedMass, SpheresAndCapsulesAreTheTextbooks) {
    const double r = 0.75, h = 1.25;  // exact in float32
    const MassProperties sphere = mass_of({{3, -2, 1}}, 0.75F);
    const double ball = 4.0 / 3 * kPi * r * r * r;
    EXPECT_NEAR(sphere.volume, ball, 1e-14 * ball);
    EXPECT_EQ(sphere.centre_of_mass, (Vec3d{3, -2, 1}));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR((&sphere.inertia.row[i].x)[i], 0.4 * ball * r * r, 1e-14);
    EXPECT_EQ(sphere.inertia.row[0].y, 0);

    const MassProperties capsule = mass_of({{1, 2 - 1.25F, 3}, {1, 2 + 1.25F, 3}}, 0.75F);
    const double tube = kPi * r * r * 2 * h;
    EXPECT_NEAR(capsule.volume, tube + ball, 1e-13);
    EXPECT_EQ(capsule.centre_of_mass, (Vec3d{1, 2, 3}));
    const double along = tube * r * r / 2 + ball * 0.4 * r * r;
    // The halves of the ball have their centres of mass 3 r / 8 from the ends, and 83 / 320 m r^2 about them.
    const double arm = h + 0.375 * r;
    const double across = tube * (r * r / 4 + h * h / 3) + ball * (83.0 / 320 * r * r + arm * arm);
    EXPECT_NEAR(capsule.inertia.row[1].y, along, 1e-13 * along);
    EXPECT_NEAR(capsule.inertia.row[0].x, across, 1e-13 * across);
    EXPECT_NEAR(capsule.inertia.row[2].z, across, 1e-13 * across);
}

// A rounded box is a sum of boxes, quarters of cylinders and eighths of balls; its second moment along x is that of a
// profile in x alone: the areas of rounded rectangles.
TEST(RoundedMass, BoxesAreTheirSlices) {
    const double a = 1, b = 0.5, c = 2, r = 0.25;
    const MassProperties mass = mass_of(box_points(a, b, c), 0.25F);
    EXPECT_LT(length(mass.centre_of_mass), 1e-15);
    // Integral over x of x^(2 k) times the area of the slice: 4 b c + 4 (b + c) s + pi s^2, with s = r up to |x| = a
    // and s = sqrt(r^2 - (|x| - a)^2) beyond; by Simpson's rule in x = a + r sin t.
    const auto moment = [&](double half, double side1, double side2, int power) {
        const auto area = [&](double s) { return 4 * side1 * side2 + 4 * (side1 + side2) * s + kPi * s * s; };
        double sum = power == 0 ? 2 * half * area(r) : 2.0 / 3 * half * half * half * area(r);
        constexpr int kSteps = 2000;
        const double step = 0.5 * kPi / kSteps;
        for (int i = 0; i <= kSteps; ++i) {
            const double t = i * step;
            const double x = half + r * std::sin(t), s = r * std::cos(t);
            const double weight = (i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2) * step / 3;
            sum += 2 * weight * (power == 0 ? 1 : x * x) * area(s) * r * std::cos(t);
        }
        return sum;
    };
    const double xx = moment(a, b, c, 2), yy = moment(b, a, c, 2), zz = moment(c, a, b, 2);
    EXPECT_NEAR(mass.volume, moment(a, b, c, 0), 1e-11);
    EXPECT_NEAR(mass.inertia.row[0].x, yy + zz, 1e-11);
    EXPECT_NEAR(mass.inertia.row[1].y, xx + zz, 1e-11);
    EXPECT_NEAR(mass.inertia.row[2].z, xx + yy, 1e-11);
    EXPECT_NEAR(mass.inertia.row[0].y, 0, 1e-14);
}

// Directions spread over a sphere (R. Swinbank, R. J. Purser, 2006).
std::vector<Vec3d> directions(int count) {
    std::vector<Vec3d> out;
    for (int i = 0; i < count; ++i) {
        const double z = 1 - (2.0 * i + 1) / count, s = std::sqrt(1 - z * z), t = i * kPi * (3 - std::sqrt(5.0));
        out.push_back({s * std::cos(t), s * std::sin(t), z});
    }
    return out;
}

// The sharp hull of so many points of the rounded hull's surface.
MassProperties tessellated(const Points& points, double radius, int count) {
    std::vector<Vec3d> surface;
    const std::vector<Vec3d> around = directions(count);
    for (const Vec3f& p : points)
        for (const Vec3d& u : around) surface.push_back(to_double(p) + u * radius);
    const BuildResult built = build_hull(surface);
    EXPECT_TRUE(built) << built.failures.front().what;
    return built.hulls.info(0).mass;
}

// The error of a tessellation is in proportion to 1 / count, so two of them give the limit.
TEST(RoundedMass, IsThatOfFineTessellations) {
    Random random(54);
    double worst = 0;
    int shapes = 0;
    for (const Shape shape : {Shape::tetrahedron, Shape::wedge, Shape::prism, Shape::rotated_box, Shape::debris,
                              Shape::octahedron, Shape::slab, Shape::needle, Shape::segment, Shape::point}) {
        Points points = make_points(shape, random);
        if (points.size() > 16) points.resize(16);
        for (Vec3f& p : points) p = p + Vec3f{0.5F, -0.25F, 0.75F};
        for (const float radius : {0.125F, 1.0F}) {
            const MassProperties mass = mass_of(points, radius);
            const MassProperties coarse = tessellated(points, static_cast<double>(radius), 500);
            const MassProperties fine = tessellated(points, static_cast<double>(radius), 2000);
            const auto limit = [](double at_500, double at_2000) { return at_2000 + (at_2000 - at_500) / 3; };
            const double scale = largest(mass.inertia);
            Mat3d inertia = fine.inertia;
            const Mat3d step = difference(fine.inertia, coarse.inertia);
            for (int i = 0; i < 3; ++i) inertia.row[i] = inertia.row[i] + step.row[i] * (1.0 / 3);
            const double of_volume = std::fabs(limit(coarse.volume, fine.volume) / mass.volume - 1);
            const double of_centre = length(fine.centre_of_mass - mass.centre_of_mass);
            const double of_inertia = largest(difference(inertia, mass.inertia)) / scale;
            EXPECT_LT(of_volume, 5e-4) << to_string(shape) << ' ' << radius;
            EXPECT_LT(of_centre, 5e-4) << to_string(shape) << ' ' << radius;
            EXPECT_LT(of_inertia, 5e-4) << to_string(shape) << ' ' << radius;
            worst = std::max({worst, of_volume, of_centre, of_inertia});
            // The tessellation itself is far from it: without the edges, say, the limit would be missed.
            EXPECT_GT(1 - coarse.volume / mass.volume, 1e-6);
            ++shapes;
        }
    }
    std::printf("%d rounded shapes: at most %.2g of themselves off the limit of tessellations\n", shapes, worst);
}

TEST(RoundedMass, MovesAndTurnsWithTheHull) {
    Random random(3);
    const Points points = make_points(Shape::debris, random);
    const MassProperties here = mass_of(points, 0.5F);
    const Quat q = random.rotation();
    const Mat3d r = rotation(q);
    const MassProperties there = mass_of(transformed(points, 1, q, {40, -20, 10}), 0.5F);
    EXPECT_NEAR(there.volume, here.volume, 1e-5 * here.volume);
    EXPECT_LT(length(there.centre_of_mass - (r * here.centre_of_mass + Vec3d{40, -20, 10})), 1e-5);
    for (int k = 0; k < 3; ++k) {
        const Vec3d axis = {k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
        const Vec3d turned = r * (here.inertia * axis);
        EXPECT_LT(length(there.inertia * (r * axis) - turned), 1e-4 * largest(here.inertia));
    }
}

TEST(RoundedMass, OriginAndAxesAreThoseOfTheRoundedHull) {
    const Points points{{0, 0, 0}, {4, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const BuildResult built = rounded(points, 0.5F, Origin::centre_of_mass);
    ASSERT_TRUE(built);
    const MassProperties& mass = built.hulls.info(0).mass;
    EXPECT_LT(length(mass.centre_of_mass), 1e-6);
    EXPECT_GT(length(built.frames[0].shift - Vec3d{1, 0.25, 0.25}), 0.1);  // the core's
    EXPECT_LT(length(built.frames[0].shift - mass_of(points, 0.5F).centre_of_mass), 1e-12);
    const Vec3d& m = built.frames[0].principal_moments;
    EXPECT_NEAR(m.x + m.y + m.z, mass.inertia.row[0].x + mass.inertia.row[1].y + mass.inertia.row[2].z, 1e-9);
}

// Nearly flat neighbours and slivers of faces, whose normals are rounded: the rounded part stays right.
TEST(RoundedMass, SliversDoNotSpoilIt) {
    Random random(8);
    for (const Shape shape : {Shape::dented, Shape::bevelled, Shape::twin_ends, Shape::sliver}) {
        for (int k = 0; k < 20; ++k) {
            const Points points = make_thin_points(shape, random);
            const BuildResult sharp = build_hull(points);
            if (!sharp) continue;
            // Mean width and surface hardly change when every vertex is moved by a tiny bit.
            Points moved = points;
            for (Vec3f& p : moved) p = p + to_float(random.in_ball() * 1e-6);
            const BuildResult other = rounded(moved, 1);
            if (!other) continue;
            const MassProperties a = mass_of(points, 1), b = other.hulls.info(0).mass;
            EXPECT_NEAR(a.volume, b.volume, 1e-4 * b.volume) << to_string(shape) << ' ' << k;
            EXPECT_LT(largest(difference(a.inertia, b.inertia)), 1e-3 * largest(b.inertia)) << to_string(shape);
        }
    }
}

}  // namespace
}  // namespace lanefold::test
