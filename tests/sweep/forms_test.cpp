// SPDX-License-Identifier: MIT
//
// Sweeps: the same bits on every instruction set, thread count, order and split, dense and compact; closed forms; bad
// input is a status with reason and place and changes no other pair; no allocation when warm.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include <tbb/task_arena.h>

#include <lanefold/isa.hpp>
#include <lanefold/sweep.hpp>

#include "support/counted_new.hpp"
#include "support/hulls.hpp"
#include "support/isa_fixture.hpp"
#include "support/sweep_scene.hpp"
#include "sweep/sweep_call.hpp"

namespace lanefold::test {
namespace {

const SweepFamily kMixed = {.name = "mixed",
                            .shapes = {Shape::box, Shape::debris, Shape::slab, Shape::point, Shape::segment},
                            .least_scale = 0.05,
                            .most_scale = 5,
                            .rounding = {0.3, 0.05, 1},
                            .most_turn = 12};

const SweepScene& scene() {
    static const SweepScene instance = make_sweeps(kMixed, 9, 3000);
    return instance;
}

std::vector<SweepRecord> run(const SweepScene& s, const SweepOptions& options, std::span<const Pair> pairs) {
    std::vector<SweepRecord> out(pairs.size());
    SweepWorkspace workspace;
    const SweepResult r =
        sweep_serial(s.library.hulls, s.first(), s.last(), pairs, options, out, workspace, s.inputs());
    EXPECT_TRUE(r.status) << r.status.what;
    return out;
}

const std::vector<SweepRecord>& usual() {
    static const std::vector<SweepRecord> instance = run(scene(), scene().options, scene().pairs);
    return instance;
}

bool same(std::span<const SweepRecord> a, std::span<const SweepRecord> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

class SweepBits : public testing::TestWithParam<Isa> {};

TEST_P(SweepBits, AreThoseOfEveryInstructionSet) {
    SweepOptions options = scene().options;
    options.isa = GetParam();
    EXPECT_TRUE(same(run(scene(), options, scene().pairs), usual()));
}

LANEFOLD_INSTANTIATE_ISA_TESTS(SweepBits);

TEST(SweepForms, HaveEveryState) {
    std::uint64_t states[kSweepStateCount] = {};
    for (const SweepRecord& r : usual()) ++states[static_cast<std::size_t>(r.state)];
    EXPECT_GT(states[0], 300U);
    EXPECT_GT(states[1], 300U);
    EXPECT_GT(states[2], 100U);
    EXPECT_EQ(states[3], 0U);
}

TEST(SweepForms, ThreadsChangeNothing) {
    const SweepScene& s = scene();
    for (const int threads : {1, 2, 5}) {
        tbb::task_arena arena(threads);
        std::vector<SweepRecord> out(s.pairs.size());
        SweepWorkspace workspace;
        SweepResult r;
        arena.execute(
            [&] { r = sweep(s.library.hulls, s.first(), s.last(), s.pairs, s.options, out, workspace, s.inputs()); });
        ASSERT_TRUE(r.status) << r.status.what;
        EXPECT_TRUE(same(out, usual())) << threads;
        EXPECT_EQ(r.pairs, s.pairs.size());
    }
}

TEST(SweepForms, OrderAndSplitChangeNothing) {
    const SweepScene& s = scene();
    std::vector<std::size_t> order(s.pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(3);
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.index(static_cast<std::uint32_t>(i))]);
    std::vector<Pair> pairs;
    for (const std::size_t i : order) pairs.push_back(s.pairs[i]);
    const std::vector<SweepRecord> shuffled = run(s, s.options, pairs);
    for (std::size_t i = 0; i < order.size(); ++i) {
        ASSERT_EQ(std::memcmp(&shuffled[i], &usual()[order[i]], sizeof(SweepRecord)), 0) << i;
    }
    for (std::size_t i = 0; i < 200; ++i) {
        EXPECT_TRUE(same(run(s, s.options, {&s.pairs[i], 1}), {&usual()[i], 1})) << i;
    }
}

TEST(SweepForms, CompactIsWhatDoesNotMissAndGoesOn) {
    const SweepScene& s = scene();
    std::vector<SweepRecord> expected;
    for (const SweepRecord& r : usual()) {
        if (r.state != SweepState::miss) expected.push_back(r);
    }
    SweepWorkspace workspace;
    std::vector<SweepRecord> all;
    std::uint64_t from = 0;
    std::uint64_t pairs = 0;
    std::uint64_t left = expected.size();
    for (int calls = 0; from < s.pairs.size(); ++calls) {
        ASSERT_LT(calls, 100);
        std::vector<SweepRecord> part(97);
        const SweepResult r =
            sweep_compact(s.library.hulls, s.first(), s.last(), s.pairs, s.options, part, workspace, s.inputs(), from);
        ASSERT_TRUE(r.status || r.status.code == Status::truncated) << r.status.what;
        EXPECT_EQ(r.required, left);
        EXPECT_EQ(r.status.code == Status::truncated, r.required > r.written);
        left -= r.written;
        pairs += r.pairs;
        all.insert(all.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(r.written));
        from = r.next_pair;
    }
    EXPECT_TRUE(same(all, expected));
    EXPECT_EQ(pairs, s.pairs.size());
}

TEST(SweepForms, AllocateNothingWhenWarm) {
    const SweepScene& s = scene();
    std::vector<SweepRecord> out(s.pairs.size());
    SweepWorkspace workspace;
    tbb::task_arena arena(2);
    const auto call = [&] {
        (void)sweep_serial(s.library.hulls, s.first(), s.last(), s.pairs, s.options, out, workspace, s.inputs());
        (void)sweep_compact_serial(s.library.hulls, s.first(), s.last(), s.pairs, s.options, out, workspace,
                                   s.inputs());
        arena.execute(
            [&] { (void)sweep(s.library.hulls, s.first(), s.last(), s.pairs, s.options, out, workspace, s.inputs()); });
    };
    call();
    call();
    const std::uint64_t before = allocations.load();
    EXPECT_GT(before, 0U);
    call();
    EXPECT_EQ(allocations.load(), before);
}

// Tasks one by one on this thread; the first of them does all that any may do.
class OneByOne final : public detail::Executor {
public:
    explicit OneByOne(bool backwards) : backwards_(backwards) {}
    unsigned concurrency() const override { return 3; }
    void run(unsigned slots, Task task, void* context) override {
        for (unsigned i = 0; i < slots; ++i) task(context, backwards_ ? slots - 1 - i : i);
    }
    bool cancelled() const override { return false; }

private:
    bool backwards_;
};

// On a busy machine a thread comes too late for its task: another has done all. It must find its memory ready when it
// comes in time for the first time.
TEST(SweepForms, ATaskThatComesLateAllocatesNothing) {
    const SweepScene& s = scene();
    std::vector<SweepRecord> out(s.pairs.size());
    SweepWorkspace workspace;
    const BodyView first = s.first(), last = s.last();
    const SweepInputs inputs = s.inputs();
    const detail::SweepArguments arguments{&s.library.hulls, &first, &last,      s.pairs,
                                           &s.options,       out,    &workspace, &inputs};
    OneByOne forwards(false), backwards(true);
    ASSERT_TRUE(detail::run_sweep(arguments, forwards).status);
    const std::uint64_t before = allocations.load();
    ASSERT_TRUE(detail::run_sweep(arguments, backwards).status);
    EXPECT_EQ(allocations.load(), before);
    EXPECT_TRUE(same(out, usual()));
}

// --- Closed forms ------------------------------------------------------------------------------------------------

SweepScene two_bodies(std::span<const Points> points, std::span<const float> radii = {}) {
    SweepScene s;
    s.library = build_library(points, radii);
    s.begin.resize(2);
    for (std::uint32_t i = 0; i < 2; ++i) {
        s.begin[i].hull = i;
        s.begin[i].orientation[3] = 1;
    }
    s.end = s.begin;
    s.pairs = {{0, 1}};
    return s;
}

// A bullet flies 1,000 lengths through a sheet of a thousandth of its size: no frame has it inside.
TEST(SweepClosedForm, ABulletThroughPaper) {
    const Points points[2] = {box_points(1, 1, 0.001), box_points(0.01, 0.01, 0.02)};
    SweepScene s = two_bodies(points);
    set_position({0.3, 0.2, 10}, s.begin[1]);
    set_position({0.3, 0.2, -10}, s.end[1]);
    const SweepRecord r = run(s, s.options, s.pairs)[0];
    EXPECT_EQ(r.state, SweepState::hit);
    const double truth = (10 - 0.001 - 0.02) / 20;
    EXPECT_LE(r.fraction, truth + 1e-8);  // the corners are float32 numbers
    EXPECT_NEAR(r.fraction, truth, 1e-3 * 0.03 / 20);
    EXPECT_NEAR(r.normal[2], 1, 1e-6);
    EXPECT_NEAR(r.point[0], 0.3, 0.0101);
    EXPECT_NEAR(r.point[2], 0.001, 1e-4);
    EXPECT_LE(r.rounds, 3U);
}

// Two spheres on lines: the root of a quadratic.
TEST(SweepClosedForm, SpheresMeetWhereTheirCentresAreAsFarAsTheRadii) {
    const Points points[2] = {{{0, 0, 0}}, {{0, 0, 0}}};
    const float radii[2] = {1, 0.5F};
    SweepScene s = two_bodies(points, radii);
    Random random(4);
    int hits = 0;
    for (int i = 0; i < 300; ++i) {
        const Vec3d from = random.direction() * random.uniform(2, 6);
        const Vec3d to = random.direction() * random.uniform(2, 6);
        set_position(from, s.begin[1]);
        set_position(to, s.end[1]);
        const SweepRecord r = run(s, s.options, s.pairs)[0];
        const Vec3d v = to - from;
        const double b = dot(from, v) / length_squared(v);
        const double c = (length_squared(from) - 1.5 * 1.5) / length_squared(v);
        const double root = b * b - c;
        const double truth = root > 0 ? -b - std::sqrt(root) : -1;
        if (truth < 0 || truth > 1) {
            if (std::fabs(length(from + v * std::min(1.0, std::max(0.0, -b))) - 1.5) > 1e-3) {
                EXPECT_EQ(r.state, SweepState::miss) << i;
            }
            continue;
        }
        ++hits;
        ASSERT_EQ(r.state, SweepState::hit) << i;
        EXPECT_LE(r.fraction, truth + 1e-12) << i;
        EXPECT_NEAR(length(from + v * r.fraction), 1.5, 0.5e-3) << i;
    }
    EXPECT_GT(hits, 50);
}

// A beam turns about its end by 3.7 turns and meets a post after the known angle: the spin counts, not the poses.
TEST(SweepClosedForm, ABeamThatTurnsMeetsThePostAtItsAngle) {
    Points beam = box_points(1, 0.01, 0.01);
    for (Vec3f& v : beam) v.x += 1;
    const Points points[2] = {beam, box_points(0.01, 0.01, 1)};
    SweepScene s = two_bodies(points);
    s.spins = {{0, 0, 3.7 * 6.283185307179586}, {0, 0, 0}};
    const double at = 2.0;  // radians
    set_position({1.5 * std::cos(at), 1.5 * std::sin(at), 0}, s.begin[1]);
    set_position({1.5 * std::cos(at), 1.5 * std::sin(at), 0}, s.end[1]);
    const SweepRecord r = run(s, s.options, s.pairs)[0];
    ASSERT_EQ(r.state, SweepState::hit);
    const double turned = r.fraction * s.spins[0].z;
    EXPECT_LT(turned, at);
    EXPECT_NEAR(turned, at, 0.04 / 1.5);
    s.spins.clear();  // the shorter way: no turn at all
    EXPECT_EQ(run(s, s.options, s.pairs)[0].state, SweepState::miss);
}

TEST(SweepClosedForm, TargetsAreKept) {
    const Points points[2] = {box_points(1, 1, 1), box_points(1, 1, 1)};
    SweepScene s = two_bodies(points);
    set_position({0, 0, 10}, s.begin[1]);
    s.options.target = 0.5F;
    const SweepRecord r = run(s, s.options, s.pairs)[0];
    EXPECT_EQ(r.state, SweepState::hit);
    EXPECT_NEAR(r.fraction, 7.5 / 10, 2e-4);
    EXPECT_NEAR(r.distance, 0.5, 2e-3);
    EXPECT_EQ(r.kind, ContactKind::face_a);
    s.options.target = 20;
    EXPECT_EQ(run(s, s.options, s.pairs)[0].state, SweepState::overlapping);
}

// --- Bad input ---------------------------------------------------------------------------------------------------

TEST(SweepBadInput, PosesAndSpinsThatAreNotFiniteAreAStatusOfTheirPairs) {
    SweepScene s = scene();
    const double bad[3] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 0};
    s.begin[0].position[1] = bad[0];
    s.end[3].position[0] = bad[1];
    s.begin[5].orientation[2] = 7;
    s.spins[7].z = bad[0];
    s.begin[9].hull = 0xFFFFU;
    s.pairs[5] = {10, 10};
    s.pairs[6] = {12, 0x7FFFFFFFU};
    s.spins[15] = {0, 1e9, 0};
    s.end[17].position[2] = 1e300;
    const std::vector<SweepRecord> r = run(s, s.options, s.pairs);
    const Status expected[7] = {Status::bad_pose, Status::bad_pose,  Status::bad_pose, Status::bad_pose,
                                Status::bad_hull, Status::bad_index, Status::bad_index};
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(r[i].status, expected[i]) << i;
        EXPECT_EQ(r[i].state, SweepState::failed) << i;
        EXPECT_EQ(r[i].pair[0], s.pairs[i].a) << i;
    }
    EXPECT_EQ(r[7].failure, SweepFailure::range);
    EXPECT_EQ(r[8].failure, SweepFailure::range);
    EXPECT_TRUE(same(std::span(r).subspan(9), std::span(usual()).subspan(9)));
}

