// SPDX-License-Identifier: MIT
//
// Tips over the rims of faces that were merged: edges beside narrow faces, and chords that the merge removed. Several
// features of such a hull lie within the tolerances of a point, of which few meet the other hull along the normal, and
// short sides of the faces point anywhere. The judge checks every record on every instruction set.
#include <cmath>
#include <utility>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>

#include "support/pair_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 20000;
constexpr std::uint32_t kHulls = 64;

// A tetrahedron that is long and thin, with a tip at z = 0 and the rest above.
Points tip(Random& random) {
    const double length = random.log_uniform(0.3, 2);
    const double width = length * random.log_uniform(0.02, 1);
    Points out = {{0, 0, 0}};
    for (int k = 0; k < 3; ++k) {
        const double t = 2.1 * k + random.uniform(0, 0.5);
        out.push_back({static_cast<float>(width * std::cos(t)), static_cast<float>(width * std::sin(t)),
                       static_cast<float>(length)});
    }
    return out;
}

struct Rim {
    Vec3d at;
    Vec3d out;  // unit
};

// A point of an edge or of the chord across two sides of a face, and a direction between the faces' normals there.
Rim rim_of(const HullRecord& record, Random& random) {
    const detail::HullView hull(record);
    const Mat3d turn = hull.internal_to_input().rotation;
    const std::uint32_t f = random.index(record.face_count);
    const std::uint32_t first = hull.face_first[f];
    const std::uint32_t sides = hull.face_first[f + 1] - first;
    const std::uint32_t k = random.index(sides);
    const std::uint32_t step = sides > 3 && random.chance(0.5) ? 2 : 1;
    const Vec3d from = hull.input_vertex(hull.face_vertex[first + k]);
    const Vec3d to = hull.input_vertex(hull.face_vertex[first + (k + step) % sides]);
    const std::uint32_t edge = hull.face_edge[first + k];
    const double t = random.uniform(0, 1);
    const Vec3d n0 = turn * hull.normal(hull.edge_face0[edge]);
    const Vec3d n1 = turn * hull.normal(hull.edge_face1[edge]);
    return {from + (to - from) * random.uniform(0, 1), normalized(n0 * (1 - t) + n1 * t)};
}

PairVerdict judge(const char* name, const Options& options, std::uint64_t seed) {
    static constexpr Shape kShapes[] = {Shape::bevelled, Shape::dented, Shape::twin_ends, Shape::splinter};
    PairScene s;
    s.thin = true;
    s.config.name = name;
    s.config.options = options;
    Random random(sweep_seed(seed));
    const Library thin = random_library(sweep_seed(seed), kHulls, kShapes, 0.5, 2);
    std::vector<Points> points;
    for (std::size_t h = 0; h < thin.size(); ++h) {
        const auto vertices = thin.hulls.vertices(h);
        Points copy(vertices.begin(), vertices.end());
        // The vertices alone may be too flat to the last bit.
        if (build_hull(copy)) points.push_back(std::move(copy));
    }
    const auto rims = static_cast<std::uint32_t>(points.size());
    EXPECT_GT(rims, kHulls / 2);
    for (std::uint32_t h = 0; h < kHulls; ++h) points.push_back(tip(random));
    s.library = build_library(points);
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        PairPlace p;
        p.a = random.index(rims);
        p.b = rims + random.index(kHulls);
        const Rim rim = rim_of(s.library.hulls[p.a], random);
        const double gap = random.log_uniform(1e-9, 0.3) * (random.chance(0.7) ? 1 : -0.1);
        p.turn = turn_of_z_to(rim.out) * about({0, 0, 1}, random.uniform(-4, 4));
        p.at = rim.at + rim.out * gap;
        p.put_anywhere(random);
        s.add(p);
    }
    return judge_pairs(s);
}

TEST(MergedRims, Strict) {
    Options options;
    options.margin = 0.5F;
    options.face_preference = 0;
    const PairVerdict v = judge("strict, margin 0.5", options, 2501);
    EXPECT_GT(v.faces(), 0.02);
}

TEST(MergedRims, Defaults) {
    Options options;
    options.margin = 0.02F;
    const PairVerdict v = judge("margin 0.02", options, 2502);
    EXPECT_GT(v.faces(), 0.05);
}

TEST(MergedRims, Patches) {
    Options options;
    options.margin = 0.02F;
    options.method = ContactMethod::patch;
    const PairVerdict v = judge("patches", options, 2503);
    EXPECT_GT(v.faces(), 0.05);
}

}  // namespace
}  // namespace lanefold::test
