/* SPDX-License-Identifier: MIT
 *
 * Rigid bodies that move, for C: a world that steps. The rules of lanefold.h hold; lanefold/world.hpp and
 * lanefold/rigid_body.hpp say what numbers mean, which are refused, and what a step does. Lengths in metres, masses in
 * kilograms, times in seconds, unless settings.unit says otherwise.
 */
#ifndef LANEFOLD_WORLD_H
#define LANEFOLD_WORLD_H

#include <lanefold.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bodies and links. One call at a time; different worlds are independent. */
typedef struct lanefold_world lanefold_world;

/* WorldSettings. Begin with lanefold_world_get_settings(), which gives the defaults of a new world. */
typedef struct lanefold_world_settings {
    size_t struct_size;
    float unit; /* how long a metre is in the caller's unit */
    float gravity[3];
    uint32_t substeps;
    float contact_hertz, contact_damping;
    float link_hertz, link_damping;
    float push_speed, restitution_threshold;
    float linear_damping, angular_damping;
    float margin, face_preference, hysteresis;
    uint8_t patch_method; /* 1: support patches instead of clipping */
    uint8_t sleep;        /* 1 by default */
    uint8_t reserved[2];
    float sleep_speed, sleep_time;
    uint32_t threads;            /* 0: all of the arena */
    const char* instruction_set; /* null: the best one, or LANEFOLD_ISA */
    float reuse;                 /* 0: every manifold is exact */
    uint32_t reserved_end;
} lanefold_world_settings;
/* Sets the size of a lanefold_world_settings; all else is 0, and no valid settings. */
#define LANEFOLD_WORLD_SETTINGS_INIT                                                                                  \
    {                                                                                                                 \
        sizeof(lanefold_world_settings), 0.0f, {0.0f, 0.0f, 0.0f}, 0, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, \
            0.0f, 0.0f, 0.0f, 0, 0, {0, 0}, 0.0f, 0.0f, 0, NULL, 0.0f, 0                                              \
    }

enum { LANEFOLD_DYNAMIC = 0, LANEFOLD_FIXED = 1, LANEFOLD_KINEMATIC = 2 };

/* A body: RigidBody. Begin with LANEFOLD_RIGID_BODY_INIT. */
typedef struct lanefold_rigid_body {
    uint32_t hull; /* or a compound (lanefold_compound.h), which is one body; of a fixed body any id of the set */
    uint8_t kind;  /* LANEFOLD_DYNAMIC, ... */
    uint8_t reserved[3];
    double position[3];
    float orientation[4]; /* x, y, z, w */
    float velocity[3];    /* of the centre of mass */
    float spin[3];        /* radians per second */
    float density;
    float mass; /* 0: by density */
    float friction;
    float restitution;
    /* the filters of lanefold_finder_options: a pair needs a common bit both ways; bodies of equal non-zero group never
     * touch */
    uint32_t category;
    uint32_t collides_with;
    uint32_t group;
} lanefold_rigid_body;
/* The defaults of a body. */
#define LANEFOLD_RIGID_BODY_INIT                                                                       \
    {                                                                                                  \
        0, LANEFOLD_DYNAMIC, {0, 0, 0}, {0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f}, \
            {0.0f, 0.0f, 0.0f}, 1000.0f, 0.0f, 0.6f, 0.0f, 1, 0xFFFFFFFFu, 0                           \
    }

enum { LANEFOLD_CABLE = 0, LANEFOLD_ROD = 1 };
/* Instead of body b: the end of the link is a point of the world. */
#define LANEFOLD_WORLD_ANCHOR 0xFFFFFFFFu

/* A link: BodyLink. */
typedef struct lanefold_body_link {
    uint8_t kind; /* LANEFOLD_CABLE or LANEFOLD_ROD */
    uint8_t reserved[3];
    uint32_t a, b;
    double end_a[3], end_b[3]; /* in the input coordinates of the hulls; end_b in the world without a b */
    double length;
    float restitution;
    uint32_t reserved_end;
} lanefold_body_link;

/* The impulses of one manifold in the last substep, in kilogram metres a second. */
typedef struct lanefold_contact_impulse {
    float normal[4];  /* one for each point */
    float tangent[3]; /* friction of the whole manifold, world axes, on body b */
    float twist;      /* moment of friction about the normal, on body b */
} lanefold_contact_impulse;

/* All that one manifold has pushed in the last step. */
typedef struct lanefold_contact_push {
    float impulse; /* along the normal, of all points, on body b, kilogram metres a second; 0: it did not push */
    float before;  /* substeps before the first that pushed */
    float after;   /* substeps after the last that pushed */
} lanefold_contact_push;

/* The work of a step: StepResult. */
typedef struct lanefold_step_result {
    size_t struct_size;
    uint64_t pairs, contacts, points, links;
    uint64_t awake, asleep, lost;
    double link_error; /* by which share of its length the worst link is off */
    uint64_t worst_link;
    const char* instruction_set;
    double seconds_pairs, seconds_collide, seconds_solve;
    uint64_t carried; /* pairs whose manifolds were not computed: settings.reuse */
} lanefold_step_result;
/* Sets the size of a lanefold_step_result. */
#define LANEFOLD_STEP_RESULT_INIT \
    { sizeof(lanefold_step_result), 0, 0, 0, 0, 0, 0, 0, 0.0, 0, NULL, 0.0, 0.0, 0.0, 0 }

