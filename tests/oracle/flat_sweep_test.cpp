// SPDX-License-Identifier: MIT
//
// Faces that lie flat on each other with a gap: any turn about their normal, any size ratio of the float32 path,
// float32 and float64 positions, tilted as a whole or not. The cross products of the faces' sides equal the faces'
// normal there, up to rounding. The judge checks every record, and distances are compared with those of the float64
// path. The counters show that the pairs are settled without that path.
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/isa.hpp>

#include "support/engines.hpp"
#include "support/question.hpp"

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

struct FlatScene {
    Library library;
    SweepConfig config;
    std::vector<BodyD> bodies;
    std::vector<Body> float_bodies;
    std::vector<Pair> pairs;
};

template <class B, class From>
void put(std::vector<B>& bodies, const From& from) {
    B b{};
    for (int k = 0; k < 3; ++k) b.position[k] = static_cast<float>(from.position[k]);
    for (int k = 0; k < 4; ++k) b.orientation[k] = from.orientation[k];
    b.hull = from.hull;
    bodies.push_back(b);
}

FlatScene make_scene(const FlatConfig& c, std::uint64_t seed) {
    FlatScene s;
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
        const Vec3d at = {reach * std::cos(angle), reach * std::sin(angle), under.height + above.height + gap};
        const Vec3d origin = random.in_ball() * c.far;
        BodyD a{};
        BodyD b{};
        a.hull = low;
        b.hull = high;
        set_orientation(a, world);
        set_orientation(b, world * yaw);
        const Vec3d to = origin + rotation(world) * at;
        const double from[3] = {origin.x, origin.y, origin.z};
        const double end[3] = {to.x, to.y, to.z};
        for (int k = 0; k < 3; ++k) {
            a.position[k] = c.float_positions ? static_cast<double>(static_cast<float>(from[k])) : from[k];
            b.position[k] = c.float_positions ? static_cast<double>(static_cast<float>(end[k])) : end[k];
        }
        const bool swapped = random.chance(0.5);
        s.bodies.push_back(swapped ? b : a);
        s.bodies.push_back(swapped ? a : b);
        if (c.float_positions) {
            put(s.float_bodies, swapped ? b : a);
            put(s.float_bodies, swapped ? a : b);
        }
        s.pairs.push_back({2 * i, 2 * i + 1});
    }
    return s;
}

bool is_face(const Manifold4& m) { return m.kind == ContactKind::face_a || m.kind == ContactKind::face_b; }

void judge(const FlatConfig& c, std::uint64_t seed) {
    constexpr double kMostFinished = 0.002;  // of the pairs
    const FlatScene s = make_scene(c, seed);
    const SweepBlock block{s.library, s.bodies, s.float_bodies, s.pairs, s.config, 0};
    std::vector<Manifold4> records(kPairs);
    std::vector<Manifold4> precise(kPairs);
    IsaDifferences differences;
    all_isas_engine4(differences)(block, records);
    precise_engine4()(block, precise);
    expect_same(differences);
    EXPECT_GE(differences.records, available_isas().size() > 1 ? kPairs : 0U);
    EXPECT_EQ(differences.counters.precise_pairs, 0U) << "sizes beyond the ratio of the float32 path prove nothing";

    Coverage coverage;
    std::uint64_t faces = 0;
    std::uint64_t other = 0;  // reported by one of the two only
    double worst = 0;         // against the float64 path, of the larger size
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        const Manifold4& m = records[i];
        const BodyD& a = s.bodies[2 * i];
        const BodyD& b = s.bodies[2 * i + 1];
        const std::string wrong = check_manifold(question_of(s.library, a, b, s.pairs[i], c.options), m, coverage);
        if (!wrong.empty() && coverage.violations < 5) ADD_FAILURE() << c.name << ", pair " << i << ": " << wrong;
        faces += is_face(m) ? 1U : 0U;
        if ((m.kind == ContactKind::none) != (precise[i].kind == ContactKind::none)) {
            ++other;
            continue;
        }
        const float larger = std::max(s.library.hulls[a.hull].size, s.library.hulls[b.hull].size);
        worst = std::max(worst, static_cast<double>(std::fabs(m.distance - precise[i].distance) / larger));
    }
    const double finished = static_cast<double>(differences.counters.distance_finished) / kPairs;
    std::printf(
        "  %s: %.3f%% finished in float64, %.2f%% faces; worst against the float64 path %.2e of the larger "
        "size, against the oracle %.2e\n",
        c.name, 100 * finished, 100.0 * static_cast<double>(faces) / kPairs, worst, coverage.worst_distance_size);
    EXPECT_EQ(coverage.violations, 0U);
    EXPECT_LE(worst, 2e-6);
    EXPECT_LT(other, kPairs / 50U);
    EXPECT_LE(finished, kMostFinished);
    EXPECT_GT(faces, kPairs * 97U / 100U);
    EXPECT_GT(coverage.touching_separated, kPairs * 9U / 10U);
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
