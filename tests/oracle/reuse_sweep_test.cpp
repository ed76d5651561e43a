// SPDX-License-Identifier: MIT
//
// Bounded reuse against the oracle: every record of a stream with reuse is within the promised bound of the exact
// contact. Pairs of many shapes and poses move at random, settle, or move by almost all that their anchors cover in the
// direction that changes the contact most, or by all of it. LANEFOLD_PAIR_STEPS=N goes on for N pair-steps.
//
// Most of the oracle's time is the exact distance. Long sweeps take it from the engine's strict call, whose distances
// are compared with the oracle's for a part of the pair-steps, drawn at random (LANEFOLD_ORACLE_SHARE: one of so many;
// 1: all, as without it). Everything else is judged for all of them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lanefold/contact_stream.hpp>
#include <lanefold/narrowphase.hpp>
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
// How near a motion is to the one that was wanted, as a part of it; float32 positions are not nearer.
constexpr double kClose = 1e-6;

// The sums of a sweep; shares are of the judge's bounds, errors in sizes of the smaller hull.
struct ReuseSeen {
    std::uint64_t pair_steps = 0;
    std::uint64_t reported = 0;
    std::uint64_t carried = 0;
    std::uint64_t judged = 0;    // pair-steps whose distance was the oracle's
    std::uint64_t at_bound = 0;  // carried after a motion by all that an anchor covers, but for rounding
    std::uint64_t beyond = 0;    // pairs that had moved by little more than that, and were computed
    std::uint64_t missed_in_band = 0;
    std::uint64_t edges = 0;
    std::uint64_t wrong = 0;
    double distance_share = 0;
    double surface_share = 0;
    double normal_share = 0;
    double distance_error = 0;
    double strict_share = 0;  // of the bound of an exact distance: that of the strict calls

    void add(const ReuseSeen& o) {
        pair_steps += o.pair_steps;
        reported += o.reported;
        carried += o.carried;
        judged += o.judged;
        at_bound += o.at_bound;
        beyond += o.beyond;
        missed_in_band += o.missed_in_band;
        edges += o.edges;
        wrong += o.wrong;
        distance_share = std::max(distance_share, o.distance_share);
        surface_share = std::max(surface_share, o.surface_share);
        normal_share = std::max(normal_share, o.normal_share);
        distance_error = std::max(distance_error, o.distance_error);
        strict_share = std::max(strict_share, o.strict_share);
    }
};

// The pose of one hull of a pair relative to the other.
struct Relative {
    Mat3d r;
    Vec3d t;
    Vec3d back;  // from B's centre to A's, in B's frame

    static Relative of(const Library& library, const Body& a, const Body& b) {
        const PoseD pa = pose_of(a);
        const PoseD pb = pose_of(b);
        const float* const ca = library.hulls[a.hull].centre;
        const float* const cb = library.hulls[b.hull].centre;
        const Vec3d from = pa.position + pa.rotation * to_double({ca[0], ca[1], ca[2]});
        const Vec3d to = pb.position + pb.rotation * to_double({cb[0], cb[1], cb[2]});
        Relative x;
        x.r = transpose(pa.rotation) * pb.rotation;
        x.t = transpose(pa.rotation) * (to - from);
        x.back = transpose(x.r) * x.t;
        return x;
    }
};

// The motion of a pair by the rule of coherence/carry.hpp, in float64 and from the caller's poses.
double motion(const Library& library, const Relative& from, const Body& a, const Body& b) {
    const HullRecord& ha = library.hulls[a.hull];
    const HullRecord& hb = library.hulls[b.hull];
    const Relative to = Relative::of(library, a, b);
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        const Vec3d d = to.r.row[i] - from.r.row[i];
        sum += dot(d, d);
    }
    const double turn = std::sqrt(sum / 2);
    const double mu_a = length(to.t - from.t) + turn * static_cast<double>(hb.radius);
    const double mu_b = length(to.back - from.back) + turn * static_cast<double>(ha.radius);
    return std::min(mu_a, mu_b);
}

class ReuseRound {
public:
    // `oracle_share`: of so many pair-steps one gets the oracle's distance.
    ReuseRound(const Library& library, std::uint64_t seed, std::uint32_t count, const StreamOptions& stream,
               const Options& options, float judged_reuse, std::uint32_t oracle_share, ReuseSeen& seen)
        : library_(library),
          random_(seed + 1),
          oracle_share_(oracle_share),
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
        scene_.bodies = start;
        move_all(start, 1);
        step();
        seen_.at_bound += carried_;
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
    double size(std::size_t body) const { return static_cast<double>(library_.hulls[scene_.bodies[body].hull].size); }
    double smaller_size(std::size_t i) const { return std::min(size(2 * i), size(2 * i + 1)); }
    double covered(std::size_t i) const {
        const auto reuse = static_cast<double>(reuse_.reuse);
        return reuse * (1 - 1.5 * reuse) * smaller_size(i) - 16e-6 * (size(2 * i) + size(2 * i + 1));
    }

