// SPDX-License-Identifier: MIT
//
// Bodies at rest on surfaces: a call with marks does not compute their pairs, and gives what it gives without marks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include <lanefold/contact_stream.hpp>
#include <lanefold/isa.hpp>

#include "support/surface_scene.hpp"

namespace lanefold::test {
namespace {

// Two frames of which the second differs in every third body.
struct Resting {
    SurfaceScene s;
    std::vector<std::uint8_t> unmoved;
    std::vector<Body> before;
    std::vector<Body> after;

    explicit Resting(std::uint64_t seed) : s(make_surface_scene(rounded_hulls(), seed, 80, 500)) {
        // Previous records ascend, so pairs do.
        std::sort(s.scene.pairs.begin(), s.scene.pairs.end());
        BatchRandom random(seed + 1);
        before = after = s.scene.bodies;
        for (std::size_t i = 0; i < after.size(); ++i) {
            const bool moves = i % 3 == 0;
            unmoved.push_back(moves ? 0 : 7);
            for (float& x : after[i].position) x += moves ? random.uniform(-0.05F, 0.05F) : 0;
        }
    }

    void set(const std::vector<Body>& bodies) { s.scene.bodies = bodies; }
    // Pairs with a surface of two bodies at rest. A body that is bad has a status, not records of a surface.
    std::uint64_t spared() const {
        return static_cast<std::uint64_t>(std::count_if(s.scene.pairs.begin(), s.scene.pairs.end(), [&](const Pair& p) {
            if (p.a >= unmoved.size() || p.b >= unmoved.size() || p.a == p.b) return false;
            return unmoved[p.a] != 0 && unmoved[p.b] != 0 && s.has_surface(p);
        }));
    }
};

template <class Result>
void expect_same_sums_but_counters(const Result& got, const Result& want) {
    EXPECT_EQ(got.touching, want.touching);
    EXPECT_EQ(got.overlapping, want.overlapping);
    EXPECT_EQ(got.points, want.points);
    EXPECT_EQ(got.hash, want.hash);
    EXPECT_EQ(std::memcmp(got.by_kind, want.by_kind, sizeof got.by_kind), 0);
    EXPECT_EQ(std::memcmp(got.by_status, want.by_status, sizeof got.by_status), 0);
}

template <class Manifold>
void expect_compact_spares(std::uint64_t seed) {
    Resting r(seed);
    Options options = r.s.scene.options();
    const std::vector<Manifold> previous = compact_call<Manifold>(r.s.scene, options);
    r.set(r.after);
    CallInputs inputs{.previous = PreviousContacts::compact(std::span<const Manifold>(previous))};
    CompactResult plain;
    const std::vector<Manifold> want = compact_call<Manifold>(r.s.scene, options, &plain, nullptr, inputs);
    inputs.unmoved = r.unmoved;
    EXPECT_GT(r.spared(), 60U);
    for (const Isa isa : available_isas()) {
        options.isa = isa;
        CompactResult spared;
        const std::vector<Manifold> got = compact_call<Manifold>(r.s.scene, options, &spared, nullptr, inputs);
        EXPECT_TRUE(same_bytes<Manifold>(got, want)) << to_string(isa);
        expect_same_sums_but_counters(spared, plain);
        EXPECT_GT(plain.counters.precise_pairs, spared.counters.precise_pairs + 50);
    }
}

TEST(SurfaceRest, CompactCallsTakeThePreviousRecords) {
    expect_compact_spares<Manifold4>(801);
    expect_compact_spares<Manifold16>(802);
}

TEST(SurfaceRest, RecordsAreCopiedAndNotComputed) {
    Resting r(803);
    const Options options = r.s.scene.options();
    std::vector<Manifold4> previous = compact_call<Manifold4>(r.s.scene, options);
    std::uint32_t marked = 0;
    for (Manifold4& m : previous) {
        if (m.status != Status::ok || !r.s.has_surface({m.pair[0], m.pair[1]})) continue;
        m.reserved[0] = 17;
        ++marked;
    }
    CallInputs inputs{.previous = PreviousContacts::compact(std::span<const Manifold4>(previous))};
    const std::vector<std::uint8_t> all(r.unmoved.size(), 1);
    inputs.unmoved = all;
    const std::vector<Manifold4> got = compact_call<Manifold4>(r.s.scene, options, nullptr, nullptr, inputs);
    EXPECT_TRUE(same_bytes<Manifold4>(got, previous));
    EXPECT_GT(marked, 60U);
}

TEST(SurfaceRest, OutputsOfAnySizeHaveWholePairs) {
    Resting r(804);
    Options options = r.s.scene.options();
    const std::vector<Manifold4> previous = compact_call<Manifold4>(r.s.scene, options);
    r.set(r.after);
    CallInputs inputs{.previous = PreviousContacts::compact(std::span<const Manifold4>(previous))};
    const std::vector<Manifold4> want = compact_call<Manifold4>(r.s.scene, options, nullptr, nullptr, inputs);
    inputs.unmoved = r.unmoved;
    Workspace workspace;
    for (const std::size_t capacity : {0U, 1U, 7U, 40U, 120U}) {
        options.count_required = capacity % 2 == 1;
        std::vector<Manifold4> got;
        std::uint64_t next = 0;
        std::size_t room = capacity;
        for (;;) {
            std::vector<Manifold4> out(room);
            const CompactResult c = collide_compact(r.s.scene.hulls, r.s.scene.view(), r.s.scene.pairs, options,
                                                    std::span<Manifold4>(out), workspace, inputs, next);
            if (options.count_required) {
                EXPECT_EQ(c.required, want.size() - got.size());
            }
            got.insert(got.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(c.written));
            next = c.next_pair;
            if (c.status) break;
            ASSERT_EQ(c.status.code, Status::truncated);
            room = std::max<std::size_t>(room, c.required - c.written);
        }
        EXPECT_TRUE(same_bytes<Manifold4>(got, want)) << capacity;
    }
}

template <class Record>
void expect_dense_stands(std::uint64_t seed) {
    Resting r(seed);
    const Options options = r.s.scene.options();
    std::vector<Record> out = dense_call<Record>(r.s.scene, options);
    r.set(r.after);
    BatchResult plain;
    const std::vector<Record> want = dense_call<Record>(r.s.scene, options, &plain);
    Workspace workspace;
    CallInputs inputs;
    inputs.unmoved = r.unmoved;
    const BatchResult got =
        collide<Record>(r.s.scene.hulls, r.s.scene.view(), r.s.scene.pairs, options, out, workspace, inputs);
    ASSERT_TRUE(got.status) << got.status.what;
    EXPECT_TRUE(same_bytes<Record>(out, want));
    expect_same_sums_but_counters(got, plain);
    EXPECT_GT(plain.counters.precise_pairs, got.counters.precise_pairs + 50);
}

TEST(SurfaceRest, DenseRecordsStand) {
    expect_dense_stands<Manifold4>(805);
    expect_dense_stands<PairDistance>(806);
}

TEST(SurfaceRest, StreamsSpareThem) {
    Resting r(807);
    // The same pair twice, beside itself and elsewhere.
    const Pair twice = *std::find_if(r.s.scene.pairs.begin(), r.s.scene.pairs.end(), [&](const Pair& p) {
        return r.s.has_surface(p) && p.a % 3 != 0 && p.b % 3 != 0 && p.a < 80 && p.b < 80;
    });
    r.s.scene.pairs.push_back(twice);
    r.s.scene.pairs.push_back(twice);
    const Options options = r.s.scene.options();
    ContactStream<Manifold4> plain;
    ContactStream<Manifold4> spared;
    std::uint64_t unmoved = 0;
    for (int step = 0; step < 4; ++step) {
        r.set(step % 2 == 0 ? r.before : r.after);
        if (step == 3) r.s.scene.pairs.pop_back();
        StepInputs inputs;
        const StreamResult a = plain.step(r.s.scene.hulls, r.s.scene.view(), r.s.scene.pairs, options, inputs);
        if (step > 0) inputs.unmoved = r.unmoved;
        const StreamResult b = spared.step(r.s.scene.hulls, r.s.scene.view(), r.s.scene.pairs, options, inputs);
        ASSERT_TRUE(a.status && b.status);
        EXPECT_TRUE(same_bytes<Manifold4>(spared.contacts(), plain.contacts())) << step;
        expect_same_sums_but_counters(b, a);
        unmoved += b.counters.unmoved_pairs;
        if (step > 0) {
            EXPECT_GT(a.counters.precise_pairs, b.counters.precise_pairs + 50);
        }
    }
    EXPECT_GT(unmoved, 3 * r.spared());
}

}  // namespace
}  // namespace lanefold::test
