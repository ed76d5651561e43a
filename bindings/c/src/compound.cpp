// SPDX-License-Identifier: MIT
//
// Compounds and scaled hulls.
#include <lanefold_compound.h>

#include <lanefold/compound.hpp>
#include <lanefold/scaled_hulls.hpp>

#include "convert.hpp"

struct lanefold_scaled_hulls {
    lanefold::ScaledHulls own;
};

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

static_assert(sizeof(lanefold_child) == sizeof(CompoundChild));
static_assert(offsetof(lanefold_child, orientation) == offsetof(CompoundChild, orientation));
static_assert(offsetof(lanefold_child, hull) == offsetof(CompoundChild, hull));

}  // namespace

extern "C" {

lanefold_status lanefold_build_compounds(const lanefold_hulls* hulls, const lanefold_child* children,
                                         uint64_t child_count, const uint64_t* offsets, uint64_t compound_count,
                                         lanefold_hulls** out, lanefold_compound_report* reports,
                                         uint64_t report_capacity, uint64_t* report_count) {
    return guarded([&] {
        if (hulls == nullptr || out == nullptr) return refuse("hulls or out is null");
        *out = nullptr;
        if (report_count != nullptr) *report_count = 0;
        if (children == nullptr && child_count != 0) return refuse("children is null with a count");
        if (offsets == nullptr) return refuse("offsets is null");
        if (compound_count >= UINT32_MAX) return refuse("too many compounds", compound_count);
        CompoundResult built = build_compounds(
            hulls->set, {reinterpret_cast<const CompoundChild*>(children), child_count}, {offsets, compound_count + 1});
        if (report_count != nullptr) *report_count = built.failures.size();
        for (std::size_t i = 0; reports != nullptr && i < built.failures.size() && i < report_capacity; ++i) {
            const CompoundReport& r = built.failures[i];
            reports[i] = {r.compound, r.child, static_cast<std::int32_t>(r.error), 0, r.what};
        }
        if (!built) return refuse(built.failures.front().what, built.failures.front().compound);
        *out = new lanefold_hulls{std::move(built.hulls)};
        return status_of({});
    });
}

uint64_t lanefold_compound_child_count(const lanefold_hulls* hulls, uint32_t id) {
    return hulls != nullptr && hulls->set.contains(id) ? hulls->set.child_count(id) : 0;
}

lanefold_status lanefold_compound_child(const lanefold_hulls* hulls, uint32_t id, uint64_t child, lanefold_child* out) {
    return guarded([&] {
        if (hulls == nullptr || out == nullptr) return refuse("hulls or out is null");
        if (child >= lanefold_compound_child_count(hulls, id)) return refuse("there is no such child", child);
        const CompoundChild found = hulls->set.child(id, child);
        *out = {};
        std::copy_n(found.position, 3, out->position);
        std::copy_n(found.orientation, 4, out->orientation);
        out->hull = found.hull;
        return status_of({});
    });
}

lanefold_status lanefold_scaled_hulls_create(const lanefold_hulls* hulls, const lanefold_build_options* options,
                                             lanefold_scaled_hulls** out) {
    return guarded([&] {
        if (hulls == nullptr || out == nullptr) return refuse("hulls or out is null");
        *out = nullptr;
        lanefold_build_options o = LANEFOLD_BUILD_OPTIONS_INIT;
        if (!read_versioned(options, o))
            return refuse("options.struct_size is not set: begin with LANEFOLD_BUILD_OPTIONS_INIT");
        BuildOptions build;
        build.merge_coplanar = o.merge_coplanar != 0;
        build.recognize_boxes = o.recognize_boxes != 0;
        build.threads = o.threads;
        *out = new lanefold_scaled_hulls{ScaledHulls(hulls->set, build)};
        return status_of({});
    });
}

void lanefold_scaled_hulls_free(lanefold_scaled_hulls* scaled) { delete scaled; }

lanefold_status lanefold_scaled_hulls_take(lanefold_scaled_hulls* scaled, const uint32_t* hulls, const float* scales,
                                           uint64_t count, uint32_t* ids) {
    return guarded([&] {
        if (scaled == nullptr) return refuse("scaled is null");
        if ((hulls == nullptr || scales == nullptr || ids == nullptr) && count != 0)
            return refuse("hulls, scales or ids is null with a count");
        std::vector<HullScale> wanted(count);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            wanted[i] = {hulls[i], {scales[3 * i], scales[3 * i + 1], scales[3 * i + 2]}};
        const ScaledIds taken = scaled->own.take(wanted);
        std::copy(taken.ids.begin(), taken.ids.end(), ids);
        return status_of(taken.status);
    });
}

lanefold_status lanefold_scaled_hulls_get(const lanefold_scaled_hulls* scaled, lanefold_hulls** out) {
    return guarded([&] {
        if (scaled == nullptr || out == nullptr) return refuse("scaled or out is null");
        *out = nullptr;
        *out = new lanefold_hulls{scaled->own.hulls()};
        return status_of({});
    });
}

}  // extern "C"
