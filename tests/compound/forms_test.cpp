// SPDX-License-Identifier: MIT
//
// Compounds in every form of a call. Their records are those of their children as bodies of their own, whatever the
// form, instruction set, number of threads, order, split and size of the output; hulls beside them keep every bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include <oneapi/tbb/task_arena.h>

#include <lanefold/hash.hpp>
#include <lanefold/isa.hpp>

#include "support/compound_calls.hpp"

namespace lanefold::test {
namespace {

void expect_sums(const BatchResult& got, const std::vector<std::vector<Manifold4>>& records, const char* what) {
    std::uint64_t touching = 0;
    std::uint64_t overlapping = 0;
    std::uint64_t by_status[kStatusCount] = {};
    std::uint64_t by_kind[kContactKindCount] = {};
    for (const auto& own : records) {
        const Manifold4 r = own.empty() ? Manifold4{} : deepest(own);
        touching += r.kind != ContactKind::none ? 1U : 0U;
        overlapping += r.kind != ContactKind::none && r.distance < 0 ? 1U : 0U;
        ++by_status[static_cast<std::size_t>(r.status)];
        ++by_kind[static_cast<std::size_t>(r.kind)];
    }
    EXPECT_EQ(got.touching, touching) << what;
    EXPECT_EQ(got.overlapping, overlapping) << what;
    for (std::size_t i = 0; i < kStatusCount; ++i) EXPECT_EQ(got.by_status[i], by_status[i]) << what << i;
    for (std::size_t i = 0; i < kContactKindCount; ++i) EXPECT_EQ(got.by_kind[i], by_kind[i]) << what << i;
}

template <class Manifold>
void expect_all_forms(const CompoundScene& s, Options options) {
    const auto records = expected_records<Manifold>(s, options);
    const std::vector<Manifold> all = joined(records);
    std::uint64_t several = 0;
    for (const auto& own : records) several += own.size() > 1 ? 1U : 0U;
    ASSERT_GT(several, 200U);
    for (const Isa isa : available_isas()) {
        options.isa = isa;
        CompactResult r;
        std::vector<std::uint32_t> candidates;
        EXPECT_TRUE(same_bytes<Manifold>(compact_call<Manifold>(s.scene, options, &r, &candidates), all))
            << to_string(isa);
        std::uint64_t hash = 0;
        std::uint64_t points = 0;
        for (const Manifold& m : all) {
            hash += hash_record(m);
            points += m.count;
        }
        EXPECT_EQ(r.hash, hash);
        EXPECT_EQ(r.points, points);
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            const Pair pair = s.scene.pairs[candidates[k]];
            ASSERT_TRUE(all[k].pair[0] == pair.a && all[k].pair[1] == pair.b) << k;
        }
        const std::vector<Manifold> dense = dense_call<Manifold>(s.scene, options);
        for (std::size_t i = 0; i < dense.size(); ++i) {
            const Manifold want = records[i].empty() ? Manifold{} : deepest(records[i]);
            ASSERT_TRUE(same_bits(dense[i], want)) << to_string(isa) << " " << i;
        }
    }
}

TEST(CompoundForms, RecordsAreThoseOfTheChildrenAsBodies) {
    const CompoundScene s = make_compound_scene(batch_hulls(), 601, 160, 2500);
    expect_all_forms<Manifold4>(s, s.scene.options());
    Options wide = s.scene.options();
    wide.method = ContactMethod::patch;
    expect_all_forms<Manifold16>(s, wide);
}

TEST(CompoundForms, RecordsOfRoundedChildrenToo) {
    const CompoundScene s = make_compound_scene(rounded_hulls(), 602, 160, 1500);
    expect_all_forms<Manifold4>(s, s.scene.options());
    Options strict = s.scene.options();
    strict.margin = 0;
    strict.face_preference = 0;
    expect_all_forms<Manifold4>(s, strict);
}

TEST(CompoundForms, DistancesBitsAndSumsAreThoseOfTheRecords) {
    const CompoundScene s = make_compound_scene(batch_hulls(), 603, 160, 2500);
    const Options options = s.scene.options();
    const auto records = expected_records<Manifold4>(s, options);
    BatchResult of_dense;
    dense_call<Manifold4>(s.scene, options, &of_dense);
    expect_sums(of_dense, records, "dense");
    CompactResult of_compact;
    compact_call<Manifold4>(s.scene, options, &of_compact);
    expect_sums(of_compact, records, "compact");
    BatchResult of_distances;
    const auto distances = dense_call<PairDistance>(s.scene, options, &of_distances);
    expect_sums(of_distances, records, "distance");
    std::vector<std::uint64_t> bits((s.scene.pairs.size() + 63) / 64);
    Workspace workspace;
    const BatchResult of_bits = collide_overlap(s.scene.hulls, s.scene.view(), s.scene.pairs, options, bits, workspace);
    EXPECT_EQ(of_bits.touching, of_dense.touching);
    EXPECT_EQ(of_bits.overlapping, of_dense.overlapping);
    const std::vector<PairDistance> listed = compact_call<PairDistance>(s.scene, options);
    std::size_t at = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Manifold4 want = records[i].empty() ? Manifold4{} : deepest(records[i]);
        EXPECT_EQ(distances[i].kind, want.kind) << i;
        EXPECT_EQ(distances[i].status, want.status) << i;
        EXPECT_EQ(distances[i].distance, want.distance) << i;
        EXPECT_EQ(distances[i].child_a, want.child_a) << i;
        EXPECT_EQ(distances[i].child_b, want.child_b) << i;
        EXPECT_EQ(bits[i / 64] >> (i % 64) & 1U, want.kind != ContactKind::none ? 1U : 0U) << i;
        for (const Manifold4& m : records[i]) {
            ASSERT_LT(at, listed.size());
            EXPECT_EQ(listed[at].distance, m.distance) << i;
            EXPECT_EQ(listed[at].child_b, m.child_b) << i;
            ++at;
        }
    }
    EXPECT_EQ(at, listed.size());
}

