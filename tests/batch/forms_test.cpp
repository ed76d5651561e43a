// SPDX-License-Identifier: MIT
//
// The forms of the batch call: dense, compact, distances, bits, 4 or 16 points, one pair. All of them carry the same
// values, and the sums are those of the records.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include <tbb/task_arena.h>

#include <lanefold/hash.hpp>
#include <lanefold/isa.hpp>

#include "support/batch_reference.hpp"
#include "support/batch_threads.hpp"

namespace lanefold::test {
namespace {

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
    EXPECT_GT(r.counters.floor_pairs, 20U);
    EXPECT_GT(r.counters.precise_pairs, 20U);
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

// Without points, and each with the index of its pair.
TEST(BatchForms, CompactDistancesAreTheReportedOnes) {
    std::vector<PairDistance> all(kPairs);
    Workspace workspace;
    const Options options = scene().options();
    ASSERT_TRUE(collide(scene().hulls, scene().view(), scene().pairs, options, all, workspace).status);
    std::vector<PairDistance> out(kPairs);
    std::vector<std::uint32_t> candidates(kPairs);
    for (const bool serial : {false, true}) {
        const CompactResult r = serial ? collide_compact_serial(scene().hulls, scene().view(), scene().pairs, options,
                                                                out, workspace, {}, 0, candidates)
                                       : collide_compact(scene().hulls, scene().view(), scene().pairs, options, out,
                                                         workspace, {}, 0, candidates);
        ASSERT_TRUE(r.status) << r.status.what;
        EXPECT_EQ(r.hash, 0U);
        ASSERT_EQ(r.written, reported_of(reference<Manifold4>()).size());
        for (std::size_t k = 0; k < r.written; ++k) {
            ASSERT_TRUE(same_bits(out[k], all[candidates[k]])) << k;
            ASSERT_TRUE(k == 0 || candidates[k] > candidates[k - 1]) << k;
        }
    }
    const CompactResult nameless =
        collide_compact(scene().hulls, scene().view(), scene().pairs, options, out, workspace);
    EXPECT_EQ(nameless.status.code, Status::bad_argument);
    EXPECT_EQ(nameless.written, 0U);
    const CompactResult counted =
        collide_compact(scene().hulls, scene().view(), scene().pairs, options, std::span<PairDistance>(), workspace);
    EXPECT_EQ(counted.required, reported_of(reference<Manifold4>()).size());
}

TEST(BatchForms, SerialCallsGiveTheSame) {
    Workspace workspace;
    const Options options = scene().options();
    std::vector<Manifold4> out(kPairs);
    const CompactResult r =
        collide_compact_serial(scene().hulls, scene().view(), scene().pairs, options, out, workspace);
    out.resize(r.written);
    expect_same(out, reported_of(reference<Manifold4>()), "compact");
    expect_same_sums(r, reference_result(), "compact");
    std::vector<PairDistance> distances(kPairs);
    std::vector<PairDistance> expected(kPairs);
    EXPECT_TRUE(collide(scene().hulls, scene().view(), scene().pairs, options, expected, workspace).status);
    EXPECT_TRUE(collide_serial(scene().hulls, scene().view(), scene().pairs, options, distances, workspace).status);
    expect_same(distances, expected, "distances");
    std::vector<std::uint64_t> bits((kPairs + 63) / 64);
    std::vector<std::uint64_t> expected_bits(bits.size());
    EXPECT_TRUE(
        collide_overlap(scene().hulls, scene().view(), scene().pairs, options, expected_bits, workspace).status);
    EXPECT_TRUE(collide_overlap_serial(scene().hulls, scene().view(), scene().pairs, options, bits, workspace).status);
    EXPECT_EQ(bits, expected_bits);
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
        arena.execute([&] { r = collide(scene().hulls, scene().view(), scene().pairs, options, out, workspace); });
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
