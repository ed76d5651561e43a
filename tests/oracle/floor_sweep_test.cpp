// SPDX-License-Identifier: MIT
//
// Hulls on far larger boxes, beyond the size ratio of the float32 stages: on floors, at walls, under ceilings, over
// their sides and edges, in both orders, flush, tilted and turned anyhow, apart, in contact and deep, near the origin
// and far from it. The judge checks every record on every instruction set, and distances are compared with those of the
// float64 path. The counters show that one face decided, without that path.
#include <algorithm>
#include <cmath>

#include "support/pair_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 6000;
constexpr std::uint32_t kFloors = 16;
constexpr std::uint32_t kBodies = 48;

struct FloorConfig {
    const char* name;
    bool boxes = true;  // the bodies are boxes
    double least = 65;  // ratio of sizes
    double most = 2e4;
    double unit = 1;  // size of the bodies
    bool float_positions = true;
    double far = 0;           // positions up to this far away
    double deepest = 0.02;    // overlap, in body sizes
    double near_sides = 0.1;  // part of the pairs near the sides of a face, or over them
    double least_on_floors = 0.85;
    double most_on_floors = 1;
    bool rounded = false;  // bodies and floors, by radii of up to a body's size
    double least_faces = 0.5;
    Options options;
};

Points random_body(const FloorConfig& c, Random& random, std::uint32_t h) {
    const double scale = c.unit * random.log_uniform(0.1, 1);
    const Vec3d offset = random.in_ball() * (h % 3 == 0 ? scale : 0.0);
    if (c.boxes) {
        const Points box = box_points(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
        return transformed(box, scale, h % 2 == 0 ? Quat{} : random.rotation(), offset);
    }
    constexpr Shape kShapes[] = {Shape::rock, Shape::debris, Shape::prism, Shape::cylinder, Shape::big, Shape::wedge};
    return transformed(make_points(kShapes[h % 6], random), scale, random.rotation(), offset);
}

// A box whose half diagonal is about `size`, with corners that float32 represents (HullRecord::exact_box). Every fourth
// is a plate thinner than the float32 stages take.
Points random_floor(Random& random, std::uint32_t k, double size) {
    const double grid = std::exp2(std::floor(std::log2(size)) - 18);
    const auto exact = [grid](double x) { return std::round(x / grid) * grid; };
    const double h[3] = {random.uniform(0.5, 1), random.uniform(0.5, 1),
                         k % 4 == 3 ? 1e-4 : random.log_uniform(0.01, 1)};
    const double scale = size / std::sqrt((h[0] * h[0] + h[1] * h[1]) + h[2] * h[2]);
    const Vec3d offset = k % 2 == 0 ? Vec3d{} : random.in_ball() * (3 * size);
    return transformed(box_points(exact(h[0] * scale), exact(h[1] * scale), exact(h[2] * scale)), 1, {},
                       {exact(offset.x), exact(offset.y), exact(offset.z)});
}

// The turn of a body on a floor: flush with it, leaning on an edge, a little off, or anyhow.
Quat random_turn(Random& random) {
    constexpr double kQuarter = 1.5707963267948966;
    switch (random.index(4)) {
        case 0:
            return about({0, 0, 1}, kQuarter * random.index(4)) * about({0, 1, 0}, kQuarter * random.index(4));
        case 1:
            return about({0, 0, 1}, random.uniform(0, 6.28)) * about({1, 0, 0}, kQuarter * random.index(4));
        case 2:
            return about({0, 0, 1}, random.uniform(0, 6.28)) * about({1, 0, 0}, random.log_uniform(1e-7, 1));
        default:
            return random.rotation();
    }
}

PairPlace random_place(const FloorConfig& c, const PairScene& s, Random& random) {
    PairPlace p;
    p.a = random.index(kFloors);
    p.b = kFloors + random.index(kBodies);
    const HullRecord& floor = s.library.hulls[p.a];
    const HullRecord& body = s.library.hulls[p.b];
    const std::uint32_t axis = random.chance(0.7) ? 2 : random.index(3);
    const double sign = random.chance(0.5) ? 1 : -1;
    p.turn = random_turn(random);
    const double radii = floor.round_radius + body.round_radius;
    double lowest = 1e300;
    for (const Vec3f& v : s.library.hulls.vertices(p.b))
        lowest = std::min(lowest, sign * component(rotation(p.turn) * to_double(v), static_cast<int>(axis)));
    const double size = body.size;
    const double margin = static_cast<double>(c.options.margin);
    double gap = 0;
    if (random.chance(0.9))
        gap = random.chance(0.5) ? random.log_uniform(1e-4, 1.2) * margin
                                 : -random.log_uniform(1e-6, 1) * c.deepest * size;
    const bool near_sides = random.chance(c.near_sides);
    double x[3];
    for (std::uint32_t k = 0; k < 3; ++k) {
        const double half = floor.half_extent[k];
        x[k] = near_sides ? (random.chance(0.5) ? 1 : -1) * (half + random.uniform(-1.5, 0.5) * size)
                          : random.uniform(-1, 1) * std::max(half - 3 * size, 0.0);
        if (k == axis) x[k] = sign * (half + gap - lowest + radii);
    }
    p.at = Vec3d{x[0] + floor.centre[0], x[1] + floor.centre[1], x[2] + floor.centre[2]};
    p.world = random.chance(0.3) ? Quat{} : random.rotation();
    p.origin = random.in_ball() * c.far;
    p.swapped = random.chance(0.5);
    return p;
}

PairScene make_scene(const FloorConfig& c, std::uint64_t seed) {
    PairScene s;
    Random random(sweep_seed(seed));
    std::vector<Points> points;
    for (std::uint32_t k = 0; k < kFloors; ++k)
        points.push_back(random_floor(random, k, 1.74 * c.unit * random.log_uniform(c.least, c.most)));
    for (std::uint32_t h = 0; h < kBodies; ++h) points.push_back(random_body(c, random, h));
    std::vector<float> radii;
    for (std::size_t k = 0; c.rounded && k < points.size(); ++k)
        radii.push_back(k % 3 == 0 ? 0.0F : static_cast<float>(0.1 * c.unit * random.log_uniform(1e-3, 1)));
    s.library = build_library(points, radii);
    for (std::uint32_t k = 0; k < kFloors; ++k) EXPECT_TRUE(s.library.hulls[k].exact_box);
    s.config.name = c.name;
    s.config.options = c.options;
    s.config.float_positions = c.float_positions;
    for (std::uint32_t i = 0; i < kPairs; ++i) s.add(random_place(c, s, random));
    return s;
}

// Half a unit in the last place of a float32 number.
double half_ulp(float x) { return 0.5 * (std::nextafter(std::fabs(x), 3e38F) - std::fabs(x)); }

template <class Record, class Engine>
void judge(const FloorConfig& c, std::uint64_t seed, const Engine& lanes, const Engine& precise,
           IsaDifferences& differences) {
    const PairScene s = make_scene(c, seed);
    const SweepBlock block{s.library, s.bodies, s.float_bodies, s.pairs, s.config, 0};
    std::vector<Record> records(kPairs);
    std::vector<Record> old(kPairs);
    lanes(block, records);
    precise(block, old);
    expect_same(differences);
    EXPECT_GE(differences.records, available_isas().size() > 1 ? kPairs : 0U);

    Coverage coverage;
    double worst = 0;  // of the smaller hull
    std::uint32_t other = 0;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        const BodyD& a = s.bodies[2 * i];
        const BodyD& b = s.bodies[2 * i + 1];
        const std::string wrong =
            check_manifold(question_of(s.library, a, b, s.pairs[i], c.options), records[i], coverage);
        if (!wrong.empty() && coverage.violations < 5) ADD_FAILURE() << c.name << ", pair " << i << ": " << wrong;
        if ((records[i].kind == ContactKind::none) != (old[i].kind == ContactKind::none)) {
            ++other;
            continue;
        }
        const double small = std::min(s.library.hulls[a.hull].size, s.library.hulls[b.hull].size);
        const double apart = std::fabs(static_cast<double>(records[i].distance) - static_cast<double>(old[i].distance));
        const double rounding = half_ulp(records[i].distance) + half_ulp(old[i].distance);
        worst = std::max(worst, std::max(0.0, apart - rounding) / small);
    }
    const Counters& n = differences.counters;
    std::printf(
        "  %s: %.1f%% by one face, %.1f%% in float64, %llu touching; worst against the float64 path %.2e of "
        "the smaller size, against the oracle %.2e of the bound; %u reported by one of both\n",
        c.name, 100.0 * static_cast<double>(n.floor_pairs) / kPairs,
        100.0 * static_cast<double>(n.precise_pairs) / kPairs, static_cast<unsigned long long>(n.face_contacts), worst,
        coverage.worst_distance, other);
    EXPECT_EQ(coverage.violations, 0U);
    EXPECT_GE(static_cast<double>(n.floor_pairs), c.least_on_floors * kPairs);
    EXPECT_LE(static_cast<double>(n.floor_pairs), c.most_on_floors * kPairs);
    EXPECT_GT(n.precise_pairs, c.near_sides > 0 ? kPairs / 200U : 0U) << "pairs over the sides of a face";
    EXPECT_GT(static_cast<double>(n.face_contacts), c.least_faces * kPairs);
    EXPECT_LE(worst, 1e-6);
    EXPECT_LT(other, kPairs / 100U);
}

