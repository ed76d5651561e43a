// SPDX-License-Identifier: MIT
//
// Single stages of the float64 path, and rare inputs: the brute force after the distance iteration, the split of faces
// that are not flat, 32-bit topology, and geometry that broke other systems.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "precise/edges.hpp"
#include "precise/facets.hpp"
#include "precise/floor.hpp"
#include "precise/gjk.hpp"
#include "precise/pose.hpp"
#include "precise/support.hpp"
#include "support/precise_scene.hpp"

namespace lanefold::precise_test {
namespace {

detail::PrecisePair pair_of(const HullRecord& a, const Placement& pa, const HullRecord& b, const Placement& pb) {
    detail::PrecisePair p;
    p.a = &a;
    p.b = &b;
    std::copy(pa.position, pa.position + 3, p.position_a);
    std::copy(pb.position, pb.position + 3, p.position_b);
    std::copy(pa.orientation, pa.orientation + 4, p.orientation_a);
    std::copy(pb.orientation, pb.orientation + 4, p.orientation_b);
    p.margin = 1e6F;
    return p;
}

TEST(PreciseStages, BruteForceAgreesWithTheIteration) {
    Random shapes(61);
    const Library library({box_points(0.5, 0.3, 0.7),
                           ball_points(shapes, 30),
                           prism_points(11, 0.4, 0.9),
                           {point(1, 1, -1), point(1, -1, -1), point(-1, -1, -1), point(1, -1, 1)},
                           box_points(1, 1, 0.001)});
    Random random(62);
    detail::PreciseScratch scratch;
    int compared = 0;
    double worst = 0;
    for (int i = 0; i < 3000; ++i) {
        const HullRecord& a = library.hulls[random.below(5)];
        const HullRecord& b = library.hulls[random.below(5)];
        Placement pa;
        Placement pb;
        set_random_quat(pa, random);
        set_random_quat(pb, random);
        set_position(pb, random.offset(0.8, 4));
        detail::Problem p(a, b);
        prepare(pair_of(a, pa, b, pb), scratch.impl(), p);
        detail::FaceAxis face;
        ASSERT_TRUE(search_faces(p, scratch.impl(), face));
        if (face.separation <= 1e-6) continue;
        const Vec3d axis = face.on_b ? -(p.from_b.rotation * face.normal) : face.normal;
        const detail::GjkResult found = closest_points(p, axis);
        ASSERT_TRUE(found.converged);
        // With the bounds of the iteration, and with none at all.
        detail::GjkResult nothing;
        nothing.axis = axis;
        nothing.distance = std::numeric_limits<double>::infinity();
        for (const detail::GjkResult& bounds : {found, nothing}) {
            const detail::GjkResult all = closest_points_brute_force(p, scratch.impl(), bounds);
            worst = std::max(worst, std::fabs(all.distance - found.distance));
            ASSERT_NEAR(all.distance, found.distance, 1e-9);
            ASSERT_NEAR(length(all.q - all.p), all.distance, 1e-9);
        }
        ++compared;
    }
    std::printf("iteration against brute force: %d pairs, worst %.2e\n", compared, worst);
    EXPECT_GT(compared, 1500);
}

// A pair of a box, hull 0 or 1 of the library, and a small body on one of its sides.
struct FloorPair {
    const HullRecord* a = nullptr;
    const HullRecord* b = nullptr;
    detail::PrecisePair pair;
};

FloorPair random_floor_pair(const Library& library, int i, Random& random) {
    const bool floor_is_b = (i & 1) != 0;
    const HullRecord& floor = library.hulls[random.below(2)];
    const HullRecord& body = library.hulls[2 + random.below(6)];
    EXPECT_TRUE(floor.exact_box);
    Placement on_floor;
    Placement above;
    if ((i & 6) == 0) set_random_quat(on_floor, random);
    if ((i & 24) != 0) set_random_quat(above, random);
    // Mostly on a side of the box, with a depth up to the size of the body.
    const double half[3] = {floor.half_extent[0], floor.half_extent[1], floor.half_extent[2]};
    double x[3];
    for (std::size_t k = 0; k < 3; ++k) x[k] = half[k] * random.between(-1.001, 1.001);
    const std::uint32_t side = random.below(3);
    const double reach = (i & 24) != 0 ? random.between(-0.1, 1.1) * double{body.size} : double{body.half_extent[side]};
    x[side] = random.below(2) != 0 ? half[side] + reach : -half[side] - reach;
    const PoseD pose = reference::oracle_pose(on_floor.position, on_floor.orientation);
    const Vec3d centre{floor.centre[0], floor.centre[1], floor.centre[2]};
    set_position(above, pose.rotation * (Vec3d{x[0], x[1], x[2]} + centre));

    FloorPair out;
    out.a = floor_is_b ? &body : &floor;
    out.b = floor_is_b ? &floor : &body;
    out.pair = pair_of(*out.a, floor_is_b ? above : on_floor, *out.b, floor_is_b ? on_floor : above);
    out.pair.margin = 0.02F;
    return out;
}

void expect_same(const detail::FaceAxis& x, const detail::FaceAxis& y) {
    EXPECT_EQ(x.on_b, y.on_b);
    EXPECT_EQ(x.facet, y.facet);
    EXPECT_EQ(x.normal, y.normal);
    EXPECT_EQ(x.offset, y.offset);
    EXPECT_EQ(x.separation, y.separation);
    EXPECT_EQ(x.own, y.own);
    EXPECT_EQ(x.support, y.support);
}

// On a box far larger than the other hull one face often settles the pair. Then the whole search must find that face,
// to the last bit, and no better edge.
TEST(PreciseStages, FloorVerdictIsWhatTheSearchFinds) {
    Random shapes(91);
    const Library library({box_points(50, 40, 60), shifted(box_points(300, 2000, 70), 10, -3, 7),
                           box_points(0.5, 0.5, 0.5), box_points(0.2, 0.3, 0.1),
                           turned(box_points(0.3, 0.2, 0.4), shapes), ball_points(shapes, 14),
                           prism_points(7, 0.2, 0.3), ball_points(shapes, 40)});
    Random random(92);
    detail::PreciseScratch scratch;
    int settled = 0;
    int apart = 0;
    for (int i = 0; i < 20000 && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const FloorPair floor = random_floor_pair(library, i, random);
        detail::Problem p(*floor.a, *floor.b);
        prepare(floor.pair, scratch.impl(), p);
        detail::FaceAxis quick;
        const detail::FloorVerdict verdict = try_floor(p, quick);
        if (verdict == detail::FloorVerdict::unknown) continue;
        detail::FaceAxis face;
        detail::EdgeAxis edge;
        const bool found = search_faces(p, scratch.impl(), face) &&
                           (face.separation > 0 || search_edges(p, scratch.impl(), face.separation, edge));
        ASSERT_EQ(found, verdict == detail::FloorVerdict::face);
        if (!found) {
            ++apart;
            continue;
        }
        ++settled;
        ASSERT_EQ(edge.edge_a, detail::kNoIndex);
        expect_same(quick, face);
    }
    std::printf("floor: %d settled, %d apart\n", settled, apart);
    EXPECT_GT(settled, 5000);
    EXPECT_GT(apart, 500);
}

// Every edge of a split hull must lie in the loops of both its facets, and every facet below none of the
// vertices: then it is the true hull.
TEST(PreciseStages, SplitFacesAreTheTrueHull) {
    Random shapes(71);
    std::vector<Points> forms;
    for (int i = 0; i < 20; ++i) {
        forms.push_back(scaled(turned(prism_points(3 + 2 * i, 1, 0.3), shapes), 1e5));
        forms.push_back(scaled(turned(box_points(1, 0.8, 0.6), shapes), 1e5));
    }
    forms.push_back(box_points(0.5, 0.5, 0.5));
    const Library library(forms);
    const auto small = static_cast<std::uint32_t>(forms.size() - 1);
    detail::PreciseScratch scratch;
    int split = 0;
    std::uint64_t chords = 0;
    for (std::uint32_t h = 0; h < small; ++h) {
        const HullRecord& a = library.hulls[h];
        detail::Problem p(a, library.hulls[small]);
        prepare(pair_of(a, {}, library.hulls[small], {}), scratch.impl(), p);
        prepare_planes(scratch.impl(), p);
        ASSERT_TRUE(p.refined);
        const detail::Solid& s = p.a;
        if (!s.triangulated) continue;
        ++split;
        chords += s.edges - a.edge_count;
        EXPECT_EQ(static_cast<int>(s.vertices) - static_cast<int>(s.edges) + static_cast<int>(s.facets), 2);
        for (std::uint32_t f = 0; f < s.facets; ++f) {
            EXPECT_NEAR(length(s.facet_normal(f)), 1, 1e-14);
            const double above = furthest(s, s.facet_normal(f)).value - s.offset[f];
            EXPECT_LE(above, 1e-10 * a.size) << "hull " << h << " facet " << f;
            EXPECT_LE(dot(s.facet_normal(f), loop_normal(s, s.parent[f])), 1 + 1e-12);
            EXPECT_GT(dot(s.facet_normal(f), loop_normal(s, s.parent[f])), 0.9);
        }
        std::map<std::uint32_t, int> uses;
        for (std::uint32_t e = 0; e < s.edges; ++e) {
            const detail::SolidEdge ends = s.edge(e);
            ASSERT_LT(ends.facet0, s.facets);
            ASSERT_LT(ends.facet1, s.facets);
            EXPECT_NE(ends.facet0, ends.facet1);
            ++uses[ends.facet0];
            ++uses[ends.facet1];
            for (const std::uint32_t f : {ends.facet0, ends.facet1}) {
                for (const std::uint32_t v : {ends.v0, ends.v1}) {
                    EXPECT_NEAR(dot(s.facet_normal(f), s.vertex(v)), s.offset[f], 1e-9 * a.size);
                }
            }
            // Convex: the other facet's far corners are not above this one.
            EXPECT_GE(dot(cross(s.facet_normal(ends.facet0), s.facet_normal(ends.facet1)),
                          normalized(s.vertex(ends.v1) - s.vertex(ends.v0))),
                      -1e-9)
                << "hull " << h << " edge " << e;
        }
        for (const auto& [facet, count] : uses) EXPECT_GE(count, 3) << facet;
    }
    std::printf("split %d hulls, %llu chords\n", split, Tally::ull(chords));
    EXPECT_GT(split, 20);
    EXPECT_GT(chords, 100U);
}

TEST(PreciseStages, ThirtyTwoBitTopologyWorks) {
    // 12,000 vertices have 2 E = 71,988 > 65,535 loop slots.
    Random shapes(81);
    const BuildResult built = build_hull(ball_points(shapes, 12000, 0.0));
    ASSERT_TRUE(built);
    const HullRecord& ball = built.hulls[0];
    ASSERT_NE(ball.flags & HullRecord::kWide, 0);
    const BuildResult box = build_hull(box_points(0.2, 0.3, 0.4));
    ASSERT_TRUE(box);
    const reference::OracleHull ball_truth = [&] {
        // The oracle's brute force would take too long here, so the distance is bounded from both sides.
        reference::OracleHull h;
        for (const Vec3f& v : built.hulls.vertices(0)) h.vertices.push_back(to_double(v));
        return h;
    }();
    const reference::OracleHull box_truth = reference::make_oracle_hull(box.hulls.vertices(0));
    detail::PreciseScratch scratch;
    Random random(82);
    int touching = 0;
    int apart = 0;
    for (int i = 0; i < 60; ++i) {
        Placement pa;
        Placement pb;
        set_random_quat(pa, random);
        set_random_quat(pb, random);
        set_position(pb, random.offset(1.1, 1.6));
        detail::PrecisePair pair = pair_of(ball, pa, box.hulls[0], pb);
        pair.margin = 0.1F;
        Manifold4 m;
        collide_precise(pair, scratch, m);
        if (m.kind == ContactKind::none) continue;
        const Vec3d n{m.normal[0], m.normal[1], m.normal[2]};
        const double along =
            reference::separation_along(ball_truth, reference::oracle_pose(pb.position, pa.orientation), box_truth,
                                        reference::oracle_pose(pb.position, pb.orientation), n) +
            dot(n, Vec3d{pb.position[0], pb.position[1], pb.position[2]});
        // The separation along the reported normal is a lower bound; with face preference 0 it is the distance.
        EXPECT_NEAR(along, m.distance, 2e-6);
        ASSERT_GE(m.count, 1);
        // Upper bound: the witnesses are points of the hulls (all of the ball's vertices lie on the unit sphere).
        const Vec3d on_a = to_double(witness_on_a(m.normal, m.points[0]));
        EXPECT_LE(length(on_a), 1 + 1e-6);
        EXPECT_GT(length(on_a), 0.99);
        ++(m.distance < 0 ? touching : apart);
    }
    EXPECT_GT(touching, 10);
    EXPECT_GT(apart, 3);
}

TEST(PreciseStages, LargeSmoothHullsAgreeWithTheOracle) {
    Random shapes(91);
    const Library library(
        {ball_points(shapes, 250, 0.0), ball_points(shapes, 300, 0.02), ball_points(shapes, 120, 0.0)});
    Random random(92);
    Judge judge(library);
    for (std::uint32_t i = 0; i < 60; ++i) {
        Placement pa;
        Placement pb;
        set_random_quat(pa, random);
        set_random_quat(pb, random);
        // Some with the same centre: every face is about equally deep.
        set_position(pb, i % 6 == 0 ? Vec3d{0, 0, 0} : random.offset(0.5, 2.05));
        ASSERT_TRUE(judge.check(i % 3, pa, (i / 3) % 3, pb, 0.05, (i & 1) != 0 ? 0.0 : 0.005)) << i;
    }
    judge.tally.print("smooth");
    EXPECT_GT(judge.tally.overlapping, 40U);
}

// Geometry that broke other systems, rebuilt from its description.
class PreciseKnown : public ::testing::Test {
protected:
    Placement at(double x, double y, double z) {
        Placement p;
        set_position(p, {x, y, z});
        return p;
    }
};

TEST_F(PreciseKnown, ThinBoxDeeperThanItsThinSideHasContacts) {
    const Library library({box_points(0.65, 0.48, 0.04)});
    Judge judge(library);
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 0, at(0.1, 0.05, 0.03), 0, 0.005));
    EXPECT_EQ(judge.four.count, 4);
    EXPECT_NEAR(judge.four.distance, -0.05, 1e-6);
}

