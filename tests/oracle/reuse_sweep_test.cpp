// SPDX-License-Identifier: MIT
//
// Bounded reuse against the oracle: every record of a stream with reuse is within the promised bound of the exact
// contact. Pairs of many shapes and poses move at random, settle, or move by almost all that their anchors cover in the
// direction that changes the contact most. LANEFOLD_PAIR_STEPS=N goes on for N pair-steps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include <lanefold/contact_stream.hpp>
#include <lanefold/reuse_judge.hpp>

#include "support/hulls.hpp"
#include "support/isa_fixture.hpp"
#include "support/pair_motions.hpp"
#include "support/poses.hpp"
#include "support/question.hpp"
#include "support/sweep_length.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kHulls = 60;

// The sums of a sweep; shares are of the judge's bounds, errors in sizes of the smaller hull.
struct ReuseSeen {
    std::uint64_t pair_steps = 0;
    std::uint64_t reported = 0;
    std::uint64_t carried = 0;
    std::uint64_t beyond = 0;  // pairs that had moved by little more than that, and were computed
    std::uint64_t missed_in_band = 0;
    std::uint64_t edges = 0;
    std::uint64_t wrong = 0;
    double distance_share = 0;
    double surface_share = 0;
    double normal_share = 0;
    double distance_error = 0;
};

// The motion of a pair by the rule of coherence/carry.hpp, in float64 and from the caller's poses.
double motion(const Library& library, const Body& a0, const Body& b0, const Body& a1, const Body& b1) {
    const HullRecord& ha = library.hulls[a0.hull];
    const HullRecord& hb = library.hulls[b0.hull];
    const auto relative = [&](const Body& a, const Body& b, Mat3d& r) {
        const PoseD pa = pose_of(a);
        const PoseD pb = pose_of(b);
        const Vec3d ca = pa.position + pa.rotation * to_double({ha.centre[0], ha.centre[1], ha.centre[2]});
        const Vec3d cb = pb.position + pb.rotation * to_double({hb.centre[0], hb.centre[1], hb.centre[2]});
        r = transpose(pa.rotation) * pb.rotation;
        return transpose(pa.rotation) * (cb - ca);
    };
    Mat3d r0;
    Mat3d r1;
    const Vec3d t0 = relative(a0, b0, r0);
    const Vec3d t1 = relative(a1, b1, r1);
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        const Vec3d d = r1.row[i] - r0.row[i];
        sum += dot(d, d);
    }
    const double turn = std::sqrt(sum / 2);
    const double mu_a = length(t1 - t0) + turn * static_cast<double>(hb.radius);
    const double mu_b = length(transpose(r1) * t1 - transpose(r0) * t0) + turn * static_cast<double>(ha.radius);
    return std::min(mu_a, mu_b);
}

class ReuseRound {
public:
    ReuseRound(std::uint64_t seed, std::uint32_t count, const StreamOptions& stream, const Options& options,
               float judged_reuse, ReuseSeen& seen)
        : library_(random_library(seed, kHulls, small_shapes())),
          random_(seed + 1),
          motions_(seed + 2),
          reuse_(stream),
          options_(options),
          judged_reuse_(judged_reuse),
          seen_(seen) {
        scene_.hulls = library_.hulls;
        scene_.margin = options.margin;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t a = random_.index(kHulls);
            const std::uint32_t b = random_.index(kHulls);
            PosedPair p = make_poses(static_cast<PoseKind>(i % kPoseKindCount), library_.oracle[a], library_.oracle[b],
                                     static_cast<double>(options.margin), true, random_);
            p.a.hull = a;
            p.b.hull = b;
            scene_.bodies.push_back(to_float_body(p.a));
            scene_.bodies.push_back(to_float_body(p.b));
            scene_.pairs.push_back({2 * i, 2 * i + 1});
        }
    }

    // Anchors, then motions of all pairs: to the ends of what anchors cover, and a walk that settles.
    void run() {
        step();
        step();
        const std::vector<Body> start = scene_.bodies;
        for (const double share : {0.995, 0.5, -0.995}) {
            scene_.bodies = start;
            move_all(start, share);
            step();
        }
        for (int k = 0; k < 8; ++k) {
            const std::vector<Body> before = scene_.bodies;
            move_all(before, 0.6 / (1 + k));
            step();
        }
    }

    // Anchors, then motions to a little beyond what they cover.
    void run_beyond() {
        step();
        step();
        const std::vector<Body> start = scene_.bodies;
        move_all(start, 1.01);
        step();
        count_beyond(start);
    }

