// SPDX-License-Identifier: MIT
//
// float32 boxes for the tree. Coordinates are relative to the middle of the frame, in the frame's own unit, so that
// frames far from the origin or of any size lose little precision. Boxes are rounded outward, so that boxes that
// overlap in float64 still do.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <lanefold/broadphase.hpp>

#include "boxes/sides.hpp"
#include "boxes/tasks.hpp"
#include "tree/box_node.hpp"

namespace lanefold::detail {

// A box that overlaps nothing, not even itself.
inline constexpr FloatBox kNoFloatBox{
    {std::numeric_limits<float>::max(), std::numeric_limits<float>::max(), std::numeric_limits<float>::max()},
    {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest()}};

// The next float above or below a finite one: std::nextafter without a call.
inline float step(float x, std::int32_t by) {
    constexpr std::int32_t kSign = std::numeric_limits<std::int32_t>::min();
    const auto in_order = [](std::int32_t bits) { return bits < 0 ? kSign - bits : bits; };  // ascends with the number
    return std::bit_cast<float>(in_order(in_order(std::bit_cast<std::int32_t>(x)) + by));
}

class FloatFrame {
public:
    // Middles of some bodies along each axis, and how far the furthest body of each block is: working memory, kept by
    // the caller from frame to frame.
    struct Sample {
        std::vector<double> middle[3];
        std::vector<double> furthest;
    };

    FloatFrame() = default;

    // Sets the middle and the unit from the boxes. The middle is that of most bodies, where float32 is finest, and only
    // the unit depends on the furthest body. So a few bodies that flew off do not make the boxes coarse for all.
    FloatFrame(std::span<const Sides> boxes, std::uint32_t threads, Sample& scratch) {
        std::vector<double>(&sample)[3] = scratch.middle;
        for (std::vector<double>& axis : sample) axis.clear();
        const std::size_t step = boxes.size() / kSample + 1;
        for (std::size_t begin = 0; begin < boxes.size(); begin += step) {
            // The first that is there: not all bodies have a box.
            const std::size_t end = std::min(begin + step, boxes.size());
            std::size_t i = begin;
            while (i < end && boxes[i].empty()) ++i;
            if (i == end) continue;
            const WorldBox box = boxes[i].box();
            const double middle[3] = {0.5 * clamped(box.lower.x) + 0.5 * clamped(box.upper.x),
                                      0.5 * clamped(box.lower.y) + 0.5 * clamped(box.upper.y),
                                      0.5 * clamped(box.lower.z) + 0.5 * clamped(box.upper.z)};
            for (int k = 0; k < 3; ++k) sample[k].push_back(middle[k]);
        }
        if (sample[0].empty()) return;
        centre_ = {quantile(sample[0], 0.5), quantile(sample[1], 0.5), quantile(sample[2], 0.5)};
        double most = 0;
        const double centre[3] = {centre_.x, centre_.y, centre_.z};
        for (int k = 0; k < 3; ++k) {
            most = std::max({most, centre[k] - quantile(sample[k], 0.05), quantile(sample[k], 0.95) - centre[k]});
        }
        // One at 1e300 would make all others one point. Beyond the limit bodies are false candidates of each other.
        const double all = furthest_of(boxes, threads, scratch.furthest);
        const double furthest = most > 0 ? std::min(all, most * kMostReach) : all;
        if (furthest > 0) scale_ = std::ldexp(1.0, std::clamp(kReachExponent - exponent(furthest), -1000, 1000));
        span_ = std::max(2.0 * most * scale_, 1e-30);
    }

    // The box of `b`. Every coordinate is mapped monotonically, so boxes that overlap in float64 still overlap, and a
    // box inside of another one stays so.
    FloatBox box(const WorldBox& b) const {
        if (b.empty()) return kNoFloatBox;
        return {{below(b.lower.x, centre_.x), below(b.lower.y, centre_.y), below(b.lower.z, centre_.z)},
                {above(b.upper.x, centre_.x), above(b.upper.y, centre_.y), above(b.upper.z, centre_.z)}};
    }

