// SPDX-License-Identifier: MIT
//
// Inputs of a host: containers of bodies, forms of stop tokens, sets with removed hulls.
#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/isa.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/serial.hpp>

#include "support/batch_scene.hpp"

namespace lanefold::test {
namespace {

bool same_view(const BodyView& a, const BodyView& b) {
    return a.position == b.position && a.orientation == b.orientation && a.hull == b.hull &&
           a.position_stride == b.position_stride && a.orientation_stride == b.orientation_stride &&
           a.hull_stride == b.hull_stride && a.count == b.count && a.position_is_double == b.position_is_double;
}

TEST(BodyView, TakesEveryContainerOfBodies) {
    std::vector<Body> vector(3);
    const std::array<Body, 2> array{};
    BodyD plain[4] = {};
    EXPECT_TRUE(same_view(vector, std::span<const Body>(vector)));
    EXPECT_TRUE(same_view(std::span<Body>(vector), std::span<const Body>(vector)));
    EXPECT_TRUE(same_view(array, std::span<const Body>(array)));
    EXPECT_TRUE(same_view(plain, std::span<const BodyD>(plain)));
    const BodyView copy = BodyView(std::as_const(vector));
    EXPECT_EQ(copy.count, 3U);
    static_assert(!std::is_convertible_v<std::vector<float>, BodyView>);
    static_assert(!std::is_convertible_v<int, BodyView>);
    static_assert(std::is_nothrow_move_constructible_v<BodyView>);
}

TEST(StopToken, FlagFunctionAndCopiesAsk) {
    StopFlag flag;
    const StopToken from_flag = flag;
    EXPECT_FALSE(from_flag.stop_requested());
    EXPECT_FALSE(StopToken().stop_requested());
    std::atomic<int> asked{0};
    const auto third = [](const void* context) {
        return ++*static_cast<std::atomic<int>*>(const_cast<void*>(context)) >= 3;
    };
    const StopToken function(third, &asked);
    EXPECT_FALSE(function.stop_requested());
    EXPECT_FALSE(StopToken(function).stop_requested());
    EXPECT_TRUE(function.stop_requested());
    flag.request_stop();
    EXPECT_TRUE(from_flag.stop_requested());
    flag.reset();
    EXPECT_FALSE(from_flag.stop_requested());
#ifdef __cpp_lib_jthread
    StopToken standard;
    {
        std::stop_source source;
        standard = source.get_token();
        const StopToken copy = standard;
        standard = StopToken(copy);
        source.request_stop();
        EXPECT_TRUE(copy.stop_requested());
    }
    EXPECT_TRUE(standard.stop_requested()) << "a copy of the token keeps its state alive";
    standard = from_flag;
    EXPECT_FALSE(standard.stop_requested());
#endif
}

TEST(StopToken, EveryCallObeysAFlag) {
    const BatchScene scene = make_batch_scene(31, 200, 4000);
    StopFlag flag;
    flag.request_stop();
    const Options options = scene.options();
    const CallInputs inputs{.stop = flag};
    Workspace workspace;
    std::vector<Manifold4> out(scene.pairs.size());
    EXPECT_EQ(collide(scene.hulls, scene.bodies, scene.pairs, options, out, workspace, inputs).status.code,
              Status::cancelled);
    EXPECT_EQ(collide_serial(scene.hulls, scene.bodies, scene.pairs, options, out, workspace, inputs).status.code,
              Status::cancelled);
    flag.reset();
    EXPECT_TRUE(collide(scene.hulls, scene.bodies, scene.pairs, options, out, workspace, inputs).status);
}

// Bodies are prepared in many blocks before the first pair. A stopped call leaves the others alone: it does not
// even ask for each.
TEST(StopToken, EndsThePreparationOfBodiesAtOnce) {
    BatchScene scene = make_batch_scene(33, 200, 30000);
    scene.bodies.resize(100000, scene.bodies[0]);
    Options options = scene.options();
    Workspace workspace;
    std::vector<Manifold4> out(scene.pairs.size());
    std::atomic<int> asked{0};
    const auto from_second = [](const void* context) {
        return ++*static_cast<std::atomic<int>*>(const_cast<void*>(context)) >= 2;
    };
    for (const unsigned threads : {1U, 4U}) {
        asked = 0;
        options.threads = threads;
        const CallInputs inputs{.stop = StopToken(from_second, &asked)};
        const CompactResult r =
            collide_compact(scene.hulls, scene.bodies, scene.pairs, options, out, workspace, inputs);
        EXPECT_EQ(r.status.code, Status::cancelled);
        EXPECT_EQ(r.written, 0U);
        EXPECT_GE(asked.load(), 2);
        EXPECT_LE(asked.load(), 16) << threads << " threads";
    }
}

// Hulls are removed: their pairs have a status on every instruction set, and all others keep every bit, with and
// without marks of unmoved bodies.
TEST(RemovedHulls, AreTheStatusOfTheirPairsAndNothingElseChanges) {
    const BatchScene scene = make_batch_scene(32, 300, 6000);
    std::vector<std::uint32_t> gone;
    for (std::uint32_t id = 1; id < scene.hulls.size(); id += 4) gone.push_back(id);
    const HullSet rest = scene.hulls.remove(gone);
    Workspace workspace;
    std::vector<Manifold4> before(scene.pairs.size());
    ASSERT_TRUE(collide(scene.hulls, scene.bodies, scene.pairs, scene.options(), before, workspace).status);
    const std::vector<std::uint8_t> unmoved(scene.bodies.size(), 1);
    for (const Isa isa : available_isas()) {
        for (const bool marked : {false, true}) {
            Options options = scene.options();
            options.isa = isa;
            CallInputs inputs;
            if (marked) inputs.unmoved = unmoved;
            std::vector<Manifold4> after = before;
            const BatchResult r = collide(rest, scene.bodies, scene.pairs, options, after, workspace, inputs);
            ASSERT_TRUE(r.status) << r.status.what;
            EXPECT_EQ(r.isa, isa);
            std::size_t lost = 0;
            for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
                const bool there = rest.contains(scene.bodies[scene.pairs[i].a].hull) &&
                                   rest.contains(scene.bodies[scene.pairs[i].b].hull);
                lost += there ? 0U : 1U;
                if (there) {
                    ASSERT_EQ(std::memcmp(&after[i], &before[i], sizeof before[i]), 0)
                        << to_string(isa) << " pair " << i;
                } else {
                    ASSERT_EQ(after[i].status, Status::bad_hull);
                    ASSERT_EQ(after[i].count, 0);
                }
            }
            EXPECT_GT(lost, scene.pairs.size() / 4);
            EXPECT_LT(lost, scene.pairs.size() * 3 / 4);
            EXPECT_EQ(r.by_status[static_cast<std::size_t>(Status::bad_hull)], lost);
        }
    }
}

}  // namespace
}  // namespace lanefold::test
