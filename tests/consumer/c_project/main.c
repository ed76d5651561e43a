/* SPDX-License-Identifier: MIT
 *
 * A C program that uses lanefold.h: builds two hulls, finds the pairs of three bodies, collides them in every form,
 * steps a stream and a world, and expects that invalid calls are refused. Compiled as C11 with all warnings as errors.
 */
#include <lanefold.h>
#include <lanefold_half_space.h>
#include <lanefold_stream.h>
#include <lanefold_sweep.h>
#include <lanefold_world.h>

#include <stdio.h>
#include <string.h>

#define EXPECT(condition)                                           \
    do {                                                            \
        if (!(condition)) {                                         \
            printf("line %d: %s is false\n", __LINE__, #condition); \
            return 1;                                               \
        }                                                           \
    } while (0)

/* kinds.c */
int kinds(const lanefold_hulls* hulls);

static int32_t never(const void* context) {
    (void)context;
    return 0;
}

static int32_t always(const void* context) { return *(const int32_t*)context; }

static int refusals(const lanefold_hulls* hulls, const lanefold_body_view* view, const lanefold_pair* pairs,
                    lanefold_workspace* workspace) {
    lanefold_manifold4 out[2];
    lanefold_options options = LANEFOLD_OPTIONS_INIT;
    lanefold_build_options rounds = LANEFOLD_BUILD_OPTIONS_INIT;
    lanefold_hulls* none = NULL;
    lanefold_hull_report report[2];
    uint64_t reports = 0;
    const float flat[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    const uint64_t offsets[2] = {0, 4};
    const uint64_t beyond[1] = {5};
    lanefold_status s = lanefold_build_hulls(flat, 4, offsets, 1, NULL, &none, NULL, report, 2, &reports);
    EXPECT(s.code == LANEFOLD_BAD_ARGUMENT && none == NULL && reports == 1 && report[0].error == 6);
    printf("refused: %s\n", s.what);
    rounds.radius = -1;
    s = lanefold_build_hulls(flat, 4, offsets, 1, &rounds, &none, NULL, report, 2, &reports);
    EXPECT(s.code == LANEFOLD_BAD_ARGUMENT && none == NULL && reports == 1 && report[0].error == 10);
    s = lanefold_build_hulls(flat, 4, NULL, 0, NULL, &none, NULL, NULL, 0, NULL);
    EXPECT(s.code == LANEFOLD_BAD_ARGUMENT && none == NULL && strstr(s.what, "offsets is null") != NULL);
    s = lanefold_build_hulls(flat, 4, beyond, 0, NULL, &none, NULL, report, 2, &reports);
    EXPECT(s.code == LANEFOLD_BAD_ARGUMENT && none == NULL && reports == 1 && report[0].error == 8);
    EXPECT(lanefold_build_hulls(flat, 4, offsets, 0, NULL, &none, NULL, NULL, 0, NULL).code == LANEFOLD_OK);
    EXPECT(lanefold_hulls_count(none) == 0);
    lanefold_hulls_free(none);
    none = NULL;

    EXPECT(lanefold_collide4(NULL, view, pairs, 2, NULL, out, workspace, NULL).code == LANEFOLD_BAD_ARGUMENT);
    EXPECT(lanefold_collide4(hulls, view, pairs, 2, NULL, NULL, workspace, NULL).code == LANEFOLD_BAD_ARGUMENT);
    options.margin = -1.0f;
    s = lanefold_collide4(hulls, view, pairs, 2, &options, out, workspace, NULL);
    EXPECT(s.code == LANEFOLD_BAD_ARGUMENT && strstr(s.what, "margin") != NULL);
    options.margin = 0.0f;
    options.instruction_set = "avx1024";
    EXPECT(lanefold_collide4(hulls, view, pairs, 2, &options, out, workspace, NULL).code == LANEFOLD_BAD_ARGUMENT);
    options.instruction_set = NULL;
    options.struct_size = 0;
    s = lanefold_collide4(hulls, view, pairs, 2, &options, out, workspace, NULL);
    EXPECT(s.code == LANEFOLD_BAD_ARGUMENT && strstr(s.what, "struct_size") != NULL);
    return 0;
}

static int older_and_newer(const lanefold_hulls* hulls, const lanefold_body_view* view, const lanefold_pair* pairs,
                           lanefold_workspace* workspace) {
    /* A program of an older version whose options ended after the margin, and a newer one with fields that this library
     * lacks. */
    struct {
        size_t struct_size;
        float margin;
    } older = {12, 0.25f};
    struct {
        lanefold_options known;
        double unknown[4];
    } newer = {LANEFOLD_OPTIONS_INIT, {1, 2, 3, 4}};
    lanefold_manifold4 a[2], b[2];
    newer.known.struct_size = sizeof newer;
    newer.known.margin = 0.25f;
    EXPECT(lanefold_collide4(hulls, view, pairs, 2, (const lanefold_options*)&older, a, workspace, NULL).code == 0);
    EXPECT(lanefold_collide4(hulls, view, pairs, 2, &newer.known, b, workspace, NULL).code == 0);
    EXPECT(memcmp(a, b, sizeof a) == 0 && a[1].kind != LANEFOLD_NONE);
    return 0;
}

static int every_form(const lanefold_hulls* hulls, const lanefold_body_view* view, const lanefold_pair* pairs,
                      lanefold_workspace* workspace) {
    lanefold_options options = LANEFOLD_OPTIONS_INIT;
    lanefold_result result = LANEFOLD_RESULT_INIT;
    lanefold_manifold4 out[2], one[1];
    lanefold_distance distance[2];
    uint64_t bits = 0;
    const int32_t yes = 1;
    float on_a[3], on_b[3];

    options.hash = 1;
    options.stop = never;
    EXPECT(lanefold_collide4(hulls, view, pairs, 2, &options, out, workspace, &result).code == 0);
    EXPECT(out[0].distance == -0.5f && out[0].normal[2] == 1.0f && out[0].count == 4 && out[1].kind == LANEFOLD_NONE);
    EXPECT(result.touching == 1 && result.by_kind[LANEFOLD_FACE_A] + result.by_kind[LANEFOLD_FACE_B] == 1);
    EXPECT(result.hash != 0 && result.instruction_set != NULL);
    lanefold_witnesses(out[0].normal, &out[0].points[0], on_a, on_b);
    EXPECT(on_a[2] == 1.0f && on_b[2] == 0.5f);

    EXPECT(lanefold_collide_compact4(hulls, view, pairs, 2, NULL, one, 1, 0, workspace, &result).code == 0);
    EXPECT(result.written == 1 && result.next_pair == 2 && memcmp(&one[0], &out[0], sizeof one) == 0);
    options.margin = 0.25f;
    EXPECT(lanefold_collide_compact4(hulls, view, pairs, 2, &options, one, 1, 0, workspace, &result).code ==
           LANEFOLD_TRUNCATED);
    EXPECT(result.required == 2 && result.next_pair == 1);
    EXPECT(lanefold_collide_distance(hulls, view, pairs, 2, &options, distance, workspace, NULL).code == 0);
    EXPECT(distance[0].distance == -0.5f && distance[1].distance > 0.19f && distance[1].distance < 0.21f);
    EXPECT(lanefold_collide_overlap(hulls, view, pairs, 2, &options, &bits, workspace, NULL).code == 0 && bits == 3);

    options.stop = always;
    options.stop_context = &yes;
    EXPECT(lanefold_collide4(hulls, view, pairs, 2, &options, out, workspace, &result).code == LANEFOLD_CANCELLED);
    EXPECT(out[0].status == LANEFOLD_CANCELLED);
    return 0;
}

/* Points 76 km away, in float64: refused about their own origin, and exact about the middle of their box. */
static int float64_points(void) {
    double points[8][3];
    const uint64_t offsets[2] = {0, 8};
    lanefold_build_options build = LANEFOLD_BUILD_OPTIONS_INIT;
    lanefold_hulls* hulls = NULL;
    lanefold_hull_frame frame;
    lanefold_hull_report report;
    for (int i = 0; i < 8; ++i) {
        points[i][0] = 76194.002 + ((i & 1) != 0 ? 1.0 : -1.0);
        points[i][1] = (i & 2) != 0 ? 1.0 : -1.0;
        points[i][2] = (i & 4) != 0 ? 1.0 : -1.0;
    }
    EXPECT(lanefold_build_hulls_double(&points[0][0], 8, offsets, 1, NULL, &hulls, NULL, &report, 1, NULL).code ==
           LANEFOLD_BAD_ARGUMENT);
    EXPECT(hulls == NULL && report.error == 9);
    EXPECT(lanefold_build_hulls_double(NULL, 8, offsets, 1, NULL, &hulls, NULL, NULL, 0, NULL).code ==
           LANEFOLD_BAD_ARGUMENT);
    build.origin = LANEFOLD_ORIGIN_BOX_CENTRE;
    EXPECT(lanefold_build_hulls_double(&points[0][0], 8, offsets, 1, &build, &hulls, &frame, NULL, 0, NULL).code == 0);
    EXPECT(frame.shift[0] > 76194.002 - 1e-9 && frame.shift[0] < 76194.002 + 1e-9 && frame.rounding < 1e-7);
    lanefold_hulls_free(hulls);
    return 0;
}

/* Two steps of a stream, and a cube that falls onto a fixed one. */
static int steps(const lanefold_hulls* hulls, const lanefold_body_view* view, const lanefold_pair* pairs) {
    lanefold_stream* stream = lanefold_stream_create(4, 1);
    lanefold_stream_options reuse = LANEFOLD_STREAM_OPTIONS_INIT;
    lanefold_stream_result result = LANEFOLD_STREAM_RESULT_INIT;
    lanefold_rigid_body bodies[2] = {LANEFOLD_RIGID_BODY_INIT, LANEFOLD_RIGID_BODY_INIT};
    lanefold_step_result step = LANEFOLD_STEP_RESULT_INIT;
    lanefold_world* world = NULL;
    uint64_t count = 0;
    EXPECT(stream != NULL);
    reuse.reuse = 0.01f;
    EXPECT(lanefold_stream_step(stream, hulls, view, pairs, 2, NULL, &reuse, NULL, NULL).code == 0);
    EXPECT(lanefold_stream_step(stream, hulls, view, pairs, 2, NULL, &reuse, NULL, &result).code == 0);
    EXPECT(result.kept == 1 && result.points_kept == 4);
    EXPECT(lanefold_stream_contacts4(stream, &count)[0].distance == -0.5f && count == 1);
    EXPECT(lanefold_stream_matches4(stream, &count)[0].previous[3] == 3 && count == 1);
    lanefold_stream_free(stream);

    EXPECT(lanefold_world_create(hulls, &world).code == 0);
    bodies[0].kind = LANEFOLD_FIXED;
    bodies[1].position[1] = 3.0;
    EXPECT(lanefold_world_add_bodies(world, bodies, 2).code == 0);
    for (int i = 0; i < 120; ++i) EXPECT(lanefold_world_step(world, 1.0 / 60, &step).code == 0);
    EXPECT(step.asleep == 1 && lanefold_world_bodies(world, &count)[1].position[1] > 1.9 && count == 2);
    EXPECT(lanefold_world_bodies(world, NULL)[1].position[1] < 2.1 && lanefold_world_asleep(world, 1) == 1);
    lanefold_world_free(world);
    lanefold_world_free(NULL);
    return 0;
}

/* A cube that flies through another one: as bodies, its first and its second pose. */
static int sweeps(const lanefold_hulls* hulls) {
    const lanefold_body begin[2] = {{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0, 0, 10}, 0, {0, 0, 0, 1}}};
    const lanefold_body end[2] = {{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0, 0, -10}, 0, {0, 0, 0, 1}}};
    const lanefold_body_view first = lanefold_view_bodies(begin, 2), last = lanefold_view_bodies(end, 2);
    const lanefold_pair pairs[2] = {{0, 1}, {1, 0}};
    const double spins[6] = {0, 0, 0, 0, 0, 20};
    const int32_t yes = 1;
    lanefold_sweep_workspace* workspace = lanefold_sweep_workspace_create();
    lanefold_sweep_options options = LANEFOLD_SWEEP_OPTIONS_INIT;
    lanefold_sweep_result result = LANEFOLD_SWEEP_RESULT_INIT;
    lanefold_sweep_record out[2], one[1];
    EXPECT(workspace != NULL);
    EXPECT(lanefold_sweep(hulls, &first, &last, pairs, 2, NULL, out, workspace, &result).code == 0);
    EXPECT(out[0].state == LANEFOLD_SWEEP_HIT && out[0].fraction > 0.3999 && out[0].fraction <= 0.4);
    EXPECT(out[0].normal[2] == 1.0f && out[1].normal[2] == -1.0f && result.by_state[LANEFOLD_SWEEP_HIT] == 2);
    options.spins = spins;
    EXPECT(lanefold_sweep_compact(hulls, &first, &last, pairs, 2, &options, one, 1, 0, workspace, &result).code ==
           LANEFOLD_TRUNCATED);
    EXPECT(result.written == 1 && result.required == 2 && result.next_pair == 1 && one[0].fraction <= 0.4);
    options.tolerance = 0;
    EXPECT(lanefold_sweep(hulls, &first, &last, pairs, 2, &options, out, workspace, NULL).code ==
           LANEFOLD_BAD_ARGUMENT);
    options.tolerance = 1e-3f;
    options.stop = always;
    options.stop_context = &yes;
    EXPECT(lanefold_sweep(hulls, &first, &last, pairs, 2, &options, out, workspace, NULL).code == LANEFOLD_CANCELLED);
    EXPECT(lanefold_sweep(hulls, &first, NULL, pairs, 2, NULL, out, workspace, NULL).code == LANEFOLD_BAD_ARGUMENT);
    lanefold_sweep_workspace_free(workspace);

    const float velocities[6] = {0, 0, 0, 0, 0, -3}, none[6] = {0};
    float margins[2] = {0, 0};
    EXPECT(lanefold_speculative_margins(hulls, &first, velocities, none, pairs, 2, 2, 0.5f, margins).code == 0);
    EXPECT(margins[0] > 6.4999f && margins[0] < 6.5001f && margins[1] == margins[0]);
    EXPECT(lanefold_speculative_margins(hulls, &first, NULL, none, pairs, 2, 2, 0.5f, margins).code ==
           LANEFOLD_BAD_ARGUMENT);
    return 0;
}

