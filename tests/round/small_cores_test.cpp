// SPDX-License-Identifier: MIT
//
// Spheres and capsules: the builder, closed forms, two points where a capsule lies along something, and the directions
// where the minimum has none: they turn with the bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/judge.hpp>
#include <lanefold/serial.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kSphere = 0;   // radius 0.5
constexpr std::uint32_t kCapsule = 1;  // from -1 to 1 along x, radius 0.25
constexpr std::uint32_t kBox = 2;      // half extents 2, sharp
constexpr std::uint32_t kRock = 3;

HullSet small_set() {
    Random random(77);
    std::vector<Vec3f> points = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}};
    std::vector<std::uint64_t> offsets = {0, 1, 3};
    for (const Points& more : {box_points(2, 2, 2), make_points(Shape::rock, random)}) {
        points.insert(points.end(), more.begin(), more.end());
        offsets.push_back(points.size());
    }
    const float radii[] = {0.5F, 0.25F, 0, 0.1F};
    BuildOptions options;
    options.radii = radii;
    BuildResult built = build_hulls(points, offsets, options);
    EXPECT_TRUE(static_cast<bool>(built));
    return built.hulls;
}

Manifold4 contact(const HullSet& hulls, const BodyD& a, const BodyD& b, float margin = 0) {
    Options options;
    options.margin = margin;
    Workspace workspace;
    Manifold4 m{};
    EXPECT_TRUE(collide_pair(hulls, a, b, options, m, workspace).status);
    return m;
}

// The rotation after a small one about y and z, by the sines of half its angles.
Quat tilted(const Quat& q, double y, double z) {
    return {q.x + q.y * z - q.z * y, q.y + q.w * y - q.x * z, q.z + q.w * z + q.x * y, q.w - q.y * y - q.z * z};
}

Vec3d normal_of(const Manifold4& m) { return {m.normal[0], m.normal[1], m.normal[2]}; }

TEST(SmallCores, BuilderTakesPointsAndSegmentsWithARadiusOnly) {
    const HullSet hulls = small_set();
    for (const std::uint32_t h : {kSphere, kCapsule}) {
        const HullRecord& r = hulls[h];
        EXPECT_EQ(r.flags & HullRecord::kSmall, HullRecord::kSmall);
        EXPECT_EQ(r.vertex_count, h + 1);
        EXPECT_EQ(r.edge_count, h);
        EXPECT_EQ(r.face_count, 0U);
        EXPECT_FALSE(r.is_box());
    }
    EXPECT_EQ(hulls[kCapsule].size, 1.0F);
    const Points twice = {{1, 2, 3}, {1, 2, 3}, {4, 2, 3}, {4, 2, 3}};
    BuildOptions options;
    EXPECT_EQ(build_hull(twice, options).failures.at(0).error, HullError::too_few_points);
    options.radius = 0.5F;
    const BuildResult built = build_hull(twice, options);
    ASSERT_TRUE(built);
    EXPECT_EQ(built.hulls[0].vertex_count, 2U);
    EXPECT_EQ(built.hulls.input_index(0)[1], 2U);
    options.origin = Origin::centre_of_mass;
    const BuildResult centred = build_hull(twice, options);
    ASSERT_TRUE(centred);
    EXPECT_EQ(centred.frames[0].shift.x, 2.5);
    EXPECT_EQ(centred.hulls.vertices(0)[0].x, -1.5F);
    // Flat cores and lines of more points are refused, with a radius or without.
    options = {};
    options.radius = 0.5F;
    EXPECT_EQ(build_hull(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, options).failures.at(0).error,
              HullError::flat);
    EXPECT_EQ(build_hull(Points{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, options).failures.at(0).error,
              HullError::collinear);
    EXPECT_EQ(build_hull(Points{}, options).failures.at(0).error, HullError::too_few_points);
    EXPECT_EQ(build_hull(Points{{std::nanf(""), 0, 0}}, options).failures.at(0).error, HullError::not_finite);
    EXPECT_EQ(build_hull(Points{{2e15F, 0, 0}}, options).failures.at(0).error, HullError::too_large);
}

TEST(SmallCores, SpheresHaveTheDistanceOfTheirCentres) {
    const HullSet hulls = small_set();
    Random random(78);
    int touching = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3d by = random.in_ball() * 1.2;
        const Vec3d at = random.in_ball() * 1e6;
        const Manifold4 m =
            contact(hulls, placed_body(kSphere, at, random.rotation()), placed_body(kSphere, at + by), 0.01F);
        const Vec3d apart = (at + by) - at;
        const double d = length(apart) - 1;
        if (d > 0.01 + 1e-6) {
            EXPECT_EQ(m.kind, ContactKind::none);
        }
        if (d > 0.01 - 1e-6) continue;
        ++touching;
        ASSERT_EQ(m.kind, ContactKind::vertex_vertex);
        ASSERT_EQ(m.count, 1);
        EXPECT_NEAR(m.distance, d, 1e-6);
        EXPECT_NEAR(length(normal_of(m) - apart * (1 / length(apart))), 0, 1e-6);
        const Vec3f on_a = witness_on_a(m.normal, m.points[0]);
        EXPECT_NEAR(length(to_double(on_a)), 0.5, 1e-6);
    }
    EXPECT_GT(touching, 500);
}

