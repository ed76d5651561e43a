/* SPDX-License-Identifier: MIT
 *
 * Half-spaces for C: floors, walls and slopes without an end (lanefold/half_space.hpp). They are ids of a set like
 * hulls, for bodies that do not move by themselves.
 */
#ifndef LANEFOLD_HALF_SPACE_H
#define LANEFOLD_HALF_SPACE_H

#include "lanefold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Half-spaces: `planes` has four numbers for each, a normal of any length but 0, out of the solid side, and an offset:
 * all points x with n.x <= offset, n being the normal divided by its length. Append the set to one of hulls. Reports as
 * for hulls (2 not finite, 3 an offset beyond 1e15, 4 a normal of zeros). `reports` and `report_count` may be null. */
LANEFOLD_API lanefold_status lanefold_build_half_spaces(const float* planes, uint64_t count, lanefold_hulls** out,
                                                        lanefold_hull_report* reports, uint64_t report_capacity,
                                                        uint64_t* report_count);
/* The four numbers of a half-space as they were given. LANEFOLD_BAD_ARGUMENT for an id that is none. */
LANEFOLD_API lanefold_status lanefold_half_space(const lanefold_hulls* hulls, uint32_t id, float plane[4]);

#ifdef __cplusplus
}
#endif

#endif