TEST_F(PreciseKnown, SmallBoxOnSlabsOfAnySizeHasFourPoints) {
    for (const double half : {1.0, 10.0, 25.0, 50.0, 100.0, 1e4, 1e5}) {
        const Library library({box_points(half, half, 0.25), box_points(0.1, 0.1, 0.1)});
        Judge judge(library);
        ASSERT_TRUE(judge.check(0, at(0, 0, 0), 1, at(0.3 * half, 0.2 * half, 0.349), 0.02, 0.005)) << half;
        EXPECT_EQ(judge.four.count, 4) << half;
        EXPECT_NEAR(judge.four.distance, -0.001, 1e-6) << half;
        EXPECT_EQ(judge.four.normal[2], 1.0F) << half;
    }
}

TEST_F(PreciseKnown, NearlyDegenerateSixVertexHullsOverlap) {
    const Library library(
        {{point(-.0611590669, -.13801524, -.158372656), point(.0620514415, .135089189, -.159879193),
          point(-.105518319, -.100999095, -.188289702), point(-.107238553, -.102976903, .1569262),
          point(-.0851279497, -.122304708, .156887323), point(-.0590926372, -.104567274, -.242715642)}});
    Judge judge(library);
    Placement a = at(-.141666584, 0, 0);
    Placement b = at(.141666584, 0, 0);
    for (Placement* p : {&a, &b}) set_quat(*p, .0029009761, .0001424328, .8400087479, .5425650813);
    ASSERT_TRUE(judge.check(0, a, 0, b, 0, 0));
    EXPECT_LT(judge.truth.distance, -0.003);
    EXPECT_GE(judge.four.count, 1);
}