    // Moves each pair from `from` by so much of what its anchor covers.
    void move_all(const std::vector<Body>& from, double share) {
        for (std::size_t i = 0; i < scene_.pairs.size(); ++i) {
            const double most = covered(i);
            if (most <= 0) continue;
            const Pair& pair = scene_.pairs[i];
            const PairMotion m = PairMotion::draw(scene_, pair, 4 * most, contact_[i], motions_);
            const double part = part_for(m, from, pair, std::fabs(share) * most, share < 0 ? -1 : 1);
            m.apply(scene_.bodies, part);
        }
    }

    // The largest part of a motion, forwards or backwards, by which the pair moves by at most this, up to float32.
    double part_for(const PairMotion& m, const std::vector<Body>& from, const Pair& pair, double most, double way) {
        const Relative was = Relative::of(library_, from[pair.a], from[pair.b]);
        const auto at = [&](double part) {
            Body a = from[pair.a];
            Body b = from[pair.b];
            (m.body == pair.a ? a : b) = m.moved(m.body == pair.a ? a : b, part * way);
            return motion(library_, was, a, b);
        };
        // False position on what is nearly in proportion; the end that stays counts half (Illinois), so both ends move.
        double low = 0;
        double high = 1;
        double below = -most;
        double above = at(1) - most;
        if (above < 0) return way;
        for (int k = 0; k < 16 && (low == 0 || below < -kClose * most); ++k) {
            const double part = std::clamp((low * above - high * below) / (above - below), low, high);
            const double off = at(part) - most;
            (off < 0 ? low : high) = part;
            (off < 0 ? below : above) = off;
            (off < 0 ? above : below) *= 0.5;
        }
        return low * way;
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
        if (oracle_share_ > 1) strict_distances();
        for (std::size_t i = 0; i < records.size(); ++i) judge(i, records[i]);
    }

    // The exact distance of each pair that is not further than the judge asks.
    void strict_distances() {
        Options strict;
        strict.face_preference = 0;
        look_.resize(scene_.pairs.size());
        for (std::size_t i = 0; i < look_.size(); ++i) {
            const auto size = static_cast<float>(smaller_size(i));
            look_[i] = options_.margin + 3 * judged_reuse_ * size + 1e-3F * (size + options_.margin);
        }
        strict_.resize(scene_.pairs.size());
        CallInputs inputs;
        inputs.pair_margins = look_;
        const BatchResult r = collide(scene_.hulls, scene_.view(), scene_.pairs, strict,
                                      std::span<PairDistance>(strict_), workspace_, inputs);
        ASSERT_TRUE(r.status) << r.status.what;
    }

    reference::Judgement judged(std::size_t i, const reference::JudgedPair& q, const Manifold4& record) {
        const bool known = oracle_share_ > 1;
        const PairDistance* const strict = known ? &strict_[i] : nullptr;
        if (known && random_.index(oracle_share_) != 0) {
            const bool near = strict->kind != ContactKind::none;
            return reference::judge_reuse(q, record, judged_reuse_,
                                          {static_cast<double>(near ? strict->distance : look_[i]), {}});
        }
        ++seen_.judged;
        reference::Judgement j = reference::judge_reuse(q, record, judged_reuse_);
        if (known) compare(*strict, look_[i], reference::judge_bounds(q), j);
        return j;
    }

    // Notes how far a distance of the strict call is from the oracle's.
    void compare(const PairDistance& strict, float look, const reference::JudgeBounds& bounds,
                 reference::Judgement& j) {
        if (strict.kind == ContactKind::none) {
            if (j.distance < static_cast<double>(look) - bounds.distance(static_cast<double>(look)))
                j.violate(reference::Violation::missed, "the strict call has no distance");
            return;
        }
        const double error = std::fabs(static_cast<double>(strict.distance) - j.distance);
        const double share = error / bounds.distance(j.distance);
        seen_.strict_share = std::max(seen_.strict_share, share);
        if (!(share <= 1)) j.violate(reference::Violation::distance, "the strict call's distance is wrong");
    }

