// SPDX-License-Identifier: MIT
//
// Hulls at other scales: stretched, flattened or mirrored ones are hulls of their own, baked once for each hull and
// scale and shared by all bodies that want them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/status.hpp>
#include <lanefold/vec.hpp>

namespace lanefold {

// A hull of a set and the factors of its coordinates, about the origin that poses place. Negative ones mirror.
struct HullScale {
    std::uint32_t hull = 0;
    Vec3f scale{1, 1, 1};
};

// The ids of scaled hulls.
struct [[nodiscard]] ScaledIds {
    CallStatus status;
    std::vector<std::uint32_t> ids;  // in hulls(), one for each that was wanted; empty if refused
    explicit operator bool() const { return static_cast<bool>(status); }
};

// A set of hulls that grows by scaled ones. Ids of earlier hulls stay.
class LANEFOLD_EXPORT ScaledHulls {
public:
    // Begins with a set. `options`: merge_coplanar, recognize_boxes and threads, with which scaled hulls are built.
    explicit ScaledHulls(HullSet hulls, const BuildOptions& options = {});
    ScaledHulls(ScaledHulls&&) noexcept;
    ScaledHulls& operator=(ScaledHulls&&) noexcept;
    ~ScaledHulls();

    // The ids of these hulls at these scales. One that was asked for before, or twice, has one id; {1, 1, 1} is the
    // hull itself. A scaled hull is that of the stored vertices times the scale, rounded to float32 once, and so is its
    // fingerprint; `input_index` tells the vertices. A radius grows with the scale; so do half-spaces. Scaled compounds
    // have their scaled children at scaled positions.
    //
    // Refused with bad_argument, `where` being the place in `wanted`, and nothing is added: a hull that there is not, a
    // component that is zero, below the normal numbers of float32, NaN or infinite, a rounded hull (a sphere or capsule
    // too) whose components differ in magnitude, a compound of differing or negative components, a surface, and what
    // the builder refuses (flat, too large, too small).
    ScaledIds take(std::span<const HullScale> wanted);
    // The same for a single one.
    ScaledIds take(std::uint32_t hull, const Vec3f& scale);

    // The set with all hulls that were taken.
    const HullSet& hulls() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanefold
