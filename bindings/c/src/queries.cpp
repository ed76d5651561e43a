// SPDX-License-Identifier: MIT
//
// The queries of lanefold_queries.h.
#include <lanefold_queries.h>

#include <span>

#include <lanefold/scene_queries.hpp>

#include "convert.hpp"
#include "handles.hpp"
#include "sweep_options.hpp"

struct lanefold_query_workspace {
    lanefold::QueryWorkspace own;
};

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

static_assert(sizeof(lanefold_closest_points_record) == sizeof(ClosestPoints));
static_assert(offsetof(lanefold_closest_points_record, shape_child) == offsetof(ClosestPoints, shape_child));
static_assert(offsetof(lanefold_closest_points_record, on_body) == offsetof(ClosestPoints, on_body));
static_assert(offsetof(lanefold_closest_points_record, status) == offsetof(ClosestPoints, status));
static_assert(sizeof(lanefold_shape_hit) == sizeof(ShapeHit));
static_assert(offsetof(lanefold_shape_hit, normal) == offsetof(ShapeHit, normal));
static_assert(offsetof(lanefold_shape_hit, point) == offsetof(ShapeHit, point));
static_assert(offsetof(lanefold_shape_hit, status) == offsetof(ShapeHit, status));
static_assert(offsetof(lanefold_shape_hit, shape_child) == offsetof(ShapeHit, shape_child));
static_assert(kNoBody == LANEFOLD_NO_BODY && kSharedBody == -1);

// The arguments that every call has.
struct Common {
    const lanefold_pair_finder* scene;
    const lanefold_query_options* options;
    lanefold_query_workspace* workspace;
    lanefold_query_result* result;
};

// The options as the library has them.
struct Settings {
    QueryOptions options;
    RayInputs rays;
};

// False, with the reason in `refused`, for invalid options.
bool settings_of(const lanefold_query_options* from, std::size_t queries, Settings& to, lanefold_status& refused) {
    lanefold_query_options o = LANEFOLD_QUERY_OPTIONS_INIT;
    if (!read_versioned(from, o)) {
        refused = refuse("options.struct_size is not set: begin with LANEFOLD_QUERY_OPTIONS_INIT");
        return false;
    }
    if (o.group != nullptr) to.options.group = {o.group, queries};
    if (o.category != nullptr) to.options.category = {o.category, queries};
    if (o.collides_with != nullptr) to.options.collides_with = {o.collides_with, queries};
    if (o.world != nullptr) to.options.world = {o.world, queries};
    to.options.threads = o.threads;
    to.rays.mode = o.any != 0 ? RayMode::any : RayMode::first;
    to.rays.back_faces = o.back_faces != 0;
    const bool known = take_instruction_set(o.instruction_set, to.options.isa);
    if (!known) refused = refuse("options.instruction_set is not a known name");
    return known;
}

void add_sums(const QueryResult& r, lanefold_query_result& out) {
    std::copy_n(r.by_status, kStatusCount, out.by_status);
    out.first_bad = r.first_bad;
    out.candidates = r.candidates;
    out.touching = r.touching;
    out.required = r.required;
    out.written = r.written;
    out.next_query = r.next_query;
}

void add_sums(const RayResult& r, lanefold_query_result& out) {
    std::copy_n(r.by_state, kRayStateCount, out.by_state);
    out.left_out = r.left_out;
    out.touching =
        r.by_state[static_cast<std::size_t>(RayState::hit)] + r.by_state[static_cast<std::size_t>(RayState::inside)];
    out.required = r.required;
    out.written = r.written;
    out.next_query = r.next_ray;
}

// Checks what every call has, and converts what f(finder, workspace, settings) returns.
template <class F>
lanefold_status run(const Common& c, std::uint64_t queries, const F& f) noexcept {
    return guarded([&] {
        if (c.scene == nullptr) return refuse("scene is null");
        if (c.workspace == nullptr) return refuse("workspace is null");
        lanefold_query_result sums = LANEFOLD_QUERY_RESULT_INIT;
        if (!read_versioned(c.result, sums))
            return refuse("result.struct_size is not set: begin with LANEFOLD_QUERY_RESULT_INIT");
        Settings settings;
        lanefold_status refused{};
        if (!settings_of(c.options, static_cast<std::size_t>(queries), settings, refused)) return refused;
        const auto r = f(c.scene->own, c.workspace->own, settings);
        add_sums(r, sums);
        write_versioned(sums, c.result);
        return status_of(r.status);
    });
}

// Records of the caller; a null pointer with a count is refused by the library.
template <class T, class C>
std::span<T> records_of(C* records, std::uint64_t count) {
    static_assert(sizeof(T) == sizeof(C));
    return {reinterpret_cast<T*>(records), static_cast<std::size_t>(count)};
}

std::span<std::uint64_t> offsets_of(std::uint64_t* offsets, std::uint64_t queries) {
    return {offsets, offsets == nullptr ? 0 : static_cast<std::size_t>(queries) + 1};
}

std::span<Status> statuses_of(std::uint8_t* statuses, std::uint64_t queries) {
    return {reinterpret_cast<Status*>(statuses), statuses == nullptr ? 0 : static_cast<std::size_t>(queries)};
}

// Calls f(begin, end, settings, inputs, finder, workspace, options) for a cast of shapes.
template <class F>
lanefold_status cast(const Common& c, const lanefold_body_view* begin, const lanefold_body_view* end,
                     const lanefold_sweep_options* settings, const F& f) noexcept {
    if (begin == nullptr) return refuse("begin is null");
    if (end == nullptr) return refuse("end is null");
    SweepOptions sweeps;
    SweepInputs inputs;
    lanefold_status refused{};
    if (!sweep_options_of(settings, static_cast<std::size_t>(begin->count), sweeps, inputs, refused)) return refused;
    return run(c, begin->count, [&](const PairFinder& scene, QueryWorkspace& own, const Settings& s) {
        return f(view_of(*begin), view_of(*end), sweeps, inputs, scene, own, s.options);
    });
}

}  // namespace

