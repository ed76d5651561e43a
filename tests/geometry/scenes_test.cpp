// SPDX-License-Identifier: MIT
//
// Scenes that broke other systems: moved, rotated, swapped, with bad input, crowded. Their numbers go on from
// boxes_test.cpp.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/two_bodies.hpp"

namespace lanefold::test {
namespace {

// 7. The same pair at y = 0, 1, 1e3, 1e6 and 1e9 (float64 positions): the relative pose is formed first, so with an
// offset that is a float64 difference exactly, every bit is the same.
TEST(GeometryScenes, MovingBothBodiesChangesNothing) {
    Random random(71);
    TwoBodies t(make_points(Shape::debris, random), box_points(0.5, 0.5, 0.5));
    t.turn_a(random.rotation()).turn_b(random.rotation()).margin(0.25F);
    for (const double gap : {0.5, 0.875, 1.0, 1.25}) {
        Manifold4 first{};
        for (const double y : {0.0, 1.0, 1e3, 1e6, 1e9}) {
            t.move_a(0.125, y, -0.25).move_b(0.125 + gap, y + 0.25, 0.0);
            const Manifold4 m = t.collide();
            if (y == 0.0) first = m;
            EXPECT_EQ(bitwise_difference(first, m), "") << "y " << y << ", gap " << gap;
        }
    }
    EXPECT_GT(t.coverage.touching, 5U);
}

// 22. The whole scene rotated about the origin: distance, kind, features and points (turned back) stay the same
// within the tolerances. The upper box is tilted, so that no two axes tie.
TEST(GeometryScenes, RotatingTheSceneLeavesManifoldsEqual) {
    TwoBodies t(box_points(1, 0.8, 0.6), box_points(0.5, 0.7, 0.4));
    const Quat yaw = about({0, 0, 1}, 0.4) * about({1, 0, 0}, 0.05);
    const Vec3d at{0.3, -0.2, 0.98};
    t.margin(0.1F).turn_b(yaw).move_b(at.x, at.y, at.z);
    const Manifold16 still = t.collide16();
    ASSERT_GE(still.count, 4);
    const double size = std::sqrt(1 + 0.64 + 0.36);
    for (std::uint32_t k = 0; k < 100; ++k) {
        Random random(72, k);
        const Quat q = random.rotation();
        const Mat3d r = rotation(q);
        const Vec3d p = r * at;
        t.turn_a(q).turn_b(q * yaw).move_b(p.x, p.y, p.z);
        const Manifold16 m = t.collide16();
        ASSERT_EQ(m.kind, still.kind) << k;
        ASSERT_EQ(m.count, still.count) << k;
        EXPECT_EQ(m.feature_a, still.feature_a);
        EXPECT_EQ(m.feature_b, still.feature_b);
        EXPECT_NEAR(m.distance, still.distance, 2e-6 * size);
        expect_normal(m.normal, column(r, 2), 1e-6);
        for (int i = 0; i < m.count; ++i) {
            // The same features, wherever they are in the record.
            const auto* same = std::find_if(still.points, still.points + still.count,
                                            [&](const ContactPoint& c) { return c.feature == m.points[i].feature; });
            ASSERT_NE(same, still.points + still.count) << k;
            const Vec3d back =
                transpose_times(r, Vec3d{m.points[i].position[0], m.points[i].position[1], m.points[i].position[2]});
            EXPECT_NEAR(length(back - Vec3d{same->position[0], same->position[1], same->position[2]}), 0, 1e-5 * size);
            EXPECT_NEAR(m.points[i].separation, same->separation, 4e-6 * size);
        }
    }
}

// 23. A and B swapped: the same distance, the opposite normal where it is unique, points on both surfaces (which the
// judge checks). The scene has edge contacts and separated pairs, too.
TEST(GeometryScenes, SwappingMirrorsTheResult) {
    std::uint64_t compared = 0;
    for (std::uint32_t k = 0; k < 400; ++k) {
        Random random(73, k);
        const auto shapes = small_shapes();
        const Points a = make_points(shapes[k % shapes.size()], random);
        const Points b = make_points(shapes[random.index(static_cast<std::uint32_t>(shapes.size()))], random);
        TwoBodies t(a, b);
        TwoBodies s(b, a);
        const PosedPair pose =
            make_poses(PoseKind::random, t.library.oracle[0], t.library.oracle[1], 0.1, false, random);
        t.a = pose.a, t.b = pose.b, s.a = pose.b, s.b = pose.a;
        t.b.hull = 1;
        s.a.hull = 0, s.b.hull = 1;
        t.margin(0.2F).strict();
        s.margin(0.2F).strict();
        const Manifold4 m = t.collide();
        const Manifold4 w = s.collide();
        const double size = std::max(t.library.oracle[0].size, t.library.oracle[1].size);
        ASSERT_EQ(m.kind == ContactKind::none, w.kind == ContactKind::none) << k;
        EXPECT_NEAR(m.distance, w.distance, 4e-6 * size) << k;
        if (m.kind == ContactKind::none) continue;
        ++compared;
        // Either normal must be a minimiser for the mirrored pair, too.
        const Vec3d n{-w.normal[0], -w.normal[1], -w.normal[2]};
        const double along = reference::separation_along(t.library.oracle[0], pose_of(t.a), t.library.oracle[1],
                                                         pose_of(t.b), normalized(n));
        EXPECT_NEAR(along, t.oracle_distance(), 4e-6 * size) << k;
    }
    EXPECT_GT(compared, 200U);
}

struct Batch {
    Library library;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;

