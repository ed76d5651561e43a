// SPDX-License-Identifier: MIT
//
// Conservative advancement, triangle by triangle: each is followed to its first meeting, and the first of all counts.
// A triangle's own way depends on nothing but body and triangle, so neither the order in which they come nor triangles
// too many change a bit.
//
// A triangle that is met from behind, or at a feature that a neighbour has, is passed: it counts again once the body
// has left it by more than the tolerance. Without a turn the distance of two convex bodies is a convex function of
// time, so there is no such return.
#include <lanefold/detail/ground_sweep.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/detail/round.hpp>
#include <lanefold/limits.hpp>

#include "ground/pair.hpp"

namespace lanefold::detail {
namespace {

// Roundings of one float64 operation that a separation collects, relative to the lengths that it is made of.
constexpr double kRoundings = 128 * 0x1p-53;
// Half a unit of float32, which the records' distances are rounded to.
constexpr double kFloatRounding = 6e-8;
// Parts of the tolerance. An approach ends so far above the target that the direction between the closest points has
// sixteen digits; one whose direction is not admissible goes on until it is `kNear` above it. Rounding may take less.
constexpr double kAim = 0.5;
constexpr double kNear = 1.0 / 16;
constexpr double kNearAim = 1.0 / 32;
constexpr double kSlackInTolerance = 1.0 / 64;
// The least step through a triangle that was passed: the distance changes by no more than this on it.
constexpr double kLeastStep = 0.25;
// Distance, relative to the body, within which triangles are equally near (pair.cpp).
constexpr double kEquallyNear = 1e-9;
// Sine of an angle by which rounding may tilt the direction between closest points, with much room.
constexpr double kNearly = 1e-6;
// Sine of an angle below which two edges span no face of the difference of core and triangle.
constexpr double kParallel = 1e-9;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// No shorter way parts a core and a triangle that cuts it; less for rounding. 0 for a core without faces.
double depth(const GroundBody& body, const GroundTriangle& t) {
    if (!body.has_faces()) return 0;
    const auto depth_along = [&](const Vec3d& u) { return top_of(t.corner, u) - body.lowest(u).value; };
    double least = std::min(depth_along(t.normal()), depth_along(-t.normal()));
    for (std::uint32_t f = 0; f < body.faces(); ++f)
        least = std::min(least, top_of(t.corner, -body.normals[f]) + body.offsets[f]);
    for (const GroundEdge& e : body.edges) {
        for (int k = 0; k < 3; ++k) {
            const Vec3d side = t.corner[k == 2 ? 0 : k + 1] - t.corner[k];
            const Vec3d across = cross(e.along, side);
            const double size = length(across);
            if (!(size > kParallel * length(side))) continue;
            const Vec3d u = across * (1 / size);
            least = std::min({least, depth_along(u), depth_along(-u)});
        }
    }
    return std::max(0.0, least - kEquallyNear * body.size);
}

class GroundSweep {
public:
    GroundSweep(const GroundMotion& motion, GroundScratch& scratch)
        : motion_(motion),
          s_(scratch),
          moving_(motion, scratch.body, scratch.sweep),
          target_(motion.target + scratch.body.radius) {
        question_.thickness = motion.surface->thickness();
        const double lengths = (length(motion.position) + length(motion.shift)) +
                               ((moving_.reach() + motion.surface->largest_coordinate()) + target_);
        slack_ = kRoundings * lengths * (1.0 + (motion.angle + motion.ground_angle));
    }

    GroundMeeting run() {
        if (overlaps()) return best_;
        const double room = (target_ + motion_.tolerance) + slack_;
        const Vec3d reach = moving_.half_extent() + Vec3d{room, room, room};
        const auto visit = [](void* self, std::uint32_t t, double) {
            auto& sweep = *static_cast<GroundSweep*>(self);
            sweep.follow(t);
            return sweep.best_.fraction;
        };
        motion_.surface->along(moving_.way(), 1, visit, this, reach);
        best_.distances = distances_;
        return best_;
    }

private:
    // How a triangle lies at a fraction.
    struct Sight {
        GroundTriangle triangle;
        GroundContact contact;
        double above = 0;  // distance of the cores less the target
        bool cut = false;
    };

    bool overlaps() {
        question_.most = target_;
        solve_placed(*motion_.surface, moving_.origin(), question_, s_);
        if (s_.used == 0) return false;
        const GroundCluster& cluster = s_.clusters[0];
        GroundContact c = s_.contacts[cluster.leader];
        c.distance = cluster.distance;
        best_.state = SweepState::overlapping;
        best_.fraction = 0;
        best_.rounds = 1;
        best_.distances = 1;
        write(c, cluster.points.data(), cluster.points.size());
        return true;
    }