/* A world without bodies, whose hulls are these; it keeps them alive. */
LANEFOLD_API lanefold_status lanefold_world_create(const lanefold_hulls* hulls, lanefold_world** out);
/* Null is allowed. */
LANEFOLD_API void lanefold_world_free(lanefold_world* world);

/* Fills *settings, whose struct_size is set, with those of the next step. */
LANEFOLD_API lanefold_status lanefold_world_get_settings(const lanefold_world* world,
                                                         lanefold_world_settings* settings);
/* Wakes every body. Fields that an older header lacks stay as they are. */
LANEFOLD_API lanefold_status lanefold_world_set_settings(lanefold_world* world,
                                                         const lanefold_world_settings* settings);

/* All of them or, with a status that names the first that is refused, none. They follow those there are. */
LANEFOLD_API lanefold_status lanefold_world_add_bodies(lanefold_world* world, const lanefold_rigid_body* bodies,
                                                       uint64_t count);
/* The same with a scale for each body, or null: 1 for all. RigidBody::scale says what a scale is. */
LANEFOLD_API lanefold_status lanefold_world_add_scaled_bodies(lanefold_world* world, const lanefold_rigid_body* bodies,
                                                              const float* scales, uint64_t count);
/* The same of links. */
LANEFOLD_API lanefold_status lanefold_world_add_links(lanefold_world* world, const lanefold_body_link* links,
                                                      uint64_t count);

/* One step of dt seconds. `result` may be null. */
LANEFOLD_API lanefold_status lanefold_world_step(lanefold_world* world, double dt, lanefold_step_result* result);
/* With the caller's candidate pairs. */
LANEFOLD_API lanefold_status lanefold_world_step_pairs(lanefold_world* world, double dt, const lanefold_pair* pairs,
                                                       uint64_t pair_count, lanefold_step_result* result);
/* With the manifolds of the caller's own call, ascending by pair. */
LANEFOLD_API lanefold_status lanefold_world_advance(lanefold_world* world, double dt,
                                                    const lanefold_manifold4* manifolds, uint64_t count,
                                                    lanefold_step_result* result);

/* Poses, one for each body. This and all that follows is valid until the next call that changes the world. */
LANEFOLD_API const lanefold_body_d* lanefold_world_bodies(const lanefold_world* world, uint64_t* count);
/* The manifolds of the last step, ascending by pair. */
LANEFOLD_API const lanefold_manifold4* lanefold_world_contacts(const lanefold_world* world, uint64_t* count);
/* The impulses of each of them. */
LANEFOLD_API const lanefold_contact_impulse* lanefold_world_impulses(const lanefold_world* world, uint64_t* count);
/* All that each of them pushed in the last step. */
LANEFOLD_API const lanefold_contact_push* lanefold_world_pushes(const lanefold_world* world, uint64_t* count);
/* Copies velocity of the centre of mass, spin and centre of a body; each may be null. */
LANEFOLD_API lanefold_status lanefold_world_get_motion(const lanefold_world* world, uint64_t body, float velocity[3],
                                                       float spin[3], double centre[3]);
/* 1: the body sleeps; 0: it does not, or there is none. */
LANEFOLD_API int32_t lanefold_world_asleep(const lanefold_world* world, uint64_t body);
/* 1: a step has lost the body (lanefold/world.hpp); 0: it has not, or there is none. */
LANEFOLD_API int32_t lanefold_world_lost(const lanefold_world* world, uint64_t body);
/* 1: the body was removed; 0: it was not, or there is none. */
LANEFOLD_API int32_t lanefold_world_removed(const lanefold_world* world, uint64_t body);

/* Wakes the body and what sleeps with it. */
LANEFOLD_API lanefold_status lanefold_world_set_velocity(lanefold_world* world, uint64_t body, const float velocity[3],
                                                         const float spin[3]);
/* The same; an impulse in kilogram metres a second at a point of the world. */
LANEFOLD_API lanefold_status lanefold_world_apply_impulse(lanefold_world* world, uint64_t body, const float impulse[3],
                                                          const double point[3]);
/* The same of an angular impulse, newton metre seconds, world axes. */
LANEFOLD_API lanefold_status lanefold_world_apply_angular_impulse(lanefold_world* world, uint64_t body,
                                                                  const float impulse[3]);
/* Places the body's hull origin; wakes what touches it. A body that is lost or was removed comes back, at rest. */
LANEFOLD_API lanefold_status lanefold_world_set_pose(lanefold_world* world, uint64_t body, const double position[3],
                                                     const float orientation[4]);
/* Gives a kinematic body the velocity and spin that take its hull's origin there in a step of dt seconds. */
LANEFOLD_API lanefold_status lanefold_world_set_target(lanefold_world* world, uint64_t body, const double position[3],
                                                       const float orientation[4], double dt);
/* Takes the body out; lanefold_world_set_pose() puts it in again. Indices stay. */
LANEFOLD_API lanefold_status lanefold_world_remove(lanefold_world* world, uint64_t body);
/* Wakes the body and what sleeps with it. */
LANEFOLD_API lanefold_status lanefold_world_wake(lanefold_world* world, uint64_t body);

/* Everything that changes from step to step. *bytes is valid until the next call on this world. */
LANEFOLD_API lanefold_status lanefold_world_save(lanefold_world* world, const void** bytes, uint64_t* size);
/* Bytes of a world with the same hulls, bodies, links and settings. Refused bytes change nothing. */
LANEFOLD_API lanefold_status lanefold_world_restore(lanefold_world* world, const void* bytes, uint64_t size);

#ifdef __cplusplus
}
#endif

#endif