private:
    double covered(std::size_t i) const {
        const auto a = static_cast<double>(library_.hulls[scene_.bodies[2 * i].hull].size);
        const auto b = static_cast<double>(library_.hulls[scene_.bodies[2 * i + 1].hull].size);
        const auto reuse = static_cast<double>(reuse_.reuse);
        return reuse * (1 - 1.5 * reuse) * std::min(a, b) - 16e-6 * (a + b);
    }

    // Moves each pair from `from` by so much of what its anchor covers.
    void move_all(const std::vector<Body>& from, double share) {
        for (std::size_t i = 0; i < scene_.pairs.size(); ++i) {
            const double most = covered(i);
            if (most <= 0) continue;
            const Pair& pair = scene_.pairs[i];
            const PairMotion m = PairMotion::draw(scene_, pair, 4 * most, contact_[i], motions_);
            double low = 0;
            double high = 1;
            for (int k = 0; k < 40; ++k) {
                const double middle = (low + high) / 2;
                Body a = from[pair.a];
                Body b = from[pair.b];
                (m.body == pair.a ? a : b) = m.moved(m.body == pair.a ? a : b, share < 0 ? -middle : middle);
                const bool less = motion(library_, from[pair.a], from[pair.b], a, b) < std::fabs(share) * most;
                (less ? low : high) = middle;
            }
            m.apply(scene_.bodies, share < 0 ? -low : low);
        }
    }

    void step() {
        const StreamResult r = stream_.step(scene_.hulls, scene_.view(), scene_.pairs, options_, {}, reuse_);
        ASSERT_TRUE(r.status) << r.status.what;
        carried_ = r.carried;
        seen_.carried += r.carried;
        contact_.assign(scene_.pairs.size(), {});
        std::vector<Manifold4> records(scene_.pairs.size());
        for (std::size_t k = 0; k < stream_.contacts().size(); ++k)
            records[stream_.candidates()[k]] = stream_.contacts()[k];
        for (std::size_t i = 0; i < records.size(); ++i) judge(i, records[i]);
    }

    void judge(std::size_t i, const Manifold4& record) {
        const Pair& pair = scene_.pairs[i];
        reference::JudgedPair q = question_of(library_, scene_.bodies[pair.a], scene_.bodies[pair.b], pair, options_);
        q.hysteresis = options_.hysteresis;
        const reference::Judgement j = reference::judge_reuse(q, record, judged_reuse_);
        ++seen_.pair_steps;
        seen_.missed_in_band += !is_reported(record) && j.touching ? 1U : 0U;
        if (is_reported(record)) {
            ++seen_.reported;
            seen_.edges += record.kind == ContactKind::edge_edge ? 1U : 0U;
            contact_[i] = q.pose_a.position + to_double({record.points[0].position[0], record.points[0].position[1],
                                                         record.points[0].position[2]});
        }
        seen_.distance_share = std::max(seen_.distance_share, j.distance_share);
        seen_.surface_share = std::max(seen_.surface_share, j.surface_share);
        seen_.normal_share = std::max(seen_.normal_share, j.normal_share);
        seen_.distance_error = std::max(seen_.distance_error, j.distance_error);
        if (!j.right() && ++seen_.wrong <= 5 && judged_reuse_ == reuse_.reuse)
            ADD_FAILURE() << "pair " << i << ": " << j.what;
    }

    // After a step beyond: no anchor of the first step may have held.
    void count_beyond(const std::vector<Body>& start) {
        std::uint64_t inside = 0;
        for (std::size_t i = 0; i < scene_.pairs.size(); ++i) {
            const Pair& p = scene_.pairs[i];
            const double mu = motion(library_, start[p.a], start[p.b], scene_.bodies[p.a], scene_.bodies[p.b]);
            inside += mu <= covered(i) ? 1U : 0U;
            seen_.beyond += mu > covered(i) ? 1U : 0U;
        }
        EXPECT_LE(carried_, inside) << "an anchor held beyond its motion";
    }

    Library library_;
    Random random_;
    BatchRandom motions_;
    BatchScene scene_;
    StreamOptions reuse_;
    Options options_;
    float judged_reuse_;
    ReuseSeen& seen_;
    ContactStream<Manifold4> stream_;
    std::vector<std::optional<Vec3d>> contact_;
    std::uint64_t carried_ = 0;
};

