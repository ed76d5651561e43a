/* SPDX-License-Identifier: MIT
 *
 * lanefold for C, and for every language that can call C: contact manifolds of batches of candidate pairs of convex
 * hulls. The C++ headers say what results mean; the same names mean the same here.
 *
 * Ownership: the calls below make and free hulls, workspaces and pair finders. All other memory is the caller's,
 * borrowed for the call as a pointer and a count. A null pointer with a count above 0 is refused.
 *
 * Errors: calls return a lanefold_status; nothing throws, prints or ends the program. When `code` is not LANEFOLD_OK,
 * `what` says why, and nothing was written unless the call says otherwise.
 *
 * Versions: LANEFOLD_..._INIT must set the `struct_size` of every structure that has one. A newer library understands
 * the structures of an older header: fields that the older header lacks have their default. Structures without
 * `struct_size` (records, bodies, pairs) never change.
 *
 * Threads: calls on different workspaces, or different finders, may run at once; hulls are immutable and may be shared.
 */
#ifndef LANEFOLD_H
#define LANEFOLD_H

#include <stddef.h>
#include <stdint.h>

#if UINTPTR_MAX < 0xFFFFFFFFFFFFFFFFu && !defined(__wasm__)
#error "lanefold needs a 64-bit machine"
#endif

#ifdef LANEFOLD_SHARED
#if defined(_WIN32)
#ifdef LANEFOLD_BUILDING
#define LANEFOLD_API __declspec(dllexport)
#else
#define LANEFOLD_API __declspec(dllimport)
#endif
#else
#define LANEFOLD_API __attribute__((visibility("default")))
#endif
#else
/* Stands before every function: makes it visible in the shared library, where LANEFOLD_SHARED is defined. */
#define LANEFOLD_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- Status ---------------------------------------------------------------------------------------------------- */

enum {
    LANEFOLD_OK = 0,
    LANEFOLD_BAD_POSE = 1,     /* pair: position not finite, or quaternion not finite or not near unit length */
    LANEFOLD_BAD_INDEX = 2,    /* pair: body index out of range, or a body paired with itself */
    LANEFOLD_BAD_HULL = 3,     /* pair: hull id of a body out of range, or removed */
    LANEFOLD_TRUNCATED = 4,    /* call: the output was too small */
    LANEFOLD_CANCELLED = 5,    /* stopped: pairs not yet computed carry this */
    LANEFOLD_BAD_ARGUMENT = 6, /* call: refused */
    LANEFOLD_OUT_OF_MEMORY = 7 /* call: ignore the output */
};

/* The outcome of a call: LANEFOLD_OK, or why it was refused or ended early. */
typedef struct lanefold_status {
    int32_t code;
    uint32_t reserved;
    uint64_t where;   /* the index of the refused element */
    const char* what; /* static storage, never null */
} lanefold_status;

/* The version of the library, not of this header: "0.1.0". */
LANEFOLD_API const char* lanefold_version(void);
/* LANEFOLD_VERSION_NUMBER of the library: 1002003 for 1.2.3. */
LANEFOLD_API int32_t lanefold_version_number(void);
/* The instruction sets that this build has and this machine can run: "scalar, sse2, sse4.2, avx2". Static storage. */
LANEFOLD_API const char* lanefold_instruction_sets(void);
/* The name of a status ("ok", "bad_pose", ...). Static storage. */
LANEFOLD_API const char* lanefold_status_name(int32_t status);
/* The name of a kind ("face_a", ...). Static storage. */
LANEFOLD_API const char* lanefold_kind_name(int32_t kind);

/* --- Hulls ----------------------------------------------------------------------------------------------------- */

/* An immutable set of hulls. Appending and removing give new sets that share memory with the old ones; ids stay, and a
 * removed id is never given again. */
typedef struct lanefold_hulls lanefold_hulls;

/* The kind of a shape. Options of builds name hulls only. */
enum { LANEFOLD_SHAPE_HULL = 0, LANEFOLD_SHAPE_HALF_SPACE = 1 };
enum { LANEFOLD_ORIGIN_INPUT = 0, LANEFOLD_ORIGIN_CENTRE_OF_MASS = 1, LANEFOLD_ORIGIN_BOX_CENTRE = 2 };

