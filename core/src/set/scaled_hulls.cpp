// SPDX-License-Identifier: MIT
//
// See the header.
#include <lanefold/scaled_hulls.hpp>

#include <new>
#include <utility>

#include <lanefold/fp_environment.hpp>

#include "set/baked_scales.hpp"

namespace lanefold {

struct ScaledHulls::State {
    detail::BakedScales baked;

    CallStatus add(std::span<const HullScale> wanted, std::vector<std::uint32_t>& ids) {
        detail::BakedScales next = baked;
        const detail::AddedScales added = next.add(wanted);
        if (!added.memory) return {Status::out_of_memory, "scaled hulls", wanted.size()};
        const std::vector<detail::ScaleFault>& faults = added.faults;
        if (!faults.empty()) return {Status::bad_argument, faults[0].what, faults[0].place};
        ids.reserve(wanted.size());
        for (const HullScale& s : wanted) ids.push_back(next.find(s));
        baked = std::move(next);
        return {};
    }
};

ScaledHulls::ScaledHulls(HullSet hulls, const BuildOptions& options)
    : state_(std::make_unique<State>(State{detail::BakedScales(std::move(hulls), options)})) {}
ScaledHulls::ScaledHulls(ScaledHulls&&) noexcept = default;
ScaledHulls& ScaledHulls::operator=(ScaledHulls&&) noexcept = default;
ScaledHulls::~ScaledHulls() = default;

ScaledIds ScaledHulls::take(std::span<const HullScale> wanted) {
    ScaledIds result;
    try {
        result.status = in_default_environment([&] { return state_->add(wanted, result.ids); });
    } catch (const std::bad_alloc&) {
        result.status = {Status::out_of_memory, "scaled hulls", wanted.size()};
    }
    if (!result.status) result.ids.clear();
    return result;
}

ScaledIds ScaledHulls::take(std::uint32_t hull, const Vec3f& scale) {
    const HullScale wanted{hull, scale};
    return take(std::span(&wanted, 1));
}

const HullSet& ScaledHulls::hulls() const { return state_->baked.hulls(); }

}  // namespace lanefold
