/* SPDX-License-Identifier: MIT
 *
 * Between frames, for C: when do pairs of moving bodies first come as near as a target? lanefold/sweep.hpp and
 * docs/between_frames.md say what results mean; ownership, errors, versions and threads are as in lanefold.h.
 */
#ifndef LANEFOLD_SWEEP_H
#define LANEFOLD_SWEEP_H

#include <lanefold.h>

#ifdef __cplusplus
extern "C" {
#endif

/* States of a sweep. */
enum { LANEFOLD_SWEEP_MISS = 0, LANEFOLD_SWEEP_HIT = 1, LANEFOLD_SWEEP_OVERLAPPING = 2, LANEFOLD_SWEEP_FAILED = 3 };

/* Why a sweep failed. */
enum {
    LANEFOLD_SWEEP_NO_FAILURE = 0,
    LANEFOLD_SWEEP_ROUNDS = 1,
    LANEFOLD_SWEEP_ACCURACY = 2,
    LANEFOLD_SWEEP_RANGE = 3,
    LANEFOLD_SWEEP_SHAPE = 4
};

/* The record of a pair: SweepRecord in lanefold/sweep_record.hpp. */
typedef struct lanefold_sweep_record {
    double fraction;
    uint32_t pair[2];
    float normal[3];
    float distance;
    float point[3];
    uint32_t feature_a, feature_b;
    uint8_t kind;
    uint8_t state;
    uint8_t failure;
    uint8_t status;
    uint16_t rounds;
    uint16_t child_a, child_b; /* of compounds; 0 otherwise */
    uint8_t reserved[2];
} lanefold_sweep_record;

/* The settings of a call: SweepOptions and SweepInputs. Begin with LANEFOLD_SWEEP_OPTIONS_INIT. */
typedef struct lanefold_sweep_options {
    size_t struct_size;
    float target;     /* the distance at which bodies meet; >= 0, in the caller's unit */
    float tolerance;  /* relative to the smaller hull's size, > 0 */
    uint32_t threads; /* 0: all of the caller's arena; 1: the calling thread alone */
    uint32_t reserved;
    const char* instruction_set; /* null: the best one, or LANEFOLD_ISA; otherwise "avx2", ... */
    const double* spins;         /* null, or three for each body: axis times radians; then orientations of `end` are
                                  * not read */
    int32_t (*stop)(const void* context); /* null, or a function; working threads call it, not 0 stops the call */
    const void* stop_context;
} lanefold_sweep_options;
/* The defaults of lanefold_sweep_options. */
#define LANEFOLD_SWEEP_OPTIONS_INIT \
    { sizeof(lanefold_sweep_options), 0.0f, 1e-3f, 0, 0, NULL, NULL, NULL, NULL }

/* Sums over the pairs of a call: SweepResult. */
typedef struct lanefold_sweep_result {
    size_t struct_size;
    uint64_t pairs;
    uint64_t by_state[4];
    uint64_t by_status[8];
    uint64_t culled, distances;
    /* compact calls */
    uint64_t written, required, next_pair;
} lanefold_sweep_result;
/* Sets the size of a lanefold_sweep_result. */
#define LANEFOLD_SWEEP_RESULT_INIT \
    { sizeof(lanefold_sweep_result), 0, {0}, {0}, 0, 0, 0, 0, 0 }

/* Memory between calls. Calls that run at the same time need one each. Null when memory runs out. */
typedef struct lanefold_sweep_workspace lanefold_sweep_workspace;
LANEFOLD_API lanefold_sweep_workspace* lanefold_sweep_workspace_create(void);
/* Null is allowed. */
LANEFOLD_API void lanefold_sweep_workspace_free(lanefold_sweep_workspace* workspace);

/* Dense: out[i] belongs to pairs[i]. `end` has the second poses of the bodies of `begin`; its hulls are not read.
 * `options` and `result` may be null. */
LANEFOLD_API lanefold_status lanefold_sweep(const lanefold_hulls* hulls, const lanefold_body_view* begin,
                                            const lanefold_body_view* end, const lanefold_pair* pairs,
                                            uint64_t pair_count, const lanefold_sweep_options* options,
                                            lanefold_sweep_record* out, lanefold_sweep_workspace* workspace,
                                            lanefold_sweep_result* result);
/* Compact: all records but those of misses, in order, from first_pair on. LANEFOLD_TRUNCATED when `capacity` is too
 * small: result->required is the number of records, result->next_pair the pair with which to go on. */
LANEFOLD_API lanefold_status lanefold_sweep_compact(const lanefold_hulls* hulls, const lanefold_body_view* begin,
                                                    const lanefold_body_view* end, const lanefold_pair* pairs,
                                                    uint64_t pair_count, const lanefold_sweep_options* options,
                                                    lanefold_sweep_record* out, uint64_t capacity, uint64_t first_pair,
                                                    lanefold_sweep_workspace* workspace, lanefold_sweep_result* result);

/* Writes the margin of each pair: `margin`, and the most by which the bodies may come nearer in `time`, from three
 * velocities and three spins (radians per unit of time) for each body: lanefold/speculative.hpp says what it cannot do.
 * `out` has pair_count elements: lanefold_options.pair_margins. */
LANEFOLD_API lanefold_status lanefold_speculative_margins(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                                          const float* velocities, const float* spins,
                                                          const lanefold_pair* pairs, uint64_t pair_count, float time,
                                                          float margin, float* out);

#ifdef __cplusplus
}
#endif

#endif
