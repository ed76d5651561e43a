// SPDX-License-Identifier: MIT
//
// Scales of bodies in finders and queries: pairs, boxes and records are those of bodies whose hulls were baked at these
// scales, frame after frame, while scales change.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/scene_queries.hpp>
#include <lanefold/window_finder.hpp>

#include "support/scaled_scene.hpp"

namespace lanefold::test {
namespace {

// Bodies apart enough that boxes decide.
ScaledScene make_wide_scene(std::uint64_t seed, std::uint32_t bodies) {
    ScaledScene s = make_scaled_scene(seed, bodies, 1);
    for (Body& body : s.scene.bodies)
        for (float& x : body.position) x *= 6;
    s.bake();
    return s;
}

std::vector<Pair> pairs_of(const PairFinderResult& r) {
    EXPECT_TRUE(r.status) << r.status.what;
    return {r.pairs.begin(), r.pairs.end()};
}

TEST(FinderScale, FramesHaveThePairsOfBakedHulls) {
    ScaledScene s = make_wide_scene(41, 400);
    BatchRandom random(42);
    PairFinder scaled;
    PairFinderOptions options;
    options.margin = 0.02F;
    std::vector<std::uint8_t> unmoved(s.scales.size());
    std::size_t found = 0;
    for (int frame = 0; frame < 12; ++frame) {
        PairFinder baked;
        const std::vector<Pair> wanted = pairs_of(baked.find(s.baked, s.baked_view(), options));
        PairFinderOptions marked = options;
        marked.unmoved = unmoved;
        const PairFinderResult r = scaled.find(s.scene.hulls, s.view(), marked);
        ASSERT_EQ(pairs_of(r), wanted) << frame;
        const std::span<const WorldBox> boxes = scaled.boxes();
        const std::span<const WorldBox> others = baked.boxes();
        EXPECT_EQ(std::memcmp(boxes.data(), others.data(), boxes.size_bytes()), 0) << frame;
        found += wanted.size();
        const bool all_one = frame == 5;
        const std::vector<float> before = s.scales;
        for (std::size_t i = 0; i < s.scales.size(); ++i) {
            const std::uint32_t kind = all_one ? 0 : random.below(8);
            if (all_one) s.scales[i] = 1.0F;
            if (!all_one && frame == 6) s.scales[i] = random.uniform(0.4F, 2.0F);
            if (kind == 1) s.scales[i] = random.uniform(0.4F, 2.0F);
            if (kind == 2) s.scene.bodies[i].position[1] += random.uniform(-0.2F, 0.2F);
            unmoved[i] = kind != 2 && s.scales[i] == before[i] ? 1 : 0;
        }
        s.bake();
    }
    std::printf("%zu pairs in 12 frames\n", found);
    EXPECT_GT(found, 5000U);
}

// Scales of which each frame has new ones: ids begin anew, and what rests has the boxes of its own hull.
TEST(FinderScale, RestingBodiesOutliveForgottenScales) {
    ScaledScene s = make_wide_scene(43, 300);
    BatchRandom random(44);
    PairFinder scaled;
    PairFinderOptions options;
    std::vector<std::uint8_t> unmoved(s.scales.size());
    for (int frame = 0; frame < 30; ++frame) {
        PairFinder baked;
        options.unmoved = unmoved;
        ASSERT_EQ(pairs_of(scaled.find(s.scene.hulls, s.view(), options)),
                  pairs_of(baked.find(s.baked, s.baked_view())))
            << frame;
        for (std::size_t i = 0; i < s.scales.size(); ++i) {
            unmoved[i] = i % 3 == 0 ? 1 : 0;
            if (unmoved[i] == 0) s.scales[i] = random.uniform(0.4F, 2.0F);
        }
        s.bake();
    }
}

TEST(FinderScale, WindowsAndBoxesAreThoseOfBakedHulls) {
    const ScaledScene s = make_wide_scene(45, 300);
    std::vector<std::vector<Body>> moved(3, s.scene.bodies);
    std::vector<std::vector<Body>> moved_baked(3, s.baked_bodies);
    std::vector<BodyView> frames;
    std::vector<BodyView> baked_frames;
    for (std::size_t f = 0; f < 3; ++f) {
        for (std::size_t i = 0; i < s.scales.size(); ++i) {
            const float by = 0.05F * static_cast<float>(f * (i % 5));
            moved[f][i].position[2] += by;
            moved_baked[f][i].position[2] += by;
        }
        frames.push_back(BodyView(moved[f]).with_scale(s.scales.data()));
        baked_frames.push_back(BodyView(moved_baked[f]));
    }
    WindowFinder scaled;
    WindowFinder baked;
    const WindowFinderResult r = scaled.find(s.scene.hulls, frames);
    ASSERT_TRUE(r.status) << r.status.what;
    ASSERT_TRUE(baked.find(s.baked, baked_frames).status);
    for (std::size_t f = 0; f < 3; ++f) {
        ASSERT_EQ(scaled.count(f), baked.count(f));
        EXPECT_GT(scaled.count(f), 100U);
        std::vector<Pair> own(scaled.count(f));
        std::vector<Pair> other(own.size());
        ASSERT_TRUE(scaled.list(f, own));
        ASSERT_TRUE(baked.list(f, other));
        EXPECT_EQ(own, other);
        EXPECT_EQ(scaled.without_box(f), baked.without_box(f));
    }
    // A body whose scale differs between the frames of a window.
    std::vector<float> others = s.scales;
    for (float& x : others) x = x == 0.75F ? 0.5F : 0.75F;
    frames[1] = BodyView(moved[1]).with_scale(others.data());
    EXPECT_EQ(scaled.find(s.scene.hulls, frames).status.code, Status::bad_argument);
    std::vector<WorldBox> boxes(s.scales.size());
    std::vector<WorldBox> baked_boxes(boxes.size());
    const WorldBoxesResult a = world_boxes(s.scene.hulls, s.view(), 0.1, boxes);
    const WorldBoxesResult b = world_boxes(s.baked, s.baked_view(), 0.1, baked_boxes);
    ASSERT_TRUE(a.status) << a.status.what;
    EXPECT_EQ(a.without_box, b.without_box);
    EXPECT_EQ(std::memcmp(boxes.data(), baked_boxes.data(), boxes.size() * sizeof(WorldBox)), 0);
}

// Shapes with scales in a scene of bodies with scales. A shape may name the caller's hulls only.
TEST(FinderScale, QueriesHaveTheRecordsOfBakedHulls) {
    const ScaledScene s = make_wide_scene(46, 200);
    ScaledScene shapes = make_scaled_scene(47, 80, 1);
    shapes.scene.hulls = s.scene.hulls;
    const auto planes = s.scene.hulls.size();
    for (Body& body : shapes.scene.bodies) {
        if (body.hull < planes && s.scene.hulls[body.hull].shape == ShapeKind::half_space) body.hull = 0;
    }
    shapes.bake();
    PairFinder scaled;
    PairFinder baked;
    ASSERT_TRUE(scaled.find(s.scene.hulls, s.view()).status);
    // The same set for both, in which the baked ids of the shapes follow those of the bodies.
    ScaledScene both = s;
    both.scene.bodies.insert(both.scene.bodies.end(), shapes.scene.bodies.begin(), shapes.scene.bodies.end());
    both.scales.insert(both.scales.end(), shapes.scales.begin(), shapes.scales.end());
    both.bake();
    const std::vector<Body> bodies(both.baked_bodies.begin(), both.baked_bodies.begin() + 200);
    const std::vector<Body> baked_shapes(both.baked_bodies.begin() + 200, both.baked_bodies.end());
    ASSERT_TRUE(baked.find(both.baked, BodyView(bodies)).status);
    const std::vector<float> radii(80, 0.3F);
    QueryWorkspace workspace;
    std::vector<ClosestPoints> own(80);
    std::vector<ClosestPoints> other(80);
    const QueryResult r = closest_points(scaled, shapes.view(), radii, own, workspace);
    ASSERT_TRUE(r.status) << r.status.what;
    EXPECT_GT(r.touching, 20U);
    EXPECT_GT(r.by_status[static_cast<std::size_t>(Status::bad_hull)], 0U);
    EXPECT_GT(r.by_status[static_cast<std::size_t>(Status::bad_pose)], 0U);
    ASSERT_TRUE(closest_points(baked, BodyView(baked_shapes), radii, other, workspace).status);
    EXPECT_EQ(std::memcmp(own.data(), other.data(), own.size() * sizeof(ClosestPoints)), 0);
    std::vector<Body> ends = shapes.scene.bodies;
    for (Body& body : ends) body.position[0] += 2;
    std::vector<ShapeHit> hits(80);
    std::vector<ShapeHit> other_hits(80);
    ASSERT_TRUE(cast_shapes(scaled, shapes.view(), BodyView(ends), {}, hits, workspace).status);
    ASSERT_TRUE(cast_shapes(baked, BodyView(baked_shapes), BodyView(ends), {}, other_hits, workspace).status);
    EXPECT_EQ(std::memcmp(hits.data(), other_hits.data(), hits.size() * sizeof(ShapeHit)), 0);
    std::vector<std::uint64_t> offsets(81);
    std::vector<std::uint64_t> other_offsets(81);
    std::vector<std::uint32_t> near(4000);
    std::vector<std::uint32_t> other_near(4000);
    ASSERT_TRUE(overlap_scene(scaled, shapes.view(), 0.1F, offsets, near, workspace).status);
    ASSERT_TRUE(overlap_scene(baked, BodyView(baked_shapes), 0.1F, other_offsets, other_near, workspace).status);
    EXPECT_EQ(offsets, other_offsets);
    EXPECT_EQ(near, other_near);
    // Without scales of its own, a shape must not name a scaled hull of the scene.
    for (Body& body : shapes.scene.bodies) body.hull = static_cast<std::uint32_t>(s.scene.hulls.size());
    const QueryResult none = closest_points(scaled, shapes.scene.view(), radii, own, workspace);
    ASSERT_TRUE(none.status) << none.status.what;
    EXPECT_EQ(none.by_status[static_cast<std::size_t>(Status::bad_hull)], 80U);
}

}  // namespace
}  // namespace lanefold::test
