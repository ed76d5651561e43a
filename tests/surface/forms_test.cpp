// SPDX-License-Identifier: MIT
//
// Bodies on surfaces whose contacts are known in closed form, and as other shapes have them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/collide_surface.hpp>
#include <lanefold/detail/precise.hpp>
#include <lanefold/detail/surface_view.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"
#include "surface/flat_meshes.hpp"

namespace lanefold::test {
namespace {

struct Placing {
    Vec3d position;
    Quat turn;
};

class Forms : public testing::Test {
protected:
    // Adds a hull; returns its id.
    std::uint32_t add(Points points, float radius = 0) {
        lists_.push_back(std::move(points));
        radii_.push_back(radius);
        return static_cast<std::uint32_t>(lists_.size() - 1);
    }

    std::vector<Manifold4> collide(const FlatMesh& mesh, std::uint32_t hull, const Placing& at, float margin = 0,
                                   float preference = kDefaultFacePreference, const Vec3d& far = {}) {
        library_ = build_library(lists_, radii_);
        BodyD b{};
        b.hull = hull;
        const Vec3d p = at.position + far;
        b.position[0] = p.x, b.position[1] = p.y, b.position[2] = p.z;
        set_orientation(b, at.turn);
        SurfacePose pose;
        pose.position[0] = far.x, pose.position[1] = far.y, pose.position[2] = far.z;
        Options options;
        options.margin = margin;
        options.face_preference = preference;
        SurfaceContacts out;
        const std::span<const BodyD> bodies(&b, 1);
        EXPECT_TRUE(collide_surface(mesh.build(), pose, library_.hulls, bodies, {}, options, out));
        return out.records;
    }

    // A box of twelve triangles about the origin.
    static FlatMesh box_mesh(double hx, double hy, double hz) {
        FlatMesh m;
        for (int i = 0; i < 8; ++i) m.add((i & 1) != 0 ? hx : -hx, (i & 2) != 0 ? hy : -hy, (i & 4) != 0 ? hz : -hz);
        m.quad(0, 2, 3, 1);
        m.quad(4, 5, 7, 6);
        m.quad(0, 1, 5, 4);
        m.quad(2, 6, 7, 3);
        m.quad(0, 4, 6, 2);
        m.quad(1, 3, 7, 5);
        return m;
    }

    // Two slopes that meet in the line y = 0, z = 0, up (ridge) or down (valley) by `slope`.
    static FlatMesh slopes(double slope, double width = 4) {
        FlatMesh m;
        for (const double y : {-width, 0.0, width}) {
            for (const double x : {-4.0, 4.0}) m.add(x, y, -slope * std::fabs(y));
        }
        m.quad(0, 1, 3, 2);
        m.quad(2, 3, 5, 4);
        return m;
    }

