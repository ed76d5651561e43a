/* SPDX-License-Identifier: MIT
 *
 * The smallest engine that the benchmark can measure: it takes every hull for the largest sphere about its centre that
 * fits into it. It is fast, and wrong on purpose, so that the tables show what a wrong engine looks like. Replace
 * collide() by your own: docs/ten_minutes/research.md.
 */
#include <math.h>
#include <stdlib.h>

#include "adapter.h"

typedef struct {
    const LanefoldHull* hulls;
    const LanefoldAdapterBody* bodies;
    float* radius; /* of each hull */
} Engine;

static const LanefoldSetting kSettings[] = {{.id = "spheres",
                                             .title = "spheres",
                                             .version = "1",
                                             .settings = "the largest sphere about the centre",
                                             .build = "examples/adapter",
                                             .precision = "float32",
                                             .margin = 0,
                                             .max_points = 1,
                                             .rounded = 1}};

static void* create(uint32_t setting) { return setting == 0 ? calloc(1, sizeof(Engine)) : NULL; }

static void destroy(void* engine) {
    free(((Engine*)engine)->radius);
    free(engine);
}

static const char* prepare(void* engine, const LanefoldHull* hulls, uint32_t hull_count,
                           const LanefoldAdapterBody* bodies, uint32_t body_count) {
    Engine* e = engine;
    (void)bodies;
    (void)body_count;
    e->hulls = hulls;
    free(e->radius);
    e->radius = malloc(hull_count * sizeof(float));
    if (e->radius == NULL) return "out of memory";
    for (uint32_t i = 0; i < hull_count; ++i) {
        double least = INFINITY;
        for (uint32_t f = 0; f < hulls[i].face_count; ++f) {
            const double* p = hulls[i].planes + 4 * (size_t)f;
            const double* c = hulls[i].centre;
            const double height = p[3] - (p[0] * c[0] + p[1] * c[1] + p[2] * c[2]);
            least = height < least ? height : least;
        }
        e->radius[i] = (float)least;
    }
    return NULL;
}

/* A real engine converts the poses here, where no clock runs. */
static void set_frame(void* engine, const LanefoldAdapterBody* bodies, uint32_t body_count) {
    (void)body_count;
    ((Engine*)engine)->bodies = bodies;
}

/* The hull's centre in the world: position + v + 2 q x (q x v + w v). */
static void place(const LanefoldAdapterBody* body, const LanefoldHull* hull, float out[3]) {
    const float* q = body->orientation;
    const float v[3] = {(float)hull->centre[0], (float)hull->centre[1], (float)hull->centre[2]};
    const float t[3] = {q[1] * v[2] - q[2] * v[1] + q[3] * v[0], q[2] * v[0] - q[0] * v[2] + q[3] * v[1],
                        q[0] * v[1] - q[1] * v[0] + q[3] * v[2]};
    out[0] = body->position[0] + v[0] + 2 * (q[1] * t[2] - q[2] * t[1]);
    out[1] = body->position[1] + v[1] + 2 * (q[2] * t[0] - q[0] * t[2]);
    out[2] = body->position[2] + v[2] + 2 * (q[0] * t[1] - q[1] * t[0]);
}

static void collide(void* engine, const LanefoldAdapterPair* pairs, uint32_t pair_count, LanefoldRecord* records) {
    const Engine* e = engine;
    for (uint32_t i = 0; i < pair_count; ++i) {
        const LanefoldAdapterBody* a = &e->bodies[pairs[i].a];
        const LanefoldAdapterBody* b = &e->bodies[pairs[i].b];
        LanefoldRecord* r = &records[i];
        float from[3];
        float to[3];
        place(a, &e->hulls[a->hull], from);
        place(b, &e->hulls[b->hull], to);
        const float d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        const float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        r->distance = length - e->radius[a->hull] - e->radius[b->hull];
        r->count = r->distance <= 0 && length > 0;
        for (int k = 0; k < 3 && r->count != 0; ++k) {
            r->normal[k] = d[k] / length;
            r->points[0].position[k] = from[k] + r->normal[k] * (e->radius[a->hull] + 0.5F * r->distance);
        }
        r->points[0].separation = r->distance;
    }
}

static const LanefoldAdapter kAdapter = {.version = LANEFOLD_ADAPTER_VERSION,
                                         .setting_count = 1,
                                         .settings = kSettings,
                                         .create = create,
                                         .destroy = destroy,
                                         .prepare = prepare,
                                         .set_frame = set_frame,
                                         .collide = collide};

const LanefoldAdapter* lanefold_adapter(void) { return &kAdapter; }
