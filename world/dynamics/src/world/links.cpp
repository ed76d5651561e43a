// SPDX-License-Identifier: MIT
//
// Cables and rods: what is refused, and the rows that the kernels read.
#include <cmath>
#include <new>

#include <lanefold/fp_environment.hpp>

#include "world/impl.hpp"

namespace lanefold {
namespace {

using detail::refuse;

// Absolute: squares of arms must not leave float32 in the solver.
constexpr double kMostArm = 1e15;

bool is_arm(const Vec3d& end) {
    return std::abs(end.x) <= kMostArm && std::abs(end.y) <= kMostArm && std::abs(end.z) <= kMostArm;
}

CallStatus check_link(const World::Impl& w, const BodyLink& link, std::uint64_t where) {
    const std::size_t n = w.bodies();
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
    const bool a = w.kind[link.a] == BodyKind::dynamic;
    const bool b = link.b != kWorldAnchor && w.kind[link.b] == BodyKind::dynamic;
    if (!a && !b) return refuse("link: neither end is a dynamic body", where);
    return {};
}

void set_end(const detail::MassRow& mass, const Vec3d& end, float* out) {
    out[0] = static_cast<float>(end.x - static_cast<double>(mass.centre[0]));
    out[1] = static_cast<float>(end.y - static_cast<double>(mass.centre[1]));
    out[2] = static_cast<float>(end.z - static_cast<double>(mass.centre[2]));
}

detail::LinkRow link_row(const World::Impl& w, const BodyLink& link) {
    detail::LinkRow row{};
    set_end(w.mass[link.a], link.end_a, row.end_a);
    row.fixed = link.b == kWorldAnchor ? 1 : 0;
    if (row.fixed != 0) {
        row.anchor[0] = link.end_b.x;
        row.anchor[1] = link.end_b.y;
        row.anchor[2] = link.end_b.z;
    } else {
        set_end(w.mass[link.b], link.end_b, row.end_b);
    }
    row.length = static_cast<float>(link.length);
    row.restitution = link.restitution;
    row.cable = link.kind == LinkKind::cable ? 1 : 0;
    return row;
}

CallStatus add(World::Impl& w, std::span<const BodyLink> links) {
    if (links.data() == nullptr && !links.empty()) return refuse("links is null but has a length", links.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
        const CallStatus status = check_link(w, links[i], i);
        if (!status) return status;
    }
    const std::size_t before = w.link.size();
    try {
        w.link.reserve(before + links.size());
        w.link_row.reserve(before + links.size());
        w.link_impulse.reserve(before + links.size());
    } catch (const std::bad_alloc&) {
        return {Status::out_of_memory, "links", links.size()};
    }
    for (const BodyLink& link : links) {
        w.link.push_back(link);
        w.link_row.push_back(link_row(w, link));
        w.link_impulse.push_back({0});
        w.wake_body(link.a);
        if (link.b != kWorldAnchor) w.wake_body(link.b);
    }
    return {};
}

}  // namespace

CallStatus World::add_links(std::span<const BodyLink> links) {
    if (!impl_) return moved_from();
    return in_default_environment([&] { return add(*impl_, links); });
}

float World::link_force(std::size_t link) const {
    const Impl& w = seen(impl_);
    if (link >= w.link_impulse.size() || !(w.last_h > 0)) return 0;
    return in_default_environment([&] { return w.link_impulse[link].along / w.last_h; });
}

}  // namespace lanefold
