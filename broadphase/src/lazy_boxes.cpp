// SPDX-License-Identifier: MIT
//
// See the header.
#include "lazy_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/detail/read_body.hpp>

#include "tasks.hpp"

namespace lanefold::detail {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Between two quaternions q and p within kQuaternionTolerance of unit length: the unit quaternions differ by at most
// 2 |q - p| / (|q| + |p|), and a vertex moves by at most twice that of its distance from the origin, because the sine
// of half the angle is at most twice that of a quarter. 2e-3 of excess cover the lengths and all rounding.
constexpr double kTurn = 2 * (1 + 2 * kQuaternionTolerance);

// Bound of the rounding of two boxes, relative to the magnitudes that enter them: world_box() grows a box by a quarter
// of it, and exceeds the exact extent by at most half.
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();

double largest(const Vec3d& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

// Upper bound of the distance of the hull's vertices from the origin.
double reach_of(const HullRecord& hull) {
    double reach = static_cast<double>(hull.radius);
    for (const float c : hull.centre) reach += std::fabs(static_cast<double>(c));
    return reach;
}

// How far the middle of a body's box moved; nothing where it had none or has none.
Vec3f middle_between(const WorldBox& old, const WorldBox& now) {
    if (old.empty() || now.empty()) return {};
    return to_float(((now.lower - old.lower) + (now.upper - old.upper)) * 0.5);
}

// By how much any side of a box moved, rounded up.
double most_between(const WorldBox& old, const WorldBox& now) {
    const double by[6] = {now.lower.x - old.lower.x, now.lower.y - old.lower.y, now.lower.z - old.lower.z,
                          now.upper.x - old.upper.x, now.upper.y - old.upper.y, now.upper.z - old.upper.z};
    double most = 0;
    double sum = 0;  // is no finite number if one of them is none
    for (const double x : by) {
        most = std::max(most, std::fabs(x));
        sum += std::fabs(x);
    }
    return sum < kInfinity ? most * (1 + std::numeric_limits<double>::epsilon()) : kInfinity;
}

}  // namespace

bool LazyBoxes::begin(const HullSet& hulls, std::size_t bodies, double growth, bool same, std::uint32_t threads) {
    const bool same_hulls = hulls.records() == hulls_.records() && hulls.size() == hulls_.size();
    const bool follows = same && followed_ && same_hulls && growth == growth_ && bodies == boxes_.size();
    if (follows) return true;
    // The boxes of this frame are compared with those of the frame before.
    compute_all(threads);
    boxes_.resize(bodies);
    state_.resize(bodies, kNone);
    poses_.resize(bodies);
    if (!same_hulls) hulls_ = hulls;
    records_ = {hulls_.records(), hulls_.size()};
    growth_ = growth;
    followed_ = same;
    return false;
}

BoxStep LazyBoxes::follow(const BodyView& bodies, std::size_t i) {
    const BodyD now = read_body(bodies, i);
    const BodyD old = poses_[i];
    if (state_[i] == kNone || now.hull != old.hull || !has_box(records_, now)) return set(bodies, i, 0, {}, true);
    const Vec3d by = position_of(now) - position_of(old);
    const double moved = largest(by);
    double turned = 0;
    for (int k = 0; k < 4; ++k) {
        const double d = static_cast<double>(now.orientation[k]) - static_cast<double>(old.orientation[k]);
        turned += d * d;
    }
    if (moved == 0 && turned == 0) return {};
    poses_[i] = now;
    state_[i] = kOld;
    const double reach = reach_of(records_[now.hull]);
    const double rounding = kRounding * (largest(position_of(now)) + largest(position_of(old)) + reach + growth_);
    return {moved + kTurn * std::sqrt(turned) * reach + rounding, to_float(by)};
}

BoxStep LazyBoxes::set(const BodyView& bodies, std::size_t i, double more, const Vec3d& motion, bool known) {
    if (known) compute(i);
    const WorldBox old = boxes_[i];
    poses_[i] = read_body(bodies, i);
    put(i, swept(body_box(hulls_, poses_[i], growth_ + more), motion));
    return {known ? most_between(old, boxes_[i]) : kInfinity, known ? middle_between(old, boxes_[i]) : Vec3f{}};
}

void LazyBoxes::put(std::size_t i, const WorldBox& box) {
    boxes_[i] = box;
    state_[i] = box.empty() ? kNone : kComputed;
}

void LazyBoxes::compute_old(std::size_t i) { put(i, body_box(hulls_, poses_[i], growth_)); }

void LazyBoxes::compute_all(std::uint32_t threads) {
    for_blocks(boxes_.size(), kBodiesPerBlock, threads, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t i = first; i < last; ++i) compute(i);
    });
}

std::uint64_t LazyBoxes::empty_ones() const {
    return static_cast<std::uint64_t>(std::count(state_.begin(), state_.end(), std::uint8_t{kNone}));
}

}  // namespace lanefold::detail
