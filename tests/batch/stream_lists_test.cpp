// SPDX-License-Identifier: MIT
//
// A ContactStream finds each pair of a step in the list of the step before, whatever the lists look like: ascending
// ones of many blocks that differ in a few places or in most, with pairs listed twice, in no order, and in turns. All
// pairs touch, so the records say which pairs were found.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include <tbb/task_arena.h>

#include <lanefold/contact_stream.hpp>

#include "support/batch_scene.hpp"
#include "support/batch_threads.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kBodies = 400;
constexpr std::uint32_t kPairs = 20000;  // more than two blocks

// Boxes within each other.
BatchScene nest() {
    BatchScene scene;
    scene.hulls = batch_hulls();
    for (std::uint32_t i = 0; i < kBodies; ++i) {
        Body body{};
        body.position[0] = 1e-4F * static_cast<float>(i);
        body.orientation[3] = 1;
        scene.bodies.push_back(body);
    }
    return scene;
}

enum class Change { little, much, twice, shuffle };

// The next list: `little` and `much` replace one pair of 500 or of 2, and ascend.
std::vector<Pair> changed(std::vector<Pair> pairs, Change change, BatchRandom& random) {
    const std::uint32_t one_of = change == Change::little ? 500 : change == Change::much ? 2 : 50;
    for (Pair& p : pairs) {
        if (random.below(one_of) != 0) continue;
        const std::uint32_t b = 1 + random.below(kBodies - 1);
        p = {random.below(b), b};
    }
    std::sort(pairs.begin(), pairs.end());
    if (change != Change::twice) pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    if (change == Change::shuffle) random.shuffle(std::span<Pair>(pairs));
    return pairs;
}

using Places = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

// The first place of each pair.
Places places_of(const std::vector<Pair>& pairs) {
    Places places;
    for (std::uint32_t i = 0; i < pairs.size(); ++i) places.try_emplace({pairs[i].a, pairs[i].b}, i);
    return places;
}

void expect_found(const ContactStream<Manifold4>& stream, const StreamResult& r, const std::vector<Pair>& pairs,
                  const Places& before) {
    ASSERT_TRUE(r.status) << r.status.what;
    ASSERT_EQ(stream.contacts().size(), pairs.size());
    std::uint64_t fresh = 0;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto at = before.find({pairs[k].a, pairs[k].b});
        fresh += at == before.end() ? 1U : 0U;
        ASSERT_EQ(stream.matches()[k].record, at == before.end() ? kNoRecord : at->second) << k;
    }
    EXPECT_EQ(r.new_pairs, fresh);
}

TEST(StreamLists, FindThePairsOfTheStepBefore) {
    const BatchScene scene = nest();
    for (const int threads : {1, 4}) {
        const Options options = scene.options();
        tbb::task_arena arena(threads);
        ContactStream<Manifold4> stream;
        BatchRandom random(17);
        std::vector<Pair> pairs;
        Places before;
        std::uint64_t kept = 0;
        std::uint64_t steps = 0;
        for (const Change from : {Change::little, Change::much, Change::twice, Change::shuffle}) {
            for (const Change to : {Change::little, Change::much, Change::twice, Change::shuffle}) {
                for (const Change change : {from, to}) {
                    while (pairs.size() < kPairs) {
                        const std::uint32_t b = 1 + random.below(kBodies - 1);
                        pairs.push_back({random.below(b), b});
                    }
                    pairs = changed(pairs, change, random);
                    StreamResult r;
                    arena.execute([&] { r = stream.step(scene.hulls, scene.view(), pairs, options); });
                    expect_found(stream, r, pairs, before);
                    if (HasFatalFailure()) FAIL() << "step " << steps << ", " << threads << " threads";
                    before = places_of(pairs);
                    kept += r.kept;
                    ++steps;
                }
            }
        }
        EXPECT_EQ(steps, 32U);
        EXPECT_GT(kept, steps * kPairs / 3);
    }
}

}  // namespace
}  // namespace lanefold::test
