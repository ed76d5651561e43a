// SPDX-License-Identifier: MIT
//
// build_surface: welding, seams, copies, unusual edges, and arguments that are refused.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/surface.hpp>

#include "support/meshes.hpp"

namespace lanefold::test {
namespace {

using detail::EdgeKind;

Surface built(const Mesh& mesh, const SurfaceOptions& options = {}) {
    const SurfaceResult result = build_surface(mesh.points, mesh.triangles, options);
    EXPECT_TRUE(result) << result.status.what;
    EXPECT_EQ(surface_fault(result.surface), "");
    return result.surface;
}

std::uint64_t edges_of(const Surface& surface, EdgeKind kind) {
    std::uint64_t count = 0;
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        for (int k = 0; k < 3; ++k) count += surface.view().edge_kind(t, k) == kind ? 1U : 0U;
    }
    return count;
}

void expect_untouched(const Surface& surface) {
    const SurfaceReport& r = surface.report();
    for (const SurfaceFinding* f : {&r.welded, &r.copies, &r.degenerate, &r.duplicate, &r.opposite, &r.cut, &r.split,
                                    &r.non_manifold, &r.winding, &r.unhealed}) {
        EXPECT_EQ(f->count, 0u);
    }
    EXPECT_EQ(r.largest_movement, 0);
}

TEST(SurfaceBuilder, CleanMeshStaysAsItIs) {
    const Mesh mesh = grid_mesh(8, 0.2F, 1);
    const Surface surface = built(mesh);
    expect_untouched(surface);
    ASSERT_EQ(surface.triangle_count(), mesh.triangles.size());
    ASSERT_EQ(surface.vertex_count(), mesh.points.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        EXPECT_EQ(surface.triangle(t), mesh.triangles[t]);
        EXPECT_EQ(surface.input_triangle(t), t);
        EXPECT_EQ(surface.material(t), 0);
    }
    for (std::uint32_t v = 0; v < mesh.points.size(); ++v) EXPECT_EQ(surface.vertices()[v], mesh.points[v]);
    EXPECT_EQ(surface.report().border_edges, 32u);
    EXPECT_GT(edges_of(surface, EdgeKind::convex), 50u);
    EXPECT_GT(edges_of(surface, EdgeKind::concave), 50u);
    EXPECT_EQ(surface.thickness(), HUGE_VALF);
}

TEST(SurfaceBuilder, BoxHasConvexEdgesAndFlatDiagonals) {
    const Surface surface = built(box_mesh({-1, -2, -3}, {1, 2, 3}));
    EXPECT_EQ(edges_of(surface, EdgeKind::convex), 24u);
    EXPECT_EQ(edges_of(surface, EdgeKind::flat), 12u);
    EXPECT_EQ(surface.report().border_edges, 0u);
    EXPECT_DOUBLE_EQ(enclosed_volume(surface), 48);
    // The cone of a corner is its octant.
    for (std::uint32_t v = 0; v < 8; ++v) {
        const Vec3d p = surface.view().position(v);
        EXPECT_TRUE(surface.view().in_cone(v, normalized(p)));
        EXPECT_FALSE(surface.view().in_cone(v, {-p.x, p.y, p.z}));
    }
    // The same box turned inside out: a room.
    Mesh room = box_mesh({-1, -2, -3}, {1, 2, 3});
    for (Triangle& t : room.triangles) std::swap(t[1], t[2]);
    EXPECT_EQ(edges_of(built(room), EdgeKind::concave), 24u);
}

TEST(SurfaceBuilder, SoupIsWeldedToTheMeshItCameFrom) {
    for (const Mesh& mesh : {grid_mesh(6, 0.3F, 2), box_mesh({0, 0, 0}, {1, 2, 3}), ball_mesh(12, 20, 5)}) {
        const Surface whole = built(mesh);
        const Surface welded = built(soup(mesh));
        EXPECT_EQ(welded.triangle_count(), whole.triangle_count());
        EXPECT_EQ(welded.vertex_count(), whole.vertex_count());
        EXPECT_EQ(welded.report().border_edges, whole.report().border_edges);
        EXPECT_EQ(welded.report().copies.count, 3 * mesh.triangles.size() - mesh.points.size());
        EXPECT_EQ(welded.report().welded.count, 0u);
        for (std::uint32_t t = 0; t < whole.triangle_count(); ++t) {
            for (int k = 0; k < 3; ++k) {
                EXPECT_EQ(welded.neighbour(t, k), whole.neighbour(t, k));
                EXPECT_EQ(welded.view().edge_kind(t, k), whole.view().edge_kind(t, k));
            }
        }
    }
}

TEST(SurfaceBuilder, VerticesWithinToleranceMoveToTheEarliest) {
    Mesh mesh = grid_mesh(1, 0, 1);
    Mesh other = grid_mesh(1, 0, 1);
    for (Vec3f& p : other.points) p.x += 1.0F + 3e-7F;  // a rounding beside the first tile
    mesh.add(other);
    const Surface surface = built(mesh);
    EXPECT_EQ(surface.report().welded.count, 2u);
    EXPECT_EQ(surface.report().welded.places[0], 4u);
    EXPECT_NEAR(surface.report().largest_movement, 3.6e-7, 2e-7);
    EXPECT_LE(surface.report().largest_movement, surface.report().weld_tolerance);
    EXPECT_EQ(surface.report().border_edges, 6u);
    SurfaceOptions exact;
    exact.weld_tolerance = 0;
    EXPECT_EQ(built(mesh, exact).report().border_edges, 8u);
    SurfaceOptions wide;
    wide.weld_tolerance = 10;
    EXPECT_TRUE(built(mesh, wide).empty());
}

TEST(SurfaceBuilder, DegenerateTrianglesAreToldAndLeftOut) {
    Mesh mesh = grid_mesh(2, 0, 1);
    const std::size_t good = mesh.triangles.size();
    mesh.triangles.insert(mesh.triangles.begin() + 1, {3, 3, 4});
    mesh.triangles.push_back({0, 1, 2});  // on a line
    mesh.triangles.push_back({5, 5, 5});
    const Surface surface = built(mesh);
    EXPECT_EQ(surface.triangle_count(), good);
    EXPECT_EQ(surface.report().degenerate.count, 3u);
    EXPECT_EQ(surface.report().degenerate.places[0], 1u);
    EXPECT_EQ(surface.report().degenerate.places[1], good + 1);
    EXPECT_EQ(surface.input_triangle(0), 0u);
    EXPECT_EQ(surface.input_triangle(1), 2u);
    EXPECT_EQ(surface.report().border_edges, 8u);
}

// A T-junction: one large triangle beside an edge that is divided in `parts`.
Mesh t_junction(std::uint32_t parts) {
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0.3F, -1, 0}, {0.6F, 1, 0}};
    mesh.triangles = {{1, 0, 2}};
    std::uint32_t last = 0;
    for (std::uint32_t i = 1; i <= parts; ++i) {
        std::uint32_t next = 1;
        if (i < parts) {
            next = static_cast<std::uint32_t>(mesh.points.size());
            mesh.points.push_back({static_cast<float>(i) / static_cast<float>(parts), 0, 0});
        }
        mesh.triangles.push_back({last, next, 3});
        last = next;
    }
    return mesh;
}

