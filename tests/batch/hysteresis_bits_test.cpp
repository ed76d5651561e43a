// SPDX-License-Identifier: MIT
//
// Hysteresis depends only on the pair and its previous record: not on form, instruction set, threads, order or split.
// Any bytes are safe as previous record; without one it is off; invalid spans are refused with their place.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include <lanefold/isa.hpp>

#include "support/hysteresis_scenarios.hpp"

namespace lanefold::test {
namespace {

// Two frames of the crowd: the second one, and the records of the first as its previous records.
template <class M>
struct TwoFrames {
    Scenario scenario = drifting_crowd();
    Frame frame;
    std::vector<M> previous;        // compact, of the first frame
    std::vector<M> previous_dense;  // per pair

    TwoFrames() {
        Workspace workspace;
        scenario.frames(0, frame);
        previous_dense.resize(frame.pairs.size());
        EXPECT_TRUE(collide_serial(scenario.library.hulls, view(), frame.pairs, scenario.options,
                                   std::span<M>(previous_dense), workspace)
                        .status);
        previous = reported_of(previous_dense);
        scenario.frames(3, frame);
        scenario.options.hash = true;
    }

    BodyView view() const { return BodyView(std::span<const Body>(frame.bodies)); }

    std::vector<M> dense(const PreviousContacts& from, Isa isa, BatchResult& result) {
        Workspace workspace;
        Options options = scenario.options;
        options.isa = isa;
        std::vector<M> out(frame.pairs.size());
        std::memset(static_cast<void*>(out.data()), 0xAB, out.size() * sizeof(M));
        result = collide_serial(scenario.library.hulls, view(), frame.pairs, options, std::span<M>(out), workspace,
                                {.previous = from});
        EXPECT_TRUE(result.status) << result.status.what;
        return out;
    }
};

template <class M>
class HeldBits : public testing::Test {};
using Capacities = testing::Types<Manifold4, Manifold16>;
TYPED_TEST_SUITE(HeldBits, Capacities);

// Dense records and sums of the scalar kernels. Every other form of the call must give the same.
template <class M>
struct Held {
    TwoFrames<M> two;
    PreviousContacts sorted = PreviousContacts::compact(std::span<const M>(two.previous));
    BatchResult sums;
    std::vector<M> records = two.dense(sorted, Isa::scalar, sums);