TEST(SweepBadInput, WithTurnsByTheShorterWaySecondOrientationsCount) {
    SweepScene s = scene();
    s.spins.clear();
    const std::vector<SweepRecord> good = run(s, s.options, s.pairs);
    s.end[2].orientation[0] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<SweepRecord> r = run(s, s.options, s.pairs);
    EXPECT_EQ(r[1].status, Status::bad_pose);
    EXPECT_TRUE(same(std::span(r).subspan(2), std::span(good).subspan(2)));
    EXPECT_FALSE(same(good, usual()));
}

// Motions that float64 holds but does not resolve: apart for certain, or failed, never anything else.
TEST(SweepBadInput, MotionsThatFloat64DoesNotResolveFail) {
    const Points points[2] = {box_points(1, 1, 1), box_points(1, 1, 1)};
    SweepScene s = two_bodies(points);
    set_position({1e20, 0, 0}, s.begin[1]);
    set_position({-1e20, 0, 0}, s.end[1]);
    const SweepRecord r = run(s, s.options, s.pairs)[0];
    EXPECT_EQ(r.state, SweepState::failed);
    EXPECT_EQ(r.failure, SweepFailure::accuracy);
    set_position({1e20, 1e19, 0}, s.begin[1]);
    set_position({-1e20, 1e19, 0}, s.end[1]);
    EXPECT_EQ(run(s, s.options, s.pairs)[0].state, SweepState::miss);
}

