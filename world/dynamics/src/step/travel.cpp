// SPDX-License-Identifier: MIT
//
// See the header.
#include "step/travel.hpp"

#include <cmath>

#include <lanefold/detail/angles.hpp>

namespace lanefold::detail {
namespace {

Vec3d vector(const float* v) { return to_double({v[0], v[1], v[2]}); }

// A rotation in float32, as turn rows and path rows have it.
Quat turn_of(const float* q) { return unit(quaternion(q)); }

// Ends the last leg at a place, and begins the next one there.
void add_leg(Legs& legs, double end, const CentrePose& place) {
    Leg& leg = legs.leg[legs.count++];
    leg.end = end;
    leg.shift = place.centre - leg.first.centre;
    Quat turn = after(place.turn, opposite(leg.first.turn));
    if (turn.w < 0) turn = {-turn.x, -turn.y, -turn.z, -turn.w};
    const Vec3d u{turn.x, turn.y, turn.z};
    const double sine = length(u);
    leg.angle = sine > 0 ? 2 * portable_atan(sine / turn.w) : 0;
    leg.axis = sine > 0 ? u * (1 / sine) : Vec3d{0, 0, 0};
    if (legs.count == legs.leg.size()) return;
    legs.leg[legs.count].begin = end;
    legs.leg[legs.count].first = place;
}

}  // namespace

Quat unit(const Quat& q) {
    const double n = std::sqrt((q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w));
    return {q.x / n, q.y / n, q.z / n, q.w / n};
}

Quat opposite(const Quat& q) { return {-q.x, -q.y, -q.z, q.w}; }

void find_legs(const Bodies& bodies, const BodyPaths& paths, std::uint32_t body, Legs& out) {
    const CentrePose first{bodies.centre(body), bodies.orientation(body)};
    const auto moved = [&](const float* dp, const float* dq) {
        return CentrePose{first.centre + vector(dp), unit(after(turn_of(dq), first.turn))};
    };
    out.count = 0;
    out.leg[0].begin = 0;
    out.leg[0].first = first;
    const std::span<const PathRow> rows = paths.rows.subspan(std::size_t{body} * paths.moments, paths.moments);
    for (std::uint32_t k = 0; k < paths.moments; ++k) {
        const std::uint32_t substeps = (k + 1) * paths.stride;
        if (rows[k].run != paths.run || substeps >= paths.substeps) continue;
        add_leg(out, static_cast<double>(substeps) / paths.substeps, moved(rows[k].dp, rows[k].dq));
    }
    const TurnRow& last = bodies.turn(body);
    add_leg(out, 1, moved(last.dp, last.dq));
}

const Leg& leg_at(std::span<const Leg> legs, double fraction) {
    std::size_t k = 0;
    while (k + 1 < legs.size() && legs[k].end <= fraction) ++k;
    return legs[k];
}

CentrePose place_at(std::span<const Leg> legs, double fraction) {
    const Leg& leg = leg_at(legs, fraction);
    const double part = (fraction - leg.begin) / (leg.end - leg.begin);
    CentrePose p{leg.first.centre + leg.shift * part, leg.first.turn};
    if (leg.angle == 0) return p;
    const SineCosine half = portable_sin_cos(0.5 * (leg.angle * part));
    const Vec3d u = leg.axis * half.sine;
    p.turn = unit(after({u.x, u.y, u.z, half.cosine}, p.turn));
    return p;
}

CentrePose carried(const CentrePose& from, const CentrePose& to, const CentrePose& with) {
    const Quat turn = after(to.turn, opposite(from.turn));
    return {to.centre + rotation(turn) * (with.centre - from.centre), unit(after(turn, with.turn))};
}

}  // namespace lanefold::detail
