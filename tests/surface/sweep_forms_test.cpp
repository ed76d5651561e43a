// SPDX-License-Identifier: MIT
//
// Sweeps before surfaces: closed forms, one-sidedness, the bits of every instruction set, thread and split, height
// fields, compounds, and the pairs that are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include <lanefold/compound.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/sweep.hpp>

#include "support/counted_new.hpp"
#include "support/field_and_mesh.hpp"
#include "support/isa_fixture.hpp"
#include "support/surface_sweeps.hpp"
#include "surface/flat_meshes.hpp"

namespace lanefold::test {
namespace {

Surface built(std::span<const Vec3f> points, std::span<const Triangle> triangles, const SurfaceOptions& options = {}) {
    const SurfaceResult r = build_surface(points, triangles, options);
    EXPECT_TRUE(r) << r.status.what;
    return r.surface;
}

// A body of a set against a surface at rest; `b` is the surface.
struct Flight {
    HullSet hulls;
    std::vector<BodyD> begin{2}, end{2};
    std::vector<Vec3d> spins{2};

    Flight(const HullSet& bodies, const Surface& surface, const Vec3d& from, const Vec3d& to) {
        hulls = bodies.append(surface_set(std::span(&surface, 1)).hulls);
        begin[1].hull = static_cast<std::uint32_t>(bodies.size());
        for (BodyD& body : begin) body.orientation[3] = 1;
        set_position(from, begin[0]);
        end = begin;
        set_position(to, end[0]);
    }

    SweepRecord sweep(bool surface_first = false, const SweepOptions& options = {}) const {
        SweepRecord out[1];
        SweepWorkspace workspace;
        SweepInputs inputs;
        inputs.spins = spins;
        const Pair pair = surface_first ? Pair{1, 0} : Pair{0, 1};
        const SweepResult r =
            sweep_serial(hulls, BodyView(std::span<const BodyD>(begin)), BodyView(std::span<const BodyD>(end)),
                         std::span(&pair, 1), options, out, workspace, inputs);
        EXPECT_TRUE(r.status) << r.status.what;
        return out[0];
    }
};

HullSet ball(float radius) { return build_library(std::vector<Points>{{{0, 0, 0}}}, std::vector<float>{radius}).hulls; }

Surface sheet(double half, const SurfaceOptions& options = {}) {
    const auto h = static_cast<float>(half);
    const Vec3f points[] = {{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}};
    const Triangle triangles[] = {{0, 1, 2}, {0, 2, 3}};
    return built(points, triangles, options);
}

// A bullet of a centimetre flies 20 m through a sheet without thickness: no frame has it near.
TEST(SurfaceSweepForms, ABulletThroughPaper) {
    const Flight f(ball(0.01F), sheet(1), {0.3, 0.2, 10}, {0.3, 0.2, -10});
    const SweepRecord r = f.sweep();
    ASSERT_EQ(r.state, SweepState::hit);
    const double truth = (10 - static_cast<double>(0.01F)) / 20;
    EXPECT_LE(r.fraction, truth + 1e-12);
    EXPECT_NEAR(r.fraction, truth, 1e-3 * 0.01 / 20);
    EXPECT_EQ(r.normal[2], -1.0F);
    EXPECT_NEAR(r.point[2], -0.01, 1e-5);
    EXPECT_EQ(r.kind, ContactKind::face_b);
    const SweepRecord turned = f.sweep(true);
    EXPECT_EQ(turned.fraction, r.fraction);
    EXPECT_EQ(turned.normal[2], 1.0F);
    EXPECT_EQ(turned.feature_a, r.feature_b);
    EXPECT_EQ(turned.kind, ContactKind::face_a);
    EXPECT_NEAR(turned.point[0], 0.3, 1e-6);
}

TEST(SurfaceSweepForms, FromBehindItPasses) {
    const Flight f(ball(0.01F), sheet(1), {0.3, 0.2, -10}, {0.3, 0.2, 10});
    EXPECT_EQ(f.sweep().state, SweepState::miss);
}

// Through one sheet from behind, then down on the next: the second counts.
TEST(SurfaceSweepForms, BehindOneSheetComesTheNext) {
    const Vec3f points[] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}, {-1, -1, 3}, {0, 1, 3}, {1, -1, 3}};
    const Triangle triangles[] = {{0, 1, 2}, {3, 4, 5}};  // the lower looks up, the upper looks down
    const Flight f(ball(0.25F), built(points, triangles), {0, 0, -4}, {0, 0, 4});
    const SweepRecord r = f.sweep();
    ASSERT_EQ(r.state, SweepState::hit);
    EXPECT_NEAR(r.fraction, (4 + 3 - 0.25) / 8, 1e-4);
    EXPECT_EQ(r.normal[2], 1.0F);
    EXPECT_EQ(r.feature_b, 1U);
}

