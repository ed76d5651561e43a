// SPDX-License-Identifier: MIT
//
// Segments and points of a small core or of a hull's edges, where two of them come closest, and the points that two
// parallel ones share.
#pragma once

#include <cstdint>

#include <lanefold/feature.hpp>

#include "precise/memory.hpp"
#include "precise/outcome.hpp"
#include "precise/problem.hpp"

namespace lanefold::detail {

// A segment from + along * t, t from 0 to 1, or a point, whose `along` is zero, with the features of its hull.
struct Bar {
    Vec3d from;
    Vec3d along;
    FeatureCounts counts;
    std::uint32_t edge = 0;
    std::uint32_t vertex[2] = {};

    Vec3d at(double t) const { return from + along * t; }
    bool is_point() const { return along.x == 0 && along.y == 0 && along.z == 0; }
    // The parameter of the point nearest to x.
    double nearest(const Vec3d& x) const;
    // The feature at a parameter.
    Feature feature(double t) const;
    std::uint32_t number(double t) const { return feature_number(counts, feature(t)); }
};

// The bar of a small core, in its local frame, or turned by a pose.
Bar small_bar(const Solid& small);
Bar placed_bar(const PoseD& pose, const Bar& bar);
// An edge of a hull.
Bar edge_bar(const Solid& hull, std::uint32_t edge);

// The closest points of two bars.
struct Meeting {
    double s = 0;
    double t = 0;
    Vec3d p;
    Vec3d q;
    double distance = 0;
    Vec3d normal;  // from p to q, unit; zero where rounding leaves no direction
};
Meeting closest_on_bars(const Bar& a, const Bar& b);

// A direction perpendicular to both bars, from the first to the second, for bars that meet, where none is given by
// their closest points. `apart`: from the middle of the first to that of the second. All in the frame of hull A, with
// which the direction turns: coincident points take its x axis; crossing segments the cross product of their
// directions, on the side of `apart`; all others the perpendicular of the direction's smallest component.
Vec3d direction_of_meeting(const Bar& a, const Bar& b, const Vec3d& apart, double rounding);

// Takes contacts of a host (a hull, or the small core of A) and a guest (the other one) into records. All arguments are
// in the host's local frame; `normal` points from host to guest.
class ContactTaker {
public:
    ContactTaker(const Problem& p, PreciseScratch::Impl& memory, bool host_is_b)
        : p_(p), memory_(memory), host_is_b_(host_is_b) {}

    void begin(Outcome& r, const Vec3d& normal, double distance) const;
    void add(const Vec3d& middle, double separation, std::uint32_t host_number, std::uint32_t guest_number) const;
    void name(Outcome& r, const Feature& host, const Feature& guest) const;

    // One point between the closest points of two bars.
    void take_meeting(const Bar& host, const Bar& guest, const Meeting& m, const Vec3d& normal, double distance,
                      Outcome& r) const;
    // Two points at the ends of the part that two parallel bars have beside each other. False if they are not parallel
    // within the tolerance of a point, or have no such part, or one end is beyond the margin.
    bool take_common_part(const Bar& host, const Bar& guest, const Vec3d& normal, double distance, Outcome& r) const;

    std::vector<ClipPoint>& points() const { return memory_.points; }

private:
    const Problem& p_;
    PreciseScratch::Impl& memory_;
    bool host_is_b_;
};

}  // namespace lanefold::detail
