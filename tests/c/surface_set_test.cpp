// SPDX-License-Identifier: MIT
//
// A surface as an id of a set, in C: the calls for pairs give the bytes of C++.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include <lanefold_surface.h>
#include <lanefold/surface_set.hpp>

#include "support/c_hulls.hpp"
#include "support/compound_calls.hpp"
#include "support/surface_scene.hpp"

namespace lanefold::test {
namespace {

TEST(CSurfaceSet, PairsWithItHaveTheBytesOfCpp) {
    const SurfaceArrays arrays = surface_arrays(rough_ground(6, 0.4F, 0.2F, 5));
    lanefold_surface* made = nullptr;
    ASSERT_EQ(lanefold_build_surface(&arrays.vertices[0].x, arrays.vertices.size(), arrays.triangles[0].data(),
                                     arrays.triangles.size(), nullptr, &made)
                  .code,
              LANEFOLD_OK);
    lanefold_hulls* set = nullptr;
    ASSERT_EQ(lanefold_surface_set(made, &set).code, LANEFOLD_OK);
    lanefold_surface_free(made);
    const CHulls ground(set);
    const SurfaceResult own = build_surface(arrays.vertices, arrays.triangles);
    ASSERT_TRUE(own);
    const BuildResult of_cpp = surface_set(std::span(&own.surface, 1));
    ASSERT_TRUE(of_cpp);
    EXPECT_EQ(lanefold_hulls_fingerprint(set), of_cpp.hulls.fingerprint());

    BatchScene scene = make_batch_scene(9, 40, 1);
    const CHulls shapes = c_hulls(scene.hulls);
    lanefold_hulls* both = nullptr;
    ASSERT_EQ(lanefold_hulls_append(shapes.get(), set, &both).code, LANEFOLD_OK);
    const CHulls all(both);
    scene.bodies[0].hull = static_cast<std::uint32_t>(scene.hulls.size());
    scene.hulls = scene.hulls.append(of_cpp.hulls);
    scene.pairs.clear();
    for (std::uint32_t i = 1; i < 40; ++i) scene.pairs.push_back({i % 2 == 0 ? i : 0, i % 2 == 0 ? 0 : i});
    const std::vector<Manifold4> want = compact_call<Manifold4>(scene, scene.options());
    ASSERT_GT(want.size(), 40U);
    std::vector<lanefold_manifold4> got(want.size());
    lanefold_options options = LANEFOLD_OPTIONS_INIT;
    options.margin = scene.margin;
    const lanefold_body_view view =
        lanefold_view_bodies(reinterpret_cast<const lanefold_body*>(scene.bodies.data()), scene.bodies.size());
    lanefold_result r = LANEFOLD_RESULT_INIT;
    lanefold_workspace* workspace = lanefold_workspace_create();
    const lanefold_status c =
        lanefold_collide_compact4(both, &view, reinterpret_cast<const lanefold_pair*>(scene.pairs.data()),
                                  scene.pairs.size(), &options, got.data(), got.size(), 0, workspace, &r);
    lanefold_workspace_free(workspace);
    ASSERT_EQ(c.code, LANEFOLD_OK) << c.what;
    EXPECT_EQ(r.written, want.size());
    EXPECT_EQ(std::memcmp(got.data(), want.data(), got.size() * sizeof got[0]), 0);
}

TEST(CSurfaceSet, NullIsRefused) {
    lanefold_hulls* set = nullptr;
    EXPECT_EQ(lanefold_surface_set(nullptr, &set).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_surface_set(nullptr, nullptr).code, LANEFOLD_BAD_ARGUMENT);
}

}  // namespace
}  // namespace lanefold::test