/* How hulls are made of points. Begin with LANEFOLD_BUILD_OPTIONS_INIT. */
typedef struct lanefold_build_options {
    size_t struct_size;
    uint32_t max_vertices;   /* keep at most this many, and at least 4; 0: all */
    uint32_t threads;        /* 0: as many as the machine has */
    uint8_t merge_coplanar;  /* 1 by default */
    uint8_t recognize_boxes; /* 1 by default */
    uint8_t origin;          /* LANEFOLD_ORIGIN_... */
    uint8_t shape;           /* LANEFOLD_SHAPE_HULL */
    float radius;            /* hulls are rounded by it: their cores with all points within it; 0: sharp */
} lanefold_build_options;
/* The defaults of lanefold_build_options. */
#define LANEFOLD_BUILD_OPTIONS_INIT \
    { sizeof(lanefold_build_options), 0, 0, 1, 1, 0, 0, 0.0f }

/* Why a hull could not be built. error: the C++ HullError (1 too few points, 2 not finite, 3 too large, 4 too small, 5
 * collinear, 6 flat, 7 internal, 8 bad offsets, 9 too far from the origin for float32, 10 bad radius). */
typedef struct lanefold_hull_report {
    uint32_t hull;    /* of the call */
    uint32_t culprit; /* point, relative to the hull's first */
    int32_t error;
    uint32_t reserved;
    const char* what; /* static storage */
} lanefold_hull_report;

/* A hull's coordinates relative to those of its points: a point p became p - shift. Axes: row-major rotation from the
 * principal axes to the hull's own; moments for density 1, ascending. rounding: by how much float32 moved p. */
typedef struct lanefold_hull_frame {
    double shift[3];
    double principal_axes[9];
    double principal_moments[3], rounding;
} lanefold_hull_frame;

