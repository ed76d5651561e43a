// SPDX-License-Identifier: MIT
//
// Matching of contact points between two frames: bodies that slide and turn keep their points, whole frames agree with
// a search of every record against every other, several records of a pair keep their children, and any bytes are safe.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <type_traits>
#include <vector>

#include <lanefold/isa.hpp>
#include <lanefold/match_contacts.hpp>

#include "support/coherent_scene.hpp"
#include "support/poses.hpp"
#include "support/two_bodies.hpp"

namespace lanefold::test {
namespace {

// The expected PointMatch, from every pair of points.
template <class M>
void expect_points(const M& previous, const M& current, const std::uint8_t* match, std::uint16_t broken) {
    for (std::uint32_t i = 0; i < M::kCapacity; ++i) {
        std::uint32_t expected = kNewPoint;
        for (std::uint32_t k = 0; i < current.count && k < previous.count; ++k) {
            if (previous.points[k].feature == current.points[i].feature) expected = k;
        }
        EXPECT_EQ(match[i], expected) << "point " << i;
    }
    for (std::uint32_t k = 0; k < 16; ++k) {
        bool gone = k < previous.count;
        for (std::uint32_t i = 0; gone && i < current.count; ++i) {
            gone = previous.points[k].feature != current.points[i].feature;
        }
        EXPECT_EQ((unsigned{broken} >> k) & 1U, gone ? 1U : 0U) << "previous point " << k;
    }
}

TEST(MatchContacts, SlidingAndTurningBoxKeepsItsCornersUntilItOverhangs) {
    // A plate of half width 3 with its top at 1, and a cube of half width 1 standing on it. While the cube's lid is
    // over the plate its four corners are the contact at any pose. When it overhangs the edge (x > 2), crossings of the
    // edges replace the two outer corners, and the two inner ones stay.
    TwoBodies two(box_points(3, 3, 1), box_points(1, 1, 1));
    two.margin(0.01F);
    Manifold4 last{};
    int frames = 0;
    int turned = 0;
    for (; frames < 50; ++frames) {
        const double x = 0.025 + 0.05 * frames;
        two.move_b(x, 0.3 * x, 1.999).turn_b(about({0, 0, 1}, x < 1 ? 0.2 * x : 0));
        const Manifold4 now = two.collide();
        ASSERT_EQ(now.count, 4);
        const PointMatch<Manifold4> m = match_contacts(last, now);
        expect_points(last, now, m.previous, m.broken);
        const auto kept = 4 - std::count(m.previous, m.previous + 4, kNewPoint);
        const bool begins = frames == 0;
        const bool overhangs_now = frames == 40;  // x = 2.025
        EXPECT_EQ(kept, begins ? 0 : overhangs_now ? 2 : 4) << "x = " << x;
        EXPECT_EQ(std::popcount(m.broken), begins ? 0 : overhangs_now ? 2 : 0) << "x = " << x;
        turned += x < 1 ? 1 : 0;
        last = now;
    }
    EXPECT_GE(turned, 15);
}

TEST(MatchContacts, AnyBytesAreSafeAndNoPointHasTwoSuccessors) {
    BatchRandom random(11);
    std::uint64_t kept = 0;
    for (int n = 0; n < 20000; ++n) {
        Manifold4 m[2];
        for (Manifold4& r : m) {
            auto* bytes = reinterpret_cast<unsigned char*>(&r);
            for (std::size_t i = 0; i < sizeof r; ++i) bytes[i] = static_cast<unsigned char>(random.next());
            for (ContactPoint& p : r.points) p.feature = random.below(4);  // many equal ids
        }
        const PointMatch<Manifold4> match = match_contacts(m[0], m[1]);
        std::uint32_t used = 0;
        const std::uint32_t count = std::min<std::uint32_t>(m[0].count, 4);
        for (std::uint32_t i = 0; i < 4; ++i) {
            if (match.previous[i] == kNewPoint) continue;
            ASSERT_LT(i, m[1].count);
            ASSERT_LT(match.previous[i], count);
            EXPECT_EQ(m[0].points[match.previous[i]].feature, m[1].points[i].feature);
            EXPECT_EQ(used >> match.previous[i] & 1U, 0U);
            used |= 1U << match.previous[i];
            ++kept;
        }
        EXPECT_EQ(match.broken, ((1U << count) - 1U) & ~used);
    }
    EXPECT_GT(kept, 20000U);
}

template <class M>
class MatchFrames : public testing::Test {};
using Capacities = testing::Types<Manifold4, Manifold16>;
TYPED_TEST_SUITE(MatchFrames, Capacities);

// The reported records of one frame on one instruction set.
template <class M>
std::vector<M> compact_frame(CoherentScene& scene, int frame, Isa isa, Workspace& workspace) {
    scene.set_frame(frame);
    Options options = scene.scene().options();
    options.isa = isa;
    std::vector<M> out(scene.scene().pairs.size());
    const CompactResult r = collide_compact(scene.scene().hulls, scene.scene().view(), scene.scene().pairs, options,
                                            std::span<M>(out), workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    out.resize(r.written);
    return out;
}

template <class M>
bool same_pair(const M& a, const M& b) {
    return a.pair[0] == b.pair[0] && a.pair[1] == b.pair[1];
}

template <class M>
void expect_frames(const std::vector<M>& previous, const std::vector<M>& current,
                   const std::vector<RecordMatch<M>>& matches, const std::vector<RecordFate>& fates) {
    for (std::size_t i = 0; i < current.size(); ++i) {
        std::uint32_t expected = kNoRecord;
        for (std::size_t k = 0; k < previous.size(); ++k) {
            if (same_pair(previous[k], current[i])) expected = static_cast<std::uint32_t>(k);
        }
        ASSERT_EQ(matches[i].record, expected);
        if (expected == kNoRecord) {
            for (const std::uint8_t p : matches[i].previous) EXPECT_EQ(p, kNewPoint);
            continue;
        }
        EXPECT_EQ(fates[expected].record, i);
        expect_points(previous[expected], current[i], matches[i].previous, fates[expected].broken);
    }
    for (std::size_t k = 0; k < previous.size(); ++k) {
        const bool stays =
            std::any_of(current.begin(), current.end(), [&](const M& m) { return same_pair(m, previous[k]); });
        EXPECT_EQ(fates[k].record != kNoRecord, stays);
        if (!stays) {
            EXPECT_EQ(fates[k].broken, (1U << previous[k].count) - 1U);
        }
        EXPECT_EQ(fates[k].reserved, 0);
    }
}

TYPED_TEST(MatchFrames, AgreeWithASearchOfAllRecords) {
    using M = TypeParam;
    CoherentScene scene(make_batch_scene(3, 60, 1500), 5, 0.02F, 0.03F);
    Workspace workspace;
    MatchResult total;
    std::uint64_t points = 0;
    for (const Isa isa : available_isas()) {
        std::vector<M> previous;
        for (int frame = 0; frame < 6; ++frame) {
            const std::vector<M> current = compact_frame<M>(scene, frame, isa, workspace);
            std::vector<RecordMatch<M>> matches(current.size());
            std::vector<RecordFate> fates(previous.size());
            const MatchResult r = match_contacts(std::span<const M>(previous), std::span<const M>(current),
                                                 std::span<RecordMatch<M>>(matches), std::span<RecordFate>(fates));
            ASSERT_TRUE(r.status) << r.status.what;
            expect_frames(previous, current, matches, fates);
            std::uint64_t now = 0;
            for (const M& m : current) now += m.count;
            EXPECT_EQ(r.begun + r.kept, current.size());
            EXPECT_EQ(r.ended + r.kept, previous.size());
            EXPECT_EQ(r.points_new + r.points_kept, now);
            EXPECT_EQ(r.points_kept + r.points_broken, points);
            // The same without fates.
            std::vector<RecordMatch<M>> again(current.size());
            const MatchResult bare = match_contacts(std::span<const M>(previous), std::span<const M>(current),
                                                    std::span<RecordMatch<M>>(again));
            EXPECT_EQ(std::memcmp(again.data(), matches.data(), again.size() * sizeof again[0]), 0);
            EXPECT_EQ(bare.points_kept, r.points_kept);
            if (frame > 0) {
                total.begun += r.begun;
                total.kept += r.kept;
                total.ended += r.ended;
                total.points_new += r.points_new;
                total.points_kept += r.points_kept;
                total.points_broken += r.points_broken;
            }
            points = now;
            previous = current;
        }
        points = 0;
    }
    std::printf("records begun %llu, kept %llu, ended %llu; points new %llu, kept %llu, broken %llu\n",
                static_cast<unsigned long long>(total.begun), static_cast<unsigned long long>(total.kept),
                static_cast<unsigned long long>(total.ended), static_cast<unsigned long long>(total.points_new),
                static_cast<unsigned long long>(total.points_kept),
                static_cast<unsigned long long>(total.points_broken));
    const std::size_t isas = available_isas().size();
    EXPECT_GT(total.begun, 20 * isas);
    EXPECT_GT(total.ended, 20 * isas);
    EXPECT_GT(total.kept, 1000 * isas);
    EXPECT_GT(total.points_new, 100 * isas);
    EXPECT_GT(total.points_broken, 100 * isas);
    EXPECT_GT(total.points_kept, total.points_broken);
}

TYPED_TEST(MatchFrames, EmptyFramesAndRepeatedPairs) {
    using M = TypeParam;
    M m{};
    m.pair[1] = 1;
    m.count = 2;
    m.points[0].feature = 7;
    m.points[1].feature = 8;
    const std::vector<M> two{m, m};
    const std::vector<M> one{m};
    std::vector<RecordMatch<M>> matches(2);
    std::vector<RecordFate> fates(2);
    const std::span<RecordMatch<M>> into(matches);

    EXPECT_TRUE(match_contacts(std::span<const M>(), std::span<const M>(), into.first(0)).status);
    MatchResult r = match_contacts(std::span<const M>(), std::span<const M>(two), into);
    EXPECT_EQ(r.begun, 2U);
    EXPECT_EQ(r.points_new, 4U);
    r = match_contacts(std::span<const M>(two), std::span<const M>(), into.first(0), std::span<RecordFate>(fates));
    EXPECT_EQ(r.ended, 2U);
    EXPECT_EQ(r.points_broken, 4U);
    EXPECT_EQ(fates[1].broken, 3U);
    // Equal pairs side by side are matched in order.
    r = match_contacts(std::span<const M>(two), std::span<const M>(one), into.first(1), std::span<RecordFate>(fates));
    EXPECT_EQ(r.kept, 1U);
    EXPECT_EQ(r.ended, 1U);
    EXPECT_EQ(matches[0].record, 0U);
    EXPECT_EQ(fates[0].record, 0U);
    EXPECT_EQ(fates[1].record, kNoRecord);
}

// Two children of equal hulls have equal ids, and a surface's deepest normal changes: records are matched by children
// and normals, not by their places.
TYPED_TEST(MatchFrames, RecordsOfAPairAreMatchedByChildrenAndNormals) {
    using M = TypeParam;
    const auto record = [](std::uint32_t child, std::size_t axis) {
        M m{};
        m.pair[1] = 1;
        m.child_a = child;
        m.normal[axis] = 1;
        m.count = 1;
        m.points[0].feature = 7;
        return m;
    };
    const auto matched = [](const std::vector<M>& before, const std::vector<M>& now, std::uint64_t kept) {
        std::vector<RecordMatch<M>> matches(now.size());
        std::vector<RecordFate> fates(before.size());
        const MatchResult r = match_contacts(std::span<const M>(before), std::span<const M>(now),
                                             std::span<RecordMatch<M>>(matches), std::span<RecordFate>(fates));
        EXPECT_TRUE(r.status) << r.status.what;
        EXPECT_EQ(r.kept, kept);
        EXPECT_EQ(r.begun + r.kept, now.size());
        EXPECT_EQ(r.ended + r.kept, before.size());
        EXPECT_EQ(r.points_kept, kept);
        std::vector<std::uint32_t> of;
        for (std::size_t i = 0; i < now.size(); ++i) {
            of.push_back(matches[i].record);
            if (matches[i].record == kNoRecord) continue;
            EXPECT_EQ(fates[matches[i].record].record, i);
        }
        return of;
    };
    using Records = std::vector<std::uint32_t>;
    const M first = record(0, 1);
    const M second = record(1, 1);
    EXPECT_EQ(matched({first, second}, {second}, 1), Records({1}));
    EXPECT_EQ(matched({second}, {first, second}, 1), Records({kNoRecord, 0}));
    EXPECT_EQ(matched({first}, {second}, 0), Records({kNoRecord}));
    const M floor = record(0, 1);
    const M wall = record(0, 0);
    EXPECT_EQ(matched({floor, wall}, {wall, floor}, 2), Records({1, 0}));
    // The pair is listed twice.
    EXPECT_EQ(matched({first, second, first, second}, {first, second, first, second}, 4), Records({0, 1, 2, 3}));
}

TYPED_TEST(MatchFrames, DisorderAndWrongLengthsAreRefusedWithThePlace) {
    using M = TypeParam;
    std::vector<M> sorted(4);
    for (std::uint32_t i = 0; i < 4; ++i) sorted[i].pair[1] = i;
    std::vector<M> disordered = sorted;
    std::swap(disordered[1], disordered[2]);
    std::vector<RecordMatch<M>> matches(4);
    std::vector<RecordFate> fates(4);
    const std::span<const M> good(sorted);
    const std::span<const M> bad(disordered);
    const std::span<RecordMatch<M>> into(matches);
    MatchResult r = match_contacts(good, bad, into, std::span<RecordFate>(fates));
    EXPECT_EQ(r.status.code, Status::bad_argument);
    EXPECT_EQ(r.status.where, 2U);
    EXPECT_STREQ(r.status.what, "current does not ascend by pair");
    r = match_contacts(bad, good, into);
    EXPECT_EQ(r.status.where, 2U);
    EXPECT_STREQ(r.status.what, "previous does not ascend by pair");
    r = match_contacts(good, good, into.first(3));
    EXPECT_EQ(r.status.code, Status::bad_argument);
    r = match_contacts(good, good, into, std::span<RecordFate>(fates).first(3));
    EXPECT_EQ(r.status.code, Status::bad_argument);
    EXPECT_EQ(r.kept, 0U);
}

}  // namespace
}  // namespace lanefold::test
