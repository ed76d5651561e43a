// SPDX-License-Identifier: MIT
//
// Faces that lie flat on each other with a gap: any turn about their normal, any size ratio of the float32 path,
// float32 and float64 positions, tilted as a whole or not. The cross products of the faces' sides equal the faces'
// normal there, up to rounding. The judge checks every record, and distances are compared with those of the float64
// path. The counters show that the pairs are settled without that path.
#include <cmath>

#include "support/pair_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 6000;

// Boxes, slabs and prisms with their faces up and down at z = +-height, all about the origin.
struct Flat {
    Points points;
    double reach;  // every face up or down contains the disc of this radius about its middle
    double height;
};

Flat make_flat(Random& random, bool boxes_only, double scale) {
    const double height = scale * random.uniform(0.2, 0.6);
    if (boxes_only || random.chance(0.5)) {
        const double x = scale * random.uniform(0.4, 0.8);
        const double y = scale * random.uniform(0.4, 0.8);
        return {box_points(x, y, height), std::min(x, y), height};
    }
    const std::uint32_t sides = random.between(3, 10);
    const double inside = std::cos(3.14159265358979 / sides);
    return {prism_points(sides, 0.7 * scale, height), 0.7 * scale * inside, height};
}

struct FlatConfig {
    const char* name;
    bool boxes_only = false;
    double largest = 1;  // ratio of sizes
    bool float_positions = true;
    double far = 0;  // positions up to this far away
    Options options;
};

PairScene make_scene(const FlatConfig& c, std::uint64_t seed) {
    PairScene s;
    Random random(sweep_seed(seed));
    constexpr std::uint32_t kHulls = 64;
    std::vector<Flat> flats;
    std::vector<Points> points;
    for (std::uint32_t h = 0; h < kHulls; ++h) {
        flats.push_back(make_flat(random, c.boxes_only, h % 2 == 0 ? 1 : random.log_uniform(1, c.largest * 1.001)));
        points.push_back(flats.back().points);
    }
    s.library = build_library(points);
    s.config.name = c.name;
    s.config.options = c.options;
    s.config.float_positions = c.float_positions;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        std::uint32_t low = random.index(kHulls);
        std::uint32_t high = 2 * random.index(kHulls / 2);
        if (random.chance(0.5)) std::swap(low, high);
        const Flat& under = flats[low];
        const Flat& above = flats[high];
        // The middle of the smaller face is over the larger one.
        const double reach = 0.9 * std::max(under.reach, above.reach) * std::sqrt(random.uniform());
        const double angle = random.uniform(0, 6.2831853);
        const double margin = static_cast<double>(c.options.margin);
        const double gap = random.chance(0.2) ? 0.5 * margin : random.log_uniform(1e-4, 0.99) * margin;
        const Quat yaw = random.chance(0.2) ? about({0, 0, 1}, 0.25 * 3.14159265358979 * random.index(8))
                                            : about({0, 0, 1}, random.uniform(0, 6.2831853));
        const Quat world = random.chance(0.5) ? Quat{} : random.rotation();
        PairPlace p;
        p.a = low;
        p.b = high;
        p.at = {reach * std::cos(angle), reach * std::sin(angle), under.height + above.height + gap};
        p.turn = yaw;
        p.world = world;
        p.origin = random.in_ball() * c.far;
        p.swapped = random.chance(0.5);
        s.add(p);
    }
    return s;
}

void judge(const FlatConfig& c, std::uint64_t seed) {
    constexpr double kMostFinished = 0.002;  // of the pairs
    const PairVerdict v = judge_pairs(make_scene(c, seed));
    EXPECT_LE(v.finished, kMostFinished);
    EXPECT_GT(v.faces(), 0.97);
    EXPECT_GT(v.coverage.touching_separated, kPairs * 9U / 10U);
}

FlatConfig config(const char* name, float margin, float preference = kDefaultFacePreference) {
    FlatConfig c;
    c.name = name;
    c.options.margin = margin;
    c.options.face_preference = preference;
    return c;
}

TEST(FlatSweep, Boxes) {
    FlatConfig c = config("boxes", 0.02F);
    c.boxes_only = true;
    judge(c, 1801);
    c = config("boxes, strict", 0.02F, 0);
    c.boxes_only = true;
    judge(c, 1802);
    c = config("boxes, wide margin", 0.5F);
    c.boxes_only = true;
    judge(c, 1803);
}

TEST(FlatSweep, Floors) {
    FlatConfig c = config("boxes and floors of up to 40 times their size", 0.02F);
    c.boxes_only = true;
    c.largest = 40;
    judge(c, 1804);
    c = config("prisms and boxes on each other, sizes up to 40:1", 0.02F);
    c.largest = 40;
    judge(c, 1805);
}

TEST(FlatSweep, Prisms) {
    judge(config("prisms and boxes", 0.02F), 1806);
    judge(config("prisms and boxes, strict", 0.02F, 0), 1807);
    FlatConfig c = config("prisms and boxes, patches", 0.02F);
    c.options.method = ContactMethod::patch;
    judge(c, 1808);
}

TEST(FlatSweep, DoublePositions) {
    FlatConfig c = config("float64 positions, a million metres away", 0.02F);
    c.float_positions = false;
    c.far = 1e6;
    judge(c, 1809);
}

}  // namespace
}  // namespace lanefold::test
