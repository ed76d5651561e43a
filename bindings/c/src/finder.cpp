// SPDX-License-Identifier: MIT
//
// Candidate pairs, of one world and of many.
#include <lanefold_worlds.h>
#include <lanefold/broadphase.hpp>

#include "convert.hpp"
#include "handles.hpp"

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

// The bodies of a call and what is said of them.
struct Arguments {
    lanefold_pair_finder* finder;
    const lanefold_hulls* hulls;
    const lanefold_body_view* bodies;
    const lanefold_finder_options* options;
    const lanefold_finder_worlds* worlds;
};

// The caller's places for results; the last two may be null.
struct Found {
    const lanefold_pair** pairs;
    std::uint64_t* pair_count;
    const std::uint64_t** offsets;
    std::uint64_t* without_box;
};

void add_worlds(const lanefold_finder_worlds& w, std::size_t bodies, PairFinderOptions& f) {
    f.worlds = w.worlds;
    if (w.world != nullptr) f.world = {w.world, bodies};
    if (w.active != nullptr) f.active = {w.active, w.worlds};
    if (w.growth != nullptr) f.growth = {w.growth, bodies};
    if (w.motion != nullptr) f.motion = {reinterpret_cast<const Vec3f*>(w.motion), bodies};
}

lanefold_status find(const Arguments& a, const Found& to) {
    return guarded([&] {
        if (a.finder == nullptr || a.hulls == nullptr || a.bodies == nullptr) {
            return refuse("finder, hulls or bodies is null");
        }
        if (to.pairs == nullptr || to.pair_count == nullptr) return refuse("pairs or pair_count is null");
        lanefold_finder_options o = LANEFOLD_FINDER_OPTIONS_INIT;
        if (!read_versioned(a.options, o)) {
            return refuse("options.struct_size is not set: begin with LANEFOLD_FINDER_OPTIONS_INIT");
        }
        lanefold_finder_worlds w = LANEFOLD_FINDER_WORLDS_INIT;
        if (!read_versioned(a.worlds, w)) {
            return refuse("worlds.struct_size is not set: begin with LANEFOLD_FINDER_WORLDS_INIT");
        }
        const BodyView view = view_of(*a.bodies);
        PairFinderOptions f;
        f.margin = o.margin;
        f.threads = o.threads;
        if (o.inverse_mass != nullptr) f.inverse_mass = {o.inverse_mass, view.count};
        if (o.group != nullptr) f.group = {o.group, view.count};
        if (o.category != nullptr) f.category = {o.category, view.count};
        if (o.collides_with != nullptr) f.collides_with = {o.collides_with, view.count};
        if (o.unmoved != nullptr) f.unmoved = {o.unmoved, view.count};
        add_worlds(w, view.count, f);
        const PairFinderResult found = a.finder->own.find(a.hulls->set, view, f);
        *to.pairs = reinterpret_cast<const lanefold_pair*>(found.pairs.data());
        *to.pair_count = found.pairs.size();
        if (to.offsets != nullptr) *to.offsets = found.world_offsets.data();
        if (to.without_box != nullptr) *to.without_box = found.without_box;
        return status_of(found.status);
    });
}

}  // namespace

extern "C" {

lanefold_pair_finder* lanefold_finder_create(void) {
    try {
        return new lanefold_pair_finder;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void lanefold_finder_free(lanefold_pair_finder* finder) { delete finder; }

lanefold_status lanefold_find_pairs(lanefold_pair_finder* finder, const lanefold_hulls* hulls,
                                    const lanefold_body_view* bodies, const lanefold_finder_options* options,
                                    const lanefold_pair** pairs, uint64_t* pair_count, uint64_t* without_box) {
    return find({finder, hulls, bodies, options, nullptr}, {pairs, pair_count, nullptr, without_box});
}

lanefold_status lanefold_find_world_pairs(lanefold_pair_finder* finder, const lanefold_hulls* hulls,
                                          const lanefold_body_view* bodies, const lanefold_finder_options* options,
                                          const lanefold_finder_worlds* worlds, const lanefold_pair** pairs,
                                          uint64_t* pair_count, const uint64_t** offsets, uint64_t* without_box) {
    return find({finder, hulls, bodies, options, worlds}, {pairs, pair_count, offsets, without_box});
}

}  // extern "C"
