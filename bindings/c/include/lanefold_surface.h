/* SPDX-License-Identifier: MIT
 *
 * Surfaces of triangles for C: terrain, walls and sets without a ghost bump (lanefold/surface.hpp). A surface is an id
 * of a set like a hull, for bodies that never move: append the set of a surface to one of hulls. Sets share it; none
 * of its arrays is copied again. A pair of a hull and a surface has a record for each normal in compact output,
 * deepest first, and the deepest in the other forms; a feature of the surface is a triangle, 3 t + k for edge k of
 * triangle t (the lower of the two that share it), or a vertex.
 */
#ifndef LANEFOLD_SURFACE_H
#define LANEFOLD_SURFACE_H

#include <math.h>

#include "lanefold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More kinds of shapes in lanefold_hull_info. */
enum { LANEFOLD_SHAPE_COMPOUND = 2, LANEFOLD_SHAPE_SURFACE = 3 };

/* Begin with LANEFOLD_SURFACE_OPTIONS_INIT. */
typedef struct lanefold_surface_options {
    size_t struct_size;
    double weld_tolerance;     /* vertices no further apart are one; negative: 2^-21 of the largest coordinate */
    float thickness;           /* what is deeper below a triangle's plane does not touch it; INFINITY by default */
    uint8_t split_t_junctions; /* 1: triangles are divided where vertices of others lie on their edges */
    uint8_t drop_opposite;     /* 1: triangles that lie on others with the opposite sense are left out */
    uint8_t origin;            /* LANEFOLD_ORIGIN_INPUT or LANEFOLD_ORIGIN_BOX_CENTRE */
    uint8_t reserved;
    const uint16_t* materials; /* a number for each triangle, or null */
} lanefold_surface_options;
#define LANEFOLD_SURFACE_OPTIONS_INIT \
    { sizeof(lanefold_surface_options), -1.0, HUGE_VALF, 1, 1, LANEFOLD_ORIGIN_INPUT, 0, NULL }

/* Changes and findings of the builder: counts of input triangles, of vertices for the first two. Begin with
 * LANEFOLD_SURFACE_REPORT_INIT. */
typedef struct lanefold_surface_report {
    size_t struct_size;
    uint64_t welded;       /* vertices joined with an earlier one that is no exact copy */
    uint64_t copies;       /* vertices joined with an exact copy */
    uint64_t degenerate;   /* left out: two equal corners, or no higher than the weld tolerance */
    uint64_t duplicate;    /* left out: an earlier triangle has the same corners in the same sense */
    uint64_t opposite;     /* left out: covered by others with the opposite sense */
    uint64_t cut;          /* a part was left out for the same reason */
    uint64_t split;        /* divided at vertices on their edges */
    uint64_t non_manifold; /* with an edge that more than two triangles share */
    uint64_t winding;      /* with an edge that a neighbour runs through in the same direction */
    uint64_t unhealed;     /* that have a vertex of another on an edge after all divisions */
    uint64_t border_edges;
    uint64_t triangles; /* of the surface */
    uint64_t vertices;
    double largest_movement; /* of a vertex by welding */
    double weld_tolerance;   /* the one used */
    double shift[3];         /* origin of the surface's coordinates in those of the input */
    double rounding;         /* largest distance by which rounding a point less `shift` to float32 moved it */
} lanefold_surface_report;
#define LANEFOLD_SURFACE_REPORT_INIT \
    { sizeof(lanefold_surface_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0, 0, 0}, 0 }

/* A height field: samples of float32 or uint16, one set, as NumPy has it. Triangles 2 (r (columns - 1) + c) and the
 * next are those of cell (r, c). Samples, holes, diagonals and materials are copied. Begin with
 * LANEFOLD_HEIGHT_FIELD_INIT. */
typedef struct lanefold_height_field {
    size_t struct_size;
    const void* samples;
    uint64_t rows;
    uint64_t columns;
    int64_t row_stride;    /* bytes; 0: rows without gaps */
    int64_t column_stride; /* bytes; 0: samples without gaps */
    double x0, y0;         /* sample (r, c) is at x0 + dx c, y0 + dy r, at the height offset + scale * sample */
    double dx, dy;
    double scale, offset;
    float thickness;   /* as of lanefold_surface_options */
    uint8_t is_uint16; /* 0: float32 */
    uint8_t reserved[3];
    const uint8_t* holes;      /* a byte per cell, not 0: the cell has no triangles; or null */
    const uint8_t* diagonals;  /* a byte per cell, not 0: divided from (r, c + 1) to (r + 1, c); or null */
    const uint16_t* materials; /* a number per cell, or null */
} lanefold_height_field;
#define LANEFOLD_HEIGHT_FIELD_INIT \
    { sizeof(lanefold_height_field), NULL, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, HUGE_VALF, 0, {0, 0, 0}, NULL, NULL, NULL }

/* Builds a set of one surface, id 0. `points` has three numbers for each point, `triangles` three indices of points for
 * each triangle, counter-clockwise seen from the outer side. Refused, with the point or triangle in `where`: points
 * that are not finite or beyond 1e15, indices out of range, and a surface of which nothing is left. `options` and
 * `report` may be null. */
LANEFOLD_API lanefold_status lanefold_build_surface(const float* points, uint64_t point_count,
                                                    const uint32_t* triangles, uint64_t triangle_count,
                                                    const lanefold_surface_options* options, lanefold_hulls** out,
                                                    lanefold_surface_report* report);
/* The same from float64 points: with LANEFOLD_ORIGIN_BOX_CENTRE for those far from their origin. */
LANEFOLD_API lanefold_status lanefold_build_surface_double(const double* points, uint64_t point_count,
                                                           const uint32_t* triangles, uint64_t triangle_count,
                                                           const lanefold_surface_options* options,
                                                           lanefold_hulls** out, lanefold_surface_report* report);
/* A set of one height field, id 0. Of the report only the counts of triangles and vertices are filled. */
LANEFOLD_API lanefold_status lanefold_build_height_field(const lanefold_height_field* field, lanefold_hulls** out,
                                                         lanefold_surface_report* report);
/* The triangle of the input that triangle t of a surface is, or is a part of, and its material; either may be null.
 * LANEFOLD_BAD_ARGUMENT for an id that is no surface, or a triangle that it has not. */
LANEFOLD_API lanefold_status lanefold_surface_triangle(const lanefold_hulls* hulls, uint32_t id, uint32_t t,
                                                       uint32_t* input_triangle, uint16_t* material);

#ifdef __cplusplus
}
#endif

#endif
