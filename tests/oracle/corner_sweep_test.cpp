// SPDX-License-Identifier: MIT
//
// Boxes with a gap, edge beside edge and corner beside corner, as in grids with joints: not turned, turned by quarters,
// by a ten-millionth to a tenth of a radian, or at random; ends of edges beside each other or level; any size ratio of
// the float32 path. No axis gives the distance of such pairs. The judge checks every record, and distances are compared
// with those of the float64 path. The counters show that the pairs are settled without that path.
#include <cmath>

#include "support/pair_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 6000;
constexpr double kQuarter = 0.5 * 3.14159265358979;

enum class Turn : std::uint8_t { none, quarters, little, any };

struct CornerConfig {
    const char* name;
    Turn turn = Turn::none;
    bool level = false;  // where edges lie beside each other, half of them end at the same place
    double largest = 1;  // ratio of sizes
    bool float_positions = true;
    double far = 0;  // positions up to this far away
    Options options;
};

Quat turn_of(Turn turn, Random& random) {
    switch (turn) {
        case Turn::none:
            return {};
        case Turn::quarters:
            return about({0, 0, 1}, kQuarter * random.index(4)) * about({1, 0, 0}, kQuarter * random.index(4));
        case Turn::little: {
            const Vec3d axis = random.in_ball();
            return about(axis * (1 / length(axis)), random.log_uniform(1e-7, 0.1));
        }
        case Turn::any:
            break;
    }
    return random.rotation();
}

PairScene make_scene(const CornerConfig& c, std::uint64_t seed) {
    PairScene s;
    Random random(sweep_seed(seed));
    constexpr std::uint32_t kHulls = 64;
    std::vector<Vec3d> half;
    std::vector<Points> points;
    for (std::uint32_t h = 0; h < kHulls; ++h) {
        const double scale = h % 2 == 0 ? 1 : random.log_uniform(1, c.largest * 1.001);
        const auto side = [&] { return scale * random.uniform(0.3, 0.8); };
        half.push_back({side(), side(), side()});
        points.push_back(box_points(half.back().x, half.back().y, half.back().z));
    }
    s.library = build_library(points);
    s.config.name = c.name;
    s.config.options = c.options;
    s.config.float_positions = c.float_positions;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        PairPlace p;
        p.a = random.index(kHulls);
        p.b = 2 * random.index(kHulls / 2);
        p.turn = turn_of(c.turn, random);
        // Half extents of the box about b in a's frame.
        const Mat3d r = rotation(p.turn);
        double at[3];
        const int beside = static_cast<int>(random.index(6));  // below 3: edges along this axis; else corners
        for (int k = 0; k < 3; ++k) {
            const Vec3d& row = r.row[k];
            const Vec3d& h = half[p.b];
            const double reach = std::fabs(row.x) * h.x + std::fabs(row.y) * h.y + std::fabs(row.z) * h.z;
            const double own = component(half[p.a], k);
            const double gap = random.log_uniform(0.02, 0.55) * static_cast<double>(c.options.margin);
            at[k] = (random.chance(0.5) ? 1 : -1) * (own + reach + gap);
            if (k != beside) continue;
            at[k] = random.uniform(-1, 1) * (own + reach);
            if (c.level && random.chance(0.5)) at[k] = random.chance(0.5) ? own - reach : own + reach;
        }
        p.at = {at[0], at[1], at[2]};
        p.world = random.chance(0.5) ? Quat{} : random.rotation();
        p.origin = random.in_ball() * c.far;
        p.swapped = random.chance(0.5);
        s.add(p);
    }
    return s;
}

// `most`: part of the pairs that may take the float64 path.
PairVerdict judge(const CornerConfig& c, std::uint64_t seed, double most) {
    const PairVerdict v = judge_pairs(make_scene(c, seed));
    v.print_features();
    EXPECT_LE(v.finished, most);
    EXPECT_LT(v.faces(), 0.3);
    return v;
}

CornerConfig config(const char* name, Turn turn, float margin = 0.02F, float preference = kDefaultFacePreference) {
    CornerConfig c;
    c.name = name;
    c.turn = turn;
    c.options.margin = margin;
    c.options.face_preference = preference;
    return c;
}

TEST(CornerSweep, LevelBoxes) {
    for (const Turn turn : {Turn::none, Turn::quarters}) {
        const PairVerdict v = judge(config("not turned, or by quarters", turn), 1901, 0.005);
        EXPECT_GT(v.part(ContactKind::edge_edge), 0.3);
        EXPECT_GT(v.part(ContactKind::vertex_vertex), 0.3);
    }
    CornerConfig c = config("edges that end at the same place", Turn::quarters);
    c.level = true;
    judge(c, 1903, 0.005);
}

TEST(CornerSweep, TurnedALittle) {
    const PairVerdict v = judge(config("turned a little", Turn::little), 1904, 0.02);
    EXPECT_GT(v.part(ContactKind::edge_edge), 0.03);
    EXPECT_GT(v.part(ContactKind::vertex_edge) + v.part(ContactKind::edge_vertex), 0.1);
    EXPECT_GT(v.part(ContactKind::vertex_vertex), 0.1);
    judge(config("turned a little, strict", Turn::little, 0.02F, 0), 1905, 0.02);
}

TEST(CornerSweep, TurnedAnyhow) { judge(config("turned anyhow, wide margin", Turn::any, 0.5F), 1906, 0.005); }

TEST(CornerSweep, WideMarginsAndSizes) {
    judge(config("wide margin", Turn::none, 0.4F), 1907, 0.005);
    CornerConfig c = config("sizes up to 40:1", Turn::quarters);
    c.largest = 40;
    judge(c, 1908, 0.06);
    c = config("sizes up to 40:1, wide margin", Turn::none, 0.3F);
    c.largest = 40;
    judge(c, 1909, 0.005);
}

TEST(CornerSweep, DoublePositions) {
    CornerConfig c = config("float64 positions, a million metres away", Turn::little);
    c.float_positions = false;
    c.far = 1e6;
    judge(c, 1910, 0.02);
}

}  // namespace
}  // namespace lanefold::test
