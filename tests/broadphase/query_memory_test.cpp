// SPDX-License-Identifier: MIT
//
// Queries allocate nothing once their workspace has seen as many.
#include <gtest/gtest.h>

#include <vector>

#include <lanefold/scene_queries.hpp>

#include "support/counted_new.hpp"
#include "support/ray_scene.hpp"

namespace lanefold::test {
namespace {

TEST(QueryMemory, RepeatedQueriesAllocateNothing) {
    const RayScenery s = make_ray_scene({51, 200, 800, 8, {}});
    PairFinder finder;
    ASSERT_TRUE(finder.find(s.hulls, s.view()).status);
    std::vector<BodyD> begin(s.bodies.begin(), s.bodies.end() - 1);
    std::erase_if(begin, [&](const BodyD& b) { return s.hulls.child_count(b.hull) != 0; });
    std::vector<BodyD> end = begin;
    for (BodyD& b : end) b.position[0] += 3;
    const std::vector<float> radii(begin.size(), 2);
    std::vector<RayHit> first(s.rays.size());
    std::vector<std::uint64_t> ray_offsets(s.rays.size() + 1);
    std::vector<RayHit> hits(20 * s.rays.size());
    std::vector<std::uint64_t> offsets(begin.size() + 1);
    std::vector<std::uint32_t> bodies(begin.size() * begin.size());
    std::vector<ClosestPoints> closest(begin.size() * 200);
    std::vector<ShapeHit> casts(begin.size() * 200);
    QueryWorkspace workspace;
    QueryOptions options;
    options.threads = 1;
    std::uint64_t records[5] = {};
    const auto call = [&] {
        const BodyView shapes(begin);
        ASSERT_TRUE(cast_rays(finder, s.rays, first, workspace, {}, options).status);
        const RayResult all = cast_rays_all(finder, s.rays, ray_offsets, hits, workspace, {}, options);
        ASSERT_TRUE(all.status);
        const QueryResult r[3] = {
            overlap_scene(finder, shapes, 0.5F, offsets, bodies, workspace, options),
            closest_points_all(finder, shapes, radii, offsets, closest, workspace, options),
            cast_shapes_all(finder, shapes, BodyView(end), {}, offsets, casts, workspace, {}, options)};
        records[0] = all.written;
        for (int k = 0; k < 3; ++k) {
            ASSERT_TRUE(r[k].status) << r[k].status.what;
            records[k + 1] = r[k].written;
        }
    };
    call();
    const std::uint64_t before = allocations;
    call();
    EXPECT_EQ(allocations - before, 0U);
    for (int k = 0; k < 4; ++k) EXPECT_GT(records[k], 100U) << k;
}

}  // namespace
}  // namespace lanefold::test
