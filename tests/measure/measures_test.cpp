// SPDX-License-Identifier: MIT
//
// Measures of contacts: random pairs against an oracle that knows planes only; closed forms; continuity; the same bits
// on all cores and in any order; bad input is a status of its pair.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <tbb/task_arena.h>

#include <lanefold/compound.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/measure_oracle.hpp>
#include <lanefold/measures.hpp>

#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

BodyD body_at(const Vec3d& p, const Quat& q, std::uint32_t hull) {
    BodyD b = {};
    const double at[3] = {p.x, p.y, p.z};
    std::memcpy(b.position, at, sizeof at);
    const float turned[4] = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                             static_cast<float>(q.w)};
    std::memcpy(b.orientation, turned, sizeof turned);
    b.hull = hull;
    return b;
}

Vec3d vec(const double (&v)[3]) { return {v[0], v[1], v[2]}; }

// Bodies 2 i and 2 i + 1 are pair i.
struct MeasureScenery {
    HullSet hulls;
    std::vector<BodyD> bodies;
    std::vector<Pair> pairs;

    void add(const BodyD& a, const BodyD& b) {
        const auto i = static_cast<std::uint32_t>(bodies.size());
        bodies.insert(bodies.end(), {a, b});
        pairs.push_back({i, i + 1});
    }
    std::vector<ContactMeasures> measure(std::span<const Vec3d> shifts = {}) const {
        std::vector<ContactMeasures> out(pairs.size());
        MeasureWorkspace workspace;
        const MeasureResult r =
            measure_contacts_serial(hulls, BodyView(std::span<const BodyD>(bodies)), pairs, out, workspace, shifts);
        EXPECT_TRUE(r.status) << r.status.what;
        return out;
    }
};

HullSet hulls_of(const BuildResult& built) {
    EXPECT_TRUE(built);
    return built.hulls;
}

HullSet cubes() { return hulls_of(build_hull(box_points(1, 1, 1))); }

HullSet spheres(std::initializer_list<float> radii) {
    std::vector<Points> points;
    std::vector<float> round;
    for (const float r : radii) {
        points.push_back({{0, 0, 0}});
        round.push_back(r);
    }
    return build_library(points, round).hulls;
}

// The promise of measure_contacts(): relative, or by what planes that are off by a part of the larger size change.
double allowed(double value, double larger, double others) { return std::max(1e-5 * value, 1e-5 * larger * others); }

// Pairs whose centres are so near that most meet; one in seven lies a million metres away.
MeasureScenery random_pairs(const Library& library, int pairs) {
    Random random(12);
    MeasureScenery s;
    s.hulls = library.hulls;
    for (int i = 0; i < pairs; ++i) {
        const std::uint32_t ha = random.index(static_cast<std::uint32_t>(library.size()));
        const std::uint32_t hb = random.index(static_cast<std::uint32_t>(library.size()));
        const Quat qa = random.rotation();
        const Quat qb = random.rotation();
        const Vec3d far = i % 7 == 0 ? Vec3d{1e6, -2e6, 5e5} : Vec3d{};
        BodyD a = body_at(far, qa, ha);
        BodyD b = body_at(far, qb, hb);
        const PoseD pa = reference::oracle_pose(a.position, a.orientation);
        const PoseD pb = reference::oracle_pose(b.position, b.orientation);
        const auto centre = [&](std::uint32_t h) {
            const HullRecord& r = library.hulls[h];
            return Vec3d{static_cast<double>(r.centre[0]), static_cast<double>(r.centre[1]),
                         static_cast<double>(r.centre[2])};
        };
        const double reach = library.oracle[ha].size + library.oracle[hb].size;
        const Vec3d to = far + pa.rotation * centre(ha) - pb.rotation * centre(hb) +
                         random.direction() * (reach * random.uniform(0, 1));
        std::memcpy(b.position, &to, sizeof b.position);
        s.add(a, b);
    }
    return s;
}