    // Takes the first meeting of triangle t, if it comes before that of all others.
    void follow(std::uint32_t t) {
        moving_.go_to(0);
        GroundTriangle first = GroundSurface(*motion_.surface, moving_.origin(), s_.cones).triangle(t);
        const Window w = moving_.window(first.face.corner, target_ + slack_);
        if (!w.any || w.first > best_.fraction) return;
        if (!(slack_ <= kSlackInTolerance * motion_.tolerance)) {
            fail(t, SweepFailure::accuracy, w.first);
            return;
        }
        const double cut = (target_ + slack_) + kAim * motion_.tolerance;
        const double clear = std::max(moving_.clear_time(first, first.normal(), cut, 1),
                                      moving_.clear_time(first, -first.normal(), cut, 1));
        if (clear >= 1) return;
        Way way = {t, std::max(w.first, clear), w.last};
        while (advance(way)) {
        }
        distances_ += way.rounds;
    }

    // A triangle on its way to its first meeting.
    struct Way {
        std::uint32_t triangle;
        double fraction;  // clear up to here
        double last;      // clear from here on
        std::uint32_t rounds = 0;
        bool passed = false;
    };

    // One more distance. False when the triangle is decided.
    bool advance(Way& way) {
        if (way.fraction > best_.fraction || way.fraction >= way.last) return false;
        if (way.rounds == kMostSweepRounds) {
            fail(way.triangle, SweepFailure::rounds, way.fraction, way.rounds);
            return false;
        }
        ++way.rounds;
        moving_.go_to(way.fraction);
        GroundSurface surface(*motion_.surface, moving_.origin(), s_.cones);
        question_.most = kInfinity;
        TriangleSolver solver(moving_.body(), surface, question_, s_.work);
        Sight sight;
        sight.triangle = surface.triangle(way.triangle);
        sight.cut = !solver.measure(sight.triangle, sight.contact);
        sight.above = sight.cut ? -target_ : sight.contact.distance - target_;
        if (way.fraction == 0 && (sight.cut || sight.above <= 0)) way.passed = true;
        if (way.passed && !sight.cut && sight.above > motion_.tolerance) way.passed = false;
        if (way.passed) return pass(way, sight);
        if (sight.cut) {
            fail(way.triangle, SweepFailure::accuracy, way.fraction, way.rounds);
            return false;
        }
        return approach(way, sight, solver, surface);
    }

    // The body is not at the target yet.
    bool approach(Way& way, Sight& sight, TriangleSolver& solver, GroundSurface& surface) {
        const Vec3d& u = sight.contact.axis.u;
        const bool near = sight.above <= motion_.tolerance - slack_;
        const double span = way.last - way.fraction;
        if (near) {
            const double cut = target_ + slack_;
            if (moving_.clear_time(sight.triangle, u, cut, span) >= span) return false;
            if (moving_.clear_time(sight.triangle, sight.triangle.normal(), cut, span) >= span) return false;
            if (counts(sight, solver, surface)) {
                offer(way, sight, solver);
                return false;
            }
            if (sight.above <= kNear * motion_.tolerance) return pass(way, sight);
        }
        const double aim = (near ? kNearAim : kAim) * motion_.tolerance;
        const double time = std::max(moving_.clear_time(sight.triangle, u, target_ + slack_ + aim, span),
                                     time_for(sight.above - (aim + slack_)));
        if (time >= span) return false;
        return go_on(way, time);
    }

    // The body is at the triangle, or beyond it, after a meeting that did not count: it may leave and come back.
    bool pass(Way& way, Sight& sight) {
        if (!moving_.turns()) return false;
        way.passed = true;
        const double above = sight.cut ? -target_ - depth(moving_.body(), sight.triangle) : sight.above;
        const double left = motion_.tolerance - above;
        double time = time_for(std::max(left - slack_, kLeastStep * motion_.tolerance));
        if (sight.above > 0) {
            // A body that stays above the target does not come down to it.
            const double span = way.last - way.fraction;
            time = std::max(time, moving_.clear_time(sight.triangle, sight.contact.axis.u, target_ + slack_, span));
        }
        return go_on(way, time);
    }

    bool go_on(Way& way, double time) {
        const double next = way.fraction + time;
        if (!(next > way.fraction)) {
            fail(way.triangle, SweepFailure::accuracy, way.fraction, way.rounds);
            return false;
        }
        way.fraction = next;
        return true;
    }

    // The time in which no point of the body moves by more than a length.
    double time_for(double length) const {
        if (length <= 0) return 0;
        return moving_.fastest() > length ? length / moving_.fastest() : 1;
    }

    // Whether a triangle at the target is met.
    bool counts(Sight& sight, TriangleSolver& solver, const GroundSurface& surface) {
        if (solver.has_thickness() && solver.is_too_deep(sight.triangle)) return false;
        solver.admit(sight.triangle, sight.contact);
        if (sight.contact.place != GroundPlace::refused) return sight.contact.place == GroundPlace::apart;
        // Rounding may refuse the nearest triangle, and nothing may fall between two.
        const TriangleFeature feature = solver.closest().triangle;
        return is_nearly_admitted(sight, feature, surface) && !is_a_neighbours(sight, feature, solver, surface);
    }