    void judge(std::size_t i, const Manifold4& record) {
        const Pair& pair = scene_.pairs[i];
        reference::JudgedPair q = question_of(library_, scene_.bodies[pair.a], scene_.bodies[pair.b], pair, options_);
        q.hysteresis = options_.hysteresis;
        const reference::Judgement j = judged(i, q, record);
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
            const Relative was = Relative::of(library_, start[p.a], start[p.b]);
            const double mu = motion(library_, was, scene_.bodies[p.a], scene_.bodies[p.b]);
            inside += mu <= covered(i) ? 1U : 0U;
            seen_.beyond += mu > covered(i) ? 1U : 0U;
        }
        EXPECT_LE(carried_, inside) << "an anchor held beyond its motion";
    }

    const Library& library_;
    Random random_;
    std::uint32_t oracle_share_;
    BatchRandom motions_;
    BatchScene scene_;
    StreamOptions reuse_;
    Options options_;
    float judged_reuse_;
    ReuseSeen& seen_;
    ContactStream<Manifold4> stream_;
    Workspace workspace_;
    std::vector<float> look_;  // how far the strict call looks
    std::vector<PairDistance> strict_;
    std::vector<std::optional<Vec3d>> contact_;
    std::uint64_t carried_ = 0;
};

void print(const char* what, const ReuseSeen& s) {
    std::printf(
        "%s: %llu pair-steps (%llu with the oracle's distance, others with a strict call's, which took %.2f of an "
        "exact "
        "bound), reported %llu (edges %llu), carried %llu, at the bound %llu, beyond %llu, wrong %llu; shares of the "
        "bounds: distance %.3f, surface %.3f, normal %.3f; distance off by %.2g sizes at most; touching, not "
        "reported within the band: %llu\n",
        what, static_cast<unsigned long long>(s.pair_steps), static_cast<unsigned long long>(s.judged), s.strict_share,
        static_cast<unsigned long long>(s.reported), static_cast<unsigned long long>(s.edges),
        static_cast<unsigned long long>(s.carried), static_cast<unsigned long long>(s.at_bound),
        static_cast<unsigned long long>(s.beyond), static_cast<unsigned long long>(s.wrong), s.distance_share,
        s.surface_share, s.normal_share, s.distance_error, static_cast<unsigned long long>(s.missed_in_band));
    std::fflush(stdout);
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
    const char* const share = std::getenv("LANEFOLD_ORACLE_SHARE");
    const std::uint32_t oracle_share = share == nullptr ? 1 : static_cast<std::uint32_t>(std::atoi(share));
    // Hulls take longer to build than to judge.
    const std::uint32_t pairs = sweep.pair_steps > 1'000'000 ? 3000 : 300;
    constexpr float kReuses[] = {1e-2F, 5e-3F, kMaxReuse, 1e-3F};
    ReuseSeen all;
    for (std::uint64_t round = sweep.round; all.pair_steps < sweep.pair_steps; ++round) {
        const std::uint64_t seed = sweep.seed_of(round);
        const Library library = random_library(seed, kHulls, small_shapes());
        ReuseSeen seen;
        const float reuse = kReuses[round % 4];
        ReuseRound one(library, seed, pairs, {.reuse = reuse}, drawn_options(round), reuse, oracle_share, seen);
        one.run();
        ReuseRound beyond(library, seed, pairs / 3, {.reuse = reuse}, drawn_options(round), reuse, oracle_share, seen);
        beyond.run_beyond();
        if (seen.wrong != 0) std::printf("round %llu\n", static_cast<unsigned long long>(round));
        all.add(seen);
        // A long sweep that is stopped leaves what it has seen.
        if (sweep.pair_steps > 1'000'000 && round % 10 == 9) print("so far", all);
    }
    print("reuse", all);
    EXPECT_EQ(all.wrong, 0U);
    EXPECT_GT(all.carried, all.pair_steps / 4);
    EXPECT_GT(all.reported, all.pair_steps / 4);
    EXPECT_GT(all.edges, all.reported / 20);
    EXPECT_GT(all.beyond, all.pair_steps / 100);
    EXPECT_GT(all.at_bound, all.pair_steps / 100);
    EXPECT_GT(all.judged, all.pair_steps / (2 * oracle_share));
    // The motions are those that the bound is about: errors of distance come to a large part of it.
    EXPECT_GT(all.distance_share, 0.3);
}

// The judge sees errors that are allowed with this reuse and not with half of it, so the sweep comes to the bound.
TEST(ReuseSweep, HalfOfTheBoundWouldBeTooLittle) {
    ReuseSeen seen;
    for (std::uint64_t round = 0; round < 3; ++round) {
        const Library library = random_library(round + 1, kHulls, small_shapes());
        ReuseRound one(library, round + 1, 300, {.reuse = 1e-2F}, drawn_options(round), 5e-3F, 1, seen);
        one.run();
    }
    print("judged by half", seen);
    EXPECT_GE(seen.wrong, 3U);
    EXPECT_GT(seen.distance_share, 1.0);
}

}  // namespace
}  // namespace lanefold::test