TEST_F(PreciseKnown, LongPrismAgainstATinyCylinder) {
    const Library library({prism_points(3, 200, 300), prism_points(24, 0.02, 0.02)});
    Judge judge(library);
    // On a cap, well inside, and on a long side (which faces -x for three sides).
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 1, at(10, 5, 300.0195), 0.002, 0.005));
    EXPECT_EQ(judge.four.count, 4);
    EXPECT_NEAR(judge.four.distance, -0.0005, 1e-6);
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 1, at(-100 - 0.0195, 3, 100), 0.002, 0.005));
    EXPECT_EQ(judge.four.kind, ContactKind::face_a);
    EXPECT_LT(judge.four.distance, 0);
}

TEST_F(PreciseKnown, CornerOfALargeCubeInASmallOne) {
    const Library library({box_points(5, 5, 5), box_points(0.5, 0.5, 0.5)});
    Judge judge(library);
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 1, at(5.4, 5.4, 5.4), 0, 0));
    EXPECT_TRUE(judge.four.kind == ContactKind::face_a || judge.four.kind == ContactKind::face_b);
    EXPECT_NEAR(judge.four.distance, -0.1, 1e-6);
}

TEST_F(PreciseKnown, FlatPlatesAndNearParallelYaw) {
    const Library library(
        {box_points(0.005, 0.39, 0.125), box_points(0.119, 0.0785, 0.125), box_points(0.5, 0.5, 0.005)});
    Judge judge(library);
    Random random(5);
    for (std::uint32_t i = 0; i < 300; ++i) {
        Placement b = at(random.between(-0.15, 0.15), random.between(-0.5, 0.5), random.between(-0.3, 0.3));
        const double yaw = random.between(-1e-4, 1e-4);
        set_quat(b, 0, 0, yaw, 1);
        ASSERT_TRUE(judge.check(0, at(0, 0, 0), i % 3, b, 1e-3, (i & 1) != 0 ? 0.0 : 0.005)) << i;
    }
    EXPECT_GT(judge.tally.overlapping, 50U);
}

