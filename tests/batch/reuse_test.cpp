// SPDX-License-Identifier: MIT
//
// Bounded reuse in a ContactStream: the same bits on every instruction set, with any number of threads, in any order of
// the pairs and with marks of unmoved bodies; which steps carry and which compute; refused settings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <lanefold/contact_stream.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/stop.hpp>

#include "support/batch_threads.hpp"
#include "support/coherent_scene.hpp"
#include "support/isa_fixture.hpp"

namespace lanefold::test {
namespace {

constexpr int kSteps = 9;
constexpr StreamOptions kReuse{.reuse = 1e-2F};

struct ReuseCase {
    Isa isa = Isa::automatic;
    unsigned threads = 1;
    bool shuffled = false;
    bool marks = false;
    float hysteresis = 0;
    bool own_margins = false;
    bool twice = false;
};

template <class M>
struct Steps {
    std::vector<std::vector<M>> records;  // of each step, in the order of the pairs
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint64_t> carried;
    std::vector<std::uint64_t> anchored;
    std::uint64_t unmoved = 0;
    std::uint64_t points = 0;
    std::vector<std::uint64_t> sums;
};

// The sums of a step are those of its records.
template <class M>
void expect_sums(const StreamResult& r, const std::vector<Pair>& pairs, const ContactStream<M>& stream) {
    std::uint64_t points = 0;
    std::uint64_t touching = 0;
    for (std::size_t k = 0; k < stream.contacts().size(); ++k) {
        const M& m = stream.contacts()[k];
        EXPECT_EQ((Pair{m.pair[0], m.pair[1]}), pairs[stream.candidates()[k]]);
        points += m.count;
        touching += m.kind != ContactKind::none ? 1U : 0U;
    }
    EXPECT_EQ(r.points, points);
    EXPECT_EQ(r.touching, touching);
    EXPECT_EQ(r.points_new + r.points_kept, r.points);
    std::uint64_t of_kinds = 0;
    for (const std::uint64_t n : r.by_kind) of_kinds += n;
    std::uint64_t of_status = 0;
    for (const std::uint64_t n : r.by_status) of_status += n;
    EXPECT_EQ(of_status, pairs.size());
    EXPECT_EQ(of_kinds, pairs.size());
}

// Bodies that drift, of which a third rests in every step but two; good and bad bodies and pairs; a tenth of the pairs
// comes and goes.
template <class M>
Steps<M> run(const ReuseCase& c) {
    CoherentScene moving(make_bad_batch_scene(91, 300, 6000), 5, 0.002F, 0.004F);
    const std::vector<Pair> all = moving.scene().pairs;
    ContactStream<M> stream;
    Steps<M> out;
    for (int step = 0; step < kSteps; ++step) {
        moving.set_frame(0);
        const std::vector<Body> still = moving.scene().bodies;
        moving.set_frame(step < 6 ? step : 40 * step);
        std::vector<std::uint8_t> marks(still.size(), 0);
        for (std::size_t i = 0; i < still.size(); i += 3) {
            moving.scene().bodies[i] = still[i];
            marks[i] = step != 0 ? 1 : 0;
        }
        BatchRandom random(static_cast<std::uint64_t>(step) + 1);
        std::vector<Pair> pairs;
        for (const Pair& p : all) {
            if (random.below(10) == 0) continue;
            pairs.push_back(p);
            if (c.twice && p.a % 4 == 0) pairs.push_back(p);
        }
        if (c.shuffled) random.shuffle(std::span<Pair>(pairs));
        std::vector<float> margins;
        for (const Pair& p : pairs)
            margins.push_back(0.01F * static_cast<float>((p.a + static_cast<std::uint32_t>(step) / 3) % 5));
        Options options = moving.scene().options();
        options.isa = c.isa;
        options.threads = c.threads;
        options.hysteresis = c.hysteresis;
        options.hash = true;
        StepInputs inputs;
        if (c.marks) inputs.unmoved = marks;
        if (c.own_margins) inputs.pair_margins = margins;
        const StreamResult r = stream.step(moving.scene().hulls, moving.scene().view(), pairs, options, inputs, kReuse);
        EXPECT_TRUE(r.status) << r.status.what;
        std::vector<M> records(stream.contacts().begin(), stream.contacts().end());
        expect_sums(r, pairs, stream);
        std::stable_sort(records.begin(), records.end(), [](const M& x, const M& y) {
            return std::pair(x.pair[0], x.pair[1]) < std::pair(y.pair[0], y.pair[1]);
        });
        out.records.push_back(records);
        out.hashes.push_back(r.hash);
        out.carried.push_back(r.carried);
        out.anchored.push_back(r.anchored);
        out.unmoved += r.counters.unmoved_pairs;
        out.sums.insert(out.sums.end(), {r.touching, r.overlapping, r.points, r.kept, r.begun, r.ended, r.points_kept});
        out.sums.insert(out.sums.end(), std::begin(r.by_kind), std::end(r.by_kind));
        out.sums.insert(out.sums.end(), std::begin(r.by_status), std::end(r.by_status));
    }
    return out;
}

template <class M>
void expect_same(const Steps<M>& a, const Steps<M>& b, bool counts) {
    ASSERT_EQ(a.records.size(), b.records.size());
    for (std::size_t s = 0; s < a.records.size(); ++s) {
        ASSERT_EQ(a.records[s].size(), b.records[s].size()) << "step " << s;
        ASSERT_EQ(std::memcmp(a.records[s].data(), b.records[s].data(), a.records[s].size() * sizeof(M)), 0)
            << "step " << s;
    }
    EXPECT_EQ(a.hashes, b.hashes);
    EXPECT_EQ(a.sums, b.sums);
    if (!counts) return;
    EXPECT_EQ(a.carried, b.carried);
    EXPECT_EQ(a.anchored, b.anchored);
}

class Reuse : public IsaTest {};

TEST_P(Reuse, BitsAreThoseOfEveryInstructionSet) {
    expect_same(run<Manifold4>({}), run<Manifold4>({.isa = GetParam()}), true);
    expect_same(run<Manifold16>({.own_margins = true}), run<Manifold16>({.isa = GetParam(), .own_margins = true}),
                true);
    expect_same(run<Manifold4>({.hysteresis = kDefaultHysteresis}),
                run<Manifold4>({.isa = GetParam(), .hysteresis = kDefaultHysteresis}), true);
}

LANEFOLD_INSTANTIATE_ISA_TESTS(Reuse);

TEST(ReuseStream, ThreadsAndOrderChangeNothing) {
    const Steps<Manifold4> one = run<Manifold4>({});
    expect_same(one, run<Manifold4>({.threads = 8}), true);
    expect_same(one, run<Manifold4>({.shuffled = true}), true);
    expect_same(one, run<Manifold4>({.threads = 8, .shuffled = true}), true);
    std::uint64_t carried = 0;
    for (const std::uint64_t n : one.carried) carried += n;
    std::uint64_t anchored = 0;
    for (const std::uint64_t n : one.anchored) anchored += n;
    EXPECT_GT(carried, 3000U);
    EXPECT_GT(anchored, 500U);
    EXPECT_EQ(one.carried[0], 0U);
}

TEST(ReuseStream, MarksOfUnmovedBodiesChangeNothing) {
    for (const float hysteresis : {0.0F, kDefaultHysteresis}) {
        const Steps<Manifold4> marked = run<Manifold4>({.marks = true, .hysteresis = hysteresis});
        expect_same(run<Manifold4>({.hysteresis = hysteresis}), marked, false);
        EXPECT_GT(marked.unmoved, 500U);
    }
    expect_same(run<Manifold16>({}), run<Manifold16>({.threads = 8, .marks = true}), false);
}

TEST(ReuseStream, PairsListedTwiceChangeNothingForThreads) {
    const Steps<Manifold4> one = run<Manifold4>({.twice = true});
    expect_same(one, run<Manifold4>({.threads = 8, .twice = true}), true);
}

// Two frusta, almost cubes, one on the other with a gap. (Pairs of boxes are computed.)
struct TwoBlocks {
    HullSet hulls;
    std::vector<Body> bodies = {{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0, 0, 1.01F}, 0, {0, 0, 0, 1}}};
    std::vector<Pair> pairs{{0, 1}};
    ContactStream<Manifold4> stream;
    Options options;
    StepInputs inputs;

