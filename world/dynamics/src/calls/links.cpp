// SPDX-License-Identifier: MIT
//
// Calls about cables and rods, and which arguments are refused.
#include <cmath>
#include <new>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>

#include "calls/impl.hpp"

namespace lanefold {
namespace {

using detail::refuse;

// Absolute: squares of arms must not leave float32 in the solver.
constexpr double kMostArm = 1e15;

bool is_arm(const Vec3d& end) {
    return std::abs(end.x) <= kMostArm && std::abs(end.y) <= kMostArm && std::abs(end.z) <= kMostArm;
}

CallStatus check_link(const detail::Bodies& bodies, const BodyLink& link, std::uint64_t where) {
    const std::size_t n = bodies.size();
    if (link.kind > LinkKind::rod) return refuse("link: kind is none of LinkKind", where);
    if (link.a >= n) return refuse("link: there is no body a", where);
    if (link.b != kWorldAnchor && link.b >= n) return refuse("link: there is no body b", where);
    if (link.a == link.b) return refuse("link: a and b are the same body", where);
    if (!is_finite(link.end_a) || !is_finite(link.end_b)) return refuse("link: an end is not finite", where);
    if (!is_arm(link.end_a) || (link.b != kWorldAnchor && !is_arm(link.end_b)))
        return refuse("link: an end is beyond 1e15 from the origin of its body", where);
    if (!(link.length > 0) || !std::isfinite(static_cast<float>(link.length)) || !(static_cast<float>(link.length) > 0))
        return refuse("link: length must be finite and positive", where);
    if (!(link.restitution >= 0 && link.restitution <= 1)) return refuse("link: restitution must be 0 to 1", where);
    const bool a = bodies.kind(link.a) == BodyKind::dynamic;
    const bool b = link.b != kWorldAnchor && bodies.kind(link.b) == BodyKind::dynamic;
    if (!a && !b) return refuse("link: neither end is a dynamic body", where);
    return {};
}

CallStatus add(detail::WorldState& world, std::span<const BodyLink> links) {
    if (links.data() == nullptr && !links.empty()) return refuse("links is null but has a length", links.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
        const CallStatus status = check_link(world.bodies, links[i], i);
        if (!status) return status;
    }
    try {
        world.links.add(links, world.bodies);
    } catch (const std::bad_alloc&) {
        return {Status::out_of_memory, "links", links.size()};
    }
    for (const BodyLink& link : links) {
        world.sleep.wake(world.bodies, link.a);
        if (link.b != kWorldAnchor) world.sleep.wake(world.bodies, link.b);
    }
    return {};
}

}  // namespace

CallStatus World::add_links(std::span<const BodyLink> links) {
    if (!impl_) return moved_from();
    return in_default_environment([&] { return add(impl_->state, links); });
}

double World::link_error(std::size_t link) const {
    const detail::WorldState& world = state_of(impl_);
    if (link >= world.links.size()) return 0;
    return in_default_environment([&] { return world.links.error(link, world.bodies); });
}

float World::link_force(std::size_t link) const {
    const detail::WorldState& world = state_of(impl_);
    if (link >= world.links.size() || !(world.substep > 0)) return 0;
    return in_default_environment([&] { return world.links.impulses()[link].along / world.substep; });
}

}  // namespace lanefold
