// SPDX-License-Identifier: MIT
//
// The calls without TBB: batches and single pairs on the calling thread.
#include <lanefold/serial.hpp>

#include "batch/batch.hpp"

namespace lanefold {
namespace {

template <class Record>
BatchResult dense(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs, const Options& options,
                  std::span<Record> out, Workspace& workspace, const CallInputs& inputs) {
    detail::SerialExecutor executor;
    return detail::run_dense(detail::arguments_of(hulls, bodies, pairs, options, inputs, out, workspace), executor);
}

// Copies the two bodies, so that `out` may overlap them and they need not be adjacent in memory.
template <class AnyBody, class Record>
BatchResult one_pair(const HullSet& hulls, const AnyBody& a, const AnyBody& b, const Options& options, Record& out,
                     Workspace& workspace, const CallInputs& inputs) {
    const AnyBody bodies[2] = {a, b};
    const Pair pair{0, 1};
    return dense<Record>(hulls, BodyView(std::span<const AnyBody>(bodies)), {&pair, 1}, options, {&out, 1}, workspace,
                         inputs);
}

}  // namespace

BatchResult collide_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                           const Options& options, std::span<Manifold4> out, Workspace& workspace,
                           const CallInputs& inputs) {
    return dense(hulls, bodies, pairs, options, out, workspace, inputs);
}

BatchResult collide_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                           const Options& options, std::span<Manifold16> out, Workspace& workspace,
                           const CallInputs& inputs) {
    return dense(hulls, bodies, pairs, options, out, workspace, inputs);
}

BatchResult collide_pair(const HullSet& hulls, const Body& a, const Body& b, const Options& options, Manifold4& out,
                         Workspace& workspace, const CallInputs& inputs) {
    return one_pair(hulls, a, b, options, out, workspace, inputs);
}

BatchResult collide_pair(const HullSet& hulls, const BodyD& a, const BodyD& b, const Options& options, Manifold4& out,
                         Workspace& workspace, const CallInputs& inputs) {
    return one_pair(hulls, a, b, options, out, workspace, inputs);
}

BatchResult collide_pair(const HullSet& hulls, const Body& a, const Body& b, const Options& options, Manifold16& out,
                         Workspace& workspace, const CallInputs& inputs) {
    return one_pair(hulls, a, b, options, out, workspace, inputs);
}

BatchResult collide_pair(const HullSet& hulls, const BodyD& a, const BodyD& b, const Options& options, Manifold16& out,
                         Workspace& workspace, const CallInputs& inputs) {
    return one_pair(hulls, a, b, options, out, workspace, inputs);
}

}  // namespace lanefold