/* The builder's report on a hull, and its properties: HullInfo in lanefold/hull_set.hpp. */
typedef struct lanefold_hull_info {
    size_t struct_size;
    uint32_t vertices, faces, edges;
    uint32_t input_points;
    uint32_t merged_faces, dropped_vertices;
    uint8_t is_box, may_flicker, shape, reserved;
    float size;   /* half diagonal of the box along the input axes */
    float radius; /* by which the hull is rounded; counts, size, deviations and angle are of its core */
    double deviation, budget_deviation, min_edge_angle;
    double volume; /* with what follows, of the rounded hull */
    double centre_of_mass[3];
    double inertia[9]; /* about the centre of mass, density 1, row-major */
} lanefold_hull_info;
/* Sets the size of a lanefold_hull_info. */
#define LANEFOLD_HULL_INFO_INIT                                                                              \
    {                                                                                                        \
        sizeof(lanefold_hull_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0f, 0.0f, 0.0, 0.0, 0.0, 0.0, {0}, { 0 } \
    }

/* Hull i is made of points[3 * offsets[i]] up to points[3 * offsets[i + 1]]; offsets has hull_count + 1 entries, so
 * one for an empty set. `options` may be null. If a hull fails, the status is LANEFOLD_BAD_ARGUMENT, `where` is the
 * first such hull, *out is null, and the first `report_capacity` reports are written; *report_count is the number of
 * all reports. `frames` (hull_count elements), `reports` and `report_count` may be null. */
LANEFOLD_API lanefold_status lanefold_build_hulls(const float* points, uint64_t point_count, const uint64_t* offsets,
                                                  uint64_t hull_count, const lanefold_build_options* options,
                                                  lanefold_hulls** out, lanefold_hull_frame* frames,
                                                  lanefold_hull_report* reports, uint64_t report_capacity,
                                                  uint64_t* report_count);
/* The same from float64 points. An origin is subtracted before anything is rounded; BOX_CENTRE and CENTRE_OF_MASS take
 * points anywhere, INPUT refuses those that float32 would move by more than 2e-6 of the size. */
LANEFOLD_API lanefold_status lanefold_build_hulls_double(const double* points, uint64_t point_count,
                                                         const uint64_t* offsets, uint64_t hull_count,
                                                         const lanefold_build_options* options, lanefold_hulls** out,
                                                         lanefold_hull_frame* frames, lanefold_hull_report* reports,
                                                         uint64_t report_capacity, uint64_t* report_count);
/* The hulls of `first`, then those of `more`, as a new set. */
LANEFOLD_API lanefold_status lanefold_hulls_append(const lanefold_hulls* first, const lanefold_hulls* more,
                                                   lanefold_hulls** out);
/* A new set without these hulls; all other ids stay. */
LANEFOLD_API lanefold_status lanefold_hulls_remove(const lanefold_hulls* hulls, const uint32_t* ids, uint64_t id_count,
                                                   lanefold_hulls** out);
/* Frees a set. Others that share its memory stay. */
LANEFOLD_API void lanefold_hulls_free(lanefold_hulls* hulls); /* null is allowed */
/* Number of ids, those of removed hulls included. */
LANEFOLD_API uint64_t lanefold_hulls_count(const lanefold_hulls* hulls);
/* 64 bits over vertices and topology; equal sets have equal ones on every machine. */
LANEFOLD_API uint64_t lanefold_hulls_fingerprint(const lanefold_hulls* hulls);
/* 1 for a hull that exists: its id is in range and not removed. */
LANEFOLD_API int32_t lanefold_hulls_contains(const lanefold_hulls* hulls, uint32_t id);
/* x, y, z of the stored vertices; null, and 0 in *vertex_count, for a hull that does not exist and for a half-space.
 * Valid as long as the set. */
LANEFOLD_API const float* lanefold_hull_vertices(const lanefold_hulls* hulls, uint32_t id, uint64_t* vertex_count);
/* Fills *out, whose struct_size is set. LANEFOLD_BAD_ARGUMENT for a hull that does not exist. */
LANEFOLD_API lanefold_status lanefold_hull_get_info(const lanefold_hulls* hulls, uint32_t id, lanefold_hull_info* out);

/* --- Bodies and pairs ------------------------------------------------------------------------------------------ */

/* A body: position in float32, hull, orientation. */
typedef struct lanefold_body {
    float position[3];
    uint32_t hull;
    float orientation[4]; /* x, y, z, w */
} lanefold_body;

/* A body with its position in float64. */
typedef struct lanefold_body_d {
    double position[3];
    float orientation[4];
    uint32_t hull;
    uint32_t reserved;
} lanefold_body_d;

/* Two bodies by index. */
typedef struct lanefold_pair {
    uint32_t a, b;
} lanefold_pair;

/* Bodies in the caller's memory: for each field its address in the first body and its stride in bytes. */
typedef struct lanefold_body_view {
    const void* position;    /* 3 float, or 3 double */
    const void* orientation; /* 4 float */
    const void* hull;        /* uint32_t */
    size_t position_stride, orientation_stride, hull_stride;
    uint64_t count;
    uint32_t position_is_double;
    uint32_t reserved; /* 0; lanefold_scale.h has views with scales */
} lanefold_body_view;

/* A view of an array of bodies. */
LANEFOLD_API lanefold_body_view lanefold_view_bodies(const lanefold_body* bodies, uint64_t count);
/* The same with positions in float64. */
LANEFOLD_API lanefold_body_view lanefold_view_bodies_d(const lanefold_body_d* bodies, uint64_t count);

/* --- Contacts -------------------------------------------------------------------------------------------------- */

enum {
    LANEFOLD_NONE = 0,
    LANEFOLD_FACE_A = 1,
    LANEFOLD_FACE_B = 2,
    LANEFOLD_EDGE_EDGE = 3,
    LANEFOLD_VERTEX_EDGE = 4,
    LANEFOLD_EDGE_VERTEX = 5,
    LANEFOLD_VERTEX_VERTEX = 6
};

/* A point of a contact. */
typedef struct lanefold_point {
    float position[3]; /* offset from body a's position, world axes, midway between the surfaces */
    float separation;  /* below 0: overlap */
    uint32_t feature;
} lanefold_point;

/* The contact of a pair, with up to four points: Manifold4 in lanefold/manifold.hpp. */
typedef struct lanefold_manifold4 {
    uint32_t pair[2];
    float normal[3]; /* unit, world axes, from a to b */
    float distance;
    uint32_t feature_a, feature_b;
    uint16_t total; /* points before the reduction to four */
    uint8_t count;
    uint8_t kind;
    uint8_t status, reserved[3];
    uint32_t child_a, child_b; /* of compounds: the children that meet; otherwise 0 */
    lanefold_point points[4];
} lanefold_manifold4;

/* The same with up to 16 points. */
typedef struct lanefold_manifold16 {
    uint32_t pair[2];
    float normal[3];
    float distance;
    uint32_t feature_a, feature_b;
    uint16_t total;
    uint8_t count;
    uint8_t kind;
    uint8_t status, reserved[3];
    uint32_t child_a, child_b;
    lanefold_point points[16];
    uint8_t padding[16];
} lanefold_manifold16;

/* Distance and normal of a pair; zeros for a pair that is not reported. */
typedef struct lanefold_distance {
    float normal[3];
    float distance;
    uint8_t kind;
    uint8_t status, reserved[2];
    uint16_t child_a, child_b; /* 65535 for that and all higher numbers */
} lanefold_distance;

/* A call's findings about a pair, for the next call. Zeros are an empty entry. */
typedef struct lanefold_pair_cache {
    uint32_t opaque[2];
} lanefold_pair_cache;

/* The settings of a call: Options in lanefold/options.hpp. Begin with LANEFOLD_OPTIONS_INIT. */
typedef struct lanefold_options {
    size_t struct_size;
    float margin; /* pairs with distance <= margin are reported; >= 0, in the caller's unit */
    float face_preference;
    float hysteresis;
    uint32_t threads;            /* 0: all of the caller's arena; 1: the calling thread alone */
    const char* instruction_set; /* null: the best one, or LANEFOLD_ISA; otherwise "avx2", ... */
    const float* pair_margins;   /* null, or one for each pair */
    uint8_t impact_points_only;  /* 1: only points touching at the instant of collision */
    uint8_t patch_method;        /* 1: support patches instead of clipping */
    uint8_t hash;                /* 1: compute lanefold_result.hash */
    uint8_t stop_when_full;      /* compact: 1: do not count the records that do not fit */
    uint32_t previous_capacity;  /* 0: no previous records; 4 or 16: their points */
    const void* previous;        /* records of the frame before */
    uint64_t previous_count;
    uint32_t previous_one_per_pair; /* 1: previous[i] is that of pairs[i]; 0: they ascend by pair */
    uint32_t reserved;
    const uint8_t* unmoved;     /* null, or one for each body, not 0: has not moved since the previous records */
    lanefold_pair_cache* cache; /* null, or one for each pair; read and written */
    int32_t (*stop)(const void* context); /* null, or a function; working threads call it, not 0 stops the call */
    const void* stop_context;
} lanefold_options;
/* The defaults of lanefold_options. */
#define LANEFOLD_OPTIONS_INIT                                                                                          \
    {                                                                                                                  \
        sizeof(lanefold_options), 0.0f, 0.005f, 0.005f, 0, NULL, NULL, 0, 0, 0, 0, 0, NULL, 0, 0, 0, NULL, NULL, NULL, \
            NULL                                                                                                       \
    }

/* Sums over the pairs of a call: BatchResult and CompactResult in lanefold/options.hpp. */
typedef struct lanefold_result {
    size_t struct_size;
    uint64_t pairs, touching, overlapping, points;
    uint64_t by_status[8];
    uint64_t by_kind[7];
    uint64_t hash;
    const char* instruction_set; /* the one that ran */
    /* compact calls */
    uint64_t written, required, next_pair;
} lanefold_result;
/* Sets the size of a lanefold_result. */
#define LANEFOLD_RESULT_INIT \
    { sizeof(lanefold_result), 0, 0, 0, 0, {0}, {0}, 0, NULL, 0, 0, 0 }

/* Memory between calls. Calls that run at the same time need one each. Null when memory runs out. */
typedef struct lanefold_workspace lanefold_workspace;
LANEFOLD_API lanefold_workspace* lanefold_workspace_create(void);
/* Null is allowed. */
LANEFOLD_API void lanefold_workspace_free(lanefold_workspace* workspace);

/* Dense: out[i] belongs to pairs[i]. `options` and `result` may be null. */
LANEFOLD_API lanefold_status lanefold_collide4(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                               const lanefold_pair* pairs, uint64_t pair_count,
                                               const lanefold_options* options, lanefold_manifold4* out,
                                               lanefold_workspace* workspace, lanefold_result* result);
/* The same with up to 16 points. */
LANEFOLD_API lanefold_status lanefold_collide16(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                                const lanefold_pair* pairs, uint64_t pair_count,
                                                const lanefold_options* options, lanefold_manifold16* out,
                                                lanefold_workspace* workspace, lanefold_result* result);
/* Compact: pairs that touch or have a bad status, in order, from first_pair on. LANEFOLD_TRUNCATED when `capacity` is
 * too small: result->required is the number of records, result->next_pair the pair with which to go on. */
LANEFOLD_API lanefold_status lanefold_collide_compact4(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                                       const lanefold_pair* pairs, uint64_t pair_count,
                                                       const lanefold_options* options, lanefold_manifold4* out,
                                                       uint64_t capacity, uint64_t first_pair,
                                                       lanefold_workspace* workspace, lanefold_result* result);
/* The same with up to 16 points. */
LANEFOLD_API lanefold_status lanefold_collide_compact16(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                                        const lanefold_pair* pairs, uint64_t pair_count,
                                                        const lanefold_options* options, lanefold_manifold16* out,
                                                        uint64_t capacity, uint64_t first_pair,
                                                        lanefold_workspace* workspace, lanefold_result* result);
/* Dense: distance and normal of each pair, without points. */
LANEFOLD_API lanefold_status lanefold_collide_distance(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                                       const lanefold_pair* pairs, uint64_t pair_count,
                                                       const lanefold_options* options, lanefold_distance* out,
                                                       lanefold_workspace* workspace, lanefold_result* result);
/* Bit i % 64 of word i / 64 is set when pairs[i] has distance <= margin; (pair_count + 63) / 64 words. */
LANEFOLD_API lanefold_status lanefold_collide_overlap(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                                      const lanefold_pair* pairs, uint64_t pair_count,
                                                      const lanefold_options* options, uint64_t* out,
                                                      lanefold_workspace* workspace, lanefold_result* result);

/* The witness points of a contact on the surfaces of a and b, as offsets from body a's position. Each may be null. */
LANEFOLD_API void lanefold_witnesses(const float normal[3], const lanefold_point* point, float on_a[3], float on_b[3]);

/* --- Candidate pairs ------------------------------------------------------------------------------------------- */

/* Finds candidate pairs frame after frame. */
typedef struct lanefold_pair_finder lanefold_pair_finder;

/* The same as PairFinderOptions in lanefold/broadphase.hpp. Arrays are null or have one element for each body. */
typedef struct lanefold_finder_options {
    size_t struct_size;
    float margin;
    uint32_t threads;
    const float* inverse_mass;
    const uint32_t* group;
    const uint32_t* category;
    const uint32_t* collides_with;
    const uint8_t* unmoved;
} lanefold_finder_options;
/* The defaults of lanefold_finder_options. */
#define LANEFOLD_FINDER_OPTIONS_INIT \
    { sizeof(lanefold_finder_options), 0.0f, 0, NULL, NULL, NULL, NULL, NULL }

/* A finder without bodies; null when memory runs out. */
LANEFOLD_API lanefold_pair_finder* lanefold_finder_create(void);
/* Null is allowed. */
LANEFOLD_API void lanefold_finder_free(lanefold_pair_finder* finder);
/* *pairs is valid until the next call on this finder. `options` and `without_box` may be null. */
LANEFOLD_API lanefold_status lanefold_find_pairs(lanefold_pair_finder* finder, const lanefold_hulls* hulls,
                                                 const lanefold_body_view* bodies,
                                                 const lanefold_finder_options* options, const lanefold_pair** pairs,
                                                 uint64_t* pair_count, uint64_t* without_box);

#ifdef __cplusplus
}
#endif

#endif
