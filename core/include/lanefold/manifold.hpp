// SPDX-License-Identifier: MIT
//
// The result of a pair: a contact manifold of fixed capacity, in bytes with a documented layout (little endian). It is
// also the record of contacts files, so every offset is asserted below.
//
// A pair with a compound (compound.hpp) has a record for each pair of children that touch in compact outputs, in the
// order of (child_a, child_b), and that of its deepest children in dense ones.
//
// Frames and units: the normal is a unit vector in world axes and points from body a to body b. Points are
// offsets in world axes from body a's POSITION, in the caller's unit, midway between the two surfaces along
// the normal. Separation and distance are negative when overlapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/status.hpp>
#include <lanefold/vec.hpp>

namespace lanefold {

// The kinds of features that meet. `none`: the pair does not touch. A core that is a point or a segment (spheres,
// capsules) has no faces: beside a face its feature is 0, the segment (edge 0) or the point (vertex 0), and face_a and
// face_b have a point for each end of the segment's part over the face. Two segments, or a segment and an edge, that
// are parallel have two points of kind edge_edge, at the ends of the part that they have beside each other.
enum class ContactKind : std::uint8_t {
    none = 0,
    face_a = 1,         // reference face on a; feature_a is that face, feature_b the incident face of b
    face_b = 2,         // reference face on b; feature_b is that face, feature_a the incident face of a
    edge_edge = 3,      // feature_a and feature_b are edges
    vertex_edge = 4,    // feature_a is a vertex, feature_b an edge
    edge_vertex = 5,    // feature_a is an edge, feature_b a vertex
    vertex_vertex = 6,  // both are vertices
};
inline constexpr std::size_t kContactKindCount = 7;

// "none", "face_a", ...; "unknown" for a value outside of the enumeration.
LANEFOLD_EXPORT const char* to_string(ContactKind kind);

// A point of a contact: an offset in world axes from body a's position, midway between the surfaces.
struct ContactPoint {
    float position[3];
    float separation;
    std::uint32_t feature;  // see feature.hpp
};
static_assert(sizeof(ContactPoint) == 20);

// The contact of a pair, with up to four points. 128 bytes.
struct LANEFOLD_EXPORT Manifold4 {
    static constexpr std::size_t kCapacity = 4;

    std::uint32_t pair[2];    // body indices a, b
    float normal[3];          // unit, world axes, from a to b; the face preference affects it
    float distance;           // exact signed distance; the face preference does not affect it
    std::uint32_t feature_a;  // canonical index of a feature of hull a; its type depends on kind
    std::uint32_t feature_b;
    std::uint16_t total;  // points before reduction, saturating at 65535
    std::uint8_t count;   // number of points
    ContactKind kind;
    Status status;
    std::uint8_t reserved[3];
    std::uint32_t child_a;  // of a compound: the child that meets, which hull, features and points are of; otherwise 0
    std::uint32_t child_b;
    ContactPoint points[4];
};
static_assert(std::is_trivially_copyable_v<Manifold4> && std::is_standard_layout_v<Manifold4>);
static_assert(sizeof(Manifold4) == 128);
static_assert(offsetof(Manifold4, pair) == 0 && offsetof(Manifold4, normal) == 8);
static_assert(offsetof(Manifold4, distance) == 20 && offsetof(Manifold4, feature_a) == 24);
static_assert(offsetof(Manifold4, feature_b) == 28 && offsetof(Manifold4, total) == 32);
static_assert(offsetof(Manifold4, count) == 34 && offsetof(Manifold4, kind) == 35);
static_assert(offsetof(Manifold4, status) == 36 && offsetof(Manifold4, reserved) == 37);
static_assert(offsetof(Manifold4, child_a) == 40 && offsetof(Manifold4, child_b) == 44);
static_assert(offsetof(Manifold4, points) == 48);
static_assert(offsetof(ContactPoint, separation) == 12 && offsetof(ContactPoint, feature) == 16);

// The same with up to 16 points. 384 bytes.
struct LANEFOLD_EXPORT Manifold16 {
    static constexpr std::size_t kCapacity = 16;

    std::uint32_t pair[2];
    float normal[3];
    float distance;
    std::uint32_t feature_a;
    std::uint32_t feature_b;
    std::uint16_t total;
    std::uint8_t count;
    ContactKind kind;
    Status status;
    std::uint8_t reserved[3];
    std::uint32_t child_a;
    std::uint32_t child_b;
    ContactPoint points[16];
    std::uint8_t padding[16];
};
static_assert(std::is_trivially_copyable_v<Manifold16> && std::is_standard_layout_v<Manifold16>);
static_assert(sizeof(Manifold16) == 384);
static_assert(offsetof(Manifold16, points) == 48 && offsetof(Manifold16, padding) == 368);
static_assert(offsetof(Manifold16, status) == offsetof(Manifold4, status));
static_assert(offsetof(Manifold16, child_a) == offsetof(Manifold4, child_a));
static_assert(offsetof(Manifold16, child_b) == offsetof(Manifold4, child_b));
static_assert(offsetof(Manifold16, distance) == offsetof(Manifold4, distance));

// The witness points of a contact on the surfaces of a and b, as offsets from body a's position.
inline Vec3f witness_on_a(const float normal[3], const ContactPoint& p) {
    const float h = p.separation * 0.5F;
    return {p.position[0] - normal[0] * h, p.position[1] - normal[1] * h, p.position[2] - normal[2] * h};
}
// See witness_on_a().
inline Vec3f witness_on_b(const float normal[3], const ContactPoint& p) {
    const float h = p.separation * 0.5F;
    return {p.position[0] + normal[0] * h, p.position[1] + normal[1] * h, p.position[2] + normal[2] * h};
}

// The contact point in the world, in the precision of the caller's positions.
template <class T>
Vec3<T> world_point(const T position_a[3], const ContactPoint& p) {
    return {position_a[0] + static_cast<T>(p.position[0]), position_a[1] + static_cast<T>(p.position[1]),
            position_a[2] + static_cast<T>(p.position[2])};
}

// True if the pair belongs in a compact output: it touches (distance <= margin) or has a status other than ok.
template <class M>
bool is_reported(const M& m) {
    return m.kind != ContactKind::none || m.status != Status::ok;
}

}  // namespace lanefold
