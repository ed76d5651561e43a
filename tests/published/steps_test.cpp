// SPDX-License-Identifier: MIT
//
// The steps that the reference records: cuts, deletions and both depths of Sutherland-Hodgman clipping at numbers
// worked by hand, stages and Gauss maps of contact features. Recording changes no result.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/feature_manifold.hpp>
#include <lanefold/sutherland_hodgman.hpp>

#include "support/hulls.hpp"
#include "support/placed.hpp"

namespace lanefold::test {
namespace {

using published::CornerFate;
using published::FaceClipCorner;
using published::FaceClipCut;
using published::FaceClipManifold;
using published::FaceClipTrace;
using published::FeatureGrowth;
using published::FeatureManifold;
using published::FeatureTrace;
using published::GrowthCandidate;
using published::Polyhedron;

constexpr Vec3d kUp{0, 0, 1};

double largest_x(const std::vector<Vec3d>& polygon) {
    double out = -1e300;
    for (const Vec3d& p : polygon) out = std::max(out, p.x);
    return out;
}

// A slab of 4 x 4 x 1, and on it, 0.1 deep and half a unit over its rim at x = 2, a cube of 2.
Polyhedron slab() { return placed(box_points(2, 2, 0.5), {}); }
Polyhedron cube_on_slab() { return placed(box_points(1, 1, 1), {{}, {1.5, 0, 1.4}}); }

// The contact normal leans by the angle of sine 0.28 and cosine 0.96 from that of the faces. By hand: plane and ray
// meet after 0.1 / 0.96; the furthest vertex of the slab is at x = 2, so by its height a corner at x has the depth
// 0.28 (2 - x) + 0.96 * 0.1.
TEST(PublishedSteps, CutsAndBothDepthsAreThoseWorkedByHand) {
    FaceClipTrace trace;
    const FaceClipManifold m = published::clip_significant_faces(slab(), cube_on_slab(), {0.28, 0, 0.96}, {}, &trace);
    EXPECT_FALSE(m.reference_on_b);
    EXPECT_NEAR(m.a.alignment, 0.96, 1e-12);
    EXPECT_NEAR(m.b.alignment, 0.96, 1e-12);
    ASSERT_EQ(trace.cuts.size(), 4U);
    std::uint32_t cutting = 0;
    for (const FaceClipCut& cut : trace.cuts) {
        EXPECT_EQ(cut.before.size(), 4U);
        EXPECT_EQ(cut.after.size(), 4U);
        EXPECT_NEAR(cut.offset, 2, 1e-6);
        if (cut.normal.x < 0.9) continue;
        ++cutting;
        EXPECT_NEAR(largest_x(cut.before), 2.5, 1e-6);
        EXPECT_NEAR(largest_x(cut.after), 2, 1e-6);
    }
    EXPECT_EQ(cutting, 1U);
    ASSERT_EQ(trace.corners.size(), 4U);
    std::uint32_t near = 0;
    for (const FaceClipCorner& c : trace.corners) {
        EXPECT_EQ(c.fate, CornerFate::kept);
        EXPECT_NEAR(c.above, -0.1, 1e-6);
        EXPECT_NEAR(c.plane_ray, -0.1 / 0.96, 1e-6);
        EXPECT_NEAR(c.furthest_vertex, 0.28 * (c.at.x - 2) - 0.096, 1e-6);
        near += c.at.x < 1 ? 1U : 0U;
    }
    EXPECT_EQ(near, 2U);
}

// The cube leans by the same angle about y, its lower edge 0.2 deep. Its other lower edge is 2 * 0.28 above that one,
// 0.36 above the slab: both of its corners are deleted.
TEST(PublishedSteps, CornersAboveTheReferenceFaceAreDeleted) {
    const PoseD lean{rotation(about({0, 1, 0}, std::asin(0.28))), {0, 0, 0.3 + 0.28 + 0.96}};
    FaceClipTrace trace;
    const FaceClipManifold m =
        published::clip_significant_faces(slab(), placed(box_points(1, 1, 1), lean), kUp, {}, &trace);
    ASSERT_EQ(trace.corners.size(), 4U);
    std::uint32_t kept = 0;
    for (const FaceClipCorner& c : trace.corners) {
        const bool below = c.at.z < 0.5;
        kept += below ? 1U : 0U;
        EXPECT_EQ(c.fate, below ? CornerFate::kept : CornerFate::above);
        EXPECT_NEAR(c.above, below ? -0.2 : 0.36, 1e-6);
    }
    EXPECT_EQ(kept, 2U);
    EXPECT_EQ(m.points.size(), 2U);
}

Library many() {
    constexpr Shape kShapes[] = {Shape::box, Shape::tetrahedron, Shape::wedge, Shape::prism, Shape::rock};
    return random_library(61, 20, kShapes);
}

// Calls each(a, b, collision) for the overlapping ones of 1,500 random pairs; returns how many overlap.
template <class Each>
std::uint32_t for_overlapping_pairs(std::uint64_t seed, const Each& each) {
    const Library library = many();
    std::uint32_t overlapping = 0;
    for (std::uint32_t k = 0; k < 1500; ++k) {
        Random random(seed, k);
        const std::uint32_t i = random.index(20), j = random.index(20);
        const double reach = library.oracle[i].size + library.oracle[j].size;
        const PoseD pose{rotation(random.rotation()), random.direction() * (random.uniform(0.1, 0.7) * reach)};
        const Polyhedron a = published::make_polyhedron(library.hulls[i], {});
        const Polyhedron b = published::make_polyhedron(library.hulls[j], pose);
        const published::Collision c = published::collide(a, b);
        if (!c.colliding) continue;
        ++overlapping;
        each(a, b, c);
    }
    return overlapping;
}

bool same_points(const std::vector<Vec3d>& p, const std::vector<Vec3d>& q) { return p == q; }

TEST(PublishedSteps, CutsFollowEachOtherAndRecordingChangesNothing) {
    std::uint32_t cuts = 0, above = 0;
    const auto check = [&](const Polyhedron& a, const Polyhedron& b, const published::Collision& c) {
        FaceClipTrace t;
        const FaceClipManifold m = published::clip_significant_faces(a, b, c.info.normal, {}, &t);
        const FaceClipManifold plain = published::clip_significant_faces(a, b, c.info.normal);
        ASSERT_FALSE(t.cuts.empty());
        ASSERT_TRUE(same_points(t.cuts[0].before, t.incident));
        for (std::size_t s = 1; s < t.cuts.size(); ++s) ASSERT_TRUE(same_points(t.cuts[s].before, t.cuts[s - 1].after));
        ASSERT_EQ(t.cuts.back().after.size(), t.corners.size());
        cuts += static_cast<std::uint32_t>(t.cuts.size());
        std::size_t next = 0;
        for (std::size_t s = 0; s < t.corners.size(); ++s) {
            const FaceClipCorner& corner = t.corners[s];
            ASSERT_EQ(corner.at, t.cuts.back().after[s]);
            above += corner.fate == CornerFate::above ? 1U : 0U;
            if (corner.fate != CornerFate::kept) continue;
            ASSERT_LT(next, m.points.size());
            ASSERT_EQ(m.points[next].on_incident, corner.at);
            ASSERT_EQ(m.points[next++].separation, corner.plane_ray);
        }
        ASSERT_EQ(next, m.points.size());
        ASSERT_EQ(plain.points.size(), m.points.size());
        for (std::size_t s = 0; s < next; ++s) {
            ASSERT_EQ(plain.points[s].on_incident, m.points[s].on_incident);
            ASSERT_EQ(plain.points[s].separation, m.points[s].separation);
            ASSERT_EQ(plain.points[s].features, m.points[s].features);
        }
    };
    const std::uint32_t overlapping = for_overlapping_pairs(62, check);
    std::printf("%u pairs, %u cuts, %u corners deleted\n", overlapping, cuts, above);
    EXPECT_GT(overlapping, 500U);
    EXPECT_GT(above, 100U);
}

FeatureGrowth grow(const Polyhedron& h, double angle) {
    FeatureGrowth out;
    const published::SupportHeights heights = published::support_heights(h, kUp);
    published::grow_feature(h, kUp, heights, {FeatureType::vertex, heights.vertex}, angle, &out);
    return out;
}

std::vector<double> sines(const FeatureGrowth& growth, FeatureType type) {
    std::vector<double> out;
    for (const GrowthCandidate& c : growth.candidates) {
        if (c.feature.type == type) out.push_back(c.sine);
    }
    std::sort(out.begin(), out.end());
    return out;
}

// A box tilted about y: of the three edges at its highest vertex one is level, one rises with the sine of the tilt, one
// with its cosine.
TEST(PublishedSteps, FeaturesGrowFromVertexToEdgeToFace) {
    const double tilt = 0.01;
    const auto box = [](double by) { return placed(box_points(2, 1, 0.5), {rotation(about({0, 1, 0}, by)), {}}); };
    const FeatureGrowth growth = grow(box(tilt), 0.02);
    EXPECT_EQ(growth.direction, kUp);
    EXPECT_EQ(growth.angle, 0.02);
    const std::vector<double> edges = sines(growth, FeatureType::edge);
    ASSERT_EQ(edges.size(), 3U);
    EXPECT_NEAR(edges[0], 0, 1e-6);
    EXPECT_NEAR(edges[1], std::sin(tilt), 1e-6);
    EXPECT_NEAR(edges[2], std::cos(tilt), 1e-6);
    const std::vector<double> faces = sines(growth, FeatureType::face);
    ASSERT_EQ(faces.size(), 3U);
    EXPECT_NEAR(faces[0], std::sin(tilt), 1e-6);
    EXPECT_NEAR(faces[1], std::cos(tilt), 1e-6);
    for (const GrowthCandidate& c : growth.candidates) {
        EXPECT_EQ(c.aligned, c.towards && c.sine <= std::sin(0.02));
        const double best = c.feature.type == FeatureType::edge ? edges[0] : faces[0];
        EXPECT_EQ(c.chosen, c.sine == best);
    }
    ASSERT_EQ(growth.stages.size(), 3U);
    constexpr FeatureType kTypes[] = {FeatureType::vertex, FeatureType::edge, FeatureType::face};
    for (std::size_t s = 0; s < 3; ++s) {
        EXPECT_EQ(growth.stages[s].feature.type, kTypes[s]);
        EXPECT_EQ(growth.stages[s].gauss_map.size(), 3 - s);
    }
    EXPECT_EQ(growth.stages[2].vertices.size(), 4U);
    // The face's map is a point within the cap, as far from its middle as the box is tilted.
    EXPECT_NEAR(std::acos(dot(growth.stages[2].gauss_map[0], kUp)), tilt, 1e-6);

    const FeatureGrowth steep = grow(box(0.5), 0.02);
    ASSERT_EQ(steep.stages.size(), 2U);
    EXPECT_EQ(steep.stages[1].feature.type, FeatureType::edge);
}

// Neighbours in the map of a vertex are faces with a common edge.
TEST(PublishedSteps, GaussMapsOfVerticesGoAround) {
    const Library library = many();
    std::uint32_t vertices = 0, wide = 0;
    for (std::uint32_t i = 0; i < 20; ++i) {
        const Polyhedron h = published::make_polyhedron(library.hulls[i], {});
        const auto shared = [&](const Vec3d& p, const Vec3d& q) {
            std::uint32_t out = 0;
            for (std::uint32_t e = 0; e < h.edges.size(); ++e) {
                const std::vector<Vec3d> map = published::gauss_map(h, {FeatureType::edge, e});
                EXPECT_EQ(map.size(), 2U);
                out += (map[0] == p && map[1] == q) || (map[0] == q && map[1] == p) ? 1U : 0U;
            }
            return out;
        };
        for (std::uint32_t v = 0; v < h.positions.size(); ++v) {
            const std::vector<Vec3d> map = published::gauss_map(h, {FeatureType::vertex, v});
            ASSERT_GE(map.size(), 3U);
            ++vertices;
            wide += map.size() > 3 ? 1U : 0U;
            for (std::size_t k = 0; k < map.size(); ++k) {
                ASSERT_EQ(shared(map[k], map[(k + 1) % map.size()]), 1U) << "hull " << i << ", vertex " << v;
            }
        }
    }
    EXPECT_GT(vertices, 100U);
    EXPECT_GT(wide, 30U);
}

TEST(PublishedSteps, RecordingFeaturesChangesNothing) {
    std::uint32_t faces = 0, edges = 0;
    const auto check = [&](const Polyhedron& a, const Polyhedron& b, const published::Collision& c) {
        published::FeatureSettings settings;
        settings.angle = 0.2;
        FeatureTrace t;
        const FeatureManifold m = published::clip_features(a, b, c, settings, &t);
        const FeatureManifold plain = published::clip_features(a, b, c, settings);
        ASSERT_EQ(plain.points.size(), m.points.size());
        for (std::size_t s = 0; s < m.points.size(); ++s) {
            ASSERT_EQ(plain.points[s].position, m.points[s].position);
            ASSERT_EQ(plain.points[s].separation, m.points[s].separation);
        }
        for (const auto& [growth, feature] : {std::pair{&t.a, &m.a}, std::pair{&t.b, &m.b}}) {
            ASSERT_EQ(growth->stages.back().feature, (Feature{feature->type, feature->index}));
            ASSERT_EQ(growth->stages.back().vertices, feature->vertices);
            faces += growth->stages.size() > 1 && feature->type == FeatureType::face ? 1U : 0U;
            edges += growth->stages.size() > 1 && feature->type == FeatureType::edge ? 1U : 0U;
        }
        ASSERT_EQ(t.a.direction, c.info.normal);
        ASSERT_EQ(t.b.direction, -c.info.normal);
        ASSERT_EQ(t.tied, t.a.angle != settings.angle);
    };
    const std::uint32_t overlapping = for_overlapping_pairs(63, check);
    std::printf("%u pairs; grown to %u faces and %u edges\n", overlapping, faces, edges);
    EXPECT_GT(overlapping, 500U);
    EXPECT_GT(faces, 50U);
    EXPECT_GT(edges, 20U);
}

}  // namespace
}  // namespace lanefold::test
