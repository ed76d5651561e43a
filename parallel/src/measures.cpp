// SPDX-License-Identifier: MIT
//
// The measures of measures.hpp on the executor of TBB.
#include <lanefold/measures.hpp>

#include "measure/measure_call.hpp"
#include "tbb_executor.hpp"

namespace lanefold {

MeasureResult measure_contacts(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                               std::span<ContactMeasures> out, MeasureWorkspace& workspace,
                               std::span<const Vec3d> shifts) {
    detail::TbbExecutor executor;
    return detail::run_measures({&hulls, &bodies, pairs, out, &workspace, shifts}, executor);
}

}  // namespace lanefold
