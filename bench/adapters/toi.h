/* SPDX-License-Identifier: MIT
 *
 * The protocol between lanefold_toi and other engines' times of impact: C structures and one exported function, as in
 * adapter.h, whose hulls it takes. A shared library may export both.
 */
#ifndef LANEFOLD_TOI_ADAPTER_H
#define LANEFOLD_TOI_ADAPTER_H

#include "adapter.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LANEFOLD_TOI_VERSION 1

/* A body from time 0 to 1: its hull's origin moves from `position` by `shift`, on a line, and its orientation turns
 * about that origin by `spin`, an axis in world axes times radians, both at a constant rate. */
typedef struct LanefoldMotion {
    float position[3];
    uint32_t hull;
    float orientation[4]; /* at time 0: x, y, z, w */
    float shift[3];
    float reserved_a; /* 0 */
    float spin[3];
    float reserved_b; /* 0 */
} LanefoldMotion;

/* The finding for a pair. */
enum { LANEFOLD_TOI_MISS = 0, LANEFOLD_TOI_HIT = 1, LANEFOLD_TOI_OVERLAPPING = 2, LANEFOLD_TOI_FAILED = 3 };

typedef struct LanefoldImpact {
    float time; /* of a hit; 1 for a miss, 0 for bodies that overlap at time 0 */
    int32_t finding;
} LanefoldImpact;

typedef struct LanefoldToiAdapter {
    uint32_t version;     /* LANEFOLD_TOI_VERSION */
    uint32_t reserved;    /* 0 */
    const char* title;    /* for the table */
    const char* settings; /* everything on which a result depends */

    void* (*create)(void);
    void (*destroy)(void* engine);
    /* Takes the hulls; not timed. Null, or why the engine does not take them. */
    const char* (*prepare)(void* engine, const LanefoldHull* hulls, uint32_t hull_count);
    /* Takes the motions; not timed. */
    void (*set_motions)(void* engine, const LanefoldMotion* bodies, uint32_t body_count);
    /* Timed: one finding a pair. */
    void (*impacts)(void* engine, const LanefoldAdapterPair* pairs, uint32_t pair_count, LanefoldImpact* out);
} LanefoldToiAdapter;

const LanefoldToiAdapter* lanefold_toi_adapter(void);

#ifdef __cplusplus
}
#endif

#endif
