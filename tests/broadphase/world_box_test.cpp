// SPDX-License-Identifier: MIT
//
// The box of one body: world_box() takes two vertices at once, and gives the bits of one after the other.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/broadphase.hpp>

#include "support/random.hpp"

namespace lanefold::test {
namespace {

// The box is that of single vertices, placed one by one with the operations of Mat3d * Vec3d, bit by bit.
TEST(WorldBox, HasTheBitsOfSingleVertices) {
    Random random(86);
    for (std::size_t count = 1; count < 20; ++count) {
        for (int turns = 0; turns < 50; ++turns) {
            float orientation[4];
            for (float& x : orientation) x = static_cast<float>(random.uniform(-1, 1));
            const auto length = static_cast<float>(
                std::hypot(std::hypot(orientation[0], orientation[1]), std::hypot(orientation[2], orientation[3])));
            for (float& x : orientation) x /= length;
            Quat q;
            ASSERT_TRUE(normalize(orientation, q));
            const PoseD pose{rotation(q), {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)}};
            std::vector<Vec3f> points(count);
            Vec3d lower{1e9, 1e9, 1e9};
            Vec3d upper{-1e9, -1e9, -1e9};
            double reach = 0;
            for (Vec3f& p : points) {
                p = to_float(Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
                const Vec3d v = to_double(p);
                const Vec3d x = pose.rotation * v;
                lower = {std::min(lower.x, x.x), std::min(lower.y, x.y), std::min(lower.z, x.z)};
                upper = {std::max(upper.x, x.x), std::max(upper.y, x.y), std::max(upper.z, x.z)};
                reach = std::max({reach, std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
            }
            const auto out = [&](double at) {
                return 0.01 + 16 * std::numeric_limits<double>::epsilon() * (std::fabs(at) + reach + 0.01);
            };
            const Vec3d& at = pose.position;
            const Vec3d grown{out(at.x), out(at.y), out(at.z)};
            const WorldBox expected{(at + lower) - grown, (at + upper) + grown};
            EXPECT_EQ(world_box(points, pose, 0.01), expected) << count;
        }
    }
}

}  // namespace
}  // namespace lanefold::test
