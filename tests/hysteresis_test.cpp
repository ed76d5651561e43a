// SPDX-License-Identifier: MIT
//
// Hysteresis: previous contacts keep their features while these are nearly as good as the best. It must pay (less
// flicker), must not cost (distance and classification to the last bit, manifolds within the stated band), and must
// be a function of the pair and its previous record alone, whatever bytes that record has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <lanefold/isa.hpp>

#include "coherent_scene.hpp"
#include "flicker.hpp"
#include "support/poses.hpp"
#include "support/question.hpp"
#include "support/stored_scene.hpp"

namespace lanefold::test {
namespace {

// A scene whose bodies tremble about a start: by `reach` in position and `angle` radians in orientation, each body in
// a rhythm of its own. What rests on something keeps resting on it.
class Trembling {
public:
    Trembling(std::vector<Body> bodies, std::vector<Pair> pairs, double reach, double angle, std::uint64_t seed)
        : start_{std::move(bodies), std::move(pairs)}, reach_(reach), angle_(angle) {
        Random random(seed);
        for (std::size_t i = 0; i < start_.bodies.size(); ++i) {
            rhythms_.push_back({random.direction(), random.direction(), random.uniform(0.2, 1.0),
                                random.uniform(0.2, 1.0), random.uniform(0, 6)});
        }
        std::sort(start_.pairs.begin(), start_.pairs.end());
    }

    void operator()(int frame, Frame& out) const {
        out = start_;
        for (std::size_t i = 0; i < out.bodies.size(); ++i) {
            const Rhythm& r = rhythms_[i];
            Body& body = out.bodies[i];
            const double s = reach_ * std::sin(r.pace * frame + r.phase);
            body.position[0] += static_cast<float>(r.way.x * s);
            body.position[1] += static_cast<float>(r.way.y * s);
            body.position[2] += static_cast<float>(r.way.z * s);
            const float axis[3] = {static_cast<float>(r.axis.x), static_cast<float>(r.axis.y),
                                   static_cast<float>(r.axis.z)};
            CoherentScene::turn(axis, static_cast<float>(angle_ * std::sin(r.spin * frame + 2 * r.phase)),
                                start_.bodies[i].orientation, body.orientation);
        }
    }

private:
    struct Rhythm {
        Vec3d way;
        Vec3d axis;
        double pace;
        double spin;
        double phase;
    };

    Frame start_;
    double reach_;
    double angle_;
    std::vector<Rhythm> rhythms_;
};

struct Scenario {
    const char* name;
    Library library;
    Frames frames;
    Options options;
};

// 40 stacks of 6 boxes, all tilted by 0.2 degrees, each box sunk by a thousandth into the one below.
Scenario tilted_stacks() {
    Scenario s;
    s.name = "tilted stacks of boxes";
    const Points lists[] = {box_points(0.5, 0.5, 0.25), box_points(0.4, 0.45, 0.25)};
    s.library = build_library(lists);
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    const Quat tilt = about({0.6, 0.8, 0}, 0.0035);
    Random random(3);
    for (std::uint32_t stack = 0; stack < 40; ++stack) {
        for (std::uint32_t level = 0; level < 6; ++level) {
            Body b{};
            const Vec3d up =
                rotation(tilt) * Vec3d{random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), 0.499 * level};
            b.position[0] = static_cast<float>(up.x + 3 * stack);
            b.position[1] = static_cast<float>(up.y);
            b.position[2] = static_cast<float>(up.z);
            b.hull = level % 2;
            set_orientation(b, tilt * about({0, 0, 1}, random.uniform(-0.3, 0.3)));
            if (level > 0) pairs.push_back({6 * stack + level - 1, 6 * stack + level});
            bodies.push_back(b);
        }
    }
    s.frames = Trembling(bodies, pairs, 1e-4, 5e-4, 17);
    s.options.margin = 0.01F;
    return s;
}

// Cylinders that stand on a plate. Their lids are bent: the rim's points lie up to 2e-4 above the plane, so that the
// hull cuts each lid into facets of which any two neighbours are nearly coplanar.
Scenario bent_lids() {
    Scenario s;
    s.name = "cylinders with bent lids";
    std::vector<Points> lists{box_points(40, 40, 0.5)};
    Random random(9);
    for (int n = 0; n < 8; ++n) {
        Points points = prism_points(static_cast<std::uint32_t>(10 + 2 * n), 0.5, 0.5);
        for (Vec3f& p : points) p.z += static_cast<float>(random.uniform(-1e-4, 1e-4));
        lists.push_back(points);
    }
    s.library = build_library(lists);
    std::vector<Body> bodies(1);
    bodies[0].position[2] = -0.5F;
    set_orientation(bodies[0], Quat{});
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < 200; ++i) {
        Body b{};
        b.position[0] = static_cast<float>(i % 20) * 2.5F - 24.0F;
        b.position[1] = static_cast<float>(i / 20) * 2.5F - 12.0F;
        b.position[2] = 0.4998F;
        b.hull = 1 + i % 8;
        set_orientation(b, about({0, 0, 1}, random.uniform(0, 3)));
        bodies.push_back(b);
        pairs.push_back({0, i + 1});
    }
    s.frames = Trembling(bodies, pairs, 1e-4, 4e-4, 18);
    s.options.margin = 0.01F;
    return s;
}

