// SPDX-License-Identifier: MIT
//
// The rays of rays.hpp on the executor of TBB.
#include <lanefold/rays.hpp>

#include "sweep/ray_call.hpp"
#include "tbb_executor.hpp"

namespace lanefold {

RayResult cast_rays(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays, std::span<RayHit> out,
                    SweepWorkspace& workspace, const RayInputs& inputs) {
    detail::TbbExecutor executor;
    return detail::run_rays(hulls, bodies, {rays, out, {}, &inputs, false}, workspace, executor);
}

RayResult cast_rays_all(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays,
                        std::span<std::uint64_t> offsets, std::span<RayHit> out, SweepWorkspace& workspace,
                        const RayInputs& inputs) {
    detail::TbbExecutor executor;
    return detail::run_rays(hulls, bodies, {rays, out, offsets, &inputs, true}, workspace, executor);
}

}  // namespace lanefold
