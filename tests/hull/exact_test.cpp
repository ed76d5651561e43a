// SPDX-License-Identifier: MIT
//
// The exact side of a plane, and the exact hull against brute force over all triples of points.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "hull/hull_surface.hpp"
#include "hull/input.hpp"
#include "hull/predicates.hpp"
#include "hull/quickhull.hpp"
#include "support/hull_proof.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

// Sign of the determinant for integer coordinates, in 128 bits.
int integer_side(const std::int64_t (&p)[4][3]) {
    __extension__ using Wide = __int128;  // no standard C++, but every compiler of this project has it
    Wide u[3], v[3], w[3];
    for (int i = 0; i < 3; ++i) {
        u[i] = p[1][i] - p[0][i];
        v[i] = p[2][i] - p[0][i];
        w[i] = p[3][i] - p[0][i];
    }
    const Wide d =
        w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) + w[2] * (u[0] * v[1] - u[1] * v[0]);
    return d > 0 ? 1 : d < 0 ? -1 : 0;
}

TEST(SideOfPlane, MatchesIntegerArithmetic) {
    std::uint32_t zero = 0;
    std::uint32_t decided_exactly = 0;
    for (std::uint64_t i = 0; i < 60000; ++i) {
        Random random(41, i);
        // Coplanar, or off by a step or two, in 24 bits: float64 alone gives wrong signs for these.
        const std::int64_t range = std::int64_t{1} << random.between(2, 23);
        std::int64_t p[4][3];
        for (int k = 0; k < 3; ++k) {
            for (int c = 0; c < 3; ++c) p[k][c] = std::int64_t(random.next() % std::uint64_t(2 * range)) - range;
        }
        for (int c = 0; c < 3; ++c) {
            p[3][c] = p[0][c] + (p[1][c] - p[0][c]) / 2 + (p[2][c] - p[0][c]) / 4 + std::int64_t(random.index(3)) - 1;
            p[3][c] = std::clamp<std::int64_t>(p[3][c], -(std::int64_t{1} << 24), std::int64_t{1} << 24);
        }
        const int shift = int(random.between(0, 60)) - 30;
        Vec3d q[4];
        for (int k = 0; k < 4; ++k) {
            q[k] = Vec3d{double(p[k][0]), double(p[k][1]), double(p[k][2])} * std::ldexp(1.0, shift);
        }
        const int expected = integer_side(p);
        ASSERT_EQ(detail::side_of_plane(q[0], q[1], q[2], q[3]), expected) << i;
        ASSERT_EQ(detail::side_of_plane_exact(q[0], q[1], q[2], q[3]), expected) << i;
        ASSERT_EQ(detail::side_of_plane(q[1], q[0], q[2], q[3]), -expected) << i;
        const double naive = dot(cross(q[1] - q[0], q[2] - q[0]), q[3] - q[0]);
        zero += expected == 0 ? 1U : 0U;
        decided_exactly += std::fabs(naive) < 1e-15 * std::ldexp(std::pow(double(range), 3), 3 * shift) ? 1U : 0U;
    }
    EXPECT_GT(zero, 300U);
    EXPECT_GT(decided_exactly, 300U);
}

TEST(SideOfPlane, SeesOneUnitInTheLastPlaceAcrossExponents) {
    // The plane x = y, and points off it by the smallest float32 step at widely different magnitudes.
    const Vec3d a{0, 0, 0};
    const Vec3d b{1e15, 1e15, 1};
    const Vec3d c{1e-15F, 1e-15F, 1e10};
    for (const float x : {1e-30F, 1e-10F, 1.0F, 1e7F, 1e15F}) {
        const float above = std::nextafter(x, INFINITY);
        for (const float z : {0.0F, 1e-20F, -3.0F, 1e15F}) {
            const Vec3d on{x, x, z};
            EXPECT_EQ(detail::side_of_plane({0, 0, 0}, {1, 1, 0}, {0, 0, 1}, on), 0);
            EXPECT_EQ(detail::side_of_plane({0, 0, 0}, {1, 1, 0}, {0, 0, 1}, {above, x, z}), 1);
            EXPECT_EQ(detail::side_of_plane({0, 0, 0}, {1, 1, 0}, {0, 0, 1}, {x, above, z}), -1);
            EXPECT_EQ(detail::side_of_plane(a, b, c, {above, x, z}), -detail::side_of_plane(a, b, c, {x, above, z}));
            EXPECT_NE(detail::side_of_plane(a, b, c, {above, x, z}), 0);
        }
    }
}

// All planes through three points with all points on one side, as the sets of points that lie on them.
std::set<std::set<std::uint32_t>> supporting_sets(std::span<const Vec3d> p) {
    std::set<std::set<std::uint32_t>> sets;
    const auto n = static_cast<std::uint32_t>(p.size());
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = i + 1; j < n; ++j) {
            for (std::uint32_t k = j + 1; k < n; ++k) {
                bool above = false;
                bool below = false;
                std::set<std::uint32_t> on;
                for (std::uint32_t m = 0; m < n; ++m) {
                    const int s = detail::side_of_plane_exact(p[i], p[j], p[k], p[m]);
                    above |= s > 0;
                    below |= s < 0;
                    if (s == 0) on.insert(m);
                }
                if (above != below) sets.insert(on);  // collinear triples have all points at 0
            }
        }
    }
    return sets;
}