void judge4(const FloorConfig& c, std::uint64_t seed) {
    IsaDifferences differences;
    judge<Manifold4>(c, seed, all_isas_engine4(differences), precise_engine4(), differences);
}

void judge16(const FloorConfig& c, std::uint64_t seed) {
    IsaDifferences differences;
    judge<Manifold16>(c, seed, all_isas_engine16(differences), precise_engine16(), differences);
}

FloorConfig config(const char* name, bool boxes, float margin) {
    FloorConfig c;
    c.name = name;
    c.boxes = boxes;
    c.options.margin = margin;
    return c;
}

TEST(FloorSweep, Boxes) {
    judge4(config("boxes", true, 0.02F), 2101);
    FloorConfig c = config("boxes, strict, impact", true, 0.1F);
    c.options.face_preference = 0;
    c.options.points = PointSelection::impact;
    judge4(c, 2102);
    judge16(config("boxes, 16 points", true, 0.02F), 2103);
    c = config("boxes, patch", true, 0.02F);
    c.options.method = ContactMethod::patch;
    judge4(c, 2116);
}

TEST(FloorSweep, Hulls) {
    judge4(config("hulls", false, 0.02F), 2104);
    FloorConfig c = config("hulls, strict, impact", false, 0.1F);
    c.options.face_preference = 0;
    c.options.points = PointSelection::impact;
    judge4(c, 2105);
    judge16(config("hulls, 16 points", false, 0.02F), 2106);
}