/* A cube on a plane that is tilted, and planes that are none. */
static int half_spaces(void) {
    float points[8][3];
    const uint64_t offsets[2] = {0, 8};
    const float planes[8] = {0, 0, 5, 0.25f, 3, 0, 4, 1};
    const float wrong[8] = {0, 0, 1, 0, 0, 0, 0, 1};
    float plane[4];
    lanefold_hulls* cube = NULL;
    lanefold_hulls* floors = NULL;
    lanefold_hulls* all = NULL;
    lanefold_hull_report report;
    lanefold_hull_info info = LANEFOLD_HULL_INFO_INIT;
    uint64_t count = 0;
    for (int i = 0; i < 8; ++i) {
        points[i][0] = (i & 1) != 0 ? 1.0f : -1.0f;
        points[i][1] = (i & 2) != 0 ? 1.0f : -1.0f;
        points[i][2] = (i & 4) != 0 ? 1.0f : -1.0f;
    }
    EXPECT(lanefold_build_hulls(&points[0][0], 8, offsets, 1, NULL, &cube, NULL, NULL, 0, NULL).code == 0);
    EXPECT(lanefold_build_half_spaces(wrong, 2, &floors, &report, 1, &count).where == 1);
    EXPECT(floors == NULL && count == 1 && report.hull == 1 && report.error == 4);
    EXPECT(lanefold_build_half_spaces(NULL, 2, &floors, NULL, 0, NULL).code == LANEFOLD_BAD_ARGUMENT);
    EXPECT(lanefold_build_half_spaces(planes, 2, &floors, NULL, 0, NULL).code == 0);
    EXPECT(lanefold_hulls_append(cube, floors, &all).code == 0);
    EXPECT(lanefold_hulls_count(all) == 3);
    EXPECT(lanefold_half_space(all, 0, plane).code == LANEFOLD_BAD_ARGUMENT);
    EXPECT(lanefold_half_space(all, 2, plane).code == 0);
    EXPECT(plane[0] == 3 && plane[1] == 0 && plane[2] == 4 && plane[3] == 1);
    EXPECT(lanefold_hull_vertices(all, 1, &count) == NULL && count == 0);
    EXPECT(lanefold_hull_get_info(all, 1, &info).code == 0);
    EXPECT(info.shape == LANEFOLD_SHAPE_HALF_SPACE && info.vertices == 0 && info.volume == 0.0);
    lanefold_hulls_free(cube);
    lanefold_hulls_free(floors);
    lanefold_hulls_free(all);
    return 0;
}

