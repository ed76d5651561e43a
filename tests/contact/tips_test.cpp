// SPDX-License-Identifier: MIT
//
// Prisms whose faces have a sharp corner, one upon the other, with the corners beside each other. A point beyond a
// corner of 5 degrees is 23 times as far from the face as from the lines of both sides, so a tolerance of these lines
// is no bound of the distance from the face. The judge checks every record on every instruction set.
#include <cmath>

#include "support/pair_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 8000;
constexpr double kDegree = 3.14159265358979 / 180;

struct TipConfig {
    const char* name;
    std::uint32_t sides = 3;  // of the faces
    double least = 1;         // smallest and largest angle of the corner, degrees
    double most = 30;
    Options options;
    bool apart = false;  // tip to tip, by 1e-9 to 1e-4
};

// A prism along z with a corner of `angle` at the origin, on the side of -x. The other sides follow a half circle.
Points tip_prism(double angle, std::uint32_t sides, double length, double half_height) {
    std::vector<Vec3d> outline = {{0, 0, 0}};
    const double half = 0.5 * angle;
    const Vec3d middle{-length * std::cos(half), 0, 0};
    const double radius = length * std::sin(half);
    for (std::uint32_t k = 0; k + 1 < sides; ++k) {
        const double t = (0.5 + static_cast<double>(k) / static_cast<double>(sides - 2)) * 180 * kDegree;
        outline.push_back(middle + Vec3d{radius * std::cos(t), radius * std::sin(t), 0});
    }
    Points out;
    for (const double z : {-half_height, half_height})
        for (const Vec3d& x : outline)
            out.push_back({static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(z)});
    return out;
}

PairScene make_scene(const TipConfig& c, std::uint64_t seed) {
    PairScene s;
    Random random(sweep_seed(seed));
    constexpr std::uint32_t kHulls = 96;
    std::vector<double> height;
    std::vector<Points> points;
    for (std::uint32_t h = 0; h < kHulls; ++h) {
        height.push_back(random.uniform(0.1, 0.3));
        points.push_back(tip_prism(random.log_uniform(c.least, c.most) * kDegree, c.sides, random.log_uniform(0.5, 1.5),
                                   height.back()));
    }
    s.library = build_library(points);
    s.config.name = c.name;
    s.config.options = c.options;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        PairPlace p;
        p.a = random.index(kHulls);
        p.b = random.index(kHulls);
        const double depth =
            c.apart ? -random.log_uniform(1e-9, 1e-4) : random.log_uniform(1e-5, 1e-3) * (random.chance(0.8) ? 1 : -1);
        // b's corner is beyond a's, near to it, and its face is nearly level with a's.
        const double beyond = random.log_uniform(1e-8, 1e-4);
        const double aside = 0.02 * beyond * random.uniform(-1, 1);
        const Vec3d lean = random.in_ball();
        p.at = {beyond, aside, height[p.a] + height[p.b] - depth};
        p.turn = about(lean * (1 / length(lean)), random.log_uniform(1e-8, 1e-4)) *
                 about({0, 0, 1},
                       random.log_uniform(1e-5, 0.05) * (random.chance(0.5) ? 1 : -1) + (c.apart ? 180 * kDegree : 0));
        p.put_anywhere(random);
        s.add(p);
    }
    return s;
}

PairVerdict judge(const TipConfig& c, std::uint64_t seed) {
    const PairVerdict v = judge_pairs(make_scene(c, seed));
    std::printf("    worst point off its surface: %.3f of the bound; %llu clips given up\n", v.coverage.worst_point,
                static_cast<unsigned long long>(v.counters.clip_fallbacks));
    return v;
}

TEST(Tips, Triangles) {
    const PairVerdict v = judge({"triangles", 3, 1, 30, {}}, 2101);
    EXPECT_GT(v.faces(), 0.5);
}

TEST(Tips, FacesOfSevenSides) {
    TipConfig c{"seven sides", 7, 1, 30, {}};
    const PairVerdict v = judge(c, 2102);
    EXPECT_GT(v.faces(), 0.5);
}

TEST(Tips, FacesOfFourteenSides) {
    const PairVerdict v = judge({"fourteen sides", 14, 1, 30, {}}, 2103);
    EXPECT_GT(v.faces(), 0.5);
}

TEST(Tips, Patches) {
    TipConfig c{"patches", 5, 1, 30, {}};
    c.options.method = ContactMethod::patch;
    const PairVerdict v = judge(c, 2104);
    EXPECT_GT(v.faces(), 0.5);
}

TEST(Tips, Strict) {
    TipConfig c{"strict", 4, 1, 30, {}};
    c.options.face_preference = 0;
    c.options.margin = 0;
    const PairVerdict v = judge(c, 2105);
    EXPECT_GT(v.faces(), 0.3);
}

// The corner beyond the tip is no point of the face, so it does not prove that the hulls are as near as the face tells.
TEST(Tips, Apart) {
    std::uint64_t seed = 2106;
    for (const std::uint32_t sides : {3U, 7U, 14U}) {
        TipConfig c{"apart", sides, 1, 30, {}, true};
        c.options.margin = 0.02F;
        const PairVerdict v = judge(c, seed++);
        EXPECT_GT(v.coverage.touching_separated, v.coverage.pairs / 4);
        EXPECT_GT(v.faces(), 0.3);
    }
}

}  // namespace
}  // namespace lanefold::test