    TwoBlocks() {
        std::vector<Vec3f> corners;
        for (int k = 0; k < 8; ++k) {
            const bool top = (k & 4) != 0;
            const float half = top ? 0.49F : 0.5F;
            corners.push_back({(k & 1) != 0 ? half : -half, (k & 2) != 0 ? half : -half, top ? 0.5F : -0.5F});
        }
        const std::uint64_t offsets[] = {0, 8};
        hulls = build_hulls(corners, offsets).hulls;
        options.margin = 0.05F;
    }
    StreamResult step(const StreamOptions& o = kReuse) { return stream.step(hulls, bodies, pairs, options, inputs, o); }
    // The contact comes in one step and gets its anchor in the next.
    void anchor() {
        EXPECT_EQ(carried(), 0U);
        EXPECT_EQ(carried(), 0U);
    }
    std::uint64_t carried() {
        const StreamResult r = step();
        EXPECT_TRUE(r.status) << r.status.what;
        return r.carried;
    }
};

TEST(ReuseStream, CarriesWhileThePairMovesLittleAndRecordsFollow) {
    TwoBlocks s;
    s.anchor();
    const std::uint32_t id = s.stream.contacts()[0].points[0].feature;
    s.bodies[1].position[2] = 1.005F;
    EXPECT_EQ(s.carried(), 1U);
    ASSERT_EQ(s.stream.contacts().size(), 1U);
    EXPECT_NEAR(s.stream.contacts()[0].distance, 0.005F, 1e-6F);
    EXPECT_EQ(s.stream.contacts()[0].points[0].feature, id);
    EXPECT_EQ(s.stream.contacts()[0].count, 4);
    // Both bodies move: only the relative motion counts.
    for (Body& b : s.bodies) b.position[0] += 3.0F;
    EXPECT_EQ(s.carried(), 1U);
    // 8.66e-3 is what reuse allows; the anchor was at 1.01.
    s.bodies[1].position[2] = 1.0005F;
    EXPECT_EQ(s.carried(), 0U);
    EXPECT_NEAR(s.stream.contacts()[0].distance, 0.0005F, 1e-6F);
}

TEST(ReuseStream, OtherOptionsHullsAndResetsComputeAgain) {
    TwoBlocks s;
    s.anchor();
    EXPECT_EQ(s.carried(), 1U);
    s.options.face_preference = 0;
    EXPECT_EQ(s.carried(), 0U);
    EXPECT_EQ(s.carried(), 1U);
    EXPECT_EQ(s.step({.reuse = 2e-2F}).carried, 0U);
    EXPECT_EQ(s.step({}).carried, 0U);
    EXPECT_EQ(s.carried(), 0U);
    EXPECT_EQ(s.carried(), 1U);
    s.options.margin = 0.04F;  // what is nearer than that is known
    EXPECT_EQ(s.carried(), 1U);
    s.options.margin = 0.5F;
    EXPECT_EQ(s.carried(), 0U);
    EXPECT_EQ(s.carried(), 1U);
    std::vector<Vec3f> corners(s.hulls.vertices(0).begin(), s.hulls.vertices(0).end());
    for (Vec3f& v : corners) v.x *= 2;
    const std::uint64_t offsets[] = {0, 8};
    s.hulls = build_hulls(corners, offsets).hulls;
    EXPECT_EQ(s.carried(), 0U);
    EXPECT_EQ(s.carried(), 1U);
    s.stream.reset();
    s.anchor();
    // Another hull of the set in the same place.
    TwoBlocks two;
    two.hulls = two.hulls.append(s.hulls);
    two.anchor();
    EXPECT_EQ(two.carried(), 1U);
    two.bodies[1].hull = 1;
    EXPECT_EQ(two.carried(), 0U);
}

TEST(ReuseStream, ANewPairNeverTakesTheAnchorOfAnother) {
    TwoBlocks s;
    s.bodies.push_back(s.bodies[1]);
    s.anchor();
    s.pairs = {{0, 2}};  // the same hulls at the same pose, and the place of the pair that has gone
    EXPECT_EQ(s.carried(), 0U);
}

TEST(ReuseStream, BadSettingsAreRefusedAndChangeNothing) {
    TwoBlocks s;
    s.anchor();
    const float bad[] = {-1e-3F, -std::numeric_limits<float>::denorm_min(), std::nextafter(kMaxReuse, 1.0F),
                         std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
    for (const float reuse : bad) {
        const StreamResult r = s.step({.reuse = reuse});
        EXPECT_EQ(r.status.code, Status::bad_argument) << reuse;
        EXPECT_STREQ(r.status.what, "stream.reuse is negative, not a number or above kMaxReuse");
        EXPECT_EQ(s.stream.contacts().size(), 1U);
    }
    EXPECT_TRUE(s.step({.reuse = -0.0F}).status);
    EXPECT_TRUE(s.step({.reuse = kMaxReuse}).status);
    EXPECT_TRUE(s.step({.reuse = std::numeric_limits<float>::denorm_min()}).status);
    EXPECT_EQ(s.step({.reuse = std::numeric_limits<float>::denorm_min()}).carried, 0U);
}

TEST(ReuseStream, PairsOfBoxesAreComputed) {
    TwoBlocks s;
    std::vector<Vec3f> corners;
    for (int k = 0; k < 8; ++k) {
        corners.push_back({(k & 1) != 0 ? 0.5F : -0.5F, (k & 2) != 0 ? 0.5F : -0.5F, (k & 4) != 0 ? 0.5F : -0.5F});
    }
    const std::uint64_t offsets[] = {0, 8};
    const HullSet box = build_hulls(corners, offsets).hulls;
    for (const bool beside_others : {false, true}) {
        s.hulls = beside_others ? box.append(TwoBlocks().hulls) : box;
        for (int k = 0; k < 4; ++k) EXPECT_EQ(s.carried(), 0U);
        Manifold4 cold[1];
        Workspace workspace;
        ASSERT_EQ(collide_compact(s.hulls, s.bodies, s.pairs, s.options, std::span<Manifold4>(cold), workspace).written,
                  1U);
        EXPECT_EQ(std::memcmp(cold, s.stream.contacts().data(), sizeof cold), 0);
    }
}

// A pair that moves too far in every step tries anchors ever less often.
TEST(ReuseStream, APairThatFallsRestsFromAnchors) {
    TwoBlocks s;
    s.options.margin = 10.0F;
    std::uint64_t anchored = 0;
    for (int k = 0; k < 20; ++k) {
        s.bodies[1].position[2] = 1.5F - 0.02F * static_cast<float>(k);
        const StreamResult r = s.step();
        EXPECT_EQ(r.carried, 0U);
        anchored += r.anchored;
    }
    EXPECT_EQ(anchored, 4U);
}

TEST(ReuseStream, AStoppedStepGoesOn) {
    TwoBlocks s;
    s.anchor();
    StopFlag flag;
    flag.request_stop();
    s.inputs.stop = StopToken(flag);
    EXPECT_EQ(s.step().status.code, Status::cancelled);
    s.inputs.stop = {};
    EXPECT_TRUE(s.step().status);
    EXPECT_EQ(s.stream.contacts().size(), 1U);
}

}  // namespace
}  // namespace lanefold::test