extern "C" {

lanefold_query_workspace* lanefold_query_workspace_create(void) {
    try {
        return new lanefold_query_workspace;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void lanefold_query_workspace_free(lanefold_query_workspace* workspace) { delete workspace; }

lanefold_status lanefold_scene_cast_rays(const lanefold_pair_finder* scene, const lanefold_ray* rays,
                                         uint64_t ray_count, const lanefold_query_options* options,
                                         lanefold_ray_hit* out, lanefold_query_workspace* workspace,
                                         lanefold_query_result* result) {
    return run({scene, options, workspace, result}, ray_count, [&](const auto& finder, auto& own, const auto& s) {
        return cast_rays(finder, records_of<const Ray>(rays, ray_count), records_of<RayHit>(out, ray_count), own,
                         s.rays, s.options);
    });
}

lanefold_status lanefold_scene_cast_rays_all(const lanefold_pair_finder* scene, const lanefold_ray* rays,
                                             uint64_t ray_count, const lanefold_query_options* options,
                                             uint64_t* offsets, lanefold_ray_hit* out, uint64_t capacity,
                                             lanefold_query_workspace* workspace, lanefold_query_result* result) {
    return run({scene, options, workspace, result}, ray_count, [&](const auto& finder, auto& own, const auto& s) {
        return cast_rays_all(finder, records_of<const Ray>(rays, ray_count), offsets_of(offsets, ray_count),
                             records_of<RayHit>(out, capacity), own, s.rays, s.options);
    });
}

lanefold_status lanefold_scene_cast_shapes(const lanefold_pair_finder* scene, const lanefold_body_view* begin,
                                           const lanefold_body_view* end, const lanefold_sweep_options* settings,
                                           const lanefold_query_options* options, lanefold_shape_hit* out,
                                           lanefold_query_workspace* workspace, lanefold_query_result* result) {
    return cast({scene, options, workspace, result}, begin, end, settings,
                [&](const auto& first, const auto& last, const auto& sweeps, const auto& inputs, const auto& finder,
                    auto& own, const auto& o) {
                    return cast_shapes(finder, first, last, sweeps, records_of<ShapeHit>(out, first.count), own, inputs,
                                       o);
                });
}

lanefold_status lanefold_scene_cast_shapes_all(const lanefold_pair_finder* scene, const lanefold_body_view* begin,
                                               const lanefold_body_view* end, const lanefold_sweep_options* settings,
                                               const lanefold_query_options* options, uint64_t* offsets,
                                               lanefold_shape_hit* out, uint64_t capacity, uint8_t* statuses,
                                               lanefold_query_workspace* workspace, lanefold_query_result* result) {
    return cast({scene, options, workspace, result}, begin, end, settings,
                [&](const auto& first, const auto& last, const auto& sweeps, const auto& inputs, const auto& finder,
                    auto& own, const auto& o) {
                    return cast_shapes_all(finder, first, last, sweeps, offsets_of(offsets, first.count),
                                           records_of<ShapeHit>(out, capacity), own, inputs, o,
                                           statuses_of(statuses, first.count));
                });
}

lanefold_status lanefold_scene_overlaps(const lanefold_pair_finder* scene, const lanefold_body_view* shapes,
                                        float margin, const lanefold_query_options* options, uint64_t* offsets,
                                        uint32_t* out, uint64_t capacity, uint8_t* statuses,
                                        lanefold_query_workspace* workspace, lanefold_query_result* result) {
    if (shapes == nullptr) return refuse("shapes is null");
    return run({scene, options, workspace, result}, shapes->count, [&](const auto& finder, auto& own, const auto& s) {
        return overlap_scene(finder, view_of(*shapes), margin, offsets_of(offsets, shapes->count),
                             {out, static_cast<std::size_t>(capacity)}, own, s.options,
                             statuses_of(statuses, shapes->count));
    });
}

lanefold_status lanefold_scene_closest_points(const lanefold_pair_finder* scene, const lanefold_body_view* shapes,
                                              const float* radii, const lanefold_query_options* options,
                                              lanefold_closest_points_record* out, lanefold_query_workspace* workspace,
                                              lanefold_query_result* result) {
    if (shapes == nullptr) return refuse("shapes is null");
    return run({scene, options, workspace, result}, shapes->count, [&](const auto& finder, auto& own, const auto& s) {
        return closest_points(finder, view_of(*shapes), {radii, static_cast<std::size_t>(shapes->count)},
                              records_of<ClosestPoints>(out, shapes->count), own, s.options);
    });
}

lanefold_status lanefold_scene_closest_points_all(const lanefold_pair_finder* scene, const lanefold_body_view* shapes,
                                                  const float* radii, const lanefold_query_options* options,
                                                  uint64_t* offsets, lanefold_closest_points_record* out,
                                                  uint64_t capacity, uint8_t* statuses,
                                                  lanefold_query_workspace* workspace, lanefold_query_result* result) {
    if (shapes == nullptr) return refuse("shapes is null");
    return run({scene, options, workspace, result}, shapes->count, [&](const auto& finder, auto& own, const auto& s) {
        return closest_points_all(finder, view_of(*shapes), {radii, static_cast<std::size_t>(shapes->count)},
                                  offsets_of(offsets, shapes->count), records_of<ClosestPoints>(out, capacity), own,
                                  s.options, statuses_of(statuses, shapes->count));
    });
}

}  // extern "C"