TEST(Measures, AgreeWithBruteForceOverPlanes) {
    const char* const wanted = std::getenv("LANEFOLD_MEASURES");
    const Library library = random_library(11, 60, small_shapes(), 0.1, 3.0);
    const MeasureScenery s = random_pairs(library, wanted != nullptr ? std::atoi(wanted) : 700);
    const std::vector<ContactMeasures> out = s.measure();
    std::size_t overlapping = 0;
    std::size_t inside = 0;
    double worst[2] = {};
    double off = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const BodyD& a = s.bodies[2 * i];
        const BodyD& b = s.bodies[2 * i + 1];
        const PoseD pa = reference::oracle_pose(a.position, a.orientation);
        const PoseD pb = reference::oracle_pose(b.position, b.orientation);
        const reference::OracleOverlap right =
            reference::overlap_of(library.oracle[a.hull], pa, library.oracle[b.hull], pb);
        const double size = std::min(library.oracle[a.hull].size, library.oracle[b.hull].size);
        const double larger = std::max(library.oracle[a.hull].size, library.oracle[b.hull].size);
        const double area = length(right.area_vector);
        EXPECT_LE(std::abs(out[i].volume - right.volume), allowed(right.volume, larger, size * size)) << i;
        const Vec3d of = vec(out[i].area_normal) * out[i].area - right.area_vector;
        EXPECT_LE(length(of), allowed(area, larger, size)) << i;
        worst[0] = std::max(worst[0], std::abs(out[i].volume - right.volume) / (larger * size * size));
        worst[1] = std::max(worst[1], length(of) / (larger * size));
        overlapping += right.volume > 0 ? 1U : 0U;
        inside += right.volume > 0 && out[i].area == 0 ? 1U : 0U;
        if (right.volume == 0) continue;
        // The less is left, the less its middle is known.
        const double bound = 1e-5 * size + 1e-4 * larger * size * size * size / right.volume;
        const double error = length(vec(out[i].volume_centroid) - right.centroid);
        EXPECT_LE(error, bound) << i;
        if (right.volume > 0.01 * size * size * size) off = std::max(off, error / larger);
        if (area < 1e-2 * size * size) continue;
        EXPECT_LE(length(vec(out[i].area_centroid) - right.area_centroid), bound + 1e-4 * larger * size * size / area)
            << i;
    }
    std::printf("%zu of %zu overlap, %zu inside of the other; off: volume %.2g, area %.2g, centroid %.2g, by sizes\n",
                overlapping, out.size(), inside, worst[0], worst[1], off);
    EXPECT_GT(overlapping, out.size() / 4);
    EXPECT_LT(overlapping, out.size());
    EXPECT_GT(inside, 0U);
}

TEST(Measures, CubesHaveTheirClosedForms) {
    MeasureScenery s;
    s.hulls = cubes();
    s.add(body_at({}, {}, 0), body_at({0.5, 0, 1.9}, {}, 0));  // flush sides, 0.1 deep
    s.add(body_at({}, {}, 0), body_at({}, {}, 0));             // one in the other, all faces flush
    s.add(body_at({}, {}, 0), body_at({0, 0, 2}, {}, 0));      // touching
    s.add(body_at({}, {}, 0), body_at({0, 0, 5}, {}, 0));
    s.add(body_at({}, {}, 0), body_at({1.5, 1.5, 1.5}, {}, 0));  // a corner in a corner
    const std::vector<ContactMeasures> out = s.measure();
    EXPECT_EQ(out[0].state, MeasureState::overlapping);
    EXPECT_NEAR(out[0].volume, 1.5 * 2 * 0.1, 1e-12);
    EXPECT_NEAR(length(vec(out[0].volume_centroid) - Vec3d{0.25, 0, 0.95}), 0, 1e-12);
    // A's top shares 1.5 x 2 with B's bottom; A's side x+ in B is 0.1 x 2, and A's sides y+- are level with B's.
    EXPECT_NEAR(out[0].area, std::hypot(3.0, 0.2), 1e-12);
    EXPECT_NEAR(out[0].area_normal[2], 3.0 / std::hypot(3.0, 0.2), 1e-12);
    EXPECT_NEAR(out[1].volume, 8, 1e-12);
    EXPECT_EQ(out[1].area, 0);
    EXPECT_EQ(out[2].state, MeasureState::apart);
    EXPECT_EQ(out[3].state, MeasureState::apart);
    EXPECT_NEAR(out[4].volume, 0.125, 1e-12);
    EXPECT_NEAR(out[4].area, 0.25 * std::numbers::sqrt3, 1e-12);
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(out[4].area_normal[k], 1 / std::numbers::sqrt3, 1e-12);
        EXPECT_NEAR(out[4].area_centroid[k], 0.75, 1e-12);
    }
}

