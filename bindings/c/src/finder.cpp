// SPDX-License-Identifier: MIT
//
// Candidate pairs.
#include <lanefold/broadphase.hpp>

#include "convert.hpp"

struct lanefold_pair_finder {
    lanefold::PairFinder own;
};

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
    using namespace lanefold;
    using namespace lanefold::c_api;
    return guarded([&] {
        if (finder == nullptr || hulls == nullptr || bodies == nullptr) {
            return refuse("finder, hulls or bodies is null");
        }
        if (pairs == nullptr || pair_count == nullptr) return refuse("pairs or pair_count is null");
        lanefold_finder_options o = LANEFOLD_FINDER_OPTIONS_INIT;
        if (!read_versioned(options, o)) {
            return refuse("options.struct_size is not set: begin with LANEFOLD_FINDER_OPTIONS_INIT");
        }
        const BodyView view = view_of(*bodies);
        PairFinderOptions f;
        f.margin = o.margin;
        f.threads = o.threads;
        if (o.inverse_mass != nullptr) f.inverse_mass = {o.inverse_mass, view.count};
        if (o.group != nullptr) f.group = {o.group, view.count};
        if (o.category != nullptr) f.category = {o.category, view.count};
        if (o.collides_with != nullptr) f.collides_with = {o.collides_with, view.count};
        if (o.unmoved != nullptr) f.unmoved = {o.unmoved, view.count};
        const PairFinderResult found = finder->own.find(hulls->set, view, f);
        *pairs = reinterpret_cast<const lanefold_pair*>(found.pairs.data());
        *pair_count = found.pairs.size();
        if (without_box != nullptr) *without_box = found.without_box;
        return status_of(found.status);
    });
}

}  // extern "C"
