// SPDX-License-Identifier: MIT
//
// Worlds that a batch steps, and all their contacts by one finder and one call of collide_worlds(): with masks, bodies
// that are no numbers, and worlds with too little room, which are truncated. Each world has the pairs, records and
// result of calls of its own, byte for byte. LANEFOLD_LONG=1: 1,000 worlds, 1,000 steps.
// LANEFOLD_WORLDS=N: so many worlds for 1,000 steps (./dev sweep --worlds); LANEFOLD_SEED: other ones.
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/world_batch.hpp>

#include "support/cold_call.hpp"
#include "support/small_worlds.hpp"
#include "support/sweep.hpp"

namespace lanefold::test {
namespace {

struct Counts {
    std::uint64_t records = 0, truncated = 0, poisoned = 0, compared = 0;
};

// All worlds of a batch as one call sees them.
struct Gathered {
    std::vector<BodyD> bodies;
    std::vector<std::int32_t> world;
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint8_t> active;

    std::span<const BodyD> of(std::size_t w) const {
        return std::span<const BodyD>(bodies).subspan(offsets[w], offsets[w + 1] - offsets[w]);
    }
};

Gathered gather(const WorldBatch& batch, BatchRandom& random, Counts& counts) {
    Gathered all;
    for (std::size_t w = 0; w < batch.size(); ++w) {
        const std::span<const BodyD> own = batch.world(w).bodies();
        all.bodies.insert(all.bodies.end(), own.begin(), own.end());
        all.world.insert(all.world.end(), own.size(), static_cast<std::int32_t>(w));
        all.offsets.push_back(all.bodies.size());
        all.active.push_back(random.below(5) != 0 ? 1 : 0);
        if (random.below(10) != 0) continue;
        all.bodies.back().position[random.below(3)] = std::nan("");
        ++counts.poisoned;
    }
    return all;
}

// A world's room: for all its pairs, or for a part of them.
std::vector<std::uint64_t> rooms(std::span<const std::uint64_t> pairs, BatchRandom& random) {
    std::vector<std::uint64_t> records{0};
    for (std::size_t w = 0; w + 1 < pairs.size(); ++w) {
        const std::uint64_t all = pairs[w + 1] - pairs[w];
        records.push_back(records.back() + (random.below(3) == 0 ? all / 8 : all));
    }
    return records;
}

class Contacts {
public:
    explicit Contacts(const HullSet& hulls) : hulls_(hulls) { options_.hash = true; }

    // The contacts of all worlds; those of every fifth from `first` on are compared with calls of their own.
    void compare(const Gathered& all, std::size_t first, BatchRandom& random, Counts& counts) {
        PairFinderOptions find = finding();
        find.world = all.world;
        find.worlds = static_cast<std::uint32_t>(all.active.size());
        find.active = all.active;
        const PairFinderResult found = finder_.find(hulls_, std::span<const BodyD>(all.bodies), find);
        ASSERT_TRUE(found.status) << found.status.what;
        const std::vector<std::uint64_t> records = rooms(found.world_offsets, random);
        out_.resize(records.back());
        std::vector<WorldResult> results(all.active.size());
        const WorldRanges ranges{found.world_offsets, records, all.offsets, all.active};
        options_.margin = kMargin;
        const WorldsResult r = collide_worlds<Manifold4>(hulls_, std::span<const BodyD>(all.bodies), found.pairs,
                                                         ranges, options_, out_, results, workspace_);
        ASSERT_TRUE(r.status || r.status.code == Status::truncated) << r.status.what;
        counts.truncated += r.truncated;
        counts.records += r.written;
        for (std::size_t w = first; w < all.active.size(); w += 5) {
            if (all.active[w] == 0) continue;
            const std::span<const Manifold4> got = std::span(out_).subspan(records[w], records[w + 1] - records[w]);
            compare_world(all.of(w), found.pairs.subspan(found.world_offsets[w]), got, results[w]);
            ++counts.compared;
        }
    }

private:
    static constexpr float kMargin = 0.03F;

    PairFinderOptions finding() const {
        PairFinderOptions find;
        find.margin = kMargin;
        return find;
    }

    // `pairs` begins with those of the world.
    void compare_world(std::span<const BodyD> bodies, std::span<const Pair> pairs, std::span<const Manifold4> got,
                       const WorldResult& result) {
        PairFinder finder;
        const PairFinderResult own = finder.find(hulls_, bodies, finding());
        ASSERT_TRUE(own.status);
        const std::uint32_t shift = own.pairs.empty() ? 0 : pairs[0].a - own.pairs[0].a;
        for (std::size_t i = 0; i < own.pairs.size(); ++i) {
            ASSERT_EQ(pairs[i].a, own.pairs[i].a + shift);
            ASSERT_EQ(pairs[i].b, own.pairs[i].b + shift);
        }
        std::vector<Manifold4> out(got.size());
        Workspace workspace;
        const CompactResult r = collide_compact<Manifold4>(hulls_, bodies, own.pairs, options_, out, workspace);
        ASSERT_EQ(result.status, r.status.code);
        ASSERT_EQ(result.written, r.written);
        ASSERT_EQ(result.required, r.required);
        ASSERT_EQ(result.hash, r.hash);
        const std::span<const Manifold4> alone(out.data(), r.written);
        ASSERT_TRUE(same_bytes(got.first(r.written), alone));
    }

    HullSet hulls_;
    PairFinder finder_;
    Workspace workspace_;
    Options options_;
    std::vector<Manifold4> out_;
};

TEST(WorldBatchContacts, AreThoseOfEachWorldAloneAlsoWhereOthersAreTruncated) {
    const auto [worlds, steps] = campaign_size(40, 60);
    const HullSet hulls = small_hulls();
    WorldBatch batch(hulls, worlds);
    BatchRandom random(sweep_seed(41));
    for (std::size_t w = 0; w < worlds; ++w) ASSERT_TRUE(batch.world(w).add_bodies(random_bodies(random)));
    ASSERT_TRUE(batch.keep().status);
    Contacts contacts(hulls);
    Counts n;
    for (int step = 0; step < steps; ++step) {
        std::vector<std::uint8_t> active(worlds);
        for (std::uint8_t& a : active) a = random.below(6) != 0 ? 1 : 0;
        ASSERT_TRUE(batch.step(kWorldStep, {}, active).status);
        if (step % 40 == 39) {
            ASSERT_TRUE(batch.reset(active).status);
        }
        if (step % 5 != 0) continue;
        contacts.compare(gather(batch, random, n), static_cast<std::size_t>(step / 5 % 5), random, n);
        ASSERT_FALSE(HasFatalFailure()) << "step " << step;
    }
    const auto number = [](std::uint64_t x) { return static_cast<unsigned long long>(x); };
    std::printf("%zu worlds, %d steps: %llu records, %llu worlds truncated, %llu with a bad body, %llu compared\n",
                worlds, steps, number(n.records), number(n.truncated), number(n.poisoned), number(n.compared));
    if (!stored_seed()) return;
    EXPECT_GT(n.records, 500U);
    EXPECT_GT(n.truncated, 50U);
    EXPECT_GT(n.poisoned, 20U);
    EXPECT_GT(n.compared, 60U);
}

}  // namespace
}  // namespace lanefold::test
