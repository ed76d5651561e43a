/* SPDX-License-Identifier: MIT
 *
 * Compounds, surfaces, rays and many worlds from C: the headers beside lanefold.h compile as C11, and their calls give
 * what closed forms say.
 */
#include <lanefold_compound.h>
#include <lanefold_rays.h>
#include <lanefold_surface.h>
#include <lanefold_world_batch.h>
#include <lanefold_worlds.h>

#include <stdio.h>

#define EXPECT(condition)                                                    \
    do {                                                                     \
        if (!(condition)) {                                                  \
            printf("kinds.c, line %d: %s is false\n", __LINE__, #condition); \
            return 1;                                                        \
        }                                                                    \
    } while (0)

/* Two cubes of side 2, side by side, are one body that lies on a square of two triangles. */
static int ground(const lanefold_hulls* hulls) {
    const lanefold_child children[2] = {{{-1, 0, 0}, {0, 0, 0, 1}, 0, 0}, {{1, 0, 0}, {0, 0, 0, 1}, 0, 0}};
    const uint64_t offsets[2] = {0, 2};
    const float square[4][3] = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}};
    const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const lanefold_body bodies[1] = {{{0, 0, 0.9f}, 0, {0, 0, 0, 1}}};
    const lanefold_body_view view = lanefold_view_bodies(bodies, 1);
    lanefold_surface_report report = LANEFOLD_SURFACE_REPORT_INIT;
    lanefold_surface* surface = NULL;
    lanefold_hulls* both = NULL;
    uint64_t count = 0;
    EXPECT(lanefold_build_compounds(hulls, children, 2, offsets, 1, &both, NULL, 0, NULL).code == 0);
    EXPECT(lanefold_compound_child_count(both, (uint32_t)lanefold_hulls_count(hulls)) == 2);
    EXPECT(lanefold_build_surface(&square[0][0], 4, &triangles[0][0], 2, NULL, &surface).code == 0);
    EXPECT(lanefold_surface_get_report(surface, &report).code == 0 && report.border_edges == 4);
    lanefold_surface_contacts* contacts = lanefold_surface_contacts_create();
    EXPECT(lanefold_collide_surface(surface, NULL, hulls, &view, NULL, 0, NULL, contacts).code == 0);
    const lanefold_manifold4* records = lanefold_surface_records(contacts, &count);
    EXPECT(count == 1 && records[0].count == 4 && records[0].normal[2] == -1.0f);
    EXPECT(records[0].distance > -0.1001f && records[0].distance < -0.0999f);
    lanefold_surface_contacts_free(contacts);
    lanefold_surface_free(surface);
    lanefold_hulls_free(both);
    return 0;
}

/* A ray onto a cube; two worlds of two cubes in one place. */
static int worlds(const lanefold_hulls* hulls) {
    const lanefold_body bodies[4] = {{{0, 0, 0}, 0, {0, 0, 0, 1}},
                                     {{0, 0, 1.9f}, 0, {0, 0, 0, 1}},
                                     {{0, 0, 0.1f}, 0, {0, 0, 0, 1}},
                                     {{0, 0, 1.9f}, 0, {0, 0, 0, 1}}};
    const int32_t world[4] = {0, 0, 1, 1};
    const lanefold_ray ray = {{0, 0, 9}, {0, 0, -8}};
    const lanefold_body_view view = lanefold_view_bodies(bodies, 4);
    const uint64_t* offsets = NULL;
    const lanefold_pair* pairs = NULL;
    uint64_t count = 0;
    lanefold_ray_hit hit;
    lanefold_ray_result result = LANEFOLD_RAY_RESULT_INIT;
    lanefold_manifold4 out[2];
    lanefold_world_result results[2];
    lanefold_finder_worlds find = LANEFOLD_FINDER_WORLDS_INIT;
    lanefold_world_ranges ranges = LANEFOLD_WORLD_RANGES_INIT;
    lanefold_sweep_workspace* sweeps = lanefold_sweep_workspace_create();
    lanefold_workspace* workspace = lanefold_workspace_create();
    lanefold_pair_finder* finder = lanefold_finder_create();
    EXPECT(lanefold_cast_rays(hulls, &view, &ray, 1, &hit, sweeps, &result).code == 0);
    EXPECT(hit.state == LANEFOLD_RAY_HIT && hit.body == 1 && hit.fraction > 0.7624 && hit.fraction < 0.7626);
    find.world = world;
    find.worlds = 2;
    EXPECT(lanefold_find_world_pairs(finder, hulls, &view, NULL, &find, &pairs, &count, &offsets, NULL).code == 0);
    EXPECT(count == 2 && offsets[1] == 1 && pairs[1].a == 2 && pairs[1].b == 3);
    ranges.worlds = 2;
    ranges.pairs = ranges.records = offsets;
    EXPECT(lanefold_collide_worlds4(hulls, &view, pairs, count, &ranges, NULL, out, 2, NULL, results, workspace, NULL,
                                    NULL)
               .code == 0);
    EXPECT(results[0].written == 1 && results[1].overlapping == 1 && out[1].distance < out[0].distance);
    lanefold_finder_free(finder);
    lanefold_workspace_free(workspace);
    lanefold_sweep_workspace_free(sweeps);
    return 0;
}

/* Three worlds of a cube that falls; the second takes no part. */
static int batch(const lanefold_hulls* hulls) {
    const uint8_t active[3] = {1, 0, 1};
    lanefold_rigid_body body = LANEFOLD_RIGID_BODY_INIT;
    lanefold_world_arrays arrays = LANEFOLD_WORLD_ARRAYS_INIT;
    lanefold_world_batch_result sums = LANEFOLD_WORLD_BATCH_RESULT_INIT;
    lanefold_world_batch* made = NULL;
    EXPECT(lanefold_world_batch_create(hulls, 3, &made).code == 0);
    EXPECT(lanefold_world_batch_add_bodies(made, &body, 1, NULL).code == 0);
    for (int i = 0; i < 60; ++i) {
        EXPECT(lanefold_world_batch_step(made, 1.0 / 60, active, NULL, NULL, &sums).code == 0 && sums.done == 2);
    }
    EXPECT(lanefold_world_batch_arrays(made, &arrays).code == 0 && arrays.bodies == 3);
    EXPECT(arrays.velocities[4] == 0.0f && arrays.velocities[1] == arrays.velocities[7]);
    EXPECT(lanefold_world_bodies(lanefold_world_batch_world(made, 2), NULL)[0].position[1] == arrays.positions[7]);
    EXPECT(lanefold_world_batch_set_gravity(NULL, NULL).code == LANEFOLD_BAD_ARGUMENT);
    lanefold_world_batch_free(made);
    return 0;
}

int kinds(const lanefold_hulls* hulls);

int kinds(const lanefold_hulls* hulls) {
    if (ground(hulls) != 0) return 1;
    if (worlds(hulls) != 0) return 1;
    return batch(hulls);
}
