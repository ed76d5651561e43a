// SPDX-License-Identifier: MIT
//
// The same bits: every form of the batch call, every order, split, thread count, instruction set and host
// floating-point environment gives the records that the dense serial call gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <numeric>

#include <tbb/task_arena.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <lanefold/hash.hpp>
#include <lanefold/isa.hpp>

#include "batch_scene.hpp"
#include "batch_threads.hpp"

namespace lanefold::test {
namespace {

// More than one chunk of 1024, and no multiple of anything.
constexpr std::uint32_t kBodies = 611;
constexpr std::uint32_t kPairs = 20011;

const BatchScene& scene() {
    static const BatchScene instance = make_bad_batch_scene(20, kBodies, kPairs);
    return instance;
}

// The reference that every test of this file compares with: dense, serial, automatic instruction set.
template <class Record>
const std::vector<Record>& reference() {
    static const std::vector<Record> instance = dense_reference<Record>(scene(), scene().options());
    return instance;
}

BatchResult reference_result() {
    static const BatchResult instance = [] {
        BatchResult r;
        dense_reference<Manifold4>(scene(), scene().options(), &r);
        return r;
    }();
    return instance;
}

TEST(BatchForms, SceneCoversEveryOutcome) {
    const BatchResult r = reference_result();
    std::cout << "touching " << r.touching << " overlapping " << r.overlapping << " of " << r.pairs << ", hash "
              << hash_string(r.hash) << "\n";
    EXPECT_EQ(r.pairs, kPairs);
    for (const Status status : {Status::ok, Status::bad_pose, Status::bad_index, Status::bad_hull}) {
        EXPECT_GT(r.by_status[static_cast<std::size_t>(status)], 20U) << to_string(status);
    }
    for (std::size_t kind = 0; kind < kContactKindCount; ++kind) {
        EXPECT_GT(r.by_kind[kind], kind < 6 ? 20U : 4U) << to_string(static_cast<ContactKind>(kind));
    }
    EXPECT_GT(r.touching, r.overlapping) << "some pairs must lie within the margin only";
    EXPECT_LT(r.touching, r.by_status[0]) << "some pairs must be apart";
    EXPECT_NE(r.hash, 0U);
}

TEST(BatchForms, DenseSumsAreThoseOfTheRecords) {
    const BatchResult r = reference_result();
    BatchResult sums;
    for (const Manifold4& m : reference<Manifold4>()) {
        ++sums.by_status[static_cast<std::size_t>(m.status)];
        ++sums.by_kind[static_cast<std::size_t>(m.kind)];
        sums.points += m.count;
        sums.touching += m.kind != ContactKind::none ? 1 : 0;
        sums.overlapping += m.kind != ContactKind::none && m.distance < 0 ? 1 : 0;
        if (is_reported(m)) sums.hash += hash_record(m);
    }
    EXPECT_EQ(r.touching, sums.touching);
    EXPECT_EQ(r.overlapping, sums.overlapping);
    EXPECT_EQ(r.points, sums.points);
    EXPECT_EQ(r.hash, sums.hash);
    for (std::size_t i = 0; i < kStatusCount; ++i) EXPECT_EQ(r.by_status[i], sums.by_status[i]) << i;
    for (std::size_t i = 0; i < kContactKindCount; ++i) EXPECT_EQ(r.by_kind[i], sums.by_kind[i]) << i;
}

TEST(BatchForms, UnreportedRecordsAreAllZero) {
    Manifold4 zero{};
    std::size_t seen = 0;
    for (const Manifold4& m : reference<Manifold4>()) {
        if (is_reported(m)) continue;
        ++seen;
        EXPECT_TRUE(same_bits(m, zero));
    }
    EXPECT_GT(seen, 100U);
}

TEST(BatchForms, RefusedPairsNameThePairAndNothingElse) {
    std::size_t seen = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const Manifold4& m = reference<Manifold4>()[i];
        if (m.status == Status::ok) continue;
        ++seen;
        Manifold4 expected{};
        expected.pair[0] = scene().pairs[i].a;
        expected.pair[1] = scene().pairs[i].b;
        expected.status = m.status;
        EXPECT_TRUE(same_bits(m, expected)) << i;
    }
    EXPECT_GT(seen, 100U);
}

TEST(BatchForms, EveryThreadCountGivesTheSame) {
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

TEST(BatchForms, EveryInstructionSetGivesTheSame) {
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

TEST(BatchForms, CompactIsTheReportedRecordsInOrder) {
    const std::vector<Manifold4> expected = reported_of(reference<Manifold4>());
    std::vector<Manifold4> out(expected.size() + 5);
    tbb::task_arena arena(4);
    for (const std::uint32_t threads : {1U, 2U, 4U}) {
        Options options = scene().options();
        options.threads = threads;
        Workspace workspace;
        CompactResult r;
        arena.execute(
            [&] { r = collide_compact(scene().hulls, scene().view(), scene().pairs, options, out, workspace); });
        ASSERT_TRUE(static_cast<bool>(r.status)) << r.status.what;
        EXPECT_EQ(r.written, expected.size());
        EXPECT_EQ(r.required, expected.size());
        EXPECT_EQ(r.next_pair, kPairs);
        expect_same(std::vector<Manifold4>(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(r.written)), expected,
                    "compact");
        expect_same_sums(r, reference_result(), "compact");
    }
}

TEST(BatchForms, Compact16IsTheReportedRecordsInOrder) {
    const std::vector<Manifold16> expected = reported_of(reference<Manifold16>());
    std::vector<Manifold16> out(expected.size());
    Workspace workspace;
    const CompactResult r =
        collide_compact(scene().hulls, scene().view(), scene().pairs, scene().options(), out, workspace);
    ASSERT_TRUE(static_cast<bool>(r.status)) << r.status.what;
    expect_same(out, expected, "compact 16");
}

TEST(BatchForms, Manifold16AgreesWithManifold4) {
    std::size_t reduced = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const Manifold4& four = reference<Manifold4>()[i];
        const Manifold16& many = reference<Manifold16>()[i];
        // Everything up to `count`, which alone depends on the capacity.
        EXPECT_EQ(std::memcmp(&four, &many, offsetof(Manifold4, count)), 0) << i;
        EXPECT_EQ(four.kind, many.kind);
        EXPECT_EQ(four.status, many.status);
        EXPECT_EQ(four.count, std::min<int>(four.total, 4)) << i;
        EXPECT_EQ(many.count, std::min<int>(many.total, 16)) << i;
        if (four.total > 4) ++reduced;
        if (four.total <= 4) {
            EXPECT_EQ(std::memcmp(four.points, many.points, sizeof(four.points)), 0) << i;
        }
    }
    EXPECT_GT(reduced, 20U);
}

TEST(BatchForms, OnePairCallsGiveTheSame) {
    Workspace workspace;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < kPairs; i += 3) {
        const Pair pair = scene().pairs[i];
        if (pair.a >= kBodies || pair.b >= kBodies || pair.a == pair.b) continue;
        Manifold4 expected = reference<Manifold4>()[i];
        if (is_reported(expected)) {
            expected.pair[0] = 0;
            expected.pair[1] = 1;
        }
        Manifold4 four{};
        Manifold16 many{};
        const Body& a = scene().bodies[pair.a];
        const Body& b = scene().bodies[pair.b];
        EXPECT_TRUE(collide_pair(scene().hulls, a, b, scene().options(), four, workspace).status);
        EXPECT_TRUE(same_bits(four, expected)) << i;
        EXPECT_TRUE(collide_pair(scene().hulls, a, b, scene().options(), many, workspace).status);
        EXPECT_EQ(std::memcmp(many.points, reference<Manifold16>()[i].points, sizeof(many.points)), 0) << i;
        ++compared;
    }
    EXPECT_GT(compared, 1000U);
}

TEST(BatchForms, DistanceLevelCarriesTheSameValues) {
    tbb::task_arena arena(3);
    std::vector<PairDistance> out(kPairs);
    std::memset(static_cast<void*>(out.data()), 0xCD, out.size() * sizeof(PairDistance));
    Options options = scene().options();
    options.hash = false;
    for (const Isa isa : available_isas()) {
        options.isa = isa;
        Workspace workspace;
        BatchResult r;
        arena.execute(
            [&] { r = collide_distance(scene().hulls, scene().view(), scene().pairs, options, out, workspace); });
        ASSERT_TRUE(static_cast<bool>(r.status)) << r.status.what;
        EXPECT_EQ(r.touching, reference_result().touching);
        EXPECT_EQ(r.overlapping, reference_result().overlapping);
        for (std::size_t i = 0; i < kPairs; ++i) {
            const Manifold4& m = reference<Manifold4>()[i];
            PairDistance expected{};
            std::memcpy(expected.normal, m.normal, sizeof(expected.normal));
            expected.distance = m.distance;
            expected.kind = m.kind;
            expected.status = m.status;
            EXPECT_TRUE(same_bits(out[i], expected)) << to_string(isa) << " pair " << i;
        }
    }
}

TEST(BatchForms, OverlapBitsAreTheTouchingPairs) {
    tbb::task_arena arena(3);
    std::vector<std::uint64_t> out((kPairs + 63) / 64);
    for (const Isa isa : available_isas()) {
        Options options = scene().options();
        options.isa = isa;
        std::fill(out.begin(), out.end(), ~std::uint64_t{0});
        Workspace workspace;
        BatchResult r;
        arena.execute(
            [&] { r = collide_overlap(scene().hulls, scene().view(), scene().pairs, options, out, workspace); });
        ASSERT_TRUE(static_cast<bool>(r.status)) << r.status.what;
        EXPECT_EQ(r.touching, reference_result().touching);
        EXPECT_EQ(r.overlapping, reference_result().overlapping);
        for (std::size_t i = 0; i < 64 * out.size(); ++i) {
            const bool bit = (out[i / 64] >> (i % 64) & 1) != 0;
            const bool expected = i < kPairs && reference<Manifold4>()[i].kind != ContactKind::none;
            ASSERT_EQ(bit, expected) << to_string(isa) << " pair " << i;
        }
        for (std::size_t i = 0; i < kStatusCount; ++i) EXPECT_EQ(r.by_status[i], reference_result().by_status[i]) << i;
    }
}

TEST(BatchForms, ShuffledOrderGivesTheSame) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        BatchRandom random(seed);
        std::vector<std::uint32_t> order(kPairs);
        std::iota(order.begin(), order.end(), 0U);
        for (std::uint32_t i = kPairs; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
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

TEST(BatchForms, RandomSplitsGiveTheSame) {
    for (const std::uint64_t seed : {4U, 5U}) {
        BatchRandom random(seed);
        std::vector<Manifold4> out(kPairs);
        Workspace workspace;
        const std::span<const Pair> pairs = scene().pairs;
        std::size_t calls = 0;
        for (std::size_t at = 0; at < kPairs; ++calls) {
            // From single pairs to several chunks; short calls take the path that prepares bodies per pair.
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

TEST(BatchForms, ViewsOfSeparateArraysAndDoublesGiveTheSame) {
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

TEST(BatchForms, EqualPairMarginsGiveTheSame) {
    const std::vector<float> margins(kPairs, scene().margin);
    Options options = scene().options();
    options.margin = 3.0F;  // ignored
    options.pair_margins = margins;
    expect_same(dense_reference<Manifold4>(scene(), options), reference<Manifold4>(), "pair margins");
}

TEST(BatchForms, PairMarginsBelongToTheirPairs) {
    std::vector<float> margins(kPairs);
    for (std::size_t i = 0; i < kPairs; ++i) margins[i] = i % 3 == 0 ? 0.0F : i % 3 == 1 ? scene().margin : 0.4F;
    Options options = scene().options();
    options.pair_margins = margins;
    std::vector<Manifold4> out(kPairs);
    tbb::task_arena arena(4);
    Workspace workspace;
    arena.execute([&] {
        const BatchResult r = collide(scene().hulls, scene().view(), scene().pairs, options, out, workspace);
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

TEST(BatchForms, WorkspaceOfAnotherSceneGivesTheSame) {
    const BatchScene other = make_batch_scene(99, 40, 2000);
    Workspace workspace;
    std::vector<Manifold4> out(other.pairs.size());
    EXPECT_TRUE(collide(other.hulls, other.view(), other.pairs, other.options(), out, workspace).status);
    out.resize(kPairs);
    EXPECT_TRUE(collide(scene().hulls, scene().view(), scene().pairs, scene().options(), out, workspace).status);
    expect_same(out, reference<Manifold4>(), "reused workspace");
}

#if defined(__x86_64__)
TEST(BatchForms, HostFloatingPointEnvironmentDoesNotMatter) {
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
        collide_pair(scene().hulls, scene().bodies[0], scene().bodies[1], scene().options(), one, workspace);
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

TEST(BatchForms, EmptyBatchIsFine) {
    Workspace workspace;
    const BatchResult r =
        collide(scene().hulls, scene().view(), {}, scene().options(), std::span<Manifold4>(), workspace);
    EXPECT_TRUE(static_cast<bool>(r.status)) << r.status.what;
    EXPECT_EQ(r.pairs, 0U);
    const CompactResult c =
        collide_compact(scene().hulls, BodyView(), {}, scene().options(), std::span<Manifold4>(), workspace);
    EXPECT_TRUE(static_cast<bool>(c.status)) << c.status.what;
    EXPECT_EQ(c.required, 0U);
    EXPECT_EQ(c.next_pair, 0U);
}

}  // namespace
}  // namespace lanefold::test
