// SPDX-License-Identifier: MIT
//
// Compact outputs of any size with compounds: the records of a pair are written all or none, and a call goes on where
// the last one stopped. And streams.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include <oneapi/tbb/task_arena.h>

#include <lanefold/contact_stream.hpp>

#include "support/coherent_scene.hpp"
#include "support/compound_calls.hpp"

namespace lanefold::test {
namespace {

// A call with room for some of the records, and where the whole pairs end.
void expect_truncated(const CompoundScene& s, const std::vector<std::vector<Manifold4>>& records,
                      const std::vector<Manifold4>& all, std::size_t capacity, std::uint32_t threads, bool count,
                      Workspace& workspace) {
    std::size_t written = 0;
    std::size_t pair = 0;
    while (pair < records.size() && written + records[pair].size() <= capacity) written += records[pair++].size();
    Options options = s.scene.options();
    options.threads = threads;
    options.count_required = count;
    std::vector<Manifold4> out(capacity + 1);
    std::memset(static_cast<void*>(out.data()), 0xEE, out.size() * sizeof(Manifold4));
    const Manifold4 guard = out.back();
    const CompactResult r = collide_compact(s.scene.hulls, s.scene.view(), s.scene.pairs, options,
                                            std::span<Manifold4>(out).first(capacity), workspace);
    EXPECT_TRUE(same_bits(out.back(), guard)) << capacity;
    EXPECT_EQ(r.written, written) << capacity;
    EXPECT_EQ(r.next_pair, pair) << capacity;
    const bool cut = pair < records.size();
    EXPECT_EQ(r.status.code, cut ? Status::truncated : Status::ok) << capacity;
    EXPECT_EQ(r.required, cut && !count ? written + records[pair].size() : all.size()) << capacity;
    EXPECT_TRUE(std::memcmp(out.data(), all.data(), written * sizeof(Manifold4)) == 0) << capacity;
    std::uint64_t touching = 0;
    for (std::size_t i = 0; i < pair; ++i)
        touching += !records[i].empty() && records[i][0].status == Status::ok ? 1U : 0U;
    EXPECT_EQ(r.touching, touching) << capacity;
}

TEST(CompoundOutput, OutputsOfAnySizeHaveWholePairs) {
    const CompoundScene s = make_compound_scene(batch_hulls(), 607, 160, 2500);
    const auto records = expected_records<Manifold4>(s, s.scene.options());
    const std::vector<Manifold4> all = joined(records);
    Workspace workspace;
    tbb::task_arena arena(4);
    arena.execute([&] {
        for (std::size_t capacity = 0; capacity < 40; ++capacity)
            expect_truncated(s, records, all, capacity, 1, true, workspace);
        for (std::size_t step = 0; step < 40; ++step) {
            const std::size_t capacity = all.size() * step / 39;
            expect_truncated(s, records, all, capacity, step % 2 == 0 ? 1 : 4, step % 3 != 0, workspace);
        }
    });
}

TEST(CompoundOutput, ResumedCallsGiveEveryRecordOnceAndTheSameSums) {
    const CompoundScene s = make_compound_scene(batch_hulls(), 608, 160, 2500);
    CompactResult whole;
    const std::vector<Manifold4> all = compact_call<Manifold4>(s.scene, s.scene.options(), &whole);
    Options options = s.scene.options();
    options.count_required = false;
    std::vector<Manifold4> got;
    CompactResult sums;
    std::uint64_t next = 0;
    std::size_t room = 3;
    std::uint32_t calls = 0;
    std::uint32_t enlarged = 0;
    Workspace workspace;
    for (;; ++calls) {
        std::vector<Manifold4> out(room);
        const CompactResult r = collide_compact(s.scene.hulls, s.scene.view(), s.scene.pairs, options,
                                                std::span<Manifold4>(out), workspace, {}, next);
        got.insert(got.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(r.written));
        sums.touching += r.touching;
        sums.points += r.points;
        sums.hash += r.hash;
        next = r.next_pair;
        if (r.status) break;
        ASSERT_EQ(r.status.code, Status::truncated);
        if (r.written == 0) {
            ASSERT_GT(r.required, room);
            room = r.required;
            ++enlarged;
        }
    }
    EXPECT_GT(calls, 50U);
    EXPECT_GT(enlarged, 2U);
    EXPECT_TRUE(same_bytes<Manifold4>(got, all));
    EXPECT_EQ(sums.touching, whole.touching);
    EXPECT_EQ(sums.points, whole.points);
    EXPECT_EQ(sums.hash, whole.hash);
}

// More records than a task keeps: those beyond are computed again.
TEST(CompoundOutput, MoreRecordsThanATaskKeeps) {
    std::vector<CompoundChild> children(170);
    BatchRandom random(609);
    for (CompoundChild& child : children) {
        child.hull = random.below(2);
        for (double& x : child.position) x = static_cast<double>(random.uniform(-0.2F, 0.2F));
        random.rotation(child.orientation);
    }
    CompoundScene s{batch_hulls(), {}};
    CompoundResult built = build_compound(s.plain, children);
    ASSERT_TRUE(static_cast<bool>(built));
    s.scene.hulls = built.hulls;
    const auto id = static_cast<std::uint32_t>(s.plain.size());
    for (std::uint32_t i = 0; i < 4; ++i) {
        Body body{};
        body.hull = i == 3 ? 5 : id;
        random.rotation(body.orientation);
        for (float& x : body.position) x = random.uniform(-0.1F, 0.1F);
        s.scene.bodies.push_back(body);
    }
    s.scene.pairs = {{0, 3}, {0, 1}, {3, 1}, {2, 3}};
    const Options options = s.scene.options();
    const auto records = expected_records<Manifold4>(s, options);
    const std::vector<Manifold4> all = joined(records);
    ASSERT_GT(all.size(), 18000U);
    std::vector<Manifold4> out(all.size());
    Workspace workspace;
    const CompactResult r =
        collide_compact(s.scene.hulls, s.scene.view(), s.scene.pairs, options, std::span<Manifold4>(out), workspace);
    ASSERT_TRUE(r.status) << r.status.what;
    EXPECT_TRUE(same_bytes<Manifold4>(out, all));
    expect_truncated(s, records, all, all.size() - 1, 1, true, workspace);
}

TEST(CompoundOutput, StreamsAndBodiesAtRestGiveWhatCallsGive) {
    const CompoundScene s = make_compound_scene(batch_hulls(), 613, 120, 1500);
    CoherentScene coherent{s.scene, 614, 0.02F, 0.02F};
    BatchScene& scene = coherent.scene();
    std::vector<std::uint8_t> rests(scene.bodies.size());
    for (std::size_t i = 0; i < rests.size(); ++i) rests[i] = i % 2 == 0 ? 1U : 0U;
    ContactStream<Manifold4> stream;
    ContactStream<Manifold4> resting;
    ContactStream<Manifold4> reusing;
    std::vector<Manifold4> before;
    std::uint64_t kept = 0;
    std::uint64_t unmoved = 0;
    for (int frame = 0; frame < 5; ++frame) {
        const std::vector<Body> old = scene.bodies;
        coherent.set_frame(frame);
        for (std::size_t i = 0; i < rests.size() && frame > 0; ++i) {
            if (rests[i] != 0) scene.bodies[i] = old[i];
        }
        const Options options = scene.options();
        CallInputs inputs;
        inputs.previous = PreviousContacts::compact(std::span<const Manifold4>(before));
        std::vector<std::uint32_t> candidates;
        const std::vector<Manifold4> cold = compact_call<Manifold4>(scene, options);
        const auto step = stream.step(scene.hulls, scene.view(), scene.pairs, options);
        ASSERT_TRUE(step.status) << step.status.what;
        EXPECT_TRUE(frame != 0 || same_bytes<Manifold4>(stream.contacts(), cold));
        EXPECT_EQ(step.kept + step.begun, stream.contacts().size());
        kept += step.kept;
        const auto rested = resting.step(scene.hulls, scene.view(), scene.pairs, options,
                                         {.unmoved = frame > 0 ? rests : decltype(rests){}});
        ASSERT_TRUE(rested.status) << rested.status.what;
        unmoved += rested.counters.unmoved_pairs;
        EXPECT_TRUE(same_bytes<Manifold4>(resting.contacts(), stream.contacts())) << frame;
        StreamOptions reuse;
        reuse.reuse = 0.01F;
        ASSERT_TRUE(reusing.step(scene.hulls, scene.view(), scene.pairs, options, {}, reuse).status);
        EXPECT_TRUE(same_bytes<Manifold4>(reusing.contacts(), stream.contacts())) << frame;
        // Matches name the record of the same children.
        for (std::size_t k = 0; k < stream.contacts().size(); ++k) {
            const std::uint32_t at = stream.matches()[k].record;
            if (at == kNoRecord) continue;
            const Manifold4& now = stream.contacts()[k];
            const Manifold4& then = stream.previous()[at];
            ASSERT_TRUE(std::equal(now.pair, now.pair + 2, then.pair) && now.child_a == then.child_a &&
                        now.child_b == then.child_b);
        }
        // Pairs with compounds take no previous records, so their records are those of a call without any.
        std::vector<Manifold4> of_compounds;
        std::vector<Manifold4> of_stream;
        for (const Manifold4& m : cold)
            if (has_compound(scene, {m.pair[0], m.pair[1]})) of_compounds.push_back(m);
        for (const Manifold4& m : stream.contacts())
            if (has_compound(scene, {m.pair[0], m.pair[1]})) of_stream.push_back(m);
        EXPECT_TRUE(same_bytes<Manifold4>(of_stream, of_compounds)) << frame;
        before.assign(stream.contacts().begin(), stream.contacts().end());
    }
    EXPECT_GT(kept, 2000U);
    EXPECT_GT(unmoved, 50U);
}

}  // namespace
}  // namespace lanefold::test
