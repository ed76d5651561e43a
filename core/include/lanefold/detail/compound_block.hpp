// SPDX-License-Identifier: MIT
//
// The block of a compound, each section 64-byte aligned, n' = n rounded up to 16. Internal: shared by the builder,
// which writes blocks, and the batch calls, which read them.
//
//   StoredChild child[n]     n = HullRecord::loops
//   float bound[6][n']       boxes of the children in the compound's frame: least x, y, z, largest x, y, z, rounded to
//                            nearest; padding is a box that overlaps nothing
//   float corner[8][3]       of a box that contains all children with their radii, rounded outward
//
// A child's hull is stored as the distance of ids, so a block serves every set that the compound is appended to.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/detail/half_space_block.hpp>
#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/surface_block.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>

namespace lanefold::detail {

struct alignas(64) StoredChild {
    double position[3];
    float orientation[4];  // as the builder got it
    std::uint32_t back;    // id of the compound minus id of the hull
    std::uint32_t reserved[5];
};
static_assert(sizeof(StoredChild) == 64);

inline bool is_compound(const HullRecord& r) {
    return (r.flags & HullRecord::kOther) != 0 && r.shape == ShapeKind::compound;
}

inline std::size_t bound_stride(std::size_t children) { return round_up(children, kBlockLanes); }
inline std::size_t corners_at(std::size_t children) {
    return children * sizeof(StoredChild) + 6 * bound_stride(children) * sizeof(float);
}
inline std::size_t compound_bytes(std::size_t children) {
    return corners_at(children) + round_up(8 * sizeof(Vec3f), 64);
}

// Bytes of the block of any record that is not removed.
inline std::size_t block_bytes(const HullRecord& r) {
    if (is_half_space(r)) return sizeof(HalfSpaceBlock);
    if (is_surface(r)) return sizeof(SurfaceBlock);
    return is_compound(r) ? compound_bytes(r.loops) : hull_layout(r).bytes;
}

inline const StoredChild* children_of(const HullRecord& r) { return reinterpret_cast<const StoredChild*>(r.block); }
inline const float* bounds_of(const HullRecord& r) {
    return reinterpret_cast<const float*>(r.block + std::size_t{r.loops} * sizeof(StoredChild));
}

// Whether a shape has points around it.
inline bool has_outline(const HullRecord& r) { return r.vertex_count != 0 || is_compound(r) || is_surface(r); }
// Points whose convex hull contains the shape, but for a hull's radius: the vertices of a hull, the corners of a
// box around the children of a compound or the triangles of a surface. None for a removed hull.
inline std::span<const Vec3f> outline_of(const HullSet& hulls, std::size_t id) {
    const HullRecord& r = hulls[id];
    if (is_surface(r)) return surface_block(r).corner;
    if (!is_compound(r)) return hulls.vertices(id);
    return {reinterpret_cast<const Vec3f*>(r.block + corners_at(r.loops)), 8};
}

// A box about a centre.
struct CentredBox {
    Vec3d centre;
    Vec3d half;
};

// |m| v, all entries taken positive.
inline Vec3d magnitudes_times(const Mat3d& m, const Vec3d& v) {
    const auto row = [&v](const Vec3d& r) {
        return (std::fabs(r.x) * v.x + std::fabs(r.y) * v.y) + std::fabs(r.z) * v.z;
    };
    return {row(m.row[0]), row(m.row[1]), row(m.row[2])};
}

// A box of a hull with its radius, in input coordinates.
inline CentredBox input_box(const HullRecord& r) {
    CentredBox box;
    box.centre = {r.centre[0], r.centre[1], r.centre[2]};
    box.half = {r.half_extent[0], r.half_extent[1], r.half_extent[2]};
    if ((r.flags & HullRecord::kRotated) != 0)
        box.half = magnitudes_times(HullView(r).internal_to_input().rotation, box.half);
    const auto radius = static_cast<double>(r.round_radius);
    box.half = box.half + Vec3d{radius, radius, radius};
    return box;
}

// A body's frame in float64.
struct BodyTurn {
    Quat orientation;  // the caller's numbers
    Mat3d rotation;

    // `orientation` must be one.
    explicit BodyTurn(const float q[4]) : orientation{q[0], q[1], q[2], q[3]} {
        Quat unit;
        normalize(q, unit);
        rotation = lanefold::rotation(unit);
    }
};

// Largest | |q|^2 - 1 | of a product of quaternions that is not scaled: below kQuaternionTolerance, with room for the
// rounding to float32. Where it is not scaled, a child without a turn has the numbers of its body to the last bit, and
// a child of a body without a turn its own.
inline constexpr double kUnscaled = kQuaternionTolerance / 2;

// The body of a child in a body of this orientation at `origin`.
inline BodyD place_child(const StoredChild& child, std::uint32_t compound, const BodyTurn& turn, const Vec3d& origin) {
    const Vec3d at = origin + turn.rotation * Vec3d{child.position[0], child.position[1], child.position[2]};
    const Quat& p = turn.orientation;
    const double x = child.orientation[0], y = child.orientation[1], z = child.orientation[2], w = child.orientation[3];
    const double q[4] = {((p.w * x + p.x * w) + p.y * z) - p.z * y, ((p.w * y - p.x * z) + p.y * w) + p.z * x,
                         ((p.w * z + p.x * y) - p.y * x) + p.z * w, ((p.w * w - p.x * x) - p.y * y) - p.z * z};
    const double norm2 = ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3];
    const double scale = std::fabs(norm2 - 1) <= kUnscaled ? 1 : 1 / std::sqrt(norm2);
    BodyD body{};
    body.position[0] = at.x;
    body.position[1] = at.y;
    body.position[2] = at.z;
    for (std::size_t i = 0; i < 4; ++i) body.orientation[i] = static_cast<float>(scale * q[i]);
    body.hull = compound - child.back;
    return body;
}

}  // namespace lanefold::detail
