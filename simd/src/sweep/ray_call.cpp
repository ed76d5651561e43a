// SPDX-License-Identifier: MIT
//
// Rays: arguments, the scene, tasks.
#include "sweep/ray_call.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/detail/block_runs.hpp>
#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>

#include "batch/batch.hpp"
#include "sweep/ray_bodies.hpp"

namespace lanefold::detail {
namespace {

// Rays per claim of a task. It changes no result.
constexpr std::size_t kRayBlock = 256;

void cast(const RayScene& scene, const Ray& ray, RayHit& out) {
    out = {};
    const Vec3d origin = {ray.origin[0], ray.origin[1], ray.origin[2]};
    const Vec3d direction = {ray.direction[0], ray.direction[1], ray.direction[2]};
    const double along = length(direction);
    if (!is_finite(origin) || !std::isfinite(along) || !(along > 0)) {
        out.state = RayState::failed;
        out.status = Status::bad_pose;
        return;
    }
    RayMeets best;
    std::uint32_t body = 0;
    double unknown = INFINITY;  // no answer is known from here on
    visit(scene, origin, direction, [&](const RayBody& b, double most) {
        const RayMeets m = meet(b, origin, direction, most);
        if (m.unknown) unknown = std::min(unknown, m.fraction);
        if (!m.any || (best.any && m.fraction == best.fraction && b.body > body)) return most;
        best = m;
        body = b.body;
        return m.fraction;
    });
    out.fraction = 1;
    if (best.any) {
        out.state = best.inside ? RayState::inside : RayState::hit;
        out.fraction = best.fraction;
        out.body = body;
        out.face = best.face;
        const Vec3f n = to_float(best.normal);
        out.normal[0] = n.x;
        out.normal[1] = n.y;
        out.normal[2] = n.z;
    }
    if (unknown <= out.fraction) out.state = RayState::failed;
}

CallStatus check(const BodyView& bodies, std::span<const Ray> rays, std::span<RayHit> out) {
    if (rays.size() != out.size()) return refuse("out and rays differ in length", out.size());
    if (!rays.empty() && (rays.data() == nullptr || out.data() == nullptr)) {
        return refuse("rays or out is null but has a length", rays.size());
    }
    Bytes fields[3];
    return check_body_view(bodies, fields);
}

}  // namespace

RayResult run_rays(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays, std::span<RayHit> out,
                   SweepWorkspace& workspace, Executor& executor) {
    RayResult result;
    if (!workspace.valid()) {
        result.status = refuse("workspace was moved from");
        return result;
    }
    result.status = check(bodies, rays, out);
    if (!result.status) return result;
    SweepWorkspace::Impl& own = workspace.impl();
    if (own.in_use.exchange(1, std::memory_order_acquire) != 0) {
        result.status = refuse("workspace is in use by another call");
        return result;
    }
    try {
        const FpEnvironmentGuard environment;
        RayScene& scene = own.rays;
        scene.build(hulls, bodies);
        result.left_out = scene.left_out;
        const std::size_t blocks = (rays.size() + kRayBlock - 1) / kRayBlock;
        const auto tasks = static_cast<unsigned>(std::clamp<std::size_t>(blocks, 1, executor.concurrency()));
        BlockRuns runs(blocks, tasks);
        auto work = [&](unsigned task) {
            const FpEnvironmentGuard of_task;
            runs.work(task, [&](std::size_t b) {
                const std::size_t last = std::min(rays.size(), (b + 1) * kRayBlock);
                for (std::size_t i = b * kRayBlock; i < last; ++i) cast(scene, rays[i], out[i]);
            });
        };
        run_slots(executor, tasks, work);
        work(0);
        for (const RayHit& r : out) ++result.by_state[static_cast<std::size_t>(r.state)];
    } catch (...) {
        result.status = failure_of_current_exception();
    }
    own.in_use.store(0, std::memory_order_release);
    return result;
}

}  // namespace lanefold::detail

namespace lanefold {

RayResult cast_rays_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays,
                           std::span<RayHit> out, SweepWorkspace& workspace) {
    detail::SerialExecutor executor;
    return detail::run_rays(hulls, bodies, rays, out, workspace, executor);
}

}  // namespace lanefold
