// SPDX-License-Identifier: MIT
//
// Every call of the C interface takes null pointers with counts of 1: it names what is missing, or gives nothing.
#include <gtest/gtest.h>

#include <iterator>
#include <string>

#include <lanefold.h>
#include <lanefold_compound.h>
#include <lanefold_events.h>
#include <lanefold_half_space.h>
#include <lanefold_measures.h>
#include <lanefold_queries.h>
#include <lanefold_rays.h>
#include <lanefold_scale.h>
#include <lanefold_stream.h>
#include <lanefold_surface.h>
#include <lanefold_sweep.h>
#include <lanefold_world.h>
#include <lanefold_world_batch.h>
#include <lanefold_worlds.h>

namespace lanefold::test {
namespace {

struct Call {
    const char* name;
    lanefold_status (*run)();
};

constexpr Call kCalls[] = {
    {"lanefold_build_hulls",
     [] { return lanefold_build_hulls(nullptr, 1, nullptr, 1, nullptr, nullptr, nullptr, nullptr, 1, nullptr); }},
    {"lanefold_build_hulls_double",
     [] {
         return lanefold_build_hulls_double(nullptr, 1, nullptr, 1, nullptr, nullptr, nullptr, nullptr, 1, nullptr);
     }},
    {"lanefold_hulls_append", [] { return lanefold_hulls_append(nullptr, nullptr, nullptr); }},
    {"lanefold_hulls_remove", [] { return lanefold_hulls_remove(nullptr, nullptr, 1, nullptr); }},
    {"lanefold_hull_get_info", [] { return lanefold_hull_get_info(nullptr, 1, nullptr); }},
    {"lanefold_collide4",
     [] { return lanefold_collide4(nullptr, nullptr, nullptr, 1, nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_collide16",
     [] { return lanefold_collide16(nullptr, nullptr, nullptr, 1, nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_collide_compact4",
     [] { return lanefold_collide_compact4(nullptr, nullptr, nullptr, 1, nullptr, nullptr, 1, 1, nullptr, nullptr); }},
    {"lanefold_collide_compact16",
     [] { return lanefold_collide_compact16(nullptr, nullptr, nullptr, 1, nullptr, nullptr, 1, 1, nullptr, nullptr); }},
    {"lanefold_collide_distance",
     [] { return lanefold_collide_distance(nullptr, nullptr, nullptr, 1, nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_collide_overlap",
     [] { return lanefold_collide_overlap(nullptr, nullptr, nullptr, 1, nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_find_pairs",
     [] { return lanefold_find_pairs(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_build_compounds",
     [] { return lanefold_build_compounds(nullptr, nullptr, 1, nullptr, 1, nullptr, nullptr, 1, nullptr); }},
    {"lanefold_compound_child", [] { return lanefold_compound_child(nullptr, 1, 1, nullptr); }},
    {"lanefold_scaled_hulls_create", [] { return lanefold_scaled_hulls_create(nullptr, nullptr, nullptr); }},
    {"lanefold_scaled_hulls_take", [] { return lanefold_scaled_hulls_take(nullptr, nullptr, nullptr, 1, nullptr); }},
    {"lanefold_scaled_hulls_get", [] { return lanefold_scaled_hulls_get(nullptr, nullptr); }},
    {"lanefold_events_read", [] { return lanefold_events_read(nullptr, nullptr); }},
    {"lanefold_events_get_info", [] { return lanefold_events_get_info(nullptr, nullptr); }},
    {"lanefold_build_half_spaces", [] { return lanefold_build_half_spaces(nullptr, 1, nullptr, nullptr, 1, nullptr); }},
    {"lanefold_half_space", [] { return lanefold_half_space(nullptr, 1, nullptr); }},
    {"lanefold_measure_contacts",
     [] { return lanefold_measure_contacts(nullptr, nullptr, nullptr, 1, nullptr, 1, nullptr, nullptr, nullptr); }},
    {"lanefold_scene_cast_rays",
     [] { return lanefold_scene_cast_rays(nullptr, nullptr, 1, nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_scene_cast_rays_all",
     [] { return lanefold_scene_cast_rays_all(nullptr, nullptr, 1, nullptr, nullptr, nullptr, 1, nullptr, nullptr); }},
    {"lanefold_scene_cast_shapes",
     [] { return lanefold_scene_cast_shapes(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_scene_cast_shapes_all",
     [] {
         return lanefold_scene_cast_shapes_all(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 1,
                                               nullptr, nullptr, nullptr);
     }},
    {"lanefold_scene_overlaps",
     [] {
         return lanefold_scene_overlaps(nullptr, nullptr, 1, nullptr, nullptr, nullptr, 1, nullptr, nullptr, nullptr);
     }},
    {"lanefold_scene_closest_points",
     [] { return lanefold_scene_closest_points(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_scene_closest_points_all",
     [] {
         return lanefold_scene_closest_points_all(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 1, nullptr,
                                                  nullptr, nullptr);
     }},
    {"lanefold_cast_rays", [] { return lanefold_cast_rays(nullptr, nullptr, nullptr, 1, nullptr, nullptr, nullptr); }},
    {"lanefold_stream_step",
     [] { return lanefold_stream_step(nullptr, nullptr, nullptr, nullptr, 1, nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_match_contacts4",
     [] { return lanefold_match_contacts4(nullptr, 1, nullptr, 1, nullptr, nullptr, nullptr); }},
    {"lanefold_match_contacts16",
     [] { return lanefold_match_contacts16(nullptr, 1, nullptr, 1, nullptr, nullptr, nullptr); }},
    {"lanefold_capture_add4",
     [] { return lanefold_capture_add4(nullptr, nullptr, nullptr, nullptr, 1, nullptr, nullptr, 1, 1, nullptr); }},
    {"lanefold_capture_add16",
     [] { return lanefold_capture_add16(nullptr, nullptr, nullptr, nullptr, 1, nullptr, nullptr, 1, 1, nullptr); }},
    {"lanefold_capture_bytes", [] { return lanefold_capture_bytes(nullptr, nullptr, nullptr); }},
    {"lanefold_build_surface", [] { return lanefold_build_surface(nullptr, 1, nullptr, 1, nullptr, nullptr); }},
    {"lanefold_build_surface_double",
     [] { return lanefold_build_surface_double(nullptr, 1, nullptr, 1, nullptr, nullptr); }},
    {"lanefold_surface_of_hulls", [] { return lanefold_surface_of_hulls(nullptr, nullptr, 1, nullptr, nullptr); }},
    {"lanefold_build_height_field", [] { return lanefold_build_height_field(nullptr, 1, nullptr, nullptr); }},
    {"lanefold_surface_set", [] { return lanefold_surface_set(nullptr, nullptr); }},
    {"lanefold_surface_get_report", [] { return lanefold_surface_get_report(nullptr, nullptr); }},
    {"lanefold_surface_get_triangle", [] { return lanefold_surface_get_triangle(nullptr, 1, nullptr); }},
    {"lanefold_surface_get_vertex", [] { return lanefold_surface_get_vertex(nullptr, 1, nullptr); }},
    {"lanefold_surface_get_bounds", [] { return lanefold_surface_get_bounds(nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_collide_surface",
     [] { return lanefold_collide_surface(nullptr, nullptr, nullptr, nullptr, nullptr, 1, nullptr, nullptr); }},
    {"lanefold_sweep",
     [] { return lanefold_sweep(nullptr, nullptr, nullptr, nullptr, 1, nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_sweep_compact",
     [] {
         return lanefold_sweep_compact(nullptr, nullptr, nullptr, nullptr, 1, nullptr, nullptr, 1, 1, nullptr, nullptr);
     }},
    {"lanefold_speculative_margins",
     [] { return lanefold_speculative_margins(nullptr, nullptr, nullptr, nullptr, nullptr, 1, 1, 1, nullptr); }},
    {"lanefold_world_create", [] { return lanefold_world_create(nullptr, nullptr); }},
    {"lanefold_world_get_settings", [] { return lanefold_world_get_settings(nullptr, nullptr); }},
    {"lanefold_world_set_settings", [] { return lanefold_world_set_settings(nullptr, nullptr); }},
    {"lanefold_world_add_bodies", [] { return lanefold_world_add_bodies(nullptr, nullptr, 1); }},
    {"lanefold_world_add_scaled_bodies", [] { return lanefold_world_add_scaled_bodies(nullptr, nullptr, nullptr, 1); }},
    {"lanefold_world_add_links", [] { return lanefold_world_add_links(nullptr, nullptr, 1); }},
    {"lanefold_world_step", [] { return lanefold_world_step(nullptr, 1, nullptr); }},
    {"lanefold_world_step_pairs", [] { return lanefold_world_step_pairs(nullptr, 1, nullptr, 1, nullptr); }},
    {"lanefold_world_advance", [] { return lanefold_world_advance(nullptr, 1, nullptr, 1, nullptr); }},
    {"lanefold_world_get_motion", [] { return lanefold_world_get_motion(nullptr, 1, nullptr, nullptr, nullptr); }},
    {"lanefold_world_set_velocity", [] { return lanefold_world_set_velocity(nullptr, 1, nullptr, nullptr); }},
    {"lanefold_world_apply_impulse", [] { return lanefold_world_apply_impulse(nullptr, 1, nullptr, nullptr); }},
    {"lanefold_world_apply_angular_impulse", [] { return lanefold_world_apply_angular_impulse(nullptr, 1, nullptr); }},
    {"lanefold_world_set_pose", [] { return lanefold_world_set_pose(nullptr, 1, nullptr, nullptr); }},
    {"lanefold_world_set_target", [] { return lanefold_world_set_target(nullptr, 1, nullptr, nullptr, 1); }},
    {"lanefold_world_remove", [] { return lanefold_world_remove(nullptr, 1); }},
    {"lanefold_world_wake", [] { return lanefold_world_wake(nullptr, 1); }},
    {"lanefold_world_save", [] { return lanefold_world_save(nullptr, nullptr, nullptr); }},
    {"lanefold_world_restore", [] { return lanefold_world_restore(nullptr, nullptr, 1); }},
    {"lanefold_world_batch_create", [] { return lanefold_world_batch_create(nullptr, 1, nullptr); }},
    {"lanefold_world_batch_add_bodies", [] { return lanefold_world_batch_add_bodies(nullptr, nullptr, 1, nullptr); }},
    {"lanefold_world_batch_add_bodies_of_each",
     [] { return lanefold_world_batch_add_bodies_of_each(nullptr, nullptr, 1); }},
    {"lanefold_world_batch_add_shared", [] { return lanefold_world_batch_add_shared(nullptr, nullptr, 1); }},
    {"lanefold_world_batch_set_hulls", [] { return lanefold_world_batch_set_hulls(nullptr, nullptr); }},
    {"lanefold_world_batch_add_links", [] { return lanefold_world_batch_add_links(nullptr, nullptr, 1, nullptr); }},
    {"lanefold_world_batch_set_settings", [] { return lanefold_world_batch_set_settings(nullptr, nullptr, nullptr); }},
    {"lanefold_world_batch_set_gravity", [] { return lanefold_world_batch_set_gravity(nullptr, nullptr); }},
    {"lanefold_world_batch_set_threads", [] { return lanefold_world_batch_set_threads(nullptr, 1); }},
    {"lanefold_world_batch_step",
     [] { return lanefold_world_batch_step(nullptr, 1, nullptr, nullptr, nullptr, nullptr); }},
    {"lanefold_world_batch_keep", [] { return lanefold_world_batch_keep(nullptr, nullptr, nullptr); }},
    {"lanefold_world_batch_reset", [] { return lanefold_world_batch_reset(nullptr, nullptr, nullptr); }},
    {"lanefold_world_batch_read", [] { return lanefold_world_batch_read(nullptr, nullptr, nullptr); }},
    {"lanefold_world_batch_write", [] { return lanefold_world_batch_write(nullptr, nullptr, nullptr); }},
    {"lanefold_world_batch_arrays", [] { return lanefold_world_batch_arrays(nullptr, nullptr); }},
    {"lanefold_find_world_pairs",
     [] {
         return lanefold_find_world_pairs(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                          nullptr);
     }},
    {"lanefold_collide_worlds4",
     [] {
         return lanefold_collide_worlds4(nullptr, nullptr, nullptr, 1, nullptr, nullptr, nullptr, 1, nullptr, nullptr,
                                         nullptr, nullptr, nullptr);
     }},
    {"lanefold_collide_worlds16",
     [] {
         return lanefold_collide_worlds16(nullptr, nullptr, nullptr, 1, nullptr, nullptr, nullptr, 1, nullptr, nullptr,
                                          nullptr, nullptr, nullptr);
     }},
};

TEST(CNull, CallsThatHaveAStatusSayWhatIsNull) {
    for (const Call& call : kCalls) {
        const lanefold_status status = call.run();
        EXPECT_EQ(status.code, LANEFOLD_BAD_ARGUMENT) << call.name;
        ASSERT_NE(status.what, nullptr) << call.name;
        EXPECT_FALSE(std::string(status.what).empty()) << call.name;
    }
    EXPECT_GT(std::size(kCalls), 80U);
}

TEST(CNull, CallsWithoutAStatusGiveNothing) {
    lanefold_hulls_free(nullptr);
    EXPECT_EQ(lanefold_hulls_count(nullptr), 0U);
    static_cast<void>(lanefold_hulls_fingerprint(nullptr));
    EXPECT_EQ(lanefold_hulls_contains(nullptr, 1), 0);
    EXPECT_EQ(lanefold_hull_vertices(nullptr, 1, nullptr), nullptr);
    const lanefold_body_view view = lanefold_view_bodies(nullptr, 2);
    EXPECT_TRUE(view.position == nullptr && view.orientation == nullptr && view.hull == nullptr && view.count == 2);
    EXPECT_EQ(lanefold_view_bodies_d(nullptr, 0).orientation, nullptr);
    lanefold_workspace_free(nullptr);
    lanefold_witnesses(nullptr, nullptr, nullptr, nullptr);
    const float normal[3] = {0, 1, 0};
    const lanefold_point point = {{1, 2, 3}, 0.5F, 0};
    float on[3] = {};
    lanefold_witnesses(normal, &point, nullptr, on);
    EXPECT_EQ(on[1], 2.25F);
    lanefold_witnesses(normal, &point, on, nullptr);
    EXPECT_EQ(on[1], 1.75F);
    lanefold_finder_free(nullptr);
    EXPECT_EQ(lanefold_compound_child_count(nullptr, 1), 0U);
    lanefold_scaled_hulls_free(nullptr);
    lanefold_events_free(nullptr);
    EXPECT_EQ(lanefold_events_data(nullptr, nullptr), nullptr);
    EXPECT_EQ(lanefold_events_body_name(nullptr, 1), nullptr);
    EXPECT_EQ(lanefold_events_movable(nullptr, 1), 0);
    lanefold_measure_workspace_free(nullptr);
    lanefold_query_workspace_free(nullptr);
    lanefold_stream_free(nullptr);
    lanefold_stream_reset(nullptr);
    EXPECT_EQ(lanefold_stream_contacts4(nullptr, nullptr), nullptr);
    EXPECT_EQ(lanefold_stream_contacts16(nullptr, nullptr), nullptr);
    EXPECT_EQ(lanefold_stream_candidates(nullptr, nullptr), nullptr);
    EXPECT_EQ(lanefold_stream_matches4(nullptr, nullptr), nullptr);
    EXPECT_EQ(lanefold_stream_matches16(nullptr, nullptr), nullptr);
    lanefold_capture_free(lanefold_capture_create(nullptr));  // without a note
    lanefold_capture_free(nullptr);
    EXPECT_EQ(lanefold_capture_count(nullptr), 0U);
    lanefold_surface_free(nullptr);
    EXPECT_EQ(lanefold_surface_triangle_count(nullptr), 0U);
    EXPECT_EQ(lanefold_surface_vertex_count(nullptr), 0U);
    static_cast<void>(lanefold_surface_fingerprint(nullptr));
    lanefold_surface_contacts_free(nullptr);
    EXPECT_EQ(lanefold_surface_records(nullptr, nullptr), nullptr);
    EXPECT_EQ(lanefold_surface_offsets(nullptr, nullptr), nullptr);
    lanefold_sweep_workspace_free(nullptr);
    lanefold_world_free(nullptr);
    EXPECT_EQ(lanefold_world_bodies(nullptr, nullptr), nullptr);
    EXPECT_EQ(lanefold_world_contacts(nullptr, nullptr), nullptr);
    EXPECT_EQ(lanefold_world_impulses(nullptr, nullptr), nullptr);
    EXPECT_EQ(lanefold_world_pushes(nullptr, nullptr), nullptr);
    EXPECT_EQ(lanefold_world_asleep(nullptr, 1), 0);
    EXPECT_EQ(lanefold_world_lost(nullptr, 1), 0);
    EXPECT_EQ(lanefold_world_removed(nullptr, 1), 0);
    lanefold_world_batch_free(nullptr);
    EXPECT_EQ(lanefold_world_batch_count(nullptr), 0U);
    EXPECT_EQ(lanefold_world_batch_world(nullptr, 1), nullptr);
    EXPECT_EQ(lanefold_world_batch_shared(nullptr), 0U);
}

}  // namespace
}  // namespace lanefold::test
