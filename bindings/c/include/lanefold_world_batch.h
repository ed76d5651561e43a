/* SPDX-License-Identifier: MIT
 *
 * Many worlds of one hull set, stepped together, for C: lanefold/world_batch.hpp and docs/many_environments.md say what
 * results mean; the rules of lanefold.h and the units of lanefold_world.h hold. Masks (`active`) are null for all
 * worlds, or have one byte for each: 0 means that the world takes no part.
 */
#ifndef LANEFOLD_WORLD_BATCH_H
#define LANEFOLD_WORLD_BATCH_H

#include <lanefold_world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Worlds of one hull set. One call at a time. */
typedef struct lanefold_world_batch lanefold_world_batch;

/* Bodies of all worlds as arrays in the batch's memory, world after world: WorldArrays. They stay where they are until
 * bodies are added. */
typedef struct lanefold_world_arrays {
    size_t struct_size;
    const uint64_t* offsets; /* world w has bodies offsets[w] up to offsets[w + 1] */
    uint64_t bodies;
    double* positions;           /* 3 for each body */
    float* orientations;         /* 4: x, y, z, w */
    float* velocities;           /* 3 */
    float* spins;                /* 3 */
    float* forces;               /* 3, to write */
    float* torques;              /* 3, to write */
    const float* contact_forces; /* 3 */
    const uint32_t* touches;     /* 1 */
    float* impulses;             /* 3, to write; they act once */
    uint8_t* present;           /* 1: it takes part; lanefold_world_batch_write() removes bodies and brings them back */
    double* target_positions;   /* 3, to write: where kinematic bodies go while `targets` is 1 */
    float* target_orientations; /* 4, to write */
    uint8_t* targets;           /* 1, to write */
    const uint8_t* asleep;      /* 1: it sleeps */
} lanefold_world_arrays;
/* Sets the size of a lanefold_world_arrays. */
#define LANEFOLD_WORLD_ARRAYS_INIT                                                                                \
    {                                                                                                             \
        sizeof(lanefold_world_arrays), NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
            NULL, NULL, NULL                                                                                      \
    }

/* Counts of a call: WorldBatchResult. */
typedef struct lanefold_world_batch_result {
    size_t struct_size;
    uint64_t done, refused; /* worlds */
    uint64_t lost;          /* bodies that were lost in this step */
    uint64_t pairs, contacts;
} lanefold_world_batch_result;
/* Sets the size of a lanefold_world_batch_result. */
#define LANEFOLD_WORLD_BATCH_RESULT_INIT \
    { sizeof(lanefold_world_batch_result), 0, 0, 0, 0, 0 }

/* So many worlds without bodies, whose hulls are these. */
LANEFOLD_API lanefold_status lanefold_world_batch_create(const lanefold_hulls* hulls, uint64_t worlds,
                                                         lanefold_world_batch** out);
/* Null is allowed. */
LANEFOLD_API void lanefold_world_batch_free(lanefold_world_batch* batch);
/* Number of worlds. */
LANEFOLD_API uint64_t lanefold_world_batch_count(const lanefold_world_batch* batch);
/* A world, for the calls of lanefold_world.h; null for one that there is not. It belongs to the batch: never free it.
 * Arrays show its changes after lanefold_world_batch_read(). */
LANEFOLD_API lanefold_world* lanefold_world_batch_world(lanefold_world_batch* batch, uint64_t world);

/* Adds the same bodies to every world that takes part, until one refuses them. */
LANEFOLD_API lanefold_status lanefold_world_batch_add_bodies(lanefold_world_batch* batch,
                                                             const lanefold_rigid_body* bodies, uint64_t count,
                                                             const uint8_t* active);
/* Adds `count` bodies to each world, with numbers of its own: world w gets those from bodies[w * count] on. All or
 * none; `where` is a place in `bodies`. */
LANEFOLD_API lanefold_status lanefold_world_batch_add_bodies_of_each(lanefold_world_batch* batch,
                                                                     const lanefold_rigid_body* bodies, uint64_t count);
/* Adds fixed bodies that all worlds share, behind their own: WorldBatch::add_shared(). */
LANEFOLD_API lanefold_status lanefold_world_batch_add_shared(lanefold_world_batch* batch,
                                                             const lanefold_rigid_body* bodies, uint64_t count);
