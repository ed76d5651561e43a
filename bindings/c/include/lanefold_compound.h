/* SPDX-License-Identifier: MIT
 *
 * Compounds and hulls at other scales, for C (lanefold/compound.hpp, lanefold/scaled_hulls.hpp). A compound is an id of
 * a set like a hull: a body of several hulls of the set. Ownership, errors and versions are as in lanefold.h.
 */
#ifndef LANEFOLD_COMPOUND_H
#define LANEFOLD_COMPOUND_H

#include <lanefold.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A child of a compound: a hull of the same set and its pose in the compound's frame. */
typedef struct lanefold_child {
    double position[3];
    float orientation[4]; /* x, y, z, w */
    uint32_t hull;
    uint32_t reserved;
} lanefold_child;

/* Why a compound could not be built. error: the C++ CompoundError (1 empty, 2 hull out of range, 3 removed hull, 4 no
 * hull, 5 bad pose, 6 bad offsets, 7 internal). */
typedef struct lanefold_compound_report {
    uint32_t compound; /* of the call */
    uint32_t child;    /* relative to the compound's first */
    int32_t error;
    uint32_t reserved;
    const char* what; /* static storage */
} lanefold_compound_report;

/* The hulls of the set, then the compounds, as a new set. Compound i has children[offsets[i]] up to
 * children[offsets[i + 1]], whose ids are those of `hulls`, and the id lanefold_hulls_count(hulls) + i; offsets has
 * compound_count + 1 entries. If a compound fails, the status is LANEFOLD_BAD_ARGUMENT, `where` is the first such one,
 * *out is null, and the first `report_capacity` reports are written; *report_count is the number of all. `reports` and
 * `report_count` may be null. */
LANEFOLD_API lanefold_status lanefold_build_compounds(const lanefold_hulls* hulls, const lanefold_child* children,
                                                      uint64_t child_count, const uint64_t* offsets,
                                                      uint64_t compound_count, lanefold_hulls** out,
                                                      lanefold_compound_report* reports, uint64_t report_capacity,
                                                      uint64_t* report_count);
/* Number of children of a compound; 0 for every other id. */
LANEFOLD_API uint64_t lanefold_compound_child_count(const lanefold_hulls* hulls, uint32_t id);
/* A child with its hull's id in this set. LANEFOLD_BAD_ARGUMENT for one that there is not. */
LANEFOLD_API lanefold_status lanefold_compound_child(const lanefold_hulls* hulls, uint32_t id, uint64_t child,
                                                     lanefold_child* out);

/* A set of hulls that grows by scaled ones. One call at a time. */
typedef struct lanefold_scaled_hulls lanefold_scaled_hulls;

/* Begins with a set. Of the options, which may be null, merge_coplanar, recognize_boxes and threads count. */
LANEFOLD_API lanefold_status lanefold_scaled_hulls_create(const lanefold_hulls* hulls,
                                                          const lanefold_build_options* options,
                                                          lanefold_scaled_hulls** out);
/* Null is allowed. */
LANEFOLD_API void lanefold_scaled_hulls_free(lanefold_scaled_hulls* scaled);
/* Writes the ids of `count` hulls, each at three factors of its coordinates; negative ones mirror. One that was asked
 * for before has its id. Refused, `where` being the place, and nothing is added: see lanefold/scaled_hulls.hpp. */
LANEFOLD_API lanefold_status lanefold_scaled_hulls_take(lanefold_scaled_hulls* scaled, const uint32_t* hulls,
                                                        const float* scales, uint64_t count, uint32_t* ids);
/* The set with all hulls that were taken, as a new handle. */
LANEFOLD_API lanefold_status lanefold_scaled_hulls_get(const lanefold_scaled_hulls* scaled, lanefold_hulls** out);

#ifdef __cplusplus
}
#endif

#endif
