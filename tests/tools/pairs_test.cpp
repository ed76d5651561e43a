// SPDX-License-Identifier: MIT
//
// Candidate pairs: the boxes contain their hulls, the set is that of brute force over all boxes, and it does not depend
// on threads, unit, place or earlier calls of the finder.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/hull_builder.hpp>

#include "console/failure.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

// std::mt19937_64 is the same everywhere; the distributions of the library are not.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    double unit() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }
    double range(double low, double high) { return low + (high - low) * unit(); }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
    Vec3f in_cube(double half) {
        const double x = range(-half, half), y = range(-half, half), z = range(-half, half);
        return to_float({x, y, z});
    }

private:
    std::mt19937_64 engine_;
};

HullSet make_hulls(Random& random, std::uint32_t count, double half, const Vec3d& centre = {}) {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    for (std::uint32_t h = 0; h < count; ++h) {
        const std::uint32_t n = 8 + random.below(24);
        const double size = half * random.range(0.2, 1.0);
        for (std::uint32_t i = 0; i < n; ++i) points.push_back(to_float(to_double(random.in_cube(size)) + centre));
        offsets.push_back(points.size());
    }
    BuildResult result = build_hulls(points, offsets);
    EXPECT_TRUE(result) << (result.failures.empty() ? "" : result.failures[0].what);
    return result.hulls;
}

struct Bodies {
    std::vector<BodyD> bodies;
    std::vector<float> inverse_mass;
    std::vector<std::uint32_t> group;
};

Bodies make_bodies(Random& random, std::uint32_t count, std::uint32_t hulls, double spread, const Vec3d& centre) {
    Bodies out;
    for (std::uint32_t i = 0; i < count; ++i) {
        BodyD b{};
        const double x = random.range(-spread, spread), y = random.range(-spread, spread);
        b.position[0] = centre.x + x;
        b.position[1] = centre.y + y;
        b.position[2] = centre.z + random.range(-spread, spread);
        double q[4];
        double length = 0;
        do {
            for (double& c : q) c = random.range(-1, 1);
            length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        } while (length < 0.1);
        for (int c = 0; c < 4; ++c) b.orientation[c] = static_cast<float>(q[c] / length);
        b.hull = random.below(hulls);
        out.bodies.push_back(b);
        out.inverse_mass.push_back(random.below(5) == 0 ? 0.0F : 1.0F);
        out.group.push_back(random.below(3) == 0 ? 1 + random.below(4) : 0);
    }
    return out;
}

PoseD pose_of(const BodyD& b) {
    Quat q;
    EXPECT_TRUE(normalize(b.orientation, q));
    return {rotation(q), {b.position[0], b.position[1], b.position[2]}};
}

std::vector<Pair> brute_force(const HullSet& hulls, const Bodies& s, double margin) {
    std::vector<WorldBox> boxes;
    for (const BodyD& b : s.bodies) boxes.push_back(world_box(hulls.vertices(b.hull), pose_of(b), margin / 2));
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < boxes.size(); ++a) {
        for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
            if (s.inverse_mass[a] == 0 && s.inverse_mass[b] == 0) continue;
            if (s.group[a] != 0 && s.group[a] == s.group[b]) continue;
            if (overlap(boxes[a], boxes[b])) pairs.push_back({a, b});
        }
    }
    return pairs;
}

std::vector<Pair> find(const HullSet& hulls, const Bodies& s, double margin) {
    return tools::find_pairs(hulls, BodyView(std::span<const BodyD>(s.bodies)), s.inverse_mass, s.group,
                             static_cast<float>(margin));
}

