// SPDX-License-Identifier: MIT
//
// Sweeps of half-spaces and compounds against a march in float64 over closed forms and brute force: none missed, none
// late, none outside the tolerance; the first child of equal ones; the same bits everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include <lanefold/compound.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/judge.hpp>
#include <lanefold/sweep.hpp>

#include "support/isa_fixture.hpp"
#include "support/sweep_kinds.hpp"

namespace lanefold::test {
namespace {

struct KindCounts {
    std::size_t by_state[kSweepStateCount] = {};
    double worst = 0;     // |distance - target| / tolerance at a hit
    double earliest = 0;  // by which a hit is before the march's
};

void judge(const KindScene& s, std::size_t i, const SweepRecord& r, const SweepOptions& options, KindCounts& counts) {
    const KindPair p(s, s.pairs[i]);
    const auto target = static_cast<double>(options.target);
    // As docs/between_frames.md states it; a child's orientation is rounded, too.
    const double accuracy = 2e-6 * p.larger + 2.5e-7 * 2 * p.levers + 6e-8 * (2 * (target + p.larger) + p.larger);
    const double tolerance = std::max(static_cast<double>(options.tolerance) * p.larger, 4 * accuracy);
    ++counts.by_state[static_cast<std::size_t>(r.state)];
    ASSERT_NE(r.state, SweepState::failed) << i << " " << to_string(r.failure);
    if (r.state == SweepState::overlapping) {
        ASSERT_EQ(r.fraction, 0) << i;
        ASSERT_LE(p.distance(0), target + accuracy) << i;
    } else {
        const double reached = p.reached(target, 1e-4 * p.smaller);
        if (r.state == SweepState::miss) {
            ASSERT_GT(reached, 1) << "missed: " << i;
            return;
        }
        ASSERT_LE(r.fraction, reached + 1e-12) << "late: " << i;
        const double off = std::fabs(p.distance(r.fraction) - target) / tolerance;
        counts.worst = std::max(counts.worst, off);
        ASSERT_LE(off, 1) << i;
        if (reached <= 1) counts.earliest = std::max(counts.earliest, reached - r.fraction);
    }
    // The children that are named are those that meet, and the distance is theirs.
    ASSERT_LT(r.child_a, p.a.size());
    ASSERT_LT(r.child_b, p.b.size());
    const double named = p.distance(r.fraction, r.child_a, r.child_b);
    ASSERT_NEAR(named, p.distance(r.fraction), tolerance) << i;
    ASSERT_NEAR(static_cast<double>(r.distance), named, accuracy + 1e-6 * p.levers) << i;
    ASSERT_NEAR(length(to_double({r.normal[0], r.normal[1], r.normal[2]})), 1, 1e-6) << i;
    ASSERT_NE(r.kind, ContactKind::none) << i;
}

// Half-spaces at rest or in motion, and hulls that fly towards them.
KindScene plane_scene(std::uint64_t seed, std::uint32_t count) {
    KindScene s;
    const Shape shapes[] = {Shape::box, Shape::debris, Shape::slab, Shape::point, Shape::segment, Shape::needle};
    const Library library = random_library(seed, 24, shapes, 0.3, 3, {0.3, 0.05, 1});
    Random random(seed);
    std::vector<HalfSpace> planes;
    for (int i = 0; i < 8; ++i) {
        planes.push_back({to_float(random.direction()), static_cast<float>(random.uniform(-2, 2))});
    }
    s.hulls = library.hulls.append(build_half_spaces(planes).hulls);
    for (std::size_t i = 0; i < s.hulls.size(); ++i) s.oracle.push_back(reference::make_oracle_hull(s.hulls, i));
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool plane_moves = random.chance(0.5);
        const bool plane_first = random.chance(0.5);
        const auto plane = static_cast<std::uint32_t>(library.size()) + random.index(8);
        const std::uint32_t hull = random.index(static_cast<std::uint32_t>(library.size()));
        BodyD of_plane{}, of_hull{};
        of_plane.hull = plane;
        of_hull.hull = hull;
        set_orientation(random.rotation(), of_plane);
        set_orientation(random.rotation(), of_hull);
        set_position(random.in_ball(), of_plane);
        Quat q;
        normalize(of_plane.orientation, q);
        const HalfSpace& given = planes[plane - library.size()];
        const Vec3d n = rotation(q) * normalized(to_double(given.normal));
        const double size = library.oracle[hull].size + library.oracle[hull].round_radius;
        // From so far over the plane, down to it or beside it.
        const double height = size * random.uniform(0.5, 6);
        const Vec3d from = n * (static_cast<double>(given.offset) + height);
        set_position(Vec3d{of_plane.position[0], of_plane.position[1], of_plane.position[2]} + from, of_hull);
        const Vec3d shift = random.direction() * (size * random.uniform(0, 8)) - n * (size * random.uniform(0, 6));
        BodyD plane_end = of_plane, hull_end = of_hull;
        set_position(Vec3d{of_hull.position[0], of_hull.position[1], of_hull.position[2]} + shift, hull_end);
        if (plane_moves) {
            const Vec3d up = random.direction() * size;
            set_position(Vec3d{of_plane.position[0], of_plane.position[1], of_plane.position[2]} + up, plane_end);
        }
        const Vec3d spin_plane = plane_moves ? random.direction() * random.uniform(0, 2) : Vec3d{};
        const Vec3d spin_hull = random.chance(0.3) ? Vec3d{} : random.direction() * random.uniform(0, 12);
        const auto first = static_cast<std::uint32_t>(s.begin.size());
        s.begin.insert(s.begin.end(), {of_plane, of_hull});
        s.end.insert(s.end.end(), {plane_end, hull_end});
        s.spins.insert(s.spins.end(), {spin_plane, spin_hull});
        s.pairs.push_back(plane_first ? Pair{first, first + 1} : Pair{first + 1, first});
    }
    return s;
}

// Compounds, hulls and half-spaces that fly through one another.
KindScene compound_scene(std::uint64_t seed, std::uint32_t count) {
    KindScene s;
    const Shape shapes[] = {Shape::box, Shape::tetrahedron, Shape::segment, Shape::point};
    const Library library = random_library(seed, 10, shapes, 0.3, 1, {0.3, 0.05, 0.5});
    const HullSet with_plane = library.hulls.append(build_half_spaces(std::vector<HalfSpace>{{{0, 0, 1}, 0}}).hulls);
    const auto plane = static_cast<std::uint32_t>(library.size());
    Random random(seed);
    std::vector<CompoundChild> children;
    std::vector<std::uint64_t> offsets{0};
    for (std::uint32_t i = 0; i < 6; ++i) {
        for (std::uint32_t k = 0; k <= i % 4; ++k) {
            CompoundChild child;
            child.hull = random.index(static_cast<std::uint32_t>(library.size()));
            const Vec3d at = random.in_ball() * 1.5;
            child.position[0] = at.x;
            child.position[1] = at.y;
            child.position[2] = at.z;
            BodyD turned{};
            set_orientation(random.rotation(), turned);
            std::copy_n(turned.orientation, 4, child.orientation);
            children.push_back(child);
        }
        offsets.push_back(children.size());
    }
    const CompoundResult built = build_compounds(with_plane, children, offsets);
    EXPECT_TRUE(static_cast<bool>(built));
    s.hulls = built.hulls;
    for (std::size_t i = 0; i < s.hulls.size(); ++i) {
        s.oracle.push_back(s.hulls.child_count(i) == 0 ? reference::make_oracle_hull(s.hulls, i)
                                                       : reference::OracleHull{});
    }
    const auto compounds = plane + 1;
    for (std::uint32_t i = 0; i < count; ++i) {
        BodyD a{}, b{};
        a.hull = compounds + random.index(6);
        b.hull = random.chance(0.4) ? compounds + random.index(6) : random.index(plane + 1);
        const bool on_plane = b.hull == plane;
        set_orientation(random.rotation(), a);
        if (on_plane) {
            b.orientation[3] = 1;
        } else {
            set_orientation(random.rotation(), b);
        }
        const Vec3d middle = random.direction() * random.uniform(0, 3);
        const Vec3d way = random.direction() * random.uniform(1, 6);
        const Vec3d up = on_plane ? Vec3d{0, 0, random.uniform(1, 5)} : Vec3d{};
        BodyD a_end = a, b_end = b;
        set_position((middle - way) + up, a);
        set_position((middle + way) + up, a_end);
        const auto first = static_cast<std::uint32_t>(s.begin.size());
        s.begin.insert(s.begin.end(), {a, b});
        s.end.insert(s.end.end(), {a_end, b_end});
        s.spins.push_back(random.direction() * random.uniform(0, 6));
        s.spins.push_back(on_plane || random.chance(0.4) ? Vec3d{} : random.direction() * random.uniform(0, 6));
        s.pairs.push_back(random.chance(0.5) ? Pair{first, first + 1} : Pair{first + 1, first});
    }
    return s;
}

void judge_all(const KindScene& s, const SweepOptions& options, std::size_t hits, std::size_t misses) {
    const std::vector<SweepRecord> records = s.sweep_all(options);
    KindCounts counts;
    std::uint64_t rounds = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        judge(s, i, records[i], options, counts);
        if (testing::Test::HasFatalFailure()) return;
        rounds += records[i].rounds;
    }
    std::printf(
        "misses %zu, hits %zu, overlapping %zu; worst distance %.3f of the tolerance, early by %.2g; rounds %.2f\n",
        counts.by_state[0], counts.by_state[1], counts.by_state[2], counts.worst, counts.earliest,
        static_cast<double>(rounds) / static_cast<double>(records.size()));
    EXPECT_GT(counts.by_state[1], hits);
    EXPECT_GT(counts.by_state[0], misses);
    EXPECT_GT(counts.by_state[2], 5U);
}

