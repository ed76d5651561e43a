// SPDX-License-Identifier: MIT
//
// Compares results of engines with the oracle.
#include "measure/quality.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <lanefold/half_space.hpp>
#include <lanefold/limits.hpp>
#include <lanefold/reference.hpp>

#include "scenes/random.hpp"

namespace lanefold::bench {
namespace {

// The size of the larger of two hulls, with its radius; a half-space has none.
double larger_size(const reference::OracleHull& a, const reference::OracleHull& b) {
    const double size_a = a.half_space ? 0 : a.size + a.round_radius;
    const double size_b = b.half_space ? 0 : b.size + b.round_radius;
    return std::max(size_a, size_b);
}

}  // namespace

struct OracleSample::Truth {
    struct PairTruth {
        std::uint32_t hull_a;
        std::uint32_t hull_b;
        PoseD pose_a;
        PoseD pose_b;
        double distance;
    };
    std::map<std::uint32_t, reference::OracleHull> hulls;
    std::vector<PairTruth> pairs;
};

OracleSample::OracleSample(const Scene& scene, const Frame& frame, std::size_t count, double seconds,
                           std::uint64_t seed)
    : truth_(std::make_unique<Truth>()) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<Pair> order = frame.pairs;
    shuffle(order, seed);
    const auto pose = [&frame](std::uint32_t b) {
        const Body& body = frame.bodies[b];
        const double p[3] = {body.position[0], body.position[1], body.position[2]};
        return reference::oracle_pose(p, body.orientation);
    };
    const auto hull = [this, &scene](std::uint32_t id) -> const reference::OracleHull& {
        auto [at, fresh] = truth_->hulls.try_emplace(id);
        if (!fresh) return at->second;
        if (const auto plane = half_space(scene.hulls, id))
            at->second = reference::make_oracle_half_space(plane->normal, plane->offset);
        else
            at->second = reference::make_oracle_hull(scene.hulls.vertices(id), scene.hulls[id].round_radius);
        return at->second;
    };
    for (const Pair& p : order) {
        if (pairs_.size() >= count) break;
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) break;
        Truth::PairTruth t{frame.bodies[p.a].hull, frame.bodies[p.b].hull, pose(p.a), pose(p.b), 0};
        t.distance = reference::signed_distance(hull(t.hull_a), t.pose_a, hull(t.hull_b), t.pose_b).distance;
        truth_->pairs.push_back(t);
        pairs_.push_back(p);
    }
}

OracleSample::~OracleSample() = default;

Quality OracleSample::judge(Engine& engine) const {
    engine.reserve(pairs_.size());
    engine.forget();
    engine.collide(pairs_);
    const double margin = engine.info().margin;
    Quality q;
    q.sample = pairs_.size();
    std::size_t depth_good = 0;
    std::size_t normal_good = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const Truth::PairTruth& t = truth_->pairs[i];
        const PeerManifold m = engine.result(i);
        const reference::OracleHull& a = truth_->hulls.at(t.hull_a);
        const reference::OracleHull& b = truth_->hulls.at(t.hull_b);
        if (t.distance <= margin) ++q.touching;
        if (m.count == 0) {
            if (t.distance < margin - kMarginBand) {
                ++q.missed;
                q.worst_missed = std::max(q.worst_missed, margin - t.distance);
            }
            continue;
        }
        if (t.distance > margin + kMarginBand) {
            ++q.false_hits;
            q.worst_false = std::max(q.worst_false, t.distance - margin);
            continue;
        }
        ++q.found;
        q.points += m.count;
        const double error = std::fabs(static_cast<double>(m.distance) - t.distance);
        q.distance_error = std::max(q.distance_error, error / larger_size(a, b));
        if (t.distance >= 0) continue;
        ++q.overlapping;
        const double good = std::max(kGoodAbsolute, kGoodRelative * -t.distance);
        if (error <= good) ++depth_good;
        q.depth_worst = std::max(q.depth_worst, error);
        const Vec3d n{m.normal[0], m.normal[1], m.normal[2]};
        const double length_n = length(n);
        const double along = length_n > 0 ? reference::separation_along(a, t.pose_a, b, t.pose_b, n * (1.0 / length_n))
                                          : -larger_size(a, b);
        const double excess = t.distance - along;
        if (excess <= good) ++normal_good;
        q.normal_worst = std::max(q.normal_worst, excess);
    }
    if (q.found != 0) q.points /= static_cast<double>(q.found);
    if (q.overlapping != 0) {
        q.depth_good = static_cast<double>(depth_good) / static_cast<double>(q.overlapping);
        q.normal_good = static_cast<double>(normal_good) / static_cast<double>(q.overlapping);
    }
    return q;
}

Flicker measure_flicker(const Scene& scene, Engine& engine, double degrees) {
    Flicker f;
    std::size_t jumps = 0;
    std::size_t changes = 0;
    const double limit = std::cos(degrees * 3.14159265358979 / 180.0);
    std::map<Pair, PeerManifold> before;
    // reserve() is called once, because an engine forgets its data per pair when it gets other pairs.
    std::size_t most = 0;
    for (const Frame& frame : scene.frames) most = std::max(most, frame.pairs.size());
    engine.reserve(most);
    for (const Frame& frame : scene.frames) {
        engine.set_frame(frame);
        engine.collide(frame.pairs);
        std::map<Pair, PeerManifold> now;
        for (std::size_t i = 0; i < frame.pairs.size(); ++i) {
            const PeerManifold m = engine.result(i);
            if (m.count == 0) continue;
            now.emplace(frame.pairs[i], m);
            const auto old = before.find(frame.pairs[i]);
            if (old == before.end()) continue;
            ++f.followed;
            double cosine = 0;
            for (int c = 0; c < 3; ++c) cosine += static_cast<double>(m.normal[c]) * old->second.normal[c];
            if (cosine < limit) ++jumps;
            if (m.count != old->second.count) ++changes;
        }
        before = std::move(now);
    }
    if (f.followed != 0) {
        f.normal_jumps = static_cast<double>(jumps) / static_cast<double>(f.followed);
        f.count_changes = static_cast<double>(changes) / static_cast<double>(f.followed);
    }
    return f;
}

}  // namespace lanefold::bench
