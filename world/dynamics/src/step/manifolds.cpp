// SPDX-License-Identifier: MIT
//
// The call of the narrowphase, and what is refused of a caller's manifolds.
#include "step/manifolds.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/compound_block.hpp>
#include <lanefold/narrowphase.hpp>

#include "step/inner_contacts.hpp"
#include "step/margins.hpp"
#include "step/most_of_pairs.hpp"

namespace lanefold::detail {
namespace {

bool has_several(const WorldState& world, const Manifold4& m) {
    const auto gives = [&](std::uint32_t body) {
        const HullRecord& hull = world.hulls[world.bodies.hull(body)];
        return is_surface(hull) || is_compound(hull);
    };
    return gives(m.pair[0]) || gives(m.pair[1]);
}

}  // namespace

// The bodies that have neither moved nor got a larger margin since the step before. In a long step gravity may bring a
// body that has just woken further than the margins of its manifolds reach. A body on a piece of a surface may have
// several records of one pair, which a call does not keep.
std::span<const std::uint8_t> ManifoldFinder::unmoved_in(const WorldState& world, float dt) {
    const Bodies& bodies = world.bodies;
    const bool falls = fall_in(world.settings, dt) > 0;
    if (!falls && seams_.empty()) return bodies.unmoved();
    unmoved_.assign(bodies.unmoved().begin(), bodies.unmoved().end());
    for (std::size_t i = 0; falls && i < bodies.size(); ++i) {
        if (bodies.movable(i)) unmoved_[i] = 0;
    }
    if (seams_.empty()) return unmoved_;
    for (const Manifold4& m : world.contacts.manifolds()) {
        if (seams_.is_piece(m.pair[0])) unmoved_[m.pair[1]] = 0;
        if (seams_.is_piece(m.pair[1])) unmoved_[m.pair[0]] = 0;
    }
    return unmoved_;
}

CallStatus ManifoldFinder::find(WorldState& world, std::span<const Pair> pairs, float dt, Loops& loops) {
    const WorldSettings& settings = world.settings;
    margin_.resize(pairs.size());
    loops.over(pairs.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) margin_[i] = margin_of(world, pairs[i], dt);
    });
    const CallStatus known = seams_.update(world);
    if (!known) return known;
    Options options;
    options.method = settings.method;
    options.face_preference = settings.face_preference;
    options.isa = settings.isa;
    options.threads = settings.threads;
    CallInputs inputs;
    inputs.pair_margins = margin_;
    if (settings.method == ContactMethod::clip) {
        inputs.previous = PreviousContacts::compact(world.contacts.manifolds());
        options.hysteresis = settings.hysteresis;
        inputs.unmoved = unmoved_in(world, dt);
    }
    const bool reuses = settings.reuse > 0 && carries_pairs(world.hulls);
    if (!reuses) world.anchored = nullptr;
    const CallStatus status =
        reuses ? collide_reusing(world, pairs, options, inputs) : collide_all(world, pairs, options, inputs);
    if (!status) return status;
    drop_inner_contacts(world);
    seams_.mend(world, dt, loops);
    return status;
}

// The call, and again for the rest while there are more records than room: only pairs with surfaces and compounds have
// several.
CallStatus ManifoldFinder::collide_all(WorldState& world, std::span<const Pair> pairs, Options options,
                                       const CallInputs& inputs) {
    Contacts& contacts = world.contacts;
    const bool several = world.hulls.has_surfaces() || world.hulls.max_children() != 0;
    options.count_required = false;
    std::span<Manifold4> room = several
                                    ? contacts.all_room_for_found(std::max(pairs.size(), contacts.manifolds().size()))
                                    : contacts.room_for_found(pairs.size());
    std::size_t written = 0;
    std::uint64_t next = 0;
    for (;;) {
        const CompactResult found = collide_compact(world.hulls, BodyView(world.bodies.poses()), pairs, options,
                                                    room.subspan(written), workspace_, inputs, next);
        written += found.written;
        next = found.next_pair;
        if (found.status) break;
        if (found.status.code != Status::truncated) return found.status;
        room = contacts.more_room_for_found(written, written + (found.required - found.written) + pairs.size());
    }
    contacts.set_found(several ? keep_most_of_pairs(room.first(written)) : written);
    return {};
}