TEST(FloorSweep, Rounded) {
    for (const bool boxes : {true, false}) {
        FloorConfig c = config(boxes ? "rounded boxes" : "rounded hulls", boxes, 0.02F);
        c.rounded = true;
        judge4(c, 2117);
    }
}

// Pairs further apart than kFloorReach take the float64 path.
TEST(FloorSweep, WideMargins) {
    for (const bool boxes : {true, false}) {
        FloorConfig c = config(boxes ? "boxes, margin of many sizes" : "hulls, margin of many sizes", boxes, 20);
        c.least_on_floors = 0.5;
        judge4(c, 2107);
    }
}

TEST(FloorSweep, DeepOverlaps) {
    FloorConfig c = config("boxes, overlaps of up to three sizes", true, 0.02F);
    c.deepest = 3;
    c.least_on_floors = 0.7;
    judge4(c, 2109);
    c.boxes = false;
    c.name = "hulls, overlaps of up to three sizes";
    judge4(c, 2110);
}

TEST(FloorSweep, OverTheSides) {
    for (const bool boxes : {true, false}) {
        FloorConfig c = config(boxes ? "boxes over the sides" : "hulls over the sides", boxes, 0.02F);
        c.near_sides = 1;
        c.least_on_floors = 0.1;
        c.least_faces = 0.1;
        judge4(c, 2111);
    }
}

TEST(FloorSweep, DoublePositions) {
    for (const bool boxes : {true, false}) {
        FloorConfig c = config(boxes ? "boxes far from the origin" : "hulls far from the origin", boxes, 0.02F);
        c.float_positions = false;
        c.far = 1e6;
        judge4(c, 2112);
    }
}

// Patches of hulls are left to the float64 path.
TEST(FloorSweep, Patches) {
    FloorConfig c = config("hulls, patch", false, 0.02F);
    c.options.method = ContactMethod::patch;
    c.least_on_floors = 0;
    c.most_on_floors = 0;
    c.least_faces = -1;
    judge4(c, 2117);
}

// Bodies of a hundredth of a millimetre and of a hundred kilometres (in metres), and beyond the range of the lanes.
TEST(FloorSweep, SizesOfEveryUnit) {
    for (const double unit : {1e-4, 1e5, 1e-7, 1e8}) {
        for (const bool boxes : {true, false}) {
            FloorConfig c =
                config(boxes ? "boxes, other units" : "hulls, other units", boxes, static_cast<float>(0.02 * unit));
            c.unit = unit;
            if (unit < 1e-5 || unit > 1e6) {
                c.least_on_floors = 0;
                c.most_on_floors = 0;
                c.least_faces = -1;
            }
            judge4(c, 2118);
        }
    }
}

// Beyond kFloorRatio the float64 path decides.
TEST(FloorSweep, SizeRatiosUpToAMillion) {
    FloorConfig c = config("boxes, sizes up to a million to one", true, 0.02F);
    c.least = 1e4;
    c.most = 3e5;
    c.float_positions = false;
    c.least_on_floors = 0.2;
    judge4(c, 2115);
}

TEST(FloorSweep, JustBeyondTheSizeRatio) {
    FloorConfig c = config("boxes, sizes of 65 to 80:1", true, 0.02F);
    c.most = 80;
    judge4(c, 2113);
    c.boxes = false;
    c.name = "hulls, sizes of 65 to 80:1";
    judge4(c, 2114);
}

}  // namespace
}  // namespace lanefold::test
