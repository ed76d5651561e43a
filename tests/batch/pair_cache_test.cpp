// SPDX-License-Identifier: MIT
//
// The pair cache is a hint: with cold, warm, stale, another pair's or random entries the bits are the same on every
// instruction set and with any threads. Counters show that it has an effect.
#include <gtest/gtest.h>

#include <cstdio>
#include <thread>

#include <lanefold/isa.hpp>

#include "support/coherent_scene.hpp"

namespace lanefold::test {
namespace {

enum class Content { zero, garbage, plausible };

void fill(std::vector<PairCache>& cache, Content content, BatchRandom& random) {
    for (PairCache& c : cache) {
        if (content == Content::zero) {
            c = {};
        } else if (content == Content::garbage) {
            c.opaque[0] = static_cast<std::uint32_t>(random.next());
            c.opaque[1] = static_cast<std::uint32_t>(random.next());
        } else {
            // Valid kinds and mostly valid indices: such wrong entries reach the most code.
            c.opaque[0] = random.below(40) | (random.below(40) << 16);
            c.opaque[1] = random.below(6) | (random.below(40) << 8) | (random.below(40) << 20);
        }
    }
}

// Compares everything that the cache must not change.
void expect_same_results(const BatchResult& got, BatchResult expected, const char* what) {
    expected.counters = got.counters;
    expect_same_sums(got, expected, what);
}

TEST(PairCache, AnyContentGivesTheSameBitsOnEveryInstructionSet) {
    const BatchScene scene = make_bad_batch_scene(61, 200, 12000);
    Options options = scene.options();
    BatchResult plain;
    const std::vector<Manifold4> expected = dense_reference<Manifold4>(scene, options, &plain);
    std::vector<PairCache> cache(scene.pairs.size());
    const CallInputs inputs{.cache = cache};
    BatchRandom random(62);
    std::uint64_t tried = 0;
    std::uint64_t begun = 0;
    for (const Isa isa : available_isas()) {
        options.isa = isa;
        for (const Content content :
             {Content::zero, Content::garbage, Content::plausible, Content::plausible, Content::plausible}) {
            fill(cache, content, random);
            BatchResult r;
            expect_same(dense_reference<Manifold4>(scene, options, &r, inputs), expected, to_string(isa));
            expect_same_results(r, plain, to_string(isa));
            tried += r.counters.cache_tried;
            begun += r.counters.cache_begun;
            // First with the entries of the last call, then with those of other pairs.
            expect_same(dense_reference<Manifold4>(scene, options, &r, inputs), expected, "warm");
            if (isa == Isa::scalar && content == Content::zero) {
                std::printf(
                    "warm: %llu tried, %llu rejected by them, %llu began at cached faces; without: %llu + %llu "
                    "+ %llu rejected by centre, face, edge, of which %llu + %llu + %llu are left\n",
                    static_cast<unsigned long long>(r.counters.cache_tried),
                    static_cast<unsigned long long>(r.counters.rejected_cache),
                    static_cast<unsigned long long>(r.counters.cache_begun),
                    static_cast<unsigned long long>(plain.counters.rejected_centre),
                    static_cast<unsigned long long>(plain.counters.rejected_face),
                    static_cast<unsigned long long>(plain.counters.rejected_edge),
                    static_cast<unsigned long long>(r.counters.rejected_centre),
                    static_cast<unsigned long long>(r.counters.rejected_face),
                    static_cast<unsigned long long>(r.counters.rejected_edge));
            }
            // At the same poses nearly every face or edge that separated a pair separates it again.
            EXPECT_GT(r.counters.rejected_cache, plain.counters.rejected_face / 2);
            EXPECT_GT(r.counters.cache_begun, 1000U);
            // The searches begin at the faces that they found before.
            EXPECT_LT(r.counters.faces_evaluated, plain.counters.faces_evaluated * 3 / 4);
            std::rotate(cache.begin(), cache.begin() + 17, cache.end());
            expect_same(dense_reference<Manifold4>(scene, options, &r, inputs), expected, "other pairs' entries");
        }
    }
    EXPECT_GT(tried, 1000U);
    EXPECT_GT(begun, 1000U);
}

TEST(PairCache, CoherentFramesWithEveryLevelAndForm) {
    CoherentScene coherent(make_batch_scene(63, 300, 12000), 64, 0.02F, 0.03F);
    BatchScene& scene = coherent.scene();
    std::vector<PairCache> cache(scene.pairs.size());
    Workspace workspace;
    std::vector<Manifold16> out(scene.pairs.size());
    std::vector<std::uint64_t> bits((scene.pairs.size() + 63) / 64);
    std::vector<std::uint64_t> expected_bits(bits.size());
    std::uint64_t rejected = 0;
    std::uint64_t evaluated = 0;
    std::uint64_t evaluated_cold = 0;
    for (int frame = 0; frame < 8; ++frame) {
        coherent.set_frame(frame);
        Options options = scene.options();
        BatchResult plain;
        const std::vector<Manifold16> expected = dense_reference<Manifold16>(scene, options, &plain);
        EXPECT_TRUE(collide_overlap(scene.hulls, scene.view(), scene.pairs, options, expected_bits, workspace).status);
        const CallInputs inputs{.cache = cache};
        options.threads = 1 + static_cast<std::uint32_t>(frame) % 4;
        options.isa = available_isas()[static_cast<std::size_t>(frame) % available_isas().size()];
        const BatchResult r = collide(scene.hulls, scene.view(), scene.pairs, options, out, workspace, inputs);
        expect_same(out, expected, "dense");
        expect_same_results(r, plain, "dense");
        rejected += r.counters.rejected_cache;
        evaluated += r.counters.faces_evaluated;
        evaluated_cold += plain.counters.faces_evaluated;
        const CompactResult c =
            collide_compact(scene.hulls, scene.view(), scene.pairs, options, out, workspace, inputs);
        const std::vector<Manifold16> records(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(c.written));
        expect_same(records, reported_of(expected), "compact");
        EXPECT_TRUE(collide_overlap(scene.hulls, scene.view(), scene.pairs, options, bits, workspace, inputs).status);
        EXPECT_EQ(bits, expected_bits);
    }
    std::printf("%llu pairs rejected by cached axes; %llu faces evaluated, without the cache %llu\n",
                static_cast<unsigned long long>(rejected), static_cast<unsigned long long>(evaluated),
                static_cast<unsigned long long>(evaluated_cold));
    EXPECT_GT(rejected, 500U);
    EXPECT_LT(evaluated, evaluated_cold * 9 / 10);
}

TEST(PairCache, ConcurrentCallsWithTheirOwnCaches) {
    const BatchScene scene = make_batch_scene(65, 200, 6000);
    const std::vector<Manifold4> expected = dense_reference<Manifold4>(scene, scene.options());
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            BatchRandom random(66 + t);
            std::vector<PairCache> cache(scene.pairs.size());
            Options options = scene.options();
            const CallInputs inputs{.cache = cache};
            options.threads = 1 + static_cast<std::uint32_t>(t);
            Workspace workspace;
            std::vector<Manifold4> out(scene.pairs.size());
            for (int round = 0; round < 6; ++round) {
                if (round % 2 == 0) fill(cache, Content::plausible, random);
                EXPECT_TRUE(collide(scene.hulls, scene.view(), scene.pairs, options, out, workspace, inputs).status);
                expect_same(out, expected, "concurrent");
            }
        });
    }
    for (std::thread& t : threads) t.join();
}

