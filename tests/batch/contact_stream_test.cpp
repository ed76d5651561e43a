// SPDX-License-Identifier: MIT
//
// A ContactStream gives the bytes of collide_compact() for the same steps: with any change of pairs, in any order, with
// and without hysteresis and marks of unmoved bodies, on every instruction set, with any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include <lanefold/contact_stream.hpp>
#include <lanefold/stop.hpp>

#include "support/batch_threads.hpp"
#include "support/coherent_scene.hpp"
#include "support/isa_fixture.hpp"

namespace lanefold::test {
namespace {

constexpr int kSteps = 7;

enum class Order { ascending, shuffled };

struct StreamCase {
    Order order = Order::ascending;
    float hysteresis = 0;
    bool marks = false;
    unsigned threads = 1;
};

// Drifting bodies, of which a third does not move in every other step. Each step has a new choice of nine tenths of the
// candidate pairs.
class Steps {
public:
    Steps() : moving_(make_bad_batch_scene(91, 300, 9000), 5, 0.01F, 0.02F) { all_ = moving_.scene().pairs; }

    void go_to(int step, Order order) {
        moving_.set_frame(step / 2 * 2);
        const std::vector<Body> still = scene().bodies;
        moving_.set_frame(step);
        marks.assign(still.size(), 0);
        for (std::size_t i = 0; i < still.size(); i += 3) {
            scene().bodies[i] = still[i];
            marks[i] = step % 2 == 1 ? 1 : 0;
        }
        BatchRandom random(static_cast<std::uint64_t>(step) + 1);
        pairs.clear();
        for (const Pair& p : all_) {
            if (random.below(10) != 0) pairs.push_back(p);
        }
        if (order == Order::shuffled) random.shuffle(std::span<Pair>(pairs));
    }
    BatchScene& scene() { return moving_.scene(); }

