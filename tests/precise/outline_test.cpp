// SPDX-License-Identifier: MIT
//
// Outlines of support patches: sets of corners of any width, in rows, in clusters, twice at one place. Corners about
// which rounding decides may be missing, and nothing else.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/detail/plane_hull.hpp>

#include "precise/outline.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

using detail::OutlineCorner;
using Corners = std::vector<OutlineCorner>;

constexpr double kTolerance = 1e-6;

double distance(const OutlineCorner& p, const OutlineCorner& q) { return std::hypot(q.u - p.u, q.v - p.v); }

// Clusters in a plane that is as narrow as `width`, turned by any angle.
Corners random_corners(Random& random, bool level) {
    const double width = random.chance(0.2) ? 0.0 : random.log_uniform(1e-9, 1.0);
    const double cluster = random.log_uniform(1e-9, 1e-3);
    const double angle = random.chance(0.3) ? 0.5 * random.index(4) * 3.14159265358979324 : random.uniform(0, 6.3);
    const double c = std::cos(angle), s = std::sin(angle);
    const double size = random.chance(0.1) ? random.log_uniform(1e-9, 1e-5) : 1.0;
    Corners out;
    for (std::uint32_t k = random.between(1, 12); k > 0; --k) {
        const double x = size * random.uniform(-1, 1), y = size * width * random.uniform(-1, 1);
        for (std::uint32_t n = random.chance(0.7) ? 1 : random.between(2, 4); n > 0; --n) {
            const double dx = n > 1 ? cluster * random.uniform(-1, 1) : 0.0;
            const double dy = n > 1 && random.chance(0.5) ? cluster * random.uniform(-1, 1) : 0.0;
            const auto vertex = static_cast<std::uint32_t>(out.size());
            const double height = level ? 0.0 : random.uniform(-1, 1);
            out.push_back({c * (x + dx) - s * (y + dy), s * (x + dx) + c * (y + dy), height, vertex});
        }
    }
    std::sort(out.begin(), out.end(), [](const OutlineCorner& p, const OutlineCorner& q) {
        if (p.u != q.u) return p.u < q.u;
        return p.v != q.v ? p.v < q.v : p.vertex < q.vertex;
    });
    return out;
}

double span(const Corners& corners) {
    double most = 0;
    for (const OutlineCorner& p : corners) {
        for (const OutlineCorner& q : corners) most = std::max(most, distance(p, q));
    }
    return most;
}

double off_segment(const OutlineCorner& p, const OutlineCorner& q, const OutlineCorner& c) {
    const double du = q.u - p.u, dv = q.v - p.v;
    const double squared = du * du + dv * dv;
    const double w = squared > 0 ? std::clamp(((c.u - p.u) * du + (c.v - p.v) * dv) / squared, 0.0, 1.0) : 0.0;
    return std::hypot(p.u + du * w - c.u, p.v + dv * w - c.v);
}

// How far a corner is outside of an outline.
double outside(const Corners& outline, const OutlineCorner& c) {
    double nearest = 1e300;
    bool in = outline.size() > 2;
    for (std::size_t k = 0; k < outline.size(); ++k) {
        const OutlineCorner& p = outline[k];
        const OutlineCorner& q = outline[k + 1 < outline.size() ? k + 1 : 0];
        in = in && detail::turn(p, q, c.u, c.v) >= 0;
        nearest = std::min(nearest, off_segment(p, q, c));
    }
    return in ? 0.0 : nearest;
}

TEST(PatchOutline, HasAllCornersWithinTheToleranceAndTheFarEnds) {
    Corners hull, outline;
    int points = 0, rows = 0, areas = 0;
    double worst = 0;
    for (std::uint32_t i = 0; i < 20000; ++i) {
        Random random(1, i);
        const Corners corners = random_corners(random, false);
        detail::make_outline(corners, kTolerance, hull, outline);
        ASSERT_FALSE(outline.empty());
        (outline.size() == 1 ? points : outline.size() == 2 ? rows : areas) += 1;
        EXPECT_GE(span(outline), span(corners) - 2.1 * kTolerance) << i;
        for (const OutlineCorner& c : corners) worst = std::max(worst, outside(outline, c));
        for (const OutlineCorner& place : outline) {
            const auto same = [&](const OutlineCorner& c) { return c.vertex == place.vertex; };
            EXPECT_EQ(std::count_if(outline.begin(), outline.end(), same), 1) << i;
        }
    }
    std::printf("%d points, %d rows, %d areas; a corner is outside by at most %.2f tolerances\n", points, rows, areas,
                worst / kTolerance);
    // A corner may have moved to the highest one within the tolerance.
    EXPECT_LE(worst, 2.1 * kTolerance);
    EXPECT_GT(points, 1000);
    EXPECT_GT(rows, 2000);
    EXPECT_GT(areas, 5000);
}

TEST(PatchOutline, EachCornerStandsOutAndTheFirstIsTheLowest) {
    Corners hull, outline;
    int areas = 0;
    for (std::uint32_t i = 0; i < 20000; ++i) {
        Random random(2, i);
        const Corners corners = random_corners(random, true);
        detail::make_outline(corners, kTolerance, hull, outline);
        for (const OutlineCorner& c : outline) EXPECT_GE(c.u, outline.front().u - kTolerance) << i;
        for (std::size_t k = 0; k < outline.size() && outline.size() > 2; ++k) {
            const OutlineCorner& p = outline[k > 0 ? k - 1 : outline.size() - 1];
            const OutlineCorner& q = outline[k + 1 < outline.size() ? k + 1 : 0];
            EXPECT_GT(detail::turn(p, outline[k], q.u, q.v), 0) << i;
            if (outline.size() > 3) {
                EXPECT_GT(off_segment(p, q, outline[k]), 0.999 * kTolerance) << i;
            }
            EXPECT_GT(distance(p, outline[k]), kTolerance) << i;
        }
        areas += outline.size() > 2 ? 1 : 0;
    }
    EXPECT_GT(areas, 5000);
}

TEST(PatchOutline, OfCornersAtOnePlaceTheHighestStays) {
    Corners hull, outline;
    const Corners box{{0, 0, 1, 3}, {0, 0, 2, 4}, {0, 1, 1, 0}, {1, 0, 1, 5}, {1, 1, 3, 6}, {1, 1 + 1e-8, 4, 7}};
    detail::make_outline(box, kTolerance, hull, outline);
    ASSERT_EQ(outline.size(), 4U);
    const std::uint32_t expected[4] = {4, 5, 7, 0};
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(outline[k].vertex, expected[k]);
}

}  // namespace
}  // namespace lanefold::test