// No pair has several records here.
CallStatus ManifoldFinder::collide_reusing(WorldState& world, std::span<const Pair> pairs, Options options,
                                           const CallInputs& inputs) {
    if (!world.anchored) world.anchored = std::make_unique<AnchoredPairs>();
    Contacts& contacts = world.contacts;
    options.count_required = false;
    const CompactResult found =
        world.anchored->step(world.hulls, BodyView(world.bodies.poses()), pairs, options, inputs, world.settings.reuse,
                             contacts.manifolds(), contacts.room_for_found(pairs.size()), workspace_);
    if (found.status) contacts.set_found(found.written);
    return found.status;
}

void ManifoldFinder::forget(WorldState& world) {
    if (world.anchored) world.anchored->forget();
}

CallStatus check_manifolds(std::span<const Manifold4> manifolds, const WorldState& world) {
    const std::size_t bodies = world.bodies.size();
    std::size_t own = 0;  // of the pair at hand
    if (manifolds.data() == nullptr && !manifolds.empty())
        return refuse("manifolds is null but has a length", manifolds.size());
    for (std::size_t i = 0; i < manifolds.size(); ++i) {
        const Manifold4& m = manifolds[i];
        if (m.pair[0] >= bodies || m.pair[1] >= bodies || m.pair[0] == m.pair[1])
            return refuse("manifolds: not a pair of two bodies", i);
        if (i != 0) {
            const Manifold4& before = manifolds[i - 1];
            const bool same = same_pair(before, m);
            own = same ? own + 1 : 0;
            if (!same && Pair{before.pair[0], before.pair[1]} > Pair{m.pair[0], m.pair[1]})
                return refuse("manifolds: pairs do not ascend", i);
            if (same && (own >= kMostOfPair || !has_several(world, m)))
                return refuse("manifolds: too many of one pair: one, or 64 with a surface or a compound", i);
        }
        if (!world.bodies.has_part(m.pair[0], m.child_a) || !world.bodies.has_part(m.pair[1], m.child_b))
            return refuse("manifolds: a body has no such child", i);
        if (m.count > Manifold4::kCapacity) return refuse("manifolds: more points than there is room for", i);
        float sum = (m.normal[0] + m.normal[1]) + (m.normal[2] + m.distance);
        for (std::uint32_t k = 0; k < m.count; ++k) {
            const ContactPoint& p = m.points[k];
            sum += (p.position[0] + p.position[1]) + (p.position[2] + p.separation);
        }
        if (!std::isfinite(sum)) return refuse("manifolds: a number is not finite", i);
    }
    return {};
}

void take_manifolds(WorldState& world, std::span<const Manifold4> manifolds, Loops& loops) {
    const std::span<Manifold4> room = world.contacts.room_for_found(manifolds.size());
    const Bodies& bodies = world.bodies;
    std::atomic<bool> all = true;
    loops.over(manifolds.size(), [&](std::size_t first, std::size_t last) {
        std::copy_n(manifolds.data() + first, last - first, room.data() + first);
        for (const Manifold4& m : manifolds.subspan(first, last - first)) {
            if (bodies.lost(m.pair[0]) || bodies.lost(m.pair[1])) all.store(false, std::memory_order_relaxed);
        }
    });
    world.contacts.set_found(manifolds.size());
    if (!all.load(std::memory_order_relaxed)) drop_lost(world);
}

void drop_lost(WorldState& world) {
    const Bodies& bodies = world.bodies;
    const std::span<Manifold4> found = world.contacts.room_for_found(world.contacts.found().size());
    const auto lost = [&](const Manifold4& m) { return bodies.lost(m.pair[0]) || bodies.lost(m.pair[1]); };
    world.contacts.set_found(
        static_cast<std::size_t>(std::remove_if(found.begin(), found.end(), lost) - found.begin()));
}

}  // namespace lanefold::detail
