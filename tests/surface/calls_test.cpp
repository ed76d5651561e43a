// SPDX-License-Identifier: MIT
//
// Surfaces in every form of a call. Their records are those of collide_surface(), whatever the form, instruction set,
// number of threads, order, split and size of the output; hulls and compounds beside them keep every bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include <oneapi/tbb/task_arena.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/hash.hpp>
#include <lanefold/isa.hpp>

#include "support/surface_scene.hpp"

namespace lanefold::test {
namespace {

// The records of each pair: alone in a call.
template <class Manifold>
std::vector<std::vector<Manifold>> alone(const SurfaceScene& s, const Options& options) {
    std::vector<std::vector<Manifold>> all;
    BatchScene one = s.scene;
    for (const Pair& pair : s.scene.pairs) {
        one.pairs.assign(1, pair);
        all.push_back(compact_call<Manifold>(one, options));
    }
    return all;
}

bool is_good(const SurfaceScene& s, const Pair& pair, const std::vector<Manifold4>& records) {
    if (pair.a >= s.scene.bodies.size() || pair.b >= s.scene.bodies.size() || pair.a == pair.b) return false;
    return records.empty() || records[0].status == Status::ok;
}

double largest(const ContactPoint& p) {
    return static_cast<double>(
        std::max({std::fabs(p.position[0]), std::fabs(p.position[1]), std::fabs(p.position[2])}));
}

void expect_near(const Manifold4& got, Manifold4 want, const SurfaceScene& s) {
    const bool first = s.is_surface(got.pair[0]);
    ASSERT_EQ(got.count, want.count);
    for (std::uint32_t k = 0; k < got.count; ++k) {
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(static_cast<double>(got.points[k].position[i]), static_cast<double>(want.points[k].position[i]),
                        3e-7 * (1 + largest(got.points[k])));
            want.points[k].position[i] = got.points[k].position[i];
        }
        if (first) want.points[k].feature = got.points[k].feature;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(got.normal[i], want.normal[i]);  // but for the sign of a zero
        want.normal[i] = got.normal[i];
    }
    EXPECT_TRUE(same_bits(got, want));
}

TEST(SurfaceCalls, RecordsAreThoseOfCollideSurface) {
    for (const bool rounded : {false, true}) {
        const SurfaceScene s = make_surface_scene(rounded ? rounded_hulls() : batch_hulls(), 701, 100, 600);
        const Options options = s.scene.options();
        const auto records = alone<Manifold4>(s, options);
        std::uint32_t exact_ones = 0, turned = 0, several = 0, never = 0;
        for (std::size_t i = 0; i < records.size(); ++i) {
            const Pair pair = s.scene.pairs[i];
            if (!is_good(s, pair, records[i]) || !s.has_surface(pair)) continue;
            const std::uint32_t other = s.scene.bodies[s.is_surface(pair.a) ? pair.b : pair.a].hull;
            const ShapeKind shape = s.scene.hulls[other].shape;
            if (shape == ShapeKind::surface || shape == ShapeKind::half_space) {
                EXPECT_TRUE(records[i].empty());
                ++never;
                continue;
            }
            bool exact = false;
            const std::vector<Manifold4> want = ground_records(s, pair, options, exact);
            ASSERT_EQ(records[i].size(), want.size()) << i;
            for (std::size_t k = 0; k < want.size(); ++k) {
                if (exact) {
                    ASSERT_TRUE(same_bits(records[i][k], want[k])) << i << " " << k;
                } else {
                    expect_near(records[i][k], want[k], s);
                }
            }
            exact_ones += exact && !want.empty() ? 1U : 0U;
            turned += !exact && !want.empty() ? 1U : 0U;
            several += want.size() > 1 ? 1U : 0U;
        }
        EXPECT_GT(exact_ones, 15U);
        EXPECT_GT(turned, 30U);
        EXPECT_GT(several, 30U);
        EXPECT_GT(never, 20U);
    }
}

TEST(SurfaceCalls, PairsWithoutSurfacesKeepEveryBit) {
    const SurfaceScene s = make_surface_scene(rounded_hulls(), 702, 120, 1500);
    BatchScene others = s.scene;
    std::erase_if(others.pairs, [&](const Pair& pair) { return s.has_surface(pair); });
    const std::vector<Manifold4> beside = compact_call<Manifold4>(others, s.scene.options());
    others.hulls = s.plain;
    const std::vector<Manifold4> without = compact_call<Manifold4>(others, s.scene.options());
    EXPECT_GT(without.size(), 200U);
    EXPECT_TRUE(same_bytes<Manifold4>(beside, without));
}

// Every form of output by the records of each pair alone.
template <class Manifold>
void expect_all_forms(const SurfaceScene& s, Options options) {
    const auto records = alone<Manifold>(s, options);
    const std::vector<Manifold> all = joined(records);
    std::uint64_t hash = 0;
    std::uint64_t points = 0;
    for (const Manifold& m : all) {
        hash += hash_record(m);
        points += m.count;
    }
    for (const Isa isa : available_isas()) {
        options.isa = isa;
        CompactResult r;
        std::vector<std::uint32_t> candidates;
        EXPECT_TRUE(same_bytes<Manifold>(compact_call<Manifold>(s.scene, options, &r, &candidates), all))
            << to_string(isa);
        EXPECT_EQ(r.hash, hash);
        EXPECT_EQ(r.points, points);
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            const Pair pair = s.scene.pairs[candidates[k]];
            ASSERT_TRUE(all[k].pair[0] == pair.a && all[k].pair[1] == pair.b) << k;
        }
        const std::vector<Manifold> dense = dense_call<Manifold>(s.scene, options);
        std::vector<Manifold> serial(s.scene.pairs.size());
        Workspace workspace;
        ASSERT_TRUE(collide_serial(s.scene.hulls, s.scene.view(), s.scene.pairs, options, serial, workspace).status);
        EXPECT_TRUE(same_bytes<Manifold>(dense, serial)) << to_string(isa);
        for (std::size_t i = 0; i < dense.size(); ++i) {
            const Manifold want = records[i].empty() ? Manifold{} : deepest(records[i]);
            ASSERT_TRUE(same_bits(dense[i], want)) << to_string(isa) << " " << i;
        }
    }
}

