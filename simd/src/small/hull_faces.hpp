// SPDX-License-Identifier: MIT
//
// The highest face of a hull under a bar, lanes = faces of one pair; and that face's polygon, lanes = pairs: the part
// of the bar over it and its side nearest to the bar.
//
// The height of a bar over a face is that of its lower end. No direction but the face's normal is needed to prove it:
// the plane's offset is the support of the whole hull.
#pragma once

#include "contact/gather.hpp"
#include "lanes/quad_row.hpp"
#include "small/bar_on_hull.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Distance, in (size A + size B), by which a point may be outside of a side of a face and still count as over the face:
// half of that of clips, because a sphere or a capsule has one or two points only, and the distance depends on them.
inline constexpr float kOverFace = 2.5e-7F;

// The bars of kWidth pairs, one a row, for scans of one pair after the other.
struct BarRows {
    alignas(64) float row[kWidth][8];  // middle, 0, half, 0

    LANEFOLD_INLINE explicit BarRows(const BarOnHull& x) {
        const WFloat zero(0.0F);
        const WFloat q[8] = {x.middle.x, x.middle.y, x.middle.z, zero, x.bar.half.x, x.bar.half.y, x.bar.half.z, zero};
        float(*const rows)[8] = row;
        scatter_quads<2>(q, rows);
    }
};

// One bar in every lane.
struct BarInLanes {
    WVec3 middle, half;

    LANEFOLD_INLINE explicit BarInLanes(const float* row)
        : middle{WFloat(row[0]), WFloat(row[1]), WFloat(row[2])},
          half{WFloat(row[4]), WFloat(row[5]), WFloat(row[6])} {}
};

LANEFOLD_INLINE const HullRecord& host_of(const PairPlaces& places, bool hull_is_b) {
    return hull_is_b ? *places.hull_b : *places.hull_a;
}

LANEFOLD_INLINE WFloat height_over(const WVec3& n, WFloat offset, const WVec3& middle, const WVec3& half) {
    return (dot(n, middle) - offset) - abs(dot(n, half));
}

// The planes in the elements of a row of columns (transpose_quads()).
alignas(64) inline constexpr std::int32_t kPlaneOfElement[kRowFloats] = {0, 4, 8,  12, 1, 5, 9,  13,
                                                                         2, 6, 10, 14, 3, 7, 11, 15};

// The face over which a bar is highest, the lowest index of equal ones. The last planes are read with what is behind
// them in the block.
__attribute__((noinline)) inline std::uint32_t highest_face(const HullFloats& h, const float* row) {
    constexpr std::uint32_t kParts = kRowFloats / kWidth;
    const BarInLanes bar(row);
    WFloat best[kParts];
    WInt block[kParts];
    for (std::uint32_t k = 0; k < kParts; ++k) {
        best[k] = splat(kLowest);
        block[k] = WInt(0);
    }
    LANEFOLD_STAGE_LANES(h.faces, (h.faces + kRowFloats - 1) / kRowFloats * kRowFloats);
    for (std::uint32_t f = 0; f < h.faces; f += kRowFloats) {
        QuadRow rows[4];
        QuadRow c[4];
        for (std::uint32_t r = 0; r < 4; ++r) rows[r] = load_row(plane_of(h, f + 4 * r));
        transpose_quads(rows, c);
        const WInt left(static_cast<std::int32_t>(h.faces - f));
        for (std::uint32_t k = 0; k < kParts; ++k) {
            const WVec3 n = {c[0].v[k], c[1].v[k], c[2].v[k]};
            const WFloat height = height_over(n, c[3].v[k], bar.middle, bar.half);
            const WMask higher = (WInt::loadu(kPlaneOfElement + k * kWidth) < left) & (height > best[k]);
            best[k] = select(higher, height, best[k]);
            block[k] = select(higher, WInt(static_cast<std::int32_t>(f)), block[k]);
        }
    }
    WFloat top = best[0];
    for (std::uint32_t k = 1; k < kParts; ++k) top = max(best[k], top);
    const WFloat value(reduce_max(top));
    alignas(64) std::int32_t plane[kRowFloats];
    std::uint32_t index = h.faces - 1;
    for (std::uint32_t k = 0; k < kParts; ++k) {
        (block[k] + WInt::loadu(kPlaneOfElement + k * kWidth)).storeu(plane + k * kWidth);
        for (std::uint32_t ties = bits(best[k] == value); ties != 0; ties &= ties - 1) {
            const auto other = static_cast<std::uint32_t>(plane[k * kWidth + lowest_bit(ties)]);
            index = other < index ? other : index;
        }
    }
    return index;
}

