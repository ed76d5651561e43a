// SPDX-License-Identifier: MIT
//
// Manifolds from contact features: each of the nine cases against an intersection of thickened polygons and lines
// through the oracle's triangles; collisions against the promises of a manifold.
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <lanefold/feature_manifold.hpp>

#include "support/hulls.hpp"
#include "support/placed.hpp"
#include "support/polygons.hpp"
#include "support/poses.hpp"

namespace lanefold::test {
namespace {

using published::FeatureManifold;
using published::FeatureSettings;
using published::Polyhedron;

constexpr Vec3d kUp{0, 0, 1};
constexpr double kThick = 1e-7;  // half thickness of the strips that represent edges and vertices

// A feature seen along z as a polygon with area: the convex hull of a small square around each of its vertices.
std::vector<Point2> thickened(const Polyhedron& h, const published::ContactFeature& f) {
    std::vector<Point2> corners;
    for (const std::uint32_t v : f.vertices) {
        for (const double dx : {-kThick, kThick}) {
            for (const double dy : {-kThick, kThick}) corners.push_back({h.positions[v].x + dx, h.positions[v].y + dy});
        }
    }
    return convex_hull(std::move(corners));
}

double reach(const std::vector<Point2>& points, double angle) {
    double most = -std::numeric_limits<double>::infinity();
    for (const Point2& p : points) most = std::max(most, p.x * std::cos(angle) + p.y * std::sin(angle));
    return most;
}

// Height over the feature's vertices at (x, y): by least squares of a plane, a line or a point, whichever it is.
double feature_height(const Polyhedron& h, const published::ContactFeature& f, double x, double y) {
    const Vec3d& p = h.positions[f.vertices[0]];
    if (f.type == FeatureType::vertex) return p.z;
    const Vec3d& q = h.positions[f.vertices[1]];
    if (f.type == FeatureType::edge) {
        const double dx = q.x - p.x, dy = q.y - p.y;
        return p.z + (q.z - p.z) * ((x - p.x) * dx + (y - p.y) * dy) / (dx * dx + dy * dy);
    }
    const Vec3d& n = h.normals[f.index];
    return p.z - (n.x * (x - p.x) + n.y * (y - p.y)) / n.z;
}

Feature random_feature(const Polyhedron& h, FeatureType type, std::uint32_t vertex, double z_sign, Random& random) {
    if (type == FeatureType::vertex) return {type, vertex};
    std::vector<std::uint32_t> around;
    if (type == FeatureType::edge) {
        for (std::uint32_t e = 0; e < h.edges.size(); ++e) {
            if (h.edges[e][0] == vertex || h.edges[e][1] == vertex) around.push_back(e);
        }
    } else {
        for (std::uint32_t f = 0; f < h.faces.size(); ++f) {
            const bool has = std::find(h.faces[f].begin(), h.faces[f].end(), vertex) != h.faces[f].end();
            if (has && h.normals[f].z * z_sign > 0.2) around.push_back(f);
        }
        if (around.empty()) return {FeatureType::vertex, vertex};
    }
    return {type, around[random.index(static_cast<std::uint32_t>(around.size()))]};
}

// Results of 9,000 pairs of features.
struct NineCases {
    std::array<std::array<std::uint32_t, 3>, 3> met{}, missed{};  // type of A's feature, of B's
    double worst_reach = 0;
    double worst_height = 0;
    std::uint32_t points = 0;
    std::array<std::uint32_t, 3> by_kind{};  // corners of A, of B, crossings

