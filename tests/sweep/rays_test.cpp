// SPDX-License-Identifier: MIT
//
// Rays: every hit of every shape beside the oracle's entry; first, any and all hits agree; closed forms; the same bits
// on all cores and in any order; bad input is a status of its ray.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

#include <tbb/task_arena.h>

#include <lanefold/rays.hpp>

#include "support/ray_scene.hpp"

namespace lanefold::test {
namespace {

// The promised bound, of a hull's size.
constexpr double kBound = 2e-6;

std::vector<RayHit> cast(const RayScenery& s, std::span<const Ray> rays, const RayInputs& inputs = {}) {
    std::vector<RayHit> out(rays.size());
    SweepWorkspace workspace;
    const RayResult r = cast_rays_serial(s.hulls, s.view(), rays, out, workspace, inputs);
    EXPECT_TRUE(r.status) << r.status.what;
    return out;
}

struct AllHits {
    std::vector<std::uint64_t> offsets;
    std::vector<RayHit> hits;
    std::span<const RayHit> of(std::size_t i) const {
        return std::span(hits).subspan(offsets[i], offsets[i + 1] - offsets[i]);
    }
};

AllHits cast_all(const RayScenery& s, std::span<const Ray> rays) {
    AllHits all;
    all.offsets.resize(rays.size() + 1);
    SweepWorkspace workspace;
    const RayResult counted = cast_rays_all_serial(s.hulls, s.view(), rays, all.offsets, {}, workspace);
    all.hits.resize(counted.required);
    const RayResult r = cast_rays_all_serial(s.hulls, s.view(), rays, all.offsets, all.hits, workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    EXPECT_EQ(r.written, counted.required);
    EXPECT_EQ(r.next_ray, rays.size());
    return all;
}

bool same(const RayHit& a, const RayHit& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

enum Kind : std::uint8_t { sharp, rounded, small_core, child, half_space, kKinds };

Kind kind_of(const RayScenery& s, const RayPart& p) {
    if (p.hull.half_space) return half_space;
    if (s.hulls.child_count(s.bodies[p.body].hull) != 0) return child;
    if (p.hull.triangles.empty()) return small_core;
    return p.hull.round_radius > 0 ? rounded : sharp;
}

struct Sums {
    std::size_t hits[kKinds] = {};
    std::size_t inside[kKinds] = {};
    std::size_t misses = 0;
    std::size_t features[3] = {};  // of rounded hulls: faces, edges, vertices
    double off = 0;                // of hits from the surface, of size
    double before = 0;             // how deep the ray is before its hit, or without one, of size
};

void compare(const RayScenery& s, std::size_t ray, const RayPart& p, std::span<const RayHit> hits, Sums& sums) {
    const Vec3d from = origin_of(s.rays[ray]);
    const Vec3d by = direction_of(s.rays[ray]);
    const auto* const h = std::find_if(hits.data(), hits.data() + hits.size(),
                                       [&](const RayHit& x) { return x.body == p.body && x.child == p.child; });
    const double bound = kBound * p.size();
    if (h == hits.data() + hits.size()) {
        ++sums.misses;
        if (!p.is_near(from, by)) return;
        const reference::OracleEntry entry = reference::ray_entry(p.hull, p.pose, {from, by});
        sums.before = std::max(sums.before, -entry.least / p.size());
        EXPECT_GT(entry.least, -bound) << "ray " << ray << " missed body " << p.body;
        return;
    }
    const reference::OracleEntry entry = reference::ray_entry(p.hull, p.pose, {from, by});
    const Kind kind = kind_of(s, p);
    const Vec3d n = to_double({h->normal[0], h->normal[1], h->normal[2]});
    EXPECT_NEAR(length(n), 1, 1e-6);
    EXPECT_LT(dot(n, by), 0) << ray;
    if (h->state == RayState::inside) {
        ++sums.inside[kind];
        EXPECT_EQ(h->fraction, 0);
        EXPECT_EQ(h->feature, 0U);
        EXPECT_NEAR(dot(n, by) / length(by), -1, 1e-6);
        EXPECT_LT(entry.begin, bound) << ray;
        return;
    }
    ASSERT_EQ(h->state, RayState::hit);
    ++sums.hits[kind];
    const double off = std::fabs(p.distance(from + by * h->fraction)) / p.size();
    sums.off = std::max(sums.off, off);
    EXPECT_LE(off, kBound) << "ray " << ray << " body " << p.body << " kind " << kind;
    // The distance is convex along the ray: it is lowest before the hit either there, or at the oracle's least one.
    const double deepest = entry.least_at < h->fraction ? entry.least : 0;
    sums.before = std::max(sums.before, -deepest / p.size());
    EXPECT_GT(deepest, -bound) << "ray " << ray << " is in body " << p.body << " before its hit";
    const HullRecord& record =
        s.hulls[s.hulls.child_count(s.bodies[p.body].hull) == 0 ? s.bodies[p.body].hull
                                                                : s.hulls.child(s.bodies[p.body].hull, p.child).hull];
    const FeatureCounts counts = record.feature_counts();
    EXPECT_LT(h->feature, counts.total());
    if (kind != rounded) return;
    ++sums.features[h->feature < counts.faces ? 0 : h->feature < counts.faces + counts.edges ? 1 : 2];
}

TEST(Rays, FirstHitsAreOnASurfaceAndNothingIsBefore) {
    Sums sums;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const RaySceneSettings settings = {100 + seed, 60, 400, 6, seed == 5 ? Vec3d{1e6, -2e6, 3e5} : Vec3d{}};
        const RayScenery s = make_ray_scene(settings);
        const AllHits all = cast_all(s, s.rays);
        for (std::size_t i = 0; i < s.rays.size(); ++i)
            for (const RayPart& p : s.parts) compare(s, i, p, all.of(i), sums);
    }
    std::printf(
        "hits: sharp %zu, rounded %zu, small %zu, children %zu, half-spaces %zu; inside %zu %zu %zu %zu %zu; "
        "misses %zu; faces %zu, edges %zu, vertices %zu of rounded hulls; off the surface by %.2g of size, "
        "before it %.2g\n",
        sums.hits[0], sums.hits[1], sums.hits[2], sums.hits[3], sums.hits[4], sums.inside[0], sums.inside[1],
        sums.inside[2], sums.inside[3], sums.inside[4], sums.misses, sums.features[0], sums.features[1],
        sums.features[2], sums.off, sums.before);
    for (const std::size_t n : sums.hits) EXPECT_GT(n, 100U);
    for (const std::size_t n : sums.inside) EXPECT_GT(n, 5U);
    for (const std::size_t n : sums.features) EXPECT_GT(n, 50U);
    EXPECT_GT(sums.misses, 1000U);
}

TEST(Rays, FirstAndAnyAreTheFirstOfAll) {
    const RayScenery s = make_ray_scene({7, 80, 600, 6, {}});
    const AllHits all = cast_all(s, s.rays);
    const std::vector<RayHit> first = cast(s, s.rays);
    RayInputs any;
    any.mode = RayMode::any;
    const std::vector<RayHit> shadow = cast(s, s.rays, any);
    std::size_t several = 0;
    for (std::size_t i = 0; i < s.rays.size(); ++i) {
        const std::span<const RayHit> hits = all.of(i);
        several += hits.size() > 1 ? 1U : 0U;
        EXPECT_TRUE(std::is_sorted(hits.begin(), hits.end(), [](const RayHit& a, const RayHit& b) {
            return std::tie(a.fraction, a.body, a.child) < std::tie(b.fraction, b.body, b.child);
        }));
        RayHit expected = {};
        expected.fraction = 1;
        EXPECT_TRUE(same(first[i], hits.empty() ? expected : hits[0])) << i;
        if (!hits.empty()) expected.state = RayState::hit;
        EXPECT_TRUE(same(shadow[i], expected)) << i;
    }
    std::printf("%zu rays of %zu with several hits\n", several, s.rays.size());
    EXPECT_GT(several, 100U);
}

TEST(Rays, AllCoresAndAnyOrderGiveTheSame) {
    const RayScenery s = make_ray_scene({6, 300, 3000, 12, {}});
    const std::vector<RayHit> hits = cast(s, s.rays);
    const AllHits all = cast_all(s, s.rays);
    std::vector<RayHit> out(s.rays.size());
    AllHits again = {std::vector<std::uint64_t>(s.rays.size() + 1), std::vector<RayHit>(all.hits.size())};
    SweepWorkspace workspace;
    tbb::task_arena arena(4);
    arena.execute([&] {
        ASSERT_TRUE(cast_rays(s.hulls, s.view(), s.rays, out, workspace).status);
        ASSERT_TRUE(cast_rays_all(s.hulls, s.view(), s.rays, again.offsets, again.hits, workspace).status);
    });
    EXPECT_EQ(std::memcmp(out.data(), hits.data(), out.size() * sizeof(RayHit)), 0);
    EXPECT_EQ(again.offsets, all.offsets);
    EXPECT_EQ(std::memcmp(again.hits.data(), all.hits.data(), all.hits.size() * sizeof(RayHit)), 0);
    // Alone, and in a scene whose bodies come in the other order.
    RayScenery turned = s;
    std::reverse(turned.bodies.begin(), turned.bodies.end());
    const auto last = static_cast<std::uint32_t>(s.bodies.size() - 1);
    for (std::size_t i = 0; i < 300; ++i) {
        EXPECT_TRUE(same(cast(s, {&s.rays[i], 1})[0], hits[i])) << i;
        RayHit other = cast(turned, {&s.rays[i], 1})[0];
        if (other.state == RayState::miss || other.fraction == 0) continue;
        other.body = last - other.body;
        EXPECT_TRUE(same(other, hits[i])) << i;
    }
}

TEST(Rays, ATruncatedCallHasWholeRays) {
    const RayScenery s = make_ray_scene({8, 80, 700, 6, {}});
    const AllHits all = cast_all(s, s.rays);
    SweepWorkspace workspace;
    for (const std::size_t room : {std::size_t{0}, std::size_t{1}, all.hits.size() / 2, all.hits.size() - 1}) {
        std::vector<std::uint64_t> offsets(s.rays.size() + 1);
        std::vector<RayHit> out(room);
        const RayResult r = cast_rays_all_serial(s.hulls, s.view(), s.rays, offsets, out, workspace);
        EXPECT_EQ(r.status.code, Status::truncated);
        EXPECT_EQ(r.required, all.hits.size());
        EXPECT_EQ(offsets, all.offsets);
        EXPECT_LE(r.written, room);
        EXPECT_EQ(r.written, offsets[r.next_ray]);
        EXPECT_GT(offsets[r.next_ray + 1], room) << "the next ray would fit";
        EXPECT_TRUE(r.written == 0 || std::memcmp(out.data(), all.hits.data(), r.written * sizeof(RayHit)) == 0);
    }
}

TEST(Rays, ClosedForms) {
    RayScenery s;
    const Points points[4] = {box_points(1, 2, 3), {{0, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}, box_points(1, 1, 1)};
    const float radii[4] = {0, 1.5F, 0.5F, 0.25F};
    const HalfSpace plane[1] = {{{0, 0, 1}, 0}};
    s.hulls = build_library(points, radii).hulls.append(build_half_spaces(plane).hulls);
    for (const auto& [x, hull] : {std::pair{0.0, 0U}, {10.0, 1U}, {10.0, 1U}, {20.0, 2U}, {30.0, 3U}})
        s.add(body_at({x, 0, 0}, Quat{}, hull));
    s.add(body_at({0, 0, -100}, Quat{}, 4));
    const Ray rays[] = {
        ray_of({-5, 0.5, 0.5}, {10, 0, 0}), ray_of({15, 0, 0}, {-20, 0, 0}), ray_of({0.5, 0, 0}, {5, 0, 0}),
        ray_of({-5, 2.1, 0}, {10, 0, 0}),   ray_of({-5, 0, 0}, {3.9, 0, 0}), ray_of({20.5, 5, 0}, {0, -10, 0}),
        ray_of({30, 0.5, 5}, {0, 0, -10}),  ray_of({35, 0, 1}, {-10, 0, 0}), ray_of({50, 0, 0}, {0, 0, -200}),
        ray_of({50, 0, -150}, {0, 0, 200}), ray_of({50, 0, -90}, {1, 0, 0})};
    const std::vector<RayHit> h = cast(s, rays);
    struct Expected {
        RayState state;
        double fraction;
        std::uint32_t body;
        float normal[3];
    };
    const Expected expected[] = {{RayState::hit, 0.4, 0, {-1, 0, 0}},  {RayState::hit, 3.5 / 20, 1, {1, 0, 0}},
                                 {RayState::inside, 0, 0, {-1, 0, 0}}, {RayState::miss, 1, 0, {0, 0, 0}},
                                 {RayState::miss, 1, 0, {0, 0, 0}},    {RayState::hit, 0.45, 3, {0, 1, 0}},
                                 {RayState::hit, 0.375, 4, {0, 0, 1}}, {RayState::hit, 0.375, 4, {1, 0, 0}},
                                 {RayState::hit, 0.5, 5, {0, 0, 1}},   {RayState::inside, 0, 5, {0, 0, -1}},
                                 {RayState::miss, 1, 0, {0, 0, 0}}};
    for (std::size_t i = 0; i < h.size(); ++i) {
        EXPECT_EQ(h[i].state, expected[i].state) << i;
        EXPECT_NEAR(h[i].fraction, expected[i].fraction, 1e-12) << i;
        EXPECT_EQ(h[i].body, expected[i].body) << i;
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(h[i].normal[k], expected[i].normal[k], 1e-6) << i;
    }
    EXPECT_EQ(h[5].feature, 0U) << "the one edge of a capsule";
}

TEST(Rays, BadInputIsAStatusOfItsRay) {
    RayScenery s = make_ray_scene({9, 40, 50, 6, {}});
    const std::vector<RayHit> good = cast(s, s.rays);
    s.rays[3].origin[1] = std::numeric_limits<double>::quiet_NaN();
    s.rays[4] = ray_of({1, 2, 3}, {0, 0, 0});
    s.rays[5].direction[0] = std::numeric_limits<double>::infinity();
    s.rays[6].direction[2] = 1e200;
    const std::vector<RayHit> hits = cast(s, s.rays);
    const AllHits all = cast_all(s, s.rays);
    for (std::size_t i = 0; i < hits.size(); ++i) {
        if (i >= 3 && i <= 6) {
            EXPECT_EQ(hits[i].state, RayState::failed) << i;
            EXPECT_EQ(hits[i].status, Status::bad_pose) << i;
            ASSERT_EQ(all.of(i).size(), 1U) << i;
            EXPECT_TRUE(same(all.of(i)[0], hits[i])) << i;
        } else {
            EXPECT_TRUE(same(hits[i], good[i])) << i;
        }
    }
}

// Bodies without a shape are counted, and the rays meet all others.
TEST(Rays, ShapesThatAreNotTakenAreTold) {
    RayScenery s = make_ray_scene({9, 40, 50, 6, {}});
    const AllHits all = cast_all(s, s.rays);
    s.bodies[0].position[0] = std::numeric_limits<double>::quiet_NaN();
    s.bodies[1].hull = 1000;
    const std::uint32_t gone[1] = {s.bodies[2].hull};
    s.hulls = s.hulls.remove(gone);
    std::vector<bool> left_out(s.bodies.size());
    for (std::uint32_t b = 0; b < s.bodies.size(); ++b) left_out[b] = b < 2 || !s.hulls.contains(s.bodies[b].hull);
    std::vector<std::uint64_t> offsets(s.rays.size() + 1);
    std::vector<RayHit> out(all.hits.size());
    SweepWorkspace workspace;
    const RayResult r = cast_rays_all_serial(s.hulls, s.view(), s.rays, offsets, out, workspace);
    EXPECT_EQ(r.left_out, static_cast<std::uint64_t>(std::count(left_out.begin(), left_out.end(), true)));
    EXPECT_GE(r.left_out, 3U);
    std::vector<RayHit> expected;
    std::copy_if(all.hits.begin(), all.hits.end(), std::back_inserter(expected),
                 [&](const RayHit& h) { return !left_out[h.body]; });
    ASSERT_EQ(r.required, expected.size());
    EXPECT_EQ(std::memcmp(out.data(), expected.data(), expected.size() * sizeof(RayHit)), 0);
    EXPECT_LT(expected.size(), all.hits.size());
}

TEST(Rays, BadArgumentsAreRefused) {
    const RayScenery s = make_ray_scene({9, 4, 50, 6, {}});
    std::vector<RayHit> out(s.rays.size() - 1);
    SweepWorkspace workspace;
    const auto what = [&](const RayInputs& inputs) {
        return std::string_view(cast_rays_serial(s.hulls, s.view(), s.rays, out, workspace, inputs).status.what);
    };
    EXPECT_EQ(what({}), "out and rays differ in length");
    out.resize(s.rays.size());
    RayInputs inputs;
    inputs.mode = static_cast<RayMode>(7);
    EXPECT_EQ(what(inputs), "mode must be first or any, and first for all hits");
    const PlacedSurface none[1] = {};
    EXPECT_EQ(what({RayMode::first, none, false}), "surfaces: a surface is null");
    std::vector<std::uint64_t> offsets(s.rays.size());
    EXPECT_STREQ(cast_rays_all_serial(s.hulls, s.view(), s.rays, offsets, out, workspace).status.what,
                 "offsets needs one element more than rays");
}

TEST(Rays, ArraysThatCannotBeAreRefused) {
    const RayScenery s = make_ray_scene({9, 4, 50, 6, {}});
    std::vector<RayHit> storage(s.rays.size() + 1);
    std::vector<std::uint64_t> offsets(s.rays.size() + 1);
    SweepWorkspace workspace;
    std::span<const Ray> rays = s.rays;
    std::span<RayHit> out = std::span(storage).first(s.rays.size());
    const auto what = [&] {
        return std::string_view(cast_rays_serial(s.hulls, s.view(), rays, out, workspace).status.what);
    };
    const auto what_all = [&](std::span<std::uint64_t> list) {
        return std::string_view(cast_rays_all_serial(s.hulls, s.view(), rays, list, out, workspace).status.what);
    };
    EXPECT_EQ(what(), "");
    const std::span<const Ray> good = rays;
    rays = {reinterpret_cast<const Ray*>(reinterpret_cast<const std::byte*>(good.data()) + 1), good.size() - 1};
    EXPECT_EQ(what(), "rays is not aligned");
    rays = {good.data(), std::numeric_limits<std::size_t>::max()};
    out = {storage.data(), std::numeric_limits<std::size_t>::max()};
    EXPECT_EQ(what(), "rays exceed the address space");
    EXPECT_EQ(what_all({}), "rays exceed the address space");
    rays = good;
    out = {reinterpret_cast<RayHit*>(reinterpret_cast<std::byte*>(storage.data()) + 1), good.size()};
    EXPECT_EQ(what(), "out is not aligned");
    out = {reinterpret_cast<RayHit*>(const_cast<Ray*>(good.data())), good.size()};
    EXPECT_EQ(what(), "out overlaps rays");
    out = {reinterpret_cast<RayHit*>(const_cast<BodyD*>(s.bodies.data())), 1};
    rays = good.first(1);
    EXPECT_EQ(what(), "out or offsets overlaps the bodies");
    rays = good;
    out = std::span(storage).first(s.rays.size());
    EXPECT_EQ(what_all({reinterpret_cast<std::uint64_t*>(storage.data()), good.size() + 1}),
              "offsets overlaps rays or out");
    EXPECT_EQ(what_all(offsets), "");
}

}  // namespace
}  // namespace lanefold::test
