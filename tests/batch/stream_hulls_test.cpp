// SPDX-License-Identifier: MIT
//
// Streams whose set of hulls changes: hulls come and go while no body moves.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include <lanefold/contact_stream.hpp>

#include "support/batch_scene.hpp"

namespace lanefold::test {
namespace {

// Records of marked bodies are not copied where their hulls came or went. One of three bodies has a hull that comes in
// the third step, and two hulls go in the fourth.
TEST(StreamHulls, AnotherSetMakesMarksVoid) {
    BatchScene scene = make_batch_scene(91, 300, 9000);
    const HullSet few = scene.hulls;
    const auto count = static_cast<std::uint32_t>(few.size());
    for (std::size_t i = 0; i < scene.bodies.size(); i += 3) scene.bodies[i].hull += count;
    const HullSet all = few.append(few);
    const HullSet fewer = all.remove(std::array<std::uint32_t, 2>{1, count});
    Options options = scene.options();
    options.hysteresis = 0;
    ContactStream<Manifold4> stream;
    Workspace workspace;
    const std::vector<std::uint8_t> marks(scene.bodies.size(), 1);
    std::vector<std::uint64_t> bad_hulls;
    std::vector<std::uint64_t> unmoved;
    for (const HullSet& hulls : {few, few, all, fewer, fewer}) {
        StepInputs inputs;
        std::vector<Manifold4> cold(scene.pairs.size());
        const CompactResult expected = collide_compact(hulls, scene.view(), scene.pairs, options, cold, workspace);
        ASSERT_TRUE(expected.status) << expected.status.what;
        cold.resize(expected.written);
        if (!bad_hulls.empty()) inputs.unmoved = marks;
        const StreamResult r = stream.step(hulls, scene.view(), scene.pairs, options, inputs);
        ASSERT_TRUE(r.status) << r.status.what;
        const std::span<const Manifold4> got = stream.contacts();
        expect_same(std::vector<Manifold4>(got.begin(), got.end()), cold, "another set of hulls");
        bad_hulls.push_back(r.by_status[static_cast<std::size_t>(Status::bad_hull)]);
        unmoved.push_back(r.counters.unmoved_pairs);
    }
    EXPECT_GT(bad_hulls[0], scene.pairs.size() / 3);
    EXPECT_EQ(bad_hulls[2], 0U);
    EXPECT_GT(bad_hulls[3], 100U);
    for (const std::size_t step : {0U, 2U, 3U}) EXPECT_EQ(unmoved[step], 0U) << step;
    for (const std::size_t step : {1U, 4U}) EXPECT_GT(unmoved[step], scene.pairs.size() / 2) << step;
}

}  // namespace
}  // namespace lanefold::test
