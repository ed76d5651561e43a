// SPDX-License-Identifier: MIT
//
// Which of two hulls' edges may beat their best face until its certificate ends (coherence/certified_optima.hpp).
//
// Let the certificate be of a face of hull H with separation F and support v at the pose X0, and let O be the other
// hull. It ends at the latest where mu + |dF| = m, or where the rotation has changed by rho (spectral norm). Here mu is
// the motion of O's witnesses in H's frame, bounded by that of all of O, or by s + rho R with the motion s of v and the
// lever R (coherence/gaps.hpp). Until then an edge of either hull cannot win with an edge of the other if one of these
// holds at X0:
//
//   1. Their arcs do not cross, by a margin. They cross if four products of a normal with the other edge have certain
//      signs (search/edge_pairs.hpp). A product changes by at most rho times the length of the edge.
//   2. x + c < F - m. Here x is the separation of their lines along the normal n of both, which points from A to B;
//      c = 2 rho |d| / sin + rho max(|b - v| - R, 0); d leads from the line of H's edge to the nearest point b of O's;
//      sin is of their angle.
//   3. x + c < x' - c' - 2 m. Here x' and c' are those of an incumbent, two edges whose arcs cross at X0, by the margin
//      of 1., so that they still do at X1.
//
// For 2., in H's frame: the cross product of the directions changes by at most rho, so its own direction n by at most 2
// rho / sin. The line of H's edge does not move; b moves by all of O's motion at most, and by s + rho |b - v| at most,
// so by m - |dF| + rho max(|b - v| - R, 0). The separation along the new normal n' is n' . (b' - a) for any point a of
// that line, so it differs from x = n . (b - a) by at most |n' - n| |d| + |b' - b|. F changes by dF. Which of the two
// normals points from A to B depends on the signs of 1.; the rule must hold for each that is possible.
//
// For 3., x' falls by as much as x may rise, so at X1 the incumbent is above the others. A search there combines its
// edges, unless an arc test or the rule of rims leaves one of them out; then the best face is not below the incumbent,
// up to rounding, and above the others, too. Full supports may lower the incumbent's value only where it ties with the
// best face, which is then above the others, because sigma exceeds kTiedReach: edges that come near to doubtful ones
// (search/edge_pairs.hpp) are no incumbents.
//
// Rounding, in size A + size B, where sin is at least kLeastSine: a normal is off by 4e-7 / sin, so x by 8e-6 at X0 and
// at X1, where b - a is twice that long at most, F by 1e-6; sigma is 32e-6. Products of unit normals and edges are off
// by 1e-6 of the edge's length, each pose's rotation by 1e-6: kTurnRoom.
#pragma once

#include "coherence/certificates.hpp"
#include "search/edge_pairs.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Rounding of a rotation and of the products with it; a larger one keeps more edges.
inline constexpr float kTurnRoom = 4e-6F;
// Edges at a smaller angle are kept: their normal turns too fast.
inline constexpr float kLeastSine = 0.1F;
// Listed edges of either hull, as many as a mask of 64 bits has, and combinations that are tried.
inline constexpr std::uint32_t kMostTriedEdges = 64;
inline constexpr std::uint32_t kMostTriedPairs = 512;

// How far a pair may move before its certificate ends, in two points of 16 bytes.
struct alignas(32) MotionBudget {
    float support[3];  // v in A's frame
    float lever;       // R
    float turn;        // rho
    float face_on_b;   // 1 or 0
    float own;         // m
    float sigma;       // rounding, see coherence/certified_optima.hpp
};

// The part of a combination that its bounds need, lanes = combinations.
struct LaneBudget {
    WVec3 support;
    WFloat lever, turn;
    WMask face_on_b;

    template <class Rows>
    LANEFOLD_INLINE static LaneBudget load(const Rows& rows) {
        WFloat p[4], q[4];
        load_rows4(rows, p);
        load_rows4(rows, q, 4);
        return {{p[0], p[1], p[2]}, p[3], q[0], q[1] > splat(0.0F)};
    }
};

// Lanes whose arcs do not come to cross, and lanes whose arcs cross until the certificate ends: with the normal
// ea x eb, and with its opposite.
struct ArcRelation {
    WMask never_along, never_against;
    WMask always_along, always_against;
};

LANEFOLD_INLINE ArcRelation relation_of_arcs(const LaneEdgeA& a, const LaneEdgeB& b, WFloat length_a, WFloat length_b,
                                             WFloat turn) {
    const WFloat room_a = length_a * turn;
    const WFloat room_b = length_b * turn;
    const ArcProducts p(a, b);
    const WMask y0_below = negate(p.y0) > room_b;
    const WMask y0_above = p.y0 > room_b;
    const WMask y1_below = negate(p.y1) > room_b;
    const WMask y1_above = p.y1 > room_b;
    const WMask x0_below = negate(p.x0) > room_a;
    const WMask x0_above = p.x0 > room_a;
    const WMask x1_below = negate(p.x1) > room_a;
    const WMask x1_above = p.x1 > room_a;
    return {(y0_below | y1_above) | (x0_below | x1_above), (y0_above | y1_below) | (x0_above | x1_below),
            (y0_above & y1_below) & (x0_above & x1_below), (y0_below & y1_above) & (x0_below & x1_above)};
}

// The point of the other hull's edge that is nearest to the line of the face's hull, and its distance from there.
// `face_on_b`: whose is whose.
struct LineToEdge {
    WVec3 point;
    WFloat distance;

