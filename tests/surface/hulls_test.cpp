// SPDX-License-Identifier: MIT
//
// surface_of_hulls: fixed pieces become one surface without the walls between them, in any pose.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/hash.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/surface.hpp>

#include "support/hulls.hpp"
#include "support/meshes.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

using detail::EdgeKind;

HullSet boxes(const std::vector<Vec3f>& halves) {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    for (const Vec3f& h : halves) {
        for (int i = 0; i < 8; ++i)
            points.push_back({(i & 1) != 0 ? h.x : -h.x, (i & 2) != 0 ? h.y : -h.y, (i & 4) != 0 ? h.z : -h.z});
        offsets.push_back(points.size());
    }
    return build_hulls(points, offsets).hulls;
}

// Pieces as a whole in another pose.
void turn_all(std::vector<SurfacePiece>& pieces, const Quat& q, const Vec3d& by) {
    for (SurfacePiece& p : pieces) {
        p.position = rotation(q) * p.position + by;
        p.orientation = q;  // they all stood upright
    }
}

void expect_closed(const Surface& s, double volume, double area) {
    EXPECT_EQ(surface_fault(s), "");
    EXPECT_EQ(s.report().border_edges, 0u);
    EXPECT_EQ(s.report().unhealed.count, 0u);
    EXPECT_EQ(s.report().winding.count, 0u);
    EXPECT_NEAR(enclosed_volume(s), volume, 1e-5 * volume);
    EXPECT_NEAR(surface_area(s), area, 1e-5 * area);
}

TEST(SurfaceOfHulls, HullIsItsOwnSurface) {
    Random random(1);
    for (int i = 0; i < static_cast<int>(kShapeCount); ++i) {
        const BuildResult hull = build_hull(make_points(static_cast<Shape>(i), random));
        if (!hull) continue;
        const SurfacePiece piece{0, {1, 2, 3}, random.rotation(), 7};
        SurfaceOptions options;
        options.weld_tolerance = 0;
        const SurfaceResult built = surface_of_hulls(hull.hulls, {&piece, 1}, options);
        ASSERT_TRUE(built) << built.status.what;
        const double volume = hull.hulls.info(0).mass.volume;
        if (built.surface.report().degenerate.count > 0) continue;
        EXPECT_EQ(surface_fault(built.surface), "");
        EXPECT_EQ(built.surface.report().border_edges, 0u);
        EXPECT_EQ(built.surface.material(0), 7);
        const Surface& s = built.surface;
        double found = 0;
        const Vec3d at = s.view().position(0);
        for (std::uint32_t t = 0; t < s.triangle_count(); ++t) {
            const detail::SurfaceFace f = s.view().face(t);
            found += dot(f.corner[0] - at, cross(f.corner[1] - at, f.corner[2] - at)) / 6;
        }
        EXPECT_NEAR(found, volume, 1e-4 * volume);
    }
}

// A wall of bricks, every second row shifted by a part of a brick.
std::vector<SurfacePiece> wall(int rows, int columns, const Vec3d& half, double shift) {
    std::vector<SurfacePiece> pieces;
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            SurfacePiece p;
            p.position = {2 * half.x * c + (r % 2 != 0 ? shift : 0), 0, 2 * half.z * r};
            p.material = static_cast<std::uint16_t>(r);
            pieces.push_back(p);
        }
    }
    return pieces;
}

TEST(SurfaceOfHulls, WallsOfBricksHaveNoSeams) {
    Random random(3);
    const Vec3f half{0.5F, 0.25F, 0.15F};
    const HullSet hulls = boxes({half});
    for (int i = 0; i < 60; ++i) {
        const int rows = static_cast<int>(random.between(1, 6));
        const int columns = static_cast<int>(random.between(1, 6));
        const double shift = random.chance(0.2) ? 0 : random.uniform(0.05, 0.95);
        std::vector<SurfacePiece> pieces = wall(rows, columns, to_double(half), shift);
        if (i > 5) turn_all(pieces, random.rotation(), random.arrow(0, 10));
        const SurfaceResult built = surface_of_hulls(hulls, pieces);
        ASSERT_TRUE(built) << built.status.what;
        const double h = 2.0 * static_cast<double>(half.z);
        const double front = rows * columns * h;
        const double area = 2 * front + 2 * rows * 0.5 * h + 2 * columns * 0.5 + (rows - 1) * 2 * shift * 0.5;
        SCOPED_TRACE("wall " + std::to_string(i) + " of " + std::to_string(rows) + " x " + std::to_string(columns) +
                     " shift " + std::to_string(shift));
        expect_closed(built.surface, front * 0.5, area);
        for (std::uint32_t t = 0; t < built.surface.triangle_count(); ++t) {
            ASSERT_LT(built.surface.input_triangle(t), pieces.size());
            EXPECT_EQ(built.surface.material(t), pieces[built.surface.input_triangle(t)].material);
        }
    }
}

