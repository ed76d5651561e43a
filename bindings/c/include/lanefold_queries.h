/* SPDX-License-Identifier: MIT
 *
 * Questions to a scene, for C: rays, shapes on a motion, overlaps and closest points, over the tree of a pair finder.
 * The scene is that of the finder's latest call. lanefold/scene_queries.hpp and docs/between_frames.md say what results
 * mean; ownership, errors, versions and threads are as in lanefold.h.
 *
 * Calls that give all records take offsets with one element more than queries: the records of query q are
 * out[offsets[q]] to out[offsets[q + 1] - 1]. LANEFOLD_TRUNCATED when `capacity` is too small: offsets are those of all
 * records, result->required is their number, and whole queries before result->next_query are there.
 */
#ifndef LANEFOLD_QUERIES_H
#define LANEFOLD_QUERIES_H

#include <lanefold_rays.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A body's index where there is none. */
#define LANEFOLD_NO_BODY 0xFFFFFFFFu

/* Memory between calls. Calls that run at the same time need one each. Null when memory runs out. */
typedef struct lanefold_query_workspace lanefold_query_workspace;
LANEFOLD_API lanefold_query_workspace* lanefold_query_workspace_create(void);
/* Null is allowed. */
LANEFOLD_API void lanefold_query_workspace_free(lanefold_query_workspace* workspace);

/* The bodies that queries meet: QueryOptions. Arrays are null or have an element for each query. */
typedef struct lanefold_query_options {
    size_t struct_size;
    const uint32_t* group;
    const uint32_t* category;      /* with collides_with */
    const uint32_t* collides_with; /* with category */
    const int32_t* world;          /* -1: bodies of all worlds */
    uint32_t threads;              /* 0: all of the caller's arena */
    uint8_t any;                   /* rays: not 0: only whether there is a hit; not for calls that give all */
    uint8_t back_faces;            /* rays: not 0: triangles are met from behind, too */
    uint8_t reserved[2];
    const char* instruction_set; /* null: the best one, or LANEFOLD_ISA; otherwise "avx2", ... */
} lanefold_query_options;
/* The defaults of lanefold_query_options. */
#define LANEFOLD_QUERY_OPTIONS_INIT \
    { sizeof(lanefold_query_options), NULL, NULL, NULL, NULL, 0, 0, 0, {0}, NULL }

/* Sums over the queries of a call: QueryResult, or RayResult where rays are asked (then left_out and by_state count,
 * not by_status, first_bad and candidates). */
typedef struct lanefold_query_result {
    size_t struct_size;
    uint64_t by_status[8];
    uint64_t first_bad;  /* the first query with a status other than ok; their number if none */
    uint64_t candidates; /* pairs of a query and a body near it */
    uint64_t touching;   /* queries with a record */
    uint64_t required, written, next_query;
    uint64_t by_state[4]; /* of rays */
    uint64_t left_out;    /* bodies with a bad pose or hull, which no ray meets */
} lanefold_query_result;
/* Sets the size of a lanefold_query_result. */
#define LANEFOLD_QUERY_RESULT_INIT \
    { sizeof(lanefold_query_result), {0}, 0, 0, 0, 0, 0, 0, {0}, 0 }

/* The closest points of a shape and a body: ClosestPoints. Where none is in reach all is zero but the body, which is
 * LANEFOLD_NO_BODY, and the distance, which is infinite. */
typedef struct lanefold_closest_points_record {
    float distance; /* signed */
    uint32_t body;
    uint32_t child, shape_child;   /* of compounds */
    float normal[3];               /* unit, world axes, from the shape to the body */
    float on_shape[3], on_body[3]; /* offsets from the shape's position, world axes */
    uint32_t feature_shape, feature_body;
    uint8_t kind;
    uint8_t status;
    uint8_t reserved[2];
} lanefold_closest_points_record;

/* A body that a moving shape meets: ShapeHit. Of a miss all is zero but the body, which is LANEFOLD_NO_BODY, and the
 * fraction, which is 1. */