int main(void) {
    float points[16][3];
    const uint64_t offsets[3] = {0, 8, 16};
    lanefold_hulls* hulls = NULL;
    lanefold_hulls* rest = NULL;
    lanefold_hull_frame frames[2];
    lanefold_build_options build = LANEFOLD_BUILD_OPTIONS_INIT;
    lanefold_hull_info info = LANEFOLD_HULL_INFO_INIT;
    lanefold_finder_options find = LANEFOLD_FINDER_OPTIONS_INIT;
    lanefold_manifold4 out[2];
    uint64_t pair_count = 0, vertices = 0;
    const lanefold_pair* pairs = NULL;
    const uint32_t removed = 1;

    EXPECT(lanefold_version_number() > 0 && strlen(lanefold_version()) >= 5);
    printf("lanefold %s: %s\n", lanefold_version(), lanefold_instruction_sets());

    /* A cube of side 2, and the same one unit higher in its own coordinates. */
    for (int i = 0; i < 16; ++i) {
        points[i][0] = (i & 1) != 0 ? 1.0f : -1.0f;
        points[i][1] = (i & 2) != 0 ? 1.0f : -1.0f;
        points[i][2] = ((i & 4) != 0 ? 1.0f : -1.0f) + (i >= 8 ? 1.0f : 0.0f);
    }
    build.origin = LANEFOLD_ORIGIN_CENTRE_OF_MASS;
    EXPECT(lanefold_build_hulls(&points[0][0], 16, offsets, 2, &build, &hulls, frames, NULL, 0, NULL).code == 0);
    EXPECT(lanefold_hulls_count(hulls) == 2 && frames[1].shift[2] == 1.0);
    EXPECT(lanefold_hull_get_info(hulls, 0, &info).code == 0 && info.is_box == 1 && info.volume == 8.0);
    EXPECT(lanefold_hull_vertices(hulls, 1, &vertices) != NULL && vertices == 8);

    if (float64_points() != 0) return 5;
    if (sweeps(hulls) != 0) return 6;
    if (half_spaces() != 0) return 8;
    if (kinds(hulls) != 0) return 9;

    const lanefold_body bodies[3] = {
        {{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0, 0, 1.5f}, 1, {0, 0, 0, 1}}, {{0, 0, 3.7f}, 0, {0, 0, 0, 1}}};
    const lanefold_body_view view = lanefold_view_bodies(bodies, 3);
    lanefold_pair_finder* finder = lanefold_finder_create();
    lanefold_workspace* workspace = lanefold_workspace_create();
    EXPECT(finder != NULL && workspace != NULL);
    find.margin = 0.3f;
    EXPECT(lanefold_find_pairs(finder, hulls, &view, &find, &pairs, &pair_count, NULL).code == 0);
    EXPECT(pair_count == 2 && pairs[0].a == 0 && pairs[0].b == 1 && pairs[1].a == 1 && pairs[1].b == 2);

    if (every_form(hulls, &view, pairs, workspace) != 0) return 4;
    EXPECT(lanefold_hulls_remove(hulls, &removed, 1, &rest).code == 0);
    EXPECT(lanefold_hulls_count(rest) == 2 && !lanefold_hulls_contains(rest, 1));
    EXPECT(lanefold_collide4(rest, &view, pairs, 2, NULL, out, workspace, NULL).code == 0);
    EXPECT(out[0].status == LANEFOLD_BAD_HULL && strcmp(lanefold_status_name(out[0].status), "bad_hull") == 0);

    if (steps(hulls, &view, pairs) != 0) return 7;
    if (refusals(hulls, &view, pairs, workspace) != 0) return 2;
    if (older_and_newer(hulls, &view, pairs, workspace) != 0) return 3;
    lanefold_workspace_free(workspace);
    lanefold_finder_free(finder);
    lanefold_hulls_free(rest);
    lanefold_hulls_free(hulls);
    lanefold_hulls_free(NULL);
    return 0;
}
