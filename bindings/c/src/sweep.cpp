// SPDX-License-Identifier: MIT
//
// The sweeps of lanefold_sweep.h.
#include <lanefold_sweep.h>

#include <span>

#include <lanefold/speculative.hpp>
#include <lanefold/sweep.hpp>

#include "convert.hpp"
#include "handles.hpp"
#include "sweep_options.hpp"

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

static_assert(sizeof(lanefold_sweep_record) == sizeof(SweepRecord));
static_assert(offsetof(lanefold_sweep_record, point) == offsetof(SweepRecord, point));
static_assert(offsetof(lanefold_sweep_record, rounds) == offsetof(SweepRecord, rounds));
static_assert(offsetof(lanefold_sweep_record, child_b) == offsetof(SweepRecord, child_b));
static_assert(kSweepStateCount == 4);

struct Arguments {
    const lanefold_hulls* hulls;
    const lanefold_body_view* begin;
    const lanefold_body_view* end;
    const lanefold_pair* pairs;
    std::uint64_t pair_count;
    const lanefold_sweep_options* options;
    lanefold_sweep_record* out;
    std::uint64_t capacity;
    lanefold_sweep_workspace* workspace;
    lanefold_sweep_result* result;
};

lanefold_sweep_result result_of(const SweepResult& r) {
    lanefold_sweep_result out = LANEFOLD_SWEEP_RESULT_INIT;
    out.pairs = r.pairs;
    std::copy_n(r.by_state, kSweepStateCount, out.by_state);
    std::copy_n(r.by_status, kStatusCount, out.by_status);
    out.culled = r.culled;
    out.distances = r.distances;
    out.written = r.written;
    out.required = r.required;
    out.next_pair = r.next_pair;
    return out;
}

// Checks the arguments, calls f(begin, end, pairs, options, out, inputs), and converts its result.
template <class F>
lanefold_status run(const Arguments& a, const F& f) noexcept {
    return guarded([&] {
        if (a.hulls == nullptr) return refuse("hulls is null");
        if (a.begin == nullptr) return refuse("begin is null");
        if (a.end == nullptr) return refuse("end is null");
        if (a.workspace == nullptr) return refuse("workspace is null");
        if (a.pairs == nullptr && a.pair_count != 0) return refuse("pairs is null with a count");
        if (a.out == nullptr && a.capacity != 0) return refuse("out is null with a count");
        lanefold_sweep_result known = LANEFOLD_SWEEP_RESULT_INIT;
        if (!read_versioned(a.result, known)) {
            return refuse("result.struct_size is not set: begin with LANEFOLD_SWEEP_RESULT_INIT");
        }
        SweepOptions options;
        SweepInputs inputs;
        lanefold_status refused{};
        if (!sweep_options_of(a.options, a.begin->count, options, inputs, refused)) return refused;
        const std::span<const Pair> pairs(reinterpret_cast<const Pair*>(a.pairs), a.pair_count);
        const std::span<SweepRecord> out(reinterpret_cast<SweepRecord*>(a.out), a.capacity);
        const SweepResult r = f(view_of(*a.begin), view_of(*a.end), pairs, options, out, inputs);
        write_versioned(result_of(r), a.result);
        return status_of(r.status);
    });
}

// Calls the caller's stop function. Its options hold function and context during the call.
bool asked(const void* options) {
    const auto* o = static_cast<const lanefold_sweep_options*>(options);
    return o->stop(o->stop_context) != 0;
}

}  // namespace

bool lanefold::c_api::sweep_options_of(const lanefold_sweep_options* from, std::size_t bodies, SweepOptions& to,
                                       SweepInputs& in, lanefold_status& refused) {
    if (from == nullptr) return true;
    lanefold_sweep_options o = LANEFOLD_SWEEP_OPTIONS_INIT;
    if (!read_versioned(from, o)) {
        refused = refuse("options.struct_size is not set: begin with LANEFOLD_SWEEP_OPTIONS_INIT");
        return false;
    }
    to.target = o.target;
    to.tolerance = o.tolerance;
    to.threads = o.threads;
    if (!take_instruction_set(o.instruction_set, to.isa)) {
        refused = refuse("options.instruction_set is not a known name");
        return false;
    }
    if (o.spins != nullptr) in.spins = {reinterpret_cast<const Vec3d*>(o.spins), bodies};
    // `stop` is set only if the caller's header has it, so it has the same place in the caller's structure.
    if (o.stop != nullptr) in.stop = StopToken(&asked, from);
    return true;
}

extern "C" {

lanefold_sweep_workspace* lanefold_sweep_workspace_create(void) {
    try {
        return new lanefold_sweep_workspace;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void lanefold_sweep_workspace_free(lanefold_sweep_workspace* workspace) { delete workspace; }

lanefold_status lanefold_sweep(const lanefold_hulls* hulls, const lanefold_body_view* begin,
                               const lanefold_body_view* end, const lanefold_pair* pairs, uint64_t pair_count,
                               const lanefold_sweep_options* options, lanefold_sweep_record* out,
                               lanefold_sweep_workspace* workspace, lanefold_sweep_result* result) {
    return run(
        {hulls, begin, end, pairs, pair_count, options, out, pair_count, workspace, result},
        [&](const auto& first, const auto& last, const auto& list, const auto& o, auto records, const auto& inputs) {
            return sweep(hulls->set, first, last, list, o, records, workspace->own, inputs);
        });
}

lanefold_status lanefold_sweep_compact(const lanefold_hulls* hulls, const lanefold_body_view* begin,
                                       const lanefold_body_view* end, const lanefold_pair* pairs, uint64_t pair_count,
                                       const lanefold_sweep_options* options, lanefold_sweep_record* out,
                                       uint64_t capacity, uint64_t first_pair, lanefold_sweep_workspace* workspace,
                                       lanefold_sweep_result* result) {
    return run(
        {hulls, begin, end, pairs, pair_count, options, out, capacity, workspace, result},
        [&](const auto& first, const auto& last, const auto& list, const auto& o, auto records, const auto& inputs) {
            return sweep_compact(hulls->set, first, last, list, o, records, workspace->own, inputs, first_pair);
        });
}

lanefold_status lanefold_speculative_margins(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                             const float* velocities, const float* spins, const lanefold_pair* pairs,
                                             uint64_t pair_count, float time, float margin, float* out) {
    return guarded([&] {
        if (hulls == nullptr) return refuse("hulls is null");
        if (bodies == nullptr) return refuse("bodies is null");
        const auto count = static_cast<std::size_t>(bodies->count);
        const BodyVelocities own = {{reinterpret_cast<const Vec3f*>(velocities), count},
                                    {reinterpret_cast<const Vec3f*>(spins), count}};
        const std::span<const Pair> list(reinterpret_cast<const Pair*>(pairs), pair_count);
        return status_of(speculative_margins(hulls->set, view_of(*bodies), own, list, time, margin, {out, pair_count}));
    });
}

}  // extern "C"
