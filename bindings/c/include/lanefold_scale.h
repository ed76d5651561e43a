/* SPDX-License-Identifier: MIT
 *
 * Bodies with a scale each, for every call that takes a lanefold_body_view. BodyView in lanefold/body.hpp says what a
 * scale is.
 */
#ifndef LANEFOLD_SCALE_H
#define LANEFOLD_SCALE_H

#include "lanefold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* lanefold_body_view::reserved of the view in a lanefold_scaled_view. */
enum { LANEFOLD_SCALED_VIEW = 0x5CA1E };

/* A view with scales: calls take &view.bodies, where it is. A copy of `bodies` alone must not be passed. */
typedef struct lanefold_scaled_view {
    lanefold_body_view bodies;
    const void* scale; /* 1 float */
    size_t scale_stride;
} lanefold_scaled_view;

/* Adds scales, `scale_stride` bytes apart, to a view; null: 1 for all. */
LANEFOLD_API lanefold_scaled_view lanefold_view_scaled(lanefold_body_view bodies, const float* scale,
                                                       size_t scale_stride);

#ifdef __cplusplus
}
#endif

#endif
