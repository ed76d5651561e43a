// SPDX-License-Identifier: MIT
//
// Compounds in hull sets: what is kept, what is refused with what and where, and what append() and remove() do.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <lanefold/capture.hpp>
#include <lanefold/compound.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/serial.hpp>

#include "support/batch_scene.hpp"

namespace lanefold::test {
namespace {

HullSet box(float x, float y, float z) {
    std::vector<Vec3f> points;
    for (int c = 0; c < 8; ++c) points.push_back({(c & 1) != 0 ? x : -x, (c & 2) != 0 ? y : -y, (c & 4) != 0 ? z : -z});
    return build_hull(points).hulls;
}

CompoundChild child(std::uint32_t hull, double x, double y, double z) {
    CompoundChild c;
    c.hull = hull;
    c.position[0] = x;
    c.position[1] = y;
    c.position[2] = z;
    return c;
}

TEST(CompoundBuilder, KeepsTheChildrenAndTheirBox) {
    const HullSet hulls = box(1, 1, 1).append(box(0.5F, 2, 1));
    std::vector<CompoundChild> children = {child(0, -3, 0, 0), child(1, 4, 1, 0), child(0, 0, 0, 5)};
    const float quarter = std::sqrt(0.5F);
    children[1].orientation[2] = quarter;
    children[1].orientation[3] = quarter;
    const CompoundResult built = build_compound(hulls, children);
    ASSERT_TRUE(static_cast<bool>(built));
    const HullSet& set = built.hulls;
    ASSERT_EQ(set.size(), 3U);
    EXPECT_TRUE(set.contains(2));
    EXPECT_EQ(set[2].shape, ShapeKind::compound);
    EXPECT_EQ(set.max_children(), 3U);
    EXPECT_EQ(set.child_count(2), 3U);
    EXPECT_EQ(set.child_count(0), 0U);
    EXPECT_TRUE(set.vertices(2).empty());
    EXPECT_TRUE(set.input_index(2).empty());
    for (std::size_t k = 0; k < 3; ++k) {
        const CompoundChild c = set.child(2, k);
        EXPECT_EQ(c.hull, children[k].hull);
        EXPECT_EQ(std::memcmp(c.position, children[k].position, sizeof c.position), 0);
        EXPECT_EQ(std::memcmp(c.orientation, children[k].orientation, sizeof c.orientation), 0);
    }
    // x: -4 to 6, y: -1 to 1.5, z: -1 to 6.
    EXPECT_NEAR(set[2].centre[0], 1, 1e-6);
    EXPECT_NEAR(set[2].half_extent[0], 5, 1e-6);
    EXPECT_NEAR(set[2].centre[1], 0.25, 1e-6);
    EXPECT_NEAR(set[2].half_extent[1], 1.25, 1e-6);
    EXPECT_NEAR(set[2].centre[2], 2.5, 1e-6);
    EXPECT_NEAR(set[2].half_extent[2], 3.5, 1e-6);
    // The hulls before it are as they were.
    EXPECT_EQ(set.vertices(1).data(), hulls.vertices(1).data());
}

TEST(CompoundBuilder, MassIsThatOfTheChildren) {
    // Two halves of a box of 4 x 2 x 6 beside each other, one turned by half a turn.
    const HullSet hulls = box(1, 1, 3).append(box(2, 1, 3));
    std::vector<CompoundChild> children = {child(0, -1, 0, 0), child(0, 1, 0, 0)};
    children[1].orientation[0] = 1;
    children[1].orientation[3] = 0;
    for (CompoundChild& c : children) c.position[1] += 7;
    const CompoundResult built = build_compound(hulls, children);
    ASSERT_TRUE(static_cast<bool>(built));
    const MassProperties& got = built.hulls.info(2).mass;
    const MassProperties& want = hulls.info(1).mass;
    EXPECT_NEAR(got.volume, want.volume, 1e-9);
    EXPECT_NEAR(length(got.centre_of_mass - Vec3d{0, 7, 0}), 0, 1e-9);
    for (int r = 0; r < 3; ++r)
        EXPECT_NEAR(length(got.inertia.row[r] - want.inertia.row[r]), 0, 1e-7 * length(want.inertia.row[r])) << r;
}

TEST(CompoundBuilder, RefusesWhatIsNoneWithWhatAndWhere) {
    const HullSet two = box(1, 1, 1).append(box(1, 2, 1));
    const std::uint32_t first[1] = {0};
    const HullSet removed = two.remove(first);
    const CompoundChild good = child(1, 0, 0, 0);
    const auto refused = [&](const HullSet& hulls, std::vector<CompoundChild> children, CompoundError error,
                             std::uint32_t where) {
        children.insert(children.begin(), good);
        const std::uint64_t offsets[3] = {0, 1, children.size()};
        const CompoundResult r = build_compounds(hulls, children, offsets);
        ASSERT_EQ(r.failures.size(), 1U);
        EXPECT_EQ(r.failures[0].error, error) << r.failures[0].what;
        EXPECT_EQ(r.failures[0].compound, 1U);
        EXPECT_EQ(r.failures[0].child, where);
        EXPECT_NE(r.failures[0].what[0], 0);
        EXPECT_TRUE(r.hulls.empty());
    };
    refused(two, {}, CompoundError::empty, 0);
    refused(two, {good, good, child(2, 0, 0, 0)}, CompoundError::bad_hull, 2);
    refused(removed, {good, child(0, 0, 0, 0)}, CompoundError::removed_hull, 1);
    const HullSet nested = build_compound(two, std::vector{good}).hulls;
    refused(nested, {child(2, 0, 0, 0)}, CompoundError::no_hull, 0);
    refused(two, {good, child(1, 0, std::nan(""), 0)}, CompoundError::bad_pose, 1);
    refused(two, {good, child(1, 0, 0, HUGE_VAL)}, CompoundError::bad_pose, 1);
    refused(two, {child(1, -2e15, 0, 0)}, CompoundError::bad_pose, 0);
    CompoundChild turned = good;
    turned.orientation[1] = std::nanf("");
    refused(two, {turned}, CompoundError::bad_pose, 0);
    turned.orientation[1] = 1;
    refused(two, {turned}, CompoundError::bad_pose, 0);
    EXPECT_STREQ(to_string(CompoundError::bad_pose), "bad_pose");
    EXPECT_STREQ(to_string(static_cast<CompoundError>(99)), "unknown");
    const std::vector<CompoundChild> children = {good, good};
    for (const std::vector<std::uint64_t>& offsets : {std::vector<std::uint64_t>{}, {0, 3}, {2, 1}}) {
        const CompoundResult r = build_compounds(two, children, offsets);
        ASSERT_FALSE(r.failures.empty());
        EXPECT_EQ(r.failures[0].error, CompoundError::bad_offsets);
    }
    const std::uint64_t none[1] = {0};
    const CompoundResult same = build_compounds(two, {}, none);
    ASSERT_TRUE(static_cast<bool>(same));
    EXPECT_EQ(same.hulls.fingerprint(), two.fingerprint());
}

TEST(CompoundBuilder, AppendedAndRemovedChildrenStayTheSameHulls) {
    const HullSet hulls = box(1, 1, 1).append(box(1, 2, 1));
    const std::vector<CompoundChild> children = {child(1, 1, 0, 0), child(0, 0, 0, 0)};
    const std::vector<CompoundChild> others = {child(1, 1, 0, 0), child(1, 0, 0, 0)};
    const HullSet set = build_compound(hulls, children).hulls;
    EXPECT_EQ(set.fingerprint(), build_compound(hulls, children).hulls.fingerprint());
    EXPECT_NE(set.fingerprint(), build_compound(hulls, others).hulls.fingerprint());
    const HullSet joined = box(3, 3, 3).append(set);
    ASSERT_EQ(joined.size(), 4U);
    EXPECT_EQ(joined.child(3, 0).hull, 2U);
    EXPECT_EQ(joined.child(3, 1).hull, 1U);
    EXPECT_EQ(joined.vertices(joined.child(3, 0).hull).data(), hulls.vertices(1).data());
    // A removed hull takes its compounds along; others stay.
    const HullSet more = build_compound(joined, std::vector{child(0, 0, 0, 0)}).hulls;
    const std::uint32_t hull[1] = {2};
    const HullSet rest = more.remove(hull);
    EXPECT_FALSE(rest.contains(3));
    EXPECT_TRUE(rest.contains(4));
    EXPECT_EQ(rest.removed(), 2U);
    EXPECT_EQ(rest.child_count(3), 0U);
    EXPECT_EQ(rest.child(4, 0).hull, 0U);
    Workspace workspace;
    Body a{};
    a.orientation[3] = 1;
    Body b = a;
    a.hull = 3;
    Manifold4 m;
    ASSERT_TRUE(collide_pair(rest, a, b, Options{}, m, workspace).status);
    EXPECT_EQ(m.status, Status::bad_hull);
    a.hull = 4;
    ASSERT_TRUE(collide_pair(rest, a, b, Options{}, m, workspace).status);
    EXPECT_NEAR(m.distance, -6, 1e-5);
    const std::uint32_t compound[1] = {4};
    EXPECT_EQ(rest.remove(compound).max_children(), 0U);
    EXPECT_TRUE(rest.remove(compound).contains(0));
}

TEST(CompoundBuilder, CapturesTakeTheChildrenOfAContact) {
    const HullSet hulls = box(1, 1, 1);
    const HullSet set = build_compound(hulls, std::vector{child(0, 0, 0, 0)}).hulls;
    std::vector<Body> bodies(2);
    for (Body& body : bodies) body.orientation[3] = 1;
    bodies[1].hull = 1;
    const std::vector<Pair> pairs = {{0, 1}};
    const Options options;
    CapturedCall call{set, BodyView(bodies), pairs, options, {}, Isa::automatic, 0, {}, {}, {}};
    Capture capture;
    const CallStatus status = capture.add(call, 0, Manifold4{});
    EXPECT_EQ(status.code, Status::bad_argument);
    EXPECT_EQ(status.where, 0U);
    EXPECT_NE(std::strstr(status.what, "without a contact"), nullptr) << status.what;
    Manifold4 record{};
    record.kind = ContactKind::face_a;
    ASSERT_TRUE(capture.add(call, 0, record));
    EXPECT_EQ(capture.pairs()[0].hulls, (Pair{0, 0}));
    EXPECT_EQ(capture.hulls().size(), 1U);
}

}  // namespace
}  // namespace lanefold::test
