// SPDX-License-Identifier: MIT
//
// Surfaces through lanefold_surface.h are those of the C++ builders, and their contacts have the same bytes.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include <lanefold_surface.h>

#include "support/c_hulls.hpp"
#include "support/surface_scene.hpp"

namespace lanefold::test {
namespace {

struct Mesh {
    std::vector<Vec3f> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;

    explicit Mesh(std::uint64_t seed) {
        const SurfaceArrays arrays = surface_arrays(rough_ground(6, 0.4F, 0.2F, seed));
        points = arrays.vertices;
        triangles = arrays.triangles;
    }
    lanefold_status build(const lanefold_surface_options* options, lanefold_hulls** out,
                          lanefold_surface_report* report) const {
        return lanefold_build_surface(&points[0].x, points.size(), triangles[0].data(), triangles.size(), options, out,
                                      report);
    }
};

TEST(CSurface, ContactsAreThoseOfCpp) {
    const Mesh mesh(5);
    const std::vector<std::uint16_t> materials(mesh.triangles.size(), 7);
    lanefold_surface_options options = LANEFOLD_SURFACE_OPTIONS_INIT;
    options.materials = materials.data();
    options.thickness = 0.5F;
    lanefold_surface_report report = LANEFOLD_SURFACE_REPORT_INIT;
    lanefold_hulls* ground = nullptr;
    const lanefold_status s = mesh.build(&options, &ground, &report);
    ASSERT_EQ(s.code, LANEFOLD_OK) << s.what;
    const CHulls own(ground);
    EXPECT_EQ(report.triangles, 72U);
    EXPECT_EQ(report.vertices, 49U);
    EXPECT_EQ(report.border_edges, 24U);
    SurfaceOptions cpp;
    cpp.materials = materials;
    cpp.thickness = 0.5F;
    const SurfaceResult built = build_surface(mesh.points, mesh.triangles, cpp);
    const HullSet set = surface_set(std::span(&built.surface, 1)).hulls;
    EXPECT_EQ(lanefold_hulls_fingerprint(ground), set.fingerprint());
    lanefold_hull_info info = LANEFOLD_HULL_INFO_INIT;
    ASSERT_EQ(lanefold_hull_get_info(ground, 0, &info).code, LANEFOLD_OK);
    EXPECT_EQ(info.shape, LANEFOLD_SHAPE_SURFACE);
    std::uint32_t input = 0;
    std::uint16_t material = 0;
    ASSERT_EQ(lanefold_surface_triangle(ground, 0, 11, &input, &material).code, LANEFOLD_OK);
    EXPECT_EQ(input, 11U);
    EXPECT_EQ(material, 7U);

    BatchScene scene = make_batch_scene(9, 40, 1);
    const CHulls boxes = c_hulls(scene.hulls);
    lanefold_hulls* both = nullptr;
    ASSERT_EQ(lanefold_hulls_append(boxes.get(), ground, &both).code, LANEFOLD_OK);
    const CHulls all(both);
    scene.bodies[0].hull = static_cast<std::uint32_t>(scene.hulls.size());
    scene.hulls = scene.hulls.append(set);
    scene.pairs.clear();
    for (std::uint32_t i = 1; i < 40; ++i) scene.pairs.push_back({i % 2 == 0 ? i : 0, i % 2 == 0 ? 0 : i});
    const std::vector<Manifold4> want = compact_call<Manifold4>(scene, scene.options());
    ASSERT_GT(want.size(), 40U);
    std::vector<lanefold_manifold4> got(want.size());
    lanefold_options c_options = LANEFOLD_OPTIONS_INIT;
    c_options.margin = scene.margin;
    const lanefold_body_view view =
        lanefold_view_bodies(reinterpret_cast<const lanefold_body*>(scene.bodies.data()), scene.bodies.size());
    lanefold_result r = LANEFOLD_RESULT_INIT;
    lanefold_workspace* workspace = lanefold_workspace_create();
    const lanefold_status c =
        lanefold_collide_compact4(both, &view, reinterpret_cast<const lanefold_pair*>(scene.pairs.data()),
                                  scene.pairs.size(), &c_options, got.data(), got.size(), 0, workspace, &r);
    lanefold_workspace_free(workspace);
    ASSERT_EQ(c.code, LANEFOLD_OK) << c.what;
    EXPECT_EQ(r.written, want.size());
    EXPECT_EQ(std::memcmp(got.data(), want.data(), got.size() * sizeof got[0]), 0);
}

TEST(CSurface, HeightFieldsAreThoseOfCpp) {
    const std::vector<std::uint16_t> samples{0, 100, 200, 50, 60, 70, 10, 20, 40, 30, 90, 80};
    const std::vector<std::uint8_t> holes{0, 0, 1, 0, 0, 0};
    lanefold_height_field field = LANEFOLD_HEIGHT_FIELD_INIT;
    field.samples = samples.data();
    field.is_uint16 = 1;
    field.rows = 3;
    field.columns = 4;
    field.dx = 0.5;
    field.scale = 0.01;
    field.holes = holes.data();
    lanefold_surface_report report = LANEFOLD_SURFACE_REPORT_INIT;
    lanefold_hulls* out = nullptr;
    const lanefold_status s = lanefold_build_height_field(&field, &out, &report);
    ASSERT_EQ(s.code, LANEFOLD_OK) << s.what;
    const CHulls own(out);
    EXPECT_EQ(report.triangles, 12U);
    const HeightSamples own_samples(samples.data(), 4);
    HeightFieldOptions options;
    options.rows = 3;
    options.columns = 4;
    options.dx = 0.5;
    options.scale = 0.01;
    options.holes = holes;
    const SurfaceResult built = build_height_field(std::span(&own_samples, 1), options);
    ASSERT_TRUE(built) << built.status.what;
    EXPECT_EQ(lanefold_hulls_fingerprint(out), surface_set(std::span(&built.surface, 1)).hulls.fingerprint());
    field.dx = 0;
    EXPECT_EQ(lanefold_build_height_field(&field, &out, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(out, nullptr);
    field.struct_size = 0;
    EXPECT_EQ(lanefold_build_height_field(&field, &out, nullptr).code, LANEFOLD_BAD_ARGUMENT);
}

TEST(CSurface, BadInputIsRefusedWithItsPlace) {
    Mesh mesh(6);
    lanefold_hulls* out = nullptr;
    EXPECT_EQ(lanefold_build_surface(nullptr, 3, mesh.triangles[0].data(), 1, nullptr, &out, nullptr).code,
              LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(mesh.build(nullptr, nullptr, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    mesh.triangles[9][1] = 1000;
    const lanefold_status s = mesh.build(nullptr, &out, nullptr);
    EXPECT_EQ(s.code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(s.where, 9U);
    EXPECT_EQ(out, nullptr);
    mesh.triangles.assign(1, {0, 0, 1});
    EXPECT_EQ(mesh.build(nullptr, &out, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_surface_triangle(nullptr, 0, 0, nullptr, nullptr).code, LANEFOLD_BAD_ARGUMENT);
}

}  // namespace
}  // namespace lanefold::test
