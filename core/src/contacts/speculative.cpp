// SPDX-License-Identifier: MIT
//
// See the header.
#include <lanefold/speculative.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/scaled_bodies.hpp>
#include <lanefold/fp_environment.hpp>

namespace lanefold {
namespace {

using detail::refuse;

constexpr double kLargest = static_cast<double>(std::numeric_limits<float>::max());
// Roundings of the sum in float64 and of the radius in a hull's record, relative.
constexpr double kRoundings = 1e-6;

bool is_length(float x) { return x >= 0 && std::isfinite(x); }

// The distance of no point of a hull from the body's position exceeds this.
double reach_of(const HullRecord& hull) {
    const Vec3d centre = to_double({hull.centre[0], hull.centre[1], hull.centre[2]});
    return (length(centre) + static_cast<double>(hull.radius)) + static_cast<double>(hull.round_radius);
}

float at_least(double x) {
    const auto nearest = static_cast<float>(std::min(x, kLargest));
    return static_cast<double>(nearest) < x ? std::nextafter(nearest, std::numeric_limits<float>::max()) : nearest;
}

CallStatus check(const BodyView& bodies, const BodyVelocities& velocities, std::size_t pairs, std::size_t out) {
    if (velocities.linear.size() != bodies.count) {
        return refuse("velocities.linear and bodies differ in length", velocities.linear.size());
    }
    if (velocities.angular.size() != bodies.count) {
        return refuse("velocities.angular and bodies differ in length", velocities.angular.size());
    }
    if (bodies.count != 0 && (velocities.linear.data() == nullptr || velocities.angular.data() == nullptr)) {
        return refuse("velocities is null but has a length", bodies.count);
    }
    if (out != pairs) return refuse("out and pairs differ in length", out);
    detail::Bytes fields[3];
    return detail::check_body_view(bodies, fields);
}

}  // namespace

CallStatus speculative_margins(const HullSet& hulls, const BodyView& bodies, const BodyVelocities& velocities,
                               std::span<const Pair> pairs, float time, float margin, std::span<float> out) {
    if (bodies.scale != nullptr) {
        return detail::at_scale(hulls, bodies, [&](const HullSet& own, const BodyView& unscaled) {
            return speculative_margins(own, unscaled, velocities, pairs, time, margin, out);
        });
    }
    if (!is_length(time)) return refuse("time is negative or not finite");
    if (!is_length(margin)) return refuse("margin is negative or not finite");
    if (!pairs.empty() && (pairs.data() == nullptr || out.data() == nullptr)) {
        return refuse("pairs or out is null but has a length", pairs.size());
    }
    const CallStatus status = check(bodies, velocities, pairs.size(), out.size());
    if (!status) return status;
    for (std::size_t i = 0; i < bodies.count; ++i) {
        if (!is_finite(velocities.linear[i])) return refuse("velocities.linear is not finite", i);
        if (!is_finite(velocities.angular[i])) return refuse("velocities.angular is not finite", i);
    }
    const FpEnvironmentGuard environment;
    const auto hull_of = [&](std::uint32_t body, std::uint32_t& id) {
        if (body >= bodies.count) return false;
        std::memcpy(&id, bodies.hull + body * bodies.hull_stride, sizeof id);
        return hulls.contains(id);
    };
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        std::uint32_t hull[2] = {};
        out[i] = margin;
        if (!hull_of(pairs[i].a, hull[0]) || !hull_of(pairs[i].b, hull[1])) continue;
        const std::uint32_t body[2] = {pairs[i].a, pairs[i].b};
        Vec3d linear[2];
        double turning[2];
        for (int k = 0; k < 2; ++k) {
            linear[k] = to_double(velocities.linear[body[k]]);
            turning[k] = length(to_double(velocities.angular[body[k]])) * reach_of(hulls[hull[k]]);
        }
        const double nearer =
            approach_in(linear[0], linear[1], turning[0], turning[1], static_cast<double>(time)) * (1.0 + kRoundings);
        out[i] = at_least(static_cast<double>(margin) + nearer);
    }
    return {};
}

}  // namespace lanefold
