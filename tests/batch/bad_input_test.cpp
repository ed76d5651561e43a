// SPDX-License-Identifier: MIT
//
// Bad bodies and bad pairs give a status on exactly their pairs, in the documented precedence, and change no bit of any
// other pair, for every class of bad input, on every instruction set.
#include <gtest/gtest.h>

#include <cfloat>
#include <functional>
#include <iostream>
#include <limits>

#include <lanefold/isa.hpp>

#include "support/batch_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kBodies = 300;
constexpr std::uint32_t kPairs = 6007;

const BatchScene& good() {
    static const BatchScene instance = make_batch_scene(13, kBodies, kPairs);
    return instance;
}

std::vector<Manifold4> collide_on(const BatchScene& scene, Isa isa) {
    Options options = scene.options();
    options.isa = isa;
    return dense_reference<Manifold4>(scene, options);
}

// Applies `spoil` to every 7th body; expects `status` on the pairs with such a body, and no change of the others.
void expect_contained(const char* what, Status status, const std::function<void(Body&, BatchRandom&)>& spoil) {
    BatchScene bad = good();
    BatchRandom random(5);
    std::vector<bool> spoilt(kBodies, false);
    for (std::uint32_t i = 3; i < kBodies; i += 7) {
        spoil(bad.bodies[i], random);
        spoilt[i] = true;
    }
    for (const Isa isa : available_isas()) {
        const std::vector<Manifold4> expected = collide_on(good(), isa);
        const std::vector<Manifold4> got = collide_on(bad, isa);
        std::size_t concerned = 0;
        for (std::size_t i = 0; i < kPairs; ++i) {
            const Pair pair = good().pairs[i];
            if (!spoilt[pair.a] && !spoilt[pair.b]) {
                ASSERT_TRUE(same_bits(got[i], expected[i])) << what << ", " << to_string(isa) << ": neighbour " << i;
                continue;
            }
            ++concerned;
            Manifold4 refused{};
            refused.pair[0] = pair.a;
            refused.pair[1] = pair.b;
            refused.status = status;
            ASSERT_TRUE(same_bits(got[i], refused)) << what << ", " << to_string(isa) << ": pair " << i;
        }
        ASSERT_GT(concerned, 500U);
    }
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(BadInput, NonFinitePositionsAreBadPoses) {
    for (const float value : {kNan, -kNan, std::numeric_limits<float>::signaling_NaN(), kInf, -kInf}) {
        expect_contained("position", Status::bad_pose,
                         [value](Body& b, BatchRandom& r) { b.position[r.below(3)] = value; });
    }
}

TEST(BadInput, NonFiniteOrientationsAreBadPoses) {
    for (const float value : {kNan, kInf, -kInf, FLT_MAX}) {
        expect_contained("orientation", Status::bad_pose,
                         [value](Body& b, BatchRandom& r) { b.orientation[r.below(4)] = value; });
    }
}

TEST(BadInput, QuaternionsFarFromUnitAreBadPoses) {
    // |q|^2 - 1 just beyond 1e-3 on both sides; zero; denormal.
    for (const float scale : {0.99949F, 1.00051F, 0.0F, 1e-40F, 2.0F, 0.5F}) {
        expect_contained("scaled quaternion", Status::bad_pose, [scale](Body& b, BatchRandom&) {
            for (float& x : b.orientation) x *= scale;
        });
    }
}

TEST(BadInput, HullsOutOfRangeAreBadHulls) {
    const auto count = static_cast<std::uint32_t>(good().hulls.size());
    for (const std::uint32_t hull : {count, count + 1, 0x80000000U, 0xFFFFFFFEU, 0xFFFFFFFFU}) {
        expect_contained("hull", Status::bad_hull, [hull](Body& b, BatchRandom&) { b.hull = hull; });
    }
}

TEST(BadInput, BadHullIsFoundBeforeBadPose) {
    expect_contained("both", Status::bad_hull, [](Body& b, BatchRandom&) {
        b.hull = 0xFFFFFFFFU;
        b.position[0] = kNan;
    });
}

TEST(BadInput, TheFirstBodysStatusWins) {
    BatchScene scene = good();
    scene.bodies[1].hull = 0xFFFFFFFFU;
    scene.bodies[2].position[2] = kInf;
    scene.pairs = {{1, 2}, {2, 1}, {1, 0}, {0, 2}, {kBodies, 1}, {1, kBodies}, {2, 2}};
    const Status expected[] = {Status::bad_hull,  Status::bad_pose,  Status::bad_hull, Status::bad_pose,
                               Status::bad_index, Status::bad_index, Status::bad_index};
    for (const Isa isa : available_isas()) {
        const std::vector<Manifold4> out = collide_on(scene, isa);
        for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i].status, expected[i]) << to_string(isa) << i;
    }
}