// A bar turns about its middle beside a wall, so that its end strikes it: R cos(angle) = distance.
TEST(SurfaceSweepForms, ABarThatTurnsHasItsClosedForm) {
    const HullSet bar = build_library(std::vector<Points>{{{-1, 0, 0}, {1, 0, 0}}}, std::vector<float>{0.125F}).hulls;
    Flight f(bar, sheet(4), {0, 0, 0.625}, {0, 0, 0.625});
    f.spins[0] = {0, 3 * M_PI, 0};
    const SweepRecord r = f.sweep();
    ASSERT_EQ(r.state, SweepState::hit);
    EXPECT_NEAR(r.fraction, std::asin(0.5) / (3 * M_PI), 1e-3);
    EXPECT_LE(r.fraction, std::asin(0.5) / (3 * M_PI));
    EXPECT_EQ(r.normal[2], -1.0F);
}

// Bodies that land on every tessellation of a plane meet its normal and the half-space's fraction.
TEST(SurfaceSweepForms, FlatMeshesAreTheHalfSpace) {
    Random random(5);
    const Shape shapes[] = {Shape::box, Shape::debris, Shape::prism, Shape::point, Shape::segment};
    const Library library = random_library(6, 10, shapes, 0.2, 1, {0.3, 0.05, 0.5});
    std::size_t hits = 0;
    double worst = 0;
    for (std::uint32_t tiling = 0; tiling < kTilingCount; ++tiling) {
        const FlatMesh mesh = flat_mesh(static_cast<Tiling>(tiling), 8, 1, random);
        const Surface surface = mesh.build();
        const HalfSpace floor{{0, 0, 1}, 0};
        for (int i = 0; i < 60; ++i) {
            Flight f(library.hulls, surface, {}, {});
            f.hulls = f.hulls.append(build_half_spaces(std::span(&floor, 1)).hulls);
            f.begin[0].hull = random.index(10);
            set_orientation(random.rotation(), f.begin[0]);
            f.end[0] = f.begin[0];
            const Vec3d from = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(1, 4)};
            set_position(from, f.begin[0]);
            set_position(from + Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), -random.uniform(1, 9)}, f.end[0]);
            f.spins[0] = random.direction() * random.uniform(0, 4);
            const SweepRecord r = f.sweep();
            f.begin[1].hull = static_cast<std::uint32_t>(f.hulls.size()) - 1;
            const SweepRecord plain = f.sweep();
            const double size = library.oracle[f.begin[0].hull].size + library.oracle[f.begin[0].hull].round_radius;
            ASSERT_EQ(r.state, plain.state) << tiling << " " << i;
            if (r.state != SweepState::hit) continue;
            ++hits;
            EXPECT_GT(-r.normal[2], 1 - 1e-6F) << tiling << " " << i;
            EXPECT_LE(r.fraction, plain.fraction + 1e-5) << tiling << " " << i;
            worst = std::max(worst, std::fabs(static_cast<double>(r.distance)) / size);
        }
    }
    std::printf("%zu hits, the worst distance %.2g of the size\n", hits, worst);
    EXPECT_GT(hits, 300U);
    EXPECT_LE(worst, 1e-3 * 1.01);
}

// A sheet with a thickness lets pass what is deeper below a triangle's plane when it comes near.
TEST(SurfaceSweepForms, ThicknessLetsPass) {
    SurfaceOptions thin;
    thin.thickness = 0.1F;
    const HullSet bar = build_library(std::vector<Points>{box_points(0.1, 0.1, 1)}).hulls;
    // From beside, half of it below.
    EXPECT_EQ(Flight(bar, sheet(1), {4, 0, 0}, {0, 0, 0}).sweep().state, SweepState::hit);
    EXPECT_EQ(Flight(bar, sheet(1, thin), {4, 0, 0}, {0, 0, 0}).sweep().state, SweepState::miss);
}

