// SPDX-License-Identifier: MIT
//
// Pairs in rounds: a round computes the distances of all that are not decided, by the kernels, and follows each one's
// axis as far as it provably separates. Their contacts come last.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "sweep/ground_meeting.hpp"
#include "sweep/plane_meeting.hpp"
#include "sweep/sweep_chunk.hpp"

namespace lanefold::detail {

// Half a unit of float32 in a distance, twice: the kernels round that of cores and that of rounded hulls.
inline constexpr double kDistanceRounding = 1.2e-7;

inline float at_least(double x) {
    const double most = static_cast<double>(std::numeric_limits<float>::max());
    const auto nearest = static_cast<float>(std::min(x, most));
    return static_cast<double>(nearest) < x ? std::nextafter(nearest, std::numeric_limits<float>::max()) : nearest;
}

// At most kSweepChunk pairs at a time, whose records are `out`.
class SweepRounds {
public:
    SweepRounds(const Motions& motions, const SweepOptions& options, SweepRecord* out, SweepSlot& slot)
        : motions_(motions), options_(options), out_(out), slot_(slot) {
        kernels_.isa = options.isa;
        kernels_.threads = 1;
        kernels_.face_preference = 0;
    }

    // All pairs but those of compounds, whose number is left in slot.compounds.
    CallStatus compute(std::span<const Pair> pairs) {
        slot_.compound_count = 0;
        for (std::uint32_t i = 0; i < pairs.size(); ++i) {
            LivePair& p = row(i, pairs[i]);
            const MotionProblem problem = read_pair(motions_, pairs[i], p.motion);
            if (problem.status != Status::ok || problem.failure != SweepFailure::none) {
                fail(out_[i], problem.failure, 0);
                out_[i].status = problem.status;
            } else if (moves_children(p.motion.a) || moves_children(p.motion.b)) {
                miss(out_[i]);
                slot_.compounds[slot_.compound_count++] = i;
            } else {
                begin(p);
            }
        }
        return decide_all();
    }

    // Begins a pair of children, which the records name; `i`: its record.
    void add(std::uint32_t i, const Pair& pair, const PairMotion& motion) {
        LivePair& p = row(i, pair);
        p.motion = motion;
        begin(p);
    }

    // Decides all pairs that were begun.
    CallStatus decide_all() {
        while (live_ != 0) {
            const CallStatus status = round();
            if (!status) return status;
        }
        return contacts();
    }

private:
    LivePair& row(std::uint32_t i, const Pair& pair) {
        SweepRecord& r = out_[i];
        r = {};
        r.pair[0] = pair.a;
        r.pair[1] = pair.b;
        LivePair& p = slot_.live[live_];
        p = {};
        p.record = i;
        return p;
    }

    void begin(LivePair& p) {
        SweepRecord& r = out_[p.record];
        if (p.motion.a.is_ground || p.motion.b.is_ground) {
            const std::uint64_t distances = meet_surface(options_, p.motion, slot_.ground, r);
            slot_.totals.distances += distances;
            if (distances == 0 && r.state == SweepState::miss) ++slot_.totals.culled;
            return;
        }
        const SweepFailure failure = relate(options_, p.motion);
        if (failure != SweepFailure::none) {
            fail(r, failure, 0);
            return;
        }
        if (p.motion.a.is_plane || p.motion.b.is_plane) {
            begin_at_plane(p);
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

    void begin_at_plane(LivePair& p) {
        SweepRecord& r = out_[p.record];
        const PlaneMeeting m = meet_plane(p.motion, slot_.clearance);
        r.rounds = m.rounds;
        p.now = m.moment;
        if (m.state == SweepState::miss) {
            miss(r);
        } else if (m.state == SweepState::failed) {
            fail(r, m.failure, m.moment.fraction);
        } else {
            Mat3d frame;
            BodyD bodies[2];
            bodies_at(p.motion, p.now, bodies, frame);
            found(p, bodies, frame, at_least(std::max(0.0, m.distance + p.motion.tolerance)), m.state);
        }
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
            const Vec3d between = (m.offset + m.rotation_b * in_body(p.motion.b, p.motion.b.vertices[0])) -
                                  m.rotation_a * in_body(p.motion.a, p.motion.a.vertices[0]);
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
        const BodyD bodies[2] = {slot_.bodies[2 * std::size_t{k}], slot_.bodies[2 * std::size_t{k} + 1]};
        found(p, bodies, slot_.frames[k], slot_.margins[k], state);
    }

    void found(const LivePair& p, const BodyD (&bodies)[2], const Mat3d& frame, float margin, SweepState state) {
        SweepRecord& r = out_[p.record];
        r.state = state;
        r.fraction = p.now.fraction;
        FoundPair& f = slot_.found[found_++];
        f.bodies[0] = bodies[0];
        f.bodies[1] = bodies[1];
        f.frame = frame;
        f.margin = margin;
        f.record = p.record;
        f.of_child = p.motion.a.is_child;
        f.beside = p.now.rotation_a * p.motion.a.place.position;
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
        found_ = 0;
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
        const Vec3d from_hull = f.frame * to_double({at[0], at[1], at[2]});
        const Vec3f point = to_float(f.of_child ? from_hull + f.beside : from_hull);
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
    const SweepOptions& options_;
    SweepRecord* out_;
    SweepSlot& slot_;
    Options kernels_;
    std::uint32_t live_ = 0;
    std::uint32_t found_ = 0;
};

}  // namespace lanefold::detail
