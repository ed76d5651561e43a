// SPDX-License-Identifier: MIT
//
// Rays: arguments, the scene, tasks.
#include "sweep/ray_call.hpp"

#include <algorithm>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>

#include "batch/batch.hpp"
#include "sweep/ray_bodies.hpp"
#include "tasks/blocks.hpp"

namespace lanefold::detail {
namespace {

void cast_all(const HullSet& hulls, const BodyView& bodies, const RayOutput& o, SweepWorkspace::Impl& own,
              Executor& executor, RayResult& result) {
    RayScene& scene = own.rays;
    result.status = place_surfaces(o.inputs->surfaces, own.ray_memory.surfaces);
    if (!result.status) return;
    scene.build(hulls, bodies);
    result.left_out = scene.left_out;
    const auto meet_bodies = [&](std::size_t, const RayLine& ray, RayHits& hits) {
        visit(scene, ray, hits.most(), [&](const RayBody& b) {
            hits.take(b.body, b.child, b.target, ray, sides_of(*o.inputs));
            return hits.most();
        });
    };
    const auto loop = [&](const auto& f) {
        const std::size_t blocks = (o.rays.size() + kRayBlock - 1) / kRayBlock;
        const unsigned tasks = tasks_for(executor, 0, blocks);
        for_each_block(executor, tasks, blocks, [&](unsigned, std::size_t b) {
            const FpEnvironmentGuard of_block;
            f(b);
        });
    };
    run_ray_batch(o, own.ray_memory, bodies.count, meet_bodies, loop, result);
}

RayResult run_unscaled(const HullSet& hulls, const BodyView& bodies, const RayOutput& output, SweepWorkspace& workspace,
                       Executor& executor) {
    RayResult result;
    Bytes fields[3];
    result.status = check_body_view(bodies, fields);
    if (result.status) result.status = check_rays(output, fields);
    if (!result.status) return result;
    SweepWorkspace::Impl& own = workspace.impl();
    if (own.in_use.exchange(1, std::memory_order_acquire) != 0) {
        result.status = refuse("workspace is in use by another call");
        return result;
    }
    try {
        const FpEnvironmentGuard environment;
        cast_all(hulls, bodies, output, own, executor, result);
    } catch (...) {
        result = {};
        result.status = failure_of_current_exception();
    }
    own.in_use.store(0, std::memory_order_release);
    return result;
}

}  // namespace

RayResult run_rays(const HullSet& hulls, const BodyView& bodies, const RayOutput& output, SweepWorkspace& workspace,
                   Executor& executor) {
    if (!workspace.valid()) {
        RayResult refused;
        refused.status = refuse("workspace was moved from");
        return refused;
    }
    return at_scale<RayResult>(workspace.impl().scaled, hulls, bodies,
                               [&](const HullSet& own, const BodyView& unscaled) {
                                   return run_unscaled(own, unscaled, output, workspace, executor);
                               });
}

}  // namespace lanefold::detail

namespace lanefold {

RayResult cast_rays_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays,
                           std::span<RayHit> out, SweepWorkspace& workspace, const RayInputs& inputs) {
    detail::SerialExecutor executor;
    return detail::run_rays(hulls, bodies, {rays, out, {}, &inputs, false}, workspace, executor);
}

RayResult cast_rays_all_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays,
                               std::span<std::uint64_t> offsets, std::span<RayHit> out, SweepWorkspace& workspace,
                               const RayInputs& inputs) {
    detail::SerialExecutor executor;
    return detail::run_rays(hulls, bodies, {rays, out, offsets, &inputs, true}, workspace, executor);
}

}  // namespace lanefold