// Long double has eleven more bits than the computation under test.
TEST(FindPairs, BoxContainsEveryPlacedVertexAndIsTight) {
    constexpr std::uint64_t kSeed = 11;
    Random random(kSeed);
    const HullSet hulls = make_hulls(random, 40, 1.0);
    long double worst_inside = 0;
    long double worst_excess = 0;
    std::uint64_t vertices = 0;
    for (const double place : {0.0, 1e3, 1e6, 1e9}) {
        const Bodies s = make_bodies(random, 500, 40, 10, {place, -place, place});
        for (const BodyD& b : s.bodies) {
            const PoseD pose = pose_of(b);
            const double growth = random.range(0, 0.1);
            const WorldBox box = world_box(hulls.vertices(b.hull), pose, growth);
            long double low[3] = {1e30L, 1e30L, 1e30L};
            long double high[3] = {-1e30L, -1e30L, -1e30L};
            for (const Vec3f& v : hulls.vertices(b.hull)) {
                for (int r = 0; r < 3; ++r) {
                    const Vec3d& row = pose.rotation.row[r];
                    const long double x = static_cast<long double>(row.x) * static_cast<long double>(v.x) +
                                          static_cast<long double>(row.y) * static_cast<long double>(v.y) +
                                          static_cast<long double>(row.z) * static_cast<long double>(v.z) +
                                          static_cast<long double>(b.position[r]);
                    low[r] = std::min(low[r], x - static_cast<long double>(growth));
                    high[r] = std::max(high[r], x + static_cast<long double>(growth));
                }
                ++vertices;
            }
            const double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
            const double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
            for (int r = 0; r < 3; ++r) {
                worst_inside = std::max({worst_inside, static_cast<long double>(lower[r]) - low[r],
                                         high[r] - static_cast<long double>(upper[r])});
                const long double scale = std::fabs(static_cast<long double>(b.position[r])) + 2.0L;
                worst_excess = std::max({worst_excess, (low[r] - static_cast<long double>(lower[r])) / scale,
                                         (static_cast<long double>(upper[r]) - high[r]) / scale});
            }
        }
    }
    std::printf("seed %llu, %llu vertices, worst excess %.2Lg\n", static_cast<unsigned long long>(kSeed),
                static_cast<unsigned long long>(vertices), worst_excess);
    EXPECT_GT(vertices, 10000U);
    EXPECT_LE(worst_inside, 0.0L);
    EXPECT_LE(worst_excess, 1e-14L);
}

TEST(FindPairs, SetEqualsBruteForceAtEveryPlaceAndUnit) {
    std::uint64_t total = 0;
    for (const double unit : {1e-12, 1e-3, 1.0, 1e3, 1e12}) {
        for (const double place : {0.0, 1e3, 1e6, 1e9}) {
            const std::uint64_t seed = 100 + static_cast<std::uint64_t>(std::log10(unit) + 20);
            Random random(seed);
            const HullSet hulls = make_hulls(random, 30, unit);
            const Bodies s = make_bodies(random, 600, 30, 4 * unit, {place * unit, place * unit, -place * unit});
            const float margin = static_cast<float>(0.1 * unit);
            const std::vector<Pair> expected = brute_force(hulls, s, static_cast<double>(margin));
            const std::vector<Pair> found = find(hulls, s, static_cast<double>(margin));
            EXPECT_EQ(found, expected) << "seed " << seed << " unit " << unit << " place " << place;
            EXPECT_GT(expected.size(), 1000U);
            total += expected.size();
        }
    }
    std::printf("%llu pairs compared\n", static_cast<unsigned long long>(total));
}

TEST(FindPairs, HullsFarFromTheirOwnOriginAreFoundWhereTheyAre) {
    Random random(21);
    const HullSet hulls = make_hulls(random, 20, 1.0, {15, -12, 5});
    const Bodies s = make_bodies(random, 1500, 20, 5, {});
    const std::vector<Pair> expected = brute_force(hulls, s, static_cast<double>(0.02F));
    EXPECT_GT(expected.size(), 20U);
    EXPECT_EQ(find(hulls, s, static_cast<double>(0.02F)), expected);
}

std::vector<Pair> find_pairs(const HullSet& hulls, const std::vector<Body>& bodies, std::span<const float> inverse_mass,
                             std::span<const std::uint32_t> group, float margin) {
    return tools::find_pairs(hulls, BodyView(std::span<const Body>(bodies)), inverse_mass, group, margin);
}

HullSet unit_cube() {
    std::vector<Vec3f> points;
    for (int c = 0; c < 8; ++c) {
        points.push_back({(c & 1) != 0 ? 0.5F : -0.5F, (c & 2) != 0 ? 0.5F : -0.5F, (c & 4) != 0 ? 0.5F : -0.5F});
    }
    return build_hull(points).hulls;
}

Body at(float x, float y, float z) { return {{x, y, z}, 0, {0, 0, 0, 1}}; }

