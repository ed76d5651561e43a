// SPDX-License-Identifier: MIT
//
// Two level tiles side by side as one surface of hulls: a body that has sagged slides over the seam and meets no side of
// a tile. As two hulls the next tile's side is the smallest overlap, and stops it.

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/collide_surface.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"

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

}  // namespace
}  // namespace lanefold::test
