/* SPDX-License-Identifier: MIT
 *
 * Measures of contacts, for C: overlap volume and contact area. lanefold/serial_measures.hpp and docs/measures.md say
 * what they mean and how exact they are; ownership, errors, versions and threads are as in lanefold.h.
 */
#ifndef LANEFOLD_MEASURES_H
#define LANEFOLD_MEASURES_H

#include <lanefold.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The knowledge of a pair. NOT_MEASURED: a shape that measures do not take, or a status other than ok. */
enum { LANEFOLD_MEASURE_APART = 0, LANEFOLD_MEASURE_OVERLAPPING = 1, LANEFOLD_MEASURE_NOT_MEASURED = 2 };

/* The measures of a pair (a, b): ContactMeasures. Points are offsets in world axes from the position of body a. Of a
 * pair that is not overlapping all is zero but state and status. */
typedef struct lanefold_contact_measures {
    double volume; /* of the points that are in both bodies */
    double volume_centroid[3];
    double area; /* length of the area vector */
    double area_normal[3];
    double area_centroid[3];
    uint8_t state; /* LANEFOLD_MEASURE_... */
    uint8_t status;
    uint8_t reserved[6];
} lanefold_contact_measures;

/* Sums over the pairs of a call. */
typedef struct lanefold_measure_result {
    size_t struct_size;
    uint64_t by_state[3];
    double volume;
} lanefold_measure_result;
/* Sets the size of a lanefold_measure_result. */
#define LANEFOLD_MEASURE_RESULT_INIT \
    { sizeof(lanefold_measure_result), {0}, 0 }

/* Memory between calls. Calls that run at the same time need one each. Null when memory runs out. */
typedef struct lanefold_measure_workspace lanefold_measure_workspace;
LANEFOLD_API lanefold_measure_workspace* lanefold_measure_workspace_create(void);
/* Null is allowed. */
LANEFOLD_API void lanefold_measure_workspace_free(lanefold_measure_workspace* workspace);

/* Measures every pair: out[i] belongs to pairs[i]. shifts: null, or three for each pair, by which its body b is moved,
 * as periodic boundaries need. threads: 0: all of the caller's arena; 1: the calling thread alone. `result` may be
 * null. */
LANEFOLD_API lanefold_status lanefold_measure_contacts(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                                       const lanefold_pair* pairs, uint64_t pair_count,
                                                       const double* shifts, uint32_t threads,
                                                       lanefold_contact_measures* out,
                                                       lanefold_measure_workspace* workspace,
                                                       lanefold_measure_result* result);

#ifdef __cplusplus
}
#endif

#endif
