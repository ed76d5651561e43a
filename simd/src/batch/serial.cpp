// SPDX-License-Identifier: MIT
//
// The calls without TBB: batches and single pairs on the calling thread.
#include <lanefold/serial.hpp>

#include "batch/batch.hpp"
#include "batch/worlds.hpp"

namespace lanefold {

template <PairRecord Record>
BatchResult collide_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                           const Options& options, std::span<Record> out, Workspace& workspace,
                           const CallInputs& inputs) {
    detail::SerialExecutor executor;
    return detail::run_dense(detail::arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), executor);
}

template <PairRecord Record>
CompactResult collide_compact_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                     const Options& options, std::span<Record> out, Workspace& workspace,
                                     const CallInputs& inputs, std::uint64_t first_pair,
                                     std::span<std::uint32_t> candidates) {
    detail::SerialExecutor executor;
    return detail::run_compact(detail::arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), first_pair,
                               candidates, executor);
}

template <PairRecord Record>
WorldsResult collide_worlds_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                   const WorldRanges& worlds, const Options& options, std::span<Record> out,
                                   std::span<WorldResult> results, Workspace& workspace, const CallInputs& inputs,
                                   std::span<std::uint32_t> candidates) {
    detail::SerialExecutor executor;
    return detail::run_worlds(detail::arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), worlds,
                              results, candidates, executor);
}

BatchResult collide_overlap_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                   const Options& options, std::span<std::uint64_t> out, Workspace& workspace,
                                   const CallInputs& inputs) {
    detail::SerialExecutor executor;
    return detail::run_dense(detail::arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), executor);
}

// Copies the two bodies, so that `out` may overlap them and they need not be adjacent in memory.
template <PairRecord Record, class AnyBody>
requires std::same_as<AnyBody, Body> || std::same_as<AnyBody, BodyD> BatchResult
collide_pair(const HullSet& hulls, const AnyBody& a, const AnyBody& b, const Options& options, Record& out,
             Workspace& workspace, const CallInputs& inputs) {
    const AnyBody bodies[2] = {a, b};
    const Pair pair{0, 1};
    return collide_serial<Record>(hulls, BodyView(std::span<const AnyBody>(bodies)), {&pair, 1}, options, {&out, 1},
                                  workspace, inputs);
}

#define LANEFOLD_CALLS(Record)                                                                                         \
    template LANEFOLD_EXPORT BatchResult collide_serial(const HullSet&, const BodyView&, std::span<const Pair>,        \
                                                        const Options&, std::span<Record>, Workspace&,                 \
                                                        const CallInputs&);                                            \
    template LANEFOLD_EXPORT CompactResult collide_compact_serial(                                                     \
        const HullSet&, const BodyView&, std::span<const Pair>, const Options&, std::span<Record>, Workspace&,         \
        const CallInputs&, std::uint64_t, std::span<std::uint32_t>);                                                   \
    template LANEFOLD_EXPORT WorldsResult collide_worlds_serial(                                                       \
        const HullSet&, const BodyView&, std::span<const Pair>, const WorldRanges&, const Options&, std::span<Record>, \
        std::span<WorldResult>, Workspace&, const CallInputs&, std::span<std::uint32_t>);                              \
    template LANEFOLD_EXPORT BatchResult collide_pair(const HullSet&, const Body&, const Body&, const Options&,        \
                                                      Record&, Workspace&, const CallInputs&);                         \
    template LANEFOLD_EXPORT BatchResult collide_pair(const HullSet&, const BodyD&, const BodyD&, const Options&,      \
                                                      Record&, Workspace&, const CallInputs&);
LANEFOLD_CALLS(Manifold4)
LANEFOLD_CALLS(Manifold16)
LANEFOLD_CALLS(PairDistance)
#undef LANEFOLD_CALLS

}  // namespace lanefold
