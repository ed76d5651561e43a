/* SPDX-License-Identifier: MIT
 *
 * Rays against bodies, for C: lanefold/rays.hpp and docs/between_frames.md say what results mean; ownership, errors,
 * versions and threads are as in lanefold.h.
 */
#ifndef LANEFOLD_RAYS_H
#define LANEFOLD_RAYS_H

#include <lanefold_sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The points origin + fraction * direction, fraction from 0 to 1, in world axes. */
typedef struct lanefold_ray {
    double origin[3];
    double direction[3];
} lanefold_ray;

/* The answer of a ray. */
enum { LANEFOLD_RAY_MISS = 0, LANEFOLD_RAY_HIT = 1, LANEFOLD_RAY_INSIDE = 2, LANEFOLD_RAY_FAILED = 3 };

/* The record of a ray: RayHit in lanefold/ray_record.hpp. Of a miss all is zero but fraction, which is 1. */
typedef struct lanefold_ray_hit {
    double fraction;
    uint32_t body;
    uint32_t child;   /* of a compound; 0 otherwise */
    uint32_t feature; /* its number among the hull's, faces first; of a surface the triangle */
    float normal[3];  /* unit, world axes, out of the body */
    uint8_t state;    /* LANEFOLD_RAY_... */
    uint8_t status;
    uint8_t reserved[6];
} lanefold_ray_hit;

/* Sums over the rays of a call. */
typedef struct lanefold_ray_result {
    size_t struct_size;
    uint64_t by_state[4];
    uint64_t left_out; /* bodies with a bad pose or hull, which no ray meets */
} lanefold_ray_result;
/* Sets the size of a lanefold_ray_result. */
#define LANEFOLD_RAY_RESULT_INIT \
    { sizeof(lanefold_ray_result), {0}, 0 }

/* Casts rays against all bodies: out[i] belongs to rays[i]. `result` may be null. */
LANEFOLD_API lanefold_status lanefold_cast_rays(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                                const lanefold_ray* rays, uint64_t ray_count, lanefold_ray_hit* out,
                                                lanefold_sweep_workspace* workspace, lanefold_ray_result* result);

#ifdef __cplusplus
}
#endif

#endif
