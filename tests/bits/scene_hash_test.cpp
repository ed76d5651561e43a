// SPDX-License-Identifier: MIT
//
// One hash per scene through the serial call, without program, threads and libm in the scenes, so that this file runs
// under an emulator, on another architecture and with another compiler. The stored scenes must give the golden hashes
// (tests/golden_hashes derives those with the program). For random pairs every instruction set must give the same hash.
// Every hash is printed in a line "hash SCENE SETTING ISA HASH", which tests/emulate compares between processors.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/hash.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

#include "support/poses.hpp"
#include "support/random.hpp"
#include "support/stored_scene.hpp"

namespace lanefold::test {
namespace {

struct Setting {
    std::string name;
    Options options;
    std::size_t capacity = 4;
    std::string golden;  // empty: none
};

template <class M>
std::string scene_hash(const StoredScene& scene, Options options, Isa isa, Counters& counters) {
    options.isa = isa;
    options.hash = true;
    std::vector<M> out(scene.pairs.size());
    Workspace workspace;
    const BatchResult r = collide_serial(scene.library.hulls, std::span<const Body>(scene.bodies), scene.pairs, options,
                                         std::span<M>(out), workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    EXPECT_EQ(r.isa, isa);
    counters += r.counters;
    return hash_string(mix_frame_hash(0, r.hash));
}

Counters expect_one_hash(const char* name, const StoredScene& scene, const Setting& setting) {
    Counters counters;
    Counters of_first;
    std::string first = setting.golden;
    for (const Isa isa : available_isas()) {
        Counters own;
        const std::string hash = setting.capacity == 4 ? scene_hash<Manifold4>(scene, setting.options, isa, own)
                                                       : scene_hash<Manifold16>(scene, setting.options, isa, own);
        // Integers decide what is evaluated. A wrong one may only cost time, which no hash shows, so counters are
        // compared.
        if (isa == available_isas().front()) of_first = own;
        EXPECT_EQ(own.faces_evaluated, of_first.faces_evaluated) << name << " on " << to_string(isa);
        EXPECT_EQ(own.edges_surviving, of_first.edges_surviving) << name << " on " << to_string(isa);
        EXPECT_EQ(own.edge_pairs, of_first.edge_pairs) << name << " on " << to_string(isa);
        counters += own;
        std::printf("hash %s %s %s %s\n", name, setting.name.c_str(), to_string(isa), hash.c_str());
        if (first.empty()) first = hash;
        EXPECT_EQ(hash, first) << name << " " << setting.name << " on " << to_string(isa);
    }
    return counters;
}

class SceneHash : public testing::TestWithParam<const char*> {};

TEST_P(SceneHash, OfTheSerialCallIsTheGoldenOne) {
    const std::string data = LANEFOLD_TEST_DATA;
    const StoredScene scene = read_stored_scene(data + "/scenes/" + GetParam());
    std::ifstream file(data + "/golden/" + GetParam() + ".txt");
    int settings = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') continue;
        Setting s;
        std::istringstream text(line);
        text >> s.options.margin >> s.options.face_preference >> s.capacity >> s.golden;
        s.name = line.substr(0, line.rfind(' '));
        for (char& c : s.name) c = c == ' ' ? '/' : c;
        expect_one_hash(GetParam(), scene, s);
        ++settings;
    }
    EXPECT_EQ(settings, 4);
}

INSTANTIATE_TEST_SUITE_P(StoredScenes, SceneHash, testing::Values("boxes_pile", "debris_pile"));

// Two bodies more, the first at the origin, and their pair.
void add_pair(StoredScene& scene, Body (&body)[2], const Vec3d& offset) {
    const Vec3f p = to_float(offset);
    body[1].position[0] = p.x;
    body[1].position[1] = p.y;
    body[1].position[2] = p.z;
    const auto first = static_cast<std::uint32_t>(scene.bodies.size());
    scene.pairs.push_back({first, first + 1});
    scene.bodies.insert(scene.bodies.end(), body, body + 2);
}

// 4 to 40 points in a cube, or the corners of a box; sizes 2^-8 to 2 so that some pairs take the float64 path.
Points random_hull(Random& random) {
    const double scale = random.chance(0.25) ? 0x1p-8 : random.uniform(0.5, 2.0);
    if (random.chance(0.3)) {
        const double x = random.uniform(0.1, 1.0), y = random.uniform(0.1, 1.0), z = random.uniform(0.1, 1.0);
        return box_points(scale * x, scale * y, scale * z);
    }
    const std::uint32_t count = random.between(4, 40);
    Points points;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3d p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        points.push_back(to_float(p * scale));
    }
    return points;
}

TEST(SceneHash, OfRandomPairsIsTheSameOnEveryInstructionSet) {
    constexpr std::uint64_t kSeed = 701;
    constexpr std::uint32_t kHulls = 64;
    constexpr std::uint32_t kPairs = 4000;
    std::vector<Points> lists;
    for (std::uint32_t i = 0; i < kHulls; ++i) {
        Random random(kSeed, i);
        lists.push_back(random_hull(random));
    }
    StoredScene scene;
    scene.library = build_library(lists);
    std::printf("hash random fingerprint hulls %s\n", hash_string(scene.library.hulls.fingerprint()).c_str());
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        Random random(kSeed, 1000 + i);
        Body body[2] = {};
        double sizes = 0;
        for (Body& b : body) {
            b.hull = random.index(kHulls);
            set_orientation(b, random.chance(0.2) ? Quat{} : random.rotation());
            sizes += scene.library.oracle[b.hull].size;
        }
        add_pair(scene, body, random.in_ball() * (0.8 * sizes));
    }
    Setting s;
    s.name = "margin0.1";
    s.options.margin = 0.1F;
    const Counters counters = expect_one_hash("random", scene, s);
    EXPECT_GT(counters.box_pairs, kPairs / 30U);
    EXPECT_GT(counters.hull_pairs, kPairs / 3U);
    EXPECT_GT(counters.precise_pairs, kPairs / 10U);
    s.name = "strict16";
    s.options.face_preference = 0;
    s.capacity = 16;
    expect_one_hash("random", scene, s);
}

