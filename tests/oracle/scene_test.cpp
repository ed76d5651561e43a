// SPDX-License-Identifier: MIT
//
// Every candidate pair of the stored settled piles against the oracle, on every instruction set. Contacts at rest have
// many ties and nearly parallel features.
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

#include "support/question.hpp"
#include "support/stored_scene.hpp"

namespace lanefold::test {
namespace {

Coverage judge(const StoredScene& scene, const char* name, Options options) {
    Workspace workspace;
    std::vector<Manifold4> first(scene.pairs.size());
    std::vector<Manifold4> other(scene.pairs.size());
    const std::span<const Isa> isas = available_isas();
    for (const Isa isa : isas) {
        options.isa = isa;
        std::vector<Manifold4>& out = isa == isas[0] ? first : other;
        const BatchResult r = collide_serial(scene.library.hulls, std::span<const Body>(scene.bodies), scene.pairs,
                                             options, std::span<Manifold4>(out), workspace);
        EXPECT_TRUE(r.status) << r.status.what;
        EXPECT_EQ(r.isa, isa);
        if (isa == isas[0]) continue;
        for (std::size_t i = 0; i < first.size(); ++i) {
            const std::string difference = bitwise_difference(first[i], other[i]);
            EXPECT_EQ(difference, "") << "pair " << i << " on " << to_string(isa);
        }
    }
    Coverage coverage;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const Pair& pair = scene.pairs[i];
        const reference::JudgedPair q =
            question_of(scene.library, scene.bodies[pair.a], scene.bodies[pair.b], pair, options);
        const std::string wrong = check_manifold(q, first[i], coverage);
        EXPECT_EQ(wrong, "") << name << ", pair " << i;
    }
    std::printf("%s, margin %g, preference %g: %s\n", name, static_cast<double>(options.margin),
                static_cast<double>(options.face_preference), coverage.summary().c_str());
    return coverage;
}

void judge_scene(const char* name) {
    const StoredScene scene = read_stored_scene(std::string(LANEFOLD_TEST_DATA) + "/scenes/" + name);
    ASSERT_GT(scene.pairs.size(), 10000U);
    for (const float margin : {0.02F, 0.0F}) {
        for (const float preference : {kDefaultFacePreference, 0.0F}) {
            Options options;
            options.margin = margin;
            options.face_preference = preference;
            const Coverage seen = judge(scene, name, options);
            EXPECT_GT(seen.overlapping, 1000U);
            EXPECT_GT(seen.multi_point, preference > 0 ? 1000U : 100U);
            EXPECT_GT(seen.by_kind[3], 500U);
            if (margin > 0) {
                EXPECT_GT(seen.touching_separated, 200U);
            }
        }
    }
}

TEST(OracleScene, SettledBoxes) { judge_scene("boxes_pile"); }
TEST(OracleScene, SettledDebris) { judge_scene("debris_pile"); }

}  // namespace
}  // namespace lanefold::test