/* lanefold_world_batch_add_bodies() with scales, one for each body of `bodies`, or null: 1 for all. RigidBody::scale
 * says what a scale is. */
LANEFOLD_API lanefold_status lanefold_world_batch_add_scaled_bodies(lanefold_world_batch* batch,
                                                                    const lanefold_rigid_body* bodies,
                                                                    const float* scales, uint64_t count,
                                                                    const uint8_t* active);
/* lanefold_world_batch_add_bodies_of_each() with scales, in the same way. */
LANEFOLD_API lanefold_status lanefold_world_batch_add_scaled_bodies_of_each(lanefold_world_batch* batch,
                                                                            const lanefold_rigid_body* bodies,
                                                                            const float* scales, uint64_t count);
/* lanefold_world_batch_add_shared() with scales, in the same way. */
LANEFOLD_API lanefold_status lanefold_world_batch_add_scaled_shared(lanefold_world_batch* batch,
                                                                    const lanefold_rigid_body* bodies,
                                                                    const float* scales, uint64_t count);
/* Number of bodies that all worlds share. */
LANEFOLD_API uint64_t lanefold_world_batch_shared(const lanefold_world_batch* batch);
/* More hulls, for all worlds or none: a set that begins with the hulls there are. Refused where
 * a body has a scale, because that brought a hull of its own: give all hulls before. */
LANEFOLD_API lanefold_status lanefold_world_batch_set_hulls(lanefold_world_batch* batch, const lanefold_hulls* hulls);
/* The same links to every world that takes part. */
LANEFOLD_API lanefold_status lanefold_world_batch_add_links(lanefold_world_batch* batch,
                                                            const lanefold_body_link* links, uint64_t count,
                                                            const uint8_t* active);
/* The same of settings: begin with those of lanefold_world_get_settings(). `threads` does not count. */
LANEFOLD_API lanefold_status lanefold_world_batch_set_settings(lanefold_world_batch* batch,
                                                               const lanefold_world_settings* settings,
                                                               const uint8_t* active);
/* Three numbers for each world, to all or none: `where` is the first world that is refused. Wakes every body. */
LANEFOLD_API lanefold_status lanefold_world_batch_set_gravity(lanefold_world_batch* batch, const float* gravity);
/* Tasks at most; 0: all. Never changes a bit. */
LANEFOLD_API lanefold_status lanefold_world_batch_set_threads(lanefold_world_batch* batch, uint32_t threads);

/* One step of dt seconds with the forces of the arrays. The status is that of the first world that was refused, `where`
 * being the world; all others are done. `statuses` and `results` are null or have one element for each world, written
 * for those that take part, and for none where the whole call is refused; results[0].struct_size is set, and is that of
 * all. `sums` may be null. */
LANEFOLD_API lanefold_status lanefold_world_batch_step(lanefold_world_batch* batch, double dt, const uint8_t* active,
                                                       lanefold_status* statuses, lanefold_step_result* results,
                                                       lanefold_world_batch_result* sums);
/* Keeps the state of these worlds for lanefold_world_batch_reset(). */
LANEFOLD_API lanefold_status lanefold_world_batch_keep(lanefold_world_batch* batch, const uint8_t* active,
                                                       lanefold_world_batch_result* sums);
/* Sets these worlds back to what was kept, and clears their forces, impulses and targets. */
LANEFOLD_API lanefold_status lanefold_world_batch_reset(lanefold_world_batch* batch, const uint8_t* active,
                                                        lanefold_world_batch_result* sums);
/* Writes the state of these worlds into the arrays. */
LANEFOLD_API lanefold_status lanefold_world_batch_read(lanefold_world_batch* batch, const uint8_t* active,
                                                       lanefold_world_batch_result* sums);
/* Takes poses, velocities and `present` from the arrays, of the bodies whose numbers were changed. */
LANEFOLD_API lanefold_status lanefold_world_batch_write(lanefold_world_batch* batch, const uint8_t* active,
                                                        lanefold_world_batch_result* sums);
/* Fills *out, whose struct_size is set. */
LANEFOLD_API lanefold_status lanefold_world_batch_arrays(lanefold_world_batch* batch, lanefold_world_arrays* out);

#ifdef __cplusplus
}
#endif

#endif
