// SPDX-License-Identifier: MIT
//
// The measures of lanefold_measures.h.
#include <lanefold_measures.h>

#include <lanefold/measures.hpp>

#include "convert.hpp"

struct lanefold_measure_workspace {
    lanefold::MeasureWorkspace own;
};

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

static_assert(sizeof(lanefold_contact_measures) == sizeof(ContactMeasures));
static_assert(offsetof(lanefold_contact_measures, area) == offsetof(ContactMeasures, area));
static_assert(offsetof(lanefold_contact_measures, area_centroid) == offsetof(ContactMeasures, area_centroid));
static_assert(offsetof(lanefold_contact_measures, status) == offsetof(ContactMeasures, status));
static_assert(kMeasureStateCount == 3);

}  // namespace

extern "C" {

lanefold_measure_workspace* lanefold_measure_workspace_create(void) {
    try {
        return new lanefold_measure_workspace;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void lanefold_measure_workspace_free(lanefold_measure_workspace* workspace) { delete workspace; }

lanefold_status lanefold_measure_contacts(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                          const lanefold_pair* pairs, uint64_t pair_count, const double* shifts,
                                          uint32_t threads, lanefold_contact_measures* out,
                                          lanefold_measure_workspace* workspace, lanefold_measure_result* result) {
    return guarded([&] {
        if (hulls == nullptr) return refuse("hulls is null");
        if (bodies == nullptr) return refuse("bodies is null");
        if (workspace == nullptr) return refuse("workspace is null");
        if (pairs == nullptr && pair_count != 0) return refuse("pairs is null with a count");
        if (out == nullptr && pair_count != 0) return refuse("out is null with a count");
        if (threads > 1) return refuse("threads: 0, all of the caller's arena, or 1", threads);
        lanefold_measure_result sums = LANEFOLD_MEASURE_RESULT_INIT;
        if (!read_versioned(result, sums))
            return refuse("result.struct_size is not set: begin with LANEFOLD_MEASURE_RESULT_INIT");
        const BodyView view = view_of(*bodies);
        const std::span<const Pair> list(reinterpret_cast<const Pair*>(pairs), pair_count);
        const std::span<ContactMeasures> records(reinterpret_cast<ContactMeasures*>(out), pair_count);
        const std::span<const Vec3d> moved(reinterpret_cast<const Vec3d*>(shifts), shifts == nullptr ? 0 : pair_count);
        const auto call = threads == 1 ? &measure_contacts_serial : &measure_contacts;
        const MeasureResult r = call(hulls->set, view, list, records, workspace->own, moved);
        std::copy_n(r.by_state, kMeasureStateCount, sums.by_state);
        sums.volume = r.volume;
        write_versioned(sums, result);
        return status_of(r.status);
    });
}

}  // extern "C"
