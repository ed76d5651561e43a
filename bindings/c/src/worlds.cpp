// SPDX-License-Identifier: MIT
//
// The contacts of many worlds in one call (lanefold_worlds.h).
#include <lanefold_worlds.h>

#include <lanefold/narrowphase.hpp>
#include <lanefold/worlds.hpp>

#include "convert.hpp"
#include "handles.hpp"

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

static_assert(sizeof(lanefold_world_result) == sizeof(WorldResult));
static_assert(offsetof(lanefold_world_result, deepest) == offsetof(WorldResult, deepest));
static_assert(offsetof(lanefold_world_result, by_status) == offsetof(WorldResult, by_status));
static_assert(offsetof(lanefold_world_result, hash) == offsetof(WorldResult, hash));

struct Arguments {
    const lanefold_hulls* hulls;
    const lanefold_body_view* bodies;
    const lanefold_pair* pairs;
    std::uint64_t pair_count;
    const lanefold_world_ranges* ranges;
    const lanefold_options* options;
    std::uint64_t out_count;
    std::uint32_t* candidates;
    lanefold_world_result* results;
    lanefold_workspace* workspace;
    lanefold_result* result;
    std::uint64_t* truncated;
};

// Why an argument is refused before its structures are read, or null.
const char* fault_of(const Arguments& a, const void* out) {
    if (a.hulls == nullptr) return "hulls is null";
    if (a.bodies == nullptr) return "bodies is null";
    if (a.workspace == nullptr) return "workspace is null";
    if (a.ranges == nullptr) return "ranges is null";
    if (a.pairs == nullptr && a.pair_count != 0) return "pairs is null with a count";
    if (out == nullptr && a.out_count != 0) return "out is null with a count";
    return nullptr;
}

template <class Record>
lanefold_status run(const Arguments& a, void* out) {
    return guarded([&] {
        if (const char* fault = fault_of(a, out)) return refuse(fault);
        lanefold_result known = LANEFOLD_RESULT_INIT;
        if (!read_versioned(a.result, known)) {
            return refuse("result.struct_size is not set: begin with LANEFOLD_RESULT_INIT");
        }
        lanefold_world_ranges w = LANEFOLD_WORLD_RANGES_INIT;
        if (!read_versioned(a.ranges, w)) {
            return refuse("ranges.struct_size is not set: begin with LANEFOLD_WORLD_RANGES_INIT");
        }
        if (w.pairs == nullptr || w.records == nullptr) return refuse("ranges.pairs or ranges.records is null");
        if (w.worlds >= UINT32_MAX) return refuse("too many worlds", w.worlds);
        if (a.results == nullptr && w.worlds != 0) return refuse("results is null with worlds");
        const BodyView view = view_of(*a.bodies);
        Options options;
        CallInputs inputs;
        lanefold_status refused{};
        if (!options_of(a.options, view, a.pair_count, options, inputs, refused)) return refused;
        WorldRanges worlds{{w.pairs, w.worlds + 1}, {w.records, w.worlds + 1}};
        if (w.bodies != nullptr) worlds.bodies = {w.bodies, w.worlds + 1};
        if (w.active != nullptr) worlds.active = {w.active, w.worlds};
        if (w.previous_records != nullptr) worlds.previous_records = {w.previous_records, w.worlds + 1};
        if (w.previous_results != nullptr)
            worlds.previous_results = {reinterpret_cast<const WorldResult*>(w.previous_results), w.worlds};
        const std::span<const Pair> pairs(reinterpret_cast<const Pair*>(a.pairs), a.pair_count);
        const std::span<std::uint32_t> candidates(a.candidates, a.candidates != nullptr ? a.out_count : 0);
        const WorldsResult r = collide_worlds<Record>(
            a.hulls->set, view, pairs, worlds, options, {static_cast<Record*>(out), a.out_count},
            {reinterpret_cast<WorldResult*>(a.results), w.worlds}, a.workspace->own, inputs, candidates);
        lanefold_result sums = result_of(r);
        sums.written = r.written;
        write_versioned(sums, a.result);
        if (a.truncated != nullptr) *a.truncated = r.truncated;
        return status_of(r.status);
    });
}

}  // namespace

extern "C" {

lanefold_status lanefold_collide_worlds4(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                         const lanefold_pair* pairs, uint64_t pair_count,
                                         const lanefold_world_ranges* ranges, const lanefold_options* options,
                                         lanefold_manifold4* out, uint64_t out_count, uint32_t* candidates,
                                         lanefold_world_result* results, lanefold_workspace* workspace,
                                         lanefold_result* result, uint64_t* truncated) {
    return run<Manifold4>({hulls, bodies, pairs, pair_count, ranges, options, out_count, candidates, results, workspace,
                           result, truncated},
                          out);
}

lanefold_status lanefold_collide_worlds16(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                          const lanefold_pair* pairs, uint64_t pair_count,
                                          const lanefold_world_ranges* ranges, const lanefold_options* options,
                                          lanefold_manifold16* out, uint64_t out_count, uint32_t* candidates,
                                          lanefold_world_result* results, lanefold_workspace* workspace,
                                          lanefold_result* result, uint64_t* truncated) {
    return run<Manifold16>({hulls, bodies, pairs, pair_count, ranges, options, out_count, candidates, results,
                            workspace, result, truncated},
                           out);
}

}  // extern "C"