TEST(SurfaceOfHulls, BitsArePinned) {
    const Vec3f half{0.5F, 0.25F, 0.15F};
    std::vector<SurfacePiece> pieces = wall(5, 4, to_double(half), 0.4);
    turn_all(pieces, Random(8).rotation(), {10, -20, 30});
    const SurfaceResult built = surface_of_hulls(boxes({half}), pieces);
    ASSERT_TRUE(built) << built.status.what;
    EXPECT_EQ(hash_string(built.surface.fingerprint()), "8a90461f0499566a");
    EXPECT_EQ(built.surface.triangle_count(), 212u);
}

TEST(SurfaceOfHulls, FloorsOfTilesAreFlat) {
    Random random(4);
    const HullSet hulls = boxes({{0.5F, 0.5F, 0.1F}, {1.0F, 1.0F, 0.1F}, {0.5F, 1.0F, 0.1F}});
    for (int i = 0; i < 20; ++i) {
        // A square of 8 x 8 tiles, four of which are one large tile here and there, and two one long tile.
        std::vector<SurfacePiece> pieces;
        for (int x = 0; x < 8; x += 2) {
            for (int y = 0; y < 8; y += 2) {
                const std::uint32_t kind = random.index(3);
                for (int k = 0; k < (kind == 0 ? 4 : kind == 1 ? 1 : 2); ++k) {
                    SurfacePiece p;
                    p.hull = kind;
                    p.position = {x + (kind == 1 ? 0.5 : k % 2), y + (kind == 0 ? static_cast<double>(k / 2) : 0.5),
                                  -0.1};
                    pieces.push_back(p);
                }
            }
        }
        const Quat q = i % 2 == 0 ? Quat{} : random.rotation();
        turn_all(pieces, q, i % 2 == 0 ? Vec3d{} : random.arrow(0, 5));
        const SurfaceResult built = surface_of_hulls(hulls, pieces);
        ASSERT_TRUE(built) << built.status.what;
        expect_closed(built.surface, 64 * 0.2, 2 * 64 + 4 * 8 * 0.2);
        const Vec3d up = rotation(q) * Vec3d{0, 0, 1};
        const detail::SurfaceView& view = built.surface.view();
        std::uint64_t tops = 0;
        for (std::uint32_t t = 0; t < view.triangle_count(); ++t) {
            const detail::SurfaceFace f = view.face(t);
            if (dot(f.normal, up) < 0.5) continue;
            ++tops;
            EXPECT_LT(length(f.normal - up), 3e-6);
            for (const detail::SurfaceEdge& e : f.edge) {
                // Flat within the floor; its rim is convex.
                const bool within = dot(e.arc_end, up) > 0.5;
                EXPECT_EQ(e.kind, within ? EdgeKind::flat : EdgeKind::convex);
            }
        }
        EXPECT_GE(tops, 32u);
    }
}

TEST(SurfaceOfHulls, BadPiecesAreRefused) {
    const HullSet hulls = boxes({{1, 1, 1}});
    std::vector<SurfacePiece> pieces(3);
    const auto expect_refused = [&](const HullSet& set, std::uint64_t where) {
        const SurfaceResult built = surface_of_hulls(set, pieces);
        EXPECT_EQ(built.status.code, Status::bad_argument);
        EXPECT_EQ(built.status.where, where) << built.status.what;
        EXPECT_TRUE(built.surface.empty());
    };
    pieces[1].hull = 1;
    expect_refused(hulls, 1);
    pieces[1].hull = 0;
    pieces[2].position.y = NAN;
    expect_refused(hulls, 2);
    pieces[2].position.y = 0;
    pieces[0].orientation = {0, 0, 0, 2};
    expect_refused(hulls, 0);
    pieces[0].orientation = {};
    const std::vector<Vec3f> segment = {{0, 0, 0}, {1, 0, 0}};
    BuildOptions round;
    round.radius = 0.5F;
    expect_refused(build_hull(segment, round).hulls, 0);
    EXPECT_TRUE(surface_of_hulls(hulls, {}).surface.empty());
    // The same piece three times is one box.
    const SurfaceResult one = surface_of_hulls(hulls, pieces);
    ASSERT_TRUE(one);
    EXPECT_EQ(one.surface.triangle_count(), 12u);
    EXPECT_EQ(one.surface.report().duplicate.count, 24u);
}

}  // namespace
}  // namespace lanefold::test