    std::vector<Pair> pairs;
    std::vector<std::uint8_t> marks;

private:
    CoherentScene moving_;
    std::vector<Pair> all_;
};

template <class M>
bool same_bytes(std::span<const M> a, std::span<const M> b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

// The step by collide_compact(), whose previous records must ascend.
template <class M>
std::vector<M> plain_step(const Steps& steps, const BatchScene& scene, const Options& options, std::vector<M> previous,
                          CompactResult& result, std::span<const float> margins = {}) {
    std::stable_sort(previous.begin(), previous.end(), [](const M& x, const M& y) {
        return std::pair(x.pair[0], x.pair[1]) < std::pair(y.pair[0], y.pair[1]);
    });
    CallInputs inputs{.pair_margins = margins};
    if (options.hysteresis > 0) inputs.previous = PreviousContacts::compact(std::span<const M>(previous));
    std::vector<M> out(steps.pairs.size());
    Workspace workspace;
    result = collide_compact(scene.hulls, scene.view(), steps.pairs, options, std::span<M>(out), workspace, inputs);
    EXPECT_TRUE(result.status) << result.status.what;
    out.resize(result.written);
    return out;
}

template <class M>
void expect_matches(const ContactStream<M>& stream, const Steps& steps, const StreamResult& r) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> before;
    for (std::size_t k = 0; k < stream.previous().size(); ++k) {
        const M& m = stream.previous()[k];
        before.emplace(std::pair(m.pair[0], m.pair[1]), static_cast<std::uint32_t>(k));
    }
    ASSERT_EQ(stream.candidates().size(), stream.contacts().size());
    ASSERT_EQ(stream.matches().size(), stream.contacts().size());
    std::uint64_t kept = 0;
    std::uint64_t points = 0;
    for (std::size_t k = 0; k < stream.contacts().size(); ++k) {
        const M& m = stream.contacts()[k];
        const Pair& pair = steps.pairs[stream.candidates()[k]];
        ASSERT_EQ(pair, (Pair{m.pair[0], m.pair[1]}));
        const auto at = before.find({m.pair[0], m.pair[1]});
        const RecordMatch<M>& match = stream.matches()[k];
        ASSERT_EQ(match.record, at == before.end() ? kNoRecord : at->second);
        const PointMatch<M> expected =
            at == before.end() ? match_contacts(M{}, m) : match_contacts(stream.previous()[at->second], m);
        ASSERT_TRUE(std::equal(std::begin(match.previous), std::end(match.previous), expected.previous));
        kept += at == before.end() ? 0U : 1U;
        for (const std::uint8_t p : match.previous) points += p == kNewPoint ? 0U : 1U;
    }
    EXPECT_EQ(r.kept, kept);
    EXPECT_EQ(r.begun, stream.contacts().size() - kept);
    EXPECT_EQ(r.ended, stream.previous().size() - kept);
    EXPECT_EQ(r.points_kept, points);
    EXPECT_EQ(r.points_new + r.points_kept, r.points);
}

class Stream : public IsaTest {
protected:
    template <class M>
    void run(const StreamCase& c) {
        Steps steps;
        ContactStream<M> stream;
        std::vector<M> previous;
        Counters seen;
        std::uint64_t new_pairs = 0;
        std::uint64_t kept = 0;
        for (int step = 0; step < kSteps; ++step) {
            steps.go_to(step, c.order);
            Options options = steps.scene().options();
            options.isa = GetParam();
            options.threads = c.threads;
            options.hysteresis = c.hysteresis;
            CompactResult expected;
            const std::vector<M> plain = plain_step(steps, steps.scene(), options, previous, expected);
            StepInputs inputs;
            if (c.marks) inputs.unmoved = steps.marks;
            const StreamResult r = stream.step(steps.scene().hulls, steps.scene().view(), steps.pairs, options, inputs);
            expect_ran(r);
            ASSERT_TRUE(same_bytes(stream.contacts(), std::span<const M>(plain))) << "step " << step;
            ASSERT_TRUE(same_bytes(stream.previous(), std::span<const M>(previous))) << "step " << step;
            EXPECT_EQ(r.hash, expected.hash);
            EXPECT_EQ(r.touching, expected.touching);
            EXPECT_EQ(r.points, expected.points);
            EXPECT_EQ(r.next_pair, steps.pairs.size());
            EXPECT_TRUE(std::equal(std::begin(r.by_status), std::end(r.by_status), expected.by_status));
            EXPECT_TRUE(std::equal(std::begin(r.by_kind), std::end(r.by_kind), expected.by_kind));
            expect_matches(stream, steps, r);
            seen += r.counters;
            new_pairs += r.new_pairs;
            kept += r.kept;
            previous = plain;
        }
        EXPECT_GT(kept, 10000U);
        EXPECT_GT(new_pairs, steps.pairs.size() + 1000U);
        EXPECT_GT(seen.cache_begun, 1000U) << "caches must arrive";
        EXPECT_EQ(seen.unmoved_pairs > 500U, c.marks);
        EXPECT_EQ(seen.hold_tried != 0, c.hysteresis > 0);
    }
};

TEST_P(Stream, StepsAreThoseOfCompactCalls) {
    run<Manifold4>({});
    run<Manifold4>({.threads = 8});
    run<Manifold16>({.threads = 3});
}

TEST_P(Stream, WithHysteresisToo) {
    run<Manifold4>({.hysteresis = kDefaultHysteresis});
    run<Manifold16>({.order = Order::shuffled, .hysteresis = kDefaultHysteresis, .threads = 8});
}

TEST_P(Stream, MarksOfUnmovedBodiesChangeNothing) {
    run<Manifold4>({.marks = true});
    run<Manifold4>({.order = Order::shuffled, .marks = true, .threads = 8});
    run<Manifold16>({.hysteresis = kDefaultHysteresis, .marks = true});
}

TEST_P(Stream, PairsNeedNoOrder) {
    run<Manifold4>({.order = Order::shuffled});
    run<Manifold4>({.order = Order::shuffled, .threads = 8});
}

LANEFOLD_INSTANTIATE_ISA_TESTS(Stream);

// Two steps with the same marks and different options, `first` and `second`, the second with these margins.
void expect_marks_do_not_matter(const Options& first, const Options& second, std::span<const float> margins = {}) {
    Steps steps;
    steps.go_to(1, Order::ascending);
    ContactStream<Manifold4> stream;
    const auto step = [&](const Options& o, const StepInputs& inputs) {
        return stream.step(steps.scene().hulls, steps.scene().view(), steps.pairs, o, inputs);
    };
    ASSERT_TRUE(step(first, {}).status);
    const std::vector<std::uint8_t> all(steps.scene().bodies.size(), 1);
    const StepInputs marked{.pair_margins = margins, .unmoved = all};
    const StreamResult r = step(second, marked);
    ASSERT_TRUE(r.status) << r.status.what;
    EXPECT_EQ(r.counters.unmoved_pairs, 0U);
    CompactResult expected;
    const std::vector<Manifold4> plain = plain_step<Manifold4>(steps, steps.scene(), second, {}, expected, margins);
    EXPECT_TRUE(same_bytes(stream.contacts(), std::span<const Manifold4>(plain)));
    // Another step with the same options: now the marks count.
    const StreamResult again = step(second, marked);
    EXPECT_EQ(again.counters.unmoved_pairs > 0, second.method == ContactMethod::clip && margins.empty());
    EXPECT_TRUE(same_bytes(stream.contacts(), std::span<const Manifold4>(plain)));
}

TEST(ContactStream, OtherOptionsMakeMarksVoid) {
    Steps steps;
    steps.go_to(1, Order::ascending);
    Options options = steps.scene().options();
    options.hysteresis = 0;
    Options wider = options;
    wider.margin *= 2;
    expect_marks_do_not_matter(options, wider);
    Options strict = options;
    strict.face_preference = 0;
    expect_marks_do_not_matter(options, strict);
    Options patch = options;
    patch.method = ContactMethod::patch;
    expect_marks_do_not_matter(options, patch);
    const std::vector<float> margins(steps.pairs.size(), 0.05F);
    expect_marks_do_not_matter(options, options, margins);
}

TEST(ContactStream, PairsListedTwiceAreCarriedByTheFirst) {
    Steps steps;
    steps.go_to(0, Order::ascending);
    Options options = steps.scene().options();
    options.hysteresis = kDefaultHysteresis;
    ContactStream<Manifold4> stream;
    std::vector<Manifold4> previous;
    for (int step = 0; step < 3; ++step) {
        steps.go_to(step, Order::ascending);
        std::vector<Pair> twice;
        for (const Pair& p : steps.pairs) twice.insert(twice.end(), p.a % 4 == 0 ? 2 : 1, p);
        steps.pairs = twice;
        CompactResult expected;
        const std::vector<Manifold4> plain = plain_step(steps, steps.scene(), options, previous, expected);
        ASSERT_TRUE(stream.step(steps.scene().hulls, steps.scene().view(), steps.pairs, options).status);
        ASSERT_TRUE(same_bytes(stream.contacts(), std::span<const Manifold4>(plain))) << step;
        previous = plain;
    }
    EXPECT_GT(previous.size(), 1000U);
}

TEST(ContactStream, RefusedStepsLeaveItAsItWas) {
    Steps steps;
    steps.go_to(0, Order::ascending);
    Options options = steps.scene().options();
    ContactStream<Manifold4> stream;
    const auto step = [&](const Options& o, const StepInputs& inputs = {}) {
        return stream.step(steps.scene().hulls, steps.scene().view(), steps.pairs, o, inputs);
    };
    ASSERT_TRUE(step(options).status);
    const std::vector<Manifold4> first(stream.contacts().begin(), stream.contacts().end());
    Options wrong = options;
    wrong.margin = -1;
    EXPECT_EQ(step(wrong).status.code, Status::bad_argument);
    // Marks count from the second step on, and not for patches.
    wrong = options;
    wrong.method = ContactMethod::patch;
    const std::vector<std::uint8_t> marks(steps.scene().view().count + 1, 1);
    EXPECT_EQ(step(wrong, {.unmoved = marks}).status.code, Status::bad_argument);
    EXPECT_TRUE(same_bytes(stream.contacts(), std::span<const Manifold4>(first)));
    EXPECT_EQ(stream.candidates().size(), first.size());
    EXPECT_TRUE(stream.previous().empty());
    EXPECT_TRUE(stream.matches().empty());

    steps.go_to(1, Order::ascending);
    CompactResult expected;
    const std::vector<Manifold4> plain = plain_step(steps, steps.scene(), options, first, expected);
    const StreamResult r = step(options);
    EXPECT_TRUE(same_bytes(stream.contacts(), std::span<const Manifold4>(plain)));
    EXPECT_GT(r.kept, 1000U);
    EXPECT_EQ(stream.matches().size(), plain.size());

    ContactStream<Manifold4> moved = std::move(stream);
    EXPECT_EQ(moved.contacts().size(), plain.size());
    EXPECT_EQ(step(options).status.code, Status::bad_argument);  // NOLINT(bugprone-use-after-move): that is the test
    moved.reset();
    EXPECT_TRUE(moved.contacts().empty());
}

struct Questions {
    mutable int asked = 0;
};

// A stopped step has a prefix of the records. Pairs that it did not compute do not count as pairs without contact.
TEST(ContactStream, StoppedStepsAreGoneOnFrom) {
    Steps steps;
    steps.go_to(0, Order::ascending);
    Options options = steps.scene().options();
    options.hysteresis = 0;
    options.threads = 1;
    ContactStream<Manifold4> stream;
    CompactResult expected;
    const std::vector<Manifold4> plain = plain_step<Manifold4>(steps, steps.scene(), options, {}, expected);
    Questions questions;
    StepInputs stopping;
    stopping.stop =
        StopToken([](const void* count) { return ++static_cast<const Questions*>(count)->asked > 12; }, &questions);
    const StreamResult r = stream.step(steps.scene().hulls, steps.scene().view(), steps.pairs, options, stopping);
    ASSERT_EQ(r.status.code, Status::cancelled);
    ASSERT_GT(r.next_pair, 0U);
    ASSERT_LT(r.next_pair, steps.pairs.size());
    ASSERT_TRUE(same_bytes(stream.contacts(), std::span<const Manifold4>(plain).first(stream.contacts().size())));
    const std::vector<std::uint8_t> all(steps.scene().bodies.size(), 1);
    const StreamResult rest =
        stream.step(steps.scene().hulls, steps.scene().view(), steps.pairs, options, {.unmoved = all});
    ASSERT_TRUE(rest.status);
    EXPECT_GT(rest.counters.unmoved_pairs, 0U);
    EXPECT_LE(rest.counters.unmoved_pairs, r.next_pair);
    EXPECT_TRUE(same_bytes(stream.contacts(), std::span<const Manifold4>(plain)));
}

TEST(ContactStream, WithoutMatchingItCountsPairsOnly) {
    Steps steps;
    ContactStream<Manifold4> with;
    ContactStream<Manifold4> without(PointMatching::off);
    for (int step = 0; step < 3; ++step) {
        steps.go_to(step, Order::ascending);
        const BatchScene& scene = steps.scene();
        const StreamResult a = with.step(scene.hulls, scene.view(), steps.pairs, scene.options());
        const StreamResult b = without.step(scene.hulls, scene.view(), steps.pairs, scene.options());
        EXPECT_TRUE(same_bytes(with.contacts(), without.contacts()));
        EXPECT_EQ(a.kept, b.kept);
        EXPECT_EQ(a.ended, b.ended);
        EXPECT_EQ(b.points_kept, 0U);
        EXPECT_TRUE(without.matches().empty());
        EXPECT_EQ(a.points_kept > 1000U, step != 0);
    }
}

TEST(ContactStream, EmptyStepsEndAllContacts) {
    Steps steps;
    steps.go_to(0, Order::ascending);
    const Options options = steps.scene().options();
    ContactStream<Manifold4> stream;
    ASSERT_TRUE(stream.step(steps.scene().hulls, steps.scene().view(), steps.pairs, options).status);
    const std::uint64_t contacts = stream.contacts().size();
    const StreamResult r = stream.step(steps.scene().hulls, steps.scene().view(), {}, options);
    ASSERT_TRUE(r.status);
    EXPECT_EQ(r.ended, contacts);
    EXPECT_TRUE(stream.contacts().empty());
}

// The indices that a compact call gives, also where it goes on in parts.
TEST(CompactCandidates, AreThePairsOfTheRecords) {
    Steps steps;
    steps.go_to(0, Order::shuffled);
    const BatchScene& scene = steps.scene();
    for (const unsigned threads : {1U, 8U}) {
        Options options = scene.options();
        options.threads = threads;
        Workspace workspace;
        std::vector<Manifold4> out(steps.pairs.size());
        std::vector<Manifold4> plain(steps.pairs.size());
        std::vector<std::uint32_t> candidates(out.size());
        const CompactResult without =
            collide_compact(scene.hulls, scene.view(), steps.pairs, options, std::span<Manifold4>(plain), workspace);
        std::size_t written = 0;
        std::uint64_t next = 0;
        while (next < steps.pairs.size()) {
            const std::size_t room = std::min<std::size_t>(777, out.size() - written);
            const CompactResult r =
                collide_compact(scene.hulls, scene.view(), steps.pairs, options, std::span(out).subspan(written, room),
                                workspace, {}, next, std::span(candidates).subspan(written, room));
            ASSERT_TRUE(r.status || r.status.code == Status::truncated) << r.status.what;
            written += r.written;
            next = r.next_pair;
        }
        ASSERT_EQ(written, without.written);
        EXPECT_GT(written, 2000U);
        EXPECT_EQ(std::memcmp(out.data(), plain.data(), written * sizeof(Manifold4)), 0);
        for (std::size_t k = 0; k < written; ++k) {
            ASSERT_EQ(steps.pairs[candidates[k]], (Pair{out[k].pair[0], out[k].pair[1]}));
            ASSERT_TRUE(k == 0 || candidates[k] > candidates[k - 1]);
        }
        const CompactResult refused = collide_compact(scene.hulls, scene.view(), steps.pairs, options, std::span(out),
                                                      workspace, {}, 0, std::span(candidates).first(5));
        EXPECT_EQ(refused.status.code, Status::bad_argument);
        auto* inside = reinterpret_cast<std::uint32_t*>(out.data());
        const CompactResult overlapping =
            collide_compact(scene.hulls, scene.view(), steps.pairs, options, std::span(out), workspace, {}, 0,
                            std::span(inside, out.size()));
        EXPECT_EQ(overlapping.status.code, Status::bad_argument);
    }
}

}  // namespace
}  // namespace lanefold::test
