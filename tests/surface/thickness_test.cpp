// SPDX-License-Identifier: MIT
//
// Triangles that a surface's thickness leaves out.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <lanefold/collide_surface.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"
#include "surface/flat_meshes.hpp"

namespace lanefold::test {
namespace {

// A floor ends at a wall that leans over. A bar stands before the wall, a little steeper than it, and so long that its
// upper end is below the wall's plane by more than the thickness: the wall takes no part. From the floor's end to the
// bar's tip it is 0.1 m, but the edge there is concave and has no contact.
TEST(SurfaceThickness, NeighboursOfWhatIsLeftOutHaveNoContactOfTheirOwn) {
    FlatMesh mesh;
    for (const double x : {-1.0, 0.0}) {
        for (const double y : {1.0, -1.0}) mesh.add(x, y);
    }
    for (const double y : {1.0, -1.0}) mesh.add(0.2, y, 0.6);
    mesh.quad(0, 1, 3, 2);
    mesh.quad(2, 3, 5, 4);
    const std::vector<Points> bar{box_points(0.002, 0.002, 1.6)};
    const Library library = build_library(bar);
    const double lean = std::atan2(1.0, 2.9);
    BodyD body{};
    set_orientation(body, about({0, 1, 0}, lean));
    body.position[0] = 0.02 + 1.6 * std::sin(lean);
    body.position[2] = 0.1 + 1.6 * std::cos(lean);
    Options contact;
    contact.margin = 0.2F;
    for (const bool thin : {false, true}) {
        SurfaceOptions options;
        if (thin) options.thickness = 0.01F;
        const SurfaceResult surface = build_surface(mesh.points, mesh.triangles, options);
        ASSERT_TRUE(surface);
        SurfaceContacts out;
        ASSERT_TRUE(
            collide_surface(surface.surface, {}, library.hulls, std::span<const BodyD>(&body, 1), {}, contact, out));
        EXPECT_EQ(out.records.size(), thin ? 0U : 1U);
    }
}

}  // namespace
}  // namespace lanefold::test