    std::vector<Points> lists_;
    std::vector<float> radii_;
    Library library_;
};

double area_of(const Manifold4& m) {
    // The points in their order about their middle, seen from above.
    std::vector<std::array<double, 3>> p;
    double cx = 0;
    double cy = 0;
    for (int i = 0; i < m.count; ++i) {
        cx += static_cast<double>(m.points[i].position[0]) / m.count;
        cy += static_cast<double>(m.points[i].position[1]) / m.count;
    }
    for (int i = 0; i < m.count; ++i) {
        const double x = static_cast<double>(m.points[i].position[0]);
        const double y = static_cast<double>(m.points[i].position[1]);
        p.push_back({std::atan2(y - cy, x - cx), x, y});
    }
    std::sort(p.begin(), p.end());
    double area = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const auto& a = p[i];
        const auto& b = p[(i + 1) % p.size()];
        area += 0.5 * (a[1] * b[2] - a[2] * b[1]);
    }
    return area;
}

Vec3d normal_of(const Manifold4& m) { return {m.normal[0], m.normal[1], m.normal[2]}; }

TEST_F(Forms, BoxFootOnADenseFieldKeepsItsCorners) {
    Random random(7);
    const std::uint32_t box = add(box_points(0.5, 0.5, 0.5));
    for (const double tilt : {0.0, 1e-5, 1e-3}) {
        for (std::uint32_t tiling = 0; tiling < kTilingCount; ++tiling) {
            const FlatMesh mesh = flat_mesh(static_cast<Tiling>(tiling), 30, 0.07, random);
            const auto r = collide(mesh, box, {{0.011, -0.023, 0.497}, about({0.6, 0.8, 0}, tilt)});
            ASSERT_EQ(r.size(), 1U) << tiling << " " << tilt;
            EXPECT_EQ(r[0].count, 4);
            EXPECT_EQ(r[0].total, 4);
            EXPECT_EQ(r[0].kind, ContactKind::face_b);
            EXPECT_NEAR(area_of(r[0]), 1.0, 0.01);
            const double depth = 0.003 + (0.5 * (0.6 + 0.8)) * std::sin(tilt) - 0.5 * (1 - std::cos(tilt));
            EXPECT_NEAR(static_cast<double>(r[0].distance), -depth, 2e-6);
        }
    }
}

TEST_F(Forms, FlatFieldIsABoxTop) {
    Random random(8);
    Library shapes = random_library(99, 26, all_shapes(), 0.3, 1.0);
    const FlatMesh mesh = flat_mesh(Tiling::random_flips, 40, 0.25, random);
    const Surface surface = mesh.build();
    const std::vector<Points> top{box_points(5, 5, 1)};
    const Library floor = build_library(top);
    std::uint32_t compared = 0;
    for (std::uint32_t i = 0; i < 400; ++i) {
        BodyD b{};
        b.hull = random.index(static_cast<std::uint32_t>(shapes.size()));
        set_orientation(b, random.rotation());
        const reference::OracleHull& h = shapes.oracle[b.hull];
        double low = 1e9;
        const Mat3d turn = reference::oracle_pose(b.position, b.orientation).rotation;
        const Vec3d c = turn * centre_of(h);
        for (const Vec3d& v : h.vertices) low = std::fmin(low, (turn * v).z);
        b.position[0] = random.uniform(-1, 1) - c.x;
        b.position[1] = random.uniform(-1, 1) - c.y;
        b.position[2] = -low - random.uniform(-0.02, 0.05) * h.size;
        Options options;
        options.margin = 0.01F;
        SurfaceContacts out;
        ASSERT_TRUE(collide_surface(surface, {}, shapes.hulls, std::span<const BodyD>(&b, 1), {}, options, out));
        detail::PrecisePair pair;
        detail::PreciseScratch scratch;
        pair.a = &shapes.hulls[b.hull];
        pair.b = &floor.hulls[0];
        std::copy(b.position, b.position + 3, pair.position_a);
        std::copy(b.orientation, b.orientation + 4, pair.orientation_a);
        pair.position_b[2] = -1;
        pair.orientation_b[3] = 1;
        pair.margin = options.margin;
        pair.face_preference = options.face_preference;
        Manifold4 m;
        detail::collide_precise(pair, scratch, m);
        const double size = h.size;
        if (std::fabs(static_cast<double>(m.distance) - 0.01) < 2e-6 * size) continue;
        ASSERT_EQ(out.records.size(), m.kind == ContactKind::none ? 0U : 1U) << i;
        if (out.records.empty()) continue;
        const Manifold4& r = out.records[0];
        EXPECT_NEAR(static_cast<double>(r.distance), static_cast<double>(m.distance), 2e-6 * size) << i;
        EXPECT_LT(length(normal_of(r) - Vec3d{0, 0, -1}), 1e-6);
        if (m.kind != ContactKind::face_b || m.total != r.total || m.count < 3) continue;
        EXPECT_NEAR(area_of(r), area_of(m), 0.01 * area_of(m) + 1e-6 * size * size) << i;
        ++compared;
    }
    EXPECT_GT(compared, 30U);
}

TEST_F(Forms, BoxOnARidgeTouchesAlongIt) {
    const std::uint32_t box = add(box_points(0.5, 0.5, 0.5));
    for (const double angle : {0.0, 0.1, 0.3, -0.5}) {
        // Turned about the ridge by less than the slopes' angle: the lowest face holds the ridge.
        const double depth = 0.01;
        const Vec3d up{0, -std::sin(angle), std::cos(angle)};
        const auto r = collide(slopes(1), box, {up * (0.5 - depth), about({1, 0, 0}, angle)}, 0, 0);
        ASSERT_EQ(r.size(), 1U) << angle;
        EXPECT_LT(length(normal_of(r[0]) + up), 1e-6) << angle;
        EXPECT_NEAR(static_cast<double>(r[0].distance), -depth, 2e-6);
        EXPECT_EQ(r[0].count, 2);
        for (int i = 0; i < r[0].count; ++i) {
            EXPECT_NEAR(std::fabs(static_cast<double>(r[0].points[i].position[0])), 0.5, 2e-6);
        }
    }
}

TEST_F(Forms, SphereOverARidgeAndInAValley) {
    const std::uint32_t ball = add({{0, 0, 0}}, 0.5F);
    for (const double y : {-0.2, -0.01, 0.0, 0.3}) {
        const auto r = collide(slopes(1), ball, {{0.3, y, 0.45}, {}}, 0.2F);
        ASSERT_EQ(r.size(), 1U) << y;
        EXPECT_EQ(r[0].kind, ContactKind::vertex_edge);
        EXPECT_NEAR(static_cast<double>(r[0].distance), std::hypot(y, 0.45) - 0.5, 2e-6);
        EXPECT_LT(length(normal_of(r[0]) + normalized(Vec3d{0, y, 0.45})), 1e-6);
    }
    for (const double y : {0.0, 0.01}) {
        // Both slopes, and nothing of the concave edge between them.
        const double z = 0.69;
        const auto r = collide(slopes(-1), ball, {{0.3, y, z}, {}}, 0.05F);
        ASSERT_EQ(r.size(), 2U);
        for (const Manifold4& m : r) {
            EXPECT_EQ(m.kind, ContactKind::face_b);
            const double side = m.normal[1] > 0 ? -1 : 1;
            EXPECT_LT(length(normal_of(m) - Vec3d{0, -side * std::sqrt(0.5), -std::sqrt(0.5)}), 1e-6);
            EXPECT_NEAR(static_cast<double>(m.distance), (z + side * y) * std::sqrt(0.5) - 0.5, 2e-6);
        }
    }
}

TEST_F(Forms, ConcaveEdgesHaveNoContactOfTheirOwn) {
    const std::uint32_t box = add(box_points(0.5, 0.5, 0.5));
    FlatMesh corner;  // a floor and a wall at y = 1
    for (const double x : {-4.0, 4.0}) {
        corner.add(x, -4), corner.add(x, 1), corner.add(x, 1, 4);
    }
    corner.quad(0, 3, 4, 1);
    corner.quad(1, 4, 5, 2);
    const auto r = collide(corner, box, {{0, 0.502, 0.499}, {}});
    ASSERT_EQ(r.size(), 2U);
    EXPECT_NEAR(static_cast<double>(r[0].distance), -0.002, 2e-6);
    EXPECT_LT(length(normal_of(r[0]) - Vec3d{0, 1, 0}), 1e-6);
    EXPECT_NEAR(static_cast<double>(r[1].distance), -0.001, 2e-6);
    EXPECT_LT(length(normal_of(r[1]) - Vec3d{0, 0, -1}), 1e-6);
    for (const Manifold4& m : r) EXPECT_EQ(m.count, 4);
}

TEST_F(Forms, LargeSphereOnABoxOfTriangles) {
    const std::uint32_t ball = add({{0, 0, 0}}, 3.0F);
    for (const double x : {0.0, 0.1, 0.5, 0.7}) {
        const auto r = collide(box_mesh(0.5, 0.5, 0.5), ball, {{x, 0.1, 3.45}, {}});
        ASSERT_EQ(r.size(), 1U) << x;
        const double over = std::fmax(x - 0.5, 0);
        EXPECT_NEAR(static_cast<double>(r[0].distance), std::hypot(over, 2.95) - 3, 6e-6);
        EXPECT_EQ(r[0].count, 1);
        EXPECT_LT(length(normal_of(r[0]) + normalized(Vec3d{over, 0, 2.95})), 1e-6);
    }
}

TEST_F(Forms, BoxOverATablesEdgeIsNotPushedSideways) {
    const std::uint32_t box = add(box_points(0.5, 0.5, 0.5));
    for (const double x : {0.5, 0.9, 1.2}) {
        for (const double tilt : {0.0, 1e-4, -1e-3}) {
            const auto r = collide(box_mesh(1, 1, 1), box, {{x, 0.1, 1.49}, about({0.3, 0.9539, 0}, tilt)});
            ASSERT_EQ(r.size(), 1U) << x << " " << tilt;
            EXPECT_LT(r[0].normal[2], -0.99999F);
            EXPECT_GE(r[0].count, 3);
        }
    }
}

TEST_F(Forms, CapsuleAlongARidgeAndOnAFaceHasTwoPoints) {
    const std::uint32_t capsule = add({{-0.5F, 0, 0}, {0.5F, 0, 0}}, 0.25F);
    const auto ridge = collide(slopes(1), capsule, {{0, 0.05, 0.22}, {}}, 0.1F);
    ASSERT_EQ(ridge.size(), 1U);
    EXPECT_EQ(ridge[0].count, 2);
    EXPECT_EQ(ridge[0].kind, ContactKind::edge_edge);
    EXPECT_NEAR(static_cast<double>(ridge[0].distance), std::hypot(0.05, 0.22) - 0.25, 2e-6);
    Random random(3);
    for (const double cell : {0.01, 0.17, 3.0}) {
        const FlatMesh mesh = flat_mesh(Tiling::crossed, cell < 0.1 ? 120 : 12, cell, random);
        const double angle = 0.3;
        const auto r = collide(mesh, capsule, {{0, 0, 0.24}, about({0, 0, 1}, angle)});
        ASSERT_EQ(r.size(), 1U);
        EXPECT_EQ(r[0].count, 2);
        EXPECT_NEAR(static_cast<double>(r[0].distance), -0.01, 2e-6);
    }
}

TEST_F(Forms, LongCapsuleInABoxOfWallsTouchesBothEnds) {
    const std::uint32_t capsule = add({{-2, 0, 0}, {2, 0, 0}}, 0.1F);
    FlatMesh room = box_mesh(2.09, 1, 1);
    for (auto& t : room.triangles) std::swap(t[1], t[2]);  // seen from inside
    const auto r = collide(room, capsule, {{0, 0, 0}, {}});
    ASSERT_EQ(r.size(), 2U);
    for (const Manifold4& m : r) EXPECT_NEAR(static_cast<double>(m.distance), -0.01, 5e-6);
    EXPECT_NEAR(static_cast<double>(r[0].normal[0] * r[1].normal[0]), -1, 1e-6);
}

TEST_F(Forms, SmallTriangleAgainstALargeBox) {
    const std::uint32_t box = add(box_points(100, 100, 100));
    FlatMesh m;
    m.add(0, 0), m.add(0.01, 0), m.add(0, 0.01);
    m.triangles.push_back({0, 1, 2});
    const auto r = collide(m, box, {{3, 4, 99.999}, {}});
    ASSERT_EQ(r.size(), 1U);
    EXPECT_EQ(r[0].count, 3);
    EXPECT_LT(length(normal_of(r[0]) - Vec3d{0, 0, -1}), 1e-6);
    EXPECT_NEAR(static_cast<double>(r[0].distance), -0.001, 2e-4);
}

TEST_F(Forms, CylinderKeepsTwoEnds) {
    const std::uint32_t cylinder = add(prism_points(32, 0.4, 1.0));
    Random random(4);
    // Lying on a facet: an edge or a facet from end to end.
    const auto r = collide(flat_mesh(Tiling::diagonals, 40, 0.1, random), cylinder,
                           {{0, 0, 0.4 * std::cos(M_PI / 32) - 0.001},
                            about({1, 0, 0}, M_PI / 2) * about({0, 0, 1}, M_PI / 2 + M_PI / 32)});
    ASSERT_EQ(r.size(), 1U);
    EXPECT_GE(r[0].count, 2);
    float low = 0;
    float high = 0;
    for (int i = 0; i < r[0].count; ++i) {
        low = std::min(low, r[0].points[i].position[1]);
        high = std::max(high, r[0].points[i].position[1]);
    }
    EXPECT_NEAR(static_cast<double>(low), -1, 1e-3);
    EXPECT_NEAR(static_cast<double>(high), 1, 1e-3);
}

TEST_F(Forms, FarFromTheOriginNothingChanges) {
    const std::uint32_t box = add(box_points(0.5, 0.4, 0.3));
    Random random(5);
    const FlatMesh mesh = flat_mesh(Tiling::random_flips, 20, 0.3, random);
    const Placing at{{0.125, 0.25, 0.25}, about({0.6, 0.8, 0}, 0.2)};
    const auto near = collide(mesh, box, at);
    const auto far = collide(mesh, box, at, 0, kDefaultFacePreference, {1048576, -1048576, 524288});
    ASSERT_EQ(near.size(), 1U);
    ASSERT_EQ(far.size(), 1U);
    EXPECT_EQ(std::memcmp(&near[0], &far[0], sizeof near[0]), 0);
}

TEST_F(Forms, NothingFallsBetweenTriangles) {
    // Spheres over edges and vertices of a rough mesh, a few roundings from the end of every arc.
    const std::uint32_t ball = add({{0, 0, 0}}, 0.01F);
    library_ = build_library(lists_, radii_);
    Random random(6);
    FlatMesh mesh = flat_mesh(Tiling::alternating, 10, 1, random);
    for (Vec3f& p : mesh.points) p.z = static_cast<float>(random.uniform(-0.3, 0.3));
    const Surface surface = mesh.build();
    std::uint32_t placed = 0;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const detail::SurfaceFace f = surface.view().face(t);
        for (int k = 0; k < 3; ++k) {
            for (int part = 0; part < 3; ++part) {
                const Vec3d& a = f.corner[k];
                const Vec3d& b = f.corner[(k + 1) % 3];
                const Vec3d at = part == 0 ? a : part == 1 ? (a + b) * 0.5 : a + (b - a) * 0.25;
                for (const double off : {0.0, 1e-16, -1e-16, 1e-13, -1e-13, 1e-9, -1e-9}) {
                    const Vec3d side = cross(normalized(b - a), f.normal);
                    const Vec3d p = at + f.normal * 0.02 + side * off;
                    BodyD body{};
                    body.hull = ball;
                    body.orientation[3] = 1;
                    body.position[0] = p.x, body.position[1] = p.y, body.position[2] = p.z;
                    Options options;
                    options.margin = 0.02F;
                    SurfaceContacts out;
                    ASSERT_TRUE(collide_surface(surface, {}, library_.hulls, std::span<const BodyD>(&body, 1), {},
                                                options, out));
                    ++placed;
                    ASSERT_GE(out.records.size(), 1U) << t << " edge " << k << " part " << part << " off " << off;
                    EXPECT_LE(out.records[0].distance, 0.01F + 1e-6F);
                }
            }
        }
    }
    EXPECT_EQ(placed, 200U * 63U);
}

