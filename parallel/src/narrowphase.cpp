// SPDX-License-Identifier: MIT
//
// The public parallel calls. Each sets its output level and calls the batch code.
#include <lanefold/narrowphase.hpp>

#include "batch/batch.hpp"
#include "tbb_executor.hpp"

namespace lanefold {
namespace {

using detail::arguments_of;
using detail::BatchArguments;

BatchResult dense(const BatchArguments& arguments) {
    detail::TbbExecutor executor;
    return detail::run_dense(arguments, executor);
}

CompactResult compact(BatchArguments arguments, std::uint64_t first_pair) {
    arguments.compact = true;
    arguments.first_pair = first_pair;
    detail::TbbExecutor executor;
    return detail::run_compact(arguments, executor);
}

CompactResult compact(BatchArguments arguments, std::span<std::uint32_t> candidates, std::uint64_t first_pair) {
    if (candidates.size() != arguments.out_count) {
        CompactResult refused;
        refused.next_pair = first_pair;
        refused.status = {Status::bad_argument, "candidates and out differ in length", candidates.size()};
        return refused;
    }
    arguments.candidates = candidates.data();
    return compact(arguments, first_pair);
}

}  // namespace

BatchResult collide(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs, const Options& options,
                    std::span<Manifold4> out, Workspace& workspace, const CallInputs& inputs) {
    return dense(arguments_of(hulls, bodies, pairs, options, inputs, out, workspace));
}

BatchResult collide(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs, const Options& options,
                    std::span<Manifold16> out, Workspace& workspace, const CallInputs& inputs) {
    return dense(arguments_of(hulls, bodies, pairs, options, inputs, out, workspace));
}

CompactResult collide_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const Options& options, std::span<Manifold4> out, Workspace& workspace,
                              const CallInputs& inputs, std::uint64_t first_pair) {
    return compact(arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), first_pair);
}

CompactResult collide_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const Options& options, std::span<Manifold16> out, Workspace& workspace,
                              const CallInputs& inputs, std::uint64_t first_pair) {
    return compact(arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), first_pair);
}

CompactResult collide_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const Options& options, std::span<Manifold4> out, std::span<std::uint32_t> candidates,
                              Workspace& workspace, const CallInputs& inputs, std::uint64_t first_pair) {
    return compact(arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), candidates, first_pair);
}

CompactResult collide_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const Options& options, std::span<Manifold16> out, std::span<std::uint32_t> candidates,
                              Workspace& workspace, const CallInputs& inputs, std::uint64_t first_pair) {
    return compact(arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), candidates, first_pair);
}

BatchResult collide_distance(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                             const Options& options, std::span<PairDistance> out, Workspace& workspace,
                             const CallInputs& inputs) {
    return dense(arguments_of(hulls, bodies, pairs, options, inputs, out, workspace));
}

BatchResult collide_overlap(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                            const Options& options, std::span<std::uint64_t> out, Workspace& workspace,
                            const CallInputs& inputs) {
    return dense(arguments_of(hulls, bodies, pairs, options, inputs, out, workspace));
}

}  // namespace lanefold
