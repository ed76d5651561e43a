// SPDX-License-Identifier: MIT
//
// Tests of the judge: right manifolds of the float64 path pass, and every way of changing one is found. The sweeps rely
// on the judge.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include <lanefold/detail/precise.hpp>

#include "support/check.hpp"
#include "support/hulls.hpp"
#include "support/poses.hpp"

namespace lanefold::test {
namespace {

struct Case {
    const char* name;
    std::function<void(Manifold4&)> spoil;
    bool needs_face = false;  // the change is an error in face contacts only
};

const Case kCases[] = {
    {"distance", [](Manifold4& m) { m.distance += 1e-4F; }},
    {"unreported", [](Manifold4& m) { m = {}; }},
    {"status", [](Manifold4& m) { m.status = Status::bad_pose; }},
    {"normal turned",
     [](Manifold4& m) {
         for (float& n : m.normal) n = -n;
     }},
    {"normal tilted",
     [](Manifold4& m) {
         const Vec3d n = normalized(Vec3d{m.normal[0] + 0.1, m.normal[1] - 0.1, m.normal[2] + 0.05});
         m.normal[0] = static_cast<float>(n.x);
         m.normal[1] = static_cast<float>(n.y);
         m.normal[2] = static_cast<float>(n.z);
     }},
    {"normal not unit",
     [](Manifold4& m) {
         for (float& n : m.normal) n *= 1.00001F;
     }},
    {"point moved along the normal",
     [](Manifold4& m) {
         for (int i = 0; i < 3; ++i) m.points[0].position[i] += 1e-3F * m.normal[i];
     }},
    {"separation changed", [](Manifold4& m) { m.points[0].separation -= 1e-3F; }},
    {"no points", [](Manifold4& m) { m.count = 0; }},
    {"too many points", [](Manifold4& m) { m.count = 5; }},
    {"total below count", [](Manifold4& m) { m.total = 0; }},
    {"kind of nothing", [](Manifold4& m) { m.kind = static_cast<ContactKind>(9); }},
    {"pair", [](Manifold4& m) { ++m.pair[1]; }},
    {"feature out of range", [](Manifold4& m) { m.feature_a = 100000; }},
    {"feature of a point", [](Manifold4& m) { m.points[0].feature ^= 0x5A5A5A5AU; }},
    {"reserved byte", [](Manifold4& m) { m.child_b = 1; }},
    {"byte after the points",
     [](Manifold4& m) {
         if (m.count < 4)
             m.points[3].feature = 1;
         else
             m.reserved[0] = 1;
     }},
    {"not finite", [](Manifold4& m) { m.points[0].position[2] = std::numeric_limits<float>::quiet_NaN(); }},
    {"distance not a number", [](Manifold4& m) { m.distance = std::numeric_limits<float>::quiet_NaN(); }},
    {"normal not a number", [](Manifold4& m) { m.normal[1] = std::numeric_limits<float>::quiet_NaN(); }},
    {"deepest point lost",
     [](Manifold4& m) {
         int deep = 0;
         for (int i = 1; i < m.count; ++i) {
             if (m.points[i].separation < m.points[deep].separation) deep = i;
         }
         m.points[deep] = m.points[m.count - 1];
         m.points[m.count - 1] = {};
         --m.count;
         m.total = m.count;
     }},
    {"repeated feature", [](Manifold4& m) { m.points[1].feature = m.points[0].feature; }, true},
};

// Depth of the deepest point minus that of the next.
float lead_of_deepest(const Manifold4& m) {
    float first = 1e30F, second = 1e30F;
    for (int p = 0; p < m.count; ++p) {
        const float s = m.points[p].separation;
        if (s < first) {
            second = first;
            first = s;
        } else {
            second = std::min(second, s);
        }
    }
    return second - first;
}

TEST(Judge, EveryWayOfSpoilingAManifoldIsFound) {
    const Library library = random_library(81, 20, small_shapes());
    detail::PreciseScratch scratch;
    std::uint64_t spoilt = 0;
    std::uint64_t right = 0;
    for (std::uint32_t k = 0; k < 800; ++k) {
        Random random(82, k);
        const std::uint32_t i = random.index(20), j = random.index(20);
        const PosedPair pose = make_poses(k % 2 == 0 ? PoseKind::random : PoseKind::shallow, library.oracle[i],
                                          library.oracle[j], 0.1, false, random);
        reference::JudgedPair q;
        q.a = &library.oracle[i];
        q.b = &library.oracle[j];
        q.record_a = &library.hulls[i];
        q.record_b = &library.hulls[j];
        q.pose_a = pose_of(pose.a);
        q.pose_b = pose_of(pose.b);
        q.index_b = 1;
        detail::PrecisePair pair;
        pair.a = q.record_a;
        pair.b = q.record_b;
        std::copy(pose.a.position, pose.a.position + 3, pair.position_a);
        std::copy(pose.b.position, pose.b.position + 3, pair.position_b);
        std::copy(pose.a.orientation, pose.a.orientation + 4, pair.orientation_a);
        std::copy(pose.b.orientation, pose.b.orientation + 4, pair.orientation_b);
        pair.index_b = 1;
        Manifold4 m;
        detail::collide_precise(pair, scratch, m);
        Coverage coverage;
        ASSERT_EQ(check_manifold(q, m, coverage), "") << k;
        // Only clear overlaps: in the band either answer may be right, and a tiny depth hides a small error.
        if (m.kind == ContactKind::none || m.distance > -0.02F) continue;
        ++right;
        for (const Case& c : kCases) {
            const bool face = m.kind == ContactKind::face_a || m.kind == ContactKind::face_b;
            if (c.needs_face && (!face || m.count < 2)) continue;
            // Nothing is lost if another point is as deep.
            if (std::strcmp(c.name, "deepest point lost") == 0 && m.count > 1 && lead_of_deepest(m) < 1e-3F) continue;
            Manifold4 bad = m;
            c.spoil(bad);
            ++spoilt;
            Coverage ignored;
            EXPECT_NE(check_manifold(q, bad, ignored), "") << c.name << " in case " << k << " went unseen";
        }
    }
    std::printf("seeds 81, 82: %llu right manifolds, %llu spoilt ones\n", static_cast<unsigned long long>(right),
                static_cast<unsigned long long>(spoilt));
    EXPECT_GT(right, 150U);
    EXPECT_GT(spoilt, 3000U);
}

TEST(Judge, ReportingAPairThatIsApartIsFound) {
    const Points lists[] = {box_points(1, 1, 1)};
    const Library library = build_library(lists);
    reference::JudgedPair q;
    q.a = q.b = &library.oracle[0];
    q.record_a = q.record_b = &library.hulls[0];
    q.pose_b.position = {2.5, 0, 0};
    q.index_b = 1;
    Manifold4 m{};
    Coverage coverage;
    EXPECT_EQ(check_manifold(q, m, coverage), "");
    m.pair[1] = 1;
    EXPECT_NE(check_manifold(q, m, coverage), "");  // unreported records are all zeros
    m.kind = ContactKind::face_a;
    EXPECT_NE(check_manifold(q, m, coverage), "");
    EXPECT_EQ(coverage.violations, 2U);
}

TEST(Judge, BitwiseDifferenceNamesTheField) {
    Manifold4 x{};
    Manifold4 y{};
    EXPECT_EQ(bitwise_difference(x, y), "");
    y.distance = -0.0F;  // a sign of zero is a difference
    EXPECT_NE(bitwise_difference(x, y).find("distance"), std::string::npos);
    y = {};
    y.points[2].feature = 7;
    EXPECT_NE(bitwise_difference(x, y).find("point 2"), std::string::npos);
    y = {};
    y.child_a = 1;
    EXPECT_NE(bitwise_difference(x, y).find("outside"), std::string::npos);
}

}  // namespace
}  // namespace lanefold::test
