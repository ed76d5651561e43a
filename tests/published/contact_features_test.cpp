// SPDX-License-Identifier: MIT
//
// Contact features by the tolerance angle at known tilts; sine against cosine in float32; support patches against an
// independent hull, an independent intersection, and lines through the triangles of the oracle.
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <lanefold/contact_features.hpp>

#include "support/hulls.hpp"
#include "support/placed.hpp"
#include "support/polygons.hpp"

namespace lanefold::test {
namespace {

using published::ContactFeature;
using published::PatchManifold;
using published::PatchSettings;
using published::Polyhedron;

constexpr Vec3d kUp{0, 0, 1};

TEST(ContactFeatures, GrowFromVertexToEdgeToFaceAsTheBoxLevels) {
    const double alpha = 0.02;
    const Points box = box_points(2, 1, 0.5);
    const auto at = [&](const Vec3d& axis, double tilt) {
        return published::contact_feature(placed(box, {rotation(about(normalized(axis), tilt)), {}}), kUp, alpha);
    };
    // About y, one edge along y stays level: an edge at any tilt, a face up to alpha.
    EXPECT_EQ(at({0, 1, 0}, 0.5).type, FeatureType::edge);
    EXPECT_EQ(at({0, 1, 0}, 0.0201).type, FeatureType::edge);
    EXPECT_EQ(at({0, 1, 0}, 0.0199).type, FeatureType::face);
    EXPECT_EQ(at({0, 1, 0}, 0.0).type, FeatureType::face);
    // About a diagonal of the lid, both directions of edges rise by tilt / sqrt(2).
    const double edge_limit = std::asin(std::sin(alpha) * std::sqrt(2.0));
    EXPECT_EQ(at({1, 1, 0}, 0.5).type, FeatureType::vertex);
    EXPECT_EQ(at({1, 1, 0}, edge_limit * 1.001).type, FeatureType::vertex);
    EXPECT_EQ(at({1, 1, 0}, edge_limit * 0.999).type, FeatureType::face);
    // Two thirds of the way to x: edges along y are level, those along x not.
    const Vec3d axis{0.25, 1, 0};
    const double lean = std::asin(std::sin(alpha) * length(axis));
    EXPECT_EQ(at(axis, lean * 1.5).type, FeatureType::edge);
    EXPECT_EQ(at(axis, lean * 0.99).type, FeatureType::face);
}

TEST(ContactFeatures, TheMostAlignedFaceWins) {
    // A roof: from the ridge along x one side falls by 0.005, the other, three times as large, by 0.01. Tilted about
    // the ridge either may be the more level one.
    const Points bent = {{0, 0, 0},       {4, 0, 0},  {0, 1, -0.005F}, {4, 1, -0.005F}, {0, -3, -0.03F},
                         {4, -3, -0.03F}, {0, 1, -1}, {4, 1, -1},      {0, -3, -1},     {4, -3, -1}};
    std::uint32_t larger = 0;
    for (const double tilt : {0.0, 0.004, -0.004, -0.008}) {
        const Polyhedron h = placed(bent, {rotation(about({1, 0, 0}, tilt)), {}});
        const ContactFeature f = published::contact_feature(h, kUp, 0.02);
        ASSERT_EQ(f.type, FeatureType::face) << tilt;
        // The steepest side of each face around the vertex, by its own formula.
        double least = 1;
        std::uint32_t expected = 0, around = 0;
        for (std::uint32_t k = 0; k < h.faces.size(); ++k) {
            if (h.normals[k].z < 0.99 || std::find(h.faces[k].begin(), h.faces[k].end(), f.vertex) == h.faces[k].end())
                continue;
            ++around;
            double steepest = 0;
            for (const std::uint32_t v : h.faces[k]) {
                for (const std::uint32_t w : h.faces[k]) {
                    if (v == w) continue;
                    const Vec3d side = h.positions[v] - h.positions[w];
                    steepest = std::max(steepest, std::fabs(std::asin(side.z / length(side))));
                }
            }
            if (steepest < least) least = steepest, expected = k;
        }
        EXPECT_EQ(around, 2U) << tilt;
        EXPECT_EQ(f.index, expected) << tilt;
        larger += h.normals[f.index].y < 0.0 ? 1U : 0U;
    }
    EXPECT_EQ(larger, 2U);
}

TEST(ContactFeatures, GrowFromTheFeatureThatWasFound) {
    const Polyhedron box = placed(box_points(2, 1, 0.5), {rotation(about({0, 1, 0}, 0.01)), {}});
    const published::SupportHeights heights = published::support_heights(box, kUp);
    EXPECT_EQ(heights.height.size(), 8U);
    EXPECT_EQ(heights.height[heights.vertex], published::supports_along(box, kUp).max_value);
    for (std::uint32_t f = 0; f < box.faces.size(); ++f) {
        const ContactFeature face = published::grow_feature(box, kUp, heights, {FeatureType::face, f}, 0.02);
        EXPECT_EQ(face.type, FeatureType::face);
        EXPECT_EQ(face.index, f) << "a face stays, however steep";
    }
    std::uint32_t grown = 0, stayed = 0;
    for (std::uint32_t e = 0; e < box.edges.size(); ++e) {
        const ContactFeature r = published::grow_feature(box, kUp, heights, {FeatureType::edge, e}, 0.02);
        const bool on_lid = box.positions[box.edges[e][0]].z > 0.4 && box.positions[box.edges[e][1]].z > 0.4;
        EXPECT_EQ(r.type, on_lid ? FeatureType::face : FeatureType::edge) << e;
        (on_lid ? grown : stayed) += 1;
    }
    EXPECT_EQ(grown, 4U);
    EXPECT_EQ(stayed, 8U);
}

// The decision in float32 whether a side of length 1, tilted by 0.9 or 1.1 alpha, is aligned. The height of its end
// gives the right decision for all angles. The cosine of the tilt does not when alpha^2 / 2 is near the spacing of
// float32 below 1, 6e-8.
TEST(ContactFeatures, SineTellsAnglesApartThatTheCosineCannot) {
    std::printf("alpha [radians]   wrong by sine   wrong by cosine   (of 2,000 decisions in float32)\n");
    std::uint32_t wrong_cosine_small = 0, wrong_cosine_large = 0;
    for (const double alpha : {1e-1, 1e-2, 1e-3, 3e-4, 1e-4, 3e-5}) {
        std::uint32_t wrong_sine = 0, wrong_cosine = 0;
        for (std::uint32_t k = 0; k < 1000; ++k) {
            Random random(61, k);
            const double heading = random.uniform(0, 2 * std::numbers::pi);
            for (const double tilt : {0.9 * alpha, 1.1 * alpha}) {
                const Vec3f side = to_float(
                    Vec3d{std::cos(heading) * std::cos(tilt), std::sin(heading) * std::cos(tilt), std::sin(tilt)});
                const Vec3f normal = to_float(
                    Vec3d{-std::cos(heading) * std::sin(tilt), -std::sin(heading) * std::sin(tilt), std::cos(tilt)});
                const bool level = tilt < alpha;
                const float l = std::sqrt(side.x * side.x + side.y * side.y + side.z * side.z);
                wrong_sine += (side.z <= l * static_cast<float>(std::sin(alpha))) != level ? 1U : 0U;
                wrong_cosine += (normal.z >= static_cast<float>(std::cos(alpha))) != level ? 1U : 0U;
            }
        }
        std::printf("%15.0e   %13u   %15u\n", alpha, wrong_sine, wrong_cosine);
        EXPECT_EQ(wrong_sine, 0U);
        wrong_cosine_large += alpha >= 1e-2 ? wrong_cosine : 0U;
        wrong_cosine_small += alpha < 5e-4 ? wrong_cosine : 0U;
    }
    EXPECT_EQ(wrong_cosine_large, 0U);
    EXPECT_GT(wrong_cosine_small, 1000U);
}

// Height of the oracle's triangulated hull over (x, y), by the triangle that a line along z meets; -inf beside it.
double height_over(const std::vector<Vec3d>& v, const reference::OracleHull& h, double x, double y, double sign) {
    double best = -std::numeric_limits<double>::infinity();
    for (const auto& t : h.triangles) {
        const Vec3d &p = v[t.v[0]], &q = v[t.v[1]], &r = v[t.v[2]];
        const double det = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
        if (det == 0.0) continue;
        const double s = ((x - p.x) * (r.y - p.y) - (y - p.y) * (r.x - p.x)) / det;
        const double u = ((q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x)) / det;
        if (s < -1e-9 || u < -1e-9 || s + u > 1 + 1e-9) continue;
        best = std::max(best, sign * (p.z + (q.z - p.z) * s + (r.z - p.z) * u));
    }
    return best;
}

// Two hulls, a face of each nearly level (to 0.02), one above the other, a little inside.
struct Stacked {
    PoseD pose_a;
    PoseD pose_b;
    Polyhedron a;
    Polyhedron b;