TEST(SurfaceBuilder, TJunctionsAreDivided) {
    for (const std::uint32_t parts : {2u, 3u, 7u, 64u}) {
        const Surface surface = built(t_junction(parts));
        EXPECT_EQ(surface.report().split.count, 1u);
        EXPECT_EQ(surface.report().split.places[0], 0u);
        EXPECT_EQ(surface.triangle_count(), 2 * parts);
        EXPECT_EQ(surface.report().border_edges, 4u);
        EXPECT_EQ(surface.report().unhealed.count, 0u);
        EXPECT_EQ(edges_of(surface, EdgeKind::flat) + 4, 3 * surface.triangle_count());
        EXPECT_NEAR(surface_area(surface), 1, 1e-6);
        for (std::uint32_t t = 0; t < parts; ++t) EXPECT_EQ(surface.input_triangle(t), 0u);
        SurfaceOptions off;
        off.split_t_junctions = false;
        EXPECT_EQ(built(t_junction(parts), off).report().border_edges, 5 + parts);
        EXPECT_EQ(built(t_junction(parts), off).report().unhealed.count, 1u);
    }
}

TEST(SurfaceBuilder, TilesOfDifferentDivisionMeet) {
    // 3 x 3 flat tiles of 1 to 9 cells a side.
    Mesh mesh;
    for (std::uint32_t i = 0; i < 9; ++i)
        mesh.add(grid_mesh(i + 1, 0, 1), {static_cast<float>(i % 3), static_cast<float>(i / 3), 0});
    const Surface surface = built(mesh);
    EXPECT_EQ(surface.report().unhealed.count, 0u);
    EXPECT_EQ(surface.report().non_manifold.count, 0u);
    EXPECT_GT(surface.report().split.count, 5u);
    EXPECT_NEAR(surface_area(surface), 9, 1e-5);
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        const detail::SurfaceFace face = surface.view().face(t);
        EXPECT_EQ(face.normal, (Vec3d{0, 0, 1}));
        for (int k = 0; k < 3; ++k) {
            if (face.edge[k].kind != EdgeKind::border) {
                EXPECT_EQ(face.edge[k].kind, EdgeKind::flat);
                continue;
            }
            const Vec3d middle = (face.corner[k] + face.corner[(k + 1) % 3]) * 0.5;
            const bool outer = middle.x == 0 || middle.y == 0 || middle.x == 3 || middle.y == 3;
            EXPECT_TRUE(outer) << middle.x << " " << middle.y;
        }
    }
}