Scenario trembling_pile(const char* name, const char* folder) {
    Scenario s;
    s.name = name;
    StoredScene scene = read_stored_scene(std::string(LANEFOLD_TEST_DATA) + "/scenes/" + folder);
    s.library = std::move(scene.library);
    s.frames = Trembling(scene.bodies, scene.pairs, 1e-4, 5e-4, 19);
    s.options.margin = 0.02F;
    return s;
}

// Bodies through and through each other, drifting: the hardest choices.
Scenario drifting_crowd() {
    Scenario s;
    s.name = "drifting crowd";
    s.library = random_library(5, 40, small_shapes(), 0.5, 1.5);
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    Random random(21);
    for (std::uint32_t i = 0; i < 150; ++i) {
        Body b{};
        b.hull = random.index(40);
        const Quat q = random.rotation();
        set_orientation(b, q);
        const Vec3d x = random.in_ball() * 3.0 - rotation(q) * centre_of(s.library.oracle[b.hull]);
        b.position[0] = static_cast<float>(x.x);
        b.position[1] = static_cast<float>(x.y);
        b.position[2] = static_cast<float>(x.z);
        bodies.push_back(b);
        for (std::uint32_t k = 0; k < i; ++k) pairs.push_back({k, i});
    }
    s.frames = Trembling(bodies, pairs, 2e-2, 2e-2, 22);
    s.options.margin = 0.05F;
    return s;
}

void judge_frame(const Scenario& s, const Frame& frame, float hysteresis, const std::vector<Manifold4>& records,
                 Coverage& coverage) {
    for (const Manifold4& m : records) {
        const Body& a = frame.bodies[m.pair[0]];
        const Body& b = frame.bodies[m.pair[1]];
        Question q = question_of(s.library, a, b, {m.pair[0], m.pair[1]}, s.options);
        q.hysteresis = hysteresis;
        ASSERT_EQ(check_manifold(q, m, coverage), "") << s.name << ", pair " << m.pair[0] << ", " << m.pair[1];
    }
}

void expect_same_distances(const std::vector<Manifold4>& with, const std::vector<Manifold4>& without) {
    ASSERT_EQ(with.size(), without.size());
    for (std::size_t i = 0; i < with.size(); ++i) {
        ASSERT_EQ(with[i].pair[0], without[i].pair[0]);
        ASSERT_EQ(with[i].pair[1], without[i].pair[1]);
        ASSERT_EQ(std::memcmp(&with[i].distance, &without[i].distance, sizeof(float)), 0);
        ASSERT_EQ(with[i].status, without[i].status);
    }
}

// Flicker with and without over the same frames, every record judged by the oracle in some of them.
struct Comparison {
    Flicker without;
    Flicker with;
};

Comparison compare(const Scenario& s, int frames, int judge_every) {
    Comparison c;
    std::vector<std::vector<Manifold4>> plain;
    c.without = run_frames<Manifold4>(s.library.hulls, s.frames, frames, s.options, 0.0F,
                                      [&](const Frame&, const auto&, const auto& now) { plain.push_back(now); });
    Coverage coverage;
    int n = 0;
    c.with = run_frames<Manifold4>(s.library.hulls, s.frames, frames, s.options, kDefaultHysteresis,
                                   [&](const Frame& frame, const auto&, const auto& now) {
                                       expect_same_distances(now, plain[static_cast<std::size_t>(n)]);
                                       if (n % judge_every == judge_every - 1) {
                                           judge_frame(s, frame, kDefaultHysteresis, now, coverage);
                                       }
                                       ++n;
                                   });
    print(s.name, 0.0F, c.without);
    print(s.name, kDefaultHysteresis, c.with);
    std::printf("  judged: %s\n", coverage.summary().c_str());
    EXPECT_GT(coverage.pairs, 100U);
    EXPECT_EQ(coverage.violations, 0U);
    EXPECT_EQ(c.without.tried, 0U);
    EXPECT_GT(c.with.held, 0U);
    return c;
}