// A lens by discs: the integral of the lesser disc's area, and its first moment.
void integrate_lens(double r, double s, double d, double& volume, double& at) {
    constexpr int kSteps = 200000;
    volume = at = 0;
    for (int i = 0; i < kSteps; ++i) {
        const double z = -r + 2 * r * (i + 0.5) / kSteps;
        const double square = std::min(r * r - z * z, s * s - (z - d) * (z - d));
        if (square <= 0) continue;
        const double disc = std::numbers::pi * square * 2 * r / kSteps;
        volume += disc;
        at += disc * z;
    }
    at /= volume;
}

TEST(Measures, SpheresAreLensesAndCaps) {
    MeasureScenery s;
    s.hulls = spheres({1, 0.5F});
    s.hulls = s.hulls.append(hulls_of(build_half_spaces(std::vector<HalfSpace>{{{0, 0, 2}, 0.25F}})));
    for (const double d : {0.6, 1.0, 1.4, 1.4999}) s.add(body_at({1, 2, 3}, {}, 0), body_at({1, 2, 3 + d}, {}, 1));
    s.add(body_at({}, {}, 0), body_at({0.3, 0, 0}, {}, 1));
    s.add(body_at({}, {}, 0), body_at({}, {}, 2));           // the centre is a quarter below the plane
    s.add(body_at({}, {}, 2), body_at({5, 5, 1.0}, {}, 0));  // the bottom is a quarter below the plane
    const std::vector<ContactMeasures> out = s.measure();
    for (std::size_t i = 0; i < 4; ++i) {
        const double d = s.bodies[2 * i + 1].position[2] - 3;
        double volume;
        double at;
        integrate_lens(1, 0.5, d, volume, at);
        EXPECT_NEAR(out[i].volume / volume, 1, i == 3 ? 1e-2 : 1e-6) << d;
        EXPECT_NEAR(out[i].volume_centroid[2], at, 1e-6) << d;
        const double x = (d * d + 1 - 0.25) / (2 * d);
        EXPECT_NEAR(out[i].area, std::numbers::pi * (1 - x * x), 1e-9) << d;
        EXPECT_NEAR(out[i].area_normal[2], 1, 1e-12) << d;
    }
    EXPECT_NEAR(out[4].volume, std::numbers::pi / 6, 1e-12);
    EXPECT_EQ(out[4].area, 0);
    const double cap = std::numbers::pi * 1.25 * 1.25 * (3 - 1.25) / 3;
    EXPECT_NEAR(out[5].volume, cap, 1e-6);
    EXPECT_NEAR(out[5].area_normal[2], -1, 1e-12);  // into the half-space
    EXPECT_NEAR(out[6].volume, std::numbers::pi * 0.0625 * (3 - 0.25) / 3, 1e-6);
    EXPECT_NEAR(out[6].area_normal[2], 1, 1e-12);  // out of it
    EXPECT_NEAR(out[6].volume_centroid[0], 5, 1e-12);
}

TEST(Measures, AHalfSpaceIsALargeBox) {
    const Library library = random_library(21, 20, small_shapes());
    MeasureScenery s;
    s.hulls = library.hulls.append(hulls_of(build_half_spaces(std::vector<HalfSpace>{{{0, 0, 1}, 0}})));
    Random random(22);
    for (std::uint32_t i = 0; i < 200; ++i) {
        const std::uint32_t h = random.index(static_cast<std::uint32_t>(library.size()));
        const BodyD plane = body_at({}, random.rotation(), static_cast<std::uint32_t>(library.size()));
        const BodyD body = body_at(random.in_ball() * 3.0, random.rotation(), h);
        i % 2 == 0 ? s.add(plane, body) : s.add(body, plane);
    }
    const std::vector<ContactMeasures> out = s.measure();
    const reference::OracleHull plane = reference::make_oracle_half_space({0, 0, 1}, 0);
    std::size_t overlapping = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const BodyD& a = s.bodies[2 * i];
        const BodyD& b = s.bodies[2 * i + 1];
        const bool first = a.hull == library.size();
        const reference::OracleOverlap right = reference::overlap_of(
            first ? plane : library.oracle[a.hull], reference::oracle_pose(a.position, a.orientation),
            first ? library.oracle[b.hull] : plane, reference::oracle_pose(b.position, b.orientation));
        const double size = library.oracle[first ? b.hull : a.hull].size;
        EXPECT_NEAR(out[i].volume, right.volume, allowed(right.volume, size, size * size)) << i;
        EXPECT_LE(length(vec(out[i].area_normal) * out[i].area - right.area_vector),
                  allowed(length(right.area_vector), size, size))
            << i;
        overlapping += right.volume > 0 ? 1U : 0U;
    }
    EXPECT_GT(overlapping, 60U);
}