TEST(SurfaceBuilder, CopiesAndOppositeFacesVanish) {
    Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
    mesh.add(box_mesh({1, 0, 0}, {2, 1, 1}));
    mesh.triangles.push_back(mesh.triangles[0]);
    const Surface surface = built(mesh);
    EXPECT_EQ(surface.report().duplicate.count, 1u);
    EXPECT_EQ(surface.report().duplicate.places[0], 24u);
    EXPECT_EQ(surface.report().opposite.count + surface.report().cut.count, 4u);
    EXPECT_EQ(surface.report().border_edges, 0u);
    EXPECT_EQ(surface.report().non_manifold.count, 0u);
    EXPECT_NEAR(enclosed_volume(surface), 2, 1e-12);
    EXPECT_NEAR(surface_area(surface), 10, 1e-12);
    SurfaceOptions keep;
    keep.drop_opposite = false;
    const Surface both = built(mesh, keep);
    EXPECT_EQ(both.triangle_count(), 24u);
    EXPECT_GT(both.report().non_manifold.count, 0u);
}

TEST(SurfaceBuilder, FacesOfDifferentOutlineAreCut) {
    // A small box on a large one, off its centre, with either diagonals; then a wall of shifted bricks.
    for (const bool turned : {false, true}) {
        Mesh mesh = box_mesh({-2, -2, -1}, {2, 2, 0});
        mesh.add(box_mesh({-0.7F, -0.2F, 0}, {0.6F, 1.1F, 1}, turned));
        const Surface surface = built(mesh);
        EXPECT_EQ(surface.report().border_edges, 0u);
        EXPECT_EQ(surface.report().unhealed.count, 0u);
        EXPECT_EQ(surface.report().non_manifold.count, 0u);
        EXPECT_NEAR(enclosed_volume(surface), 16 + 1.69, 1e-5);
        EXPECT_NEAR(surface_area(surface), 2 * 16 + 4 * 4 + 4 * 1.3, 1e-5);
        EXPECT_EQ(surface.report().opposite.count, 2u);
        EXPECT_EQ(edges_of(surface, EdgeKind::concave) > 0, true);
    }
    Mesh wall;
    for (int row = 0; row < 4; ++row) {
        for (int i = 0; i < 5; ++i) {
            const float x = 1.1F * static_cast<float>(i) + (row % 2 != 0 ? 0.37F : 0.0F);
            const float z = 0.3F * static_cast<float>(row);
            wall.add(box_mesh({x, 0, z}, {x + 1.1F, 0.5F, z + 0.3F}, i % 2 != 0));
        }
    }
    const Surface surface = built(wall);
    EXPECT_EQ(surface.report().border_edges, 0u);
    EXPECT_EQ(surface.report().unhealed.count, 0u);
    EXPECT_NEAR(enclosed_volume(surface), 20 * 1.1 * 0.5 * 0.3, 1e-5);
    const double front = 4 * 5.5 * 0.3;
    const double ends = 4 * 0.5 * 0.3;
    EXPECT_NEAR(surface_area(surface), 2 * front + 2 * ends + 2 * 5.5 * 0.5 + 3 * 2 * 0.37 * 0.5, 1e-4);
}

