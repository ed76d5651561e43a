// SPDX-License-Identifier: MIT
//
// A hull and a far larger box (a floor, a wall, a plate), beyond the size ratio of the float32 stages, lanes = pairs.
// If the hull is clear of the sides of one face of the box, that face alone decides the pair. Only the height of
// the hull's centre over it needs float64; the hull about its centre is float32 as in the other stages.
//
// Let s be the height of the hull's deepest point w over face f of the box, and h the box's half extent along f's
// normal. Let every point of the hull be at least -min(s, 0) below the faces at the sides, and w above the box's middle
// (s >= -h). Then w is at most min(s, 0) high over every other face: over the opposite one it is -2 h - s. Every unit
// direction m has the separation sep(m) <= m . w - support(m), and the support of a box is the sum of
// |m_i| half_extent_i over its axes. So sep(m) <= |m_f| s + (sum of the other |m_i|) min(s, 0), which is at most s,
// because the |m_i| sum to at least one. So s is the largest separation: the depth of an overlap, and the distance of a
// pair apart, for w's foot is on the face. All corners of the hull are over the face, so a contact needs no clip.
//
// Errors. Heights of the centre are sums of products of float64 numbers up to `scale`, with at most 1e-14 of it; the
// sort takes the pair only up to kFloorRatio, which makes it 2e-8 of the smaller hull's size. The frame's rotation is
// rounded to float32 (3e-8 in each entry, so 9e-8 of the size in a corner), and the offset of a centre once (2.4e-7 of
// the size at kPreciseCentreOffset), as in all stages. Together they stay below 4e-7 of the size of the promised 2e-6.
// The conditions above leave room of kFloorGuard for them, and kFloorReach leaves room for the rounding of distances.
#pragma once

#include "pair/lane_rows.hpp"
#include "pair/rotation.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Largest sum of the box's coordinates and of the distance of the positions, relative to the smaller hull's size.
// Beyond it float64 rounding would be a part of the bound, and the searches of the float64 path decide.
inline constexpr double kFloorRatio = 2e6;

// Room below the sides of the face and above the box's middle, relative to the smaller hull's size: several times the
// errors above. With more room, more pairs near the sides are left to the float64 path.
inline constexpr double kFloorGuard = 2e-6;

// Largest height or depth of the deepest point, relative to the smaller hull's size. Rounding to float32 changes such a
// distance by at most 1.5e-6 of the size, so with the errors above it is still within the promised 2e-6. Greater ones
// must be right to half a unit in their last place, and take the float64 path.
inline constexpr double kFloorReach = 24;

// kWidth pairs: their places, and which of the bodies is the floor.
struct FloorPlaces {
    PairPlaces places[kWidth];
    std::uint32_t pair[kWidth];  // index in the chunk
    const HullRecord* floor[kWidth];
    const HullRecord* small[kWidth];
    std::uint32_t on_b;                     // lanes whose floor is B
    alignas(64) std::int32_t is_b[kWidth];  // the same as columns

    LANEFOLD_INLINE FloorPlaces(const PairList& list, std::uint32_t begin) : on_b(0) {
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const PairPlaces& p = list.places[begin + l];
            const bool b = p.hull_b->size > p.hull_a->size;
            places[l] = p;
            pair[l] = list.pair[begin + l];
            floor[l] = b ? p.hull_b : p.hull_a;
            small[l] = b ? p.hull_a : p.hull_b;
            on_b |= static_cast<std::uint32_t>(b) << l;
            is_b[l] = b ? 1 : 0;
        }
    }
    LANEFOLD_INLINE const BodyFrame& small_frame(std::uint32_t l) const {
        return bit_at(on_b, l) ? *places[l].frame_a : *places[l].frame_b;
    }
    LANEFOLD_INLINE const BodyFrame& floor_frame(std::uint32_t l) const {
        return bit_at(on_b, l) ? *places[l].frame_b : *places[l].frame_a;
    }
};

// The small hull about its centre: its frame and the box around it, one column per value.
struct FloorBody {
    alignas(64) float r[9][kWidth];  // to world axes, row-major
    alignas(64) float half[3][kWidth];
    alignas(64) float size[kWidth];
};

// The places of kWidth small hulls over their floors; float64, one column per value.
struct FloorPose {
    alignas(64) double n[3][kWidth];        // outward normal of the face, world axes
    alignas(64) double n_small[3][kWidth];  // the same in the small hull's frame
    alignas(64) double base[3][kWidth];     // from A's position to the small hull's centre, world axes
    alignas(64) double height[kWidth];      // of that centre over the face
    alignas(64) double low[kWidth];         // of the lowest point of the box around the small hull
    alignas(64) double side[kWidth];        // greatest height of that box over the faces at the sides
    alignas(64) double half[kWidth];        // half extent of the floor along the normal
    alignas(64) double scale[kWidth];       // sum of the coordinates
    alignas(64) double face[kWidth];        // place of the face in BoxMap, an integer
};

