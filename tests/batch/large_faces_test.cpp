// SPDX-License-Identifier: MIT
//
// Contacts of faces of many sides. In long calls they are reduced and written together, in short ones each alone, and
// the records are the same.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "support/batch_scene.hpp"
#include "support/hulls.hpp"
#include "support/isa_fixture.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPrisms = 40;
constexpr std::uint32_t kPairs = 6000;

// Prisms of 3 to 60 sides, one lid on another: deep, touching or with a gap, turned by any angle about the vertical,
// one in two tilted, all of it turned in space; one in eight on its like, in the middle. Each pair has bodies of its
// own.
BatchScene lids_on_lids(std::uint64_t seed) {
    Random random(seed);
    BatchScene s;
    std::vector<Points> points;
    std::vector<double> half;
    for (std::uint32_t i = 0; i < kPrisms; ++i) {
        half.push_back(random.uniform(0.1, 0.6));
        // One after the other: the order in which arguments are evaluated is the compiler's.
        const std::uint32_t sides = random.between(i % 4 == 0 ? 3 : 9, 60);
        const double radius = random.uniform(0.4, 1);
        points.push_back(prism_points(sides, radius, half[i]));
    }
    s.hulls = build_library(points).hulls;
    s.margin = 0.02F;
    const auto body = [&](std::uint32_t hull, const Vec3d& at, const Quat& turn) {
        Body b{};
        b.hull = hull;
        const Vec3f p = to_float(at);
        const double q[4] = {turn.x, turn.y, turn.z, turn.w};
        for (int k = 0; k < 4; ++k) b.orientation[k] = static_cast<float>(q[k]);
        b.position[0] = p.x;
        b.position[1] = p.y;
        b.position[2] = p.z;
        s.bodies.push_back(b);
    };
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        const std::uint32_t lower = random.index(kPrisms);
        const bool alike = random.chance(0.125);
        const std::uint32_t upper = alike ? lower : random.index(kPrisms);
        const double aside = alike ? 0.01 : 1.1;
        const double gap = random.uniform(-0.03, 0.022);
        const Vec3d stands{random.uniform(-aside, aside), random.uniform(-aside, aside),
                           half[lower] + half[upper] + gap};
        const Quat yaw = about({0, 0, 1}, random.uniform(-4, 4));
        const Quat tilt = about({1, 0, 0}, random.chance(0.5) ? random.log_uniform(1e-7, 0.2) : 0.0);
        const Quat all = random.rotation();
        body(lower, {}, all);
        body(upper, rotation(all) * stands, all * (tilt * yaw));
        s.pairs.push_back({2 * i, 2 * i + 1});
    }
    return s;
}

class LargeFaces : public IsaTest {
protected:
    // All pairs in calls of at most `at_once`.
    template <class Record>
    static std::vector<Record> run(const BatchScene& s, const Options& options, std::size_t at_once) {
        std::vector<Record> out(s.pairs.size());
        Workspace workspace;
        const std::span<const Pair> pairs = s.pairs;
        for (std::size_t at = 0; at < pairs.size(); at += at_once) {
            const std::size_t n = std::min(at_once, pairs.size() - at);
            const BatchResult r = collide_serial(s.hulls, s.view(), pairs.subspan(at, n), options,
                                                 std::span<Record>(out).subspan(at, n), workspace);
            EXPECT_TRUE(static_cast<bool>(r.status)) << r.status.what;
            EXPECT_EQ(r.isa, options.isa);
        }
        return out;
    }
};

TEST_P(LargeFaces, TogetherOrAloneGiveTheSameBits) {
    const BatchScene s = lids_on_lids(701);
    for (const PointSelection selection : {PointSelection::all, PointSelection::impact}) {
        Options options = s.options();
        options.isa = GetParam();
        options.points = selection;
        const std::vector<Manifold4> together = run<Manifold4>(s, options, kPairs);
        expect_same(run<Manifold4>(s, options, 1), together, "one pair a call");
        expect_same(run<Manifold4>(s, options, 7), together, "seven pairs a call");
        options.isa = Isa::scalar;
        expect_same(run<Manifold4>(s, options, kPairs), together, "scalar");

        std::size_t few = 0;
        std::size_t crowded = 0;
        std::size_t many = 0;
        for (const Manifold4& m : together) {
            few += m.count > 0 && m.total <= 4 ? 1U : 0U;
            crowded += m.total > 4 && m.total <= 64 ? 1U : 0U;
            many += m.total > 64 ? 1U : 0U;
        }
        std::printf("  %s: %zu contacts of up to 4 points, %zu of up to 64, %zu of more\n", to_string(GetParam()), few,
                    crowded, many);
        EXPECT_GT(few, kPairs / 100);
        EXPECT_GT(crowded, kPairs / 10);
        if (selection == PointSelection::all) {
            EXPECT_GT(many, 15U);
        }
    }
}

// The four kept points are among the sixteen of a larger record, with the same ids and places.
TEST_P(LargeFaces, FourPointsAreThoseOfSixteen) {
    const BatchScene s = lids_on_lids(702);
    Options options = s.options();
    options.isa = GetParam();
    const std::vector<Manifold4> four = run<Manifold4>(s, options, kPairs);
    const std::vector<Manifold16> sixteen = run<Manifold16>(s, options, kPairs);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const Manifold4& m = four[i];
        ASSERT_EQ(m.total, sixteen[i].total) << i;
        if (m.total > 16) continue;
        for (std::uint32_t k = 0; k < m.count; ++k) {
            bool found = false;
            for (std::uint32_t j = 0; j < sixteen[i].count; ++j) found |= same_bits(m.points[k], sixteen[i].points[j]);
            EXPECT_TRUE(found) << "pair " << i << ", point " << k;
        }
        compared += m.total > 4 ? 1U : 0U;
    }
    EXPECT_GT(compared, kPairs / 20);
}

LANEFOLD_INSTANTIATE_ISA_TESTS(LargeFaces);

}  // namespace
}  // namespace lanefold::test
