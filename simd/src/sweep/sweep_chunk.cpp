// SPDX-License-Identifier: MIT
//
// See the header.
#include "sweep/sweep_chunk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace lanefold::detail {
namespace {

// Part of the tolerance that the rounding of separations may take. With more the axes could not prove that a pair at
// the tolerance is above the target.
constexpr double kSlackInTolerance = 0.125;

// Half a unit of float32 in a distance, twice: the kernels round that of cores and that of rounded hulls.
constexpr double kDistanceRounding = 1.2e-7;

float at_least(double x) {
    const double most = static_cast<double>(std::numeric_limits<float>::max());
    const auto nearest = static_cast<float>(std::min(x, most));
    return static_cast<double>(nearest) < x ? std::nextafter(nearest, std::numeric_limits<float>::max()) : nearest;
}

class Chunk {
public:
    Chunk(const Motions& motions, std::span<const Pair> pairs, const SweepOptions& options, SweepRecord* out,
          SweepSlot& slot)
        : motions_(motions), pairs_(pairs), options_(options), out_(out), slot_(slot) {
        kernels_.isa = options.isa;
        kernels_.threads = 1;
        kernels_.face_preference = 0;
    }

    CallStatus compute() {
        for (std::uint32_t i = 0; i < pairs_.size(); ++i) begin(i);
        while (live_ != 0) {
            const CallStatus status = round();
            if (!status) return status;
        }
        return contacts();
    }

private:
    void begin(std::uint32_t i) {
        SweepRecord& r = out_[i];
        r = {};
        r.pair[0] = pairs_[i].a;
        r.pair[1] = pairs_[i].b;
        LivePair& p = slot_.live[live_];
        p = {};
        p.record = i;
        const MotionProblem problem = read_pair(motions_, pairs_[i], options_, p.motion);
        if (problem.status != Status::ok || problem.failure != SweepFailure::none) {
            fail(r, problem.failure, 0);
            r.status = problem.status;
            return;
        }
        const Window window = find_window(p.motion);
        if (!window.any) {
            miss(r);
            ++slot_.totals.culled;
            return;
        }
        p.now.fraction = window.first;
        p.last = window.last;
        if (!(p.motion.slack <= kSlackInTolerance * p.motion.tolerance)) {
            fail(r, SweepFailure::accuracy, p.now.fraction);
            return;
        }
        p.arms = arms_of(p.motion);
        p.now = moment_at(p.motion, window.first);
        const double beside = length(window.nearest);
        if (beside > p.motion.tolerance && cull(p, window.nearest * (1.0 / beside))) {
            miss(r);
            ++slot_.totals.culled;
            return;
        }
        ++live_;
    }

    // Whether the axis between the centres where they come nearest separates the pair all the way; else how far.
    bool cull(LivePair& p, const Vec3d& axis) {
        const Clearance c = clear_along(p.motion, p.arms, p.now, axis, p.last, slot_.clearance);
        p.now.fraction = c.fraction;
        return c.to_end;
    }

    CallStatus round() {
        for (std::uint32_t k = 0; k < live_; ++k) {
            LivePair& p = slot_.live[k];
            const Moment& m = p.now = moment_at(p.motion, p.now.fraction);
            BodyD bodies[2];
            bodies_at(p.motion, m, bodies, slot_.frames[k]);
            place(k, bodies);
            // No further apart than any two of their points.
            const Vec3d between = (m.offset + m.rotation_b * to_double(p.motion.b.vertices[0])) -
                                  m.rotation_a * to_double(p.motion.a.vertices[0]);
            const double most = length(between) * (1.0 + kDistanceTolerance) + p.motion.accuracy;
            slot_.margins[k] = at_least(std::max(0.0, most - p.motion.radii));
        }
        const CallStatus status = collide(live_, slot_.distances.data());
        slot_.totals.distances += live_;
        std::uint32_t kept = 0;
        for (std::uint32_t k = 0; k < live_; ++k) {
            if (!status) break;
            if (decide(k)) continue;
            if (kept != k) slot_.live[kept] = slot_.live[k];
            ++kept;
        }
        live_ = kept;
        return status;
    }

    void place(std::uint32_t k, const BodyD (&bodies)[2]) {
        slot_.bodies[2 * std::size_t{k}] = bodies[0];
        slot_.bodies[2 * std::size_t{k} + 1] = bodies[1];
        slot_.pairs[k] = {2 * k, 2 * k + 1};
    }

    template <class Record>
    CallStatus collide(std::uint32_t count, Record* records) {
        const std::span<const BodyD> bodies{slot_.bodies.data(), 2 * std::size_t{count}};
        CallInputs inputs;
        inputs.pair_margins = {slot_.margins.data(), count};
        return collide_serial<Record>(*motions_.hulls, bodies, std::span<const Pair>(slot_.pairs.data(), count),
                                      kernels_, std::span<Record>(records, count), slot_.kernels, inputs)
            .status;
    }