// Scans end differently for every number of vectors of a hull's faces and vertices. Hulls of 4 to 280 vertices, all of
// them corners, have 4 to 556 faces; each is collided with a small one.
TEST(SceneHash, OfHullsOfEveryNumberOfFacesIsTheSameOnEveryInstructionSet) {
    constexpr std::uint64_t kSeed = 702;
    constexpr std::uint32_t kMostVertices = 280;
    constexpr std::uint32_t kSmall = 12;  // vertices of the other hull
    std::vector<Points> lists;
    for (std::uint32_t n = 4; n <= kMostVertices; ++n) {
        Random random(kSeed, n);
        lists.emplace_back();
        for (std::uint32_t i = 0; i < n; ++i) lists.back().push_back(to_float(random.direction()));
    }
    StoredScene scene;
    scene.library = build_library(lists);
    for (std::uint32_t h = 0; h < lists.size(); ++h) {
        for (std::uint32_t i = 0; i < 6; ++i) {
            Random random(kSeed, 1000 + 10 * h + i);
            Body body[2] = {};
            body[0].hull = i % 2 == 0 ? h : kSmall - 4;
            body[1].hull = i % 2 == 0 ? kSmall - 4 : h;
            for (Body& b : body) set_orientation(b, random.rotation());
            const Vec3d direction = random.direction();
            add_pair(scene, body, direction * random.uniform(0.2, 2.0));
        }
    }
    Setting s;
    s.name = "margin0.1";
    s.options.margin = 0.1F;
    const Counters counters = expect_one_hash("faces", scene, s);
    EXPECT_EQ(counters.hull_pairs, scene.pairs.size() * available_isas().size()) << "none through the float64 path";
    EXPECT_GT(counters.faces_evaluated, 2 * counters.hull_pairs);
}

// Boxes and hulls on floors and walls of 70 to 20,000 times their size, which one face decides.
TEST(SceneHash, OfBodiesOnFloorsIsTheSameOnEveryInstructionSet) {
    constexpr std::uint64_t kSeed = 703;
    constexpr std::uint32_t kFloors = 8;
    constexpr std::uint32_t kHulls = 64;
    constexpr std::uint32_t kPairs = 4000;
    std::vector<Points> lists;
    for (std::uint32_t i = 0; i < kFloors; ++i) {
        const double side = static_cast<double>(128U << i);
        lists.push_back(box_points(side, side, side / 16));
    }
    for (std::uint32_t i = 0; i < kHulls; ++i) {
        Random random(kSeed, i);
        Points points = random_hull(random);
        for (Vec3f& p : points) p = p * 0.5F;
        lists.push_back(points);
    }
    StoredScene scene;
    scene.library = build_library(lists);
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        Random random(kSeed, 1000 + i);
        Body body[2] = {};
        for (Body& b : body) set_orientation(b, random.chance(0.2) ? Quat{} : random.rotation());
        const std::uint32_t floor = random.index(kFloors);
        body[0].hull = floor;
        body[1].hull = kFloors + random.index(kHulls);
        const double side = static_cast<double>(128U << floor);
        const double height = (random.chance(0.5) ? 1 : -1) *
                              (side / 16 + random.uniform(-0.2, 1.1) * scene.library.oracle[body[1].hull].size);
        const Quat q{body[0].orientation[0], body[0].orientation[1], body[0].orientation[2], body[0].orientation[3]};
        add_pair(scene, body, rotation(q) * Vec3d{random.uniform(-1, 1) * side, random.uniform(-1, 1) * side, height});
        if (random.chance(0.5)) std::swap(scene.pairs.back().a, scene.pairs.back().b);
    }
    Setting s;
    s.name = "margin0.1";
    s.options.margin = 0.1F;
    const Counters counters = expect_one_hash("floors", scene, s);
    const auto all = static_cast<double>(scene.pairs.size() * available_isas().size());
    EXPECT_GT(static_cast<double>(counters.floor_pairs), 0.8 * all);
    EXPECT_GT(static_cast<double>(counters.face_contacts), 0.3 * all);
    s.name = "strict16";
    s.options.face_preference = 0;
    s.capacity = 16;
    expect_one_hash("floors", scene, s);
}

}  // namespace
}  // namespace lanefold::test
