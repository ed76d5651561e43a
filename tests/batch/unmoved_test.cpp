// SPDX-License-Identifier: MIT
//
// Bodies that the caller marks as unmoved: their pairs are not computed, their records keep every bit, and the call
// gives the result of a call without marks.
#include <gtest/gtest.h>

#include <cstdio>

#include <lanefold/isa.hpp>

#include "support/coherent_scene.hpp"

namespace lanefold::test {
namespace {

// Two frames of which the second differs only in every third body.
struct Moving {
    CoherentScene coherent{make_bad_batch_scene(91, 300, 6000), 92, 0.05F, 0.05F};
    std::vector<std::uint8_t> unmoved;
    std::vector<Manifold4> before;  // dense, first frame
    std::vector<Manifold4> after;   // dense, second frame, without marks
    BatchResult result;

    Moving() {
        coherent.set_frame(0);
        before = dense_reference<Manifold4>(scene(), scene().options());
        const std::vector<Body> start = scene().bodies;
        coherent.set_frame(1);
        for (std::size_t i = 0; i < start.size(); ++i) {
            const bool moves = i % 3 == 0;
            unmoved.push_back(moves ? 0 : static_cast<std::uint8_t>(1 + i % 255));
            if (!moves) scene().bodies[i] = start[i];
        }
        after = dense_reference<Manifold4>(scene(), scene().options(), &result);
    }

    BatchScene& scene() { return coherent.scene(); }

    bool stands(const Pair& p) const {
        return p.a < unmoved.size() && p.b < unmoved.size() && p.a != p.b && unmoved[p.a] != 0 && unmoved[p.b] != 0;
    }