TEST_F(Forms, BadInputIsRefusedOrReported) {
    const std::uint32_t box = add(box_points(0.5, 0.5, 0.5));
    library_ = build_library(lists_, radii_);
    Random random(1);
    const Surface surface = flat_mesh(Tiling::diagonals, 4, 1, random).build();
    std::vector<BodyD> bodies(3);
    for (BodyD& b : bodies) b.hull = box, b.orientation[3] = 1;
    bodies[0].position[1] = std::nan("");
    bodies[1].hull = 7;
    bodies[2].orientation[3] = 0;
    SurfaceContacts out;
    const std::vector<std::uint32_t> list{0, 1, 2, 3};
    ASSERT_TRUE(collide_surface(surface, {}, library_.hulls, bodies, list, {}, out));
    ASSERT_EQ(out.records.size(), 4U);
    EXPECT_EQ(out.records[0].status, Status::bad_pose);
    EXPECT_EQ(out.records[1].status, Status::bad_hull);
    EXPECT_EQ(out.records[2].status, Status::bad_pose);
    EXPECT_EQ(out.records[3].status, Status::bad_index);
    for (const Manifold4& m : out.records) EXPECT_EQ(m.count, 0);
    SurfacePose pose;
    pose.orientation[3] = 2;
    EXPECT_EQ(collide_surface(surface, pose, library_.hulls, bodies, {}, {}, out).code, Status::bad_pose);
    Options options;
    options.margin = -1;
    EXPECT_EQ(collide_surface(surface, {}, library_.hulls, bodies, {}, options, out).code, Status::bad_argument);
    EXPECT_TRUE(collide_surface({}, {}, library_.hulls, std::span(bodies).first(1), {}, {}, out));
    EXPECT_EQ(out.records.size(), 1U);
}

}  // namespace
}  // namespace lanefold::test