TEST(CompoundForms, ShuffledAloneAndOnThreadsTheSame) {
    const CompoundScene s = make_compound_scene(rounded_hulls(), 604, 120, 1500);
    const auto records = expected_records<Manifold4>(s, s.scene.options());
    CompoundScene t = s;
    std::vector<std::uint32_t> order(s.scene.pairs.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    BatchRandom random(605);
    random.shuffle(std::span<std::uint32_t>(order));
    std::vector<Manifold4> shuffled;
    for (std::size_t i = 0; i < order.size(); ++i) {
        t.scene.pairs[i] = s.scene.pairs[order[i]];
        shuffled.insert(shuffled.end(), records[order[i]].begin(), records[order[i]].end());
    }
    tbb::task_arena arena(4);
    arena.execute([&] {
        for (const std::uint32_t threads : {1U, 2U, 4U}) {
            Options options = t.scene.options();
            options.threads = threads;
            EXPECT_TRUE(same_bytes<Manifold4>(compact_call<Manifold4>(t.scene, options), shuffled)) << threads;
        }
    });
    for (std::size_t i = 0; i < order.size(); i += 7) {
        t.scene.pairs.assign(1, s.scene.pairs[i]);
        EXPECT_TRUE(same_bytes<Manifold4>(compact_call<Manifold4>(t.scene, t.scene.options()), records[i])) << i;
    }
}

TEST(CompoundForms, HullsBesideThemKeepEveryBit) {
    const CompoundScene s = make_compound_scene(batch_hulls(), 606, 160, 2500);
    BatchScene hulls_only = s.scene;
    std::erase_if(hulls_only.pairs, [&](const Pair& p) { return has_compound(s.scene, p); });
    BatchScene without = hulls_only;
    without.hulls = s.plain;
    const std::vector<Manifold4> before = dense_call<Manifold4>(without, without.options());
    EXPECT_TRUE(same_bytes<Manifold4>(dense_call<Manifold4>(hulls_only, without.options()), before));
    EXPECT_GT(std::count_if(before.begin(), before.end(), is_reported<Manifold4>), 100);
}

TEST(CompoundForms, PairMarginsApplyToTheChildren) {
    const CompoundScene s = make_compound_scene(batch_hulls(), 610, 100, 900);
    std::vector<float> margins;
    BatchRandom random(611);
    for (std::size_t i = 0; i < s.scene.pairs.size(); ++i) margins.push_back(random.uniform(0, 0.5F));
    CallInputs inputs;
    inputs.pair_margins = margins;
    const std::vector<Manifold4> together =
        compact_call<Manifold4>(s.scene, s.scene.options(), nullptr, nullptr, inputs);
    std::vector<Manifold4> alone;
    BatchScene one = s.scene;
    for (std::size_t i = 0; i < margins.size(); ++i) {
        one.pairs.assign(1, s.scene.pairs[i]);
        one.margin = margins[i];
        const std::vector<Manifold4> own = compact_call<Manifold4>(one, one.options());
        alone.insert(alone.end(), own.begin(), own.end());
    }
    EXPECT_TRUE(same_bytes<Manifold4>(together, alone));
}

// Positions of float64: only their difference counts.
TEST(CompoundForms, MovedByAMillionEveryBitIsTheSame) {
    const CompoundScene s = make_compound_scene(batch_hulls(), 612, 100, 1500);
    const auto moved = [&](double by) {
        std::vector<BodyD> bodies;
        for (std::uint32_t i = 0; i < s.scene.bodies.size(); ++i) {
            bodies.push_back(detail::read_body(s.scene.view(), i));
            for (double& x : bodies.back().position) x += by;
        }
        std::vector<Manifold4> out(60 * s.scene.pairs.size());
        Workspace workspace;
        const CompactResult r = collide_compact(s.scene.hulls, BodyView(bodies), s.scene.pairs, s.scene.options(),
                                                std::span<Manifold4>(out), workspace);
        EXPECT_TRUE(r.status) << r.status.what;
        out.resize(r.written);
        return out;
    };
    const std::vector<Manifold4> here = compact_call<Manifold4>(s.scene, s.scene.options());
    EXPECT_TRUE(same_bytes<Manifold4>(moved(0), here));
    EXPECT_TRUE(same_bytes<Manifold4>(moved(0x1p20), here));
}

}  // namespace
}  // namespace lanefold::test
