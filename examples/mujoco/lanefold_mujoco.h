/* SPDX-License-Identifier: MIT
 *
 * lanefold as the narrowphase of MuJoCo 4. MuJoCo looks up the function of each pair of geoms in its public table
 * mjCOLLISIONFUNC. This library puts its own there for pairs of spheres, capsules, boxes and meshes. Broad phase,
 * filters, friction and solver stay MuJoCo's. It is not linked with MuJoCo: the caller passes the table, so that it
 * serves whichever copy of MuJoCo the program has, that of the Python wheel too (lanefold_mujoco.py). A program in C:
 *
 *     const char* what;
 *     lanefold_mujoco* ours = lanefold_mujoco_begin(mjCOLLISIONFUNC, mj_version(), m, d, 0xF, 1, &what);
 *     while (running) mj_step(m, d);
 *     lanefold_mujoco_end(ours);
 *
 * Sizes of geoms may change at any time, vertices of meshes may not. The contacts are a function of poses, sizes and
 * margins, as MuJoCo's are, whatever was asked before.
 */
#ifndef LANEFOLD_MUJOCO_H
#define LANEFOLD_MUJOCO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LANEFOLD_MUJOCO_API __attribute__((visibility("default")))

/* Bits of the kinds of geoms that lanefold takes. A pair with another kind stays MuJoCo's. */
enum { LANEFOLD_MUJOCO_SPHERE = 1, LANEFOLD_MUJOCO_CAPSULE = 2, LANEFOLD_MUJOCO_BOX = 4, LANEFOLD_MUJOCO_MESH = 8 };

/* Sums since lanefold_mujoco_begin. */
typedef struct lanefold_mujoco_counts {
    uint64_t asked;   /* pairs for which MuJoCo asked */
    uint64_t batched; /* answered from a batch of the pairs that the step before asked for */
    uint64_t alone;   /* computed alone, because they were new */
    uint64_t refused; /* left to MuJoCo's own function: flat meshes, negative margins, poses that are none */
    uint64_t batches;
} lanefold_mujoco_counts;

typedef struct lanefold_mujoco lanefold_mujoco;

/* From now on lanefold computes the pairs of `data`, an mjData of the mjModel `model`; both stay until the end.
 * `version` is what mj_version() says. `threads`: of a batch; 0: all cores. Results do not depend on it. Null, and the
 * reason in *what, if that cannot be. Not while MuJoCo computes. */
LANEFOLD_MUJOCO_API lanefold_mujoco* lanefold_mujoco_begin(void* table, int32_t version, const void* model,
                                                           const void* data, uint32_t shapes, uint32_t threads,
                                                           const char** what);
/* MuJoCo computes the pairs of this mjData again. Null is allowed. Not while MuJoCo computes. */
LANEFOLD_MUJOCO_API void lanefold_mujoco_end(lanefold_mujoco* ours);
/* The sums so far. */
LANEFOLD_MUJOCO_API lanefold_mujoco_counts lanefold_mujoco_count(const lanefold_mujoco* ours);

#ifdef __cplusplus
}
#endif

#endif