TEST(PairCache, CarriesOverToTheNextPairs) {
    const std::vector<Pair> from{{0, 1}, {0, 3}, {2, 3}, {4, 5}};
    std::vector<PairCache> old(4);
    for (std::uint32_t i = 0; i < 4; ++i) old[i].opaque[0] = i + 1;
    const std::vector<Pair> to{{0, 2}, {0, 3}, {2, 3}, {3, 4}, {4, 5}, {4, 6}};
    std::vector<PairCache> now(6, PairCache{{9, 9}});
    carry_over(from, old, to, now);
    const std::uint32_t expected[] = {0, 2, 3, 0, 4, 0};
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(now[i].opaque[0], expected[i]) << i;
        EXPECT_EQ(now[i].opaque[1], 0U);
    }
    carry_over({}, {}, to, now);
    EXPECT_EQ(now[1].opaque[0], 0U);
}

TEST(PairCache, WrongLengthsAndOverlapsAreRefused) {
    const BatchScene scene = make_batch_scene(67, 20, 100);
    const Options options = scene.options();
    std::vector<Manifold4> out(scene.pairs.size());
    std::vector<PairCache> cache(scene.pairs.size() - 1);
    CallInputs inputs{.cache = cache};
    Workspace workspace;
    const auto call = [&] {
        return collide(scene.hulls, scene.view(), scene.pairs, options, out, workspace, inputs).status;
    };
    EXPECT_EQ(call().code, Status::bad_argument);
    EXPECT_EQ(call().where, scene.pairs.size() - 1);
    inputs.cache = {reinterpret_cast<PairCache*>(out.data()), scene.pairs.size()};
    EXPECT_STREQ(call().what, "inputs.cache overlaps another argument");
    inputs.cache = {reinterpret_cast<PairCache*>(const_cast<Pair*>(scene.pairs.data())), scene.pairs.size()};
    EXPECT_STREQ(call().what, "inputs.cache overlaps another argument");
}

}  // namespace
}  // namespace lanefold::test
