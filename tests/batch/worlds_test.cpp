// SPDX-License-Identifier: MIT
//
// Many worlds in one call: records and results of each are those of a call of its own, byte for byte, with any room,
// mask, number of threads and worlds around it; and bad ranges are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include <tbb/task_arena.h>

#include "support/batch_scene.hpp"
#include "support/batch_threads.hpp"
#include "support/compound_scene.hpp"
#include "support/surface_scene.hpp"

namespace lanefold::test {
namespace {

// Worlds of random sizes: many of a few pairs, some of none, some of some hundred, two of many thousand.
struct WorldScene {
    BatchScene scene;
    std::vector<std::uint64_t> pairs{0};
    std::vector<std::uint64_t> bodies{3};
    std::vector<std::uint8_t> active;

    std::size_t worlds() const { return pairs.size() - 1; }
    std::span<const Pair> of(std::size_t w) const {
        return std::span<const Pair>(scene.pairs).subspan(pairs[w], pairs[w + 1] - pairs[w]);
    }
};

constexpr std::uint32_t kShared = 5;  // three before the bodies of all worlds, two behind

WorldScene make_scene(std::uint64_t seed) {
    WorldScene s;
    BatchRandom random(seed);
    std::vector<std::uint32_t> sizes;
    for (int w = 0; w < 150; ++w) {
        const std::uint32_t kind = random.below(10);
        sizes.push_back(kind == 0 ? 0 : kind < 8 ? random.below(60) : random.below(700));
    }
    sizes[30] = 20000;
    sizes[77] = 1500;
    sizes[149] = 17000;
    const std::uint32_t bodies = 8 * 150 + kShared;
    s.scene = make_bad_batch_scene(seed, bodies, 1);
    s.scene.pairs.clear();
    for (std::uint32_t w = 0; w < 150; ++w) {
        s.bodies.push_back(s.bodies.back() + 8);
        for (std::uint32_t i = 0; i < sizes[w]; ++i) {
            const auto pick = [&] {
                const std::uint32_t k = random.below(8 + kShared);
                if (k < 8) return static_cast<std::uint32_t>(s.bodies[w]) + k;
                return k < 11 ? k - 8 : bodies - 13 + k;
            };
            s.scene.pairs.push_back({pick(), random.below(50) == 0 ? bodies + 7 : pick()});
        }
        s.pairs.push_back(s.scene.pairs.size());
        s.active.push_back(random.below(4) != 0 ? 1 : 0);
    }
    return s;
}

const WorldScene& worlds() {
    static const WorldScene instance = make_scene(51);
    return instance;
}

// The same kind of scene with compounds: a third of the bodies.
const WorldScene& compound_worlds() {
    static const WorldScene instance = [] {
        WorldScene s = make_scene(52);
        const auto plain = static_cast<std::uint32_t>(s.scene.hulls.size());
        s.scene.hulls = with_compounds(s.scene.hulls, 3, 12, 6);
        BatchRandom random(9);
        for (Body& body : s.scene.bodies) {
            if (random.below(3) == 0 && body.hull != 0xFFFFFFFFU) body.hull = plain + random.below(12);
        }
        return s;
    }();
    return instance;
}

// One with surfaces of triangles, a tenth of the bodies, beside compounds.
const WorldScene& ground_worlds() {
    static const WorldScene instance = [] {
        WorldScene s = compound_worlds();
        const auto first = static_cast<std::uint32_t>(s.scene.hulls.size());
        const Surface surfaces[] = {rough_ground(8, 0.25F, 0.1F, 4), rough_ground(1, 6, 0, 5)};
        s.scene.hulls = s.scene.hulls.append(surface_set(surfaces).hulls);
        BatchRandom random(11);
        for (Body& body : s.scene.bodies) {
            if (random.below(10) == 0 && body.hull != 0xFFFFFFFFU) body.hull = first + random.below(2);
        }
        return s;
    }();
    return instance;
}

// The bodies of world w alone, and its pairs among them.
struct Alone {
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
};

Alone alone(const WorldScene& s, std::size_t w) {
    Alone a;
    const auto first = static_cast<std::uint32_t>(s.bodies[w]);
    const auto end = static_cast<std::uint32_t>(s.scene.bodies.size());
    const auto body = [&](std::uint32_t i) { a.bodies.push_back(s.scene.bodies[i]); };
    for (std::uint32_t i = first; i < first + 8; ++i) body(i);
    for (std::uint32_t i = 0; i < 3; ++i) body(i);
    for (std::uint32_t i = end - 2; i < end; ++i) body(i);
    const auto index = [&](std::uint32_t i) {
        if (i >= first && i < first + 8) return i - first;
        if (i < 3) return 8 + i;
        return 11 + (i - (end - 2));
    };
    for (const Pair& p : s.of(w)) a.pairs.push_back({index(p.a), index(p.b)});
    return a;
}

template <class Record>
void expect_world(const Record* got, const WorldResult& result, const Record* expected, const CompactResult& r,
                  std::uint64_t first_pair, std::size_t w) {
    EXPECT_EQ(result.status, r.status.code) << w;
    EXPECT_EQ(result.written, r.written) << w;
    EXPECT_EQ(result.required, r.required) << w;
    EXPECT_EQ(result.next_pair, first_pair + r.next_pair) << w;
    EXPECT_EQ(result.touching, r.touching) << w;
    EXPECT_EQ(result.overlapping, r.overlapping) << w;
    EXPECT_EQ(result.points, r.points) << w;
    EXPECT_EQ(result.hash, r.hash) << w;
    for (std::size_t i = 0; i < kStatusCount; ++i) EXPECT_EQ(result.by_status[i], r.by_status[i]) << w << " " << i;
    for (std::size_t i = 0; i < kContactKindCount; ++i) EXPECT_EQ(result.by_kind[i], r.by_kind[i]) << w << " " << i;
    bool any = false;
    float deepest = 0;
    for (std::uint64_t k = 0; k < r.written; ++k) {
        ASSERT_TRUE(same_bits(got[k], expected[k])) << "world " << w << ", record " << k;
        if (expected[k].kind == ContactKind::none) continue;
        deepest = any ? std::min(deepest, expected[k].distance) : expected[k].distance;
        any = true;
    }
    EXPECT_EQ(result.deepest, deepest) << w;
}

// Worlds with so many records of room for each of their pairs, beside calls of their own.
template <class Record>
void expect_worlds(std::uint32_t threads, double room, bool mask, bool rename, const WorldScene& s = worlds()) {
    std::vector<std::uint64_t> records{5};
    for (std::size_t w = 0; w < s.worlds(); ++w)
        records.push_back(records.back() + static_cast<std::uint64_t>(room * static_cast<double>(s.of(w).size())));
    std::vector<Record> out(records.back() + 9);
    std::memset(static_cast<void*>(out.data()), 0xEE, out.size() * sizeof(Record));
    const Record guard = out.front();
    std::vector<std::uint32_t> candidates(out.size(), 0xEEEEEEEEU);
    std::vector<WorldResult> results(s.worlds());
    Options options = s.scene.options();
    options.threads = threads;
    WorldRanges ranges{s.pairs, records, {}, {}};
    if (mask) ranges.active = s.active;
    if (rename) ranges.bodies = s.bodies;
    Workspace workspace;
    tbb::task_arena arena(8);
    WorldsResult all;
    arena.execute([&] {
        all = collide_worlds<Record>(s.scene.hulls, s.scene.view(), s.scene.pairs, ranges, options, out, results,
                                     workspace, {}, candidates);
    });
    std::uint64_t truncated = 0;
    std::uint64_t written = 0;
    Workspace own;
    for (std::size_t w = 0; w < s.worlds(); ++w) {
        if (mask && s.active[w] == 0) {
            EXPECT_EQ(results[w].next_pair, s.pairs[w]);
            EXPECT_EQ(results[w].required + results[w].by_status[0] + results[w].touching, 0U);
            for (std::uint64_t k = records[w]; k < records[w + 1]; ++k) ASSERT_TRUE(same_bits(out[k], guard)) << w;
            continue;
        }
        std::vector<Record> expected(records[w + 1] - records[w]);
        std::vector<std::uint32_t> pair(expected.size());
        CompactResult r;
        if (rename) {
            const Alone a = alone(s, w);
            r = collide_compact<Record>(s.scene.hulls, a.bodies, a.pairs, s.scene.options(), expected, own, {}, 0,
                                        pair);
        } else {
            r = collide_compact<Record>(s.scene.hulls, s.scene.view(), s.of(w), s.scene.options(), expected, own, {}, 0,
                                        pair);
        }
        expect_world(out.data() + records[w], results[w], expected.data(), r, s.pairs[w], w);
        for (std::uint64_t k = 0; k < r.written; ++k) ASSERT_EQ(candidates[records[w] + k], s.pairs[w] + pair[k]);
        for (std::uint64_t k = records[w] + r.written; k < records[w + 1]; ++k)
            ASSERT_TRUE(same_bits(out[k], guard)) << "behind the records of world " << w;
        truncated += r.status.code == Status::truncated ? 1U : 0U;
        written += r.written;
        if (r.status.code == Status::truncated && truncated == 1) {
            EXPECT_EQ(all.status.where, w);
        }
    }
    EXPECT_EQ(all.status.code, truncated == 0 ? Status::ok : Status::truncated) << all.status.what;
    EXPECT_EQ(all.truncated, truncated);
    EXPECT_EQ(all.written, written);
    EXPECT_GT(written, 5000U);
    EXPECT_GE(truncated, room < 0.5 ? 50U : 0U);
}

TEST(BatchWorlds, EveryWorldIsThatOfACallOfItsOwn) {
    for (const std::uint32_t threads : {1U, 2U, 8U}) {
        for (const double room : {1.0, 0.3}) {
            for (const bool mask : {false, true}) {
                expect_worlds<Manifold4>(threads, room, mask, false);
                expect_worlds<Manifold4>(threads, room, mask, true);
            }
        }
    }
    expect_worlds<Manifold16>(8, 0.3, true, true);
    expect_worlds<Manifold16>(1, 1.0, false, false);
    expect_worlds<PairDistance>(8, 0.3, true, true);
    expect_worlds<PairDistance>(1, 1.0, false, false);
}

TEST(BatchWorlds, WorldsOfCompoundsAreThoseOfCallsOfTheirOwn) {
    const WorldScene& s = compound_worlds();
    std::uint64_t several = 0;
    for (const Pair& p : s.scene.pairs) several += has_compound(s.scene, p) ? 1U : 0U;
    EXPECT_GT(several, s.scene.pairs.size() / 3);
    for (const std::uint32_t threads : {1U, 8U}) {
        for (const double room : {4.0, 1.0, 0.3}) {
            expect_worlds<Manifold4>(threads, room, threads == 1, false, s);
            expect_worlds<Manifold4>(threads, room, false, true, s);
        }
    }
    expect_worlds<Manifold16>(8, 0.5, true, true, s);
    expect_worlds<PairDistance>(8, 0.5, true, true, s);
}

TEST(BatchWorlds, WorldsWithSurfacesAreThoseOfCallsOfTheirOwn) {
    expect_worlds<Manifold4>(8, 1.5, false, true, ground_worlds());
    expect_worlds<Manifold4>(1, 0.3, true, false, ground_worlds());
}

// More records of a chunk than wait for their place: the others are computed again.
TEST(BatchWorlds, CompoundsOfManyChildrenHaveAllTheirRecords) {
    WorldScene s = make_scene(53);
    const auto plain = static_cast<std::uint32_t>(s.scene.hulls.size());
    std::vector<CompoundChild> children(24);
    BatchRandom random(10);
    for (CompoundChild& child : children) {
        child.hull = random.below(plain);
        for (double& x : child.position) x = static_cast<double>(random.uniform(-0.2F, 0.2F));
    }
    s.scene.hulls = build_compound(s.scene.hulls, children).hulls;
    for (std::size_t i = 0; i < s.scene.bodies.size(); i += 2) s.scene.bodies[i].hull = plain;
    s.pairs = {0, 100, 400};
    s.scene.pairs.resize(400);
    const std::vector<std::uint64_t> records{0, 40000, 200000};
    std::vector<Manifold4> out(200000), expected(160000);
    std::vector<WorldResult> results(2);
    Workspace workspace;
    const WorldsResult all =
        collide_worlds_serial<Manifold4>(s.scene.hulls, s.scene.view(), s.scene.pairs, WorldRanges{s.pairs, records},
                                         s.scene.options(), out, results, workspace);
    ASSERT_TRUE(all.status) << all.status.what;
    EXPECT_GT(all.written, 20000U);
    for (std::size_t w = 0; w < 2; ++w) {
        const CompactResult r = collide_compact_serial<Manifold4>(s.scene.hulls, s.scene.view(), s.of(w),
                                                                  s.scene.options(), expected, workspace);
        expect_world(out.data() + records[w], results[w], expected.data(), r, s.pairs[w], w);
    }
}

TEST(BatchWorlds, OneWorldSpoilsNoOther) {
    WorldScene s = worlds();
    std::vector<Manifold4> before(s.scene.pairs.size());
    std::vector<Manifold4> after(s.scene.pairs.size());
    std::vector<WorldResult> first(s.worlds());
    std::vector<WorldResult> then(s.worlds());
    const WorldRanges ranges{s.pairs, s.pairs, {}, {}};
    Workspace workspace;
    EXPECT_TRUE(collide_worlds<Manifold4>(s.scene.hulls, s.scene.view(), s.scene.pairs, ranges, s.scene.options(),
                                          before, first, workspace)
                    .status);
    constexpr std::size_t kPoisoned = 41;
    for (std::uint64_t i = s.bodies[kPoisoned]; i < s.bodies[kPoisoned + 1]; ++i)
        s.scene.bodies[i].position[0] = std::nanf("");
    EXPECT_TRUE(collide_worlds<Manifold4>(s.scene.hulls, s.scene.view(), s.scene.pairs, ranges, s.scene.options(),
                                          after, then, workspace)
                    .status);
    std::size_t compared = 0;
    for (std::size_t w = 0; w < s.worlds(); ++w) {
        if (w == kPoisoned) continue;
        EXPECT_EQ(std::memcmp(&first[w], &then[w], sizeof(WorldResult)), 0) << w;
        compared += first[w].written;
        EXPECT_EQ(
            std::memcmp(before.data() + s.pairs[w], after.data() + s.pairs[w], first[w].written * sizeof(Manifold4)),
            0);
    }
    EXPECT_GT(compared, 5000U);
    EXPECT_GT(then[kPoisoned].by_status[static_cast<std::size_t>(Status::bad_pose)], 0U);
}

TEST(BatchWorlds, AStoppedCallLeavesWholeWorldsAndSaysWhere) {
    const WorldScene& s = worlds();
    std::vector<Manifold4> out(s.scene.pairs.size());
    std::vector<WorldResult> results(s.worlds());
    const WorldRanges ranges{s.pairs, s.pairs, {}, {}};
    Workspace workspace;
    for (const int after : {0, 1, 5, 30}) {
        struct Questions {
            mutable int left;
        };
        const Questions questions{after};
        CallInputs inputs;
        inputs.stop = StopToken([](const void* context) { return static_cast<const Questions*>(context)->left-- <= 0; },
                                &questions);
        const WorldsResult r = collide_worlds_serial<Manifold4>(s.scene.hulls, s.scene.view(), s.scene.pairs, ranges,
                                                                s.scene.options(), out, results, workspace, inputs);
        EXPECT_EQ(r.status.code, Status::cancelled);
        std::uint64_t left = ~std::uint64_t{0};
        for (std::size_t w = 0; w < s.worlds(); ++w) {
            if (results[w].status != Status::cancelled) continue;
            left = results[w].next_pair;
            break;
        }
        EXPECT_EQ(r.status.where, left);
        EXPECT_EQ(r.pairs, left);
        std::uint64_t records = 0;
        for (const WorldResult& w : results) records += w.written;
        EXPECT_EQ(r.written, records);
    }
}

CallStatus call(const WorldRanges& ranges, std::size_t results, std::size_t out) {
    static std::vector<Manifold4> memory(worlds().scene.pairs.size());
    std::vector<WorldResult> all(results);
    Workspace workspace;
    return collide_worlds<Manifold4>(worlds().scene.hulls, worlds().scene.view(), worlds().scene.pairs, ranges,
                                     worlds().scene.options(), std::span(memory).first(out), all, workspace)
        .status;
}

void expect_refused(const CallStatus& status, const char* what, std::uint64_t where) {
    EXPECT_EQ(status.code, Status::bad_argument);
    EXPECT_STREQ(status.what, what);
    EXPECT_EQ(status.where, where);
}

TEST(BatchWorlds, BadRangesAreRefused) {
    const WorldScene& s = worlds();
    const std::size_t n = s.worlds();
    const std::size_t all = s.scene.pairs.size();
    const WorldRanges good{s.pairs, s.pairs, s.bodies, s.active};
    EXPECT_TRUE(call(good, n, all));
    expect_refused(call(good, n - 1, all), "worlds.pairs needs one number more than results", n + 1);
    expect_refused(call(good, n, all - 1), "worlds.records ends behind out", all);
    std::vector<std::uint64_t> bad = s.pairs;
    bad[40] = bad[39] - 1;
    WorldRanges ranges = good;
    ranges.pairs = bad;
    expect_refused(call(ranges, n, all), "worlds.pairs does not ascend", 40);
    ranges = good;
    ranges.records = bad;
    expect_refused(call(ranges, n, all), "worlds.records does not ascend", 40);
    ranges = good;
    ranges.records = ranges.records.first(7);
    expect_refused(call(ranges, n, all), "worlds.records needs one number more than results", 7);
    bad = s.pairs;
    bad.back() = all + 1;
    ranges = good;
    ranges.pairs = bad;
    expect_refused(call(ranges, n, all), "worlds.pairs ends behind the pairs", all + 1);
    bad = s.bodies;
    bad.back() = s.scene.bodies.size() + 1;
    ranges = good;
    ranges.bodies = bad;
    expect_refused(call(ranges, n, all), "worlds.bodies ends behind the bodies", bad.back());
    ranges = good;
    ranges.active = ranges.active.first(3);
    expect_refused(call(ranges, n, all), "worlds.active needs one byte for each of the results, or none", 3);
    // Bodies 8 and 9 change their world, so the first pair of world 0 with one of them has a strange body.
    bad = s.bodies;
    bad[1] -= 2;
    ranges = good;
    ranges.active = {};
    ranges.bodies = bad;
    const auto strange = [&](std::uint32_t i) { return i >= bad[1] && i < bad[2]; };
    std::uint64_t where = 0;
    while (!strange(s.scene.pairs[where].a) && !strange(s.scene.pairs[where].b)) ++where;
    ASSERT_LT(where, s.pairs[1]);
    expect_refused(call(ranges, n, all), "pairs: a body of another world", where);
}

}  // namespace
}  // namespace lanefold::test
