// SPDX-License-Identifier: MIT
//
// Compares the kernels' bounds of separations in fixed point (lanes of one; integers are the same on every instruction
// set) with n . w - d in float64, over all faces and vertices of pairs in every relative position of the float32 path.
// A bound that is too low by more than the slack could drop the best face. Tests of results would rarely find that.
#define LANEFOLD_KERNEL_ISA scalar
#define LANEFOLD_KERNEL_NAMESPACE coarse_bounds_test

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include <gtest/gtest.h>

#include "search/arcs.hpp"
#include "search/faces.hpp"
#include "support/hulls.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

namespace kernel = detail::coarse_bounds_test;

// B in A's frame: x_A = r x_B + t.
struct Place {
    detail::RelativePose to_a = {};
    float behind_a = 0;  // loads of four floats take it along
    detail::RelativePose to_b = {};
    float behind_b = 0;
    float distance = 0;
};

Place place_at(const Quat& turn, const Vec3d& t) {
    Place p;
    const Mat3d r = rotation(turn);
    for (int i = 0; i < 3; ++i) {
        const double row[3] = {r.row[i].x, r.row[i].y, r.row[i].z};
        for (int j = 0; j < 3; ++j) p.to_a.r[3 * i + j] = p.to_b.r[3 * j + i] = static_cast<float>(row[j]);
    }
    const Vec3d back = transpose_times(r, t);
    const double there[3] = {t.x, t.y, t.z};
    const double here[3] = {-back.x, -back.y, -back.z};
    for (int i = 0; i < 3; ++i) {
        p.to_a.t[i] = static_cast<float>(there[i]);
        p.to_b.t[i] = static_cast<float>(here[i]);
    }
    p.distance = static_cast<float>(length(t));
    return p;
}

struct Found {
    double above = 0;  // steps by which a separation exceeded its sum, at most
    double below = 0;
    int largest = 0;  // sum
    long count = 0;
};

// All faces of `hull` against all vertices of `other`, moved by up to `apart` as bring_together() does.
void compare(const HullRecord& hull, const HullRecord& other, const detail::RelativePose& to_faces,
             const detail::RelativePose& to_other, float distance, float apart, Random& random, Found& found) {
    auto all = std::make_unique<detail::FaceSearches>();
    kernel::begin_face_search(*all, 0, kernel::hull_floats(hull), kernel::hull_floats(other), to_faces, to_other, 0.0F);
    const float scale = detail::kCoarseOne / (distance + (hull.size + other.size) + apart);
    kernel::set_unit(*all, 0, scale, kernel::coarse_offset(hull.size * scale));
    detail::FaceSearch& s = all->search[0];
    const Vec3d along = random.direction() * static_cast<double>(apart);
    const float by[4] = {static_cast<float>(along.x), static_cast<float>(along.y), static_cast<float>(along.z), 0.0F};
    const kernel::CoarsePlanes coarse = kernel::searched_coarse_planes(s);
    const double steps = static_cast<double>(scale) * static_cast<double>(kernel::kStepsPerScaled);
    for (std::uint32_t v = 0; v < other.vertex_count; ++v) {
        const kernel::Quad w = kernel::witness_at(s, v) + kernel::load_quad(by);
        kernel::set_witness(s, 0, w, v);
        ASSERT_EQ(s.witness[0].vertex, v);
        const Vec3d at{w[0], w[1], w[2]};
        for (std::uint32_t f = 0; f < hull.face_count; ++f) {
            const int sum = kernel::coarse_distance(coarse, f, kernel::coarse_point(s.witness[0], s)).v;
            const float* plane = kernel::searched_plane(s, f);
            const Vec3d n{plane[0], plane[1], plane[2]};
            const double error = (dot(n, at) - static_cast<double>(plane[3])) * steps - sum;
            found.above = std::max(found.above, error);
            found.below = std::max(found.below, -error);
            found.largest = std::max(found.largest, std::abs(sum));
            ++found.count;
        }
    }
}

