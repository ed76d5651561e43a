// SPDX-License-Identifier: MIT
//
// Points beyond the tip of a face (geometry/tips.hpp). A pair with a point too far away goes to the float64 path, whose
// tolerance is smaller and which leaves out such points. So does a pair with more points than two convex faces have
// corners in common.
#pragma once

#include <lanefold/detail/geometry/tips.hpp>

#include "contact/clip_polygons.hpp"
#include "pair/point.hpp"
#include "pair/tolerances.hpp"
#include "record/lane_reduce.hpp"
#include "record/reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Distance from a corner, in (size A + size B), up to which points beyond it are kept. Such a point may prove that the
// separation along the best axis is the distance, which then is too small by at most as much: 1.6e-6 of the larger
// size. Points may be off the surfaces by 4e-6 of it.
inline constexpr float kTip = 8e-7F;

// The reference face in coordinates of the contact plane, lanes = pairs. Slots beyond the count of a lane are copies of
// corner 0.
struct TipOutline : geometry::InPlane<WFloat> {
    const WFloat* u;
    const WFloat* v;
    std::size_t slots;
    WInt count;

    LANEFOLD_INLINE TipOutline(const WFloat* of_u, const WFloat* of_v, std::size_t n, WInt c)
        : u(of_u), v(of_v), slots(n), count(c) {}
    LANEFOLD_INLINE int corners() const { return static_cast<int>(slots); }
    LANEFOLD_INLINE WMask exists(int k) const { return WInt(k) < count; }
    LANEFOLD_INLINE LaneSpot at(int k) const { return {u[k], v[k]}; }
    LANEFOLD_INLINE LaneSpot side(int k) const { return at(k + 1 == corners() ? 0 : k + 1) - at(k); }
    // The side that ends at corner 0 is the last one that has a length.
    LANEFOLD_INLINE LaneSpot last_side() const {
        LaneSpot last = {splat(0.0F), splat(0.0F)};
        for (int k = 1; k < corners(); ++k) last = select(exists(k), at(0) - at(k), last);
        return last;
    }
    LANEFOLD_INLINE LaneSpot from_corner(int k, const LaneSpot& x) const { return x - at(k); }
};

struct TipPoints {
    static constexpr int kStep = 1;

    const LanePoint* points;
    int used;

    LANEFOLD_INLINE int size() const { return used; }
    LANEFOLD_INLINE LaneSpot at(int i) const { return LanePlaces::place(points, i); }
    LANEFOLD_INLINE WMask exists(int i) const { return points[i].valid; }
};

// Lanes in which one of the first `used` points is valid and further than `reach` beyond an acute corner.
inline WMask beyond_tips(const TipOutline& face, const LanePoint* points, std::size_t used, WFloat reach) {
    return geometry::beyond_tips(face, TipPoints{points, static_cast<int>(used)}, reach * reach);
}

// Lanes with more than `most` valid points. Two polygons have at most as many corners in common as they have together;
// if a clip finds more, rounding has counted a corner twice.
inline WMask more_points_than(WInt most, const LanePoint* points, std::size_t used) {
    WInt count(0);
    for (std::size_t i = 0; i < used; ++i) count = select(points[i].valid, count + WInt(1), count);
    return most < count;
}

// Whether some corner of the polygon is acute. Lanes = corners.
inline bool has_acute_corner(const ClipPolygon& face) {
    const std::uint32_t last = face.count - 1;
    const WInt corners(static_cast<std::int32_t>(last));
    WMask acute = no_lanes();
    // The corners from 1 on. The first corner stands again behind the last one.
    for (std::uint32_t k = 0; k < last; k += kWidth) {
        const WVec3 at = loadu_points(face.x.data() + k + 1, face.y.data() + k + 1, face.z.data() + k + 1);
        const WVec3 from = load_points(face.x.data() + k, face.y.data() + k, face.z.data() + k);
        const WVec3 to = loadu_points(face.x.data() + k + 2, face.y.data() + k + 2, face.z.data() + k + 2);
        const WMask real = WInt::iota() + WInt(static_cast<std::int32_t>(k)) < corners;
        acute = acute | (real & (dot(at - from, to - at) < splat(0.0F)));
    }
    const auto corner = [&](std::uint32_t k) { return Point{face.x[k], face.y[k], face.z[k]}; };
    const Point first = corner(0);
    return any(acute) || dot(sub(first, corner(last)), sub(corner(1), first)) < 0.0F;
}

// The polygon of one face. Lanes = points, so its corners are the same in all lanes.
struct PolygonOutline : InSpace {
    const ClipPolygon& face;

    LANEFOLD_INLINE PolygonOutline(const ClipPolygon& f, const Point& n) : InSpace{splat(n)}, face(f) {}
    LANEFOLD_INLINE int corners() const { return static_cast<int>(face.count); }
    static LANEFOLD_INLINE WMask exists(int) { return ~no_lanes(); }
    LANEFOLD_INLINE WVec3 at(int k) const {
        const auto i = static_cast<std::uint32_t>(k);
        return splat(Point{face.x[i], face.y[i], face.z[i]});
    }
    // The first corner stands again behind the last one.
    LANEFOLD_INLINE WVec3 side(int k) const { return at(k + 1) - at(k); }
    LANEFOLD_INLINE WVec3 last_side() const { return side(corners() - 1); }
    LANEFOLD_INLINE WVec3 from_corner(int k, const WVec3& x) const { return x - at(k); }
};

// Whether a point of the clip is further than `reach` beyond an acute corner of the polygon, seen along its unit normal
// n.
inline bool beyond_tip(const ClipPolygon& face, const Point& n, const ClipPoints& points, float reach) {
    return has_acute_corner(face) &&
           any(geometry::beyond_tips(PolygonOutline(face, n), PointSet(points, n), splat(reach * reach)));
}

// The outline of one patch and the points of its contact, lanes = points.
struct PatchOutline : geometry::InPlane<WFloat> {
    const PatchSide& patch;

    LANEFOLD_INLINE explicit PatchOutline(const PatchSide& p) : patch(p) {}
    LANEFOLD_INLINE int corners() const { return static_cast<int>(patch.corners); }
    static LANEFOLD_INLINE WMask exists(int) { return ~no_lanes(); }
    LANEFOLD_INLINE LaneSpot at(int k) const {
        const PatchCorner& c = patch.outline[static_cast<std::uint32_t>(k)];
        return {splat(c.u), splat(c.v)};
    }
    // One more entry closes the outline.
    LANEFOLD_INLINE LaneSpot side(int k) const { return at(k + 1) - at(k); }
    LANEFOLD_INLINE LaneSpot last_side() const { return side(corners() - 1); }
    LANEFOLD_INLINE LaneSpot from_corner(int k, const LaneSpot& x) const { return x - at(k); }
};

struct PatchTipPoints {
    static constexpr int kStep = static_cast<int>(kWidth);

    const PatchPoints& points;

    LANEFOLD_INLINE int size() const { return static_cast<int>(points.count); }
    LANEFOLD_INLINE LaneSpot at(int i) const {
        return {WFloat::load(points.u.data() + i), WFloat::load(points.v.data() + i)};
    }
    LANEFOLD_INLINE WMask exists(int i) const { return WInt::iota() + WInt(i) < WInt(size()); }
};

// Whether a point is further than `reach` beyond an acute corner of a patch's outline.
inline bool beyond_tip(const PatchSide& patch, const PatchPoints& points, float reach) {
    return patch.corners >= 3 &&
           any(geometry::beyond_tips(PatchOutline(patch), PatchTipPoints{points}, splat(reach * reach)));
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