    // Whether the direction is that of the feature but for rounding.
    bool is_nearly_admitted(const Sight& sight, const TriangleFeature& feature, const GroundSurface& surface) const {
        const GroundTriangle& t = sight.triangle;
        const Vec3d& u = sight.contact.axis.u;
        const auto is = [&](const Vec3d& n) { return dot(u, n) > 0 && length(cross(u, n)) <= kNearly; };
        if (is(t.normal())) return true;
        if (feature.type == FeatureType::face) return false;
        if (feature.type == FeatureType::vertex)
            return surface.view().in_cone(t.face.vertex[feature.index], u, kNearly * moving_.body().size);
        const SurfaceEdge& e = t.face.edge[feature.index];
        if (e.kind == EdgeKind::flat || e.kind == EdgeKind::concave) return is(e.arc_end);
        const Vec3d& side = t.side[feature.index];
        return dot(side, cross(t.normal(), u)) >= -kNearly && dot(side, cross(u, e.arc_end)) >= -kNearly;
    }

    // Whether one that shares the feature is nearer, or sees the body from behind.
    bool is_a_neighbours(const Sight& sight, TriangleFeature feature, TriangleSolver& solver,
                         const GroundSurface& surface) {
        const double equal = kEquallyNear * moving_.body().size;
        const auto has = [&](std::uint32_t other) {
            GroundTriangle triangle = surface.triangle(other);
            GroundContact contact;
            if (!solver.measure(triangle, contact)) return true;
            if (contact.nearest < sight.contact.nearest - equal) return true;
            if (contact.nearest > sight.contact.nearest + equal) return false;
            solver.admit(triangle, contact);
            return contact.place == GroundPlace::behind;
        };
        const std::uint32_t t = sight.triangle.number;
        if (feature.type == FeatureType::face) return false;
        if (feature.type == FeatureType::edge) {
            const std::uint32_t half = surface.view().opposite(t, feature.index);
            return half != kNoNeighbour && has(half / 3);
        }
        // A copy: admission asks for fans, too.
        s_.sweep.fan = GroundSurface(*motion_.surface, moving_.origin(), s_.cones).fan(t, feature.index);
        return std::any_of(s_.sweep.fan.begin(), s_.sweep.fan.end(),
                           [&](std::uint32_t other) { return other != t && has(other); });
    }

    // Whether something at a fraction comes before the best so far; hits before failures, then the lower triangle.
    bool is_first(double fraction, SweepState state, std::uint32_t t) const {
        if (best_.state == SweepState::miss || fraction < best_.fraction) return true;
        if (fraction > best_.fraction) return false;
        if (state != best_.state) return state == SweepState::hit;
        return t < best_.triangle;
    }

    void offer(const Way& way, Sight& sight, TriangleSolver& solver) {
        if (!is_first(way.fraction, SweepState::hit, way.triangle)) return;
        best_ = {};
        best_.state = SweepState::hit;
        best_.fraction = way.fraction;
        best_.rounds = way.rounds;
        s_.points.clear();
        s_.work.clip.has_core = false;
        solver.accept(sight.triangle, sight.contact, s_.points);
        write(sight.contact, s_.points.data() + sight.contact.first, sight.contact.count);
    }

    void fail(std::uint32_t t, SweepFailure why, double fraction, std::uint32_t rounds = 0) {
        if (!is_first(fraction, SweepState::failed, t)) return;
        best_ = {};
        best_.state = SweepState::failed;
        best_.failure = why;
        best_.fraction = fraction;
        best_.rounds = rounds;
        best_.triangle = t;
    }

    void write(const GroundContact& c, const GroundPoint* points, std::size_t count) {
        best_.triangle = c.triangle;
        best_.feature_body = c.feature_body;
        best_.feature_surface = c.feature_surface;
        best_.kind = c.kind;
        best_.normal = c.axis.u;
        best_.distance = c.distance - moving_.body().radius;
        std::size_t deepest = 0;
        for (std::size_t i = 1; i < count; ++i) {
            if (points[i].separation < points[deepest].separation) deepest = i;
        }
        // Midway between the surfaces: the core's is further out by the radius.
        best_.point = (points[deepest].middle - c.axis.u * (0.5 * moving_.body().radius)) + moving_.lever();
    }

    const GroundMotion& motion_;
    GroundScratch& s_;
    MovingBody moving_;
    double target_;  // of the cores
    double slack_ = 0;
    GroundQuestion question_;
    GroundMeeting best_;
    std::uint64_t distances_ = 0;
};

}  // namespace

double ground_accuracy(double size, double target) {
    return kDistanceTolerance * size + kFloatRounding * (2 * target + size);
}

GroundMeeting meet_ground(const GroundMotion& motion, GroundMemory& memory) {
    return GroundSweep(motion, memory.scratch()).run();
}

}  // namespace lanefold::detail