// The columns into which the floors of kWidth pairs are loaded.
struct FloorInputs {
    alignas(64) float q[4][kWidth];       // orientation of the floor
    alignas(64) float centre[4][kWidth];  // of the floor, input coordinates; the fourth column is not used
    alignas(64) float half[3][kWidth];
    alignas(64) float offset[3][kWidth];    // from the small body's position to its hull's centre, world axes
    alignas(64) double apart[3][kWidth];    // from the floor's position to the small body's, world axes
    alignas(64) double floor_is_a[kWidth];  // 1 or 0
};

LANEFOLD_INLINE void store_columns(const WFloat* columns, int count, float (*to)[kWidth]) {
    for (int k = 0; k < count; ++k) columns[k].store(to[k]);
}

LANEFOLD_INLINE void load_floors(const ChunkJob& job, const FloorPlaces& at, FloorInputs& in, FloorBody& body) {
    const BodyView& v = *job.bodies;
    const float* orientation[kWidth];
    const float* frame[kWidth];
    const float* centre[kWidth];
    const float* floor_extent[kWidth];
    const float* small_extent[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const bool b = bit_at(at.on_b, l);
        const Pair pair = job.pairs[at.pair[l]];
        const std::uint32_t floor = b ? pair.b : pair.a;
        const std::uint32_t small = b ? pair.a : pair.b;
        double p[3];
        double q[3];
        body_position(v, floor, p);
        body_position(v, small, q);
        for (int k = 0; k < 3; ++k) in.apart[k][l] = q[k] - p[k];
        in.floor_is_a[l] = b ? 0.0 : 1.0;
        orientation[l] = reinterpret_cast<const float*>(v.orientation + floor * v.orientation_stride);
        frame[l] = at.small_frame(l).rotation;
        centre[l] = at.floor[l]->centre;
        floor_extent[l] = reinterpret_cast<const float*>(&at.floor[l]->flags);
        small_extent[l] = reinterpret_cast<const float*>(&at.small[l]->flags);
    }
    WFloat column[16];
    load_rows16(frame, column);
    store_columns(column, 9, body.r);
    store_columns(column + 9, 3, in.offset);
    load_rows4(orientation, column);
    store_columns(column, 4, in.q);
    load_rows4(centre, column);
    store_columns(column, 4, in.centre);
    load_rows4(floor_extent, column, 2);
    store_columns(column, 3, in.half);
    load_rows4(small_extent, column, 1);
    column[0].store(body.size);
    store_columns(column + 1, 3, body.half);
}

// Rows of the rotation of lane l's floor, from its frame to world axes.
LANEFOLD_INLINE void floor_rotation(const FloorInputs& in, std::uint32_t l, double* r) {
    const double x = static_cast<double>(in.q[0][l]), y = static_cast<double>(in.q[1][l]);
    const double z = static_cast<double>(in.q[2][l]), w = static_cast<double>(in.q[3][l]);
    rotation_rows(x, y, z, w, ((x * x + y * y) + z * z) + w * w, r);
}

LANEFOLD_INLINE double greater(double a, double b) { return a > b ? a : b; }

