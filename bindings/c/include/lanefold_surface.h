/* SPDX-License-Identifier: MIT
 *
 * Surfaces of triangles, for C: meshes, height fields, and the contacts of bodies with them. lanefold/surface.hpp,
 * lanefold/height_field.hpp and lanefold/collide_surface.hpp say what results mean; ownership, errors, versions and
 * threads are as in lanefold.h.
 */
#ifndef LANEFOLD_SURFACE_H
#define LANEFOLD_SURFACE_H

#include <math.h>

#include <lanefold.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An immutable surface. It may be shared by threads. */
typedef struct lanefold_surface lanefold_surface;

/* SurfaceOptions. Begin with LANEFOLD_SURFACE_OPTIONS_INIT. */
typedef struct lanefold_surface_options {
    size_t struct_size;
    double weld_tolerance;     /* negative: some roundings of float32 */
    float thickness;           /* a hull deeper than this below a triangle's plane does not touch it */
    uint8_t split_t_junctions; /* 1 by default */
    uint8_t drop_opposite;     /* 1 by default */
    uint8_t origin;            /* LANEFOLD_ORIGIN_INPUT or LANEFOLD_ORIGIN_BOX_CENTRE */
    uint8_t reserved;
    const uint16_t* materials; /* null, or one for each triangle */
} lanefold_surface_options;
/* The defaults of lanefold_surface_options. */
#define LANEFOLD_SURFACE_OPTIONS_INIT \
    { sizeof(lanefold_surface_options), -1.0, INFINITY, 1, 1, LANEFOLD_ORIGIN_INPUT, 0, NULL }

/* A count, and the first four places that it counts. */
typedef struct lanefold_surface_finding {
    uint64_t count;
    uint32_t places[4];
} lanefold_surface_finding;

/* The builder's changes, and its findings that it left: SurfaceReport. */
typedef struct lanefold_surface_report {
    size_t struct_size;
    lanefold_surface_finding welded, copies;
    lanefold_surface_finding degenerate, duplicate, opposite;
    lanefold_surface_finding cut, split;
    lanefold_surface_finding non_manifold, winding, unhealed;
    uint64_t border_edges;
    double largest_movement, weld_tolerance;
} lanefold_surface_report;
/* Sets the size of a lanefold_surface_report. */
#define LANEFOLD_SURFACE_REPORT_INIT                                                                           \
    {                                                                                                          \
        sizeof(lanefold_surface_report), {0, {0}}, {0, {0}}, {0, {0}}, {0, {0}}, {0, {0}}, {0, {0}}, {0, {0}}, \
            {0, {0}}, {0, {0}}, {0, {0}}, 0, 0.0, 0.0                                                          \
    }

/* Builds a surface from x, y, z of vertices and three indices for each triangle, counter-clockwise from its outer side.
 * LANEFOLD_BAD_ARGUMENT: `where` is the vertex or triangle, *out is null. `options` may be null. */
LANEFOLD_API lanefold_status lanefold_build_surface(const float* vertices, uint64_t vertex_count,
                                                    const uint32_t* triangles, uint64_t triangle_count,
                                                    const lanefold_surface_options* options, lanefold_surface** out);
/* The same from float64 vertices, which are rounded once, less the origin. */
LANEFOLD_API lanefold_status lanefold_build_surface_double(const double* vertices, uint64_t vertex_count,
                                                           const uint32_t* triangles, uint64_t triangle_count,
                                                           const lanefold_surface_options* options,
                                                           lanefold_surface** out);

/* A hull at a place that never moves: SurfacePiece. */
typedef struct lanefold_surface_piece {
    double position[3];
    float orientation[4]; /* x, y, z, w */
    uint32_t hull;
    uint16_t material;
    uint16_t reserved;
} lanefold_surface_piece;

/* One surface from fixed convex pieces, without the seams between them. Materials are the pieces'. */
LANEFOLD_API lanefold_status lanefold_surface_of_hulls(const lanefold_hulls* hulls,
                                                       const lanefold_surface_piece* pieces, uint64_t piece_count,
                                                       const lanefold_surface_options* options, lanefold_surface** out);

/* Samples of float or uint16_t: element (r, c) lies row_stride r + column_stride c bytes behind the first. */
typedef struct lanefold_height_samples {
    const void* data;
    int64_t row_stride, column_stride;
    uint32_t is_uint16;
    uint32_t reserved;
} lanefold_height_samples;

/* HeightFieldOptions. Begin with LANEFOLD_HEIGHT_FIELD_OPTIONS_INIT and set rows and columns. */
typedef struct lanefold_height_field_options {
    size_t struct_size;
    uint64_t rows, columns; /* samples of a tile */
    uint64_t tile_rows, tile_columns;
    double x0, y0, dx, dy, scale, offset;
    const uint8_t* holes;     /* these three: null, or one for each cell of the whole field */
    const uint8_t* diagonals; /* not 0: from (r, c + 1) to (r + 1, c) */
    const uint16_t* materials;
    float thickness;
    uint8_t borrow; /* 1: samples stay where they are, unchanged, until the surface is freed */
    uint8_t reserved[3];
} lanefold_height_field_options;
/* The defaults of lanefold_height_field_options. */
#define LANEFOLD_HEIGHT_FIELD_OPTIONS_INIT                                                                           \
    {                                                                                                                \
        sizeof(lanefold_height_field_options), 0, 0, 1, 1, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, NULL, NULL, NULL, INFINITY, \
            0, {                                                                                                     \
            0, 0, 0                                                                                                  \
        }                                                                                                            \
    }