    // True if the pair of this row is decided.
    bool decide(std::uint32_t k) {
        LivePair& p = slot_.live[k];
        const PairMotion& m = p.motion;
        SweepRecord& r = out_[p.record];
        const PairDistance& d = slot_.distances[k];
        ++r.rounds;
        if (d.status != Status::ok || d.kind == ContactKind::none) {
            fail(r, SweepFailure::shape, p.now.fraction);
            r.status = d.status;
            return true;
        }
        const double above = (static_cast<double>(d.distance) + m.radii) - m.target;
        if (above <= 0 && p.now.fraction == 0) {
            find(p, k, SweepState::overlapping);
            return true;
        }
        const Vec3d turned = slot_.frames[k] * to_double({d.normal[0], d.normal[1], d.normal[2]});
        const Vec3d axis = turned * (1.0 / length(turned));
        const Clearance c = clear_along(m, p.arms, p.now, axis, p.last, slot_.clearance);
        if (c.to_end) {
            miss(r);
            return true;
        }
        if (above <= m.tolerance - m.accuracy) {
            find(p, k, SweepState::hit);
            return true;
        }
        const double next = std::max(c.fraction, by_distance(p, above));
        if (next >= p.last) {
            miss(r);
            return true;
        }
        if (!(next > p.now.fraction)) {
            fail(r, SweepFailure::accuracy, p.now.fraction);
            return true;
        }
        p.now.fraction = next;
        if (r.rounds < kMostSweepRounds) return false;
        fail(r, SweepFailure::rounds, p.now.fraction);
        return true;
    }

    // The fraction up to which no motion is long enough to close the distance, whatever the axis.
    static double by_distance(const LivePair& p, double above) {
        const PairMotion& m = p.motion;
        const double fastest = length(m.shift) + (m.a.angle * p.arms.a + m.b.angle * p.arms.b);
        // The accuracy is that of a distance near the target; a longer one is rounded to float32, too.
        const double certain = above * (1.0 - kDistanceRounding) - (m.accuracy + m.slack);
        if (certain <= 0) return p.now.fraction;
        return fastest > certain ? p.now.fraction + certain / fastest : p.last;
    }

    void find(const LivePair& p, std::uint32_t k, SweepState state) {
        SweepRecord& r = out_[p.record];
        r.state = state;
        r.fraction = p.now.fraction;
        FoundPair& f = slot_.found[found_++];
        f.bodies[0] = slot_.bodies[2 * std::size_t{k}];
        f.bodies[1] = slot_.bodies[2 * std::size_t{k} + 1];
        f.frame = slot_.frames[k];
        f.margin = slot_.margins[k];
        f.record = p.record;
    }

    // The contacts of the pairs that meet, from the poses of their last distance.
    CallStatus contacts() {
        if (found_ == 0) return {};
        for (std::uint32_t k = 0; k < found_; ++k) {
            place(k, slot_.found[k].bodies);
            slot_.margins[k] = slot_.found[k].margin;
        }
        const CallStatus status = collide(found_, slot_.contacts.data());
        for (std::uint32_t k = 0; status && k < found_; ++k) finish(slot_.found[k], slot_.contacts[k]);
        return status;
    }

    void finish(const FoundPair& f, const Manifold4& m) {
        SweepRecord& r = out_[f.record];
        const Vec3f normal = to_float(f.frame * to_double({m.normal[0], m.normal[1], m.normal[2]}));
        r.normal[0] = normal.x;
        r.normal[1] = normal.y;
        r.normal[2] = normal.z;
        r.distance = m.distance;
        r.feature_a = m.feature_a;
        r.feature_b = m.feature_b;
        r.kind = m.kind;
        std::size_t deepest = 0;
        for (std::size_t i = 1; i < m.count; ++i) {
            if (m.points[i].separation < m.points[deepest].separation) deepest = i;
        }
        const float* const at = m.points[deepest].position;
        const Vec3f point = to_float(f.frame * to_double({at[0], at[1], at[2]}));
        r.point[0] = point.x;
        r.point[1] = point.y;
        r.point[2] = point.z;
    }

    static void miss(SweepRecord& r) {
        r.state = SweepState::miss;
        r.fraction = 1;
    }

    static void fail(SweepRecord& r, SweepFailure why, double fraction) {
        r.state = SweepState::failed;
        r.failure = why;
        r.fraction = fraction;
    }

    const Motions& motions_;
    std::span<const Pair> pairs_;
    const SweepOptions& options_;
    SweepRecord* out_;
    SweepSlot& slot_;
    Options kernels_;
    std::uint32_t live_ = 0;
    std::uint32_t found_ = 0;
};

}  // namespace

void SweepSlot::reserve(const HullSet& hulls) {
    clearance.reserve(std::max<std::size_t>(1, hulls.max_vertices()));
    live.reserve(kSweepChunk);
    found.reserve(kSweepChunk);
    frames.reserve(kSweepChunk);
    bodies.reserve(2 * std::size_t{kSweepChunk});
    pairs.reserve(kSweepChunk);
    margins.reserve(kSweepChunk);
    distances.reserve(kSweepChunk);
    contacts.reserve(kSweepChunk);
}

CallStatus sweep_chunk(const Motions& motions, std::span<const Pair> pairs, const SweepOptions& options,
                       SweepRecord* out, SweepSlot& slot) {
    return Chunk(motions, pairs, options, out, slot).compute();
}

}  // namespace lanefold::detail
