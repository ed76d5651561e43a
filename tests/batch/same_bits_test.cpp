// SPDX-License-Identifier: MIT
//
// Every order, split, thread count, instruction set, body layout and floating-point environment of the host gives the
// records of the dense serial call.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <tbb/task_arena.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <lanefold/isa.hpp>

#include "support/batch_reference.hpp"
#include "support/batch_threads.hpp"

namespace lanefold::test {
namespace {

TEST(BatchSameBits, EveryThreadCountGivesTheSame) {
    tbb::task_arena arena(8);
    for (std::uint32_t threads = 1; threads <= 8; ++threads) {
        Options options = scene().options();
        options.threads = threads;
        std::vector<Manifold4> out(kPairs);
        Workspace workspace;
        BatchResult r;
        arena.execute([&] { r = collide(scene().hulls, scene().view(), scene().pairs, options, out, workspace); });
        ASSERT_TRUE(static_cast<bool>(r.status)) << r.status.what;
        expect_same(out, reference<Manifold4>(), "threads");
        expect_same_sums(r, reference_result(), "threads");
    }
}

TEST(BatchSameBits, EveryInstructionSetGivesTheSame) {
    for (const Isa isa : available_isas()) {
        Options options = scene().options();
        options.isa = isa;
        BatchResult r;
        expect_same(dense_reference<Manifold4>(scene(), options, &r), reference<Manifold4>(), to_string(isa));
        EXPECT_EQ(r.isa, isa);
        expect_same_sums(r, reference_result(), to_string(isa));
        expect_same(dense_reference<Manifold16>(scene(), options), reference<Manifold16>(), to_string(isa));
    }
}

TEST(BatchSameBits, ShuffledOrderGivesTheSame) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        BatchRandom random(seed);
        std::vector<std::uint32_t> order(kPairs);
        std::iota(order.begin(), order.end(), 0U);
        random.shuffle(std::span<std::uint32_t>(order));
        std::vector<Pair> shuffled(kPairs);
        for (std::size_t i = 0; i < kPairs; ++i) shuffled[i] = scene().pairs[order[i]];
        std::vector<Manifold4> out(kPairs);
        Workspace workspace;
        const BatchResult r = collide(scene().hulls, scene().view(), shuffled, scene().options(), out, workspace);
        std::vector<Manifold4> back(kPairs);
        for (std::size_t i = 0; i < kPairs; ++i) back[order[i]] = out[i];
        expect_same(back, reference<Manifold4>(), "shuffled");
        expect_same_sums(r, reference_result(), "shuffled");
    }
}

TEST(BatchSameBits, RandomSplitsGiveTheSame) {
    for (const std::uint64_t seed : {4U, 5U}) {
        BatchRandom random(seed);
        std::vector<Manifold4> out(kPairs);
        Workspace workspace;
        const std::span<const Pair> pairs = scene().pairs;
        std::size_t calls = 0;
        for (std::size_t at = 0; at < kPairs; ++calls) {
            // From single pairs to several chunks. Short calls prepare bodies per pair.
            const std::size_t n = std::min<std::size_t>(kPairs - at, 1 + random.below(1U << random.below(12)));
            const BatchResult r = collide(scene().hulls, scene().view(), pairs.subspan(at, n), scene().options(),
                                          std::span<Manifold4>(out).subspan(at, n), workspace);
            ASSERT_TRUE(static_cast<bool>(r.status)) << r.status.what;
            at += n;
        }
        EXPECT_GT(calls, 5U);
        expect_same(out, reference<Manifold4>(), "split");
    }
}

TEST(BatchSameBits, ViewsOfSeparateArraysAndDoublesGiveTheSame) {
    std::vector<float> position;
    std::vector<double> position_d;
    std::vector<float> orientation;
    std::vector<std::uint32_t> hull;
    std::vector<BodyD> doubles;
    for (const Body& b : scene().bodies) {
        BodyD d{};
        for (int k = 0; k < 3; ++k) {
            position.push_back(b.position[k]);
            position_d.push_back(b.position[k]);
            d.position[k] = b.position[k];
        }
        for (int k = 0; k < 4; ++k) {
            orientation.push_back(b.orientation[k]);
            d.orientation[k] = b.orientation[k];
        }
        hull.push_back(b.hull);
        d.hull = b.hull;
        doubles.push_back(d);
    }
    const BodyView views[] = {BodyView::from_arrays(position.data(), orientation.data(), hull.data(), kBodies),
                              BodyView::from_arrays(position_d.data(), orientation.data(), hull.data(), kBodies),
                              BodyView(std::span<const BodyD>(doubles))};
    for (const BodyView& view : views) {
        std::vector<Manifold4> out(kPairs);
        Workspace workspace;
        const BatchResult r = collide(scene().hulls, view, scene().pairs, scene().options(), out, workspace);
        ASSERT_TRUE(static_cast<bool>(r.status)) << r.status.what;
        expect_same(out, reference<Manifold4>(), view.position_is_double ? "doubles" : "floats");
    }
}