// The face with the highest separation from the box around the small hull; the lowest axis on ties.
LANEFOLD_INLINE void place_on_floors(const FloorInputs& in, const FloorBody& body, FloorPose& out) {
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        double f[9];
        floor_rotation(in, l, f);
        const double x = in.apart[0][l] + static_cast<double>(in.offset[0][l]);
        const double y = in.apart[1][l] + static_cast<double>(in.offset[1][l]);
        const double z = in.apart[2][l] + static_cast<double>(in.offset[2][l]);
        double centre[3], own[3], reach[3], height[3], turned[9], sum[3];
        for (int k = 0; k < 3; ++k) {
            own[k] = static_cast<double>(in.centre[k][l]);
            centre[k] = ((f[k] * x + f[3 + k] * y) + f[6 + k] * z) - own[k];
            const double half = static_cast<double>(in.half[k][l]);
            double e[3];
            for (int j = 0; j < 3; ++j) {
                turned[3 * k + j] =
                    (f[k] * static_cast<double>(body.r[j][l]) + f[3 + k] * static_cast<double>(body.r[3 + j][l])) +
                    f[6 + k] * static_cast<double>(body.r[6 + j][l]);
                e[j] = __builtin_fabs(turned[3 * k + j]) * static_cast<double>(body.half[j][l]);
            }
            reach[k] = (e[0] + e[1]) + e[2];
            height[k] = __builtin_fabs(centre[k]) - half;
            sum[k] = __builtin_fabs(own[k]) + half;
        }
        const double low[3] = {height[0] - reach[0], height[1] - reach[1], height[2] - reach[2]};
        const double high[3] = {height[0] + reach[0], height[1] + reach[1], height[2] + reach[2]};
        const bool first = low[1] > low[0];
        const double best = first ? low[1] : low[0];
        const bool last = low[2] > best;
        // The face's one of axes 0, 1 and 2.
        const auto chosen = [&](double a, double b, double c) { return last ? c : (first ? b : a); };
        const double along = chosen(centre[0], centre[1], centre[2]);
        const double sign = along < 0 ? -1.0 : 1.0;
        out.low[l] = last ? low[2] : best;
        out.height[l] = chosen(height[0], height[1], height[2]);
        out.half[l] = chosen(static_cast<double>(in.half[0][l]), static_cast<double>(in.half[1][l]),
                             static_cast<double>(in.half[2][l]));
        out.side[l] = chosen(greater(high[1], high[2]), greater(high[0], high[2]), greater(high[0], high[1]));
        out.face[l] = chosen(0.0, 2.0, 4.0) + (along < 0 ? 0.0 : 1.0);
        out.scale[l] = ((sum[0] + sum[1]) + sum[2]) + ((__builtin_fabs(x) + __builtin_fabs(y)) + __builtin_fabs(z));
        for (int k = 0; k < 3; ++k) {
            out.n[k][l] = sign * chosen(f[3 * k], f[3 * k + 1], f[3 * k + 2]);
            out.n_small[k][l] = sign * chosen(turned[k], turned[3 + k], turned[6 + k]);
            const double offset = static_cast<double>(in.offset[k][l]);
            out.base[k][l] = in.floor_is_a[l] > 0 ? in.apart[k][l] + offset : offset;
        }
    }
}

// Loads and places the bodies of kWidth pairs.
LANEFOLD_INLINE void pose_on_floors(const ChunkJob& job, const FloorPlaces& at, FloorBody& body, FloorPose& pose) {
    FloorInputs in;
    load_floors(job, at, in, body);
    place_on_floors(in, body, pose);
}

// The verdict of the poses about kWidth pairs; bits of lanes.
struct FloorVerdict {
    std::uint32_t resolved;  // float64 is good enough
    std::uint32_t apart;     // of these: the box around the small hull is above the margin
    std::uint32_t decided;   // of the others: a face decides, if the hull is as deep as the box around it
};

// Whether the face decides the pair of lane l, whose deepest point is `s` high.
LANEFOLD_INLINE bool face_decides(const FloorPose& pose, const FloorBody& body, std::uint32_t l, double s) {
    const double size = static_cast<double>(body.size[l]);
    const double guard = kFloorGuard * size;
    const bool near = __builtin_fabs(s) <= kFloorReach * size;
    const bool below_sides = pose.side[l] + guard <= (s < 0 ? s : 0.0);
    const bool above_middle = s >= guard - pose.half[l];
    return near && below_sides && above_middle;
}

// `all`: lanes in use. `margins` receives those of the pairs. decides(l): whether the face decides the pair of lane l,
// if the small hull is as deep as the box around it.
template <class Decides>
LANEFOLD_INLINE FloorVerdict judge_faces(const ChunkJob& job, const FloorPlaces& at, const FloorPose& pose,
                                         const FloorBody& body, std::uint32_t all, float* margins,
                                         const Decides& decides) {
    FloorVerdict v = {0, 0, 0};
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        margins[l] = job.core_margins != nullptr ? job.core_margins[at.pair[l]] : job.margin;
        // False if a number is not finite.
        const bool resolved = pose.scale[l] <= kFloorRatio * static_cast<double>(body.size[l]);
        const bool apart = pose.low[l] > static_cast<double>(margins[l]);
        const bool decided = decides(l);
        v.resolved |= static_cast<std::uint32_t>(resolved) << l;
        v.apart |= static_cast<std::uint32_t>(resolved && apart) << l;
        v.decided |= static_cast<std::uint32_t>(resolved && !apart && decided) << l;
    }
    return {v.resolved & all, v.apart & all, v.decided & all};
}

// The same for faces of boxes.
LANEFOLD_INLINE FloorVerdict judge_floors(const ChunkJob& job, const FloorPlaces& at, const FloorPose& pose,
                                          const FloorBody& body, std::uint32_t all, float* margins) {
    const auto decides = [&](std::uint32_t l)
                             LANEFOLD_INLINE_LAMBDA { return face_decides(pose, body, l, pose.low[l]); };
    return judge_faces(job, at, pose, body, all, margins, decides);
}

// Appends lanes to the float64 list.
LANEFOLD_INLINE void leave_floors(const FloorPlaces& at, std::uint32_t lanes, PreciseList& precise,
                                  Counters& counters) {
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) precise.push(at.pair[lowest_bit(rest)]);
    counters.precise_pairs += count_bits(lanes);
    counters.floor_pairs -= count_bits(lanes);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
