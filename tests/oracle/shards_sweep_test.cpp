// SPDX-License-Identifier: MIT
//
// General hulls with a gap that meet in an edge or a corner only, as pieces of a shattered block do: a hull and its
// mirror image in the middle of an edge or in a corner, of the same size or another, moved apart, then turned not at
// all or by a ten-millionth to a tenth of a radian. The judge checks every record, and distances are compared with
// those of the float64 path. The counters show that most pairs are settled without that path.
#include <cmath>

#include <lanefold/detail/hull_block.hpp>

#include "support/pair_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 6000;
constexpr std::uint32_t kHulls = 48;

struct ShardConfig {
    const char* name;
    bool turned = false;
    double largest = 1;  // ratio of sizes
    bool float_positions = true;
    double far = 0;  // positions up to this far away
    Options options;
};

Vec3d vertex_of(const Points& points, std::uint32_t i) { return to_double(points[i]); }

// A corner of the hull, or the middle of one of its edges.
Vec3d meeting_point(const HullRecord& hull, Random& random) {
    const detail::HullView view(hull);
    const auto at = [&](std::uint32_t v) {
        const float* p = view.input_vertices() + std::size_t{3} * v;
        return Vec3d{p[0], p[1], p[2]};
    };
    if (random.chance(0.5)) return at(random.index(hull.vertex_count));
    const std::uint32_t e = random.index(hull.edge_count);
    return (at(view.edge_vertex[2 * e]) + at(view.edge_vertex[2 * e + 1])) * 0.5;
}

PairScene make_scene(const ShardConfig& c, std::uint64_t seed) {
    PairScene s;
    Random random(sweep_seed(seed));
    constexpr Shape kShapes[] = {Shape::tetrahedron, Shape::wedge,      Shape::prism,  Shape::debris,
                                 Shape::rock,        Shape::octahedron, Shape::pebble, Shape::box};
    std::vector<Points> points;
    std::vector<double> scales;
    // Hull 2 i + 1 is the mirror image of hull 2 i.
    for (std::uint32_t h = 0; h < kHulls; ++h) {
        const Points own = make_points(kShapes[h % std::size(kShapes)], random);
        const double scale = random.log_uniform(1, c.largest * 1.001);
        Points mirrored;
        for (std::uint32_t i = 0; i < own.size(); ++i) mirrored.push_back(to_float(vertex_of(own, i) * -scale));
        points.push_back(own);
        points.push_back(mirrored);
        scales.push_back(scale);
    }
    s.library = build_library(points);
    s.config.name = c.name;
    s.config.options = c.options;
    s.config.float_positions = c.float_positions;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        const std::uint32_t h = random.index(kHulls);
        PairPlace p;
        p.a = 2 * h;
        p.b = 2 * h + 1;
        const Vec3d meet = meeting_point(s.library.hulls[p.a], random);
        const double gap = random.log_uniform(0.02, 0.9) * static_cast<double>(c.options.margin);
        const Vec3d apart = meet * (1 / length(meet)) + random.in_ball() * 0.3;
        if (c.turned) {
            const Vec3d axis = random.in_ball();
            p.turn = about(axis * (1 / length(axis)), random.log_uniform(1e-7, 0.1));
        }
        // The mirror image has the point at -scale * meet.
        p.at = (meet + rotation(p.turn) * (meet * scales[h])) + apart * gap;
        p.world = random.chance(0.5) ? Quat{} : random.rotation();
        p.origin = random.in_ball() * c.far;
        p.swapped = random.chance(0.5);
        s.add(p);
    }
    return s;
}

// `most`: part of the pairs that may take the float64 path.
PairVerdict judge(const ShardConfig& c, std::uint64_t seed, double most) {
    const PairVerdict v = judge_pairs(make_scene(c, seed));
    v.print_features();
    EXPECT_LE(v.finished, most);
    EXPECT_GT(v.corners_on_edges(), 0.05);
    EXPECT_GT(v.part(ContactKind::vertex_vertex), 0.05);
    return v;
}

ShardConfig config(const char* name, bool turned, float margin = 0.02F, float preference = kDefaultFacePreference) {
    ShardConfig c;
    c.name = name;
    c.turned = turned;
    c.options.margin = margin;
    c.options.face_preference = preference;
    return c;
}

TEST(ShardsSweep, NotTurned) {
    judge(config("not turned", false), 2001, 0.06);
    judge(config("not turned, strict", false, 0.02F, 0), 2002, 0.08);
}

TEST(ShardsSweep, TurnedALittle) {
    judge(config("turned a little", true), 2003, 0.1);
    judge(config("turned a little, strict", true, 0.02F, 0), 2004, 0.12);
}

TEST(ShardsSweep, WideMarginsAndSizes) {
    judge(config("wide margin", true, 0.4F), 2005, 0.08);
    ShardConfig c = config("sizes up to 40:1", false);
    c.largest = 40;
    judge(c, 2006, 0.3);
    c = config("sizes up to 40:1, wide margin", true, 0.3F);
    c.largest = 40;
    judge(c, 2007, 0.08);
}

TEST(ShardsSweep, Patches) {
    ShardConfig c = config("patches", true);
    c.options.method = ContactMethod::patch;
    judge(c, 2008, 0.1);
}

TEST(ShardsSweep, DoublePositions) {
    ShardConfig c = config("float64 positions, a million metres away", true);
    c.float_positions = false;
    c.far = 1e6;
    judge(c, 2009, 0.1);
}

}  // namespace
}  // namespace lanefold::test