    Options options(Isa isa) {
        Options o = scene().options();
        o.isa = isa;
        return o;
    }
    CallInputs inputs() const { return {.unmoved = unmoved}; }
};

void expect_same_but_counters(const BatchResult& got, BatchResult expected, std::uint64_t unmoved) {
    EXPECT_EQ(got.counters.unmoved_pairs, unmoved);
    expected.counters = got.counters;
    expect_same_sums(got, expected, "sums");
}

template <class Record>
void fill(std::vector<Record>& out, const std::vector<Record>& with, int pattern) {
    out = with;
    for (Record& r : out) {
        if (pattern >= 0) std::memset(static_cast<void*>(&r), pattern, sizeof r);
    }
}

TEST(Unmoved, DenseRecordsStandAndTheCallGivesWhatItWouldWithoutMarks) {
    Moving m;
    std::uint64_t standing = 0;
    std::uint64_t reported = 0;
    for (std::size_t i = 0; i < m.scene().pairs.size(); ++i) {
        const bool stands = m.stands(m.scene().pairs[i]);
        standing += stands ? 1U : 0U;
        reported += stands && is_reported(m.before[i]) ? 1U : 0U;
    }
    std::printf("%llu of %zu pairs stand, %llu of them reported\n", static_cast<unsigned long long>(standing),
                m.scene().pairs.size(), static_cast<unsigned long long>(reported));
    EXPECT_GT(standing, 1500U);
    EXPECT_GT(reported, 500U);
    Workspace workspace;
    std::vector<Manifold4> out;
    for (const Isa isa : available_isas()) {
        fill(out, m.before, -1);
        BatchResult r = collide_serial(m.scene().hulls, m.scene().view(), m.scene().pairs, m.options(isa), out,
                                       workspace, m.inputs());
        ASSERT_TRUE(r.status) << r.status.what;
        expect_same(out, m.after, to_string(isa));
        expect_same_but_counters(r, m.result, standing);
        // The call must not touch these bytes.
        fill(out, m.before, 0xCD);
        std::vector<Manifold4> pattern = out;
        Options options = m.options(isa);
        options.threads = 3;
        r = collide(m.scene().hulls, m.scene().view(), m.scene().pairs, options, out, workspace, m.inputs());
        for (std::size_t i = 0; i < out.size(); ++i) {
            const bool stands = m.stands(m.scene().pairs[i]);
            ASSERT_TRUE(same_bits(out[i], stands ? pattern[i] : m.after[i])) << i;
        }
        EXPECT_EQ(r.counters.unmoved_pairs, standing);
    }
}

TEST(Unmoved, DistancesStand) {
    Moving m;
    Workspace workspace;
    std::vector<PairDistance> before(m.scene().pairs.size());
    std::vector<PairDistance> expected(m.scene().pairs.size());
    Options plain = m.scene().options();
    const BatchResult r = collide(m.scene().hulls, m.scene().view(), m.scene().pairs, plain, expected, workspace);
    std::memset(static_cast<void*>(before.data()), 0xCD, before.size() * sizeof before[0]);
    std::vector<PairDistance> out = expected;
    std::uint64_t standing = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (m.stands(m.scene().pairs[i])) {
            ++standing;
        } else {
            out[i] = before[i];
        }
    }
    for (const bool with_previous : {false, true}) {
        CallInputs inputs = m.inputs();
        if (with_previous) inputs.previous = PreviousContacts::dense(std::span<const Manifold4>(m.after));
        std::vector<PairDistance> now = out;
        const BatchResult d = collide(m.scene().hulls, m.scene().view(), m.scene().pairs, m.options(Isa::automatic),
                                      now, workspace, inputs);
        ASSERT_TRUE(d.status) << d.status.what;
        EXPECT_EQ(d.counters.unmoved_pairs, standing);
        EXPECT_EQ(d.touching, r.touching);
        EXPECT_EQ(d.overlapping, r.overlapping);
        expect_same(now, expected, "distances");
    }
}

TEST(Unmoved, CompactCopiesThePreviousRecords) {
    Moving m;
    const std::vector<Manifold4> previous = reported_of(m.before);
    const std::vector<Manifold4> expected = reported_of(m.after);
    Workspace workspace;
    std::vector<Manifold4> out(m.scene().pairs.size());
    for (const Isa isa : available_isas()) {
        Options options = m.options(isa);
        options.hysteresis = 0;
        CallInputs inputs = m.inputs();
        inputs.previous = PreviousContacts::compact(std::span<const Manifold4>(previous));
        const CompactResult r =
            collide_compact(m.scene().hulls, m.scene().view(), m.scene().pairs, options, out, workspace, inputs);
        ASSERT_TRUE(r.status) << r.status.what;
        std::vector<Manifold4> records(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(r.written));
        expect_same(records, expected, to_string(isa));
        expect_same_but_counters(r, m.result, r.counters.unmoved_pairs);
        EXPECT_GT(r.counters.unmoved_pairs, 1500U);
        // Too small, and resumed, with and without counting.
        for (const bool count : {true, false}) {
            options.count_required = count;
            std::vector<Manifold4> pieces;
            std::uint64_t touching = 0;
            for (std::uint64_t next = 0; next < m.scene().pairs.size();) {
                const CompactResult piece =
                    collide_compact(m.scene().hulls, m.scene().view(), m.scene().pairs, options,
                                    std::span<Manifold4>(out).first(300), workspace, inputs, next);
                pieces.insert(pieces.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(piece.written));
                if (count) {
                    EXPECT_EQ(piece.required + pieces.size() - piece.written, expected.size());
                }
                next = piece.next_pair;
                touching += piece.touching;
            }
            expect_same(pieces, expected, "resumed");
            EXPECT_EQ(touching, m.result.touching);
        }
    }
}

// Records of 16 points, and with hysteresis, which does not touch them.
TEST(Unmoved, CompactCopiesLargeRecordsToo) {
    Moving m;
    const std::vector<Body> now = m.scene().bodies;
    m.coherent.set_frame(0);
    const std::vector<Manifold16> previous = reported_of(dense_reference<Manifold16>(m.scene(), m.scene().options()));
    m.scene().bodies = now;
    std::uint64_t large = 0;
    for (const float hysteresis : {0.0F, 1e-3F}) {
        Options options = m.scene().options();
        options.hysteresis = hysteresis;
        CallInputs inputs;
        inputs.previous = PreviousContacts::compact(std::span<const Manifold16>(previous));
        Workspace workspace;
        std::vector<Manifold16> expected(m.scene().pairs.size());
        CompactResult without =
            collide_compact(m.scene().hulls, m.scene().view(), m.scene().pairs, options, expected, workspace, inputs);
        ASSERT_TRUE(without.status) << without.status.what;
        inputs.unmoved = m.unmoved;
        std::vector<Manifold16> out(m.scene().pairs.size());
        const CompactResult r =
            collide_compact(m.scene().hulls, m.scene().view(), m.scene().pairs, options, out, workspace, inputs);
        ASSERT_TRUE(r.status) << r.status.what;
        expect_same(out, expected, "records");
        expect_same_but_counters(r, without, r.counters.unmoved_pairs);
        EXPECT_GT(r.counters.unmoved_pairs, 1500U);
        for (const Manifold16& k : out) large += k.count > 4 ? 1U : 0U;
    }
    std::printf("%llu records of more than four points\n", static_cast<unsigned long long>(large));
    EXPECT_GT(large, 10U);
}

TEST(Unmoved, CancelledCallsLeaveThemAsWell) {
    Moving m;
    std::stop_source source;
    source.request_stop();
    CallInputs inputs = m.inputs();
    inputs.stop = source.get_token();
    Workspace workspace;
    std::vector<Manifold4> out = m.before;
    const BatchResult r =
        collide(m.scene().hulls, m.scene().view(), m.scene().pairs, m.options(Isa::automatic), out, workspace, inputs);
    EXPECT_EQ(r.status.code, Status::cancelled);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (m.stands(m.scene().pairs[i])) {
            ASSERT_TRUE(same_bits(out[i], m.before[i])) << i;
        } else {
            ASSERT_EQ(out[i].status, Status::cancelled) << i;
        }
    }
    std::uint64_t sum = 0;
    for (const std::uint64_t n : r.by_status) sum += n;
    EXPECT_EQ(sum, out.size());
}

