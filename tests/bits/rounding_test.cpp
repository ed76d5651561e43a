// SPDX-License-Identifier: MIT
//
// A float64 number that is converted to float32 is rounded, also when it is converted back at once: see
// cmake/Defaults.cmake.
#include <gtest/gtest.h>

#include "support/hulls.hpp"
#include "support/poses.hpp"

namespace lanefold::test {
namespace {

bool is_float(double x) {
    const volatile float rounded = static_cast<float>(x);
    return x == static_cast<double>(rounded);
}

TEST(Rounding, ThreeComponentsThereAndBack) {
    for (int i = 1; i < 100; ++i) {
        const Vec3d v = {0.1 * i, 0.7 * i, 1.3 * i};
        const Vec3d r = to_double(to_float(v));
        EXPECT_TRUE(is_float(r.x) && is_float(r.y) && is_float(r.z)) << i;
    }
}

// The sweeps pass the same numbers to the engine, in float32, and to the oracle.
TEST(Rounding, PosesOfSweepsWithFloatPositionsAreFloats) {
    const auto shape = [](double size) {
        Points points;
        for (int k = 0; k < 8; ++k)
            points.push_back(
                to_float({(k & 1) != 0 ? size : -size, (k & 2) != 0 ? size : -size, (k & 4) != 0 ? 1.0 : -1.0}));
        return points;
    };
    const Points lists[] = {shape(0.3), shape(1.1)};
    const Library library = build_library(lists);
    Random random(5, 6);
    for (std::uint32_t kind = 0; kind < kPoseKindCount; ++kind) {
        for (int i = 0; i < 20; ++i) {
            const PosedPair pair =
                make_poses(static_cast<PoseKind>(kind), library.oracle[0], library.oracle[1], 0.1, true, random);
            for (const BodyD* body : {&pair.a, &pair.b}) {
                for (const double x : body->position)
                    EXPECT_TRUE(is_float(x)) << to_string(static_cast<PoseKind>(kind));
            }
        }
    }
}

}  // namespace
}  // namespace lanefold::test
