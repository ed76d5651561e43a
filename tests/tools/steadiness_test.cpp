// SPDX-License-Identifier: MIT
//
// Steadiness of support patches (tests/support/trembling.hpp): on nearly coplanar faces and finely faceted round hulls
// their manifold neither flickers nor loses area, while that of face clipping does. Both methods and both capacities
// have the same poses. `lanefold_bench --methods` prints the same figures and those of the float64 methods.
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/serial.hpp>

#include "support/trembling.hpp"

namespace lanefold::tools {
namespace {

struct Row {
    Steadiness clip4, patch4, clip16, patch16;
};

template <class M>
void follow(const TremblingScene& scene, const TremblingFrame& f, ContactMethod method, Workspace& workspace,
            Steadiness& out) {
    Options options;
    options.margin = kTrembleMargin;
    options.method = method;
    M m{};
    ASSERT_TRUE(collide_pair(scene.hulls, f.a, f.b, options, m, workspace).status);
    ASSERT_NE(m.kind, ContactKind::none);
    out.add(plan_of(m), f.other_body);
}

Row follow(const TremblingScene& scene) {
    Row row{Steadiness(scene.true_area), Steadiness(scene.true_area), Steadiness(scene.true_area),
            Steadiness(scene.true_area)};
    Workspace workspace;
    for (const TremblingFrame& f : scene.frames) {
        follow<Manifold4>(scene, f, ContactMethod::clip, workspace, row.clip4);
        follow<Manifold4>(scene, f, ContactMethod::patch, workspace, row.patch4);
        follow<Manifold16>(scene, f, ContactMethod::clip, workspace, row.clip16);
        follow<Manifold16>(scene, f, ContactMethod::patch, workspace, row.patch16);
    }
    const auto print = [&](const char* what, const Steadiness& s) {
        std::printf("%-46s %-16s flicker %5.1f%%   area %5.3f of the true one (least %5.3f)   %4.1f points\n",
                    scene.name.c_str(), what, 100 * s.flicker(), s.mean_area(), s.least_area(), s.mean_points());
    };
    print("clip, 4 points", row.clip4);
    print("patch, 4 points", row.patch4);
    print("clip, 16", row.clip16);
    print("patch, 16", row.patch16);
    return row;
}

// The bounds have a reserve over the results of twelve seeds: flicker with 4 and with 16 points of 0 and 0 on lids, up
// to 0.7% and 0.3% on spheres, 0.2% and 0 on rocks; mean area of at least 0.637 and 0.927, 0.276 and 0.660, 0.544 and
// 0.849.
class PatchSteadiness : public testing::Test {
protected:
    static const std::vector<TremblingScene>& scenes() {
        static const std::vector<TremblingScene> all = make_trembling_scenes(kSeed);
        return all;
    }
    static constexpr std::uint64_t kSeed = 811;
};

TEST_F(PatchSteadiness, CylinderLidCutIntoNearlyCoplanarFaces) {
    const TremblingScene& scene = scenes()[0];
    EXPECT_GT(scene.hulls[1].face_count, 100U);
    const Row row = follow(scene);
    EXPECT_EQ(row.patch4.frames(), 995U);
    EXPECT_GT(row.clip16.flicker(), 0.5);
    EXPECT_LT(row.clip16.mean_area(), 0.1);
    // A square in a circle has 2 / pi = 0.637.
    EXPECT_LT(row.patch4.flicker(), 0.005);
    EXPECT_GT(row.patch4.least_area(), 0.6);
    EXPECT_LT(row.patch16.flicker(), 0.005);
    EXPECT_GT(row.patch16.least_area(), 0.9);
}

TEST_F(PatchSteadiness, FinelyFacetedSphereOnAFloor) {
    const TremblingScene& scene = scenes()[1];
    EXPECT_EQ(scene.hulls[1].vertex_count, 3000U);
    const Row row = follow(scene);
    EXPECT_EQ(row.patch4.frames(), 995U);
    EXPECT_LT(row.clip16.mean_area(), 0.05);
    // One of four points is the deepest, in the middle. The other three span at most 3 sqrt(3) / (4 pi) = 0.41.
    EXPECT_LT(row.patch4.flicker(), 0.015);
    EXPECT_GT(row.patch4.mean_area(), 0.25);
    EXPECT_LT(row.patch16.flicker(), 0.01);
    EXPECT_GT(row.patch16.mean_area(), 0.62);
}

TEST_F(PatchSteadiness, StackedScannedRocks) {
    const TremblingScene& scene = scenes()[2];
    const Row row = follow(scene);
    EXPECT_EQ(row.patch4.frames(), 995U);
    EXPECT_GT(row.clip16.flicker(), 0.5);
    EXPECT_LT(row.clip16.mean_area(), 0.1);
    EXPECT_LT(row.patch4.flicker(), 0.01);
    EXPECT_GT(row.patch4.mean_area(), 0.52);
    EXPECT_LT(row.patch16.flicker(), 0.005);
    EXPECT_GT(row.patch16.mean_area(), 0.82);
}

}  // namespace
}  // namespace lanefold::tools
