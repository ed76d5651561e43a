// SPDX-License-Identifier: MIT
//
// Rays, many worlds in one call and batches of worlds, from C, have the bytes of C++.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include <lanefold_rays.h>
#include <lanefold_world_batch.h>
#include <lanefold_worlds.h>
#include <lanefold/broadphase.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/rays.hpp>
#include <lanefold/world_batch.hpp>

#include "support/batch_scene.hpp"
#include "support/c_hulls.hpp"
#include "support/standing_scenes.hpp"

namespace lanefold::test {
namespace {

struct Free {
    void operator()(lanefold_workspace* p) const { lanefold_workspace_free(p); }
    void operator()(lanefold_sweep_workspace* p) const { lanefold_sweep_workspace_free(p); }
    void operator()(lanefold_pair_finder* p) const { lanefold_finder_free(p); }
    void operator()(lanefold_world_batch* p) const { lanefold_world_batch_free(p); }
};

lanefold_body_view view_of(const std::vector<Body>& bodies) {
    return lanefold_view_bodies(reinterpret_cast<const lanefold_body*>(bodies.data()), bodies.size());
}

TEST(CRays, HitsAreTheBytesOfCpp) {
    const BatchScene scene = make_bad_batch_scene(3, 60, 10);
    const CHulls hulls = c_hulls(scene.hulls);
    BatchRandom random(4);
    std::vector<Ray> rays(300);
    for (Ray& ray : rays) {
        for (double& x : ray.origin) x = static_cast<double>(random.uniform(-4, 4));
        for (int k = 0; k < 3; ++k) ray.direction[k] = static_cast<double>(random.uniform(-1, 1)) - ray.origin[k];
    }
    rays[7].direction[1] = std::nan("");
    std::vector<RayHit> hits(rays.size());
    SweepWorkspace workspace;
    const RayResult own = cast_rays(scene.hulls, scene.bodies, rays, hits, workspace);
    ASSERT_TRUE(own.status);
    const std::unique_ptr<lanefold_sweep_workspace, Free> memory(lanefold_sweep_workspace_create());
    std::vector<lanefold_ray_hit> out(rays.size());
    lanefold_ray_result r = LANEFOLD_RAY_RESULT_INIT;
    const lanefold_body_view view = view_of(scene.bodies);
    const auto* c_rays = reinterpret_cast<const lanefold_ray*>(rays.data());
    ASSERT_EQ(lanefold_cast_rays(hulls.get(), &view, c_rays, rays.size(), out.data(), memory.get(), &r).code,
              LANEFOLD_OK);
    EXPECT_EQ(std::memcmp(out.data(), hits.data(), hits.size() * sizeof(RayHit)), 0);
    EXPECT_TRUE(std::equal(r.by_state, r.by_state + 4, own.by_state));
    EXPECT_GT(r.by_state[LANEFOLD_RAY_HIT], 100U);
    EXPECT_EQ(r.left_out, own.left_out);
    lanefold_ray_result unset{};
    const auto refused = [&](const lanefold_ray* list, lanefold_ray_hit* to, lanefold_ray_result* sums) {
        return lanefold_cast_rays(hulls.get(), &view, list, 3, to, memory.get(), sums).code == LANEFOLD_BAD_ARGUMENT;
    };
    EXPECT_TRUE(refused(nullptr, out.data(), nullptr));
    EXPECT_TRUE(refused(c_rays, nullptr, nullptr));
    EXPECT_TRUE(refused(c_rays, out.data(), &unset));
    EXPECT_EQ(lanefold_cast_rays(hulls.get(), &view, c_rays, 3, out.data(), nullptr, nullptr).code,
              LANEFOLD_BAD_ARGUMENT);
}

// Thirty worlds of six bodies each, and one body that all share.
class CWorlds : public testing::Test {
protected:
    CWorlds() : scene_(make_batch_scene(11, 181, 1)), hulls_(c_hulls(scene_.hulls)), view_(view_of(scene_.bodies)) {
        for (std::uint32_t i = 0; i < 180; ++i) world_.push_back(static_cast<std::int32_t>(i / 6));
        world_.push_back(kSharedBody);
        for (std::uint64_t w = 0; w <= 30; ++w) bodies_.push_back(6 * w);
        for (std::uint32_t w = 0; w < 30; ++w) active_.push_back(w % 7 != 3 ? 1 : 0);
        PairFinderOptions f;
        f.margin = scene_.margin;
        f.world = world_;
        f.worlds = 30;
        f.active = active_;
        found_ = finder_.find(scene_.hulls, scene_.bodies, f);
        EXPECT_TRUE(found_.status);
    }