TEST(Hysteresis, TiltedStacksKeepTheirFaces) {
    const Comparison c = compare(tilted_stacks(), 60, 10);
    EXPECT_GT(c.without.pairs, 10000U);
    EXPECT_GT(c.without.pair_share(), 0.05);
    EXPECT_EQ(c.with.pairs_changed, 0U);
    EXPECT_LT(c.with.point_share(), 0.1 * c.without.point_share());
}

TEST(Hysteresis, BentLidsKeepTheirFacets) {
    const Comparison c = compare(bent_lids(), 60, 10);
    EXPECT_GT(c.without.pairs, 10000U);
    EXPECT_GT(c.without.pair_share(), 0.2);
    EXPECT_GT(c.without.point_share(), 0.1);
    EXPECT_EQ(c.with.pairs_changed, 0U);
    EXPECT_EQ(c.with.points_new, 0U);
}

TEST(Hysteresis, TremblingPilesFlickerLess) {
    for (const char* folder : {"boxes_pile", "debris_pile"}) {
        const Comparison c = compare(trembling_pile(folder, folder), 12, 6);
        EXPECT_GT(c.without.pairs, 50000U);
        EXPECT_GT(c.without.pairs_changed, 100U);
        EXPECT_LT(c.with.pair_share(), 0.2 * c.without.pair_share());
        EXPECT_LT(c.with.point_share(), 0.4 * c.without.point_share());
    }
}

TEST(Hysteresis, DriftingCrowdFlickersLess) {
    const Comparison c = compare(drifting_crowd(), 30, 10);
    EXPECT_GT(c.without.pairs, 10000U);
    EXPECT_LT(c.with.pair_share(), 0.8 * c.without.pair_share());
    EXPECT_LT(c.with.point_share(), 0.9 * c.without.point_share());
}

// Two frames of the crowd: the second, and what the first reported as its previous records.
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
        options.previous = from;
        options.isa = isa;
        std::vector<M> out(frame.pairs.size());
        std::memset(static_cast<void*>(out.data()), 0xAB, out.size() * sizeof(M));
        result = collide_serial(scenario.library.hulls, view(), frame.pairs, options, std::span<M>(out), workspace);
        EXPECT_TRUE(result.status) << result.status.what;
        return out;
    }
};

template <class M>
class HeldBits : public testing::Test {};
using Capacities = testing::Types<Manifold4, Manifold16>;
TYPED_TEST_SUITE(HeldBits, Capacities);