TEST(SurfaceBuilder, EdgesOfManyTrianglesPairOuterWedges) {
    // Two boxes that share one edge only.
    Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
    mesh.add(box_mesh({1, 1, 0}, {2, 2, 1}));
    const Surface surface = built(mesh);
    EXPECT_EQ(surface.report().non_manifold.count, 4u);
    EXPECT_EQ(surface.report().border_edges, 0u);
    // Across that edge lies the other box's side: concave.
    EXPECT_EQ(edges_of(surface, EdgeKind::concave), 4u);
    EXPECT_EQ(edges_of(surface, EdgeKind::convex), 44u);

    // Three sheets at one edge: two run alike.
    Mesh fan;
    fan.points = {{0, 0, 0}, {1, 0, 0}, {0.5F, 1, 0}, {0.5F, -1, 0}, {0.5F, 0, 1}};
    fan.triangles = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
    const Surface three = built(fan);
    EXPECT_EQ(three.report().non_manifold.count, 3u);
    EXPECT_EQ(three.report().border_edges, 7u);
    // From (0, 1, 4), whose outer side faces -y, the next one is (1, 0, 3).
    EXPECT_EQ(three.neighbour(2, 0), 1u);
    EXPECT_EQ(three.view().edge_kind(2, 0), EdgeKind::concave);
    EXPECT_EQ(three.neighbour(0, 0), Surface::kBorder);
}

TEST(SurfaceBuilder, InconsistentWindingIsToldAndABorder) {
    Mesh mesh = grid_mesh(1, 0, 1);
    std::swap(mesh.triangles[1][0], mesh.triangles[1][1]);
    const Surface surface = built(mesh);
    EXPECT_EQ(surface.report().winding.count, 2u);
    EXPECT_EQ(surface.report().border_edges, 6u);
}

TEST(SurfaceBuilder, TouchingVerticesHaveOneRing) {
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {2, 2, 1}, {1, 2, 2}};
    mesh.triangles = {{0, 1, 2}, {0, 3, 4}, {0, 5, 6}};
    const Surface surface = built(mesh);
    std::vector<std::uint32_t> ring;
    surface.view().ring(0, ring);
    EXPECT_EQ(ring, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}));
}

TEST(SurfaceBuilder, MaterialsFollowTheirTriangles) {
    Mesh mesh = t_junction(3);
    mesh.triangles.insert(mesh.triangles.begin(), {0, 0, 1});
    const std::vector<std::uint16_t> materials = {9, 7, 1, 2, 3};
    SurfaceOptions options;
    options.materials = materials;
    options.thickness = 0.25F;
    const Surface surface = built(mesh, options);
    ASSERT_EQ(surface.triangle_count(), 6u);
    for (std::uint32_t t = 0; t < 6; ++t) EXPECT_EQ(surface.material(t), materials[surface.input_triangle(t)]);
    EXPECT_EQ(surface.thickness(), 0.25F);
}