TEST(SmallCores, CapsuleOnAFaceAndAlongACapsuleHasTwoPoints) {
    const HullSet hulls = small_set();
    for (const double lean : {0.0, 1e-7, 1e-3}) {
        const Manifold4 m = contact(hulls, placed_body(kBox, {}),
                                    placed_body(kCapsule, {0.1, 0.2, 2.24}, about({0, 1, 0}, lean)), 0.01F);
        EXPECT_EQ(m.kind, ContactKind::face_a);
        ASSERT_EQ(m.count, 2) << lean;
        EXPECT_NEAR(m.distance, -0.01 - std::sin(lean), 1e-6);
        EXPECT_NEAR(std::fabs(m.points[0].position[0] - m.points[1].position[0]), 2, 1e-5);
    }
    // Over the side of the face: its crossing with the side.
    const Manifold4 over = contact(hulls, placed_body(kCapsule, {1.5, 0, -2.2}), placed_body(kBox, {}), 0.01F);
    EXPECT_EQ(over.kind, ContactKind::face_b);
    ASSERT_EQ(over.count, 2);
    EXPECT_NEAR(std::fabs(over.points[0].position[0] - over.points[1].position[0]), 1.5, 1e-5);
    // Side by side, shifted by half.
    const Manifold4 m = contact(hulls, placed_body(kCapsule, {}), placed_body(kCapsule, {1, 0, 0.49}));
    EXPECT_EQ(m.kind, ContactKind::edge_edge);
    ASSERT_EQ(m.count, 2);
    EXPECT_NEAR(m.distance, -0.01, 1e-6);
    EXPECT_NEAR(m.points[0].position[0], 0, 1e-6);
    EXPECT_NEAR(m.points[1].position[0], 1, 1e-6);
    // Crossing: one point.
    EXPECT_EQ(
        contact(hulls, placed_body(kCapsule, {}), placed_body(kCapsule, {0, 0, 0.49}, about({0, 0, 1}, 0.3))).count, 1);
}

// The core of the capsule is level with the top of the box and ends at its corner, so that rounding decides which face
// is the best and whether any of the core is over it. Its other end is 2 away from the box.
TEST(SmallCores, LevelCapsuleThatEndsAtACornerHasItsPointThere) {
    const HullSet hulls = small_set();
    Random random(80);
    for (const Vec3d& at : {Vec3d{3, 2, 2}, Vec3d{3, 2 + 1e-8, 2}, Vec3d{3, 2 - 1e-8, 2 + 1e-8}}) {
        for (int i = 0; i < 500; ++i) {
            const Quat q = random.rotation();
            const BodyD box = placed_body(kBox, {}, q);
            const Mat3d turn = pose_of(box).rotation;
            const BodyD capsule = placed_body(kCapsule, turn * at, q);
            for (const bool swapped : {false, true}) {
                const Manifold4 m = swapped ? contact(hulls, capsule, box) : contact(hulls, box, capsule);
                ASSERT_EQ(m.count, 1);
                EXPECT_NEAR(m.distance, -0.25, 1e-6);
                const Vec3d corner = turn * Vec3d{2, 2, 2} - (swapped ? turn * at : Vec3d{});
                EXPECT_NEAR(length(to_double(witness_on_a(m.normal, m.points[0])) - corner), 0, 0.26);
            }
        }
    }
}