typedef struct lanefold_shape_hit {
    double fraction; /* never later than the first contact */
    uint32_t body;
    uint32_t child;  /* of a compound */
    float normal[3]; /* unit, world axes, from the shape to the body, at `fraction` */
    float distance;  /* signed, at `fraction` */
    float point[3];  /* offset from the shape's position at `fraction` */
    uint32_t feature_shape, feature_body;
    uint8_t kind;
    uint8_t state;   /* LANEFOLD_SWEEP_... */
    uint8_t failure; /* LANEFOLD_SWEEP_... */
    uint8_t status;
    uint32_t shape_child; /* where the shape is a compound */
} lanefold_shape_hit;

/* Casts rays: out[i] belongs to rays[i]. `options` and `result` may be null in all calls. */
LANEFOLD_API lanefold_status lanefold_scene_cast_rays(const lanefold_pair_finder* scene, const lanefold_ray* rays,
                                                      uint64_t ray_count, const lanefold_query_options* options,
                                                      lanefold_ray_hit* out, lanefold_query_workspace* workspace,
                                                      lanefold_query_result* result);
/* All that each ray meets, by fraction. */
LANEFOLD_API lanefold_status lanefold_scene_cast_rays_all(const lanefold_pair_finder* scene, const lanefold_ray* rays,
                                                          uint64_t ray_count, const lanefold_query_options* options,
                                                          uint64_t* offsets, lanefold_ray_hit* out, uint64_t capacity,
                                                          lanefold_query_workspace* workspace,
                                                          lanefold_query_result* result);

/* The first body that each shape meets on its way from its pose in `begin` to that in `end`, as lanefold_sweep() moves
 * it. Of `settings`, which may be null, target, tolerance, spins and stop count. */
LANEFOLD_API lanefold_status lanefold_scene_cast_shapes(const lanefold_pair_finder* scene,
                                                        const lanefold_body_view* begin, const lanefold_body_view* end,
                                                        const lanefold_sweep_options* settings,
                                                        const lanefold_query_options* options, lanefold_shape_hit* out,
                                                        lanefold_query_workspace* workspace,
                                                        lanefold_query_result* result);
/* All bodies that each shape meets, by fraction. `statuses`: null, or one for each shape. */
LANEFOLD_API lanefold_status lanefold_scene_cast_shapes_all(
    const lanefold_pair_finder* scene, const lanefold_body_view* begin, const lanefold_body_view* end,
    const lanefold_sweep_options* settings, const lanefold_query_options* options, uint64_t* offsets,
    lanefold_shape_hit* out, uint64_t capacity, uint8_t* statuses, lanefold_query_workspace* workspace,
    lanefold_query_result* result);

/* The bodies within `margin` of each shape, ascending. */
LANEFOLD_API lanefold_status lanefold_scene_overlaps(const lanefold_pair_finder* scene,
                                                     const lanefold_body_view* shapes, float margin,
                                                     const lanefold_query_options* options, uint64_t* offsets,
                                                     uint32_t* out, uint64_t capacity, uint8_t* statuses,
                                                     lanefold_query_workspace* workspace,
                                                     lanefold_query_result* result);

/* The nearest body within radii[q] of each shape. */
LANEFOLD_API lanefold_status lanefold_scene_closest_points(const lanefold_pair_finder* scene,
                                                           const lanefold_body_view* shapes, const float* radii,
                                                           const lanefold_query_options* options,
                                                           lanefold_closest_points_record* out,
                                                           lanefold_query_workspace* workspace,
                                                           lanefold_query_result* result);
/* All bodies within radii[q] of each shape, by distance. */
LANEFOLD_API lanefold_status lanefold_scene_closest_points_all(const lanefold_pair_finder* scene,
                                                               const lanefold_body_view* shapes, const float* radii,
                                                               const lanefold_query_options* options, uint64_t* offsets,
                                                               lanefold_closest_points_record* out, uint64_t capacity,
                                                               uint8_t* statuses, lanefold_query_workspace* workspace,
                                                               lanefold_query_result* result);

#ifdef __cplusplus
}
#endif

#endif
