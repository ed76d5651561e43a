// SPDX-License-Identifier: MIT
//
// Sweeps of the float64 path against the oracle: random pairs of every shape, margins from 0 to several sizes,
// face preference 0 and default, degenerate poses, size ratios up to a million, positions up to a billion.

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "support/precise_scene.hpp"
#include "support/sweep.hpp"

namespace lanefold::precise_test {
namespace {

int repeats(int normal) { return test::long_run() ? 20 * normal : normal; }

std::vector<Points> assorted_shapes(std::uint64_t seed) {
    Random random(seed);
    std::vector<Points> shapes;
    shapes.push_back(box_points(0.5, 0.5, 0.5));
    shapes.push_back(box_points(1.0, 0.4, 0.7));
    shapes.push_back(box_points(1.0, 1.0, 0.01));                                               // slab
    shapes.push_back(box_points(0.01, 0.012, 1.0));                                             // needle
    shapes.push_back(turned(box_points(0.6, 0.5, 0.4), random));                                // rotated box
    shapes.push_back({point(1, 1, -1), point(1, -1, -1), point(-1, -1, -1), point(1, -1, 1)});  // tetrahedron
    shapes.push_back(prism_points(3, 0.8, 0.5));
    shapes.push_back(prism_points(6, 0.7, 0.6));
    shapes.push_back(prism_points(32, 0.9, 0.2));
    shapes.push_back(prism_points(5, 0.02, 1.0));
    for (const int n : {8, 12, 16, 24, 32}) shapes.push_back(ball_points(random, n));
    shapes.push_back(ball_points(random, 60, 0.0));
    shapes.push_back(shifted(ball_points(random, 14), 300, -200, 500));  // far from its own origin
    shapes.push_back(turned(prism_points(8, 0.7, 0.4), random));
    return shapes;
}

double middle_of(const HullRecord& h, int axis) { return h.centre[axis]; }

// Places b so that the hulls' centres are `apart` from each other.
void place_pair(const Library& library, std::uint32_t ia, std::uint32_t ib, const Vec3d& apart, Placement& pa,
                Placement& pb) {
    const PoseD a = reference::oracle_pose(pa.position, pa.orientation);
    const PoseD b = reference::oracle_pose(pb.position, pb.orientation);
    const HullRecord& ha = library.hulls[ia];
    const HullRecord& hb = library.hulls[ib];
    const Vec3d ca{middle_of(ha, 0), middle_of(ha, 1), middle_of(ha, 2)};
    const Vec3d cb{middle_of(hb, 0), middle_of(hb, 1), middle_of(hb, 2)};
    set_position(pb, a.position + a.rotation * ca + apart - b.rotation * cb);
}

TEST(PreciseSweep, RandomPairsAgreeWithTheOracle) {
    const Library library(assorted_shapes(11));
    ASSERT_EQ(library.hulls.size(), 18U);
    for (const std::uint64_t seed : {1ULL, 2ULL}) {
        Random random(seed);
        Judge judge(library);
        int wrong = 0;
        for (int i = 0; i < repeats(6000) && wrong < 10; ++i) {
            const std::uint32_t ia = random.below(library.hulls.size());
            const std::uint32_t ib = random.below(library.hulls.size());
            const double size = double{library.hulls[ia].size} + double{library.hulls[ib].size};
            Placement pa;
            Placement pb;
            set_random_quat(pa, random);
            set_random_quat(pb, random);
            set_position(pa, random.offset(0, 10));
            place_pair(library, ia, ib, random.offset(0, size), pa, pb);
            const double margins[] = {0, 0.02, 0.2, 2.5};
            const double preference = (i & 1) != 0 ? 0 : double{kDefaultFacePreference};
            const PointSelection selection = (i & 8) != 0 ? PointSelection::impact : PointSelection::all;
            if (!judge.check(ia, pa, ib, pb, margins[random.below(4)], preference, selection)) {
                std::printf("seed %llu pair %d hulls %u %u\n", Tally::ull(seed), i, ia, ib);
                ++wrong;
            }
        }
        judge.tally.print("random");
        EXPECT_GT(judge.tally.overlapping, 500U);
        EXPECT_GT(judge.tally.separated, 300U);
        EXPECT_GT(judge.tally.unreported, 300U);
        for (std::size_t k = 1; k < kContactKindCount; ++k) EXPECT_GT(judge.tally.by_kind[k], 10U) << "kind " << k;
    }
}

// Turns by exact fractions of a right angle with a little noise, offsets that align faces, edges and corners.
void degenerate_pose(Random& random, const Vec3d& extent, Placement& pa, Placement& pb) {
    const double jitters[] = {0, 0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    const double jitter = jitters[random.below(8)];
    if ((random.bits() & 1) != 0) set_random_quat(pa, random);
    const double quarter = 3.14159265358979323846 / 8;  // half angles: multiples of 45 degrees
    const double h = quarter * random.below(8) + jitter * random.between(-1, 1);
    const std::uint32_t axis = random.below(3);
    const Vec3d k{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
    const Vec3d tilt = random.direction() * jitter;
    const Vec3d v = k * std::sin(h) + tilt;
    // b = a's rotation times the turn.
    const double ax = pa.orientation[0], ay = pa.orientation[1], az = pa.orientation[2], aw = pa.orientation[3];
    const double w = std::cos(h);
    set_quat(pb, aw * v.x + ax * w + ay * v.z - az * v.y, aw * v.y - ax * v.z + ay * w + az * v.x,
             aw * v.z + ax * v.y - ay * v.x + az * w, aw * w - ax * v.x - ay * v.y - az * v.z);
    // Offsets in a's frame: 0, half, or the whole sum of the extents, touching, sunk or apart by a little.
    const double steps[] = {0, 0, 0.5, 1, 1, -1, -0.5};
    Vec3d o{extent.x * steps[random.below(7)], extent.y * steps[random.below(7)], extent.z * steps[random.below(7)]};
    const double gaps[] = {0, 0, 1e-7, -1e-7, 1e-4, -1e-4, 1e-2, -1e-2};
    const double gap = gaps[random.below(8)];
    o = o + random.offset(gap, gap);
    const PoseD a = reference::oracle_pose(pa.position, pa.orientation);
    set_position(pb, a.position + a.rotation * o);
}

TEST(PreciseSweep, DegeneratePairsAgreeWithTheOracle) {
    Random shape_random(5);
    const std::vector<Points> shapes = {
        box_points(0.5, 0.5, 0.5),
        box_points(0.5, 0.5, 0.5),
        box_points(1.0, 0.25, 0.5),
        box_points(2.0, 2.0, 0.05),
        prism_points(6, 0.5, 0.5),
        prism_points(8, 1.0, 0.5),
        prism_points(3, 0.5, 2.0),
        box_points(0.01, 0.01, 1.5),
        {point(1, 1, -1), point(1, -1, -1), point(-1, -1, -1), point(1, -1, 1)},
        {point(1, 0, 0), point(-1, 0, 0), point(0, 1, 0), point(0, -1, 0), point(0, 0, 1), point(0, 0, -1)}};
    const Library library(shapes);
    ASSERT_EQ(library.hulls.size(), shapes.size());
    Random random(77);
    Judge judge(library);
    int wrong = 0;
    for (int i = 0; i < repeats(20000) && wrong < 10; ++i) {
        const std::uint32_t ia = random.below(shapes.size());
        const std::uint32_t ib = (random.bits() & 1) != 0 ? ia : random.below(shapes.size());
        const float* ha = library.hulls[ia].half_extent;
        const float* hb = library.hulls[ib].half_extent;
        Placement pa;
        Placement pb;
        degenerate_pose(random, {double{ha[0]} + hb[0], double{ha[1]} + hb[1], double{ha[2]} + hb[2]}, pa, pb);
        const double margins[] = {0, 1e-3, 0.02, 1};
        const double preference = (i & 1) != 0 ? 0 : double{kDefaultFacePreference};
        if (!judge.check(ia, pa, ib, pb, margins[random.below(4)], preference)) {
            std::printf("pair %d hulls %u %u\n", i, ia, ib);
            ++wrong;
        }
    }
    judge.tally.print("degenerate");
    EXPECT_GT(judge.tally.overlapping, 5000U);
    EXPECT_GT(judge.tally.separated, 1000U);
    EXPECT_GT(judge.tally.in_band, 200U);
    EXPECT_GT(judge.tally.by_kind[3], 50U);
}

TEST(PreciseSweep, SizeRatiosUpToAMillionKeepTheSmallerHullsBound) {
    Random shape_random(9);
    std::vector<Points> shapes;
    std::vector<double> ratio;
    for (const double r : {1.0, 10.0, 70.0, 1e3, 3e4, 1e6}) {
        const Points forms[] = {
            scaled(box_points(1, 0.7, 0.9), r), scaled(turned(box_points(1, 0.8, 0.3), shape_random), r),
            scaled(ball_points(shape_random, 24), r), scaled(turned(prism_points(12, 1, 0.1), shape_random), r),
            scaled(turned(prism_points(5, 0.5, 1), shape_random), r)};
        for (const Points& f : forms) {
            shapes.push_back(f);
            ratio.push_back(r);
        }
    }
    const Library library(shapes);
    ASSERT_EQ(library.hulls.size(), shapes.size());
    Random random(3);
    for (std::size_t group = 0; group < 6; ++group) {
        Judge judge(library);
        int wrong = 0;
        for (int i = 0; i < repeats(1500) && wrong < 10; ++i) {
            const auto big = static_cast<std::uint32_t>(5 * group + random.below(5));
            const std::uint32_t little = random.below(5);
            // The small hull is near a random point of the big one's surface.
            const auto points = library.hulls.vertices(big);
            const reference::OracleHull& o = library.oracle[big];
            const auto& t = o.triangles[random.below(o.triangles.size())];
            double u = random.unit();
            double v = random.unit();
            if (u + v > 1) u = 1 - u, v = 1 - v;
            if (random.below(4) == 0) v = 0;  // on an edge
            if (random.below(16) == 0) u = v = 0;
            const Vec3d p0 = to_double(points[t.v[0]]);
            const Vec3d on = p0 + (to_double(points[t.v[1]]) - p0) * u + (to_double(points[t.v[2]]) - p0) * v;
            Placement pb;
            Placement ps;
            set_random_quat(pb, random);
            if (random.below(3) != 0) set_random_quat(ps, random);
            const PoseD pose = reference::oracle_pose(pb.position, pb.orientation);
            set_position(ps, pose.rotation * on + random.offset(0, 1.9));
            const double margins[] = {0, 0.1, 0.8};
            const double preference = (i & 1) != 0 ? 0 : double{kDefaultFacePreference};
            const double margin = margins[random.below(3)];
            const bool swap = (random.bits() & 1) != 0;
            const bool good = swap ? judge.check(little, ps, big, pb, margin, preference)
                                   : judge.check(big, pb, little, ps, margin, preference);
            if (!good) {
                std::printf("ratio %g pair %d hulls %u %u swap %d\n", ratio[big], i, big, little, swap);
                ++wrong;
            }
        }
        std::printf("ratio %g ", ratio[5 * group]);
        judge.tally.print("");
        EXPECT_GT(judge.tally.overlapping, 300U);
        EXPECT_GT(judge.tally.separated, 30U);
    }
}

TEST(PreciseSweep, GroundOfTwentyThousandUnderAUnitCube) {
    const Library library({box_points(10000, 10000, 1), box_points(0.5, 0.5, 0.5), box_points(10000, 10000, 0.01)});
    Judge judge(library);
    Random random(21);
    for (int i = 0; i < 400; ++i) {
        Placement ground;
        Placement cube;
        const double depth = random.between(-0.01, 0.1);
        const double h = random.between(0, 3.14);
        set_quat(cube, 0, 0, std::sin(h), std::cos(h));
        const std::uint32_t g = (i & 1) != 0 ? 0 : 2;
        const double top = g == 0 ? 1 : double{0.01F};
        set_position(cube, {random.between(-9000, 9000), random.between(-9000, 9000), top + 0.5 - depth});
        ASSERT_TRUE(judge.check(g, ground, 1, cube, 0.02, kDefaultFacePreference));
        if (g == 0) {
            EXPECT_EQ(judge.four.count, 4);
            EXPECT_NEAR(judge.four.distance, -depth, 1e-6);
            EXPECT_EQ(judge.four.kind, ContactKind::face_a);
            EXPECT_EQ(judge.four.normal[2], 1.0F);
        }
        ASSERT_TRUE(judge.check(1, cube, g, ground, 0.02, kDefaultFacePreference));
    }
    judge.tally.print("ground");
    EXPECT_GT(judge.tally.overlapping, 400U);
}

TEST(PreciseSweep, FarPositionsChangeNothing) {
    const Library library(assorted_shapes(12));
    Random random(4);
    std::uint64_t compared = 0;
    for (const double far : {1e6, 1e9}) {
        Judge judge(library);
        for (int i = 0; i < repeats(600); ++i) {
            const std::uint32_t ia = random.below(library.hulls.size());
            const std::uint32_t ib = random.below(library.hulls.size());
            Placement pa;
            Placement pb;
            set_random_quat(pa, random);
            set_random_quat(pb, random);
            const double size = double{library.hulls[ia].size} + double{library.hulls[ib].size};
            place_pair(library, ia, ib, random.offset(0, 0.8 * size), pa, pb);
            // Offsets that are exact at both places.
            for (double& x : pb.position) x = std::nearbyint(x * 1024) / 1024;
            ASSERT_TRUE(judge.check(ia, pa, ib, pb, 0.1, kDefaultFacePreference)) << i;
            const Manifold4 near = judge.four;
            for (int k = 0; k < 3; ++k) {
                pa.position[k] += far;
                pb.position[k] += far;
            }
            ASSERT_TRUE(judge.check(ia, pa, ib, pb, 0.1, kDefaultFacePreference)) << i;
            EXPECT_EQ(std::memcmp(&near, &judge.four, sizeof near), 0);
            compared += near.count > 0 ? 1 : 0;
        }
        judge.tally.print("far");
    }
    EXPECT_GT(compared, 600U);
}

TEST(PreciseSweep, VeryDistantPairsWithLargeMargins) {
    const Library library(assorted_shapes(13));
    Random random(6);
    Judge judge(library);
    for (int i = 0; i < repeats(1500); ++i) {
        const std::uint32_t ia = random.below(library.hulls.size());
        const std::uint32_t ib = random.below(library.hulls.size());
        Placement pa;
        Placement pb;
        set_random_quat(pa, random);
        set_random_quat(pb, random);
        const double reach[] = {3, 30, 1000, 1e5};
        const double distance = reach[random.below(4)];
        place_pair(library, ia, ib, random.offset(distance, distance), pa, pb);
        ASSERT_TRUE(judge.check(ia, pa, ib, pb, 2e5, (i & 1) != 0 ? 0.0 : 0.005)) << i;
    }
    judge.tally.print("distant");
    EXPECT_EQ(judge.tally.unreported, 0U);
    EXPECT_GT(judge.tally.separated, 1400U);
    for (std::size_t k = 3; k < kContactKindCount; ++k) EXPECT_GT(judge.tally.by_kind[k], 5U) << "kind " << k;
}

TEST(PreciseSweep, CoincidentCentresAndContainment) {
    std::vector<Points> shapes = assorted_shapes(14);
    const std::size_t n = shapes.size();
    for (std::size_t i = 0; i < n; ++i) shapes.push_back(scaled(shapes[i], 0.2));
    const Library library(shapes);
    Random random(8);
    Judge judge(library);
    for (int i = 0; i < repeats(1500); ++i) {
        const std::uint32_t ia = random.below(library.hulls.size());
        const std::uint32_t ib = (i & 3) != 0 ? random.below(library.hulls.size()) : ia;
        Placement pa;
        Placement pb;
        set_random_quat(pa, random);
        pb = pa;
        if ((i & 1) != 0) set_random_quat(pb, random);
        const double off[] = {0, 0, 1e-9, 1e-3, 0.1};
        const double distance = off[random.below(5)];
        place_pair(library, ia, ib, random.offset(distance, distance), pa, pb);
        ASSERT_TRUE(judge.check(ia, pa, ib, pb, 0.02, (i & 1) != 0 ? 0.0 : 0.005)) << i << " " << ia << " " << ib;
    }
    judge.tally.print("coincident");
    EXPECT_GT(judge.tally.overlapping, 1400U);
}

}  // namespace
}  // namespace lanefold::precise_test