TEST(FindPairs, GrowsEachBoxByHalfTheMargin) {
    const HullSet cube = unit_cube();
    const std::vector<Body> bodies{at(0, 0, 0), at(1.0625F, 0, 0)};
    EXPECT_EQ(find_pairs(cube, bodies, {}, {}, 0.0624F).size(), 0U);
    EXPECT_EQ(find_pairs(cube, bodies, {}, {}, 0.0625F).size(), 1U) << "touching boxes are candidates";
    EXPECT_EQ(find_pairs(cube, bodies, {}, {}, 0.0626F).size(), 1U);
}

TEST(FindPairs, ImmovablePairsAndEqualGroupsAreLeftOut) {
    const HullSet cube = unit_cube();
    const std::vector<Body> bodies{at(0, 0, 0), at(0.1F, 0, 0), at(0.2F, 0, 0), at(0.3F, 0, 0)};
    const std::vector<float> mass{0, 0, 1, 1};
    const std::vector<std::uint32_t> group{0, 7, 7, 0};
    const std::vector<Pair> all{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const std::vector<Pair> movable{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const std::vector<Pair> both{{0, 2}, {0, 3}, {1, 3}, {2, 3}};
    EXPECT_EQ(find_pairs(cube, bodies, {}, {}, 0), all);
    EXPECT_EQ(find_pairs(cube, bodies, mass, {}, 0), movable);
    EXPECT_EQ(find_pairs(cube, bodies, mass, group, 0), both);
}

TEST(FindPairs, BodiesThatCannotBePlacedHaveNoPairsAndAreCounted) {
    const HullSet cube = unit_cube();
    std::vector<Body> bodies(6, at(0, 0, 0));
    bodies[1].position[1] = std::numeric_limits<float>::quiet_NaN();
    bodies[2].position[0] = std::numeric_limits<float>::infinity();
    bodies[3].orientation[3] = 0.5F;
    bodies[4].hull = 1;
    PairFinder finder;
    const std::span<const Pair> found = finder.find(cube, BodyView(std::span<const Body>(bodies)), {}, {}, 0);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0], (Pair{0, 5}));
    EXPECT_EQ(finder.bodies_without_box(), 4U);
}

TEST(FindPairs, EverybodyAtOnePlaceGivesEveryPair) {
    const HullSet cube = unit_cube();
    const std::vector<Body> bodies(1500, at(3, 4, 5));
    const std::vector<Pair> found = find_pairs(cube, bodies, {}, {}, 0);
    ASSERT_EQ(found.size(), 1500U * 1499U / 2U);
    std::size_t k = 0;
    for (std::uint32_t a = 0; a < 1500; ++a) {
        for (std::uint32_t b = a + 1; b < 1500; ++b) ASSERT_EQ(found[k++], (Pair{a, b}));
    }
}

TEST(FindPairs, NoneOneAndBadArguments) {
    const HullSet cube = unit_cube();
    const std::vector<Body> one{at(0, 0, 0)};
    const std::vector<Body> none;
    const std::vector<float> two_masses(2, 1.0F);
    const std::vector<std::uint32_t> two_groups(2, 1);
    EXPECT_TRUE(find_pairs(cube, none, {}, {}, 0).empty());
    EXPECT_TRUE(find_pairs(cube, one, {}, {}, 1).empty());
    EXPECT_THROW(find_pairs(cube, one, {}, {}, -1), Failure);
    EXPECT_THROW(find_pairs(cube, one, {}, {}, std::numeric_limits<float>::quiet_NaN()), Failure);
    EXPECT_THROW(find_pairs(cube, one, two_masses, {}, 0), Failure);
    EXPECT_THROW(find_pairs(cube, one, {}, two_groups, 0), Failure);
}

TEST(FindPairs, ThreadsAndReuseDoNotChangeTheResult) {
    Random random(31);
    const HullSet hulls = make_hulls(random, 50, 1.0);
    const Bodies many = make_bodies(random, 20000, 50, 25, {});
    const Bodies few = make_bodies(random, 300, 50, 4, {});
    PairFinder reused(3);
    const auto copy = [](std::span<const Pair> p) { return std::vector<Pair>(p.begin(), p.end()); };
    const auto run = [&](PairFinder& f, const Bodies& s) {
        return copy(f.find(hulls, BodyView(std::span<const BodyD>(s.bodies)), s.inverse_mass, s.group, 0.02F));
    };
    const std::vector<Pair> first = run(reused, many);
    EXPECT_GT(first.size(), 20000U);
    EXPECT_EQ(run(reused, few), brute_force(hulls, few, static_cast<double>(0.02F)));
    EXPECT_EQ(run(reused, many), first);
    for (const std::uint32_t threads : {1U, 2U, 8U}) {
        PairFinder fresh(threads);
        EXPECT_EQ(run(fresh, many), first) << threads << " threads";
    }
}