    Batch() : library(random_library(74, 12, small_shapes())) {
        for (std::uint32_t i = 0; i < 96; ++i) {
            Random random(75, i);
            const std::uint32_t ha = random.index(12), hb = random.index(12);
            PosedPair p = make_poses(static_cast<PoseKind>(i % kPoseKindCount), library.oracle[ha], library.oracle[hb],
                                     0.1, true, random);
            bodies.push_back(to_float_body(p.a));
            bodies.back().hull = ha;
            bodies.push_back(to_float_body(p.b));
            bodies.back().hull = hb;
            pairs.push_back({2 * i, 2 * i + 1});
        }
    }

    std::vector<Manifold4> run(Isa isa) {
        Options options;
        options.margin = 0.05F;
        options.isa = isa;
        Workspace workspace;
        std::vector<Manifold4> out(pairs.size());
        const BatchResult r = collide_serial(library.hulls, std::span<const Body>(bodies), pairs, options,
                                             std::span<Manifold4>(out), workspace);
        EXPECT_TRUE(r.status) << r.status.what;
        return out;
    }
};

// 25. NaN, infinity, a zero quaternion, a quaternion of length 2 and denormals in some lanes: those pairs get a
// status (a denormal position is a number like any other), all other lanes keep every bit.
TEST(GeometryScenes, PoisonedLanesLeaveTheOthersAlone) {
    for (const Isa isa : available_isas()) {
        Batch batch;
        const std::vector<Manifold4> clean = batch.run(isa);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float inf = std::numeric_limits<float>::infinity();
        std::vector<std::size_t> bad;
        const auto poison = [&](std::size_t pair, auto&& change) {
            change(batch.bodies[2 * pair + pair % 2]);
            bad.push_back(pair);
        };
        poison(3, [&](Body& b) { b.position[1] = nan; });
        poison(4, [&](Body& b) { b.position[0] = inf; });
        poison(17, [&](Body& b) { b.orientation[2] = nan; });
        poison(18, [&](Body& b) { b.orientation[0] = -inf; });
        poison(33, [&](Body& b) { std::fill(b.orientation, b.orientation + 4, 0.0F); });
        poison(50, [&](Body& b) {
            for (float& q : b.orientation) q *= 2.0F;
        });
        poison(95, [&](Body& b) { b.position[2] = -nan; });
        const std::vector<Manifold4> poisoned = batch.run(isa);
        for (std::size_t i = 0; i < clean.size(); ++i) {
            if (std::find(bad.begin(), bad.end(), i) != bad.end()) {
                EXPECT_EQ(poisoned[i].status, Status::bad_pose) << i;
                EXPECT_EQ(poisoned[i].kind, ContactKind::none) << i;
            } else {
                EXPECT_EQ(bitwise_difference(clean[i], poisoned[i]), "") << "lane " << i << " on " << to_string(isa);
            }
        }
        // A denormal position acts like zero and is no error.
        Batch denormal;
        for (std::size_t i = 0; i < denormal.bodies.size(); i += 7) {
            for (float& p : denormal.bodies[i].position) {
                if (p == 0.0F) p = 1e-42F;
            }
        }
        const std::vector<Manifold4> same = denormal.run(isa);
        for (std::size_t i = 0; i < clean.size(); ++i) EXPECT_EQ(same[i].status, Status::ok) << i;
    }
}

// 26. 5,000 unit cubes at one identical pose, every body against the next four. The depth of two coincident cubes is a
// full side, and all records are equal except for their indices.
TEST(GeometryScenes, FiveThousandBodiesAtOnePose) {
    const Points lists[] = {box_points(0.5, 0.5, 0.5)};
    const Library library = build_library(lists);
    Body body{};
    body.position[0] = 3;
    set_orientation(body, Random(76).rotation());
    const std::vector<Body> bodies(5000, body);
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < 5000; ++i) {
        for (std::uint32_t k = 1; k <= 4; ++k) pairs.push_back({i, (i + k) % 5000});
    }
    for (const Isa isa : available_isas()) {
        Options options;
        options.isa = isa;
        Workspace workspace;
        std::vector<Manifold4> out(pairs.size());
        const BatchResult r = collide_serial(library.hulls, std::span<const Body>(bodies), pairs, options,
                                             std::span<Manifold4>(out), workspace);
        ASSERT_TRUE(r.status);
        EXPECT_EQ(r.overlapping, pairs.size());
        for (std::size_t i = 0; i < out.size(); ++i) {
            Manifold4 same = out[0];
            same.pair[0] = pairs[i].a;
            same.pair[1] = pairs[i].b;
            ASSERT_EQ(bitwise_difference(same, out[i]), "") << i;
        }
        EXPECT_NEAR(out[0].distance, -1.0, 2e-6);
        EXPECT_GE(out[0].count, 1);
    }
}

}  // namespace
}  // namespace lanefold::test
