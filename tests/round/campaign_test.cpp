// SPDX-License-Identifier: MIT
//
// The exactness campaign of rounded bodies: pairs of all kinds against the oracle on every instruction set, judged kind
// by kind. `./dev sweep --round [PAIRS]` runs it at length (LANEFOLD_ROUND_PAIRS).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/isa.hpp>

#include "support/engines.hpp"
#include "support/half_spaces.hpp"
#include "support/question.hpp"

namespace lanefold::test {
namespace {

enum Kind : std::uint8_t { sphere, capsule, box, hull, rounded_box, rounded_hull };
constexpr std::uint32_t kKinds = 6;
const char* const kNames[kKinds] = {"sphere", "capsule", "box", "hull", "rounded box", "rounded hull"};

Kind kind_of(const HullRecord& h) {
    if ((h.flags & HullRecord::kSmall) != 0) return h.vertex_count == 1 ? sphere : capsule;
    if (h.round_radius > 0) return h.is_box() ? rounded_box : rounded_hull;
    return h.is_box() ? box : hull;
}

// Spheres, capsules, boxes and hulls of every shape, some of them thin.
constexpr Shape kShapes[] = {Shape::point,   Shape::box,     Shape::segment, Shape::rock,        Shape::point,
                             Shape::debris,  Shape::segment, Shape::wedge,   Shape::rotated_box, Shape::cylinder,
                             Shape::segment, Shape::box,     Shape::point,   Shape::prism,       Shape::segment,
                             Shape::pebble,  Shape::sphere,  Shape::slab,    Shape::tetrahedron, Shape::octahedron};

std::uint64_t wanted_pairs(std::uint64_t usual) {
    const char* const text = std::getenv("LANEFOLD_ROUND_PAIRS");
    return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

// Sizes, margins, preferences and places of a round take turns.
SweepConfig config_of(std::uint64_t round, std::uint32_t pairs) {
    SweepConfig c;
    c.name = "campaign of rounded bodies";
    c.seed = sweep_seed(5200) + 7919 * round;
    c.pairs = pairs;
    c.hulls = 120;
    c.shapes = kShapes;
    c.rounding = {0.5, 1e-2, 2};
    c.float_positions = false;
    const bool any_size = round % 4 == 3;
    if (any_size) {
        c.min_scale = 1e-3;
        c.max_scale = 1e3;
    }
    c.options.margin = round % 2 == 0 ? 0.05F : 0.0F;
    if (any_size) c.options.margin = 0.001F;
    if (round % 3 == 2) c.options.face_preference = 0;
    return c;
}

bool is_bar(const reference::OracleHull& h) { return h.triangles.empty(); }

Vec3d inner_point(const reference::OracleHull& h, Random& random) {
    const double t = h.vertices.size() < 2 ? 0 : random.uniform(0, 1);
    return h.vertices.front() * (1 - t) + h.vertices.back() * t;
}

// Moves B so that a point of its core is at one of A's: crossing segments, collinear ones where both are turned alike,
// points on segments, coincident points.
void let_cores_meet(const Library& library, BodyD& a, BodyD& b, Random& random) {
    const reference::OracleHull& ha = library.oracle[a.hull];
    const reference::OracleHull& hb = library.oracle[b.hull];
    const PoseD pa = pose_of(a);
    Vec3d along_a = ha.vertices.back() - ha.vertices.front();
    Vec3d along_b = hb.vertices.back() - hb.vertices.front();
    if (random.chance(0.5) && length(along_a) > 0 && length(along_b) > 0) {
        // B's direction becomes A's, within rounding of its orientation.
        along_a = normalized(pa.rotation * along_a);
        along_b = normalized(pose_of(b).rotation * along_b);
        const Vec3d axis = cross(along_b, along_a);
        const double sine = length(axis);
        if (sine > 1e-9) {
            const Quat turn = about(axis * (1 / sine), std::atan2(sine, dot(along_b, along_a)));
            set_orientation(b, turn * quat_of(b));
        }
    }
    const Vec3d at = pa.position + pa.rotation * inner_point(ha, random);
    const Vec3d place = at - pose_of(b).rotation * inner_point(hb, random);
    b.position[0] = place.x;
    b.position[1] = place.y;
    b.position[2] = place.z;
}

void move_far(BodyD& a, BodyD& b, Random& random) {
    const Vec3d by = random.direction() * 1e6;
    for (BodyD* body : {&a, &b}) {
        body->position[0] += by.x;
        body->position[1] += by.y;
        body->position[2] += by.z;
    }
}

struct Campaign {
    Coverage kinds[kKinds][kKinds];  // the lower kind first
    Coverage planes[kKinds];
    IsaDifferences differences;
    std::uint64_t met = 0;  // pairs of cores that meet on purpose
    std::uint64_t far = 0;
    std::vector<std::string> wrong;

    void judge(const SweepConfig& c, std::uint64_t round) {
        const Library library = random_library(c.seed, c.hulls, c.shapes, c.min_scale, c.max_scale, c.rounding);
        const Engine4 engine = all_isas_engine4(differences);
        constexpr std::uint32_t kBlock = 2048;
        std::vector<Manifold4> out;
        for (std::uint32_t first = 0; first < c.pairs; first += kBlock) {
            SweepBlock block = make_block(c, library, first, kBlock);
            for (std::size_t i = 0; i < block.pairs.size(); ++i) {
                BodyD& a = block.bodies[2 * i];
                BodyD& b = block.bodies[2 * i + 1];
                Random random(c.seed, 0x200000000U + first + i);
                if (is_bar(library.oracle[a.hull]) && is_bar(library.oracle[b.hull]) && random.chance(0.25)) {
                    let_cores_meet(library, a, b, random);
                    ++met;
                }
                if (round % 3 == 1) {
                    move_far(a, b, random);
                    ++far;
                }
            }
            out.assign(block.pairs.size(), Manifold4{});
            engine(block, out);
            for (std::size_t i = 0; i < out.size(); ++i) {
                const BodyD& a = block.bodies[2 * i];
                const BodyD& b = block.bodies[2 * i + 1];
                const auto [low, high] = std::minmax({kind_of(library.hulls[a.hull]), kind_of(library.hulls[b.hull])});
                const reference::JudgedPair q = question_of(library, a, b, block.pairs[i], c.options);
                const std::string text = check_manifold(q, out[i], kinds[low][high]);
                if (text.empty() || wrong.size() >= 5) continue;
                wrong.push_back(text + "\nround " + std::to_string(round) + ", pair " + std::to_string(first + i) +
                                "\n" + describe(q, a.position, a.orientation, b.position, b.orientation));
            }
        }
    }

    void judge_planes(std::uint64_t round, std::uint32_t pairs) {
        PlaneSceneSettings s;
        s.seed = sweep_seed(5300) + round;
        s.pairs = pairs;
        s.far = round % 2 == 0 ? 10 : 1e6;
        s.apart = 2;
        s.level = 0.3;
        const PlaneScene scene = make_plane_scene(s, kShapes, {0.5, 1e-2, 2});
        ASSERT_EQ(scene.pairs.size(), pairs);
        Options options;
        options.margin = 0.05F;
        std::vector<Manifold4> out(pairs);
        std::vector<Manifold4> first;
        Workspace workspace;
        for (const Isa isa : available_isas()) {
            options.isa = isa;
            ASSERT_TRUE(collide_serial(scene.set, scene.view(), scene.pairs, options, out, workspace).status);
            if (first.empty()) first = out;
            for (std::size_t i = 0; i < out.size(); ++i) {
                ++differences.records;
                if (!bitwise_difference(first[i], out[i]).empty()) ++differences.differing;
            }
        }
        for (std::size_t i = 0; i < out.size(); ++i) {
            const Pair pair = scene.pairs[i];
            const std::uint32_t ids[2] = {scene.bodies[pair.a].hull, scene.bodies[pair.b].hull};
            const std::uint32_t body = scene.oracle[ids[0]].half_space ? ids[1] : ids[0];
            const std::string text =
                check_manifold(judged_pair(scene, i, options), first[i], planes[kind_of(scene.set[body])]);
            if (!text.empty() && wrong.size() < 5) wrong.push_back("half-space: " + text);
        }
    }
};

void print_row(const char* a, const char* b, const Coverage& c) {
    const auto n = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
    std::printf("%-12s %-12s %9llu %9llu %9llu %9llu %9llu %7.3f %7.3f %7.3f %7.3f %5llu\n", a, b, n(c.pairs),
                n(c.touching), n(c.overlapping), n(c.containments), n(c.multi_point), c.worst_distance, c.worst_normal,
                c.worst_point, c.worst_depth, n(c.violations));
}

TEST(RoundCampaign, AllKindsAgainstTheOracle) {
    const std::uint64_t wanted = wanted_pairs(24000);
    constexpr std::uint32_t kMost = 20000;
    const auto in_round = static_cast<std::uint32_t>(std::min<std::uint64_t>(kMost, wanted / 12 + 1));
    Campaign campaign;
    std::uint64_t judged = 0;
    for (std::uint64_t round = 0; judged < wanted; ++round) {
        campaign.judge(config_of(round, in_round), round);
        campaign.judge_planes(round, in_round / 10);
        judged += in_round + in_round / 10;
    }
    std::printf("%-12s %-12s %9s %9s %9s %9s %9s %7s %7s %7s %7s %5s\n", "a", "b", "pairs", "touching", "overlap",
                "contained", "2 points", "worst d", "normal", "point", "depth", "wrong");
    for (std::uint32_t a = 0; a < kKinds; ++a) {
        for (std::uint32_t b = a; b < kKinds; ++b) {
            const Coverage& c = campaign.kinds[a][b];
            print_row(kNames[a], kNames[b], c);
            EXPECT_EQ(c.violations, 0U) << kNames[a] << " and " << kNames[b];
            EXPECT_GT(c.touching, stored_seed() ? judged / 400 : 0) << kNames[a] << " and " << kNames[b];
            EXPECT_GT(c.overlapping, stored_seed() ? judged / 800 : 0) << kNames[a] << " and " << kNames[b];
        }
    }
    for (std::uint32_t k = 0; k < kKinds; ++k) {
        print_row(kNames[k], "half-space", campaign.planes[k]);
        EXPECT_EQ(campaign.planes[k].violations, 0U) << kNames[k] << " and half-space";
        EXPECT_GT(campaign.planes[k].touching, stored_seed() ? judged / 1000 : 0) << kNames[k] << " and half-space";
    }
    const Counters& counters = campaign.differences.counters;
    std::printf(
        "%llu pairs, %llu of them with cores that meet, %llu at 1e6 m; lanes of spheres and capsules took %llu, "
        "float64 %llu from the start and %llu left over; %llu records of other instruction sets, %llu differ\n",
        static_cast<unsigned long long>(judged), static_cast<unsigned long long>(campaign.met),
        static_cast<unsigned long long>(campaign.far), static_cast<unsigned long long>(counters.small_pairs),
        static_cast<unsigned long long>(counters.precise_pairs),
        static_cast<unsigned long long>(counters.distance_finished),
        static_cast<unsigned long long>(campaign.differences.records),
        static_cast<unsigned long long>(campaign.differences.differing));
    for (const std::string& text : campaign.wrong) ADD_FAILURE() << text;
    EXPECT_EQ(campaign.differences.differing, 0U);
    EXPECT_GT(campaign.met, judged / 100);
    EXPECT_GT(campaign.far, judged / 10);
}

}  // namespace
}  // namespace lanefold::test