// A core over the end of an edge by so little that the edge and the one across it are equally near within rounding: the
// points of the two are far enough apart to turn the direction by 1e-4. No direction separates by less.
TEST(SmallCores, DirectionsOfCoresThatAlmostMeetSeparate) {
    const HullSet hulls = small_set();
    Random random(81);
    for (const auto& [over, beside, inside] : {std::array{1e-6, 1e-9, 1e-10}, std::array{1e-8, 1e-9, 2e-12}}) {
        for (int i = 0; i < 300; ++i) {
            const Quat q = random.rotation();
            const BodyD box = placed_body(kBox, {}, q);
            const Mat3d turn = pose_of(box).rotation;
            const Vec3d at{3 + beside, 2 - inside, 2 + over};
            const BodyD capsule = placed_body(kCapsule, turn * at, q);
            const Manifold4 m = i % 2 == 0 ? contact(hulls, box, capsule) : contact(hulls, capsule, box);
            EXPECT_NEAR(m.distance, -0.25, 2e-6);
            const Vec3d n = transpose(turn) * normal_of(m) * (i % 2 == 0 ? 1.0 : -1.0);
            const double box_support = 2 * (std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z));
            EXPECT_NEAR(dot(n, at) - std::fabs(n.x) - box_support, 0, 4e-6);
        }
    }
}

// Distances from rounding to a thousandth of the size, from a corner, along an edge or with a slight tilt: rounding of
// the closest points turns the direction of a short distance most. Records of faces may prefer them by a share of it.
TEST(SmallCores, DirectionsOfShortDistancesSeparate) {
    const HullSet hulls = small_set();
    Random random(83);
    const auto small = [&](double from, double to) {
        return from * std::pow(to / from, random.uniform(0, 1)) * (random.uniform(0, 1) < 0.5 ? -1.0 : 1.0);
    };
    int judged = 0;
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        const Quat q = random.rotation();
        const Quat turned = tilted(q, i % 3 == 0 ? small(1e-12, 1e-3) : 0, i % 3 != 2 ? small(1e-12, 1e-3) : 0);
        const BodyD box = placed_body(kBox, {}, q);
        const Vec3d at{3 + small(1e-13, 1e-5), 2 + small(1e-13, 1e-5), 2 + std::fabs(small(1e-7, 2e-3))};
        const BodyD capsule = placed_body(kCapsule, pose_of(box).rotation * at, turned);
        const Manifold4 m = i % 2 == 0 ? contact(hulls, box, capsule) : contact(hulls, capsule, box);
        if (m.kind == ContactKind::face_a || m.kind == ContactKind::face_b) continue;
        ++judged;
        const Vec3d n = normal_of(m) * (i % 2 == 0 ? 1.0 : -1.0);
        const Vec3d in_box = transpose(pose_of(box).rotation) * n;
        const double box_support = 2 * (std::fabs(in_box.x) + std::fabs(in_box.y) + std::fabs(in_box.z));
        const Vec3d middle{capsule.position[0], capsule.position[1], capsule.position[2]};
        const double lean = (transpose(pose_of(capsule).rotation) * n).x;
        const double low = dot(n, middle) - std::fabs(lean) - 0.25;
        worst = std::max(worst, m.distance - (low - box_support));
    }
    std::printf("%d pairs without a face, a direction separates by %.2g less at most\n", judged, worst);
    EXPECT_GT(judged, 8000);
    EXPECT_LT(worst, 8e-6);
}

