// SPDX-License-Identifier: MIT
//
// Level tiles side by side as one surface of hulls: a body that has sagged slides over the seam and meets no side of a
// tile. As two hulls the next tile's side is the smallest overlap, and stops it.

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/collide_surface.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"
#include "surface/flat_meshes.hpp"

namespace lanefold::test {
namespace {

TEST(Seams, BodiesThatSaggedSlideOverThem) {
    const std::vector<Points> lists{box_points(5, 5, 0.5), box_points(0.25, 0.25, 0.25), Points{{0, 0, 0}}};
    const Library library = build_library(lists, std::array<float, 3>{0, 0, 0.25F});
    std::vector<SurfacePiece> tiles(4);
    for (std::size_t i = 0; i < tiles.size(); ++i)
        tiles[i].position = {i % 2 == 0 ? -5.0 : 5.0, i < 2 ? -5.0 : 5.0, -0.5};
    const SurfaceResult built = surface_of_hulls(library.hulls, tiles);
    ASSERT_TRUE(built) << built.status.what;
    std::uint32_t slid = 0;
    for (const double sag : {0.0, 1e-6, 5e-5, 1e-3, 0.05}) {
        for (const double yaw : {0.0, 0.3, 0.785}) {
            for (const double y : {-2.0, 0.0, 0.1}) {
                std::vector<BodyD> bodies;
                for (std::uint32_t hull = 1; hull < 3; ++hull) {
                    for (int step = 0; step < 41; ++step) {
                        BodyD b{};
                        b.hull = hull;
                        set_orientation(b, about({0, 0, 1}, yaw));
                        b.position[0] = -0.5 + 0.025 * step;
                        b.position[1] = y;
                        b.position[2] = 0.25 - sag;
                        bodies.push_back(b);
                    }
                }
                Options options;
                options.margin = 1e-4F;
                SurfaceContacts out;
                ASSERT_TRUE(collide_surface(built.surface, {}, library.hulls, bodies, {}, options, out));
                ASSERT_EQ(out.records.size(), bodies.size()) << sag << " " << yaw << " " << y;
                for (const Manifold4& m : out.records) {
                    EXPECT_EQ(m.normal[2], -1.0F);
                    EXPECT_NEAR(static_cast<double>(m.distance), -sag, 1e-6);
                    EXPECT_EQ(m.count, bodies[m.pair[0]].hull == 1 ? 4 : 1);
                    ++slid;
                }
            }
        }
    }
    EXPECT_EQ(slid, 5U * 9U * 82U);
}

TEST(Seams, RoundedHeightsOfATiltedPlaneAreOnePlane) {
    const std::vector<Points> lists{box_points(0.5, 0.5, 0.5)};
    const Library library = build_library(lists, std::array<float, 1>{0});
    Random random(9);
    FlatMesh mesh = flat_mesh(Tiling::alternating, 120, 0.05, random);
    for (Vec3f& p : mesh.points) {
        p.x += 50;
        p.z = static_cast<float>(0.37 * static_cast<double>(p.x) + 0.21 * static_cast<double>(p.y));
    }
    const Surface surface = mesh.build();
    const Vec3d up = normalized(Vec3d{-0.37, -0.21, 1});
    const Vec3d side = cross(up, Vec3d{0, 0, 1});
    for (const double turn : {0.0, 0.4, 1.1}) {
        BodyD b{};
        set_orientation(b, about(up, turn) * about(normalized(side), -std::acos(up.z)));
        const Vec3d at = Vec3d{50.02, 0.03, 0.37 * 50.02 + 0.21 * 0.03} + up * 0.499;
        b.position[0] = at.x, b.position[1] = at.y, b.position[2] = at.z;
        SurfaceContacts out;
        const std::span<const BodyD> bodies(&b, 1);
        ASSERT_TRUE(collide_surface(surface, {}, library.hulls, bodies, {}, {}, out));
        ASSERT_EQ(out.records.size(), 1U) << turn;
        const Manifold4& m = out.records[0];
        EXPECT_EQ(m.count, 4);
        EXPECT_EQ(m.total, 4);
        EXPECT_LT(length(Vec3d{m.normal[0], m.normal[1], m.normal[2]} + up), 3e-4);
        EXPECT_NEAR(static_cast<double>(m.distance), -0.001, 2e-5);
    }
}

}  // namespace
}  // namespace lanefold::test