TEST(SurfaceBuilder, FarPointsGetTheirOwnOrigin) {
    const Mesh mesh = ball_mesh(8, 12, 1);
    const Vec3d far{4.5e6, -3.2e5, 1e3};
    std::vector<Vec3d> points;
    for (const Vec3f& p : mesh.points) points.push_back(to_double(p) * 1.000000123 + far);
    const SurfaceResult refused = build_surface(points, mesh.triangles);
    EXPECT_EQ(refused.status.code, Status::bad_argument);
    EXPECT_TRUE(refused.surface.empty());
    SurfaceOptions options;
    options.origin = Origin::box_centre;
    const SurfaceResult moved = build_surface(points, mesh.triangles, options);
    ASSERT_TRUE(moved) << moved.status.what;
    EXPECT_EQ(surface_fault(moved.surface), "");
    EXPECT_EQ(moved.surface.triangle_count(), mesh.triangles.size());
    EXPECT_LT(moved.surface.rounding(), 1e-7);
    EXPECT_GT(moved.surface.rounding(), 0);
    for (std::uint32_t v = 0; v < moved.surface.vertex_count(); ++v) {
        EXPECT_LE(length(moved.surface.view().position(v) + moved.surface.shift() - points[v]),
                  moved.surface.rounding() + 1e-9);
    }
}

TEST(SurfaceBuilder, ArraysMakeTheSameSurfaceAgain) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < 4; ++i) mesh.add(grid_mesh(i + 2, 0.01F, i), {static_cast<float>(i), 0, 0});
    mesh.add(box_mesh({0, 0, 2}, {1, 1, 3}));
    const Surface surface = built(mesh);
    const SurfaceArrays arrays = surface_arrays(surface);
    SurfaceOptions exact;
    exact.weld_tolerance = 0;
    exact.split_t_junctions = false;
    exact.drop_opposite = false;
    const SurfaceResult again = build_surface(arrays.vertices, arrays.triangles, exact);
    ASSERT_TRUE(again);
    EXPECT_EQ(again.surface.fingerprint(), surface.fingerprint());
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        for (int k = 0; k < 3; ++k) EXPECT_EQ(again.surface.neighbour(t, k), surface.neighbour(t, k));
    }
    Mesh other = mesh;
    other.points[0].z += 0.1F;
    EXPECT_NE(built(other).fingerprint(), surface.fingerprint());
}

TEST(SurfaceBuilder, BadInputIsRefusedWithItsPlace) {
    const Mesh good = grid_mesh(2, 0, 1);
    const auto expect_refused = [](const Mesh& mesh, const SurfaceOptions& options, std::uint64_t where) {
        const SurfaceResult result = build_surface(mesh.points, mesh.triangles, options);
        EXPECT_EQ(result.status.code, Status::bad_argument);
        EXPECT_EQ(result.status.where, where) << result.status.what;
        EXPECT_NE(std::string(result.status.what), "");
        EXPECT_TRUE(result.surface.empty());
    };
    Mesh bad = good;
    bad.points[5].y = std::numeric_limits<float>::quiet_NaN();
    expect_refused(bad, {}, 5);
    bad = good;
    bad.points[3].x = 2e15F;
    expect_refused(bad, {}, 3);
    bad = good;
    bad.triangles[6][1] = 9;
    expect_refused(bad, {}, 6);
    SurfaceOptions options;
    options.weld_tolerance = std::numeric_limits<double>::quiet_NaN();
    expect_refused(good, options, 0);
    options = {};
    options.thickness = -1;
    expect_refused(good, options, 0);
    options = {};
    options.origin = Origin::centre_of_mass;
    expect_refused(good, options, 0);
    options = {};
    const std::vector<std::uint16_t> materials(3, 1);
    options.materials = materials;
    expect_refused(good, options, 3);
    EXPECT_TRUE(build_surface(std::span<const Vec3f>(), {}));
    EXPECT_TRUE(build_surface(std::span<const Vec3f>(), {}).surface.empty());
}

}  // namespace
}  // namespace lanefold::test
