// SPDX-License-Identifier: MIT
//
// A hull's bits depend on its points and the options only: not on the order of the points (except for the numbering),
// the unit, the threads, the neighbours in the call, or the code that found the triangles.
#include <algorithm>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>

#include "support/hull_checks.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

void shuffle(Random& random, std::vector<std::uint32_t>& order) {
    for (std::uint32_t i = static_cast<std::uint32_t>(order.size()); i > 1; --i)
        std::swap(order[i - 1], order[random.index(i)]);
}

Points some_points(std::uint64_t i) {
    Random random(31, i);
    const auto shape = static_cast<Shape>(i % kShapeCount);
    return transformed(make_points(shape, random), random.log_uniform(0.01, 100), random.rotation(),
                       random.chance(0.5) ? Vec3d{} : random.direction() * 10.0);
}

TEST(HullNumbering, CubeIsNumberedAsDocumented) {
    // Vertices in input order; corner i has bit 0 for x, 1 for y, 2 for z.
    Points p;
    for (int i = 0; i < 8; ++i) {
        p.push_back({(i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F, (i & 4) != 0 ? 1.0F : -1.0F});
    }
    const BuildResult r = build_hull(p);
    ASSERT_TRUE(r);
    const std::vector<std::vector<std::uint32_t>> faces = {{0, 1, 5, 4}, {0, 2, 3, 1}, {0, 4, 6, 2},
                                                           {1, 3, 7, 5}, {2, 6, 7, 3}, {4, 5, 7, 6}};
    EXPECT_EQ(input_faces(r.hulls, 0), faces);
    const detail::HullView h(r.hulls[0]);
    const std::uint32_t edges[12][2] = {{0, 1}, {0, 2}, {0, 4}, {1, 3}, {1, 5}, {2, 3},
                                        {2, 6}, {3, 7}, {4, 5}, {4, 6}, {5, 7}, {6, 7}};
    for (std::uint32_t e = 0; e < 12; ++e) {
        EXPECT_EQ(h.edge_vertex[2 * e], edges[e][0]);
        EXPECT_EQ(h.edge_vertex[2 * e + 1], edges[e][1]);
    }
    EXPECT_EQ(h.edge_face0[0], 0U);  // 0 -> 1 runs in face 0, 1 -> 0 in face 1
    EXPECT_EQ(h.edge_face1[0], 1U);
}

TEST(HullNumbering, ShuffledPointsGiveTheSameFaces) {
    std::uint32_t merged = 0;
    for (std::uint64_t i = 0; i < 26 * 8; ++i) {
        const Points p = some_points(i);
        Random random(32, i);
        std::vector<std::uint32_t> order(p.size());
        std::iota(order.begin(), order.end(), 0U);
        shuffle(random, order);
        Points q(p.size());
        for (std::size_t k = 0; k < p.size(); ++k) q[k] = p[order[k]];
        const BuildResult a = build_hull(p);
        const BuildResult b = build_hull(q);
        ASSERT_TRUE(a && b);
        ASSERT_EQ(input_faces(a.hulls, 0), input_faces(b.hulls, 0, order)) << i;
        merged += a.hulls.info(0).merged_faces > 0 ? 1U : 0U;
        EXPECT_NEAR(a.hulls.info(0).mass.volume, b.hulls.info(0).mass.volume, 1e-12 * a.hulls.info(0).mass.volume);
    }
    EXPECT_GT(merged, 60U);
}

TEST(HullNumbering, PowerOfTwoUnitsChangeNothingButTheScale) {
    for (std::uint64_t i = 0; i < 26 * 4; ++i) {
        const Points p = some_points(i);
        const BuildResult a = build_hull(p);
        ASSERT_TRUE(a);
        for (const float scale : {0x1p-30F, 0x1p-3F, 0x1p20F}) {
            Points q = p;
            for (Vec3f& v : q) v = v * scale;
            const BuildResult b = build_hull(q);
            ASSERT_TRUE(b);
            ASSERT_EQ(input_faces(a.hulls, 0), input_faces(b.hulls, 0)) << i;
            const HullRecord& ra = a.hulls[0];
            const HullRecord& rb = b.hulls[0];
            EXPECT_EQ(ra.flags, rb.flags);
            EXPECT_EQ(ra.size * scale, rb.size);
            const detail::HullView ha(ra);
            const detail::HullView hb(rb);
            for (std::uint32_t f = 0; f < ra.face_count; ++f) {
                ASSERT_EQ(ha.normal(f), hb.normal(f)) << i;
                ASSERT_EQ(ha.offset(f) * scale, hb.offset(f)) << i;
            }
            EXPECT_EQ(a.hulls.info(0).deviation, b.hulls.info(0).deviation);
            EXPECT_EQ(a.hulls.info(0).min_edge_angle, b.hulls.info(0).min_edge_angle);
        }
    }
}

TEST(HullNumbering, ThreadsAndNeighboursChangeNoByte) {
    Points all;
    std::vector<std::uint64_t> offsets{0};
    for (std::uint64_t i = 0; i < 120; ++i) {
        const Points p = some_points(i);
        all.insert(all.end(), p.begin(), p.end());
        offsets.push_back(all.size());
    }
    BuildOptions options;
    options.threads = 1;
    const BuildResult one = build_hulls(all, offsets, options);
    ASSERT_TRUE(one);
    for (const std::uint32_t threads : {0U, 2U, 7U}) {
        options.threads = threads;
        const BuildResult many = build_hulls(all, offsets, options);
        ASSERT_TRUE(many);
        EXPECT_EQ(many.hulls.fingerprint(), one.hulls.fingerprint());
        for (std::size_t i = 0; i < one.hulls.size(); ++i) {
            const auto a = block_bytes(one.hulls[i]);
            const auto b = block_bytes(many.hulls[i]);
            ASSERT_EQ(a.size(), b.size());
            ASSERT_EQ(std::memcmp(a.data(), b.data(), a.size()), 0) << i;
        }
    }
    for (std::size_t i = 0; i < one.hulls.size(); ++i) {
        const BuildResult alone = build_hull(std::span(all).subspan(offsets[i], offsets[i + 1] - offsets[i]));
        ASSERT_TRUE(alone);
        const auto a = block_bytes(one.hulls[i]);
        const auto b = block_bytes(alone.hulls[0]);
        ASSERT_EQ(a.size(), b.size());
        ASSERT_EQ(std::memcmp(a.data(), b.data(), a.size()), 0) << i;
    }
}

TEST(HullNumbering, DuplicatesChangeNothing) {
    for (std::uint64_t i = 0; i < 26; ++i) {
        const Points p = some_points(i);
        Points q = p;
        q.insert(q.end(), p.begin(), p.end());
        q.insert(q.end(), p.rbegin(), p.rend());
        const BuildResult a = build_hull(p);
        const BuildResult b = build_hull(q);
        ASSERT_TRUE(a && b);
        EXPECT_EQ(a.hulls.fingerprint(), b.hulls.fingerprint());
        EXPECT_TRUE(std::ranges::equal(a.hulls.input_index(0), b.hulls.input_index(0)));
    }
}

}  // namespace
}  // namespace lanefold::test