    Stacked(const Library& library, std::uint32_t i, std::uint32_t j, Random& random) {
        const auto level = [&](const reference::OracleHull& h, double z) {
            const Vec3d n = h.normals[random.index(static_cast<std::uint32_t>(h.normals.size()))];
            const Vec3d axis = cross(n, {0, 0, z});
            const double angle = std::atan2(length(axis), n.z * z);
            const Quat turn = length(axis) > 1e-9 ? about(normalized(axis), angle) : about({1, 0, 0}, angle);
            return about(random.direction(), random.uniform(0, 0.02)) * turn;
        };
        const reference::OracleHull &oa = library.oracle[i], &ob = library.oracle[j];
        const double small = std::min(oa.size, ob.size);
        pose_a.rotation = rotation(level(oa, 1));
        pose_b.rotation = rotation(level(ob, -1));
        a = published::make_polyhedron(library.hulls[i], pose_a);
        b = published::make_polyhedron(library.hulls[j], pose_b);
        const Vec3d top = a.positions[published::supports_along(a, kUp).max_index];
        const Vec3d low = b.positions[published::supports_along(b, kUp).min_index];
        const Vec3d aside{random.uniform(-0.1, 0.1) * small, random.uniform(-0.1, 0.1) * small,
                          -random.uniform(0, 0.02) * small};
        pose_b.position = pose_b.position + (top - low + aside);
        b = published::make_polyhedron(library.hulls[j], pose_b);
    }
};

std::vector<Point2> outline_of(const Polyhedron& h, const published::SupportPatch& patch) {
    std::vector<Point2> p;
    for (const std::uint32_t v : patch.vertices) p.push_back({h.positions[v].x, h.positions[v].y});
    return convex_hull(std::move(p));
}

std::vector<Vec3d> placed_vertices(const reference::OracleHull& h, const PoseD& pose) {
    std::vector<Vec3d> out;
    for (const Vec3d& v : h.vertices) out.push_back(transform(pose, v));
    return out;
}

// The largest error of a point's separation against the heights of the two oracle hulls over it, per size.
double worst_separation(const PatchManifold& m, const reference::OracleHull& oa, const reference::OracleHull& ob,
                        const Stacked& s) {
    const std::vector<Vec3d> va = placed_vertices(oa, s.pose_a), vb = placed_vertices(ob, s.pose_b);
    const double size = std::max(oa.size, ob.size);
    double worst = 0;
    for (const auto& p : m.points) {
        const double ha = height_over(va, oa, p.position.x, p.position.y, 1),
                     hb = -height_over(vb, ob, p.position.x, p.position.y, -1);
        if (!std::isfinite(ha) || !std::isfinite(hb)) continue;  // exactly on the rim of a hull
        worst = std::max(worst, std::fabs(p.separation - (hb - ha)) / size);
        EXPECT_NEAR(p.position.z, 0.5 * (ha + hb), 1e-4 * size);
    }
    return worst;
}

TEST(SupportPatch, ManifoldIsTheIntersectionOfTheOutlinesWithTrueSeparations) {
    constexpr Shape kShapes[] = {Shape::rock, Shape::big, Shape::sphere, Shape::cylinder, Shape::debris, Shape::prism};
    const Library library = random_library(62, 24, kShapes, 0.5, 2.0);
    double area_error = 0, separation_error = 0;
    std::uint32_t manifolds = 0, points = 0, with_area = 0, by_source[3] = {}, kinds[3] = {};
    for (std::uint32_t k = 0; k < 600; ++k) {
        SCOPED_TRACE(k);
        Random random(63, k);
        const std::uint32_t i = random.index(24), j = random.index(24);
        const reference::OracleHull &oa = library.oracle[i], &ob = library.oracle[j];
        const double small = std::min(oa.size, ob.size), size = std::max(oa.size, ob.size);
        const Stacked s(library, i, j, random);
        PatchSettings settings;
        settings.band = 0.02 * small;
        settings.margin = 10 * size;  // keep everything: the whole intersection is compared
        settings.same = 1e-9 * small;
        const PatchManifold m = published::clip_patches(s.a, s.b, kUp, settings);
        const std::vector<Point2> expected = intersection(outline_of(s.a, m.patch_a), outline_of(s.b, m.patch_b));
        std::vector<Point2> found;
        for (const auto& p : m.points) {
            found.push_back({p.position.x, p.position.y});
            ++by_source[static_cast<std::size_t>(p.source)];
        }
        separation_error = std::max(separation_error, worst_separation(m, oa, ob, s));
        ASSERT_LT(separation_error, 1e-4);
        const double error = std::fabs(area(convex_hull(found)) - area(expected)) / (small * small);
        ASSERT_LT(error, 1e-6);
        area_error = std::max(area_error, error);
        ++manifolds;
        points += static_cast<std::uint32_t>(m.points.size());
        with_area += area(expected) > 1e-3 * small * small ? 1U : 0U;
        ++kinds[static_cast<std::size_t>(m.feature_a.type)];
    }
    std::printf(
        "seeds 62, 63: %u manifolds, %u with area, %u points (vertices of A %u, of B %u, crossings %u), features of A: "
        "%u faces, %u edges, %u vertices; worst area %.1e of size^2, worst separation %.1e of size\n",
        manifolds, with_area, points, by_source[0], by_source[1], by_source[2], kinds[0], kinds[1], kinds[2],
        area_error, separation_error);
    EXPECT_GT(with_area, 300U);
    for (const std::uint32_t n : by_source) EXPECT_GT(n, 300U);
    for (const std::uint32_t n : kinds) EXPECT_GT(n, 20U);
}

TEST(SupportPatch, BoxesOnAFloorKeepTheirFourCornersAndDepths) {
    const double tilt = 0.004;  // the far edge is 0.008 above the near one: inside the band of 0.02
    const Polyhedron floor = placed(box_points(50, 50, 1), {});
    const double lowest = std::sin(tilt) + std::cos(tilt);
    const Polyhedron box = placed(box_points(1, 1, 1), {rotation(about({0, 1, 0}, tilt)), {3, 2, 1 + lowest - 0.001}});
    PatchSettings settings;
    settings.band = 0.02;
    settings.same = 1e-9;
    const PatchManifold m = published::clip_patches(floor, box, kUp, settings);
    ASSERT_EQ(m.points.size(), 4U);
    EXPECT_EQ(m.feature_a.type, FeatureType::face);
    EXPECT_EQ(m.feature_b.type, FeatureType::face);
    std::uint32_t near = 0, far = 0;
    for (const auto& p : m.points) {
        near += std::fabs(p.separation + 0.001) < 1e-9 ? 1U : 0U;
        far += std::fabs(p.separation - (2 * std::sin(tilt) - 0.001)) < 1e-9 ? 1U : 0U;
    }
    EXPECT_EQ(near, 2U);
    EXPECT_EQ(far, 2U);
}

TEST(SupportPatch, EdgeAndVertexPatchesMeetInTheirCrossing) {
    // Two roofs, ridge on ridge at a right angle: one point, under the crossing. A roof on a floor: two.
    const double ridge = std::sqrt(2.0);
    const Polyhedron a = placed(box_points(3, 1, 1), {rotation(about({1, 0, 0}, std::numbers::pi / 4)), {}});
    const Polyhedron b =
        placed(box_points(1, 3, 1), {rotation(about({0, 1, 0}, std::numbers::pi / 4)), {0.5, 0.25, 2 * ridge - 0.01}});
    PatchSettings settings;
    settings.band = 0.004;
    settings.same = 1e-9;
    const PatchManifold m = published::clip_patches(a, b, kUp, settings);
    EXPECT_EQ(m.feature_a.type, FeatureType::edge);
    EXPECT_EQ(m.feature_b.type, FeatureType::edge);
    double deepest = 0;
    for (const auto& p : m.points) deepest = std::min(deepest, p.separation);
    EXPECT_NEAR(deepest, -0.01, 2e-3);
    const Polyhedron floor = placed(box_points(50, 50, 1), {Mat3d{}, {0, 0, -ridge - 0.99}});
    const PatchManifold line = published::clip_patches(floor, a, kUp, settings);
    ASSERT_EQ(line.points.size(), 2U);
    EXPECT_EQ(line.feature_b.type, FeatureType::edge);
    for (const auto& p : line.points) EXPECT_NEAR(p.separation, -0.01, 1e-7);
}

}  // namespace
}  // namespace lanefold::test