// Bodies that keep their poses are told by these; others move far, a little, in orientation only, or come back.
TEST(FindPairs, BodiesOfASceneThatRestHaveThePairsOfAFreshSearch) {
    const test::TemporaryFolder folder;
    const Scene pile(test::stored_scene("debris_pile"));
    const HullSet hulls = pile.build_hulls(1);
    for (const bool wide : {false, true}) {
        const std::filesystem::path path = folder / (wide ? "float64" : "float32");
        SceneFrame frame;
        pile.read_frame(0, frame);
        ASSERT_FALSE(pile.positions_are_double());
        const std::vector<float> before = frame.position;
        SceneWriter::Contents contents = test::contents_of(pile);
        contents.with_pairs = false;
        contents.positions_are_double = wide;
        SceneWriter writer(path, contents);
        std::size_t frames = 0;
        const auto add = [&] {
            const std::vector<double> positions(frame.position.begin(), frame.position.end());
            if (wide) {
                writer.add_frame(std::span<const double>(positions), frame.orientation, {});
            } else {
                writer.add_frame(std::span<const float>(frame.position), frame.orientation, {});
            }
            ++frames;
        };
        add();
        add();
        for (std::size_t i = 0; i < frame.position.size(); i += 21) frame.position[i] += 1.5F;
        add();
        for (std::size_t i = 0; i < frame.orientation.size(); i += 20) frame.orientation[i] *= -1;
        add();
        for (float& x : frame.position) x += 1e-3F;
        add();
        frame.position = before;
        add();
        writer.commit();
        const Scene scene(path);
        PairFinder kept;
        std::vector<std::size_t> counts;
        for (std::size_t i = 0; i < frames; ++i) {
            SceneFrame found, expected;
            scene.read_frame(i, found);
            scene.read_frame(i, expected);
            find_pairs(kept, scene, hulls, 0.02F, found);
            PairFinder fresh;
            find_pairs(fresh, scene, hulls, 0.02F, expected);
            EXPECT_EQ(found.pairs, expected.pairs) << "frame " << i;
            counts.push_back(found.pairs.size());
        }
        EXPECT_GT(counts[0], 1000U);
        EXPECT_EQ(counts[1], counts[0]);
        EXPECT_NE(counts[2], counts[0]);
    }
}

// Prints the time of a frame of 100,000 bodies without asserting it.
TEST(FindPairs, HundredThousandBodiesEqualASweep) {
    Random random(41);
    const HullSet hulls = make_hulls(random, 200, 1.0);
    const Bodies s = make_bodies(random, 100000, 200, 40, {});
    PairFinder finder;
    std::vector<Pair> found;
    for (int repeat = 0; repeat < 2; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        const auto span =
            finder.find(hulls, BodyView(std::span<const BodyD>(s.bodies)), s.inverse_mass, s.group, 0.02F);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        found.assign(span.begin(), span.end());
        std::printf("%zu bodies, %zu pairs, %.3f s\n", s.bodies.size(), found.size(), took.count());
    }
    // Independent: sort by the lower x and sweep.
    const std::span<const WorldBox> boxes = finder.boxes();
    std::vector<std::uint32_t> order(boxes.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return boxes[a].lower.x != boxes[b].lower.x ? boxes[a].lower.x < boxes[b].lower.x : a < b;
    });
    std::vector<Pair> expected;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = i + 1; j < order.size() && boxes[order[j]].lower.x <= boxes[order[i]].upper.x; ++j) {
            const std::uint32_t a = std::min(order[i], order[j]);
            const std::uint32_t b = std::max(order[i], order[j]);
            if (s.inverse_mass[a] == 0 && s.inverse_mass[b] == 0) continue;
            if (s.group[a] != 0 && s.group[a] == s.group[b]) continue;
            if (overlap(boxes[a], boxes[b])) expected.push_back({a, b});
        }
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_GT(expected.size(), 100000U);
    EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace lanefold::tools