    // Points lie midway between the two features, and their separation is the distance of the features there.
    void check_heights(const Polyhedron& a, const Polyhedron& b, const FeatureManifold& m) {
        for (const auto& p : m.points) {
            const double ha = feature_height(a, m.a, p.position.x, p.position.y);
            const double hb = feature_height(b, m.b, p.position.x, p.position.y);
            worst_height = std::max(
                {worst_height, std::fabs(p.separation - (hb - ha)), std::fabs(p.position.z - 0.5 * (ha + hb))});
            ASSERT_LT(worst_height, 1e-5);
            ++by_kind[p.features.a.type == FeatureType::vertex ? 0 : p.features.b.type == FeatureType::vertex ? 1 : 2];
        }
        points += static_cast<std::uint32_t>(m.points.size());
    }

    // Seen along the normal, they reach as far in every direction as the intersection.
    void check_reach(const Polyhedron& a, const Polyhedron& b, const FeatureManifold& m,
                     const std::vector<Point2>& expected) {
        const auto along = [](const Polyhedron& h, const published::ContactFeature& f) {
            const Vec3d d = h.positions[f.vertices[1]] - h.positions[f.vertices[0]];
            return normalized(Vec3d{d.x, d.y, 0});
        };
        // Thin strips that cross at a small angle reach further than their thickness.
        const bool edges = m.a.type == FeatureType::edge && m.b.type == FeatureType::edge;
        if (edges && m.points.size() == 1 && length(cross(along(a, m.a), along(b, m.b))) < 0.01) return;
        std::vector<Point2> seen;
        for (const auto& p : m.points) seen.push_back({p.position.x, p.position.y});
        for (int d = 0; d < 16; ++d) {
            const double angle = d * std::numbers::pi / 8;
            const double error = std::fabs(reach(seen, angle) - reach(expected, angle));
            worst_reach = std::max(worst_reach, error);
            ASSERT_LT(error, 1e-3);
        }
    }

    void check(const Polyhedron& a, const Polyhedron& b, const FeatureManifold& m) {
        const std::vector<Point2> expected = intersection(thickened(a, m.a), thickened(b, m.b));
        const auto x = static_cast<std::size_t>(m.a.type), y = static_cast<std::size_t>(m.b.type);
        if (m.points.empty()) {
            // Features that touch only within the thickness may meet or not.
            double extent = 0;
            for (int d = 0; d < 8 && !expected.empty(); ++d) {
                const double angle = d * std::numbers::pi / 8;
                extent = std::max(extent, reach(expected, angle) + reach(expected, angle + std::numbers::pi));
            }
            ASSERT_LT(extent, 20 * kThick);
            ++missed[x][y];
            return;
        }
        ++met[x][y];
        ASSERT_GE(expected.size(), 3U);
        check_heights(a, b, m);
        check_reach(a, b, m, expected);
    }

