// SPDX-License-Identifier: MIT
//
// Bodies and pairs in the caller's memory, and the strided view through which the library reads them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

namespace lanefold {

// An instance of a hull. The pose places the origin of the hull's input coordinates, in world axes and the caller's
// unit. orientation is a quaternion (x, y, z, w); hull is an id in the HullSet.
struct Body {
    float position[3];
    std::uint32_t hull;
    float orientation[4];
};
static_assert(sizeof(Body) == 32 && std::is_trivially_copyable_v<Body>);

// A body with float64 positions, for worlds where float32 is too coarse (from about 1e4 body sizes).
struct BodyD {
    double position[3];
    float orientation[4];
    std::uint32_t hull;
    std::uint32_t reserved;
};
static_assert(sizeof(BodyD) == 48 && std::is_trivially_copyable_v<BodyD>);

// A candidate pair: indices into the bodies. The normal of its manifold points from a to b.
struct Pair {
    std::uint32_t a;
    std::uint32_t b;

    friend constexpr bool operator==(const Pair&, const Pair&) = default;
    friend constexpr auto operator<=>(const Pair&, const Pair&) = default;
};
static_assert(sizeof(Pair) == 8);

// A borrowed view of N bodies. Each field has its own base and stride in bytes, so the library reads a caller's
// structures, or separate arrays, in place. Memory must be 4-byte aligned (8 for float64 positions) and outlive the
// call.
//
// `scale` is the one field that may be null: a factor for each body about its own origin, float32, the same in all
// directions. A body with a scale is, to the last bit of every result, the body whose hull is the one that
// ScaledHulls::take(hull, {s, s, s}) gives (scaled_hulls.hpp): radii grow with it, margins and distances stay in world
// units, and 1 is the hull itself. A pair with a body whose scale is zero, negative, below the normal numbers of
// float32, NaN or infinite, or which its hull cannot have (its numbers overflow; a surface), has the status bad_pose.
// The bodies of Body and BodyD have none; with_scale() adds it.
struct BodyView {
    const std::byte* position = nullptr;
    const std::byte* orientation = nullptr;
    const std::byte* hull = nullptr;
    std::size_t position_stride = 0;
    std::size_t orientation_stride = 0;
    std::size_t hull_stride = 0;
    std::size_t count = 0;
    bool position_is_double = false;
    const std::byte* scale = nullptr;  // null: 1 for all
    std::size_t scale_stride = 0;

    BodyView() = default;

    // All bodies of an array.
    BodyView(std::span<const Body> bodies)  // NOLINT(google-explicit-constructor): a view of the obvious thing
        : position(reinterpret_cast<const std::byte*>(bodies.data())),
          orientation(position + offsetof(Body, orientation)),
          hull(position + offsetof(Body, hull)),
          position_stride(sizeof(Body)),
          orientation_stride(sizeof(Body)),
          hull_stride(sizeof(Body)),
          count(bodies.size()) {}

    // The same with positions in float64.
    BodyView(std::span<const BodyD> bodies)  // NOLINT(google-explicit-constructor)
        : position(reinterpret_cast<const std::byte*>(bodies.data())),
          orientation(position + offsetof(BodyD, orientation)),
          hull(position + offsetof(BodyD, hull)),
          position_stride(sizeof(BodyD)),
          orientation_stride(sizeof(BodyD)),
          hull_stride(sizeof(BodyD)),
          count(bodies.size()),
          position_is_double(true) {}

    // From a std::vector, std::array or C array of Body or BodyD, or any container of them with data() and size(). It
    // must outlive the view; a temporary lives as long as the call that it is passed to.
    template <class Bodies, class Element = std::remove_cvref_t<decltype(*std::data(std::declval<const Bodies&>()))>>
    requires std::same_as<Element, Body> || std::same_as<Element, BodyD> BodyView(
        const Bodies& bodies)  // NOLINT(google-explicit-constructor)
        : BodyView(std::span<const Element>(std::data(bodies), std::size(bodies))) {}

    // From separate arrays: position [N][3], orientation [N][4], hull [N], tightly packed.
    static BodyView from_arrays(const float* position, const float* orientation, const std::uint32_t* hull,
                                std::size_t count) {
        BodyView v;
        v.position = reinterpret_cast<const std::byte*>(position);
        v.orientation = reinterpret_cast<const std::byte*>(orientation);
        v.hull = reinterpret_cast<const std::byte*>(hull);
        v.position_stride = 3 * sizeof(float);
        v.orientation_stride = 4 * sizeof(float);
        v.hull_stride = sizeof(std::uint32_t);
        v.count = count;
        return v;
    }

    // The same with positions in float64.
    static BodyView from_arrays(const double* position, const float* orientation, const std::uint32_t* hull,
                                std::size_t count) {
        BodyView v = from_arrays(static_cast<const float*>(nullptr), orientation, hull, count);
        v.position = reinterpret_cast<const std::byte*>(position);
        v.position_stride = 3 * sizeof(double);
        v.position_is_double = true;
        return v;
    }

    // The same bodies with a scale each, `stride` bytes apart; null: 1 for all.
    BodyView with_scale(const float* of_bodies, std::size_t stride = sizeof(float)) const {
        BodyView v = *this;
        v.scale = reinterpret_cast<const std::byte*>(of_bodies);
        v.scale_stride = stride;
        return v;
    }
};

}  // namespace lanefold
