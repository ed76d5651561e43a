/* SPDX-License-Identifier: MIT
 *
 * Contacts from one step to the next, for C: streams, matching of contact points, captures of pairs. The rules of
 * lanefold.h hold; the C++ headers contact_stream.hpp, match_contacts.hpp and capture.hpp say what results mean.
 */
#ifndef LANEFOLD_STREAM_H
#define LANEFOLD_STREAM_H

#include <lanefold.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Streams --------------------------------------------------------------------------------------------------- */

/* The contacts of a simulation, step after step. A stream owns previous records, caches and a workspace. */
typedef struct lanefold_stream lanefold_stream;

/* The settings of a step that no other call has: StreamOptions. Begin with LANEFOLD_STREAM_OPTIONS_INIT. */
typedef struct lanefold_stream_options {
    size_t struct_size;
    float reuse; /* 0: every record is exact; else within a bound of 2 * reuse * size, in less time */
    uint32_t reserved;
} lanefold_stream_options;
/* The defaults of lanefold_stream_options. */
#define LANEFOLD_STREAM_OPTIONS_INIT \
    { sizeof(lanefold_stream_options), 0.0f, 0 }

/* How many contacts of the step before stayed: StreamResult. */
typedef struct lanefold_stream_result {
    size_t struct_size;
    uint64_t next_pair; /* the number of pairs, or where a stopped step ended */
    uint64_t new_pairs, begun, kept, ended;
    uint64_t points_new, points_kept, points_broken; /* with matching */
    uint64_t carried, anchored;                      /* with reuse */
} lanefold_stream_result;
/* Sets the size of a lanefold_stream_result. */
#define LANEFOLD_STREAM_RESULT_INIT \
    { sizeof(lanefold_stream_result), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* The places of a record's points in the step before. record: the index of the previous record of the same pair, or
 * 0xFFFFFFFF; previous: for each point the index of its previous point, or 0xFF. */
typedef struct lanefold_match4 {
    uint32_t record;
    uint8_t previous[4];
} lanefold_match4;
/* The same for records of up to 16 points. */
typedef struct lanefold_match16 {
    uint32_t record;
    uint8_t previous[16];
} lanefold_match16;
/* The fate of a previous record. record: the index of the current one, or 0xFFFFFFFF; bit k of broken: its point k
 * has ended. */
typedef struct lanefold_fate {
    uint32_t record;
    uint16_t broken;
    uint16_t reserved;
} lanefold_fate;

/* A stream of records of up to `capacity` points, 4 or 16. match_points: 1: steps find the previous point of each
 * point. Null for another capacity, or when memory runs out. */
LANEFOLD_API lanefold_stream* lanefold_stream_create(uint32_t capacity, int32_t match_points);
/* Null is allowed. */
LANEFOLD_API void lanefold_stream_free(lanefold_stream* stream);
/* Forgets all steps, keeps the memory. */
LANEFOLD_API void lanefold_stream_reset(lanefold_stream* stream);

/* The contacts of the pairs of this step. `options` must not name previous records or a cache, which the stream has
 * itself. A refused step leaves contacts and candidates as they were. All but stream, hulls and bodies may be null. */
LANEFOLD_API lanefold_status lanefold_stream_step(lanefold_stream* stream, const lanefold_hulls* hulls,
                                                  const lanefold_body_view* bodies, const lanefold_pair* pairs,
                                                  uint64_t pair_count, const lanefold_options* options,
                                                  const lanefold_stream_options* stream_options,
                                                  lanefold_result* result, lanefold_stream_result* stream_result);
/* The records of the last step, in the order of its pairs; valid until the next call on this stream. Null, and 0 in
 * *count, for a stream of the other capacity. */
LANEFOLD_API const lanefold_manifold4* lanefold_stream_contacts4(const lanefold_stream* stream, uint64_t* count);
/* The same with up to 16 points. */
LANEFOLD_API const lanefold_manifold16* lanefold_stream_contacts16(const lanefold_stream* stream, uint64_t* count);
/* For each record the index of its pair. */
LANEFOLD_API const uint32_t* lanefold_stream_candidates(const lanefold_stream* stream, uint64_t* count);
/* For each record its match; none without match_points, and after a refused step. */
LANEFOLD_API const lanefold_match4* lanefold_stream_matches4(const lanefold_stream* stream, uint64_t* count);
/* The same with up to 16 points. */
LANEFOLD_API const lanefold_match16* lanefold_stream_matches16(const lanefold_stream* stream, uint64_t* count);

/* --- Matching -------------------------------------------------------------------------------------------------- */

/* How many contacts and points stayed, are new, or ended. */
typedef struct lanefold_match_result {
    size_t struct_size;
    uint64_t begun, kept, ended;
    uint64_t points_new, points_kept, points_broken;
} lanefold_match_result;
/* Sets the size of a lanefold_match_result. */
#define LANEFOLD_MATCH_RESULT_INIT \
    { sizeof(lanefold_match_result), 0, 0, 0, 0, 0, 0 }

/* Matches the records of two frames, both ascending by pair. `matches` has current_count elements, `fates` has
 * previous_count or is null; `result` may be null. Refused: records that do not ascend; `where` names the record. */
LANEFOLD_API lanefold_status lanefold_match_contacts4(const lanefold_manifold4* previous, uint64_t previous_count,
                                                      const lanefold_manifold4* current, uint64_t current_count,
                                                      lanefold_match4* matches, lanefold_fate* fates,
                                                      lanefold_match_result* result);
/* The same with up to 16 points. */
LANEFOLD_API lanefold_status lanefold_match_contacts16(const lanefold_manifold16* previous, uint64_t previous_count,
                                                       const lanefold_manifold16* current, uint64_t current_count,
                                                       lanefold_match16* matches, lanefold_fate* fates,
                                                       lanefold_match_result* result);

/* --- Captures -------------------------------------------------------------------------------------------------- */

/* Chosen pairs with everything that their records depend on: the bytes of a file for `lanefold replay`. */
typedef struct lanefold_capture lanefold_capture;

/* A capture without pairs. `note` tells people how they are chosen; null: nothing. Null when memory runs out. */
LANEFOLD_API lanefold_capture* lanefold_capture_create(const char* note);
/* Null is allowed. */
LANEFOLD_API void lanefold_capture_free(lanefold_capture* capture);
/* Number of pairs. */
LANEFOLD_API uint64_t lanefold_capture_count(const lanefold_capture* capture);
/* Adds pair i of a call, which was made with these arguments, and its record. instruction_set: the one that ran
 * (lanefold_result), or null. frame: any number that names the call for people. */
LANEFOLD_API lanefold_status lanefold_capture_add4(lanefold_capture* capture, const lanefold_hulls* hulls,
                                                   const lanefold_body_view* bodies, const lanefold_pair* pairs,
                                                   uint64_t pair_count, const lanefold_options* options,
                                                   const char* instruction_set, uint64_t frame, uint64_t i,
                                                   const lanefold_manifold4* record);
/* The same with up to 16 points. */
LANEFOLD_API lanefold_status lanefold_capture_add16(lanefold_capture* capture, const lanefold_hulls* hulls,
                                                    const lanefold_body_view* bodies, const lanefold_pair* pairs,
                                                    uint64_t pair_count, const lanefold_options* options,
                                                    const char* instruction_set, uint64_t frame, uint64_t i,
                                                    const lanefold_manifold16* record);
/* The bytes of the file; *bytes is valid until the next call on this capture. */
LANEFOLD_API lanefold_status lanefold_capture_bytes(lanefold_capture* capture, const void** bytes, uint64_t* size);

#ifdef __cplusplus
}
#endif

#endif
