// SPDX-License-Identifier: MIT
//
// The exact convex hull comes first, by monotone chains (A. M. Andrew, 1979). Then its corners are selected as in the
// simplification of curves by D. H. Douglas and T. K. Peucker (1973): from two corners far apart, each side takes the
// corner furthest outside of it as long as that is outside by more than the tolerance. So the far ends of a patch stay,
// however narrow it is, and no selection depends on the order in which rounding puts a row of corners.

#include "precise/outline.hpp"

#include <algorithm>
#include <cstddef>

#include <lanefold/detail/plane_hull.hpp>

namespace lanefold::detail {

namespace {

using Corners = std::vector<OutlineCorner>;

double squared_distance(const OutlineCorner& p, const OutlineCorner& q) {
    return (q.u - p.u) * (q.u - p.u) + (q.v - p.v) * (q.v - p.v);
}

std::size_t furthest_from(const Corners& corners, const OutlineCorner& p) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < corners.size(); ++k) {
        if (squared_distance(p, corners[k]) > squared_distance(p, corners[best])) best = k;
    }
    return best;
}

// Takes corners of the hull between those of the numbers `from` and `to`, which go around more than once.
void take_between(const Corners& hull, std::size_t from, std::size_t to, double tolerance2, Corners& out) {
    const auto at = [&](std::size_t k) -> const OutlineCorner& { return hull[k % hull.size()]; };
    const OutlineCorner& p = at(from);
    const OutlineCorner& q = at(to);
    std::size_t best = from;
    double outside = 0;
    for (std::size_t k = from + 1; k < to; ++k) {
        const double t = -turn(p, q, at(k).u, at(k).v);
        if (t <= outside) continue;
        outside = t;
        best = k;
    }
    if (outside * outside <= tolerance2 * squared_distance(p, q)) return;
    take_between(hull, from, best, tolerance2, out);
    out.push_back(at(best));
    take_between(hull, best, to, tolerance2, out);
}

void drop_straight(Corners& out, double tolerance2) {
    for (std::size_t k = 0; k < out.size() && out.size() > 3;) {
        const OutlineCorner& p = out[k > 0 ? k - 1 : out.size() - 1];
        const OutlineCorner& q = out[k + 1 < out.size() ? k + 1 : 0];
        const double t = turn(p, out[k], q.u, q.v);
        if (t > 0 && t * t > tolerance2 * squared_distance(p, q)) {
            ++k;
        } else {
            out.erase(out.begin() + static_cast<std::ptrdiff_t>(k));
        }
    }
}

// Begins at the lowest u within the tolerance, then the lowest v.
void turn_to_first(Corners& out, double tolerance) {
    double lowest = out.front().u;
    for (const OutlineCorner& c : out) lowest = std::min(lowest, c.u);
    std::size_t first = out.size();
    for (std::size_t k = 0; k < out.size(); ++k) {
        if (out[k].u <= lowest + tolerance && (first == out.size() || out[k].v < out[first].v)) first = k;
    }
    std::rotate(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
}

void raise_to_highest(const Corners& corners, double tolerance2, Corners& out) {
    for (OutlineCorner& place : out) {
        const OutlineCorner selected = place;
        for (const OutlineCorner& c : corners) {
            if (c.height <= place.height || squared_distance(selected, c) > tolerance2) continue;
            const auto is_c = [&](const OutlineCorner& o) { return o.vertex == c.vertex; };
            if (std::none_of(out.begin(), out.end(), is_c)) place = c;
        }
    }
}

}  // namespace

void make_outline(const Corners& corners, double tolerance, Corners& hull, Corners& out) {
    const double tolerance2 = tolerance * tolerance;
    hull.resize(2 * corners.size());
    hull.resize(plane_hull(corners.data(), corners.size(), hull.data(),
                           [](const OutlineCorner& p, const OutlineCorner& q, const OutlineCorner& r) {
                               return turn(p, q, r.u, r.v) > 0;
                           }));
    out.clear();
    const std::size_t one = furthest_from(hull, hull.front());
    const std::size_t two = furthest_from(hull, hull[one]);
    const std::size_t from = std::min(one, two);
    const std::size_t to = std::max(one, two);
    out.push_back(hull[from]);
    if (squared_distance(hull[from], hull[to]) > tolerance2) {
        take_between(hull, from, to, tolerance2, out);
        out.push_back(hull[to]);
        take_between(hull, to, from + hull.size(), tolerance2, out);
        drop_straight(out, tolerance2);
        turn_to_first(out, tolerance);
    }
    raise_to_highest(corners, tolerance2, out);
}

}  // namespace lanefold::detail