// Faces of kWidth pairs: their planes and polygons.
struct HullFaces {
    const float* polygon[kWidth];
    alignas(64) std::int32_t sides[kWidth];
    alignas(64) std::int32_t face[kWidth];
    std::uint32_t most = 0;  // sides

    LANEFOLD_INLINE void set(std::uint32_t l, const HullRecord& hull, std::uint32_t f) {
        const HullTopology t = hull_topology(hull);
        const std::uint32_t first = t.face_first[f];
        const std::uint32_t n = t.face_first[f + 1] - first;
        polygon[l] = polygon_at(t.polygons, first, f);
        sides[l] = static_cast<std::int32_t>(n);
        face[l] = static_cast<std::int32_t>(f);
        most = n > most ? n : most;
    }
};

// Corner k of each face; from its last one on the first again.
struct CornerRows {
    const HullFaces& faces;
    std::int32_t k;

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const {
        return faces.polygon[l] + 4 * (1 + (k < faces.sides[l] ? k : 0));
    }
};

// An edge of each hull.
struct LaneSide {
    WVec3 from, to;
    WInt edge, first, last;  // and the vertices at both ends

    LANEFOLD_INLINE void set(WMask m, const LaneSide& s) {
        from = select(m, s.from, from);
        to = select(m, s.to, to);
        edge = select(m, s.edge, edge);
        first = select(m, s.first, first);
        last = select(m, s.last, last);
    }
    // It and the bar as a pair of bars.
    LANEFOLD_INLINE BarLanes with(const BarOnHull& x) const {
        const WFloat half(0.5F);
        const WFloat zero(0.0F);
        BarLanes y;
        y.a = {(to - from) * half, zero, x.size, no_lanes()};
        y.b = x.bar;
        y.offset_a = {zero, zero, zero};
        y.apart = x.middle - (from + to) * half;
        y.size = x.size;
        return y;
    }
};

// Clips the bar by a side of a face, where `real`. `number`: of the side.
LANEFOLD_INLINE void clip_by_side(const BarOnHull& x, const WVec3& normal, const WVec3& from, const WVec3& along,
                                  WMask real, WInt number, BarClip& clip) {
    const WVec3 inward = cross(normal, along);
    const WFloat outside = negate(((abs(along.x) + abs(along.y)) + abs(along.z)) * (x.size * splat(kOverFace)));
    const WFloat middle = dot(inward, x.middle - from);
    const WFloat by = dot(inward, x.bar.half);
    const WFloat first = middle - by;
    const WFloat last = middle + by;
    clip.by_side(number, first, last, real & (first < outside), real & (last < outside));
}

// The highest face of each pair and the bar.
struct BarAtFace {
    WFloat value;  // height of the lower end
    BarOverFace over;
    LaneSide side;  // nearest to the bar
};

__attribute__((noinline)) inline BarAtFace bar_at_face(const BarOnHull& x, const HullFaces& faces,
                                                       const LaneNumbers& numbers, WFloat margin) {
    WFloat q[8];
    load_quads<2>(faces.polygon, q);
    BarAtFace at;
    BarOverFace& f = at.over;
    f.normal = {q[0], q[1], q[2]};
    const WFloat offset = q[3];
    at.value = height_over(f.normal, offset, x.middle, x.bar.half);
    const WInt sides = WInt::loadu(faces.sides);
    LaneCorner from = LaneCorner::of(q + 4);
    at.side = {from.x, from.x, from.edge, from.vertex, from.vertex};
    BarClip clip(x.bar, WInt::loadu(faces.face));
    WFloat least = splat(kHighest);
    for (std::uint32_t k = 0; k < faces.most; ++k) {
        load_rows4(CornerRows{faces, static_cast<std::int32_t>(k + 1)}, q);
        const LaneCorner to = LaneCorner::of(q);
        const WMask real = WInt(static_cast<std::int32_t>(k)) < sides;
        const WVec3 along = to.x - from.x;
        clip_by_side(x, f.normal, from.x, along, real, numbers.first_edge + from.edge, clip);
        const WVec3 half = along * splat(0.5F);
        const NearestOnBars nearest = nearest_on_bars(x.middle - (from.x + half), half, x.bar.half);
        const WFloat distance2 = dot(nearest.w, nearest.w);
        const WMask nearer = real & (distance2 < least);
        least = select(nearer, distance2, least);
        at.side.set(nearer, {from.x, to.x, from.edge, from.vertex, to.vertex});
        from = to;
    }
    keep_ends_within(x, clip, dot(f.normal, x.middle) - offset, dot(f.normal, x.bar.half), margin,
                     sqrt(dot(x.bar.half, x.bar.half)), f);
    return at;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