TEST(ExactHull, HasExactlyTheSupportingPlanes) {
    std::uint32_t with_inner = 0;
    std::uint32_t built = 0;
    for (std::uint64_t i = 0; i < 400; ++i) {
        Random random(42, i);
        Points cloud;
        const std::uint32_t side = random.between(1, 4);
        const std::uint32_t count = random.between(5, 20);
        for (std::uint32_t k = 0; k < count; ++k) {
            if (i % 4 == 0) {
                cloud.push_back(to_float(random.in_ball()));
            } else {
                cloud.push_back(
                    {float(random.between(0, side)), float(random.between(0, side)), float(random.between(0, 3))});
            }
        }
        detail::HullInput input;
        if (!detail::prepare_input(cloud, input)) continue;
        ++built;
        const std::span<const Vec3d> p = input.points;
        const auto faces = detail::exact_faces(p, detail::incremental_hull(p, input.start).surface);
        const auto expected = supporting_sets(p);
        ASSERT_EQ(faces.face_count(), expected.size()) << i;
        std::set<std::set<std::uint32_t>> found;
        std::set<std::uint32_t> corners(faces.vertex.begin(), faces.vertex.end());
        for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
            const auto loop = faces.loop(f);
            std::set<std::uint32_t> on;
            for (std::uint32_t m = 0; m < p.size(); ++m) {
                const int s = detail::side_of_plane_exact(p[loop[0]], p[loop[1]], p[loop[2]], p[m]);
                ASSERT_LE(s, 0) << i;
                if (s == 0) on.insert(m);
            }
            // Strictly convex corners, and all corners of the hull that lie in the plane are in the loop.
            for (std::size_t k = 0; k < loop.size(); ++k) {
                const Vec3d& a = p[loop[k]];
                const Vec3d& b = p[loop[(k + 1) % loop.size()]];
                const Vec3d& c = p[loop[(k + 2) % loop.size()]];
                ASSERT_GT(length(cross(b - a, c - b)), 0.0) << i;
            }
            std::size_t in_plane = 0;
            for (const std::uint32_t m : on) in_plane += corners.count(m);
            ASSERT_EQ(in_plane, loop.size()) << i;
            with_inner += on.size() > loop.size() ? 1U : 0U;
            found.insert(on);
        }
        ASSERT_EQ(found, expected) << i;
    }
    EXPECT_GT(built, 300U);
    EXPECT_GT(with_inner, 200U);
}

TEST(ExactHull, ProofRefusesBrokenSurfaces) {
    Random random(43);
    const Points cloud = make_points(Shape::rock, random);
    detail::HullInput input;
    ASSERT_TRUE(detail::prepare_input(cloud, input));
    const std::span<const Vec3d> p = input.points;
    Vec3d inside;
    for (const std::uint32_t s : input.start) inside = inside + p[s] * 0.25;
    const auto good = detail::incremental_hull(p, input.start).surface.triangle;
    detail::TriangleSurface out;
    ASSERT_TRUE(make_convex_surface(p, good, inside, out));

    auto missing = good;
    missing.pop_back();
    EXPECT_FALSE(make_convex_surface(p, missing, inside, out));
    auto twice = good;
    twice.push_back(good[3]);
    EXPECT_FALSE(make_convex_surface(p, twice, inside, out));
    auto twisted = good;
    std::swap(twisted[0][0], twisted[1][0]);
    EXPECT_FALSE(make_convex_surface(p, twisted, inside, out));
    auto needle = good;
    needle[0][1] = needle[0][0];
    EXPECT_FALSE(make_convex_surface(p, needle, inside, out));
    EXPECT_FALSE(make_convex_surface(p, good, inside + Vec3d{10, 0, 0}, out));
    EXPECT_FALSE(make_convex_surface(p, {}, inside, out));

    // A closed surface that is not convex: the other diagonal of two triangles.
    ASSERT_TRUE(make_convex_surface(p, good, inside, out));
    const detail::Triangle a = out.triangle[0];
    const detail::Triangle b = out.triangle[out.neighbour[0][0]];
    std::uint32_t far = 0;
    for (const std::uint32_t v : b) {
        if (v != a[0] && v != a[1]) far = v;
    }
    auto flipped = out.triangle;
    flipped[0] = {a[0], far, a[2]};
    flipped[out.neighbour[0][0]] = {far, a[1], a[2]};
    detail::TriangleSurface other;
    EXPECT_FALSE(make_convex_surface(p, flipped, inside, other));

    // The hull of fewer points is convex, but does not contain the others.
    std::vector<Vec3d> fewer(p.begin(), p.end() - 6);
    Points fewer32;
    for (const Vec3d& v : fewer) fewer32.push_back(to_float(v));
    detail::HullInput small;
    ASSERT_TRUE(detail::prepare_input(fewer32, small));
    const auto faces = detail::exact_faces(p, detail::incremental_hull(small.points, small.start).surface);
    EXPECT_FALSE(contains_all(p, faces));
    EXPECT_TRUE(contains_all(fewer, faces));
}

}  // namespace
}  // namespace lanefold::test
