/* SPDX-License-Identifier: MIT
 *
 * Events of a bake, for C: reads the folders of `lanefold collide --events` and `lanefold simulate --events`.
 * docs/events.md says what an event is; errors, versions and threads are as in lanefold.h. The library has no call that
 * makes events: the program makes them, frame by frame, and resumes what was interrupted.
 */
#ifndef LANEFOLD_EVENTS_H
#define LANEFOLD_EVENTS_H

#include <lanefold.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bits of lanefold_event.flags. */
enum {
    LANEFOLD_EVENT_TOUCHED_BEFORE = 1, /* touching in the first frame that is known: no begin was seen */
    LANEFOLD_EVENT_LASTS = 2,          /* touching in the last frame that is known: no end was seen */
    LANEFOLD_EVENT_BETWEEN = 4,        /* begins and ends between two frames: no frame shows it */
    LANEFOLD_EVENT_CUT = 8,            /* a body vanished, or the frames that follow are missing */
    LANEFOLD_EVENT_BOUNCE = 16         /* an estimate: the poses do not show that the two touch */
};

/* The source of impulses. */
enum {
    LANEFOLD_IMPULSES_NONE = 0,   /* all are 0 */
    LANEFOLD_IMPULSES_MASSES = 1, /* an estimate by masses, from baked poses */
    LANEFOLD_IMPULSES_SOLVER = 2  /* exact, of the solver of a simulation */
};

/* One contact of two bodies, from its begin to its end. Speeds are in the scene's unit a second, impulses in kg times
 * that. 96 bytes. */
typedef struct lanefold_event {
    double begin, end;   /* frame and fraction */
    double place[3];     /* of the contact at its begin, world */
    float normal[3];     /* unit, world, from body a to body b */
    float closing_speed; /* above 0: they close in */
    float sliding_speed;
    float impulse;      /* from the frame before the begin to the one after it */
    float impulse_peak; /* the largest of one interval between frames */
    float impulse_sum;  /* over the contact's life */
    float slip;         /* way that the bodies slid on each other */
    uint32_t pair[2];   /* bodies a < b */
    uint32_t group[2];  /* their groups; 0: none */
    uint8_t flags;      /* LANEFOLD_EVENT_... */
    uint8_t reserved[3];
} lanefold_event;

/* The settings that shaped the events of a folder. */
typedef struct lanefold_events_info {
    size_t struct_size;
    uint64_t events;
    uint64_t frames, bodies; /* of the scene */
    double rate;             /* frames a second: seconds are frames / rate */
    double moment;           /* of a simulation: times are whole multiples of so many seconds; 0: of baked poses */
    double touch, release;   /* distances at which a contact begins and ends, in the scene's unit */
    const char* unit;        /* of the scene: "m", ...; lives as long as the events */
    uint8_t impulses;        /* LANEFOLD_IMPULSES_... */
    uint8_t bounces;         /* 1: bounces that the poses hide are estimated */
    uint8_t reserved[6];
} lanefold_events_info;
/* Sets the size of a lanefold_events_info. */
#define LANEFOLD_EVENTS_INFO_INIT                                                    \
    {                                                                                \
        sizeof(lanefold_events_info), 0, 0, 0, 0.0, 0.0, 0.0, 0.0, NULL, 0, 0, { 0 } \
    }

/* All events of a folder, in memory. Immutable; threads may share them. */
typedef struct lanefold_events lanefold_events;

/* Reads a folder (a path, UTF-8). Refused is what is missing, not joined yet, or not what the folder says: of every
 * file the type, the shape and the length, and of every event the bodies. Then `where` is the file's number, for
 * lanefold_events_file_name(), and *events is null. `lanefold info` also checks the hash of the columns. */
LANEFOLD_API lanefold_status lanefold_events_read(const char* folder, lanefold_events** events);
/* Null is allowed. */
LANEFOLD_API void lanefold_events_free(lanefold_events* events);
/* The name of a file of an events folder, by the `where` of a refusal: "events.json", "begin.npy", ... Static storage;
 * "unknown" for another number. */
LANEFOLD_API const char* lanefold_events_file_name(uint64_t where);

/* The events, ascending by begin, then by pair; they live until lanefold_events_free(). `count` may be null. */
LANEFOLD_API const lanefold_event* lanefold_events_data(const lanefold_events* events, uint64_t* count);
/* Writes what the folder says of its events; info.struct_size says how much the caller knows. */
LANEFOLD_API lanefold_status lanefold_events_get_info(const lanefold_events* events, lanefold_events_info* info);
/* The name of a body, UTF-8, which lives as long as the events. Null: the scene gives none, or there is no such body.
 */
LANEFOLD_API const char* lanefold_events_body_name(const lanefold_events* events, uint32_t body);
/* 1: a body that can move; 0: an immovable one, or there is no such body. */
LANEFOLD_API int32_t lanefold_events_movable(const lanefold_events* events, uint32_t body);

#ifdef __cplusplus
}
#endif

#endif
