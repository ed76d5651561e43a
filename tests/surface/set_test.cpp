// SPDX-License-Identifier: MIT
//
// Surfaces as ids of hull sets: shared without a copy, appended, removed, told apart by fingerprints, with boxes.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/compound.hpp>
#include <lanefold/scaled_hulls.hpp>

#include "support/poses.hpp"
#include "support/surface_scene.hpp"

namespace lanefold::test {
namespace {

HullSet set_of(const Surface& surface) {
    BuildResult built = surface_set(std::span(&surface, 1));
    EXPECT_TRUE(static_cast<bool>(built));
    EXPECT_EQ(built.frames.size(), 1U);
    return built.hulls;
}

TEST(SurfaceSet, SetsShareTheirArrays) {
    const Surface ground = rough_ground(40, 0.5F, 0.2F, 1);
    const HullSet box = build_hull(box_points(1, 1, 1)).hulls;
    const HullSet set = box.append(set_of(ground)).append(box);
    ASSERT_EQ(set.size(), 3U);
    EXPECT_TRUE(set.has_surfaces());
    EXPECT_FALSE(box.has_surfaces());
    ASSERT_NE(set.surface(1), nullptr);
    EXPECT_EQ(set.surface(0), nullptr);
    EXPECT_EQ(set.surface(2), nullptr);
    EXPECT_EQ(set.surface(7), nullptr);
    EXPECT_EQ(set.surface(1)->vertices().data(), ground.vertices().data());
    EXPECT_EQ(&set.surface(1)->view(), &ground.view());
    const HullSet twice = set.append(set);
    EXPECT_EQ(twice.surface(4)->vertices().data(), ground.vertices().data());
    EXPECT_LT(twice.hot_bytes(), 10000U);
    EXPECT_EQ(set[1].shape, ShapeKind::surface);
    EXPECT_TRUE(set.vertices(1).empty());
    EXPECT_TRUE(set.input_index(1).empty());
    EXPECT_EQ(set.info(1).mass.volume, 0);
    EXPECT_EQ(set.child_count(1), 0U);
    EXPECT_EQ(set.max_vertices(), 8U);
    const FeatureCounts counts = ground.feature_counts();
    EXPECT_EQ(counts.faces, 3200U);
    EXPECT_EQ(counts.edges, 9600U);
    EXPECT_EQ(counts.vertices, 1681U);
}

TEST(SurfaceSet, TheSetHoldsItsSurfacesUntilTheyAreRemoved) {
    HullSet set;
    std::weak_ptr<const void> alive;
    {
        const auto keep = std::make_shared<const std::vector<float>>(9, 0.5F);
        alive = keep;
        const HeightSamples samples(keep->data(), 3);
        HeightFieldOptions options;
        options.rows = options.columns = 3;
        options.borrow = true;
        options.keep = keep;
        const SurfaceResult field = build_height_field(std::span(&samples, 1), options);
        ASSERT_TRUE(field) << field.status.what;
        set = set_of(field.surface);
    }
    EXPECT_FALSE(alive.expired());
    EXPECT_TRUE(set.surface(0)->is_height_field());
    const std::uint32_t id = 0;
    const HullSet rest = set.remove(std::span(&id, 1));
    EXPECT_FALSE(rest.contains(0));
    EXPECT_EQ(rest.surface(0), nullptr);
    EXPECT_FALSE(rest.has_surfaces());
    EXPECT_FALSE(alive.expired());
    set = rest;
    EXPECT_TRUE(alive.expired());
}

TEST(SurfaceSet, FingerprintsAreThoseOfTheSurfaces) {
    const Surface one = rough_ground(4, 0.5F, 0.2F, 1);
    const Surface same = rough_ground(4, 0.5F, 0.2F, 1);
    const Surface other = rough_ground(4, 0.5F, 0.2F, 2);
    SurfaceOptions thin;
    thin.thickness = 1;
    const Surface sheet = rough_ground(4, 0.5F, 0.2F, 1, thin);
    EXPECT_EQ(set_of(one).fingerprint(), set_of(same).fingerprint());
    EXPECT_NE(set_of(one).fingerprint(), set_of(other).fingerprint());
    EXPECT_NE(set_of(one).fingerprint(), set_of(sheet).fingerprint());
    const Surface both[] = {one, other};
    EXPECT_EQ(surface_set(both).hulls.fingerprint(), set_of(one).append(set_of(other)).fingerprint());
}

TEST(SurfaceSet, EmptyOnesAreRefusedWithTheirPlace) {
    const Surface surfaces[] = {rough_ground(2, 1, 0, 1), Surface(), Surface()};
    const BuildResult r = surface_set(surfaces);
    ASSERT_EQ(r.failures.size(), 2U);
    EXPECT_EQ(r.failures[0].hull, 1U);
    EXPECT_EQ(r.failures[1].hull, 2U);
    EXPECT_EQ(r.failures[0].error, HullError::too_few_points);
    EXPECT_TRUE(r.hulls.empty());
    EXPECT_TRUE(static_cast<bool>(surface_set({})));
}

TEST(SurfaceSet, BoxesContainEveryVertex) {
    const Surface ground = rough_ground(6, 0.7F, 0.4F, 3);
    const HullSet set = set_of(ground);
    BatchRandom random(4);
    std::vector<BodyD> bodies(50);
    for (BodyD& body : bodies) {
        for (double& x : body.position) x = static_cast<double>(random.uniform(-100, 100));
        random.rotation(body.orientation);
    }
    std::vector<WorldBox> boxes(bodies.size());
    const WorldBoxesResult r = world_boxes(set, BodyView(bodies), 0, boxes);
    ASSERT_TRUE(r.status);
    EXPECT_EQ(r.without_box, 0U);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const PoseD pose = pose_of(bodies[i]);
        for (const Vec3f& v : ground.vertices()) {
            const Vec3d x = transform(pose, to_double(v));
            ASSERT_TRUE(x.x >= boxes[i].lower.x && x.x <= boxes[i].upper.x);
            ASSERT_TRUE(x.y >= boxes[i].lower.y && x.y <= boxes[i].upper.y);
            ASSERT_TRUE(x.z >= boxes[i].lower.z && x.z <= boxes[i].upper.z);
        }
    }
}

TEST(SurfaceSet, OtherBuildersRefuseThem) {
    const HullSet set = build_hull(box_points(1, 1, 1)).hulls.append(set_of(rough_ground(2, 1, 0, 1)));
    const CompoundChild child{{0, 0, 0}, {0, 0, 0, 1}, 1};
    const CompoundResult compound = build_compound(set, std::span(&child, 1));
    ASSERT_EQ(compound.failures.size(), 1U);
    EXPECT_EQ(compound.failures[0].error, CompoundError::no_hull);
    ScaledHulls scaled(set);
    EXPECT_EQ(scaled.take(1, {2, 2, 2}).status.code, Status::bad_argument);
    const SurfacePiece piece{1, {}, {}, 0};
    EXPECT_EQ(surface_of_hulls(set, std::span(&piece, 1)).status.code, Status::bad_argument);
}

}  // namespace
}  // namespace lanefold::test