TEST(BadInput, IndicesOutOfRangeAndSelfPairsAreBadIndices) {
    const std::uint32_t indices[] = {kBodies, kBodies + 1, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFEU, 0xFFFFFFFFU};
    BatchScene bad = good();
    std::vector<bool> spoilt(kPairs, false);
    for (std::uint32_t i = 2; i < kPairs; i += 5) {
        Pair& pair = bad.pairs[i];
        switch (i % 3) {
            case 0:
                pair.a = indices[i % std::size(indices)];
                break;
            case 1:
                pair.b = indices[i % std::size(indices)];
                break;
            default:
                pair.a = pair.b;
                break;
        }
        spoilt[i] = true;
    }
    for (const Isa isa : available_isas()) {
        const std::vector<Manifold4> expected = collide_on(good(), isa);
        const std::vector<Manifold4> got = collide_on(bad, isa);
        for (std::size_t i = 0; i < kPairs; ++i) {
            if (!spoilt[i]) {
                ASSERT_TRUE(same_bits(got[i], expected[i])) << to_string(isa) << ": neighbour " << i;
                continue;
            }
            Manifold4 refused{};
            refused.pair[0] = bad.pairs[i].a;
            refused.pair[1] = bad.pairs[i].b;
            refused.status = Status::bad_index;
            ASSERT_TRUE(same_bits(got[i], refused)) << to_string(isa) << ": pair " << i;
        }
    }
}

TEST(BadInput, TheSameWhenBodiesArePreparedPerPair) {
    // A call with few pairs of many bodies prepares bodies per pair. It must find the same bad ones.
    const BatchScene bad = make_bad_batch_scene(14, kBodies, 64);
    const std::vector<Manifold4> few = dense_reference<Manifold4>(bad, bad.options());
    BatchScene many = bad;
    for (int i = 0; i < 20; ++i) many.pairs.insert(many.pairs.end(), bad.pairs.begin(), bad.pairs.end());
    const std::vector<Manifold4> all = dense_reference<Manifold4>(many, many.options());
    std::size_t refused = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_TRUE(same_bits(all[i], few[i % few.size()])) << i;
        if (all[i].status != Status::ok) ++refused;
    }
    EXPECT_GT(refused, 100U);
}

TEST(BadInput, HugeButFinitePositionsAreNotErrors) {
    // Differences of such positions may overflow. Only the results of their own pairs may change.
    BatchScene far = good();
    std::vector<bool> moved(kBodies, false);
    BatchRandom random(6);
    for (std::uint32_t i = 1; i < kBodies; i += 5) {
        far.bodies[i].position[random.below(3)] = random.below(2) == 0 ? FLT_MAX : -FLT_MAX;
        moved[i] = true;
    }
    std::vector<Manifold4> first;
    for (const Isa isa : available_isas()) {
        const std::vector<Manifold4> expected = collide_on(good(), isa);
        const std::vector<Manifold4> got = collide_on(far, isa);
        if (first.empty()) first = got;
        std::size_t apart = 0;
        for (std::size_t i = 0; i < kPairs; ++i) {
            const Pair pair = far.pairs[i];
            ASSERT_TRUE(same_bits(got[i], first[i])) << to_string(isa) << ": pair " << i;
            if (!moved[pair.a] && !moved[pair.b]) {
                ASSERT_TRUE(same_bits(got[i], expected[i])) << to_string(isa) << ": neighbour " << i;
            } else if (moved[pair.a] != moved[pair.b]) {
                ASSERT_FALSE(is_reported(got[i])) << to_string(isa) << ": pair " << i << " is 3e38 apart";
                ++apart;
            }
        }
        ASSERT_GT(apart, 1000U);
    }
}

TEST(BadInput, DenormalPosesAreFine) {
    // Denormal coordinates and quaternion parts are ordinary numbers. They vanish in the first subtraction, so the
    // result has the bits of the result with zeros.
    BatchScene zero = good();
    BatchScene tiny = good();
    for (std::uint32_t i = 0; i < kBodies; i += 2) {
        zero.bodies[i].position[0] = 0;
        tiny.bodies[i].position[0] = 1e-42F;
        for (int k = 0; k < 3; ++k) {
            zero.bodies[i].orientation[k] = 0;
            tiny.bodies[i].orientation[k] = -3e-45F;
        }
        zero.bodies[i].orientation[3] = tiny.bodies[i].orientation[3] = 1.0F;
    }
    std::size_t touching = 0;
    for (const Isa isa : available_isas()) {
        const std::vector<Manifold4> a = collide_on(zero, isa);
        const std::vector<Manifold4> b = collide_on(tiny, isa);
        for (std::size_t i = 0; i < kPairs; ++i) {
            ASSERT_EQ(b[i].status, Status::ok);
            ASSERT_EQ(a[i].kind != ContactKind::none, b[i].kind != ContactKind::none) << to_string(isa) << i;
            ASSERT_NEAR(a[i].distance, b[i].distance, 1e-5F) << to_string(isa) << i;
            touching += a[i].kind != ContactKind::none ? 1U : 0U;
        }
    }
    EXPECT_GT(touching, 1000U);
}

}  // namespace
}  // namespace lanefold::test