    lanefold_status find(lanefold_finder_worlds worlds) {
        lanefold_finder_options o = LANEFOLD_FINDER_OPTIONS_INIT;
        o.margin = scene_.margin;
        return lanefold_find_world_pairs(c_finder_.get(), hulls_.get(), &view_, &o, &worlds, &pairs_, &pair_count_,
                                         &offsets_, nullptr);
    }

    lanefold_finder_worlds worlds() {
        lanefold_finder_worlds w = LANEFOLD_FINDER_WORLDS_INIT;
        w.world = world_.data();
        w.worlds = 30;
        w.active = active_.data();
        return w;
    }

    BatchScene scene_;
    CHulls hulls_;
    lanefold_body_view view_;
    std::vector<std::int32_t> world_;
    std::vector<std::uint64_t> bodies_;
    std::vector<std::uint8_t> active_;
    PairFinder finder_;
    PairFinderResult found_;
    std::unique_ptr<lanefold_pair_finder, Free> c_finder_{lanefold_finder_create()};
    const lanefold_pair* pairs_ = nullptr;
    std::uint64_t pair_count_ = 0;
    const std::uint64_t* offsets_ = nullptr;
};

TEST_F(CWorlds, PairsAndContactsAreTheBytesOfCpp) {
    ASSERT_EQ(find(worlds()).code, LANEFOLD_OK);
    ASSERT_EQ(pair_count_, found_.pairs.size());
    ASSERT_GT(pair_count_, 300U);
    EXPECT_EQ(std::memcmp(pairs_, found_.pairs.data(), found_.pairs.size_bytes()), 0);
    ASSERT_EQ(found_.world_offsets.size(), 31U);
    EXPECT_TRUE(std::equal(found_.world_offsets.begin(), found_.world_offsets.end(), offsets_));

    std::vector<std::uint64_t> room{0};  // the fifth world has too little
    for (std::size_t w = 0; w < 30; ++w) room.push_back(room.back() + (w == 5 ? 1 : offsets_[w + 1] - offsets_[w]));
    const WorldRanges ranges{found_.world_offsets, room, bodies_, active_};
    std::vector<Manifold16> records(room.back());
    std::vector<WorldResult> results(30);
    std::vector<std::uint32_t> candidates(records.size());
    Workspace workspace;
    const WorldsResult own = collide_worlds<Manifold16>(scene_.hulls, scene_.bodies, found_.pairs, ranges,
                                                        scene_.options(), records, results, workspace, {}, candidates);
    ASSERT_EQ(own.status.code, Status::truncated);

    lanefold_world_ranges c_ranges = LANEFOLD_WORLD_RANGES_INIT;
    c_ranges.worlds = 30;
    c_ranges.pairs = offsets_;
    c_ranges.records = room.data();
    c_ranges.bodies = bodies_.data();
    c_ranges.active = active_.data();
    lanefold_options options = LANEFOLD_OPTIONS_INIT;
    options.margin = scene_.margin;
    options.hash = 1;
    std::vector<lanefold_manifold16> out(records.size());
    std::vector<lanefold_world_result> c_results(30);
    std::vector<std::uint32_t> c_candidates(records.size());
    const std::unique_ptr<lanefold_workspace, Free> memory(lanefold_workspace_create());
    lanefold_result sums = LANEFOLD_RESULT_INIT;
    std::uint64_t truncated = 0;
    const lanefold_status s =
        lanefold_collide_worlds16(hulls_.get(), &view_, pairs_, pair_count_, &c_ranges, &options, out.data(),
                                  out.size(), c_candidates.data(), c_results.data(), memory.get(), &sums, &truncated);
    EXPECT_EQ(s.code, LANEFOLD_TRUNCATED);
    EXPECT_EQ(s.where, 5U);
    EXPECT_EQ(truncated, 1U);
    EXPECT_EQ(std::memcmp(out.data(), records.data(), records.size() * sizeof(Manifold16)), 0);
    for (std::size_t w = 0; w < 30; ++w) {
        EXPECT_EQ(c_results[w].status, static_cast<std::uint8_t>(results[w].status));
        EXPECT_EQ(std::memcmp(&c_results[w].deepest, &results[w].deepest, sizeof(WorldResult) - 4), 0) << w;
    }
    EXPECT_EQ(c_candidates, candidates);
    EXPECT_EQ(sums.written, own.written);
    EXPECT_EQ(sums.hash, own.hash);
    EXPECT_GT(sums.written, 100U);
}

TEST_F(CWorlds, BadWorldsAreRefused) {
    lanefold_finder_worlds wrong = worlds();
    wrong.worlds = 29;
    EXPECT_EQ(find(wrong).code, LANEFOLD_BAD_ARGUMENT);
    wrong.struct_size = 0;
    EXPECT_EQ(find(wrong).code, LANEFOLD_BAD_ARGUMENT);
    std::vector<float> motion(3 * 181, 0.0F);
    motion[3 * 180] = 1;  // the shared body moves
    wrong = worlds();
    wrong.motion = motion.data();
    EXPECT_EQ(find(wrong).where, 180U);
    ASSERT_EQ(find(worlds()).code, LANEFOLD_OK);
    lanefold_world_ranges ranges = LANEFOLD_WORLD_RANGES_INIT;
    ranges.worlds = 30;
    ranges.pairs = offsets_;
    ranges.records = offsets_;
    std::vector<lanefold_manifold4> out(pair_count_);
    std::vector<lanefold_world_result> results(30);
    const std::unique_ptr<lanefold_workspace, Free> memory(lanefold_workspace_create());
    const auto code = [&](std::uint64_t room, lanefold_world_result* each) {
        return lanefold_collide_worlds4(hulls_.get(), &view_, pairs_, pair_count_, &ranges, nullptr, out.data(), room,
                                        nullptr, each, memory.get(), nullptr, nullptr)
            .code;
    };
    EXPECT_EQ(code(out.size(), results.data()), LANEFOLD_OK);
    EXPECT_EQ(code(out.size() - 1, results.data()), LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(code(out.size(), nullptr), LANEFOLD_BAD_ARGUMENT);
    ranges.records = nullptr;
    EXPECT_EQ(code(out.size(), results.data()), LANEFOLD_BAD_ARGUMENT);
}

// Eight worlds of a tower, through C++ and through C.
class CWorldBatch : public testing::Test {
protected:
    CWorldBatch() : scene_(tower_scene(4)), own_(scene_.hulls, 8), hulls_(c_hulls(scene_.hulls)) {
        lanefold_world_batch* made = nullptr;
        EXPECT_EQ(lanefold_world_batch_create(hulls_.get(), 8, &made).code, LANEFOLD_OK);
        batch_.reset(made);
        std::vector<lanefold_rigid_body> bodies;
        for (const RigidBody& b : scene_.bodies) {
            lanefold_rigid_body c = LANEFOLD_RIGID_BODY_INIT;
            c.hull = b.hull;
            c.kind = static_cast<std::uint8_t>(b.kind);
            std::memcpy(c.position, b.position, sizeof c.position);
            bodies.push_back(c);
        }
        for (RigidBody& b : scene_.bodies) {
            RigidBody plain;
            plain.hull = b.hull;
            plain.kind = b.kind;
            std::copy_n(b.position, 3, plain.position);
            b = plain;
        }
        EXPECT_TRUE(own_.add_bodies(scene_.bodies));
        EXPECT_EQ(lanefold_world_batch_add_bodies(made, bodies.data(), bodies.size(), nullptr).code, LANEFOLD_OK);
        WorldSettings settings;
        settings.gravity = {0, -9.81F, 0};
        EXPECT_TRUE(own_.set_settings(settings));
        lanefold_world_settings c = LANEFOLD_WORLD_SETTINGS_INIT;
        EXPECT_EQ(lanefold_world_get_settings(lanefold_world_batch_world(made, 0), &c).code, LANEFOLD_OK);
        c.gravity[0] = c.gravity[2] = 0;
        c.gravity[1] = -9.81F;
        EXPECT_EQ(lanefold_world_batch_set_settings(made, &c, nullptr).code, LANEFOLD_OK);
    }

    lanefold_world_arrays arrays() {
        lanefold_world_arrays a = LANEFOLD_WORLD_ARRAYS_INIT;
        EXPECT_EQ(lanefold_world_batch_arrays(batch_.get(), &a).code, LANEFOLD_OK);
        return a;
    }

    template <class T>
    static bool same(std::span<const T> own, const T* c) {
        return std::memcmp(own.data(), c, own.size_bytes()) == 0;
    }

    void expect_same() {
        const WorldArrays own = own_.arrays();
        const lanefold_world_arrays c = arrays();
        ASSERT_EQ(c.bodies, own.touches.size());
        EXPECT_TRUE(same<double>(own.positions, c.positions));
        EXPECT_TRUE(same<float>(own.orientations, c.orientations));
        EXPECT_TRUE(same<float>(own.velocities, c.velocities));
        EXPECT_TRUE(same<float>(own.spins, c.spins));
        EXPECT_TRUE(same(own.contact_forces, c.contact_forces));
        EXPECT_TRUE(same(own.touches, c.touches));
        EXPECT_TRUE(same(own.offsets, c.offsets));
    }

    StandingScene scene_;
    WorldBatch own_;
    CHulls hulls_;
    std::unique_ptr<lanefold_world_batch, Free> batch_;
};

TEST_F(CWorldBatch, StepsResetsAndWritesAreTheBytesOfCpp) {
    ASSERT_TRUE(own_.keep().status);
    ASSERT_EQ(lanefold_world_batch_keep(batch_.get(), nullptr, nullptr).code, LANEFOLD_OK);
    const std::size_t per_world = scene_.bodies.size();
    std::vector<std::uint8_t> active = {1, 1, 0, 1, 1, 1, 1, 1};
    std::vector<StepResult> results(8);
    std::vector<lanefold_step_result> c_results(8);
    c_results[0] = LANEFOLD_STEP_RESULT_INIT;
    std::vector<lanefold_status> statuses(8);
    for (std::size_t step = 0; step < 60; ++step) {
        for (std::size_t w = 0; w < 8; ++w) {
            const auto push = static_cast<float>(300 * w);
            own_.arrays().forces[3 * (w * per_world + 4)] = push;
            arrays().forces[3 * (w * per_world + 4)] = push;
        }
        if (step == 30) {  // a force that is not finite refuses one world
            own_.arrays().torques[3 * (5 * per_world + 2)] = HUGE_VALF;
            arrays().torques[3 * (5 * per_world + 2)] = HUGE_VALF;
        }
        const WorldBatchResult r = own_.step(1.0 / 60, results, active);
        lanefold_world_batch_result sums = LANEFOLD_WORLD_BATCH_RESULT_INIT;
        const lanefold_status s =
            lanefold_world_batch_step(batch_.get(), 1.0 / 60, active.data(), statuses.data(), c_results.data(), &sums);
        ASSERT_EQ(s.code, static_cast<int>(r.status.code)) << s.what;
        EXPECT_EQ(s.where, r.status.where);
        EXPECT_EQ(sums.done, r.done);
        EXPECT_EQ(sums.contacts, r.contacts);
        EXPECT_EQ(statuses[5].code != LANEFOLD_OK, step >= 30);
        EXPECT_EQ(c_results[4].contacts, results[4].contacts);
    }
    expect_same();
    EXPECT_GT(arrays().touches[1], 0U);
    const std::vector<std::uint8_t> some = {0, 1, 0, 0, 0, 1, 0, 0};
    ASSERT_TRUE(own_.reset(some).status);
    lanefold_world_batch_result sums = LANEFOLD_WORLD_BATCH_RESULT_INIT;
    ASSERT_EQ(lanefold_world_batch_reset(batch_.get(), some.data(), &sums).code, LANEFOLD_OK);
    EXPECT_EQ(sums.done, 2U);
    expect_same();
    own_.arrays().positions[3 * 4 + 1] += 2;
    arrays().positions[3 * 4 + 1] += 2;
    ASSERT_TRUE(own_.write().status);
    ASSERT_EQ(lanefold_world_batch_write(batch_.get(), nullptr, nullptr).code, LANEFOLD_OK);
    lanefold_world* first = lanefold_world_batch_world(batch_.get(), 0);
    EXPECT_EQ(lanefold_world_bodies(first, nullptr)[4].position[1], own_.world(0).bodies()[4].position[1]);
    const double place[3] = {3, 9, 3};
    const float upright[4] = {0, 0, 0, 1};
    ASSERT_TRUE(own_.world(0).set_pose(4, place, upright));
    ASSERT_EQ(lanefold_world_set_pose(first, 4, place, upright).code, LANEFOLD_OK);
    ASSERT_TRUE(own_.read().status);
    ASSERT_EQ(lanefold_world_batch_read(batch_.get(), nullptr, nullptr).code, LANEFOLD_OK);
    expect_same();
}

TEST_F(CWorldBatch, BadArgumentsAreRefused) {
    EXPECT_EQ(lanefold_world_batch_count(batch_.get()), 8U);
    EXPECT_EQ(lanefold_world_batch_world(batch_.get(), 8), nullptr);
    EXPECT_EQ(lanefold_world_batch_world(nullptr, 0), nullptr);
    EXPECT_EQ(lanefold_world_batch_reset(batch_.get(), nullptr, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_world_batch_step(batch_.get(), -1, nullptr, nullptr, nullptr, nullptr).code,
              LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_world_batch_step(nullptr, 0.1, nullptr, nullptr, nullptr, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    lanefold_step_result results[8] = {};
    EXPECT_EQ(lanefold_world_batch_step(batch_.get(), 0.1, nullptr, nullptr, results, nullptr).code,
              LANEFOLD_BAD_ARGUMENT);
    lanefold_world_batch_result sums{};
    EXPECT_EQ(lanefold_world_batch_keep(batch_.get(), nullptr, &sums).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_world_batch_set_gravity(batch_.get(), nullptr).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_world_batch_add_bodies(batch_.get(), nullptr, 2, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    lanefold_world_batch* made = batch_.get();
    EXPECT_EQ(lanefold_world_batch_create(nullptr, 3, &made).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(made, nullptr);
}

}  // namespace
}  // namespace lanefold::test