void print(const char* what, const ReuseSeen& s) {
    std::printf(
        "%s: %llu pair-steps, reported %llu (edges %llu), carried %llu, beyond %llu, wrong %llu; shares of the "
        "bounds: distance %.3f, surface %.3f, normal %.3f; distance off by %.2g sizes at most; touching, not "
        "reported within the band: %llu\n",
        what, static_cast<unsigned long long>(s.pair_steps), static_cast<unsigned long long>(s.reported),
        static_cast<unsigned long long>(s.edges), static_cast<unsigned long long>(s.carried),
        static_cast<unsigned long long>(s.beyond), static_cast<unsigned long long>(s.wrong), s.distance_share,
        s.surface_share, s.normal_share, s.distance_error, static_cast<unsigned long long>(s.missed_in_band));
}

Options drawn_options(std::uint64_t round) {
    Options options;
    options.margin = round % 3 == 0 ? 0.0F : round % 3 == 1 ? 0.02F : 0.1F;
    options.face_preference = round % 2 == 0 ? kDefaultFacePreference : 0.0F;
    options.hysteresis = round % 4 == 3 ? kDefaultHysteresis : 0.0F;
    options.method = round % 5 == 4 ? ContactMethod::patch : ContactMethod::clip;
    if (options.method == ContactMethod::patch) options.hysteresis = 0;
    return options;
}

TEST(ReuseSweep, EveryRecordIsWithinThePromisedBound) {
    const SweepLength sweep(40'000);
    constexpr float kReuses[] = {1e-2F, 5e-3F, kMaxReuse, 1e-3F};
    ReuseSeen all;
    for (std::uint64_t round = sweep.round; all.pair_steps < sweep.pair_steps; ++round) {
        const std::uint64_t seed = sweep.seed_of(round);
        ReuseSeen seen;
        const float reuse = kReuses[round % 4];
        ReuseRound one(seed, 300, {.reuse = reuse}, drawn_options(round), reuse, seen);
        one.run();
        ReuseRound beyond(seed, 100, {.reuse = reuse}, drawn_options(round), reuse, seen);
        beyond.run_beyond();
        if (seen.wrong != 0) std::printf("round %llu\n", static_cast<unsigned long long>(round));
        all.pair_steps += seen.pair_steps;
        all.reported += seen.reported;
        all.carried += seen.carried;
        all.beyond += seen.beyond;
        all.edges += seen.edges;
        all.wrong += seen.wrong;
        all.missed_in_band += seen.missed_in_band;
        all.distance_share = std::max(all.distance_share, seen.distance_share);
        all.surface_share = std::max(all.surface_share, seen.surface_share);
        all.normal_share = std::max(all.normal_share, seen.normal_share);
        all.distance_error = std::max(all.distance_error, seen.distance_error);
    }
    print("reuse", all);
    EXPECT_EQ(all.wrong, 0U);
    EXPECT_GT(all.carried, all.pair_steps / 4);
    EXPECT_GT(all.reported, all.pair_steps / 4);
    EXPECT_GT(all.edges, all.reported / 20);
    EXPECT_GT(all.beyond, all.pair_steps / 100);
    // The motions are those that the bound is about: errors of distance come to a large part of it.
    EXPECT_GT(all.distance_share, 0.3);
}

// The judge sees errors that are allowed with this reuse and not with half of it, so the sweep comes to the bound.
TEST(ReuseSweep, HalfOfTheBoundWouldBeTooLittle) {
    ReuseSeen seen;
    for (std::uint64_t round = 0; round < 3; ++round) {
        ReuseRound one(round + 1, 300, {.reuse = 1e-2F}, drawn_options(round), 5e-3F, seen);
        one.run();
    }
    print("judged by half", seen);
    EXPECT_GE(seen.wrong, 3U);
    EXPECT_GT(seen.distance_share, 1.0);
}

}  // namespace
}  // namespace lanefold::test
