// SPDX-License-Identifier: MIT
//
// The hierarchy of a mesh: the same triangles as all boxes one by one, in no more than 64 bytes a triangle.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/surface.hpp>

#include "support/meshes.hpp"
#include "support/random.hpp"
#include "surface/triangle_tree.hpp"

namespace lanefold::test {
namespace {

std::vector<std::uint32_t> by_brute_force(const Surface& surface, const SurfaceBox& box) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        const Triangle v = surface.triangle(t);
        const auto vertices = surface.vertices();
        if (detail::meets(detail::box_of(vertices[v[0]], vertices[v[1]], vertices[v[2]]), box)) found.push_back(t);
    }
    return found;
}

// Sizes of all scales, some of them points and planes, some far outside.
SurfaceBox random_box(const Surface& surface, Random& random) {
    const SurfaceBox b = surface.bounds();
    const Vec3d side = b.high - b.low;
    const Vec3d at{b.low.x + side.x * random.uniform(-0.1, 1.1), b.low.y + side.y * random.uniform(-0.1, 1.1),
                   b.low.z + side.z * random.uniform(-0.1, 1.1)};
    const double size = 2 * surface.size();
    Vec3d half{size * random.log_uniform(1e-7, 0.3), size * random.log_uniform(1e-7, 0.3),
               size * random.log_uniform(1e-7, 0.3)};
    if (random.chance(0.1)) half.z = 0;
    if (random.chance(0.1)) half.x = 0;
    SurfaceBox box{at - half, at + half};
    // A side exactly on a vertex: closed boxes meet.
    if (random.chance(0.3))
        box.low.x = surface.view().position(random.index(static_cast<std::uint32_t>(surface.vertex_count()))).x;
    return box;
}

// Triangles whose sides differ by 1e6, far from the origin on an axis.
Mesh mixed_mesh(std::uint64_t seed) {
    Mesh mesh;
    Random random(seed);
    for (std::uint32_t i = 0; i < 900; ++i) {
        const Vec3d at = random.in_ball() * 100.0 + Vec3d{3000, 0, -1};
        const double size = random.log_uniform(1e-3, 1e3);
        for (int k = 0; k < 3; ++k) mesh.points.push_back(to_float(at + random.in_ball() * size));
        mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    return mesh;
}

TEST(SurfaceTree, QueriesEqualBruteForce) {
    SurfaceOptions options;
    options.drop_opposite = false;
    options.split_t_junctions = false;
    std::uint64_t queries = 0;
    std::uint64_t found = 0;
    std::uint64_t none = 0;
    for (const Mesh& mesh : {grid_mesh(1, 0, 1), grid_mesh(20, 0, 1), grid_mesh(31, 0.2F, 2), ball_mesh(12, 30, 1e-3F),
                             ball_mesh(20, 20, 1e6F), mixed_mesh(3), mixed_mesh(4)}) {
        const SurfaceResult built = build_surface(mesh.points, mesh.triangles, options);
        ASSERT_TRUE(built);
        Random random(5, mesh.triangles.size());
        std::vector<std::uint32_t> out;
        for (int i = 0; i < 15000; ++i, ++queries) {
            const SurfaceBox box = random_box(built.surface, random);
            built.surface.view().candidates(box, out);
            ASSERT_EQ(out, by_brute_force(built.surface, box)) << "query " << i;
            found += out.size();
            none += out.empty() ? 1U : 0U;
        }
    }
    EXPECT_GE(queries, 100000u);
    EXPECT_GT(found, queries);
    EXPECT_GT(none, queries / 20);
    EXPECT_LT(none, queries * 2 / 3);
}

TEST(SurfaceTree, CodedBoxesContainTheirChildren) {
    const Mesh mesh = mixed_mesh(7);
    std::vector<detail::ItemBox> boxes;
    for (const Triangle& t : mesh.triangles)
        boxes.push_back(detail::box_of(mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]));
    const detail::TriangleTree tree = detail::build_tree(boxes);
    const detail::SurfaceTree view = tree.view();
    ASSERT_EQ(view.levels, 4u);
    EXPECT_EQ(view.nodes[view.levels - 1], 1u);
    std::vector<bool> seen(boxes.size(), false);
    double coded = 0;
    double real = 0;
    for (std::uint32_t i = 0; i < view.items; ++i) {
        const detail::ItemBox box = detail::child_box(view.level[0][i / 8], i % 8);
        const detail::ItemBox& item = boxes[view.order[i]];
        seen[view.order[i]] = true;
        for (int a = 0; a < 3; ++a) {
            EXPECT_LE(box.low[a], item.low[a]);
            EXPECT_GE(box.high[a], item.high[a]);
            coded += static_cast<double>(box.high[a] - box.low[a]);
            real += static_cast<double>(item.high[a] - item.low[a]);
        }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(boxes.size()));
    EXPECT_LT(coded, 2 * real);
}

TEST(SurfaceTree, BoxesThatAreNoneFindNothing) {
    const Mesh mesh = grid_mesh(4, 0.1F, 1);
    const Surface surface = build_surface(mesh.points, mesh.triangles).surface;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::uint32_t> out;
    surface.view().candidates({{nan, 0, 0}, {1, 1, 1}}, out);
    EXPECT_TRUE(out.empty());
    surface.view().candidates({{0, 0, 0}, {1, nan, 1}}, out);
    EXPECT_TRUE(out.empty());
    surface.view().candidates({{1, 1, 1}, {0, 0, 0}}, out);
    EXPECT_TRUE(out.empty());
    surface.view().candidates({{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}}, out);
    EXPECT_EQ(out.size(), 32u);
    Surface().view().candidates({{0, 0, 0}, {1, 1, 1}}, out);
    EXPECT_TRUE(out.empty());
}

double bytes_per_triangle(const Surface& surface) {
    return static_cast<double>(surface.bytes() - surface.vertex_bytes()) /
           static_cast<double>(surface.triangle_count());
}

TEST(SurfaceTree, MillionTrianglesTakeAtMost64BytesEach) {
    const Mesh terrain = grid_mesh(708, 0.01F, 1);
    ASSERT_GT(terrain.triangles.size(), 1000000u);
    const std::vector<std::uint16_t> materials(terrain.triangles.size(), 3);
    SurfaceOptions options;
    options.materials = materials;
    const SurfaceResult built = build_surface(terrain.points, terrain.triangles, options);
    ASSERT_TRUE(built);
    EXPECT_EQ(built.surface.triangle_count(), terrain.triangles.size());
    EXPECT_LE(bytes_per_triangle(built.surface), 64);
    RecordProperty("bytes_per_triangle", std::to_string(bytes_per_triangle(built.surface)));
    std::vector<std::uint32_t> out;
    Random random(1);
    for (int i = 0; i < 10; ++i) {
        const SurfaceBox box = random_box(built.surface, random);
        built.surface.view().candidates(box, out);
        EXPECT_EQ(out, by_brute_force(built.surface, box));
    }
    // Triangles that share nothing have three vertices each.
    Mesh apart;
    for (std::uint32_t i = 0; i < 1000; ++i)
        apart.add(Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, {2 * static_cast<float>(i), 0, 0});
    EXPECT_LE(bytes_per_triangle(build_surface(apart.points, apart.triangles).surface), 64);
}

}  // namespace
}  // namespace lanefold::test
