// SPDX-License-Identifier: MIT
//
// Holds times of impact against a march in float64: exact distances by brute force, at steps within which the bodies
// cannot come nearer by more than is left. Each engine is judged by its own way of turning.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <lanefold/pose.hpp>
#include <lanefold/reference.hpp>

#include "toi_engine.hpp"

namespace lanefold::bench {

// Answers of an engine, and those that are wrong by more than 0.1% of the smaller hull's size.
struct ToiCounts {
    std::uint64_t judged = 0, hits = 0, overlapping = 0;
    std::uint64_t failed = 0;     // said to have no answer, but a time, which is judged as that of a hit
    std::uint64_t missed = 0;     // said to pass, and deeper than that on the way
    std::uint64_t late = 0;       // deeper than that at the time of a hit, or before
    std::uint64_t undecided = 0;  // by the march
    double deepest = 0;           // overlap of a miss or before a hit, / size
    double farthest = 0;          // distance at a hit, or at time 0 of an overlap, / size
};

class ToiJudge {
public:
    explicit ToiJudge(const ToiScene& scene) : scene_(scene) {
        for (std::uint32_t h = 0; h < scene.hulls.size(); ++h) {
            const std::span<const Vec3f> vertices = scene.hulls.vertices(h);
            hulls_.push_back(reference::make_oracle_hull(vertices));
            double lever = 0;
            for (const Vec3f& v : vertices) lever = std::max(lever, length(to_double(v)));
            levers_.push_back(lever);
        }
    }

    void judge(std::size_t i, const LanefoldImpact& found, Turn turn, ToiCounts& counts) const {
        ++counts.judged;
        const bool miss = found.finding == LANEFOLD_TOI_MISS;
        const bool overlapping = found.finding == LANEFOLD_TOI_OVERLAPPING;
        if (found.finding == LANEFOLD_TOI_FAILED) ++counts.failed;
        if (found.finding == LANEFOLD_TOI_HIT) ++counts.hits;
        if (overlapping) ++counts.overlapping;
        const PairOfMotions pair = pair_of(i);
        double deepest = 0;
        const double last = march(pair, turn, miss ? 1 : static_cast<double>(found.time), deepest, counts);
        if (!miss) counts.farthest = std::max(counts.farthest, last / pair.size);
        if (overlapping) return;
        if (deepest < -kSlack * pair.size) ++(miss ? counts.missed : counts.late);
        counts.deepest = std::max(counts.deepest, -deepest / pair.size);
    }

private:
    static constexpr double kSlack = 1e-3;        // of the smaller hull's size: lanefold's default tolerance
    static constexpr std::uint32_t kMost = 4000;  // distances of a march

    struct PairOfMotions {
        const LanefoldMotion* a;
        const LanefoldMotion* b;
        double size;  // of the smaller hull
    };
    PairOfMotions pair_of(std::size_t i) const {
        const LanefoldAdapterPair p = scene_.pairs[i];
        const LanefoldMotion& a = scene_.bodies[p.a];
        const LanefoldMotion& b = scene_.bodies[p.b];
        return {&a, &b, std::min(hulls_[a.hull].size, hulls_[b.hull].size)};
    }

    static Vec3d vector(const float v[3]) { return to_double({v[0], v[1], v[2]}); }
    static PoseD pose(const LanefoldMotion& m, Turn turn, double t) {
        const Vec3d spin = vector(m.spin);
        const double angle = length(spin);
        double part = angle * t;
        // The angle from the middle of the way has the tangent that is even in time.
        if (turn == Turn::lerp) part = angle / 2 + 2 * std::atan((2 * t - 1) * std::tan(angle / 4));
        Quat first;
        normalize(m.orientation, first);
        Mat3d rotation_ = rotation(first);
        if (angle > 0) {
            const Vec3d axis = spin * (std::sin(part / 2) / angle);
            rotation_ = rotation(Quat{axis.x, axis.y, axis.z, std::cos(part / 2)}) * rotation_;
        }
        return {rotation_, vector(m.position) + vector(m.shift) * t};
    }
    // The most by which a point of the body moves beside its shift, per unit of time.
    double turning(const LanefoldMotion& m, Turn turn) const {
        const double angle = length(vector(m.spin));
        return levers_[m.hull] * (turn == Turn::lerp ? 4 * std::tan(angle / 4) : angle);
    }

    // The distance at `to`; `deepest`: the least on the way, below 0.
    double march(const PairOfMotions& pair, Turn turn, double to, double& deepest, ToiCounts& counts) const {
        const double rate =
            length(vector(pair.b->shift) - vector(pair.a->shift)) + turning(*pair.a, turn) + turning(*pair.b, turn);
        const auto distance = [&](double t) {
            return reference::signed_distance(hulls_[pair.a->hull], pose(*pair.a, turn, t), hulls_[pair.b->hull],
                                              pose(*pair.b, turn, t))
                .distance;
        };
        const double slack = kSlack * pair.size;
        double t = 0;
        for (std::uint32_t n = 0; n < kMost; ++n) {
            const double d = distance(t);
            deepest = std::min(deepest, d);
            if (t >= to) return d;
            // On the way through a body steps only sample how deep it gets.
            t = std::min(to, t + std::max(std::fabs(d + slack), slack / 10) / std::max(rate, 1e-12));
        }
        ++counts.undecided;
        return distance(to);
    }

    const ToiScene& scene_;
    std::vector<reference::OracleHull> hulls_;
    std::vector<double> levers_;
};

}  // namespace lanefold::bench