TEST(BatchSameBits, EqualPairMarginsGiveTheSame) {
    const std::vector<float> margins(kPairs, scene().margin);
    Options options = scene().options();
    options.margin = 3.0F;  // ignored
    expect_same(dense_reference<Manifold4>(scene(), options, nullptr, {.pair_margins = margins}),
                reference<Manifold4>(), "pair margins");
}

TEST(BatchSameBits, PairMarginsBelongToTheirPairs) {
    std::vector<float> margins(kPairs);
    for (std::size_t i = 0; i < kPairs; ++i) margins[i] = i % 3 == 0 ? 0.0F : i % 3 == 1 ? scene().margin : 0.4F;
    const CallInputs inputs{.pair_margins = margins};
    std::vector<Manifold4> out(kPairs);
    tbb::task_arena arena(4);
    Workspace workspace;
    arena.execute([&] {
        const BatchResult r =
            collide(scene().hulls, scene().view(), scene().pairs, scene().options(), out, workspace, inputs);
        EXPECT_TRUE(static_cast<bool>(r.status)) << r.status.what;
    });
    for (const float margin : {0.0F, 0.4F}) {
        Options one = scene().options();
        one.margin = margin;
        const std::vector<Manifold4> expected = dense_reference<Manifold4>(scene(), one);
        std::size_t differs = 0;
        for (std::size_t i = margin == 0.0F ? 0 : 2; i < kPairs; i += 3) {
            EXPECT_TRUE(same_bits(out[i], expected[i])) << i;
            if (!same_bits(out[i], reference<Manifold4>()[i])) ++differs;
        }
        EXPECT_GT(differs, 10U) << "the margins must matter";
    }
    for (std::size_t i = 1; i < kPairs; i += 3) EXPECT_TRUE(same_bits(out[i], reference<Manifold4>()[i])) << i;
}

TEST(BatchSameBits, WorkspaceOfAnotherSceneGivesTheSame) {
    const BatchScene other = make_batch_scene(99, 40, 2000);
    Workspace workspace;
    std::vector<Manifold4> out(other.pairs.size());
    EXPECT_TRUE(collide(other.hulls, other.view(), other.pairs, other.options(), out, workspace).status);
    out.resize(kPairs);
    EXPECT_TRUE(collide(scene().hulls, scene().view(), scene().pairs, scene().options(), out, workspace).status);
    expect_same(out, reference<Manifold4>(), "reused workspace");
}

#if defined(__x86_64__)
TEST(BatchSameBits, HostFloatingPointEnvironmentDoesNotMatter) {
    // FTZ + DAZ; round up; round towards zero; exceptions unmasked (a trap would kill the program).
    constexpr unsigned kModes[] = {0x9FC0, 0x1F80 | 0x4000, 0x1F80 | 0x6000, 0x9FC0 | 0x2000, 0x0000};
    for (const unsigned mode : kModes) {
        std::vector<Manifold4> out(kPairs);
        std::vector<Manifold4> compact(kPairs);
        Manifold4 one{};
        Workspace workspace;
        const unsigned before = _mm_getcsr();
        _mm_setcsr(mode);
        const BatchResult r = collide(scene().hulls, scene().view(), scene().pairs, scene().options(), out, workspace);
        const CompactResult c =
            collide_compact(scene().hulls, scene().view(), scene().pairs, scene().options(), compact, workspace);
        EXPECT_TRUE(collide_pair(scene().hulls, scene().bodies[0], scene().bodies[1], scene().options(), one, workspace)
                        .status);
        const unsigned after = _mm_getcsr();
        _mm_setcsr(before);
        EXPECT_EQ(after & ~0x3FU, mode & ~0x3FU) << "the host's environment must come back";
        expect_same(out, reference<Manifold4>(), "host environment");
        expect_same_sums(r, reference_result(), "host environment");
        compact.resize(c.written);
        expect_same(compact, reported_of(reference<Manifold4>()), "host environment, compact");
    }
}
#endif

}  // namespace
}  // namespace lanefold::test