TEST(SurfaceSweepForms, CompoundsMeetAsTheirChildren) {
    const HullSet balls = ball(0.5F);
    std::vector<CompoundChild> children(2);
    children[0].position[2] = 1;
    children[1].position[0] = 2;
    const std::vector<std::uint64_t> offsets{0, 2};
    const HullSet set = build_compounds(balls, children, offsets).hulls;
    Flight f(set, sheet(4), {0, 0, 4.5}, {0, 0, -3.5});
    f.begin[0].hull = f.end[0].hull = 1;
    const SweepRecord r = f.sweep();
    ASSERT_EQ(r.state, SweepState::hit);
    EXPECT_EQ(r.child_a, 1);
    EXPECT_NEAR(r.fraction, 0.5, 1e-4);
    EXPECT_NEAR(r.point[0], 2, 1e-6);
    EXPECT_NEAR(r.point[2], -0.5, 1e-3);
    const SweepRecord turned = f.sweep(true);
    EXPECT_EQ(turned.child_b, 1);
    EXPECT_EQ(turned.fraction, r.fraction);
}

// Closed forms. A sheet turns in its own plane under a ball that falls: nothing changes but the point's place in it. A
// sheet that swings up about its x axis meets a ball at rest where the plane's distance from the centre is the radius.
TEST(SurfaceSweepForms, SurfacesMayTurn) {
    Flight f(ball(0.5F), sheet(4), {0, 0, 4}, {0, 0, -4});
    const SweepRecord still = f.sweep();
    f.spins[1] = {0, 0, 20};
    SweepRecord r = f.sweep();
    ASSERT_EQ(r.state, SweepState::hit);
    EXPECT_NEAR(r.fraction, still.fraction, 1e-3);
    EXPECT_NEAR(r.normal[2], -1, 1e-6);

    Flight swing(ball(0.5F), sheet(4), {0, 2, 1.5}, {0, 2, 1.5});
    swing.spins[1] = {1.5, 0, 0};
    for (const bool exchanged : {false, true}) {
        r = swing.sweep(exchanged);
        ASSERT_EQ(r.state, SweepState::hit);
        const double angle = std::atan2(1.5, 2) - std::asin(0.5 / 2.5);
        EXPECT_LE(r.fraction, angle / 1.5);
        EXPECT_NEAR(r.fraction, angle / 1.5, 1e-3);
        const float side = exchanged ? -1.0F : 1.0F;
        EXPECT_NEAR(side * r.normal[1], std::sin(1.5 * r.fraction), 1e-6);
        EXPECT_NEAR(side * r.normal[2], -std::cos(1.5 * r.fraction), 1e-6);
        // From a's position, the ball's centre or the sheet's, to the point midway between the two.
        const double down = 0.5 + 0.5 * static_cast<double>(r.distance);
        const double from_y = exchanged ? 2 : 0;
        const double from_z = exchanged ? 1.5 : 0;
        EXPECT_NEAR(r.point[1], from_y + down * std::sin(1.5 * r.fraction), 1e-6);
        EXPECT_NEAR(r.point[2], from_z - down * std::cos(1.5 * r.fraction), 1e-6);
    }
    swing.spins[1] = {-1.5, 0, 0};  // away from it
    EXPECT_EQ(swing.sweep().state, SweepState::miss);
}

TEST(SurfaceSweepForms, PairsWithoutAnAnswerSaySo) {
    Flight f(ball(0.5F), sheet(1), {0, 0, 4}, {0, 0, -4});
    f.begin[0].hull = 1;  // two surfaces
    SweepRecord r = f.sweep();
    EXPECT_EQ(r.state, SweepState::failed);
    EXPECT_EQ(r.failure, SweepFailure::shape);
    // Too far away for the tolerance.
    Flight far(ball(0.5F), sheet(1), {0, 0, 4e13}, {0, 0, -4e13});
    r = far.sweep();
    EXPECT_EQ(r.state, SweepState::failed);
    EXPECT_EQ(r.failure, SweepFailure::accuracy);
    // A surface may move on a line.
    Flight moves(ball(0.5F), sheet(1), {0, 0, 4}, {0, 0, 4});
    moves.end[1].position[2] = 8;
    r = moves.sweep();
    ASSERT_EQ(r.state, SweepState::hit);
    EXPECT_NEAR(r.fraction, 3.5 / 8, 1e-4);
}