    const HullSet& hulls() const { return two.scenario.library.hulls; }
    const Options& options() const { return two.scenario.options; }
    CallInputs inputs() const { return {.previous = sorted}; }
};

template <class M>
void expect_same_on_every_isa(Held<M>& held) {
    BatchResult r;
    for (const Isa isa : available_isas()) {
        expect_same(held.two.dense(held.sorted, isa, r), held.records, to_string(isa));
        expect_same_sums(r, held.sums, to_string(isa));
        expect_same(held.two.dense(PreviousContacts::dense(std::span<const M>(held.two.previous_dense)), isa, r),
                    held.records, "dense previous");
        expect_same_sums(r, held.sums, "dense previous");
    }
}

// Dense, compact, and compact in pieces that are resumed.
template <class M>
void expect_same_in_every_form(Held<M>& held, std::uint32_t threads) {
    const std::vector<Pair>& pairs = held.two.frame.pairs;
    Options options = held.options();
    options.threads = threads;
    Workspace workspace;
    std::vector<M> out(pairs.size());
    EXPECT_TRUE(
        collide(held.hulls(), held.two.view(), pairs, options, std::span<M>(out), workspace, held.inputs()).status);
    expect_same(out, held.records, "threads");
    const CompactResult c =
        collide_compact(held.hulls(), held.two.view(), pairs, options, std::span<M>(out), workspace, held.inputs());
    std::vector<M> records(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(c.written));
    expect_same(records, reported_of(held.records), "compact");
    expect_same_sums(c, held.sums, "compact");
    std::vector<M> pieces;
    for (std::uint64_t next = 0; next < pairs.size();) {
        const CompactResult piece = collide_compact(held.hulls(), held.two.view(), pairs, options,
                                                    std::span<M>(out).first(97), workspace, held.inputs(), next);
        pieces.insert(pieces.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(piece.written));
        next = piece.next_pair;
    }
    expect_same(pieces, reported_of(held.records), "resumed");
}

std::vector<std::uint32_t> shuffled_order(std::size_t count) {
    BatchRandom random(31);
    std::vector<std::uint32_t> order(count);
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    random.shuffle(std::span<std::uint32_t>(order));
    return order;
}

// In another order, and one pair at a time.
template <class M>
void expect_same_shuffled_and_alone(Held<M>& held) {
    const auto& frame = held.two.frame;
    const std::vector<std::uint32_t> order = shuffled_order(frame.pairs.size());
    std::vector<Pair> shuffled;
    for (const std::uint32_t i : order) shuffled.push_back(frame.pairs[i]);
    Workspace workspace;
    std::vector<M> out(order.size());
    EXPECT_TRUE(
        collide(held.hulls(), held.two.view(), shuffled, held.options(), std::span<M>(out), workspace, held.inputs())
            .status);
    for (std::size_t i = 0; i < order.size(); ++i) ASSERT_TRUE(same_bits(out[i], held.records[order[i]])) << i;
    for (std::size_t i = 0; i < order.size(); i += 53) {
        const Pair pair = shuffled[i];
        M one{};
        M previous = held.two.previous_dense[order[i]];
        previous.pair[0] = 0;
        previous.pair[1] = 1;
        const CallInputs inputs{.previous = PreviousContacts::dense(std::span<const M>(&previous, 1))};
        const BatchResult r = collide_pair(held.hulls(), frame.bodies[pair.a], frame.bodies[pair.b], held.options(),
                                           one, workspace, inputs);
        ASSERT_TRUE(r.status) << r.status.what;
        if (!is_reported(one)) continue;
        one.pair[0] = pair.a;
        one.pair[1] = pair.b;
        EXPECT_TRUE(same_bits(one, held.records[order[i]])) << i;
    }
}

TYPED_TEST(HeldBits, DoNotDependOnFormIsaThreadsOrderOrSplit) {
    Held<TypeParam> held;
    EXPECT_GT(held.sums.counters.held, 20U);
    BatchResult r;
    expect_same(held.two.dense({}, Isa::scalar, r), held.two.dense({}, Isa::automatic, r), "without previous");
    EXPECT_NE(r.hash, held.sums.hash);
    expect_same_on_every_isa(held);
    for (const std::uint32_t threads : {1U, 2U, 7U}) expect_same_in_every_form(held, threads);
    expect_same_shuffled_and_alone(held);
}

// Records of all frames of flush stacks, each frame with the records of the one before.
template <class M>
std::vector<M> held_frames(const Scenario& s, Isa isa, std::uint64_t& held) {
    Options options = s.options;
    options.isa = isa;
    std::vector<M> all;
    const Flicker f = run_frames<M>(s.library.hulls, s.frames, 6, options, kDefaultHysteresis,
                                    [&](const Frame&, const std::vector<M>&, const std::vector<M>& now) {
                                        all.insert(all.end(), now.begin(), now.end());
                                    });
    held = f.held;
    return all;
}

TYPED_TEST(HeldBits, OfFlushStacksAreTheSameOnEveryIsa) {
    for (const double angle : {1e-7, 1e-4, 1e-2}) {
        for (const Scenario& s : all_flush_stacks(5e-4, angle)) {
            std::uint64_t held = 0;
            std::uint64_t held_there = 0;
            const std::vector<TypeParam> expected = held_frames<TypeParam>(s, Isa::scalar, held);
            EXPECT_GT(expected.size(), 500U);
            EXPECT_GT(held, angle > 1e-5 ? 100U : 0U) << s.name;
            for (const Isa isa : available_isas()) {
                expect_same(held_frames<TypeParam>(s, isa, held_there), expected, to_string(isa));
                EXPECT_EQ(held_there, held) << to_string(isa);
            }
        }
    }
}

TEST(Hysteresis, DistanceLevelCarriesTheHeldNormal) {
    TwoFrames<Manifold4> two;
    BatchResult r;
    const PreviousContacts previous = PreviousContacts::compact(std::span<const Manifold4>(two.previous));
    const std::vector<Manifold4> expected = two.dense(previous, Isa::automatic, r);
    Workspace workspace;
    std::vector<PairDistance> out(two.frame.pairs.size());
    const BatchResult d = collide(two.scenario.library.hulls, two.view(), two.frame.pairs, two.scenario.options, out,
                                  workspace, {.previous = previous});
    EXPECT_EQ(d.counters.held, r.counters.held);
    EXPECT_EQ(d.points, 0U);
    EXPECT_EQ(d.touching, r.touching);
    for (std::size_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(std::memcmp(out[i].normal, expected[i].normal, sizeof out[i].normal), 0) << i;
        ASSERT_EQ(std::memcmp(&out[i].distance, &expected[i].distance, sizeof(float)), 0) << i;
        ASSERT_EQ(out[i].kind, expected[i].kind);
        ASSERT_EQ(out[i].status, expected[i].status);
    }
}

TEST(Hysteresis, AnyPreviousBytesAreSafeAndOnlyChooseAmongAllowedAxes) {
    TwoFrames<Manifold4> two;
    two.scenario.options.hysteresis = 0.2F;  // wide, so that some of the junk is allowed
    BatchResult r;
    const std::vector<Manifold4> without = two.dense({}, Isa::automatic, r);
    BatchRandom random(41);
    std::uint64_t held = 0;
    Coverage coverage;
    for (int round = 0; round < 12; ++round) {
        std::vector<Manifold4> junk(two.frame.pairs.size());
        for (std::size_t i = 0; i < junk.size(); ++i) {
            auto* bytes = reinterpret_cast<unsigned char*>(&junk[i]);
            for (std::size_t k = 0; k < sizeof junk[i]; ++k) bytes[k] = static_cast<unsigned char>(random.next());
            junk[i].pair[0] = two.frame.pairs[i].a;
            junk[i].pair[1] = two.frame.pairs[i].b;
            if (round % 3 == 0) continue;
            // Small indices and valid kinds reach more code than random bytes.
            junk[i].kind = static_cast<ContactKind>(random.below(8));
            junk[i].status = static_cast<Status>(random.below(8) / 7);
            junk[i].feature_a = random.below(round % 3 == 1 ? 8 : 40);
            junk[i].feature_b = random.below(round % 3 == 1 ? 8 : 40);
        }
        const PreviousContacts previous = PreviousContacts::dense(std::span<const Manifold4>(junk));
        const std::vector<Manifold4> with = two.dense(previous, Isa::scalar, r);
        held += r.counters.held;
        for (const Isa isa : available_isas()) expect_same(two.dense(previous, isa, r), with, to_string(isa));
        expect_same_distances(with, without);
        if (round < 6) judge_frame(two.scenario, two.frame, 0.2F, reported_of(with), coverage);
    }
    std::printf("held %llu pairs by junk; judged: %s\n", static_cast<unsigned long long>(held),
                coverage.summary().c_str());
    EXPECT_GT(held, 50U);
    EXPECT_GT(coverage.pairs, 3000U);
}

TEST(Hysteresis, ZeroOrNothingPreviousIsOff) {
    TwoFrames<Manifold4> two;
    BatchResult r;
    const std::vector<Manifold4> without = two.dense({}, Isa::automatic, r);
    two.scenario.options.hysteresis = 0;
    expect_same(two.dense(PreviousContacts::compact(std::span<const Manifold4>(two.previous)), Isa::automatic, r),
                without, "hysteresis 0");
    EXPECT_EQ(r.counters.hold_tried, 0U);
    two.scenario.options.hysteresis = kDefaultHysteresis;
    // Records of other pairs do not count.
    for (Manifold4& m : two.previous) m.pair[0] += 1000;
    expect_same(two.dense(PreviousContacts::compact(std::span<const Manifold4>(two.previous)), Isa::automatic, r),
                without, "other pairs");
    EXPECT_EQ(r.counters.hold_tried, 0U);
}

TEST(Hysteresis, WrongPreviousIsRefusedWithThePlace) {
    TwoFrames<Manifold4> two;
    Workspace workspace;
    std::vector<Manifold4> out(two.frame.pairs.size());
    const auto refused = [&](const PreviousContacts& previous) {
        const BatchResult r = collide(two.scenario.library.hulls, two.view(), two.frame.pairs, two.scenario.options,
                                      std::span<Manifold4>(out), workspace, {.previous = previous});
        EXPECT_EQ(r.status.code, Status::bad_argument);
        return r.status;
    };
    std::vector<Manifold4> disordered = two.previous;
    std::swap(disordered[100], disordered[101]);
    std::swap(disordered[300], disordered[301]);
    const CallStatus order = refused(PreviousContacts::compact(std::span<const Manifold4>(disordered)));
    EXPECT_EQ(order.where, 101U);
    EXPECT_STREQ(order.what, "inputs.previous does not ascend by pair");
    EXPECT_EQ(refused(PreviousContacts::dense(std::span<const Manifold4>(two.previous))).where, two.previous.size());
    EXPECT_EQ(refused(PreviousContacts::compact(std::span<const Manifold4>(out))).code, Status::bad_argument);
    PreviousContacts bad = PreviousContacts::compact(std::span<const Manifold4>(two.previous));
    bad.stride = 64;
    EXPECT_EQ(refused(bad).where, 64U);
    bad.records = nullptr;
    EXPECT_EQ(refused(bad).code, Status::bad_argument);
    two.scenario.options.hysteresis = -1;
    EXPECT_EQ(refused({}).code, Status::bad_argument);
    two.scenario.options.hysteresis = std::nanf("");
    EXPECT_EQ(refused({}).code, Status::bad_argument);
}

}  // namespace
}  // namespace lanefold::test