// The cores meet, so the minimum has no unique direction. The distance is minus both radii, the direction separates by
// as much, and it turns with the pair.
TEST(SmallCores, DirectionsOfCoresThatMeetTurnWithThePair) {
    const HullSet hulls = small_set();
    const Quat upright = about({0, 0, 1}, 1.5707963267948966);
    struct Case {
        const char* name;
        BodyD a;
        BodyD b;
        Vec3d normal;
    };
    const Case cases[] = {
        {"coincident spheres", placed_body(kSphere, {}), placed_body(kSphere, {}), {1, 0, 0}},
        {"crossing segments", placed_body(kCapsule, {}), placed_body(kCapsule, {}, upright), {0, 0, 1}},
        {"the same capsule twice", placed_body(kCapsule, {}), placed_body(kCapsule, {}), {0, 0, 1}},
        {"collinear segments", placed_body(kCapsule, {}), placed_body(kCapsule, {0.5, 0, 0}), {0, 0, 1}},
        {"a sphere within a capsule", placed_body(kCapsule, {}), placed_body(kSphere, {0.25, 0, 0}), {0, 0, 1}},
        {"a capsule around a sphere", placed_body(kSphere, {0.25, 0, 0}), placed_body(kCapsule, {}), {0, 0, 1}},
    };
    Random random(79);
    for (const Case& c : cases) {
        const Manifold4 m = contact(hulls, c.a, c.b);
        const double radii = hulls[c.a.hull].round_radius + hulls[c.b.hull].round_radius;
        EXPECT_NEAR(m.distance, -radii, 1e-6) << c.name;
        EXPECT_NEAR(length(normal_of(m) - c.normal), 0, 1e-6) << c.name;
        for (int i = 0; i < 100; ++i) {
            const Quat q = random.rotation();
            const auto turned = [&](const BodyD& b) {
                const Vec3d at{b.position[0], b.position[1], b.position[2]};
                const Quat own{b.orientation[0], b.orientation[1], b.orientation[2], b.orientation[3]};
                return placed_body(b.hull, rotation(q) * at, q * own);
            };
            const BodyD a = turned(c.a);
            const BodyD b = turned(c.b);
            const Manifold4 t = contact(hulls, a, b);
            EXPECT_NEAR(t.distance, -radii, 1e-6) << c.name;
            // Rounding of the turned poses leaves cores apart by 1e-7, in any direction: it is perpendicular to both
            // segments still, and where bodies are at one place it is the rule's.
            if (c.a.position[0] == c.b.position[0]) {
                EXPECT_NEAR(length(normal_of(t) - pose_of(a).rotation * c.normal), 0, 2e-6) << c.name;
            }
        }
    }
}

TEST(SmallCores, WithinAHullTheNearestFaceOrEdgeIsTheWayOut) {
    const HullSet hulls = small_set();
    const Manifold4 point = contact(hulls, placed_body(kBox, {}), placed_body(kSphere, {0.2, 0.1, 1.5}));
    EXPECT_EQ(point.kind, ContactKind::face_a);
    EXPECT_NEAR(point.distance, -0.5 - 0.5, 1e-6);
    EXPECT_NEAR(point.normal[2], 1, 1e-6);
    // A segment through the middle of an edge of the box, at right angles to it and level: out along the diagonal.
    const Manifold4 through = contact(hulls, placed_body(kBox, {}),
                                      placed_body(kCapsule, {1.9, 1.9, 0}, about({0, 0, 1}, -0.7853981633974483)));
    EXPECT_EQ(through.kind, ContactKind::edge_edge);
    EXPECT_NEAR(through.distance, -0.1 * std::sqrt(2.0) - 0.25, 1e-6);
    EXPECT_NEAR(through.normal[0], std::sqrt(0.5), 1e-6);
}

// Whether the judge finds something wrong with a record.
bool is_refused(const HullSet& hulls, const BodyD& a, const BodyD& b, float margin, const Manifold4& m) {
    const auto oracle = [&](const BodyD& x) {
        return reference::make_oracle_hull(hulls.vertices(x.hull), hulls[x.hull].round_radius);
    };
    const reference::OracleHull hull_a = oracle(a);
    const reference::OracleHull hull_b = oracle(b);
    reference::JudgedPair q;
    q.a = &hull_a;
    q.b = &hull_b;
    q.record_a = &hulls[a.hull];
    q.record_b = &hulls[b.hull];
    q.pose_a = pose_of(a);
    q.pose_b = pose_of(b);
    q.index_b = 1;
    q.margin = margin;
    q.face_preference = kDefaultFacePreference;
    return !reference::judge(q, m).right();
}

