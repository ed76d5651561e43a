// SPDX-License-Identifier: MIT
//
// Tips and edges close to the sharp edge of a blade, from every side. The normals of the blade's faces there are nearly
// opposite, so a rounded plane says little about what is beyond the edge. The judge checks every record on every
// instruction set.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <lanefold/hull_builder.hpp>

#include "support/pair_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 20000;
constexpr std::uint32_t kHulls = 64;

// A blade whose back and sharp edge run along y: where its edge is, and the half of the angle of its faces.
struct Blade {
    Points points;
    Mat3d turn;
    Vec3d shift;
    double width;
    double half_angle;
};

// Turned, so that no coordinate of its faces is exact.
Blade blade(Random& random) {
    Blade b;
    b.turn = rotation(random.rotation());
    b.shift = random.in_ball() * 0.3;
    b.width = random.uniform(0.2, 1);
    const double back = random.log_uniform(3e-6, 0.1);
    b.half_angle = std::atan(back / b.width);
    for (const double y : {-0.6, 0.6}) {
        for (const Vec3d& v : {Vec3d{0, y, 0}, Vec3d{-b.width, y, back}, Vec3d{-b.width, y, -back}}) {
            const Vec3d at = b.turn * v + b.shift;
            b.points.push_back({static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)});
        }
    }
    return b;
}

// A hull above z = 0 with its lowest vertex, or edge, there.
Points above(Random& random) {
    const double length = random.log_uniform(0.3, 2);
    const double width = length * random.log_uniform(1e-4, 1);
    const double edge = random.chance(0.3) ? width * random.uniform(0.1, 1) : 0;
    Points out = {{0, 0, 0}};
    if (edge > 0) out.push_back({static_cast<float>(edge), 0, 0});
    for (int k = 0; k < 4; ++k) {
        const double t = 1.6 * k + random.uniform(0, 0.5);
        const double height = length * random.uniform(0.5, 1);
        out.push_back({static_cast<float>(width * std::cos(t)), static_cast<float>(width * std::sin(t)),
                       static_cast<float>(height)});
    }
    return out;
}

PairVerdict judge(const char* name, const Options& options, std::uint64_t seed) {
    PairScene s;
    s.thin = true;
    s.config.name = name;
    s.config.options = options;
    Random random(sweep_seed(seed));
    std::vector<Blade> blades;
    std::vector<Points> points;
    while (blades.size() < kHulls) {
        Blade b = blade(random);
        if (!build_hull(b.points)) continue;
        points.push_back(b.points);
        blades.push_back(std::move(b));
    }
    while (points.size() < 2 * std::size_t{kHulls}) {
        Points p = above(random);
        if (build_hull(p)) points.push_back(std::move(p));
    }
    s.library = build_library(points);
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        PairPlace p;
        p.a = random.index(kHulls);
        p.b = kHulls + random.index(kHulls);
        const Blade& b = blades[p.a];
        const double most = std::numbers::pi / 2 - b.half_angle;
        const double angle = most * random.uniform(-1, 1);
        const Vec3d out = b.turn * Vec3d{std::cos(angle), random.uniform(-0.3, 0.3), std::sin(angle)};
        const double lean = most - std::fabs(angle) > 0.3 ? 0.3 : 0;
        const Vec3d up = normalized(out + random.in_ball() * lean);
        p.turn = turn_of_z_to(up) * about({0, 0, 1}, random.uniform(-4, 4));
        const double gap = random.log_uniform(1e-8, 1e-3) * (random.chance(0.7) ? 1 : -0.3);
        p.at = b.turn * Vec3d{0, random.uniform(-0.55, 0.55), 0} + b.shift + normalized(out) * gap;
        p.put_anywhere(random);
        s.add(p);
    }
    return judge_pairs(s);
}

TEST(BladeEdges, Strict) {
    Options options;
    options.margin = 0.5F;
    options.face_preference = 0;
    const PairVerdict v = judge("blades, strict, margin 0.5", options, 2601);
    v.print_features();
    EXPECT_GT(v.faces(), 0.05);
    EXPECT_GT(v.corners_on_edges(), 0.05);
}

TEST(BladeEdges, Defaults) {
    Options options;
    options.margin = 0.02F;
    const PairVerdict v = judge("blades, margin 0.02", options, 2602);
    EXPECT_GT(v.faces(), 0.05);
}

TEST(BladeEdges, Patches) {
    Options options;
    options.margin = 0.02F;
    options.method = ContactMethod::patch;
    const PairVerdict v = judge("blades, patches", options, 2603);
    EXPECT_GT(v.faces(), 0.05);
}

}  // namespace
}  // namespace lanefold::test