// A motion by d changes the volume by at most d times the surface of the smaller hull: 24 of a cube.
TEST(Measures, VolumeAndAreaVectorAreContinuous) {
    MeasureScenery s;
    s.hulls = cubes();
    Random random(31);
    const Quat turn = random.rotation();
    constexpr double kStep = 1e-3;
    for (int i = 0; i < 4000; ++i) s.add(body_at({}, {}, 0), body_at({-2 + kStep * i, 0.3, 0.2}, turn, 0));
    const std::vector<ContactMeasures> out = s.measure();
    double most = 0;
    for (std::size_t i = 1; i < out.size(); ++i) {
        EXPECT_LE(std::abs(out[i].volume - out[i - 1].volume), 24 * kStep);
        const Vec3d change = vec(out[i].area_normal) * out[i].area - vec(out[i - 1].area_normal) * out[i - 1].area;
        most = std::max(most, length(change));
    }
    // The area vector changes by at most the length of all edges of both hulls, 48, times the motion.
    EXPECT_LE(most, 48 * kStep);
    EXPECT_GT(most, 0);
}

TEST(Measures, AShiftIsAMotionOfBodyB) {
    MeasureScenery s;
    s.hulls = cubes();
    MeasureScenery moved = s;
    std::vector<Vec3d> shifts;
    Random random(41);
    for (int i = 0; i < 100; ++i) {
        const Quat q = random.rotation();
        const Vec3d at = random.in_ball() * 2.0;
        shifts.push_back({100.0, 0, -50.0});
        s.add(body_at({}, {}, 0), body_at(at - shifts.back(), q, 0));
        moved.add(body_at({}, {}, 0), body_at(at, q, 0));
    }
    const std::vector<ContactMeasures> one = s.measure(shifts);
    const std::vector<ContactMeasures> other = moved.measure();
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i].volume, other[i].volume, 1e-11) << i;
}

TEST(Measures, AllCoresAndAnyOrderGiveTheSame) {
    const Library library = random_library(51, 30, small_shapes());
    MeasureScenery s;
    s.hulls = library.hulls;
    Random random(52);
    for (int i = 0; i < 3000; ++i) {
        s.add(body_at(random.in_ball() * 2.0, random.rotation(), random.index(30)),
              body_at(random.in_ball() * 2.0, random.rotation(), random.index(30)));
    }
    const std::vector<ContactMeasures> alone = s.measure();
    std::vector<ContactMeasures> out(alone.size());
    MeasureWorkspace workspace;
    tbb::task_arena arena(4);
    MeasureResult r;
    const BodyView view{std::span<const BodyD>(s.bodies)};
    arena.execute([&] { r = measure_contacts(s.hulls, view, s.pairs, out, workspace); });
    ASSERT_TRUE(r.status) << r.status.what;
    EXPECT_EQ(std::memcmp(out.data(), alone.data(), out.size() * sizeof out[0]), 0);
    EXPECT_GT(r.by_state[static_cast<std::size_t>(MeasureState::overlapping)], 300U);
    const std::vector<Pair> reversed(s.pairs.rbegin(), s.pairs.rend());
    arena.execute([&] { r = measure_contacts(s.hulls, view, reversed, out, workspace); });
    for (std::size_t i = 0; i < out.size(); ++i) {
        EXPECT_EQ(std::memcmp(&out[out.size() - 1 - i], &alone[i], sizeof out[0]), 0) << i;
    }
}

