// SPDX-License-Identifier: MIT
//
// float32 boxes for the tree: measured from the middle of the frame in a unit of its own, so that frames far from the
// origin or of any size lose little, and rounded outward, so that boxes that overlap still do.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <lanefold/broadphase.hpp>

namespace lanefold::detail {

struct FloatBox {
    float lower[3];
    float upper[3];
};

// Never overlaps anything, not even itself.
inline constexpr FloatBox kNoFloatBox{
    {std::numeric_limits<float>::max(), std::numeric_limits<float>::max(), std::numeric_limits<float>::max()},
    {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest()}};

inline bool contains(const FloatBox& outer, const FloatBox& inner) {
    bool in = true;
    for (int i = 0; i < 3; ++i) in = in && outer.lower[i] <= inner.lower[i] && inner.upper[i] <= outer.upper[i];
    return in;
}

class FloatFrame {
public:
    FloatFrame() = default;

    explicit FloatFrame(std::span<const WorldBox> boxes) {
        Vec3d lower;
        Vec3d upper;
        bool any = false;
        for (const WorldBox& b : boxes) {
            if (b.empty()) continue;
            const Vec3d low{clamped(b.lower.x), clamped(b.lower.y), clamped(b.lower.z)};
            const Vec3d high{clamped(b.upper.x), clamped(b.upper.y), clamped(b.upper.z)};
            if (!any) {
                lower = low;
                upper = high;
            }
            any = true;
            lower = {std::min(lower.x, low.x), std::min(lower.y, low.y), std::min(lower.z, low.z)};
            upper = {std::max(upper.x, high.x), std::max(upper.y, high.y), std::max(upper.z, high.z)};
        }
        if (!any) return;
        centre_ = {0.5 * lower.x + 0.5 * upper.x, 0.5 * lower.y + 0.5 * upper.y, 0.5 * lower.z + 0.5 * upper.z};
        const double reach = std::max({upper.x - lower.x, upper.y - lower.y, upper.z - lower.z});
        if (reach > 0) scale_ = std::ldexp(1.0, std::clamp(kSpanExponent - std::ilogb(reach) - 1, -1000, 1000));
    }

    // Grown by `slack` in the caller's unit. A monotone map of every coordinate, so what overlaps in float64 overlaps.
    FloatBox box(const WorldBox& b, double slack = 0) const {
        if (b.empty()) return kNoFloatBox;
        return {{below(b.lower.x - slack, centre_.x), below(b.lower.y - slack, centre_.y),
                 below(b.lower.z - slack, centre_.z)},
                {above(b.upper.x + slack, centre_.x), above(b.upper.y + slack, centre_.y),
                 above(b.upper.z + slack, centre_.z)}};
    }

    // Of the frame's longest side: all bodies lie within this of 0 when the frame is made.
    static constexpr float kSpan = 1 << 19;

private:
    // The longest side of the frame is at most 2^20 units: far from the ends of float32.
    static constexpr int kSpanExponent = 20;
    // Coordinates beyond these all count as these. Boxes out there may be candidates that float64 decides.
    static constexpr double kLargest = 1e300;
    static constexpr double kLargestFloat = 1e38;

    static double clamped(double x) { return std::clamp(x, -kLargest, kLargest); }
    float place(double x, double centre) const {
        return static_cast<float>(std::clamp((clamped(x) - centre) * scale_, -kLargestFloat, kLargestFloat));
    }
    // One unit in the last place of float32 covers its own rounding and float64's before it.
    float below(double x, double centre) const { return std::nextafter(place(x, centre), -HUGE_VALF); }
    float above(double x, double centre) const { return std::nextafter(place(x, centre), HUGE_VALF); }

    Vec3d centre_;
    double scale_ = 1;
};

}  // namespace lanefold::detail
