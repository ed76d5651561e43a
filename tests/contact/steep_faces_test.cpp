// SPDX-License-Identifier: MIT
//
// Blades that stand on their edge: the incident face is seen almost edge on, and corners of the reference face are
// below it. Their separation, along the normal to that face, is as much less certain as the face is steeper. They
// belong to the manifold all the same, down to a cosine of 0.01, and to that of patches down to 1e-6. The judge checks
// every record on every instruction set.
#include <algorithm>
#include <cmath>

#include "support/pair_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 6000;

struct SteepConfig {
    const char* name;
    std::uint32_t sides = 4;  // of the reference faces
    Options options;
};

// A blade: its edge along x at z = 0, its two sides leaning outwards by `angle`, up to `height`.
Points blade(double length, double height, double angle, double shorter) {
    const double wide = height * std::tan(angle);
    Points out;
    for (const double x : {-0.5 * length, 0.5 * length}) {
        out.push_back({static_cast<float>(x), 0, 0});
        for (const double y : {-wide, wide})
            out.push_back({static_cast<float>(x * shorter), static_cast<float>(y), static_cast<float>(height)});
    }
    return out;
}

// Blades are hulls 0 to kBlades - 1, posts follow.
constexpr std::uint32_t kBlades = 64;
constexpr std::uint32_t kPosts = 24;

struct Shapes {
    std::vector<Points> points;
    std::vector<double> length, reach, radius;  // blades: length of the edge, width of a side seen from above; posts
};

Shapes make_shapes(Random& random, std::uint32_t sides) {
    Shapes s;
    for (std::uint32_t h = 0; h < kBlades; ++h) {
        const double height = random.uniform(0.7, 1.3);
        const double angle = random.log_uniform(0.006, 0.07);  // radians
        s.length.push_back(random.uniform(0.6, 1.5));
        s.reach.push_back(height * std::tan(angle));
        s.points.push_back(blade(s.length.back(), height, angle, random.uniform(0.7, 1)));
    }
    for (std::uint32_t h = 0; h < kPosts; ++h) {
        s.radius.push_back(random.log_uniform(0.05, 0.6));
        s.points.push_back(prism_points(sides, s.radius.back(), 0.5));
    }
    return s;
}

// A blade over a post's upper face, with a corner of that face below a side of the blade.
PairPlace make_place(const Shapes& s, Random& random, std::uint32_t sides) {
    PairPlace p;
    p.a = kBlades + random.index(kPosts);
    p.b = random.index(kBlades);
    const double radius = s.radius[p.a - kBlades];
    const double turn = 2 * 3.14159265358979 * random.index(sides) / sides;
    const Vec3d corner{radius * std::cos(turn), radius * std::sin(turn), 0.5};
    const double yaw = random.uniform(-4, 4);
    const Vec3d along{std::cos(yaw), std::sin(yaw), 0};
    Vec3d aside{-along.y, along.x, 0};
    if (dot(aside, corner) < 0) aside = -aside;  // the blade's edge is nearer to the middle than the corner
    const double depth = random.log_uniform(1e-5, 1e-2) * (random.chance(0.6) ? 1 : -1);
    p.at = corner - aside * (random.uniform(0.05, 0.6) * s.reach[p.b]) +
           along * (random.uniform(-0.3, 0.3) * s.length[p.b]) - Vec3d{0, 0, depth};
    p.turn = about(random.direction(), random.log_uniform(1e-5, 3e-3)) * about({0, 0, 1}, yaw);
    p.put_anywhere(random);
    return p;
}

// `part`: of the pairs, that at least are face contacts of several points.
void judge(const SteepConfig& c, std::uint64_t seed, double part = 0.5) {
    PairScene s;
    Random random(sweep_seed(seed));
    const Shapes shapes = make_shapes(random, c.sides);
    s.library = build_library(shapes.points);
    s.config.name = c.name;
    s.config.options = c.options;
    s.config.options.margin = 0.8F;
    for (std::uint32_t i = 0; i < kPairs; ++i) s.add(make_place(shapes, random, c.sides));
    const PairVerdict v = judge_pairs(s);
    std::printf("    %llu pairs with several points; %llu clips given up\n",
                static_cast<unsigned long long>(v.coverage.multi_point),
                static_cast<unsigned long long>(v.counters.clip_fallbacks));
    EXPECT_GT(v.faces(), part);
    EXPECT_GT(static_cast<double>(v.coverage.multi_point), part * kPairs);
    // Corners below steep sides are not settled in lanes; those below the others are.
    EXPECT_GT(static_cast<double>(v.counters.clip_fallbacks), 0.25 * part * kPairs);
    EXPECT_LT(v.counters.clip_fallbacks, 4 * kPairs / 5);
}

TEST(SteepFaces, Quadrilaterals) { judge({"quadrilaterals", 4, {}}, 2201); }

TEST(SteepFaces, FacesOfSevenSides) { judge({"seven sides", 7, {}}, 2202); }

TEST(SteepFaces, FacesOfFourteenSides) { judge({"fourteen sides", 14, {}}, 2203); }

TEST(SteepFaces, Patches) {
    SteepConfig c{"patches", 4, {}};
    c.options.method = ContactMethod::patch;
    judge(c, 2204);
}

TEST(SteepFaces, Strict) {
    SteepConfig c{"strict", 5, {}};
    c.options.face_preference = 0;
    judge(c, 2205, 0.05);  // the blade's edge crosses a side of the post almost as deep
}

}  // namespace
}  // namespace lanefold::test