TEST(Measures, BadInputIsAStatusOfItsPair) {
    MeasureScenery s;
    s.hulls = cubes();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    s.add(body_at({}, {}, 0), body_at({0, 0, 1}, {}, 0));
    s.add(body_at({nan, 0, 0}, {}, 0), body_at({0, 0, 1}, {}, 0));
    s.add(body_at({}, {}, 0), body_at({0, 0, 1}, {0, 0, 0, 0.5}, 0));
    s.add(body_at({}, {}, 0), body_at({0, 0, 1}, {}, 7));
    s.add(body_at({}, {}, 0), body_at({0, 0, 1}, {}, 0));
    s.pairs.back() = {0, 0};
    s.add(body_at({-1e308, 0, 0}, {}, 0), body_at({1e308, 0, 1}, {}, 0));
    const std::vector<ContactMeasures> out = s.measure();
    EXPECT_NEAR(out[0].volume, 4, 1e-12);
    const Status wanted[] = {Status::ok,       Status::bad_pose,  Status::bad_pose,
                             Status::bad_hull, Status::bad_index, Status::ok};
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i].status, wanted[i]) << i;
    for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(out[i].state, MeasureState::not_measured) << i;
    EXPECT_EQ(out[5].state, MeasureState::apart);

    MeasureWorkspace workspace;
    std::vector<ContactMeasures> few(2);
    const BodyView view{std::span<const BodyD>(s.bodies)};
    const MeasureResult r = measure_contacts_serial(s.hulls, view, s.pairs, few, workspace);
    EXPECT_EQ(r.status.code, Status::bad_argument);
    EXPECT_NE(std::string(r.status.what).find("out"), std::string::npos);
    std::vector<ContactMeasures> enough(s.pairs.size());
    const std::vector<Vec3d> shifts(3);
    EXPECT_FALSE(measure_contacts_serial(s.hulls, view, s.pairs, enough, workspace, shifts).status);
    MeasureWorkspace moved = std::move(workspace);
    EXPECT_FALSE(measure_contacts_serial(s.hulls, view, s.pairs, enough, workspace).status);
    EXPECT_TRUE(measure_contacts_serial(s.hulls, view, s.pairs, enough, moved).status);
}

TEST(Measures, ArraysThatCannotBeAreRefused) {
    MeasureScenery s;
    s.hulls = cubes();
    for (int i = 0; i < 3; ++i) s.add(body_at({}, {}, 0), body_at({0, 0, 1}, {}, 0));
    const BodyView view{std::span<const BodyD>(s.bodies)};
    MeasureWorkspace workspace;
    std::vector<ContactMeasures> storage(s.pairs.size() + 1);
    const std::span<ContactMeasures> good = std::span(storage).first(s.pairs.size());
    const auto what = [&](std::span<const Pair> pairs, std::span<ContactMeasures> out, std::span<const Vec3d> shifts) {
        return std::string(measure_contacts_serial(s.hulls, view, pairs, out, workspace, shifts).status.what);
    };
    const auto misaligned = [](const auto* data) {
        return reinterpret_cast<decltype(data)>(reinterpret_cast<const std::byte*>(data) + 1);
    };
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    const std::vector<Vec3d> shifts(s.pairs.size() + 1);
    EXPECT_EQ(what(s.pairs, good, {}), "");
    EXPECT_EQ(what({s.pairs.data(), kAll}, good, {}), "pairs exceed the address space");
    EXPECT_EQ(what({misaligned(s.pairs.data()), 2}, good.first(2), {}), "pairs is not aligned");
    EXPECT_EQ(what(s.pairs, {const_cast<ContactMeasures*>(misaligned(storage.data())), s.pairs.size()}, {}),
              "out is not aligned");
    EXPECT_EQ(what(s.pairs, good, {misaligned(shifts.data()), s.pairs.size()}), "shifts is not aligned");
    EXPECT_EQ(what(s.pairs, {reinterpret_cast<ContactMeasures*>(s.bodies.data()), s.pairs.size()}, {}),
              "out overlaps an input");
}

TEST(Measures, OtherShapesAreNotMeasured) {
    MeasureScenery s;
    s.hulls =
        build_library(std::vector<Points>{box_points(1, 1, 1), box_points(1, 1, 1)}, std::vector<float>{0.1F, 0}).hulls;
    CompoundChild child;
    child.hull = 1;
    const CompoundResult compound = build_compound(s.hulls, {&child, 1});
    ASSERT_TRUE(compound);
    s.hulls = compound.hulls;
    s.add(body_at({}, {}, 1), body_at({}, {}, 0));
    s.add(body_at({}, {}, 2), body_at({}, {}, 1));
    for (const ContactMeasures& m : s.measure()) {
        EXPECT_EQ(m.state, MeasureState::not_measured);
        EXPECT_EQ(m.status, Status::ok);
    }
}

}  // namespace
}  // namespace lanefold::test
