// SPDX-License-Identifier: MIT
//
// Certificates of motion at their ends (support/certificate_ends.hpp): up to the last motion for which one holds, the
// bytes are those of cold calls. Shapes and poses of all kinds, stacks whose axes are level, corners inside rims, a
// pile; every instruction set. Gaps that are a little too high are seen, so the ends are where it matters.
//
// LANEFOLD_PAIR_STEPS=N: EndsSweep goes on for N pair-steps (`./dev sweep --moving`); support/sweep_length.hpp has
// more.
#include <gtest/gtest.h>

#include <cstdio>

#include <lanefold/contact_stream.hpp>
#include <lanefold/hull_builder.hpp>

#include "support/certificate_ends.hpp"
#include "support/hulls.hpp"
#include "support/isa_fixture.hpp"
#include "support/poses.hpp"
#include "support/swaying_scene.hpp"
#include "support/sweep_length.hpp"

namespace lanefold::test {
namespace {

// Metres of a step. When bodies creep, certificates hardly reach beyond rounding.
constexpr Sway kSettling = {1e-6, 5e-3};
constexpr Sway kCreeping = {1e-7, 1e-4};

// Pairs of hulls of many shapes at poses of all kinds, aligned ones and such that touch exactly among them.
BatchScene posed_pairs(std::uint64_t seed, std::uint32_t count) {
    constexpr std::uint32_t kHulls = 60;
    const Library library = random_library(seed, kHulls, small_shapes());
    Random random(seed + 1);
    BatchScene scene;
    scene.hulls = library.hulls;
    scene.margin = 0.1F;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t a = random.index(kHulls);
        const std::uint32_t b = random.index(kHulls);
        const auto kind = static_cast<PoseKind>(i % kPoseKindCount);
        PosedPair p = make_poses(kind, library.oracle[a], library.oracle[b], 0.1, true, random);
        p.a.hull = a;
        p.b.hull = b;
        scene.bodies.push_back(to_float_body(p.a));
        scene.bodies.push_back(to_float_body(p.b));
        scene.pairs.push_back({2 * i, 2 * i + 1});
    }
    return scene;
}

BatchScene unsettled_stacks(std::uint64_t seed, int across) {
    BatchScene scene = with_own_bodies(stacked_prisms(seed, across));
    unsettle(scene, seed + 1);
    return scene;
}

void print(const char* what, const char* isa, const EndsSeen& seen) {
    std::printf("%s, %s: %llu pair-steps, ends of best faces %llu, of pairs apart %llu, steps that differ %llu\n", what,
                isa, static_cast<unsigned long long>(seen.pair_steps), static_cast<unsigned long long>(seen.of_faces),
                static_cast<unsigned long long>(seen.of_pairs), static_cast<unsigned long long>(seen.different));
}

class CertificateEndsOf : public IsaTest {
protected:
    static EndsSeen run(const char* what, const BatchScene& scene, std::uint64_t seed, int directions) {
        CertificateEnds ends(scene, seed, kSettling, GetParam());
        for (int k = 0; k < directions; ++k) ends.go();
        print(what, to_string(GetParam()), ends.seen());
        EXPECT_EQ(ends.seen().different, 0U) << what;
        return ends.seen();
    }
};

TEST_P(CertificateEndsOf, ManyShapesAndPoses) {
    const EndsSeen seen = run("poses", posed_pairs(601, 1800), 602, 4);
    EXPECT_GT(seen.of_faces, 1500U);
    EXPECT_GT(seen.of_pairs, 10U);
}

TEST_P(CertificateEndsOf, StacksWhoseAxesAreLevel) {
    EXPECT_GT(run("stacks", stacked_prisms(603, 7), 604, 4).of_faces, 1000U);
    EXPECT_GT(run("stacks, unsettled", unsettled_stacks(605, 7), 606, 4).of_faces, 1000U);
}

// The rounding of the arc test decides about edges of the best face.
TEST_P(CertificateEndsOf, CornersInsideARim) {
    CertificateEnds ends(OverhangingPairs(611, 5000).take(), GetParam());
    ends.go();
    print("overhanging", to_string(GetParam()), ends.seen());
    EXPECT_EQ(ends.seen().different, 0U);
    EXPECT_GT(ends.seen().of_faces, 500U);
}

TEST_P(CertificateEndsOf, APile) {
    const EndsSeen seen = run("pile", pile_scene("debris_pile"), 607, 1);
    EXPECT_GT(seen.of_faces, 3000U);
    EXPECT_GT(seen.of_pairs, 200U);
}

LANEFOLD_INSTANTIATE_ISA_TESTS(CertificateEndsOf);

// With what certificates say changed, steps differ from cold calls; otherwise they do not.
template <class Change>
void expect_seen(const BatchScene& scene, std::uint64_t seed, int directions, const Change& change) {
    for (const bool planted : {false, true}) {
        CertificateEnds ends(scene, seed, kSettling, Isa::automatic);
        if (planted) ends.change(change);
        for (int k = 0; k < directions; ++k) ends.go();
        print(planted ? "changed" : "as they are", to_string(available_isas().back()), ends.seen());
        EXPECT_EQ(ends.seen().different != 0, planted);
    }
}

// Both gaps half as much again.
TEST(CertificateEndsTell, GapsThatAreTooHigh) {
    expect_seen(stacked_prisms(6, 8), 13, 40, [](detail::Certificate& c) {
        if ((c.what & detail::kCertifiedFace) == 0) return;
        std::uint32_t gaps;
        std::memcpy(&gaps, &c.distance, sizeof gaps);
        constexpr std::uint32_t kMost = 0xFFFU;
        const std::uint32_t own = std::min(kMost, (gaps >> 20) * 3 / 2);
        const std::uint32_t other = std::min(kMost, ((gaps >> 8) & kMost) * 3 / 2);
        gaps = own << 20 | other << 8 | (gaps & 0xFFU);
        std::memcpy(&c.distance, &gaps, sizeof gaps);
    });
}

// Pairs apart by half a millimetre less than their certificates say.
TEST(CertificateEndsTell, DistancesThatAreTooHigh) {
    expect_seen(pile_scene("debris_pile"), 609, 4, [](detail::Certificate& c) {
        if (c.what == detail::kCertifiedApart) c.distance += 5e-4F;
    });
}

// Two prisms of three sides. In the first two steps a pair gets a certificate, which holds in the third. The arc test
// then rules an edge of the best face in that it ruled out before, by the rounding of fixed point. With another edge,
// which is almost level with the face, that edge exceeds the face by 1e-7.
TEST(CertificateEndsTell, AnEdgeOfTheBestFaceThatComesBack) {
    std::vector<Vec3f> points;
    for (const Vec3f& half : {Vec3f{0x1.5f4b1p-2F, 0x1.303a96p-2F, 0x1.7b9752p-2F},
                              Vec3f{0x1.d03b48p-1F, 0x1.92094ep-1F, 0x1.422ef8p-1F}}) {
        for (const float z : {-half.z, half.z}) {
            points.push_back({half.x, 0, z});
            points.push_back({-0.5F * half.x, half.y, z});
            points.push_back({-0.5F * half.x, -half.y, z});
        }
    }
    const HullSet hulls = build_hulls(points, std::vector<std::uint64_t>{0, 6, 12}).hulls;
    std::vector<Body> bodies = {{{}, 0, {0x1.53e68ap-2F, 0x1.8f8536p-4F, 0x1.76a264p-2F, 0x1.ba5b3cp-1F}},
                                {{}, 1, {0x1.90009ap-3F, 0x1.246eb2p-2F, -0x1.0e0d2p-2F, 0x1.cd0346p-1F}}};
    const std::vector<Pair> pairs{{0, 1}};
    Options options;
    options.margin = 0.02F;
    options.hysteresis = 0;
    ContactStream<Manifold4> stream(PointMatching::off);
    Workspace workspace;
    std::uint64_t held = 0;
    for (const Vec3f& at : {Vec3f{0x1.2fcfc6p-1F, -0x1.355334p-1F, 0x1.309b2cp-1F},
                            Vec3f{0x1.2fd17ap-1F, -0x1.355236p-1F, 0x1.309ae8p-1F},
                            Vec3f{0x1.2fde32p-1F, -0x1.354ad2p-1F, 0x1.3098e8p-1F}}) {
        bodies[0].position[0] = at.x;
        bodies[0].position[1] = at.y;
        bodies[0].position[2] = at.z;
        Manifold4 cold[1];
        ASSERT_EQ(collide_compact(hulls, bodies, pairs, options, std::span<Manifold4>(cold), workspace).written, 1U);
        held += stream.step(hulls, bodies, pairs, options).counters.certificates_held;
        EXPECT_TRUE(same_bytes(stream.contacts(), std::span<const Manifold4>(cold)));
    }
    EXPECT_EQ(held, 1U);
}

// One round of the sweep.
EndsSeen sweep_round(std::uint64_t seed, std::uint64_t round) {
    BatchRandom random(seed);
    const std::uint64_t of_scene = random.below(1U << 30);
    if (round % 5 == 4) {
        CertificateEnds ends(OverhangingPairs(of_scene, 8000).take(), Isa::automatic);
        ends.go();
        return ends.seen();
    }
    const BatchScene scene = round % 5 == 0   ? posed_pairs(of_scene, 3600)
                             : round % 5 == 1 ? unsettled_stacks(of_scene, 8)
                             : round % 5 == 2 ? stacked_prisms(of_scene, 8)
                                              : pile_scene("debris_pile");
    const std::uint64_t of_motions = random.next();
    CertificateEnds ends(scene, of_motions, random.below(2) == 0 ? kSettling : kCreeping, Isa::automatic);
    for (int k = 0; k < 8; ++k) ends.go();
    return ends.seen();
}

TEST(EndsSweep, CertificatesHaveTheBytesOfColdCalls) {
    const SweepLength sweep(1'000'000);
    EndsSeen all;
    for (std::uint64_t round = sweep.round; all.pair_steps < sweep.pair_steps; ++round) {
        const EndsSeen seen = sweep_round(sweep.seed_of(round), round);
        all.pair_steps += seen.pair_steps;
        all.of_faces += seen.of_faces;
        all.of_pairs += seen.of_pairs;
        all.different += seen.different;
        ASSERT_EQ(seen.different, 0U) << "seed " << sweep.seed << ", round " << round;
    }
    print("ends sweep", to_string(available_isas().back()), all);
    EXPECT_GT(all.of_faces, all.pair_steps / 200);
    EXPECT_GT(all.of_pairs, all.pair_steps / 10000);
}

}  // namespace
}  // namespace lanefold::test
