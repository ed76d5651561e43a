// SPDX-License-Identifier: MIT
//
// Patches of hulls whose lower faces are level within float32: roofs and pyramids a hair high, one of whose faces lies
// flat on another hull. Several faces tie for the incident face and for the height at a point. Each point names a face
// that it is on. The judge checks every record on every instruction set.
#include <cmath>

#include <lanefold/detail/hull_block.hpp>

#include "support/pair_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 6000;
constexpr std::uint32_t kRoofs = 64;
constexpr std::uint32_t kPlates = 16;

// A prism whose lower lid bulges out by `height` at a point, or along a ridge.
Points roof(Random& random, double height) {
    const std::uint32_t sides = random.between(3, 6);
    Points out = prism_points(sides, 1, 0.4);
    const double x = random.uniform(-0.3, 0.3);
    const double y = random.uniform(-0.3, 0.3);
    const auto low = static_cast<float>(-0.4 - height);
    out.push_back({static_cast<float>(x), static_cast<float>(y), low});
    if (random.chance(0.5)) out.push_back({static_cast<float>(x + 0.2), static_cast<float>(y - 0.1), low});
    return out;
}

struct Level {
    Vec3d normal;  // outward, of one of the lower faces
    Vec3d on_it;
};

Level lower_face(const HullRecord& record, Random& random) {
    const detail::HullView hull(record);
    const Mat3d turn = hull.internal_to_input().rotation;
    std::vector<std::uint32_t> lower;
    for (std::uint32_t f = 0; f < record.face_count; ++f) {
        if ((turn * hull.normal(f)).z < -0.9) lower.push_back(f);
    }
    const std::uint32_t f = lower[random.index(static_cast<std::uint32_t>(lower.size()))];
    const std::uint32_t first = hull.face_first[f];
    const Vec3d x = hull.input_vertex(hull.face_vertex[first]);
    const Vec3d y = hull.input_vertex(hull.face_vertex[first + 1]);
    const Vec3d z = hull.input_vertex(hull.face_vertex[first + 2]);
    return {normalized(cross(y - x, z - x)), x};
}

// The rotation of the unit vector `from`, which is almost -z, to -z.
Quat levelled(const Vec3d& from) {
    const Vec3d axis = cross(from, Vec3d{0, 0, -1});
    const double sine = length(axis);
    return sine > 0 ? about(axis * (1 / sine), std::asin(sine)) : Quat{};
}

void judge(const char* name, const Options& options, std::uint64_t seed) {
    PairScene s;
    Random random(sweep_seed(seed));
    std::vector<Points> points;
    for (std::uint32_t h = 0; h < kRoofs; ++h) points.push_back(roof(random, random.log_uniform(3e-6, 1e-3)));
    for (std::uint32_t h = 0; h < kPlates; ++h)
        points.push_back(prism_points(random.between(3, 9), random.uniform(0.3, 1.5), 0.2));
    s.library = build_library(points);
    s.config.name = name;
    s.config.options = options;
    std::size_t several = 0;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        PairPlace p;
        p.a = kRoofs + random.index(kPlates);
        p.b = random.index(kRoofs);
        several += s.library.hulls[p.b].face_count > 9 ? 1U : 0U;
        const Level level = lower_face(s.library.hulls[p.b], random);
        const double depth = random.log_uniform(1e-6, 0.05) * (random.chance(0.8) ? 1 : -1);
        p.turn = about({0, 0, 1}, random.uniform(-4, 4)) * levelled(level.normal);
        const Vec3d lowest = rotation(p.turn) * level.on_it;
        p.at = {random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), 0.2 - lowest.z - depth};
        p.put_anywhere(random);
        s.add(p);
    }
    const PairVerdict v = judge_pairs(s);
    EXPECT_GT(v.faces(), 0.5);
    EXPECT_GT(v.coverage.multi_point, kPairs / 2);
    EXPECT_GT(several, kPairs / 10) << "the faces must not have been merged";
}

TEST(LevelFaces, Patches) {
    Options options;
    options.method = ContactMethod::patch;
    options.margin = 0.02F;
    judge("patches", options, 2401);
}

TEST(LevelFaces, NarrowPatches) {
    Options options;
    options.method = ContactMethod::patch;
    options.patch_band = 1e-4F;
    options.margin = 0;
    judge("narrow patches", options, 2402);
}

TEST(LevelFaces, Clipped) {
    Options options;
    options.margin = 0.02F;
    judge("clip", options, 2403);
}

}  // namespace
}  // namespace lanefold::test
