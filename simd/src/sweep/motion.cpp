// SPDX-License-Identifier: MIT
//
// See the header.
#include "sweep/motion.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <lanefold/detail/compound_block.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/round.hpp>
#include <lanefold/detail/turn.hpp>

namespace lanefold::detail {
namespace {

// Roundings of one float64 operation that a separation collects, relative to the lengths that it is made of: turns,
// supports and sums are some thirty operations. More only widens the slack.
constexpr double kRoundings = 128 * 0x1p-53;
// Lengths beyond this are refused, because products of three of them would leave float64.
constexpr double kLongest = 1e100;
// A hull's record has centre and radius in float32.
constexpr double kRecordRounding = 1e-6;
// How far rounding an orientation to float32 moves a point, relative to its lever: four components of half a unit of
// 2^-24 each, twice in a rotation.
constexpr double kOrientationRounding = 2.5e-7;
// Half a unit of float32, for distances that are rounded to it.
constexpr double kFloatRounding = 6e-8;

bool turn_by(const Vec3d& spin, BodyMotion& out) {
    const double most = std::max({std::fabs(spin.x), std::fabs(spin.y), std::fabs(spin.z)});
    if (most > kLargestTurn) return false;
    if (most < 1e-150) return true;  // its square would leave float64; it moves nothing
    out.angle = length(spin);
    out.axis = spin * (1.0 / out.angle);
    return out.angle <= kLargestTurn;
}

Vec3d centre_of(const HullRecord& hull) { return to_double({hull.centre[0], hull.centre[1], hull.centre[2]}); }

// A sphere that contains the core whenever: its centre moves on the line of the position, beside it by `beside`.
struct Sphere {
    Vec3d beside;
    double radius;
};

Sphere sphere_of(const BodyMotion& body) {
    const Vec3d own = centre_of(*body.hull);
    const Vec3d local = body.is_child ? body.place.rotation * own + body.place.position : own;
    const Vec3d centre = body.rotation * local;
    const double radius =
        static_cast<double>(body.hull->radius) * (1.0 + kRecordRounding) + kRecordRounding * length(own);
    if (body.angle == 0) return {centre, radius};
    const Vec3d along = body.axis * dot(body.axis, centre);
    return {along, length(centre - along) + radius};
}

// No point of a hull whose centre is there is further from the origin.
double lever_about(const HullRecord& hull, const Vec3d& centre) {
    return (length(centre) + static_cast<double>(hull.radius)) * (1.0 + kRecordRounding);
}

bool is_short(const Vec3d& v) {
    return std::fabs(v.x) < kLongest && std::fabs(v.y) < kLongest && std::fabs(v.z) < kLongest;
}

// The levers of rounded orientations: of the body that turns in the frame of the other, and of children.
double rounded_levers(const PairMotion& pair) {
    const bool turns = pair.a.angle != 0 || pair.b.angle != 0;
    double lever = turns ? std::min(pair.a.own_lever, pair.b.own_lever) : 0;
    if (pair.a.is_plane) lever = turns ? pair.b.own_lever : 0;
    if (pair.b.is_plane) lever = turns ? pair.a.own_lever : 0;
    for (const BodyMotion* body : {&pair.a, &pair.b}) lever += body->is_child ? body->own_lever : 0;
    return lever;
}

double accuracy_of(const PairMotion& pair) {
    const HullRecord& a = pair.a.is_plane ? *pair.b.hull : *pair.a.hull;
    const HullRecord& b = pair.b.is_plane ? *pair.a.hull : *pair.b.hull;
    const double size_a = rounded_size(a);
    const double size_b = rounded_size(b);
    const bool far_larger = is_far_larger(a, b) || is_far_larger(b, a);
    const double unit = far_larger ? std::min(size_a, size_b) : std::max(size_a, size_b);
    return (kDistanceTolerance * unit + kOrientationRounding * rounded_levers(pair)) +
           kFloatRounding * (2 * pair.target + unit);
}

}  // namespace

MotionProblem read_motion(const Motions& motions, std::uint32_t body, BodyMotion& out) {
    const BodyD first = read_body(*motions.begin, body);
    const BodyD last = read_body(*motions.end, body);
    if (first.hull >= motions.hulls->size() || !motions.hulls->contains(first.hull)) return {Status::bad_hull, {}};
    const bool spins = !motions.spins.empty();
    out = {};
    out.position = position_of(first);
    const Vec3d position = position_of(last);
    const bool finite = is_finite(out.position) && is_finite(position) && (!spins || is_finite(motions.spins[body]));
    Quat end;
    if (!finite || !normalize(first.orientation, out.first)) return {Status::bad_pose, {}};
    if (!spins && !normalize(last.orientation, end)) return {Status::bad_pose, {}};
    out.hull = &(*motions.hulls)[first.hull];
    out.hull_id = first.hull;
    out.is_ground = is_surface(*out.hull);
    if (!is_compound(*out.hull) && !out.is_ground) out.vertices = motions.hulls->vertices(first.hull);
    std::memcpy(out.given, first.orientation, sizeof out.given);
    out.rotation = rotation(out.first);
    out.shift = position - out.position;
    if (!is_short(out.shift)) return {Status::ok, SweepFailure::range};
    if (!spins) {
        const Turn turn = shorter_turn(out.first, end);
        out.axis = turn.axis;
        out.angle = turn.angle;
    } else if (!turn_by(motions.spins[body], out)) {
        return {Status::ok, SweepFailure::range};
    }
    out.spin = out.axis * out.angle;
    if (out.is_ground) return {};
    if (is_half_space(*out.hull)) {
        const HalfSpaceBlock& block = half_space_block(*out.hull);
        out.is_plane = true;
        out.plane = {{block.normal[0], block.normal[1], block.normal[2]}, block.offset};
        out.lever = std::fabs(block.offset);
    } else {
        out.lever = lever_about(*out.hull, centre_of(*out.hull));
    }
    out.own_lever = out.lever;
    return {};
}

bool moves_children(const BodyMotion& body) { return is_compound(*body.hull); }

BodyMotion child_motion(const HullSet& hulls, const BodyMotion& compound, std::uint32_t child) {
    const StoredChild& stored = children_of(*compound.hull)[child];
    const BodyD placed = place_child(stored, compound.hull_id, BodyTurn(compound.given), {});
    BodyMotion out = compound;
    out.is_child = true;
    out.hull_id = placed.hull;
    out.hull = &hulls[placed.hull];
    out.vertices = hulls.vertices(placed.hull);
    Quat turn;
    normalize(stored.orientation, turn);  // the builder has checked it
    out.place.rotation = lanefold::rotation(turn);
    out.place.position = {stored.position[0], stored.position[1], stored.position[2]};
    out.place.first = position_of(placed);
    out.first = product(compound.first, turn);
    std::memcpy(out.given, placed.orientation, sizeof out.given);
    out.lever = lever_about(*out.hull, in_body(out, {out.hull->centre[0], out.hull->centre[1], out.hull->centre[2]}));
    out.own_lever = lever_about(*out.hull, centre_of(*out.hull));
    return out;
}

MotionProblem read_pair(const Motions& motions, const Pair& pair, PairMotion& out) {
    const std::size_t count = motions.begin->count;
    if (pair.a >= count || pair.b >= count || pair.a == pair.b) return {Status::bad_index, {}};
    const MotionProblem a = read_motion(motions, pair.a, out.a);
    const MotionProblem b = read_motion(motions, pair.b, out.b);
    // The order in which collide() names what is wrong: a hull before a pose.
    if (a.status == Status::bad_hull || b.status == Status::bad_hull) return {Status::bad_hull, {}};
    if (a.status != Status::ok || b.status != Status::ok) return {Status::bad_pose, {}};
    if (a.failure != SweepFailure::none) return a;
    if (b.failure != SweepFailure::none) return b;
    out.offset = out.b.position - out.a.position;
    out.shift = out.b.shift - out.a.shift;
    return {Status::ok, is_short(out.offset) ? SweepFailure::none : SweepFailure::range};
}

SweepFailure relate(const SweepOptions& options, PairMotion& out) {
    if (out.a.is_plane && out.b.is_plane) return SweepFailure::shape;
    out.radii = static_cast<double>(out.a.hull->round_radius) + static_cast<double>(out.b.hull->round_radius);
    out.target = static_cast<double>(options.target) + out.radii;
    const double lengths =
        ((length(out.offset) + length(out.a.shift)) + length(out.b.shift)) + ((out.a.lever + out.b.lever) + out.target);
    out.slack = kRoundings * lengths * ((1.0 + out.a.angle) + out.b.angle);
    out.accuracy = accuracy_of(out);
    const double smaller =
        std::min(rounded_size(*out.a.hull), rounded_size(*out.b.hull));  // a half-space's is infinite
    out.tolerance = std::max(static_cast<double>(options.tolerance) * smaller, kAccuraciesInTolerance * out.accuracy);
    return SweepFailure::none;
}

Quat turn_in(const BodyMotion& body, double fraction) { return part_of({body.axis, body.angle}, fraction); }

Moment moment_at(const PairMotion& pair, double fraction) {
    Moment m;
    m.fraction = fraction;
    m.offset = pair.offset + pair.shift * fraction;
    m.turn_a = turn_in(pair.a, fraction);
    m.turn_b = turn_in(pair.b, fraction);
    m.rotation_a = pair.a.angle == 0 ? pair.a.rotation : rotation(m.turn_a) * pair.a.rotation;
    m.rotation_b = pair.b.angle == 0 ? pair.b.rotation : rotation(m.turn_b) * pair.b.rotation;
    return m;
}

void bodies_at(const PairMotion& pair, const Moment& moment, BodyD (&bodies)[2], Mat3d& frame) {
    const bool a_stays = pair.a.is_plane || (!pair.b.is_plane && pair.a.own_lever >= pair.b.own_lever);
    const BodyMotion& stays = a_stays ? pair.a : pair.b;
    const BodyMotion& moves = a_stays ? pair.b : pair.a;
    const Quat& turn = a_stays ? moment.turn_a : moment.turn_b;
    const Quat& other_turn = a_stays ? moment.turn_b : moment.turn_a;
    frame = rotation(turn);
    Vec3d between = a_stays ? moment.offset : -moment.offset;
    if (moves.is_child) between = between + (a_stays ? moment.rotation_b : moment.rotation_a) * moves.place.position;
    const Vec3d place = transpose_times(frame, between);
    BodyD& at_origin = bodies[a_stays ? 0 : 1];
    BodyD& other = bodies[a_stays ? 1 : 0];
    at_origin = {};
    other = {};
    at_origin.hull = stays.hull_id;
    other.hull = moves.hull_id;
    std::memcpy(at_origin.orientation, stays.given, sizeof stays.given);
    std::memcpy(other.orientation, moves.given, sizeof moves.given);
    if (pair.a.angle != 0 || pair.b.angle != 0) {
        const Quat q = product(inverse(turn), product(other_turn, moves.first));
        const double parts[4] = {q.x, q.y, q.z, q.w};
        for (int k = 0; k < 4; ++k) other.orientation[k] = static_cast<float>(parts[k]);
    }
    const double parts[3] = {place.x, place.y, place.z};
    std::memcpy(other.position, parts, sizeof parts);
    if (!stays.is_child) return;
    const double origin[3] = {stays.place.first.x, stays.place.first.y, stays.place.first.z};
    std::memcpy(at_origin.position, origin, sizeof origin);
}

Window find_window(const PairMotion& pair) {
    const Sphere a = sphere_of(pair.a);
    const Sphere b = sphere_of(pair.b);
    const Vec3d from = (pair.offset + b.beside) - a.beside;
    const double reach = ((a.radius + b.radius) + pair.target) + pair.slack;
    return time_within(from, pair.shift, reach);
}

}  // namespace lanefold::detail