TEST(SurfaceCalls, EveryFormHasTheRecordsOfPairsAlone) {
    const SurfaceScene s = make_surface_scene(rounded_hulls(), 703, 80, 400);
    expect_all_forms<Manifold4>(s, s.scene.options());
    Options wide = s.scene.options();
    wide.method = ContactMethod::patch;
    wide.points = PointSelection::impact;
    expect_all_forms<Manifold16>(s, wide);
}

TEST(SurfaceCalls, WideRecordsHaveTheSameContacts) {
    const SurfaceScene s = make_surface_scene(batch_hulls(), 704, 80, 400);
    const auto narrow = compact_call<Manifold4>(s.scene, s.scene.options());
    const auto wide = compact_call<Manifold16>(s.scene, s.scene.options());
    ASSERT_EQ(narrow.size(), wide.size());
    std::uint32_t more = 0;
    for (std::size_t i = 0; i < wide.size(); ++i) {
        EXPECT_EQ(std::memcmp(&narrow[i], &wide[i], offsetof(Manifold4, count)), 0) << i;
        EXPECT_EQ(wide[i].child_a, narrow[i].child_a);
        if (wide[i].kind != ContactKind::none && s.has_surface({wide[i].pair[0], wide[i].pair[1]})) {
            EXPECT_EQ(wide[i].count, std::min<std::uint32_t>(wide[i].total, 16)) << i;
        }
        more += wide[i].count > narrow[i].count ? 1U : 0U;
    }
    EXPECT_GT(more, 5U);
}

