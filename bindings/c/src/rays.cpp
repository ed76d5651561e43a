// SPDX-License-Identifier: MIT
//
// The rays of lanefold_rays.h.
#include <lanefold_rays.h>

#include <lanefold/rays.hpp>

#include "convert.hpp"
#include "handles.hpp"

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

static_assert(sizeof(lanefold_ray) == sizeof(Ray) && sizeof(lanefold_ray_hit) == sizeof(RayHit));
static_assert(offsetof(lanefold_ray_hit, child) == offsetof(RayHit, child));
static_assert(offsetof(lanefold_ray_hit, feature) == offsetof(RayHit, feature));
static_assert(offsetof(lanefold_ray_hit, normal) == offsetof(RayHit, normal));
static_assert(offsetof(lanefold_ray_hit, status) == offsetof(RayHit, status));
static_assert(kRayStateCount == 4);

}  // namespace

extern "C" {

lanefold_status lanefold_cast_rays(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                   const lanefold_ray* rays, uint64_t ray_count, lanefold_ray_hit* out,
                                   lanefold_sweep_workspace* workspace, lanefold_ray_result* result) {
    return guarded([&] {
        if (hulls == nullptr) return refuse("hulls is null");
        if (bodies == nullptr) return refuse("bodies is null");
        if (workspace == nullptr) return refuse("workspace is null");
        if (rays == nullptr && ray_count != 0) return refuse("rays is null with a count");
        if (out == nullptr && ray_count != 0) return refuse("out is null with a count");
        lanefold_ray_result sums = LANEFOLD_RAY_RESULT_INIT;
        if (!read_versioned(result, sums))
            return refuse("result.struct_size is not set: begin with LANEFOLD_RAY_RESULT_INIT");
        const RayResult r = cast_rays(hulls->set, view_of(*bodies), {reinterpret_cast<const Ray*>(rays), ray_count},
                                      {reinterpret_cast<RayHit*>(out), ray_count}, workspace->own);
        std::copy_n(r.by_state, kRayStateCount, sums.by_state);
        sums.left_out = r.left_out;
        write_versioned(sums, result);
        return status_of(r.status);
    });
}

}  // extern "C"