TEST_F(PreciseKnown, TwoCubesTouchingByTheLastDigitHaveFourPoints) {
    const Library library({box_points(1, 1, 1)});
    Judge judge(library);
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 0, at(1.9999, 0, 0), 0, 0.005));
    EXPECT_EQ(judge.four.count, 4);
}

TEST_F(PreciseKnown, LargeSeparationKeepsItsPrecision) {
    const Library library({box_points(1, 1, 1)});
    Judge judge(library);
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 0, at(1002, 0, 0), 2000, 0.005));
    EXPECT_EQ(judge.four.distance, 1000.0F);
    EXPECT_EQ(judge.four.count, 4);
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 0, at(2.01, 0, 0), 0.02, 0.005));
    EXPECT_NEAR(judge.four.distance, 0.01, 1e-6);
}

TEST_F(PreciseKnown, NearFlatHullApartIsNoPenetration) {
    Points lens = prism_points(12, 0.5, 0.0001);
    lens.push_back(point(0, 0, 0.0003));
    const Library library({lens, box_points(0.3, 0.3, 0.3)});
    Judge judge(library);
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 1, at(0.05, 0.02, 0.3 + 0.0003 + 0.00142), 0.01, 0.005));
    EXPECT_NEAR(judge.four.distance, 0.00142, 1e-6);
}

}  // namespace
}  // namespace lanefold::precise_test