void expect_refused(const SweepScene& s, const SweepOptions& options, const char* what) {
    std::vector<SweepRecord> out(s.pairs.size());
    std::memset(static_cast<void*>(out.data()), 0x5A, out.size() * sizeof(SweepRecord));
    const std::vector<SweepRecord> before = out;
    SweepWorkspace workspace;
    const SweepResult r =
        sweep_serial(s.library.hulls, s.first(), s.last(), s.pairs, options, out, workspace, s.inputs());
    EXPECT_EQ(r.status.code, Status::bad_argument) << what;
    EXPECT_STREQ(r.status.what, what);
    EXPECT_TRUE(same(out, before)) << what;
}

TEST(SweepBadInput, OptionsOutOfRangeAreRefusedWithTheReason) {
    for (const float bad : {-1.0F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        SweepOptions options;
        options.target = bad;
        expect_refused(scene(), options, "options.target is negative or not finite");
        options = {};
        options.tolerance = bad;
        expect_refused(scene(), options, "options.tolerance is not above 0 and finite");
    }
    SweepOptions options;
    options.tolerance = 0;
    expect_refused(scene(), options, "options.tolerance is not above 0 and finite");
}

TEST(SweepBadInput, ArgumentsThatDoNotFitAreRefused) {
    SweepScene s = scene();
    s.spins.pop_back();
    expect_refused(s, s.options, "inputs.spins and bodies differ in length");
    s = scene();
    s.end.pop_back();
    expect_refused(s, s.options, "begin and end differ in length");
    std::vector<SweepRecord> out(3);
    SweepWorkspace workspace;
    const SweepScene& good = scene();
    SweepResult r =
        sweep_serial(good.library.hulls, good.first(), good.last(), good.pairs, {}, out, workspace, good.inputs());
    EXPECT_STREQ(r.status.what, "out and pairs differ in length");
    EXPECT_EQ(r.status.where, 3U);
    SweepWorkspace moved = std::move(workspace);
    r = sweep_serial(good.library.hulls, good.first(), good.last(), good.pairs, {}, out, workspace);
    EXPECT_STREQ(r.status.what, "workspace was moved from");
}

TEST(SweepBadInput, AStopLeavesPairsWithTheStatusCancelled) {
    const SweepScene& s = scene();
    StopFlag flag;
    flag.request_stop();
    SweepInputs inputs = s.inputs();
    inputs.stop = flag;
    std::vector<SweepRecord> out(s.pairs.size());
    SweepWorkspace workspace;
    const SweepResult r =
        sweep_serial(s.library.hulls, s.first(), s.last(), s.pairs, s.options, out, workspace, inputs);
    EXPECT_EQ(r.status.code, Status::cancelled);
    EXPECT_EQ(r.status.where, 0U);
    for (const SweepRecord& record : out) ASSERT_EQ(record.status, Status::cancelled);
}

}  // namespace
}  // namespace lanefold::test