    void print() const {
        std::printf(
            "seeds 71, 72: %u points (corners of A %u, of B %u, crossings %u), worst reach %.1e, worst height %.1e\n",
            points, by_kind[0], by_kind[1], by_kind[2], worst_reach, worst_height);
        const char* const names[] = {"face", "edge", "vertex"};
        for (std::size_t x = 0; x < 3; ++x) {
            for (std::size_t y = 0; y < 3; ++y)
                std::printf("  %-6s on %-6s met %u, missed %u\n", names[x], names[y], met[x][y], missed[x][y]);
        }
    }
};

// A random point of a feature.
Vec3d random_place(const Polyhedron& h, const published::ContactFeature& f, Random& random) {
    Vec3d sum;
    double total = 0;
    for (const std::uint32_t v : f.vertices) {
        const double w = random.uniform(0, 1);
        sum = sum + h.positions[v] * w, total += w;
    }
    return sum * (1.0 / total);
}

// Any two features with random rotations about the normal; B's support is moved to a random place of A's feature. Angle
// 0: no feature grows.
TEST(FeatureManifold, NineCasesAreTheIntersectionOfWhatIsSeenAlongTheNormal) {
    constexpr Shape kShapes[] = {Shape::box,   Shape::prism,      Shape::debris,
                                 Shape::wedge, Shape::octahedron, Shape::cylinder};
    const Library library = random_library(71, 24, kShapes, 0.5, 2.0);
    NineCases cases;
    for (std::uint32_t k = 0; k < 9000; ++k) {
        SCOPED_TRACE(k);
        Random random(72, k);
        const std::uint32_t i = random.index(24), j = random.index(24);
        const Quat turn_a = about(random.direction(), random.uniform(0, 3)),
                   turn_b = about(random.direction(), random.uniform(0, 3));
        const Polyhedron a = published::make_polyhedron(library.hulls[i], {rotation(turn_a), {}});
        Polyhedron b = published::make_polyhedron(library.hulls[j], {rotation(turn_b), {}});
        const std::uint32_t top = published::supports_along(a, kUp).max_index;
        const std::uint32_t low = published::supports_along(b, kUp).min_index;
        const Feature on_a = random_feature(a, static_cast<FeatureType>(k % 3), top, 1, random);
        const Feature on_b = random_feature(b, static_cast<FeatureType>(k / 3 % 3), low, -1, random);
        const FeaturePair found{on_a, on_b};
        FeatureSettings settings;
        settings.angle = 0.0;
        // Aligned at random places, so that most meet; a quarter is then moved a little.
        const auto before = published::intersect_features(a, b, kUp, found, settings);
        const Vec3d place_a = random_place(a, before.a, random);
        Vec3d shift = place_a - random_place(b, before.b, random);
        if (k % 4 == 0) shift = shift + Vec3d{random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0};
        for (Vec3d& x : b.positions) x = x + shift;
        const FeatureManifold m = published::intersect_features(a, b, kUp, found, settings);
        ASSERT_EQ(m.a.type, found.a.type);
        ASSERT_EQ(m.b.type, found.b.type);
        ASSERT_NO_FATAL_FAILURE(cases.check(a, b, m));
    }
    cases.print();
    for (const auto& row : cases.met) {
        for (const std::uint32_t met : row) EXPECT_GT(met, 200U);
    }
}

TEST(FeatureManifold, CubeOnASlabKeepsItsCornersWhileItRocks) {
    const Polyhedron slab = placed(box_points(4, 4, 1), {});
    for (const double tilt : {0.0, 0.001, 0.004, 0.008}) {
        const double lowest = std::sin(tilt) + std::cos(tilt);
        const Polyhedron cube =
            placed(box_points(1, 1, 1), {rotation(about({0, 1, 0}, tilt)), {0.5, 0.25, 1 + lowest - 0.01}});
        const auto m = published::clip_features(slab, cube, published::collide(slab, cube));
        ASSERT_EQ(m.points.size(), 4U) << tilt;
        EXPECT_FALSE(m.as_found);
        std::uint32_t near = 0, far = 0;
        for (const auto& p : m.points) {
            near += std::fabs(p.separation + 0.01) < 1e-9 ? 1U : 0U;
            far += std::fabs(p.separation - (2 * std::sin(tilt) - 0.01)) < 1e-9 ? 1U : 0U;
        }
        EXPECT_EQ(near, tilt == 0.0 ? 4U : 2U);
        EXPECT_EQ(far, tilt == 0.0 ? 4U : 2U);
    }
    // Beyond the angle the contact feature is the level edge, not the face.
    const double tilt = 0.0088;
    const Polyhedron cube = placed(box_points(1, 1, 1), {rotation(about({0, 1, 0}, tilt)),
                                                         {0.5, 0.25, 1 + std::sin(tilt) + std::cos(tilt) - 0.01}});
    const auto m = published::clip_features(slab, cube, published::collide(slab, cube));
    ASSERT_EQ(m.points.size(), 2U);
    EXPECT_EQ(m.b.type, FeatureType::edge);
    FeatureSettings wide;
    wide.angle = 0.02;
    EXPECT_EQ(published::clip_features(slab, cube, published::collide(slab, cube), wide).points.size(), 4U);
}

// Random and degenerate overlapping pairs: the deepest point has the depth of the pair, and all points lie on both
// hulls.
TEST(FeatureManifold, CollisionsKeepTheirDepthAndPointsLieOnBothHulls) {
    constexpr Shape kShapes[] = {Shape::box,    Shape::tetrahedron, Shape::wedge,     Shape::prism,
                                 Shape::debris, Shape::slab,        Shape::octahedron};
    const Library library = random_library(73, 28, kShapes);
    double worst_depth = 0, worst_surface = 0;
    std::uint32_t overlapping = 0, as_found = 0, points = 0, apart = 0, by_types[3][3] = {};
    for (std::uint32_t k = 0; k < 4000; ++k) {
        Random random(74, k);
        const std::uint32_t i = random.index(28), j = random.index(28);
        const reference::OracleHull &oa = library.oracle[i], &ob = library.oracle[j];
        const PosedPair pair = make_poses(static_cast<PoseKind>(k % kPoseKindCount), oa, ob, 0.1, false, random);
        const PoseD pa{pose_of(pair.a).rotation, {}};
        const PoseD pb{pose_of(pair.b).rotation, pose_of(pair.b).position - pose_of(pair.a).position};
        const Polyhedron a = published::make_polyhedron(library.hulls[i], pa);
        const Polyhedron b = published::make_polyhedron(library.hulls[j], pb);
        const published::Collision c = published::collide(a, b);
        const double size = std::max(oa.size, ob.size);
        if (!c.colliding || c.info.separation > -2e-6 * size) continue;
        ++overlapping;
        FeatureSettings settings;
        settings.angle = k % 3 == 0 ? 0.0 : k % 3 == 1 ? published::kDefaultFeatureAngle : 0.1;
        const FeatureManifold m = published::clip_features(a, b, c, settings);
        ASSERT_FALSE(m.points.empty()) << "case " << k;
        ++by_types[static_cast<std::size_t>(m.a.type)][static_cast<std::size_t>(m.b.type)];
        as_found += m.as_found ? 1U : 0U;
        double deepest = 1e300;
        for (const auto& p : m.points) {
            deepest = std::min(deepest, p.separation);
            apart += p.separation > 0 ? 1U : 0U;
            if (m.as_found) continue;
            const Vec3d half = c.info.normal * (0.5 * p.separation);
            const double da = reference::point_distance(oa, pa.rotation, p.position - half);
            const double db = reference::point_distance(ob, pb.rotation, p.position + half - pb.position);
            worst_surface = std::max({worst_surface, std::fabs(da) / size, std::fabs(db) / size});
            ASSERT_LT(std::fabs(da), 2e-6 * size) << "case " << k;
            ASSERT_LT(std::fabs(db), 2e-6 * size) << "case " << k;
        }
        points += static_cast<std::uint32_t>(m.points.size());
        worst_depth = std::max(worst_depth, std::fabs(deepest - c.info.separation) / size);
        ASSERT_NEAR(deepest, c.info.separation, 2e-6 * size) << "case " << k;
    }
    std::printf(
        "seeds 73, 74: overlapping %u, points %u (apart %u), the collision's own %u, worst depth %.1e, surface %.1e of "
        "size\n",
        overlapping, points, apart, as_found, worst_depth, worst_surface);
    std::printf("  face-face %u, face-edge %u, face-vertex %u, edge-edge %u\n", by_types[0][0],
                by_types[0][1] + by_types[1][0], by_types[0][2] + by_types[2][0], by_types[1][1]);
    EXPECT_GT(overlapping, 1500U);
    EXPECT_GT(by_types[0][0], 60U);
    EXPECT_GT(by_types[0][1] + by_types[1][0], 20U);
    EXPECT_GT(by_types[0][2] + by_types[2][0], 300U);
    EXPECT_GT(by_types[1][1], 200U);
    EXPECT_LE(as_found * 200, overlapping);
}

}  // namespace
}  // namespace lanefold::test
