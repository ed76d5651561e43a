// SPDX-License-Identifier: MIT
//
// Which pairs a step looks at, and with which margins.
#include <algorithm>
#include <cmath>

#include "world/impl.hpp"

namespace lanefold {
namespace {

// Share of WorldSettings::margin by which the boxes of the search are fatter: what rests on the same list for many steps
// against what it lists for nothing.
constexpr float kFat = 2.0F;

// Rounds outwards: float32 boxes of float64 positions.
constexpr float kOutward = 2e-7F;

float below(double x) {
    const auto f = static_cast<float>(x);
    return f - std::fabs(f) * kOutward;
}
float above(double x) {
    const auto f = static_cast<float>(x);
    return f + std::fabs(f) * kOutward;
}

bool overlap(const detail::SearchBox& a, const detail::SearchBox& b) {
    for (int k = 0; k < 3; ++k) {
        if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
    }
    return true;
}

float speed(const float* v) { return std::sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]); }

}  // namespace

// Each body's box with half the margin, swept by its velocity and blown up by its spin.
void World::Impl::find_boxes(float dt) {
    const std::size_t n = bodies();
    box.resize(n);
    const double half_margin = static_cast<double>(0.5F * settings.margin * settings.unit);
    for (std::size_t i = 0; i < n; ++i) {
        const Mat3d r = rotation(orientation[i]);
        const Vec3d middle = centre[i] + r * to_double(box_centre[i]);
        const Vec3d half = to_double(box_half[i]);
        const detail::MotionRow& m = motion[i];
        const double fat = half_margin + static_cast<double>(speed(m.w) * radius[i] * dt);
        const double at[3] = {middle.x, middle.y, middle.z};
        for (int k = 0; k < 3; ++k) {
            const Vec3d& row = r.row[k];
            const double e =
                ((std::fabs(row.x) * half.x + std::fabs(row.y) * half.y) + std::fabs(row.z) * half.z) + fat;
            const double sweep = static_cast<double>(m.v[k] * dt);
            box[i].low[k] = below(at[k] - e + std::min(sweep, 0.0));
            box[i].high[k] = above(at[k] + e + std::max(sweep, 0.0));
        }
    }
}

std::span<const Pair> World::Impl::find_pairs(float dt) {
    find_boxes(dt);
    const std::span<const Pair> fat = search.find(box, filter, kFat * settings.margin * settings.unit);
    // The list is as fat as its history has it; what is left is a matter of the present state alone.
    sorted.clear();
    for (const Pair& pair : fat) {
        if (overlap(box[pair.a], box[pair.b])) sorted.push_back(pair);
    }
    return sorted;
}

float World::Impl::margin_of(const Pair& pair, float dt) const {
    const detail::MotionRow& a = motion[pair.a];
    const detail::MotionRow& b = motion[pair.b];
    const float v[3] = {a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]};
    const float spin = speed(a.w) * radius[pair.a] + speed(b.w) * radius[pair.b];
    return settings.margin * settings.unit + (speed(v) + spin) * dt;
}

std::span<const Pair> World::find_pairs(double dt) { return impl_->find_pairs(static_cast<float>(dt)); }

float World::pair_margin(const Pair& pair, double dt) const {
    const Impl& w = *impl_;
    if (pair.a >= w.bodies() || pair.b >= w.bodies()) return 0;
    return w.margin_of(pair, static_cast<float>(dt));
}

}  // namespace lanefold