    LANEFOLD_INLINE LineToEdge(const LaneEdgeA& a, const LaneEdgeB& b, WMask face_on_b) {
        const WVec3 between = b.vertex - a.vertex;
        const ClosestParameters at = closest_parameters(a.along, b.along, between);
        const WFloat t = clamp01(select(face_on_b, at.a, at.b) / at.det);
        const WVec3 line = select(face_on_b, b.along, a.along);
        point = select(face_on_b, a.vertex, b.vertex) + select(face_on_b, a.along, b.along) * t;
        const WVec3 d = point - select(face_on_b, b.vertex, a.vertex);
        const WVec3 across = d - line * (dot(d, line) / dot(line, line));
        distance = sqrt(dot(across, across));
    }
};

// Bounds of the separation of two edges' axis until the certificate ends, lanes = combinations.
struct EdgeBounds {
    WFloat most;   // at most this and m; kHighest: not known
    WFloat least;  // the axis is there and not doubtful, and at least this less m; kLowest: not known
};

LANEFOLD_INLINE EdgeBounds edge_bounds(const LaneEdgeA& a, const LaneEdgeB& b, const LaneBudget& budget) {
    const WFloat a2 = dot(a.along, a.along);
    const WFloat b2 = dot(b.along, b.along);
    const WFloat& turn = budget.turn;
    const ArcRelation arcs = relation_of_arcs(a, b, sqrt(a2), sqrt(b2), turn);
    const WVec3 c = cross(a.along, b.along);
    const WFloat c2 = dot(c, c);
    const WFloat sine = sqrt(c2 / (a2 * b2));
    const WMask steady = (sine >= splat(kLeastSine)) & (sine >= splat(4.0F) * turn);
    const WFloat x = edge_axis(c, a.along, b.vertex - a.vertex).value;
    const LineToEdge nearest(a, b, budget.face_on_b);
    const WVec3 arm = nearest.point - budget.support;
    const WFloat beyond = max(sqrt(dot(arm, arm)) - budget.lever, splat(0.0F));
    const WFloat change = (splat(2.0F) / sine * nearest.distance + beyond) * turn;
    const WFloat lowest = splat(kLowest);
    const WFloat most =
        max(select(arcs.never_along, lowest, x + change), select(arcs.never_against, lowest, change - x));
    // By twice of what is doubtful: c changes by a fourth at most.
    const WMask plain = c2 > max(a2, b2) * (b.mean_size * b.mean_size * splat(2.0F * kDoubtfulReach2));
    const WFloat least = select(arcs.always_along, x - change, select(arcs.always_against, negate(x) - change, lowest));
    return {select(steady | (arcs.never_along & arcs.never_against), most, splat(kHighest)),
            select(steady & plain, least, lowest)};
}

// The bounds of listed combinations, in the order of their list.
struct ListedBounds {
    alignas(64) float most[kCombinations + kBlockLanes];
    alignas(64) float least[kCombinations + kBlockLanes];
};

// Computes the bounds of all listed combinations of edges, whose rows are written. `motion`: of the members.
inline void bound_combinations(const EdgeScratch& edges, const MotionBudget* motion, ListedBounds& bounds) {
    const EdgePairList& list = edges.combinations;
    for (std::uint32_t k = 0; k < list.count; k += kWidth) {
        const std::uint32_t lanes = lane_count(list.count, k);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const float* rows_a[kWidth];
        const float* rows_b[kWidth];
        const float* budgets[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            // The last combination again in lanes past the end.
            const std::uint32_t at = k + (l < lanes ? l : lanes - 1);
            rows_a[l] = edges.a.rows[list.a[at]].n0;
            rows_b[l] = edges.b.rows[list.b[at]].along;
            budgets[l] = motion[edges.a.member[list.a[at]]].support;
        }
        const EdgeBounds of = edge_bounds(LaneEdgeA::load(rows_a), LaneEdgeB::load(rows_b), LaneBudget::load(budgets));
        of.most.store(bounds.most + k);
        of.least.store(bounds.least + k);
    }
}

// Edges of a pair, by their places in its job.
struct EdgePlaces {
    std::uint64_t of_a;
    std::uint64_t of_b;
};

// The edges of a job that may beat the best face, `value` apart. Its combinations are listed from place `first` on, for
// each edge of A all of B.
inline EdgePlaces edges_that_may_win(const ListedBounds& bounds, std::uint32_t first, const EdgeJob& job,
                                     const MotionBudget& motion, float value) {
    const float* least = bounds.least + first;
    const float* most = bounds.most + first;
    const std::uint32_t count = job.count_a * job.count_b;
    float incumbent = kLowest;
    for (std::uint32_t k = 0; k < count; ++k) incumbent = incumbent < least[k] ? least[k] : incumbent;
    const float by_incumbent = incumbent - (motion.own + motion.own) - motion.sigma;
    const float by_face = value - motion.own - motion.sigma;
    const float limit = by_face < by_incumbent ? by_incumbent : by_face;
    EdgePlaces kept = {0, 0};
    for (std::uint32_t a = 0; a < job.count_a; ++a) {
        std::uint64_t any = 0;
        for (std::uint32_t b = 0; b < job.count_b; ++b)
            any |= static_cast<std::uint64_t>(*most++ < limit ? 0U : 1U) << b;
        kept.of_b |= any;
        kept.of_a |= static_cast<std::uint64_t>(any != 0 ? 1U : 0U) << a;
    }
    return kept;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