TEST(SurfaceCalls, DistancesBitsAndSumsAreThoseOfTheRecords) {
    const SurfaceScene s = make_surface_scene(rounded_hulls(), 705, 80, 400);
    const Options options = s.scene.options();
    const auto records = alone<Manifold4>(s, options);
    BatchResult of_distances;
    const auto distances = dense_call<PairDistance>(s.scene, options, &of_distances);
    BatchResult of_dense;
    dense_call<Manifold4>(s.scene, options, &of_dense);
    CompactResult of_compact;
    compact_call<Manifold4>(s.scene, options, &of_compact);
    std::vector<std::uint64_t> bits((s.scene.pairs.size() + 63) / 64);
    Workspace workspace;
    const BatchResult of_bits = collide_overlap(s.scene.hulls, s.scene.view(), s.scene.pairs, options, bits, workspace);
    std::uint64_t touching = 0;
    std::uint64_t overlapping = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Manifold4 want = records[i].empty() ? Manifold4{} : deepest(records[i]);
        EXPECT_EQ(distances[i].kind, want.kind) << i;
        EXPECT_EQ(distances[i].status, want.status) << i;
        EXPECT_EQ(distances[i].distance, want.distance) << i;
        EXPECT_EQ(std::memcmp(distances[i].normal, want.normal, sizeof want.normal), 0) << i;
        EXPECT_EQ(distances[i].child_a, want.child_a) << i;
        EXPECT_EQ(distances[i].child_b, want.child_b) << i;
        const bool touches = want.kind != ContactKind::none;
        EXPECT_EQ(bits[i / 64] >> (i % 64) & 1U, touches ? 1U : 0U) << i;
        touching += touches ? 1U : 0U;
        overlapping += touches && want.distance < 0 ? 1U : 0U;
    }
    const BatchResult* const results[] = {&of_distances, &of_dense, &of_bits, &of_compact};
    for (const BatchResult* r : results) {
        EXPECT_EQ(r->touching, touching);
        EXPECT_EQ(r->overlapping, overlapping);
        EXPECT_EQ(std::memcmp(r->by_status, of_dense.by_status, sizeof r->by_status), 0);
        EXPECT_EQ(std::memcmp(r->by_kind, of_dense.by_kind, sizeof r->by_kind), 0);
        EXPECT_EQ(r->counters.precise_pairs, of_dense.counters.precise_pairs);
    }
    EXPECT_GT(of_dense.counters.precise_pairs, 100U);
    for (const Status status : {Status::bad_pose, Status::bad_index, Status::bad_hull})
        EXPECT_GT(of_dense.by_status[static_cast<std::size_t>(status)], 0U) << to_string(status);
}

