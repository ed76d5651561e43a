// SPDX-License-Identifier: MIT
//
// lanefold behind MuJoCo's table (examples/mujoco), without MuJoCo: that batches give what single questions give, in
// any order, that motion and new sizes are noticed, and which pairs are left to MuJoCo. `./dev mujoco --test` has the
// real engine.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "mujoco/narrowphase.hpp"

namespace {

using lanefold::Manifold4;
using lanefold::Pair;
using lanefold::Status;
using lanefold::mujoco::Narrowphase;

constexpr std::uint32_t kAll = 0xF;

// The arrays of a scene, as MuJoCo holds them: meshes 0 (an octahedron) and 1 (flat).
struct Scene {
    std::vector<int> kind, mesh;
    std::vector<double> size, position, rotation;
    std::vector<int> first = {0, 6}, vertices = {6, 4};
    std::vector<float> points = {1, 0, 0,  -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1,
                                 0, 0, -1, 0,  0, 0, 1, 0, 0, 0, 1,  0, 1, 1, 0};

    int add(int what, std::array<double, 3> half, std::array<double, 3> at, int mesh_id = -1) {
        kind.push_back(what);
        mesh.push_back(mesh_id);
        size.insert(size.end(), half.begin(), half.end());
        position.insert(position.end(), at.begin(), at.end());
        rotation.insert(rotation.end(), {1, 0, 0, 0, 1, 0, 0, 0, 1});
        return static_cast<int>(kind.size()) - 1;
    }
    lanefold::mujoco::Arrays arrays() const {
        return {kind, size.data(), mesh.data(), first, vertices, points.data(), position.data(), rotation.data()};
    }
};

Manifold4 record(Narrowphase& narrowphase, const Pair& pair, double margin = 0) {
    const Manifold4* const found = narrowphase.contact(int(pair.a), int(pair.b), margin);
    return found == nullptr ? Manifold4{} : *found;
}
bool same(const Manifold4& a, const Manifold4& b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

TEST(MujocoNarrowphase, EachKindTouchesWhereItsShapeEnds) {
    Scene scene;
    const int floor = scene.add(lanefold::mujoco::box, {5, 5, 1}, {0, 0, -1});
    struct Case {
        int kind;
        std::array<double, 3> size;
        double half_height;
    };
    const Case cases[] = {{lanefold::mujoco::sphere, {0.5, 0, 0}, 0.5},
                          {lanefold::mujoco::capsule, {0.25, 0.5, 0}, 0.75},
                          {lanefold::mujoco::box, {0.5, 0.25, 0.125}, 0.125},
                          {lanefold::mujoco::mesh, {1, 1, 1}, 1}};
    for (const Case& c : cases)
        scene.add(c.kind, c.size, {0.1, 0.2, c.half_height - 0.0625}, c.kind == lanefold::mujoco::mesh ? 0 : -1);
    Narrowphase narrowphase(scene.arrays(), kAll, 1);
    for (std::uint32_t g = 1; g <= 4; ++g) {
        const Manifold4 m = record(narrowphase, {std::uint32_t(floor), g});
        EXPECT_NEAR(m.distance, -0.0625F, 2e-6F) << "geom " << g;
        EXPECT_NEAR(m.normal[2], 1, 1e-6F) << "geom " << g;
        EXPECT_EQ(m.count, g == 3 ? 4 : 1) << "geom " << g;
    }
    EXPECT_EQ(narrowphase.counts().refused, 0U);
}

// A rotation by any quaternion, in the order that MuJoCo's matrices have.
void turn(std::mt19937& random, double* m) {
    std::normal_distribution<double> normal;
    double q[4], length = 0;
    for (double& x : q) x = normal(random), length += x * x;
    for (double& x : q) x /= std::sqrt(length);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double all[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                           2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                           2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    std::copy_n(all, 9, m);
}

// 40 steps in which pairs come and go: each answer of a long-lived object is that of one which never saw another pair.
TEST(MujocoNarrowphase, BatchesGiveWhatSingleQuestionsGive) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1.5, 1.5);
    const int kinds[] = {lanefold::mujoco::sphere, lanefold::mujoco::capsule, lanefold::mujoco::box,
                         lanefold::mujoco::mesh};
    Scene scene;
    for (int g = 0; g < 12; ++g) scene.add(kinds[g % 4], {0.5, 0.7, 0.4}, {0, 0, 0}, g % 4 == 3 ? 0 : -1);
    Narrowphase narrowphase(scene.arrays(), kAll, 1);
    int touching = 0, turned = 0;
    for (int step = 0; step < 40; ++step) {
        for (double& x : scene.position) x = uniform(random);
        for (std::size_t g = 0; g < scene.kind.size(); ++g) turn(random, scene.rotation.data() + 9 * g);
        turned += scene.rotation[0] + scene.rotation[4] + scene.rotation[8] < 0;
        for (std::uint32_t a = 0; a < 12; ++a) {
            for (std::uint32_t b = a + 1; b < 12; ++b) {
                if ((a + b + std::uint32_t(step) / 4) % 3 == 0) continue;
                Narrowphase fresh(scene.arrays(), kAll, 1);
                const Manifold4 ours = record(narrowphase, {a, b}, 0.1);
                ASSERT_TRUE(same(ours, record(fresh, {a, b}, 0.1))) << a << ", " << b << " at step " << step;
                touching += ours.count > 0;
            }
        }
    }
    const lanefold_mujoco_counts& counts = narrowphase.counts();
    EXPECT_GT(touching, 300);
    EXPECT_GT(turned, 5);  // the quaternion's other cases
    EXPECT_EQ(counts.batches, 40U);
    EXPECT_GT(counts.batched, counts.alone);
    EXPECT_GT(counts.alone, 44U);  // pairs came later than in the first step
    std::printf("touching %d; batched %llu, alone %llu\n", touching, static_cast<unsigned long long>(counts.batched),
                static_cast<unsigned long long>(counts.alone));
}

TEST(MujocoNarrowphase, NoticesMotionSizesAndMargins) {
    Scene scene;
    scene.add(lanefold::mujoco::sphere, {1, 0, 0}, {0, 0, 0});
    scene.add(lanefold::mujoco::sphere, {1, 0, 0}, {0, 0, 2.5});
    Narrowphase narrowphase(scene.arrays(), kAll, 1);
    const Pair pair = {0, 1};
    EXPECT_EQ(record(narrowphase, pair).count, 0);
    EXPECT_EQ(record(narrowphase, pair, 1).count, 1);  // the same poses with another margin
    EXPECT_EQ(narrowphase.counts().batches, 1U);
    scene.position[5] = 1.75;
    EXPECT_NEAR(record(narrowphase, pair).distance, -0.25F, 1e-6F);
    scene.size[3] = 0.5;  // the second is smaller now, at the same place
    EXPECT_EQ(record(narrowphase, pair).count, 0);
    EXPECT_NEAR(record(narrowphase, pair, 1).distance, 0.25F, 1e-6F);
}

TEST(MujocoNarrowphase, LeavesWhatIsNoHullToMujoco) {
    Scene scene;
    const int flat = scene.add(lanefold::mujoco::mesh, {1, 1, 1}, {0, 0, 0}, 1);
    const int good = scene.add(lanefold::mujoco::mesh, {1, 1, 1}, {0, 0, 0}, 0);
    const int cylinder = scene.add(5, {1, 1, 0}, {0, 0, 0});
    const int ball = scene.add(lanefold::mujoco::sphere, {1, 0, 0}, {0, 0, 0.5});
    const int nowhere = scene.add(lanefold::mujoco::sphere, {1, 0, 0}, {NAN, 0, 0});
    const int nothing = scene.add(lanefold::mujoco::sphere, {0, 0, 0}, {0, 0, 0.5});
    Narrowphase narrowphase(scene.arrays(), kAll, 1);
    EXPECT_EQ(narrowphase.contact(flat, good, 0), nullptr);
    EXPECT_EQ(narrowphase.contact(cylinder, good, 0), nullptr);
    EXPECT_EQ(narrowphase.contact(ball, nowhere, 0), nullptr);
    EXPECT_EQ(narrowphase.contact(good, ball, -0.1), nullptr);
    EXPECT_EQ(narrowphase.counts().refused, 4U);
    ASSERT_NE(narrowphase.contact(good, ball, 0), nullptr);
    EXPECT_LT(narrowphase.contact(good, ball, 0)->distance, -0.5F);
    // A ball of no size is a point, which is a hull.
    const Manifold4* const point = narrowphase.contact(good, nothing, 0);
    EXPECT_TRUE(point == nullptr || point->status == Status::ok);

    Narrowphase spheres(scene.arrays(), LANEFOLD_MUJOCO_SPHERE, 1);
    EXPECT_EQ(spheres.contact(good, ball, 0), nullptr);
}

}  // namespace