TEST(Unmoved, MarksWhereNoRecordCouldStandAreRefused) {
    Moving m;
    Workspace workspace;
    std::vector<Manifold4> out(m.scene().pairs.size());
    std::vector<std::uint64_t> bits((m.scene().pairs.size() + 63) / 64);
    const Options options = m.options(Isa::automatic);
    CallInputs inputs = m.inputs();
    const HullSet& hulls = m.scene().hulls;
    EXPECT_EQ(collide_overlap(hulls, m.scene().view(), m.scene().pairs, options, bits, workspace, inputs).status.code,
              Status::bad_argument);
    EXPECT_EQ(collide_compact(hulls, m.scene().view(), m.scene().pairs, options, out, workspace, inputs).status.code,
              Status::bad_argument);
    inputs.previous = PreviousContacts::compact(std::span<const Manifold16>());
    EXPECT_EQ(collide_compact(hulls, m.scene().view(), m.scene().pairs, options, out, workspace, inputs).status.code,
              Status::bad_argument);
    inputs.previous = PreviousContacts::compact(std::span<const Manifold4>());
    EXPECT_TRUE(collide_compact(hulls, m.scene().view(), m.scene().pairs, options, out, workspace, inputs).status);
    inputs.unmoved = inputs.unmoved.first(10);
    const CallStatus s = collide(hulls, m.scene().view(), m.scene().pairs, options, out, workspace, inputs).status;
    EXPECT_EQ(s.code, Status::bad_argument);
    EXPECT_EQ(s.where, 10U);
}

TEST(CountRequired, FalseStopsEarlyAndResumesToTheSameRecords) {
    const BatchScene scene = make_batch_scene(55, 400, 30000);
    Options options = scene.options();
    BatchResult all;
    const std::vector<Manifold4> expected = reported_of(dense_reference<Manifold4>(scene, options, &all));
    options.count_required = false;
    Workspace workspace;
    std::vector<Manifold4> out(1500);
    for (const std::uint32_t threads : {1U, 4U}) {
        options.threads = threads;
        std::vector<Manifold4> records;
        std::uint64_t calls = 0;
        std::uint64_t hash = 0;
        std::uint64_t points = 0;
        CompactResult r;
        for (std::uint64_t next = 0; next < scene.pairs.size(); next = r.next_pair, ++calls) {
            r = collide_compact(scene.hulls, scene.view(), scene.pairs, options, out, workspace, {}, next);
            const bool last = r.next_pair == scene.pairs.size();
            ASSERT_EQ(r.status.code, last ? Status::ok : Status::truncated);
            ASSERT_EQ(r.required, last ? r.written : out.size() + 1);
            ASSERT_EQ(r.written, last ? r.written : out.size());
            records.insert(records.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(r.written));
            hash += r.hash;
            points += r.points;
        }
        expect_same(records, expected, "resumed");
        EXPECT_EQ(hash, all.hash);
        EXPECT_EQ(points, all.points);
        EXPECT_GT(calls, 5U);
    }
}

}  // namespace
}  // namespace lanefold::test
