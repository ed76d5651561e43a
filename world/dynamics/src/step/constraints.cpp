// SPDX-License-Identifier: MIT
//
// A manifold or a link is a constraint when impulses can move one of its bodies.
#include "step/constraints.hpp"

#include <lanefold/detail/caller_memory.hpp>

namespace lanefold::detail {
namespace {

struct LinkBodies {
    std::uint32_t a, b;
};
LinkBodies ends_of(const BodyLink& link, std::uint32_t no_body) {
    return {link.a, link.b == kWorldAnchor ? no_body : link.b};
}

// The ends of a constraint of so many points; no points where neither body is movable.
ConstraintEnds make_ends(const Bodies& bodies, std::uint32_t a, std::uint32_t b, std::uint32_t points) {
    ConstraintEnds e{a, b, 0, static_cast<std::uint8_t>(bodies.movable(a) ? 1 : 0),
                     static_cast<std::uint8_t>(bodies.movable(b) ? 1 : 0)};
    if ((e.movable_a | e.movable_b) != 0) e.points = static_cast<std::uint8_t>(points);
    return e;
}

}  // namespace

void Constraints::find_parts(const WorldState& world, Loops& loops) {
    parts_.clear();
    if (!world.bodies.has_compounds()) return;
    const std::span<const Manifold4> manifolds = world.contacts.manifolds();
    parts_.resize(manifolds.size());
    loops.over(manifolds.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const CompoundPart a = world.bodies.part(manifolds[i].pair[0], manifolds[i].child_a);
            const CompoundPart b = world.bodies.part(manifolds[i].pair[1], manifolds[i].child_b);
            parts_[i] = {a.size, b.size, a.round, b.round};
        }
    });
}

CallStatus Constraints::build(const WorldState& world, std::span<const std::uint8_t> left, Isa isa, Loops& loops,
                              StepResult& result) {
    const std::uint32_t width = solver_table(isa).width;
    const Bodies& bodies = world.bodies;
    const auto no_body = static_cast<std::uint32_t>(bodies.size());
    const std::span<const Manifold4> manifolds = world.contacts.manifolds();
    contact_ends_.resize(manifolds.size());
    loops.over(manifolds.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Manifold4& m = manifolds[i];
            contact_ends_[i] =
                make_ends(bodies, m.pair[0], m.pair[1], m.status == Status::ok && left[i] == 0 ? m.count : 0U);
        }
    });
    find_parts(world, loops);
    if (!contacts_.build(contact_ends_, no_body, width, {kContactHead, std::uint32_t{kPointFields} + kSweptFields},
                         loops))
        return refuse("more contacts than 2^32 rows of a block", manifolds.size());

    const std::span<const BodyLink> links = world.links.links();
    link_ends_.resize(links.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
        const auto [a, b] = ends_of(links[i], no_body);
        const bool lost = bodies.lost(a) || (b != no_body && bodies.lost(b));
        link_ends_[i] = make_ends(bodies, a, b, lost ? 0 : 1);
    }
    groups_.build(link_ends_, no_body);
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (groups_.grouped(i)) link_ends_[i].points = 0;
    }
    if (!links_.build(link_ends_, no_body, width, {kLinkFields, 0}, loops))
        return refuse("more links than 2^32 rows of a block", links.size());
    result.contacts = contacts_.constraints();
    result.points = contacts_.points();
    result.links = links_.constraints() + groups_.slots.size();
    result.colours = contacts_.colours();
    result.overflow = contacts_.overflow() + links_.overflow();
    return {};
}

}  // namespace lanefold::detail
