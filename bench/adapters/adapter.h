/* SPDX-License-Identifier: MIT
 *
 * The protocol between lanefold_bench and other engines: C structures and one exported function. A shared library that
 * exports lanefold_adapter() is an adapter. `lanefold_bench --adapter FILE.so` times its engines in turns with all
 * others and judges their results. An adapter needs nothing else of lanefold and may be written in any language.
 *
 * Units: metres; world axes are right-handed. All structures keep their layout; LANEFOLD_ADAPTER_VERSION changes if one
 * does not. A library is loaded with symbols of its own (RTLD_LOCAL and RTLD_DEEPBIND), so two versions of an engine
 * can be measured side by side. All calls come from one thread.
 */
#ifndef LANEFOLD_ADAPTER_H
#define LANEFOLD_ADAPTER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LANEFOLD_ADAPTER_VERSION 1

/* A convex hull, in its own coordinates. */
typedef struct LanefoldHull {
    uint32_t vertex_count;
    uint32_t face_count;
    const float* vertices; /* vertex_count * 3 */
    /* face_count + 1: face f has the corners face_vertices[k], face_offsets[f] <= k < face_offsets[f + 1],
       counter-clockwise, seen from outside. */
    const uint32_t* face_offsets;
    const uint32_t* face_vertices;
    const double* planes; /* face_count * 4: unit normal outward, then its largest product with a vertex */
    double centre[3];     /* middle of its axis-aligned box */
    int32_t is_box;       /* 1: also a box, with the two fields below */
    int32_t reserved;     /* 0 */
    double half_extent[3];
    double axes[9]; /* row by row; its columns are the box's axes in the hull's coordinates */
} LanefoldHull;

/* A body: a hull whose origin is at `position`, turned by the quaternion (x, y, z, w) of unit length to 1e-3. */
typedef struct LanefoldAdapterBody {
    float position[3];
    uint32_t hull;
    float orientation[4];
} LanefoldAdapterBody;

typedef struct LanefoldAdapterPair {
    uint32_t a;
    uint32_t b;
} LanefoldAdapterPair;

/* A result. Points lie midway between the surfaces, in world coordinates, at most four of those that were found.
   Distances are negative where the bodies overlap. `count` 0 means that the pair is not in contact. Then the other
   fields mean nothing. */
typedef struct LanefoldRecord {
    float normal[3]; /* unit length, from a to b */
    float distance;  /* the smallest of all points */
    uint32_t count;  /* points found */
    struct {
        float position[3];
        float separation;
    } points[4];
} LanefoldRecord;

/* One setting of an engine: a row of the tables. Texts are UTF-8 and live as long as the library. */
typedef struct LanefoldSetting {
    const char* id;    /* for --engines and files: letters, digits and -; the engine's name, then - and the setting */
    const char* title; /* for tables: the engine's name, then a comma or a space and the setting */
    const char* version;
    const char* settings;  /* everything on which a result depends */
    const char* build;     /* who compiled it, with which flags */
    const char* precision; /* "float32" or "float64" */
    double margin;         /* contacts are reported up to this distance; lanefold's is 0.02 */
    uint32_t max_points;
    uint8_t coherent;    /* 1: keeps data of pairs[i], the same pair in every collide() until forget() */
    uint8_t rounded;     /* 1: rounds the given shapes on purpose */
    uint8_t reserved[2]; /* 0 */
} LanefoldSetting;

typedef struct LanefoldAdapter {
    uint32_t version; /* LANEFOLD_ADAPTER_VERSION */
    uint32_t setting_count;
    const LanefoldSetting* settings;

    /* An engine with settings[setting], or null. */
    void* (*create)(uint32_t setting);
    void (*destroy)(void* engine);

    /* Takes a scene; not timed. `bodies` says which hull each body has: the same in every frame of the scene. Returns
       null, or why the engine does not take it, as a text that lives until the next call. The hulls live until the
       next prepare() or destroy(). */
    const char* (*prepare)(void* engine, const LanefoldHull* hulls, uint32_t hull_count,
                           const LanefoldAdapterBody* bodies, uint32_t body_count);

    /* Poses of a frame; not timed. The engine converts them to its own form, which a simulation would have anyway. */
    void (*set_frame)(void* engine, const LanefoldAdapterBody* bodies, uint32_t body_count);

    /* Timed. Writes one record a pair. It must not end the process: a pair that the engine cannot do has count 0. */
    void (*collide)(void* engine, const LanefoldAdapterPair* pairs, uint32_t pair_count, LanefoldRecord* records);

    /* Forgets the data of pairs. May be null if the engine keeps none. */
    void (*forget)(void* engine);
} LanefoldAdapter;

/* The only symbol that a library exports. */
const LanefoldAdapter* lanefold_adapter(void);

#ifdef __cplusplus
}
#endif

#endif
