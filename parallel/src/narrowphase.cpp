// SPDX-License-Identifier: MIT
//
// The public parallel calls: the batch code on the executor of TBB.
#include <lanefold/narrowphase.hpp>

#include "batch/batch.hpp"
#include "batch/worlds.hpp"
#include "tbb_executor.hpp"

namespace lanefold {

template <PairRecord Record>
BatchResult collide(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs, const Options& options,
                    std::span<Record> out, Workspace& workspace, const CallInputs& inputs) {
    detail::TbbExecutor executor;
    return detail::run_dense(detail::arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), executor);
}

template <PairRecord Record>
CompactResult collide_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const Options& options, std::span<Record> out, Workspace& workspace,
                              const CallInputs& inputs, std::uint64_t first_pair, std::span<std::uint32_t> candidates) {
    detail::TbbExecutor executor;
    return detail::run_compact(detail::arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), first_pair,
                               candidates, executor);
}

template <PairRecord Record>
WorldsResult collide_worlds(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                            const WorldRanges& worlds, const Options& options, std::span<Record> out,
                            std::span<WorldResult> results, Workspace& workspace, const CallInputs& inputs,
                            std::span<std::uint32_t> candidates) {
    detail::TbbExecutor executor;
    return detail::run_worlds(detail::arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), worlds,
                              results, candidates, executor);
}

BatchResult collide_overlap(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                            const Options& options, std::span<std::uint64_t> out, Workspace& workspace,
                            const CallInputs& inputs) {
    detail::TbbExecutor executor;
    return detail::run_dense(detail::arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), executor);
}

#define LANEFOLD_CALLS(Record)                                                                                         \
    template LANEFOLD_EXPORT BatchResult collide(const HullSet&, const BodyView&, std::span<const Pair>,               \
                                                 const Options&, std::span<Record>, Workspace&, const CallInputs&);    \
    template LANEFOLD_EXPORT CompactResult collide_compact(                                                            \
        const HullSet&, const BodyView&, std::span<const Pair>, const Options&, std::span<Record>, Workspace&,         \
        const CallInputs&, std::uint64_t, std::span<std::uint32_t>);                                                   \
    template LANEFOLD_EXPORT WorldsResult collide_worlds(                                                              \
        const HullSet&, const BodyView&, std::span<const Pair>, const WorldRanges&, const Options&, std::span<Record>, \
        std::span<WorldResult>, Workspace&, const CallInputs&, std::span<std::uint32_t>);
LANEFOLD_CALLS(Manifold4)
LANEFOLD_CALLS(Manifold16)
LANEFOLD_CALLS(PairDistance)
#undef LANEFOLD_CALLS

}  // namespace lanefold