TEST(SurfaceSweepForms, AHeightFieldHasTheBitsOfItsMesh) {
    Random random(9);
    constexpr std::size_t kRows = 13;
    constexpr std::size_t kColumns = 9;
    const FieldAndMesh both = field_and_mesh(random, kRows, kColumns, 1.5);
    const HullSet bodies = build_library(std::vector<Points>{box_points(0.4, 0.3, 0.2), box_points(2, 0.1, 0.1)}).hulls;
    std::size_t hits = 0;
    for (int i = 0; i < 400; ++i) {
        const Vec3d from = {random.uniform(0, kColumns), random.uniform(0, kRows), random.uniform(0.5, 4)};
        const Vec3d by = {random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(-4, 1)};
        Flight f(bodies, both.field, from, from + by);
        Flight g(bodies, both.mesh, from, from + by);
        f.begin[0].hull = g.begin[0].hull = random.index(2);
        f.spins[0] = g.spins[0] = random.direction() * random.uniform(0, 3);
        const SweepRecord a = f.sweep();
        SweepRecord b = g.sweep();
        hits += a.state == SweepState::hit ? 1U : 0U;
        EXPECT_EQ(a.state, b.state) << i;
        EXPECT_EQ(a.fraction, b.fraction) << i;
        EXPECT_EQ(std::memcmp(a.normal, b.normal, sizeof a.normal), 0) << i;
        EXPECT_EQ(std::memcmp(a.point, b.point, sizeof a.point), 0) << i;
        EXPECT_EQ(a.kind, b.kind) << i;
        EXPECT_EQ(a.rounds, b.rounds) << i;
    }
    EXPECT_GT(hits, 100U);
}

class SurfaceSweepBits : public testing::TestWithParam<Isa> {};

TEST_P(SurfaceSweepBits, AreThoseOfEveryInstructionSetThreadAndSplit) {
    const SurfaceSweeps s = make_surface_sweeps({.name = "bits", .most_turn = 4}, 3, 300);
    SweepWorkspace workspace;
    const std::vector<SweepRecord> usual = s.sweep(workspace);
    SweepOptions options = s.options;
    options.isa = GetParam();
    const std::vector<SweepRecord> same = s.sweep(workspace, options);
    EXPECT_EQ(std::memcmp(same.data(), usual.data(), usual.size() * sizeof(SweepRecord)), 0);
    std::vector<SweepRecord> parallel(s.pairs.size());
    SweepInputs inputs;
    inputs.spins = s.spins;
    const BodyView begin(std::span<const BodyD>(s.begin.data(), s.begin.size()));
    const BodyView end(std::span<const BodyD>(s.end.data(), s.end.size()));
    ASSERT_TRUE(sweep(s.hulls, begin, end, s.pairs, options, parallel, workspace, inputs).status);
    EXPECT_EQ(std::memcmp(parallel.data(), usual.data(), usual.size() * sizeof(SweepRecord)), 0);
    for (std::size_t i = 0; i < s.pairs.size(); i += 7) {
        SurfaceSweeps one = s;
        one.pairs = {s.pairs[i]};
        EXPECT_EQ(std::memcmp(one.sweep(workspace, options).data(), &usual[i], sizeof(SweepRecord)), 0) << i;
    }
}
LANEFOLD_INSTANTIATE_ISA_TESTS(SurfaceSweepBits);

TEST(SurfaceSweepForms, AllocateNothingWhenWarm) {
    const SurfaceSweeps s = make_surface_sweeps({.name = "warm", .most_turn = 2}, 4, 200);
    std::vector<SweepRecord> out(s.pairs.size());
    SweepWorkspace workspace;
    SweepInputs inputs;
    inputs.spins = s.spins;
    const BodyView begin(std::span<const BodyD>(s.begin.data(), s.begin.size()));
    const BodyView end(std::span<const BodyD>(s.end.data(), s.end.size()));
    const auto call = [&] {
        return sweep_serial(s.hulls, begin, end, s.pairs, s.options, out, workspace, inputs).status.code;
    };
    EXPECT_EQ(call(), Status::ok);
    const std::uint64_t before = allocations.load();
    EXPECT_GT(before, 0U);
    EXPECT_EQ(call(), Status::ok);
    EXPECT_EQ(allocations.load(), before);
}

}  // namespace
}  // namespace lanefold::test