TEST(SurfaceCalls, ShuffledAndOnThreadsTheSame) {
    const SurfaceScene s = make_surface_scene(rounded_hulls(), 706, 80, 400);
    const auto records = alone<Manifold4>(s, s.scene.options());
    BatchScene t = s.scene;
    std::vector<std::uint32_t> order(s.scene.pairs.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    BatchRandom random(707);
    random.shuffle(std::span<std::uint32_t>(order));
    std::vector<Manifold4> shuffled;
    for (std::size_t i = 0; i < order.size(); ++i) {
        t.pairs[i] = s.scene.pairs[order[i]];
        shuffled.insert(shuffled.end(), records[order[i]].begin(), records[order[i]].end());
    }
    tbb::task_arena arena(4);
    arena.execute([&] {
        for (const std::uint32_t threads : {1U, 2U, 4U}) {
            Options options = t.options();
            options.threads = threads;
            EXPECT_TRUE(same_bytes<Manifold4>(compact_call<Manifold4>(t, options), shuffled)) << threads;
        }
    });
}

TEST(SurfaceCalls, OutputsOfAnySizeHaveWholePairs) {
    const SurfaceScene s = make_surface_scene(batch_hulls(), 708, 60, 200);
    Options options = s.scene.options();
    const auto records = alone<Manifold4>(s, options);
    const std::vector<Manifold4> all = joined(records);
    Workspace workspace;
    std::uint32_t cut = 0;
    for (std::size_t capacity = 0; capacity <= all.size(); capacity += capacity < 20 ? 1 : 7) {
        options.count_required = capacity % 2 == 0;
        std::vector<Manifold4> got;
        std::uint64_t next = 0;
        std::size_t room = capacity;
        for (;;) {
            std::vector<Manifold4> out(room);
            const CompactResult r = collide_compact(s.scene.hulls, s.scene.view(), s.scene.pairs, options,
                                                    std::span<Manifold4>(out), workspace, {}, next);
            got.insert(got.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(r.written));
            const bool whole = next == 0 || !got.empty();
            EXPECT_TRUE(whole);
            next = r.next_pair;
            if (r.status) break;
            ASSERT_EQ(r.status.code, Status::truncated);
            ++cut;
            if (r.written == 0) room = std::max<std::size_t>(room + 1, records[next].size());
        }
        ASSERT_TRUE(same_bytes<Manifold4>(got, all)) << capacity;
    }
    EXPECT_GT(cut, 100U);
}

// The features of a record's point by its id.
std::optional<FeaturePair> features_of(const SurfaceScene& s, const Manifold4& m, std::uint32_t point) {
    FeatureCounts counts[2];
    for (int k = 0; k < 2; ++k) {
        const std::uint32_t hull = s.scene.bodies[m.pair[k]].hull;
        const Surface* surface = s.scene.hulls.surface(hull);
        const bool compound = s.scene.hulls.child_count(hull) != 0;
        const std::uint32_t child = k == 0 ? m.child_a : m.child_b;
        counts[k] = surface != nullptr ? surface->feature_counts()
                                       : s.plain[compound ? s.plain.child(hull, child).hull : hull].feature_counts();
    }
    return decode_feature(counts[0], counts[1], m.points[point].feature);
}

TEST(SurfaceCalls, IdsOfPointsNameTheFeaturesOfBoth) {
    const SurfaceScene s = make_surface_scene(batch_hulls(), 709, 80, 400);
    SurfaceScene t = s;
    for (Pair& pair : t.scene.pairs) std::swap(pair.a, pair.b);
    const auto given = alone<Manifold4>(s, s.scene.options());
    const auto turned = alone<Manifold4>(t, s.scene.options());
    std::uint32_t decoded = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Pair pair = s.scene.pairs[i];
        if (given[i].empty() || given[i][0].status != Status::ok || !s.has_surface(pair)) continue;
        ASSERT_EQ(given[i].size(), turned[i].size()) << i;
        for (std::size_t k = 0; k < given[i].size(); ++k) {
            ASSERT_EQ(given[i][k].count, turned[i][k].count);
            for (std::uint32_t p = 0; p < given[i][k].count; ++p) {
                const auto one = features_of(s, given[i][k], p);
                const auto other = features_of(s, turned[i][k], p);
                ASSERT_TRUE(one.has_value() && other.has_value());
                EXPECT_EQ(one->a, other->b);
                EXPECT_EQ(one->b, other->a);
                ++decoded;
            }
        }
    }
    EXPECT_GT(decoded, 200U);
}

TEST(SurfaceCalls, FinderMissesNoPairThatTouches) {
    SurfaceScene s = make_surface_scene(rounded_hulls(), 710, 150, 1);
    for (Body& body : s.scene.bodies) {
        for (float& x : body.position) x *= 4;
    }
    PairFinder finder;
    PairFinderOptions options;
    options.margin = s.scene.margin;
    const PairFinderResult found = finder.find(s.scene.hulls, s.scene.view(), options);
    ASSERT_TRUE(found.status) << found.status.what;
    std::vector<Pair> pairs(found.pairs.begin(), found.pairs.end());
    const std::size_t candidates = pairs.size();
    s.scene.pairs = pairs;
    const auto near = compact_call<Manifold4>(s.scene, s.scene.options());
    s.scene.pairs.clear();
    for (std::uint32_t a = 0; a < s.scene.bodies.size(); ++a) {
        for (std::uint32_t b = a + 1; b < s.scene.bodies.size(); ++b) s.scene.pairs.push_back({a, b});
    }
    std::vector<Manifold4> touching = compact_call<Manifold4>(s.scene, s.scene.options());
    std::erase_if(touching, [](const Manifold4& m) { return m.status != Status::ok; });
    EXPECT_TRUE(same_bytes<Manifold4>(near, touching));
    EXPECT_GT(near.size(), 100U);
    EXPECT_LT(candidates, s.scene.pairs.size() / 2);
}

}  // namespace
}  // namespace lanefold::test