TEST(CoarseBounds, AreNeverTooLow) {
    Random random(20261122);
    Found found;
    for (int i = 0; i < 600; ++i) {
        const auto a = static_cast<Shape>(random.index(kShapeCount));
        const auto b = static_cast<Shape>(random.index(kShapeCount));
        const double ratio = random.log_uniform(1.0 / 64, 64);
        const double size = random.log_uniform(1e-3, 1e3);
        const std::vector<Points> points{transformed(make_points(a, random), size, random.rotation(), {}),
                                         transformed(make_points(b, random), size * ratio, random.rotation(), {})};
        const Library library = build_library(points);
        const HullRecord& hull = library.hulls[0];
        const HullRecord& other = library.hulls[1];
        const double sizes = static_cast<double>(hull.size) + static_cast<double>(other.size);
        for (const double away : {0.0, 0.3, 0.8, 1.0, 2.0}) {
            const Place p = place_at(random.rotation(), random.direction() * (away * sizes));
            for (const double apart : {0.0, 0.1 * sizes, 2.0 * sizes}) {
                const auto moved = static_cast<float>(apart);
                compare(hull, other, p.to_a, p.to_b, p.distance, moved, random, found);
                compare(other, hull, p.to_b, p.to_a, p.distance, moved, random, found);
            }
        }
    }
    std::printf("%ld bounds: separations up to %.3f steps above and %.3f below the sums, of up to %d\n", found.count,
                found.above, found.below, found.largest);
    EXPECT_GT(found.count, 10'000'000);
    EXPECT_GT(found.above, 2.0) << "errors of several roundings must have come together";
    EXPECT_GT(found.largest, 30'000) << "sums near the end of 16 bits must have come up";
    EXPECT_LT(found.above, static_cast<double>(kernel::kStepSlack));
    EXPECT_LT(found.below, static_cast<double>(kernel::kStepSlack));
    EXPECT_LE(found.largest, 31'260);
}

// A hull's own size in fixed point, computed for one pair and in lanes.
TEST(CoarseBounds, TheOffsetInLanesIsThatOfOnePair) {
    Random random(9);
    for (int i = 0; i < 100'000; ++i) {
        const auto scaled = static_cast<float>(random.uniform(0, static_cast<double>(detail::kCoarseOne)));
        ASSERT_EQ(kernel::coarse_offset(kernel::WFloat(scaled)).v, kernel::coarse_offset(scaled)) << scaled;
    }
}

// A search goes on while a face may reach the cut, and ends when none can.
TEST(CoarseBounds, ASearchEndsWhereNoSumWithItsSlackReachesTheCut) {
    auto all = std::make_unique<detail::FaceSearches>();
    Random random(8);
    for (int i = 0; i < 100'000; ++i) {
        const auto scale = static_cast<float>(random.log_uniform(1e-3, 1e6));
        const double unit = static_cast<double>(detail::kCoarseOne) / static_cast<double>(scale);
        all->scale[0] = scale;
        all->cut[0] = static_cast<float>(unit * random.uniform(-1, 0.5));
        all->value[0] = all->cut[0];
        all->limit[0] = static_cast<float>(unit);
        all->slack[0] = 0;
        const double cut = static_cast<double>(all->cut[0]) * static_cast<double>(scale) *
                           static_cast<double>(kernel::kStepsPerScaled);
        all->top_sum[0] = static_cast<std::int32_t>(std::ceil(cut - 4.19));
        ASSERT_EQ(kernel::searches_on(*all, 1), 1U) << all->top_sum[0] << " steps may reach " << cut;
        all->top_sum[0] = static_cast<std::int32_t>(std::floor(cut - 4.5));
        ASSERT_EQ(kernel::searches_on(*all, 1), 0U) << all->top_sum[0] << " steps cannot reach " << cut;
        all->top_sum[0] = kernel::kLowestSum;
        ASSERT_EQ(kernel::searches_on(*all, 1), 0U) << "faces that were evaluated or are none";
    }
}

// A sum counts as deep only if it is certain, and a sum one step below the threshold counts.
TEST(CoarseBounds, TheThresholdOfDepthAllowsForTheSlack) {
    Random random(7);
    for (int i = 0; i < 100'000; ++i) {
        const auto scale = static_cast<float>(random.log_uniform(1e-3, 1e6));
        const double unit = static_cast<double>(detail::kCoarseOne) / static_cast<double>(scale);
        const auto threshold = static_cast<float>(-unit * random.uniform(0, 1));
        const std::int32_t below = kernel::deep_from(threshold, scale);
        const double steps = static_cast<double>(scale) * static_cast<double>(kernel::kStepsPerScaled);
        // The highest sum that counts as deep, with the slack, is no higher than the threshold.
        const double highest = static_cast<double>(below - 1) + static_cast<double>(kernel::kStepSlack);
        ASSERT_LE(highest, static_cast<double>(threshold) * steps);
        ASSERT_GT(highest, static_cast<double>(threshold) * steps - 1.1);
    }
}

}  // namespace
}  // namespace lanefold::test
