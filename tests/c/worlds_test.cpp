// SPDX-License-Identifier: MIT
//
// Rays and many worlds in one call, from C, have the bytes of C++.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include <lanefold_rays.h>
#include <lanefold_worlds.h>
#include <lanefold/broadphase.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/rays.hpp>

#include "support/batch_scene.hpp"
#include "support/c_hulls.hpp"

namespace lanefold::test {
namespace {

struct Free {
    void operator()(lanefold_workspace* p) const { lanefold_workspace_free(p); }
    void operator()(lanefold_sweep_workspace* p) const { lanefold_sweep_workspace_free(p); }
    void operator()(lanefold_pair_finder* p) const { lanefold_finder_free(p); }
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

TEST_F(CWorlds, BodiesAtRestKeepTheRecordsOfTheCallBefore) {
    ASSERT_EQ(find(worlds()).code, LANEFOLD_OK);
    lanefold_world_ranges ranges = LANEFOLD_WORLD_RANGES_INIT;
    ranges.worlds = 30;
    ranges.pairs = ranges.records = offsets_;
    ranges.bodies = bodies_.data();
    lanefold_options options = LANEFOLD_OPTIONS_INIT;
    options.margin = scene_.margin;
    std::vector<lanefold_manifold4> first(pair_count_), again(pair_count_);
    std::vector<lanefold_world_result> results(30);
    const std::unique_ptr<lanefold_workspace, Free> memory(lanefold_workspace_create());
    const auto call = [&](std::vector<lanefold_manifold4>& out) {
        return lanefold_collide_worlds4(hulls_.get(), &view_, pairs_, pair_count_, &ranges, &options, out.data(),
                                        out.size(), nullptr, results.data(), memory.get(), nullptr, nullptr);
    };
    ASSERT_EQ(call(first).code, LANEFOLD_OK);
    const std::vector<lanefold_world_result> before = results;
    const std::vector<std::uint8_t> unmoved(181, 1);
    options.unmoved = unmoved.data();
    options.previous = first.data();
    options.previous_capacity = 4;
    options.previous_count = first.size();
    options.previous_one_per_pair = 0;
    EXPECT_EQ(call(again).code, LANEFOLD_BAD_ARGUMENT);
    ranges.previous_records = offsets_;
    ranges.previous_results = results.data();
    ASSERT_EQ(call(again).code, LANEFOLD_OK);
    EXPECT_EQ(std::memcmp(results.data(), before.data(), before.size() * sizeof(lanefold_world_result)), 0);
    EXPECT_EQ(std::memcmp(first.data(), again.data(), first.size() * sizeof(lanefold_manifold4)), 0);
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
    std::vector<std::uint64_t> falls(offsets_, offsets_ + 31);
    falls[20] = falls[19] - 1;
    ranges.records = falls.data();
    const lanefold_status descends =
        lanefold_collide_worlds4(hulls_.get(), &view_, pairs_, pair_count_, &ranges, nullptr, out.data(), out.size(),
                                 nullptr, results.data(), memory.get(), nullptr, nullptr);
    EXPECT_EQ(descends.code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_STREQ(descends.what, "worlds.records does not ascend");
    EXPECT_EQ(descends.where, 20U);
    ranges.records = nullptr;
    EXPECT_EQ(code(out.size(), results.data()), LANEFOLD_BAD_ARGUMENT);
}

}  // namespace
}  // namespace lanefold::test
