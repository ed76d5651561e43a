// SPDX-License-Identifier: MIT
//
// See the header.
#include "boxes/lazy_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/same_set.hpp>

#include "boxes/tasks.hpp"
#include "boxes/world_boxes.hpp"

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

// How a box changed, `most` rounded up. Nothing is known of a middle where there was no box, or is none.
BoxStep step_between(const Sides& old, const Sides& now) {
    double most = 0;
    double sum = 0;  // is no finite number if one of them is none
    for (int k = 0; k < 6; ++k) {
        const double x = std::fabs(now.of[k] - old.of[k]);
        most = std::max(most, x);
        sum += x;
    }
    BoxStep step;
    step.most = sum < kInfinity ? most * (1 + std::numeric_limits<double>::epsilon()) : kInfinity;
    if (old.empty() || now.empty()) return step;
    const WorldBox before = old.box();
    const WorldBox after = now.box();
    step.middle = to_float(((after.lower - before.lower) + (after.upper - before.upper)) * 0.5);
    return step;
}

}  // namespace

bool LazyBoxes::begin(const BoxKernels& kernels, const HullSet& hulls, std::size_t bodies, const BoxShape& shape,
                      std::size_t known, std::uint32_t threads) {
    kernels_ = &kernels;
    const bool same_hulls = is_same_set(hulls, hulls_);
    const bool same_shape = shape.growth == shape_.growth && shape.more == nullptr && shape_.more == nullptr &&
                            shape.motion == nullptr && shape_.motion == nullptr;
    if (same_shape && same_hulls && known == bodies && bodies == sides_.size()) return true;
    // The boxes of this frame are compared with those of the frame before.
    compute_all(threads);
    sides_.resize(bodies, kNoSides);
    within_.resize(bodies, kNoSides);
    clearance_.resize(bodies, -kInfinity);
    state_.resize(bodies, kNone);
    poses_.resize(bodies);
    list_.resize(bodies);
    for (std::size_t i = known; i < bodies; ++i) {
        state_[i] = kNone;
        sides_[i] = kNoSides;
    }
    if (!same_hulls) take_hulls(hulls);
    records_ = {hulls_.records(), hulls_.size()};
    shape_ = shape;
    return false;
}

void LazyBoxes::take_hulls(const HullSet& hulls) {
    if (offered_ && is_same_set(hulls, offered_->hulls)) {
        common_ = offered_;
        own_ = {};
    } else {
        own_.take(common_ ? HullSet() : hulls_, hulls);
        common_.reset();
    }
    hulls_ = hulls;
}

BoxStep LazyBoxes::follow(const BodyView& bodies, std::size_t i) {
    const BodyD now = read_body(bodies, i);
    const BodyD old = poses_[i];
    if (state_[i] == kNone || now.hull != old.hull || !has_box(records_, now)) {
        const auto body = static_cast<std::uint32_t>(i);
        BoxStep step;
        compute(i, i + 1, [](std::size_t) { return true; });
        set(bodies, {&body, 1}, {&step, 1});
        return step;
    }
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
    const double grown = shape_.growth + static_cast<double>(records_[now.hull].round_radius);
    const double rounding = kRounding * (largest(position_of(now)) + largest(position_of(old)) + reach + grown);
    return {moved + kTurn * std::sqrt(turned) * reach + rounding, to_float(by)};
}

void LazyBoxes::set(const BodyView& bodies, std::span<const std::uint32_t> body, std::span<BoxStep> steps) {
    for (std::size_t k = 0; k < body.size(); k += kBodiesPerBlock) {
        const std::size_t count = std::min(kBodiesPerBlock, body.size() - k);
        Sides old[kBodiesPerBlock];
        std::uint32_t list[kBodiesPerBlock];
        std::size_t n = 0;
        for (std::size_t j = 0; j < count; ++j) {
            const std::uint32_t i = body[k + j];
            old[j] = sides_[i];
            poses_[i] = read_body(bodies, i);
            if (has_box(records_, poses_[i])) {
                list[n++] = i;
            } else {
                sides_[i] = kNoSides;
                state_[i] = kNone;
            }
        }
        place({list, n});
        for (std::size_t j = 0; j < count; ++j) steps[k + j] = step_between(old[j], sides_[body[k + j]]);
    }
}

void LazyBoxes::place(std::span<const std::uint32_t> list) {
    if (list.empty()) return;
    const BoxJob job{poses_.data(), corners().all().data(), shape_.growth, shape_.more,
                     shape_.motion, within_.data(),         sides_.data(), clearance_.data()};
    kernels_->place_boxes(job, list.data(), list.size());
    for (const std::uint32_t i : list) state_[i] = kComputed;
}

void LazyBoxes::compute_all(std::uint32_t threads) {
    for_blocks(sides_.size(), kBodiesPerBlock, threads,
               [&](std::size_t first, std::size_t last) { compute(first, last, [](std::size_t) { return true; }); });
}

std::uint64_t LazyBoxes::empty_ones() const {
    return static_cast<std::uint64_t>(std::count(state_.begin(), state_.end(), std::uint8_t{kNone}));
}

}  // namespace lanefold::detail