TYPED_TEST(HeldBits, DoNotDependOnFormIsaThreadsOrderOrSplit) {
    using M = TypeParam;
    TwoFrames<M> two;
    const HullSet& hulls = two.scenario.library.hulls;
    const PreviousContacts sorted = PreviousContacts::compact(std::span<const M>(two.previous));
    BatchResult expected_result;
    const std::vector<M> expected = two.dense(sorted, Isa::scalar, expected_result);
    EXPECT_GT(expected_result.counters.held, 20U);
    BatchResult r;
    expect_same(two.dense({}, Isa::scalar, r), two.dense({}, Isa::automatic, r), "without previous");
    EXPECT_NE(r.hash, expected_result.hash);
    for (const Isa isa : available_isas()) {
        expect_same(two.dense(sorted, isa, r), expected, to_string(isa));
        expect_same_sums(r, expected_result, to_string(isa));
        expect_same(two.dense(PreviousContacts::dense(std::span<const M>(two.previous_dense)), isa, r), expected,
                    "dense previous");
        expect_same_sums(r, expected_result, "dense previous");
    }

    Options options = two.scenario.options;
    options.previous = sorted;
    Workspace workspace;
    std::vector<M> out(two.frame.pairs.size());
    for (const std::uint32_t threads : {1U, 2U, 7U}) {
        options.threads = threads;
        r = collide(hulls, two.view(), two.frame.pairs, options, std::span<M>(out), workspace);
        expect_same(out, expected, "threads");
        const CompactResult c =
            collide_compact(hulls, two.view(), two.frame.pairs, options, std::span<M>(out), workspace);
        std::vector<M> records(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(c.written));
        expect_same(records, reported_of(expected), "compact");
        expect_same_sums(c, expected_result, "compact");
        // In pieces, resumed.
        std::vector<M> pieces;
        for (std::uint64_t next = 0; next < two.frame.pairs.size();) {
            const CompactResult piece = collide_compact(hulls, two.view(), two.frame.pairs, options,
                                                        std::span<M>(out).first(97), workspace, next);
            pieces.insert(pieces.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(piece.written));
            next = piece.next_pair;
        }
        expect_same(pieces, reported_of(expected), "resumed");
    }

    // Shuffled pairs, and one pair at a time.
    BatchRandom random(31);
    std::vector<std::uint32_t> order(two.frame.pairs.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    std::vector<Pair> shuffled;
    for (const std::uint32_t i : order) shuffled.push_back(two.frame.pairs[i]);
    r = collide(hulls, two.view(), shuffled, options, std::span<M>(out), workspace);
    for (std::size_t i = 0; i < order.size(); ++i) ASSERT_TRUE(same_bits(out[i], expected[order[i]])) << i;
    for (std::size_t i = 0; i < order.size(); i += 53) {
        const Pair pair = shuffled[i];
        M one{};
        M previous = two.previous_dense[order[i]];
        previous.pair[0] = 0;
        previous.pair[1] = 1;
        options.previous = PreviousContacts::dense(std::span<const M>(&previous, 1));
        r = collide_pair(hulls, two.frame.bodies[pair.a], two.frame.bodies[pair.b], options, one, workspace);
        ASSERT_TRUE(r.status) << r.status.what;
        if (!is_reported(one)) continue;
        one.pair[0] = pair.a;
        one.pair[1] = pair.b;
        EXPECT_TRUE(same_bits(one, expected[order[i]])) << i;
    }
}

TEST(Hysteresis, DistanceLevelCarriesTheHeldNormal) {
    TwoFrames<Manifold4> two;
    BatchResult r;
    const PreviousContacts previous = PreviousContacts::compact(std::span<const Manifold4>(two.previous));
    const std::vector<Manifold4> expected = two.dense(previous, Isa::automatic, r);
    Options options = two.scenario.options;
    options.previous = previous;
    Workspace workspace;
    std::vector<PairDistance> out(two.frame.pairs.size());
    const BatchResult d =
        collide_distance(two.scenario.library.hulls, two.view(), two.frame.pairs, options, out, workspace);
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
            // Plausible numbers reach further: small indices and good kinds.
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
    // Records of other pairs are none.
    for (Manifold4& m : two.previous) m.pair[0] += 1000;
    expect_same(two.dense(PreviousContacts::compact(std::span<const Manifold4>(two.previous)), Isa::automatic, r),
                without, "other pairs");
    EXPECT_EQ(r.counters.hold_tried, 0U);
}

TEST(Hysteresis, WrongPreviousIsRefusedWithThePlace) {
    TwoFrames<Manifold4> two;
    Options options = two.scenario.options;
    Workspace workspace;
    std::vector<Manifold4> out(two.frame.pairs.size());
    const auto refused = [&](const PreviousContacts& previous) {
        options.previous = previous;
        const BatchResult r = collide(two.scenario.library.hulls, two.view(), two.frame.pairs, options,
                                      std::span<Manifold4>(out), workspace);
        EXPECT_EQ(r.status.code, Status::bad_argument);
        return r.status;
    };
    std::vector<Manifold4> disordered = two.previous;
    std::swap(disordered[100], disordered[101]);
    std::swap(disordered[300], disordered[301]);
    const CallStatus order = refused(PreviousContacts::compact(std::span<const Manifold4>(disordered)));
    EXPECT_EQ(order.where, 101U);
    EXPECT_STREQ(order.what, "options.previous does not ascend by pair");
    EXPECT_EQ(refused(PreviousContacts::dense(std::span<const Manifold4>(two.previous))).where, two.previous.size());
    refused(PreviousContacts::compact(std::span<const Manifold4>(out)));
    PreviousContacts bad = PreviousContacts::compact(std::span<const Manifold4>(two.previous));
    bad.stride = 64;
    EXPECT_EQ(refused(bad).where, 64U);
    bad.records = nullptr;
    refused(bad);
    options.hysteresis = -1;
    refused({});
    options.hysteresis = std::nanf("");
    refused({});
}

}  // namespace
}  // namespace lanefold::test