TEST(SmallCores, SpoiltRecordsAreFound) {
    const HullSet hulls = small_set();
    const std::pair<BodyD, BodyD> pairs[] = {
        {placed_body(kSphere, {}), placed_body(kSphere, {0.6, 0.5, 0.2})},
        {placed_body(kSphere, {0.3, 0.2, 2.3}), placed_body(kBox, {})},
        {placed_body(kBox, {}), placed_body(kCapsule, {0.1, 0.2, 2.2})},
        {placed_body(kCapsule, {}), placed_body(kCapsule, {1, 0, 0.4})},
        {placed_body(kCapsule, {}), placed_body(kCapsule, {0.1, 0.1, 0.4}, about({0, 0, 1}, 0.3))},
        {placed_body(kRock, {}), placed_body(kCapsule, {0.5, 0.6, 0.7})},
        {placed_body(kRock, {}), placed_body(kBox, {2.7, 0.1, 0.2})},
    };
    for (const auto& [a, b] : pairs) {
        const Manifold4 right = contact(hulls, a, b, 0.01F);
        ASSERT_NE(right.kind, ContactKind::none);
        EXPECT_FALSE(is_refused(hulls, a, b, 0.01F, right)) << to_string(right.kind);
        const auto expect_refused = [&](const char* how, const auto& spoil) {
            Manifold4 m = right;
            spoil(m);
            EXPECT_TRUE(is_refused(hulls, a, b, 0.01F, m)) << how << ", " << to_string(right.kind);
        };
        expect_refused("distance", [](Manifold4& m) { m.distance += 1e-5F; });
        expect_refused("radius not taken off", [](Manifold4& m) { m.distance += 0.25F; });
        expect_refused("normal turned", [](Manifold4& m) {
            for (float& x : m.normal) x = -x;
        });
        expect_refused("separation", [](Manifold4& m) { m.points[0].separation -= 1e-4F; });
        expect_refused("point aside", [](Manifold4& m) { m.points[0].position[0] += 1e-4F; });
        expect_refused("point midway between the cores", [&](Manifold4& m) {
            const float radius_a = hulls[a.hull].round_radius;
            const float radius_b = hulls[b.hull].round_radius;
            const float by = radius_a == radius_b ? radius_a : 0.5F * (radius_a - radius_b);
            for (int k = 0; k < 3; ++k) m.points[0].position[k] -= by * m.normal[k];
        });
        expect_refused("feature", [](Manifold4& m) { m.feature_b += 100; });
        expect_refused("id", [](Manifold4& m) { m.points[0].feature ^= 0x5A5A5A5AU; });
        expect_refused("kind", [](Manifold4& m) { m.kind = ContactKind::none; });
        expect_refused("body", [](Manifold4& m) { m.pair[1] = 7; });
        if (right.count < 2) continue;
        expect_refused("a point left out", [](Manifold4& m) {
            m.points[m.count - 1] = {};
            --m.count;
            --m.total;
        });
    }
}

TEST(SmallCores, BoxesOfBodiesAreThoseOfSpheresAndCapsules) {
    const HullSet hulls = small_set();
    const BodyD bodies[] = {placed_body(kSphere, {1, 2, 3}),
                            placed_body(kCapsule, {}, about({0, 0, 1}, 1.5707963267948966))};
    WorldBox boxes[2];
    ASSERT_TRUE(world_boxes(hulls, BodyView(bodies), 0, boxes, 1).status);
    EXPECT_NEAR(boxes[0].lower.x, 0.5, 1e-9);
    EXPECT_NEAR(boxes[0].upper.z, 3.5, 1e-9);
    EXPECT_NEAR(boxes[1].upper.y, 1.25, 1e-6);
    EXPECT_NEAR(boxes[1].upper.x, 0.25, 1e-6);
}

}  // namespace
}  // namespace lanefold::test