    // A ray for tests of such boxes, which pass whatever it may meet.
    FloatRay ray(const Vec3d& origin, const Vec3d& direction) const {
        FloatRay r;
        const double from[3] = {origin.x, origin.y, origin.z};
        const double by[3] = {direction.x, direction.y, direction.z};
        const double centre[3] = {centre_.x, centre_.y, centre_.z};
        for (int k = 0; k < 3; ++k) {
            const double at = (from[k] - centre[k]) * scale_;
            const double rate = by[k] * scale_;
            r.everywhere = r.everywhere || !(std::fabs(at) < kFarRay && std::fabs(rate) < kFarRay);
            // The roundings of float32, of float64 before it, and of an axis along which the ray counts as at rest.
            const double pad =
                std::fabs(at) * 0x1p-21 + (std::fabs(from[k]) + std::fabs(centre[k])) * scale_ * 0x1p-50 + kLeastPad;
            r.low[k] = static_cast<float>(at - pad);
            r.high[k] = static_cast<float>(at + pad);
            r.per[k] = std::fabs(rate) < kAtRest ? std::copysign(kPerAtRest, static_cast<float>(rate))
                                                 : static_cast<float>(1 / rate);
        }
        return r;
    }

    // Most bodies are within this of 0 along each axis, in the frame's unit.
    double span() const { return span_; }

private:
    // Number of bodies from whose middles the frame's is computed: a twentieth of them on either side is then known to
    // a third of it. It affects time only.
    static constexpr std::size_t kSample = 256;
    static constexpr std::size_t kBoxesPerTask = 1024;
    // Exponent of the largest coordinate: the furthest side of a box is at most 2^21 units away, far from the ends of
    // float32.
    static constexpr int kReachExponent = 20;
    // Limits of coordinates. Beyond them boxes may be false candidates, which the float64 test removes.
    static constexpr double kLargest = 1e300;
    // How many times as far as most bodies the furthest may be: coordinates of 2^-60 keep all bits of float32.
    static constexpr double kMostReach = 0x1p80;
    static constexpr double kLargestFloat = 1e38;
    // A ray with larger numbers, in the frame's unit, is not pruned: float32 could not hold its products.
    static constexpr double kFarRay = 1e30;
    // A ray that moves by less along an axis, in the frame's unit, is at rest there, within a pad around its origin
    // that is far more than that and far less than any box. With so many fractions per length it is in the pad for all
    // of its way.
    static constexpr double kAtRest = 1e-20;
    static constexpr double kLeastPad = 1e-9;
    static constexpr float kPerAtRest = 1e30F;

    // How far the sides of boxes are from the middle.
    double furthest_of(std::span<const Sides> boxes, std::uint32_t threads, std::vector<double>& of_block) const {
        of_block.assign((boxes.size() + kBoxesPerTask - 1) / kBoxesPerTask, 0);
        for_blocks(boxes.size(), kBoxesPerTask, threads, [&](std::size_t first, std::size_t last) {
            double furthest = 0;
            for (std::size_t i = first; i < last; ++i) {
                if (boxes[i].empty()) continue;
                const WorldBox b = boxes[i].box();
                const Vec3d low = b.lower - centre_;
                const Vec3d high = b.upper - centre_;
                furthest = std::max({furthest, -low.x, -low.y, -low.z, high.x, high.y, high.z});
            }
            of_block[first / kBoxesPerTask] = furthest;
        });
        return *std::max_element(of_block.begin(), of_block.end());
    }

    static double quantile(std::vector<double>& values, double part) {
        const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), values.begin() + at, values.end());
        return values[static_cast<std::size_t>(at)];
    }
    static int exponent(double x) { return std::ilogb(std::min(x, kLargest)); }
    static double clamped(double x) { return std::clamp(x, -kLargest, kLargest); }
    float place(double x, double centre) const {
        return static_cast<float>(std::clamp((clamped(x) - centre) * scale_, -kLargestFloat, kLargestFloat));
    }
    // One unit in the last place of float32 covers its own rounding and the float64 rounding before it.
    float below(double x, double centre) const { return step(place(x, centre), -1); }
    float above(double x, double centre) const { return step(place(x, centre), 1); }

    Vec3d centre_;
    double scale_ = 1;
    double span_ = 1;
};

}  // namespace lanefold::detail
