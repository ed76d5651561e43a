/* SPDX-License-Identifier: MIT
 *
 * Compounds, surfaces, rays, queries, measures, events and many worlds from C: the headers beside lanefold.h compile as
 * C11, and their calls give what closed forms say.
 */
#include <lanefold_compound.h>
#include <lanefold_events.h>
#include <lanefold_measures.h>
#include <lanefold_queries.h>
#include <lanefold_surface.h>
#include <lanefold_sweep.h>
#include <lanefold_world_batch.h>
#include <lanefold_worlds.h>

#include <stdio.h>
#include <string.h>

#define EXPECT(condition)                                                    \
    do {                                                                     \
        if (!(condition)) {                                                  \
            printf("kinds.c, line %d: %s is false\n", __LINE__, #condition); \
            return 1;                                                        \
        }                                                                    \
    } while (0)

/* A cube of side 2 falls from 10 over a square to 10 below it, and another comes up from there. */
static int sweeps(const lanefold_hulls* hulls, const lanefold_surface* surface) {
    const uint32_t id = (uint32_t)lanefold_hulls_count(hulls);
    const lanefold_body begin[3] = {
        {{0, 0, 0}, id, {0, 0, 0, 1}}, {{1, 0, 10}, 0, {0, 0, 0, 1}}, {{1, 0, -10}, 0, {0, 0, 0, 1}}};
    const lanefold_body end[3] = {
        {{0, 0, 0}, id, {0, 0, 0, 1}}, {{1, 0, -10}, 0, {0, 0, 0, 1}}, {{1, 0, 10}, 0, {0, 0, 0, 1}}};
    const lanefold_pair pairs[2] = {{1, 0}, {2, 0}};
    const lanefold_body_view first = lanefold_view_bodies(begin, 3), last = lanefold_view_bodies(end, 3);
    lanefold_hulls *ground = NULL, *all = NULL;
    lanefold_sweep_record out[2];
    lanefold_sweep_workspace* workspace = lanefold_sweep_workspace_create();
    EXPECT(lanefold_surface_set(surface, &ground).code == 0);
    EXPECT(lanefold_hulls_append(hulls, ground, &all).code == 0);
    EXPECT(lanefold_sweep(all, &first, &last, pairs, 2, NULL, out, workspace, NULL).code == 0);
    EXPECT(out[0].state == LANEFOLD_SWEEP_HIT && out[0].fraction > 0.4498 && out[0].fraction <= 0.45);
    EXPECT(out[0].normal[2] == -1.0f && out[1].state == LANEFOLD_SWEEP_MISS);
    lanefold_sweep_workspace_free(workspace);
    lanefold_hulls_free(all);
    lanefold_hulls_free(ground);
    return 0;
}

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
    EXPECT(sweeps(hulls, surface) == 0);
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

/* A scene of two cubes of side 2, of which the second is 5 along x: rays, casts, overlaps, closest points. */
static int queries(const lanefold_hulls* hulls) {
    const lanefold_body bodies[2] = {{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{5, 0, 0}, 0, {0, 0, 0, 1}}};
    const lanefold_body asked[2] = {{{2.25f, 0, 0}, 0, {0, 0, 0, 1}}, {{0, 9, 0}, 0, {0, 0, 0, 1}}};
    const lanefold_body ends[2] = {{{4.25f, 0, 0}, 0, {0, 0, 0, 1}}, {{0, 1, 0}, 0, {0, 0, 0, 1}}};
    const lanefold_body_view view = lanefold_view_bodies(bodies, 2);
    const lanefold_body_view shapes = lanefold_view_bodies(asked, 2), moved = lanefold_view_bodies(ends, 2);
    const lanefold_ray rays[2] = {{{-9, 0, 0}, {20, 0, 0}}, {{-9, 3, 0}, {20, 0, 0}}};
    const float radii[2] = {1, 20};
    const lanefold_pair* pairs = NULL;
    uint64_t count = 0, offsets[3];
    uint32_t found[4];
    uint8_t statuses[2];
    lanefold_ray_hit hits[4];
    lanefold_shape_hit met[4];
    lanefold_closest_points_record near[4];
    lanefold_query_result sums = LANEFOLD_QUERY_RESULT_INIT;
    lanefold_query_options options = LANEFOLD_QUERY_OPTIONS_INIT;
    lanefold_pair_finder* scene = lanefold_finder_create();
    lanefold_query_workspace* workspace = lanefold_query_workspace_create();
    EXPECT(lanefold_scene_cast_rays(scene, rays, 2, NULL, hits, workspace, NULL).code == LANEFOLD_BAD_ARGUMENT);
    EXPECT(lanefold_find_pairs(scene, hulls, &view, NULL, &pairs, &count, NULL).code == 0);
    EXPECT(lanefold_scene_cast_rays(scene, rays, 2, NULL, hits, workspace, &sums).code == 0);
    EXPECT(hits[0].body == 0 && hits[0].fraction > 0.3999 && hits[0].fraction < 0.4001 && hits[0].normal[0] == -1.0f);
    EXPECT(hits[1].state == LANEFOLD_RAY_MISS && sums.touching == 1 && sums.by_state[LANEFOLD_RAY_HIT] == 1);
    EXPECT(lanefold_scene_cast_rays_all(scene, rays, 2, NULL, offsets, hits, 1, workspace, &sums).code ==
           LANEFOLD_TRUNCATED);
    EXPECT(sums.required == 2 && sums.written == 0 && sums.next_query == 0);
    EXPECT(lanefold_scene_cast_rays_all(scene, rays, 2, NULL, offsets, hits, 4, workspace, NULL).code == 0);
    EXPECT(offsets[1] == 2 && offsets[2] == 2 && hits[1].body == 1);
    EXPECT(lanefold_scene_overlaps(scene, &shapes, 1, NULL, offsets, found, 4, statuses, workspace, &sums).code == 0);
    EXPECT(offsets[1] == 2 && offsets[2] == 2 && found[0] == 0 && found[1] == 1 && statuses[1] == LANEFOLD_OK);
    EXPECT(lanefold_scene_closest_points(scene, &shapes, radii, NULL, near, workspace, NULL).code == 0);
    EXPECT(near[0].body == 0 && near[0].distance == 0.25f && near[0].normal[0] == -1.0f && near[1].distance == 7.0f);
    EXPECT(
        lanefold_scene_closest_points_all(scene, &shapes, radii, NULL, offsets, near, 4, NULL, workspace, NULL).code ==
        0);
    EXPECT(offsets[1] == 2 && offsets[2] == 4 && near[1].body == 1 && near[1].distance == 0.75f);
    EXPECT(lanefold_scene_cast_shapes(scene, &shapes, &moved, NULL, NULL, met, workspace, NULL).code == 0);
    EXPECT(met[0].body == 1 && met[0].fraction > 0.37 && met[0].fraction <= 0.375 && met[0].normal[0] == 1.0f);
    EXPECT(met[1].body == 0 && met[1].state == LANEFOLD_SWEEP_HIT && met[1].fraction > 0.87);
    EXPECT(lanefold_scene_cast_shapes_all(scene, &shapes, &moved, NULL, NULL, offsets, met, 4, NULL, workspace, NULL)
               .code == 0);
    EXPECT(offsets[1] == 1 && offsets[2] == 2);
    options.instruction_set = "none of them";
    EXPECT(lanefold_scene_cast_rays(scene, rays, 2, &options, hits, workspace, NULL).code == LANEFOLD_BAD_ARGUMENT);
    lanefold_query_workspace_free(workspace);
    lanefold_finder_free(scene);
    return 0;
}

/* Two cubes of side 2 that share a slice of a half, and one that a shift takes away. */
static int measures(const lanefold_hulls* hulls) {
    const lanefold_body bodies[2] = {{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{1.5f, 0, 0}, 0, {0, 0, 0, 1}}};
    const lanefold_body_view view = lanefold_view_bodies(bodies, 2);
    const lanefold_pair pairs[2] = {{0, 1}, {0, 1}};
    const double shifts[2][3] = {{0, 0, 0}, {1, 0, 0}};
    lanefold_contact_measures out[2];
    lanefold_measure_result sums = LANEFOLD_MEASURE_RESULT_INIT;
    lanefold_measure_workspace* workspace = lanefold_measure_workspace_create();
    EXPECT(lanefold_measure_contacts(hulls, &view, pairs, 2, &shifts[0][0], 0, out, workspace, &sums).code == 0);
    EXPECT(out[0].volume > 1.9999 && out[0].volume < 2.0001 && out[0].area > 3.9999 && out[0].area < 4.0001);
    EXPECT(out[0].area_normal[0] > 0.9999 && out[1].state == LANEFOLD_MEASURE_APART && sums.by_state[1] == 1);
    EXPECT(lanefold_measure_contacts(hulls, &view, pairs, 2, NULL, 1, out, workspace, NULL).code == 0);
    EXPECT(out[1].volume == out[0].volume);
    EXPECT(lanefold_measure_contacts(hulls, &view, pairs, 2, NULL, 1, out, NULL, NULL).code == LANEFOLD_BAD_ARGUMENT);
    lanefold_measure_workspace_free(workspace);
    return 0;
}

/* A folder that holds no events. */
static int events(void) {
    lanefold_events_info info = LANEFOLD_EVENTS_INFO_INIT;
    lanefold_events* read = NULL;
    uint64_t count = 1;
    const lanefold_status status = lanefold_events_read("no such folder", &read);
    EXPECT(status.code == LANEFOLD_BAD_ARGUMENT && read == NULL && status.what[0] == 'a');
    EXPECT(strcmp(lanefold_events_file_name(status.where), "events.json") == 0);
    EXPECT(lanefold_events_data(NULL, &count) == NULL && count == 0);
    EXPECT(lanefold_events_get_info(NULL, &info).code == LANEFOLD_BAD_ARGUMENT);
    lanefold_events_free(NULL);
    return 0;
}

int kinds(const lanefold_hulls* hulls);

int kinds(const lanefold_hulls* hulls) {
    if (ground(hulls) != 0) return 1;
    if (worlds(hulls) != 0) return 1;
    if (queries(hulls) != 0) return 1;
    if (measures(hulls) != 0) return 1;
    if (events() != 0) return 1;
    return batch(hulls);
}