/* A height field from tile_rows * tile_columns sets of samples. LANEFOLD_BAD_ARGUMENT: `where` is the sample or the
 * number that is refused, *out is null. */
LANEFOLD_API lanefold_status lanefold_build_height_field(const lanefold_height_samples* tiles, uint64_t tile_count,
                                                         const lanefold_height_field_options* options,
                                                         lanefold_surface** out);

/* More kinds of shapes. */
enum { LANEFOLD_SHAPE_COMPOUND = 2, LANEFOLD_SHAPE_SURFACE = 3 };

/* A set with the surface as its one id, for bodies that never move (lanefold/surface_set.hpp): append it to a set of
 * hulls, and every call takes pairs with it. It shares the surface's arrays, and the surface may be freed. */
LANEFOLD_API lanefold_status lanefold_surface_set(const lanefold_surface* surface, lanefold_hulls** out);

/* Frees a surface. Null is allowed. */
LANEFOLD_API void lanefold_surface_free(lanefold_surface* surface);
/* Fills *out, whose struct_size is set. */
LANEFOLD_API lanefold_status lanefold_surface_get_report(const lanefold_surface* surface, lanefold_surface_report* out);
/* Number of triangles, those in holes of a height field too. */
LANEFOLD_API uint64_t lanefold_surface_triangle_count(const lanefold_surface* surface);
/* Number of vertices. */
LANEFOLD_API uint64_t lanefold_surface_vertex_count(const lanefold_surface* surface);
/* 64 bits over vertices, triangles, materials and thickness; equal surfaces have equal ones on every machine. */
LANEFOLD_API uint64_t lanefold_surface_fingerprint(const lanefold_surface* surface);

/* A triangle of a surface. */
typedef struct lanefold_surface_triangle {
    uint32_t vertices[3];
    uint32_t neighbours[3]; /* across the edge from vertex k to k + 1; LANEFOLD_NO_TRIANGLE at a border */
    uint32_t input;         /* the triangle of the input, or the piece, that it is or is a part of */
    uint16_t material;
    uint8_t exists; /* 0 only in the holes of a height field */
    uint8_t reserved;
} lanefold_surface_triangle;
/* The triangle beyond a border. */
#define LANEFOLD_NO_TRIANGLE 0xFFFFFFFFu

/* Copies a triangle. LANEFOLD_BAD_ARGUMENT for one that there is not. */
LANEFOLD_API lanefold_status lanefold_surface_get_triangle(const lanefold_surface* surface, uint32_t triangle,
                                                           lanefold_surface_triangle* out);
/* Copies a vertex, in the surface's coordinates. */
LANEFOLD_API lanefold_status lanefold_surface_get_vertex(const lanefold_surface* surface, uint32_t vertex,
                                                         float position[3]);
/* Copies the box of all triangles, and the origin of the surface's coordinates in those of the input. Each may be
 * null. */
LANEFOLD_API lanefold_status lanefold_surface_get_bounds(const lanefold_surface* surface, double low[3], double high[3],
                                                         double shift[3]);

/* --- Contacts --------------------------------------------------------------------------------------------------- */

/* The place of a surface, and the body b that records name. */
typedef struct lanefold_surface_pose {
    double position[3];
    float orientation[4]; /* x, y, z, w */
    uint32_t index;
    uint32_t reserved;
} lanefold_surface_pose;
/* At the origin; body b is 0xFFFFFFFF. */
#define LANEFOLD_SURFACE_POSE_INIT \
    { {0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 0xFFFFFFFFu, 0 }

/* The memory of contacts with surfaces, which grows to the largest call. One call at a time. */
typedef struct lanefold_surface_contacts lanefold_surface_contacts;
/* Null when memory runs out. */
LANEFOLD_API lanefold_surface_contacts* lanefold_surface_contacts_create(void);
/* Null is allowed. */
LANEFOLD_API void lanefold_surface_contacts_free(lanefold_surface_contacts* contacts);
/* Records of the last call, body after body, each deepest first. Valid until the next call. */
LANEFOLD_API const lanefold_manifold4* lanefold_surface_records(const lanefold_surface_contacts* contacts,
                                                                uint64_t* count);
/* Body i of the call has the records offsets[i] up to offsets[i + 1]; one more than bodies, or null before a call. */
LANEFOLD_API const uint64_t* lanefold_surface_offsets(const lanefold_surface_contacts* contacts, uint64_t* count);

/* Collides the bodies of the list, or all if `list` is null, with the surface. `pose` may be null: the origin. Of the
 * options, which may be null, margin, face_preference and impact_points_only count. */
LANEFOLD_API lanefold_status lanefold_collide_surface(const lanefold_surface* surface,
                                                      const lanefold_surface_pose* pose, const lanefold_hulls* hulls,
                                                      const lanefold_body_view* bodies, const uint32_t* list,
                                                      uint64_t list_count, const lanefold_options* options,
                                                      lanefold_surface_contacts* out);

#ifdef __cplusplus
}
#endif

#endif
