// SPDX-License-Identifier: MIT
//
// The course of a call of queries: refusal, the scene and the kernels, passes, and lists of records with offsets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/fp_environment.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/scene_queries.hpp>

#include "finders/finder_scene.hpp"
#include "finders/finder_table.hpp"
#include "queries/query_memory.hpp"

namespace lanefold::detail {

// Queries whose neighbours are one batch: enough for all lanes and threads, and it bounds memory. It changes no result.
inline constexpr std::size_t kQueriesPerPass = 4096;

// Refuses the options of so many queries.
CallStatus check_queries(const QueryOptions& options, std::size_t queries);

// Calls run(scene, table, memory) and says in result.status why it could not, or what it refused.
template <class Result, class Run>
void run_queries(const PairFinder& finder, QueryWorkspace& workspace, const QueryOptions& options, std::size_t queries,
                 Result& result, const Run& run) {
    result.status = check_queries(options, queries);
    if (!result.status) return;
    if (!workspace.valid()) {
        result.status = refuse("workspace was moved from");
        return;
    }
    const FinderScene scene = FinderScene::of(finder);
    if (scene.hulls == nullptr) {
        result.status = refuse("the finder has no frame: find() comes first");
        return;
    }
    const IsaChoice choice = choose_isa(options.isa);
    result.status = choice.status;
    if (!result.status) return;
    QueryWorkspace::Impl& own = workspace.impl();
    if (own.in_use.exchange(1, std::memory_order_acquire) != 0) {
        result.status = refuse("workspace is in use by another call");
        return;
    }
    try {
        in_default_environment([&] { run(scene, finder_table(choice.isa), own); });
    } catch (const std::bad_alloc&) {
        result = {};
        result.status = {Status::out_of_memory, "the queries do not fit into memory", 0};
    }
    own.in_use.store(0, std::memory_order_release);
}

// Calls f(scene, shapes) with the shapes at their scales, in a scene whose set has their hulls. `status` says why not.
template <class F>
void at_scale(const FinderScene& scene, const BodyView& shapes, ScaledBodies& memory, CallStatus& status, const F& f) {
    if (shapes.scale == nullptr && scene.named == scene.hulls->size()) {
        f(scene, shapes);
        return;
    }
    status = memory.take(*scene.hulls, {&shapes, 1}, scene.named);
    if (!status) return;
    const ScaledBodies::Taken taken{memory};
    FinderScene larger = scene;
    larger.hulls = &memory.hulls();
    f(larger, memory.view(0));
}

// Counts a query's status and puts it down.
inline void count_query(QueryResult& result, std::size_t q, Status status, std::span<Status> statuses) {
    ++result.by_status[static_cast<std::size_t>(status)];
    if (status != Status::ok) result.first_bad = std::min<std::uint64_t>(result.first_bad, q);
    if (!statuses.empty()) statuses[q] = status;
}

// Records of queries in their order, behind one another as long as whole queries fit.
template <class Record>
struct ListedRecords {
    std::span<std::uint64_t> offsets;
    std::span<Record> out;
    QueryResult& result;
    bool full = false;

    void begin(std::size_t queries) {
        offsets[0] = 0;
        result.next_query = queries;
    }
    template <class Range>
    void add(std::size_t q, const Range& records) {
        const std::size_t count = records.size();
        result.required += count;
        result.touching += count != 0 ? 1U : 0U;
        offsets[q + 1] = result.required;
        if (!full && result.required > out.size()) {
            full = true;
            result.next_query = q;
            result.status = {Status::truncated, "out is too small; required has the number of records", out.size()};
        }
        if (full) return;
        std::copy(records.begin(), records.end(), out.begin() + static_cast<std::ptrdiff_t>(result.written));
        result.written += count;
    }
};

// Refuses the output of listed records.
template <class Record>
CallStatus check_list(std::span<std::uint64_t> offsets, std::span<Record> out, std::size_t queries) {
    if (offsets.data() == nullptr || offsets.size() != queries + 1)
        return refuse("offsets needs one element more than shapes", offsets.size());
    if (!out.empty() && out.data() == nullptr) return refuse("out is null but has a length", out.size());
    return {};
}

// Refuses shapes, and statuses that are neither none nor one for each of them.
CallStatus check_shapes(const BodyView& shapes, std::span<Status> statuses);

}  // namespace lanefold::detail
