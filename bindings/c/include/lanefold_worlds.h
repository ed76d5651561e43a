/* SPDX-License-Identifier: MIT
 *
 * The contacts of many worlds in one call, for C: lanefold/worlds.hpp, lanefold/broadphase.hpp and
 * docs/many_environments.md say what results mean; ownership, errors, versions and threads are as in lanefold.h.
 */
#ifndef LANEFOLD_WORLDS_H
#define LANEFOLD_WORLDS_H

#include <lanefold.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The world of a body that all worlds share. */
#define LANEFOLD_SHARED_BODY (-1)

/* More of a frame's bodies than lanefold_finder_options say: PairFinderOptions. */
typedef struct lanefold_finder_worlds {
    size_t struct_size;
    const int32_t* world; /* null, or the world of each body, or LANEFOLD_SHARED_BODY */
    uint32_t worlds;      /* 0 without `world` */
    uint32_t reserved;
    const uint8_t* active; /* null, or one for each world: 0 means that it takes no part */
    const float* growth;   /* null, or for each body by how much more its box grows */
    const float* motion;   /* null, or three for each body: its displacement until the next call */
} lanefold_finder_worlds;
/* The defaults of lanefold_finder_worlds. */
#define LANEFOLD_FINDER_WORLDS_INIT \
    { sizeof(lanefold_finder_worlds), NULL, 0, 0, NULL, NULL, NULL }

/* lanefold_find_pairs() for many worlds: pairs come world after world. *offsets has worlds + 1 numbers, world w has
 * (*pairs)[(*offsets)[w]] up to (*pairs)[(*offsets)[w + 1]]; null without worlds. Both are valid until the next call on
 * this finder. `options`, `offsets` and `without_box` may be null. */
LANEFOLD_API lanefold_status lanefold_find_world_pairs(lanefold_pair_finder* finder, const lanefold_hulls* hulls,
                                                       const lanefold_body_view* bodies,
                                                       const lanefold_finder_options* options,
                                                       const lanefold_finder_worlds* worlds,
                                                       const lanefold_pair** pairs, uint64_t* pair_count,
                                                       const uint64_t** offsets, uint64_t* without_box);

struct lanefold_world_result;

/* The worlds of a call: WorldRanges. Offsets have worlds + 1 elements. */
typedef struct lanefold_world_ranges {
    size_t struct_size;
    uint64_t worlds;
    const uint64_t* pairs;   /* divide the pairs */
    const uint64_t* records; /* divide `out`: the room of each world */
    const uint64_t* bodies;  /* null, or divide the bodies: indices in records then count within the world */
    const uint8_t* active;   /* null, or one for each world */
    /* Null, or of an earlier call of these worlds, whose `out` is options.previous as a whole: its `records` and its
     * results, which may be those that this call writes. */
    const uint64_t* previous_records;
    const struct lanefold_world_result* previous_results;
} lanefold_world_ranges;
/* Sets the size of a lanefold_world_ranges. */
#define LANEFOLD_WORLD_RANGES_INIT \
    { sizeof(lanefold_world_ranges), 0, NULL, NULL, NULL, NULL, NULL, NULL }

/* The result of one world: WorldResult. */
typedef struct lanefold_world_result {
    uint8_t status; /* LANEFOLD_OK, LANEFOLD_TRUNCATED or LANEFOLD_CANCELLED */
    uint8_t reserved[3];
    float deepest; /* the least distance of its records; 0 or more: nothing overlaps */
    uint64_t written, required, next_pair;
    uint64_t touching, overlapping, points;
    uint64_t by_status[8];
    uint64_t by_kind[7];
    uint64_t hash; /* 0 unless options.hash */
} lanefold_world_result;

/* The contacts of every world, into room of its own: world w has out[ranges.records[w]] and what follows, and
 * results[w]. LANEFOLD_TRUNCATED where some world is; `where` names the first, and *truncated says how many (it may be
 * null). `candidates` is null or has out_count elements: the index in `pairs` of each record. `options` and `result`
 * may be null; options.unmoved needs ranges.previous_records. */
LANEFOLD_API lanefold_status lanefold_collide_worlds4(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                                      const lanefold_pair* pairs, uint64_t pair_count,
                                                      const lanefold_world_ranges* ranges,
                                                      const lanefold_options* options, lanefold_manifold4* out,
                                                      uint64_t out_count, uint32_t* candidates,
                                                      lanefold_world_result* results, lanefold_workspace* workspace,
                                                      lanefold_result* result, uint64_t* truncated);
/* The same with up to 16 points. */
LANEFOLD_API lanefold_status lanefold_collide_worlds16(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                                       const lanefold_pair* pairs, uint64_t pair_count,
                                                       const lanefold_world_ranges* ranges,
                                                       const lanefold_options* options, lanefold_manifold16* out,
                                                       uint64_t out_count, uint32_t* candidates,
                                                       lanefold_world_result* results, lanefold_workspace* workspace,
                                                       lanefold_result* result, uint64_t* truncated);

#ifdef __cplusplus
}
#endif

#endif