TEST(SweepKinds, HalfSpacesAtRestAndInMotion) {
    judge_all(plane_scene(5, 1500), {}, 500, 200);
    SweepOptions far;
    far.target = 0.2F;
    far.tolerance = 1e-4F;
    judge_all(plane_scene(6, 500), far, 150, 50);
}

TEST(SweepKinds, CompoundsMeetAsTheFirstOfTheirChildren) { judge_all(compound_scene(7, 250), {}, 60, 60); }

// A cube that stands on its corner falls on a floor that does not move: the fraction is that of the closed form.
TEST(SweepKinds, AFallOnAFloorHasItsClosedForm) {
    KindScene s;
    const Points cube = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                         {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    const Library library = build_library(std::vector<Points>{cube});
    s.hulls = library.hulls.append(build_half_spaces(std::vector<HalfSpace>{{{0, 0, 1}, 0}}).hulls);
    BodyD body{}, floor{};
    floor.hull = 1;
    floor.orientation[3] = 1;
    const Quat turned = about(normalized(Vec3d{1, -1, 0}), std::acos(1 / std::sqrt(3.0)));
    set_orientation(turned, body);
    body.position[2] = 10;
    BodyD after = body;
    after.position[2] = -10;
    s.begin = {floor, body};
    s.end = {floor, after};
    s.spins = {{}, {}};
    s.pairs = {{0, 1}, {1, 0}};
    const std::vector<SweepRecord> records = s.sweep_all();
    const double truth = (10 - std::sqrt(3.0)) / 20;
    for (const SweepRecord& r : records) {
        EXPECT_EQ(r.state, SweepState::hit);
        EXPECT_NEAR(r.fraction, truth, 1e-7);
        EXPECT_NEAR(std::fabs(static_cast<double>(r.normal[2])), 1, 1e-6);
    }
    EXPECT_GT(records[0].normal[2], 0.0F);
    EXPECT_LT(records[1].normal[2], 0.0F);
    EXPECT_NEAR(records[1].point[2], -std::sqrt(3.0), 1e-3);
}

// Two equal children land at once; two half-spaces are no pair of shapes.
TEST(SweepKinds, TheFirstOfEqualChildrenIsNamed) {
    KindScene s;
    const Library library = build_library(std::vector<Points>{{{0, 0, 0}}}, std::vector<float>{0.5F});
    const HullSet floors = library.hulls.append(build_half_spaces(std::vector<HalfSpace>{{{0, 0, 1}, 0}}).hulls);
    std::vector<CompoundChild> children(3);
    children[0].position[2] = 1;
    children[1].position[0] = 2;
    children[2].position[0] = -2;
    const std::vector<std::uint64_t> offsets{0, 3};
    s.hulls = build_compounds(floors, children, offsets).hulls;
    BodyD body{}, floor{};
    body.hull = 2;
    floor.hull = 1;
    body.orientation[3] = floor.orientation[3] = 1;
    body.position[2] = 4.5;
    BodyD after = body;
    after.position[2] = -3.5;
    s.begin = {floor, body, floor};
    s.end = {floor, after, floor};
    s.spins.resize(3);
    s.pairs = {{0, 1}, {1, 0}, {0, 2}};
    const std::vector<SweepRecord> records = s.sweep_all();
    EXPECT_NEAR(records[0].fraction, 0.5, 1e-7);
    EXPECT_EQ(records[0].child_b, 1);
    EXPECT_EQ(records[0].child_a, 0);
    EXPECT_EQ(records[1].child_a, 1);
    // The point is under the child, as an offset from the compound.
    EXPECT_NEAR(records[1].point[0], 2, 1e-6);
    EXPECT_NEAR(records[1].point[2], -0.5, 1e-3);
    EXPECT_EQ(records[2].state, SweepState::failed);
    EXPECT_EQ(records[2].failure, SweepFailure::shape);
}

class SweepKindBits : public testing::TestWithParam<Isa> {};

TEST_P(SweepKindBits, AreThoseOfEveryInstructionSetThreadAndSplit) {
    for (const KindScene& s : {plane_scene(8, 300), compound_scene(9, 300)}) {
        const std::vector<SweepRecord> usual = s.sweep_all();
        SweepOptions options;
        options.isa = GetParam();
        const std::vector<SweepRecord> same = s.sweep_all(options);
        EXPECT_EQ(std::memcmp(same.data(), usual.data(), usual.size() * sizeof(SweepRecord)), 0);
        for (std::size_t i = 0; i < s.pairs.size(); i += 7) {
            KindScene one = s;
            one.pairs = {s.pairs[i]};
            EXPECT_EQ(std::memcmp(one.sweep_all(options).data(), &usual[i], sizeof(SweepRecord)), 0) << i;
        }
        std::vector<SweepRecord> out(s.pairs.size());
        SweepWorkspace workspace;
        SweepInputs inputs;
        inputs.spins = s.spins;
        const SweepResult r =
            sweep_compact(s.hulls, BodyView(std::span<const BodyD>(s.begin)), BodyView(std::span<const BodyD>(s.end)),
                          s.pairs, options, out, workspace, inputs);
        ASSERT_TRUE(r.status);
        std::size_t k = 0;
        for (const SweepRecord& record : usual) {
            if (record.state == SweepState::miss) continue;
            EXPECT_EQ(std::memcmp(&out[k++], &record, sizeof record), 0);
        }
        EXPECT_EQ(k, r.written);
    }
}
LANEFOLD_INSTANTIATE_ISA_TESTS(SweepKindBits);

}  // namespace
}  // namespace lanefold::test
