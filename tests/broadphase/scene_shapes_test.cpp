// SPDX-License-Identifier: MIT
//
// Shapes and scenes: overlaps and closest points beside the oracle, casts beside sweeps of all pairs and the closed
// form of a plane; the same bits with any threads and in any order; small outputs, bad shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include <tbb/task_arena.h>

#include <lanefold/scene_queries.hpp>
#include <lanefold/serial_sweep.hpp>

#include "support/ray_scene.hpp"

namespace lanefold::test {
namespace {

constexpr double kBound = 2e-6;  // of the larger hull's size

struct ShapeScene {
    RayScenery scene;
    RayScenery shapes;  // of the same set: its bodies are queries
    std::vector<BodyD> ends;
    PairFinder finder;

    BodyView queries() const { return shapes.view(); }
    BodyView last() const { return BodyView(std::span<const BodyD>(ends)); }
};

ShapeScene make_scene(std::uint64_t seed, std::uint32_t bodies, std::uint32_t queries, bool compounds) {
    ShapeScene s;
    s.scene = make_ray_scene({seed, bodies, 0, 8, {}});
    s.shapes.hulls = s.scene.hulls;
    Random random(seed + 9);
    const auto hulls = static_cast<std::uint32_t>(s.scene.hulls.size());
    for (std::uint32_t q = 0; q < queries; ++q) {
        const std::uint32_t hull = random.index(compounds ? hulls - 1 : hulls - 5);
        const BodyD b = body_at(random.in_ball() * 11.0, random.rotation(), hull);
        s.shapes.add(b);
        const Vec3d at = Vec3d{b.position[0], b.position[1], b.position[2]} + random.direction() * random.uniform(1, 9);
        BodyD end = body_at(at, random.rotation(), hull);
        if (q % 2 == 0) std::copy(b.orientation, b.orientation + 4, end.orientation);
        s.ends.push_back(end);
    }
    EXPECT_TRUE(s.finder.find(s.scene.hulls, s.scene.view()).status);
    return s;
}

struct OracleDistance {
    double distance = std::numeric_limits<double>::infinity();
    double bound = 0;
};

// The distance of query q and body b by brute force over their parts.
OracleDistance oracle_distance(const ShapeScene& s, std::uint32_t q, std::uint32_t b) {
    OracleDistance d;
    for (const RayPart& x : s.shapes.parts) {
        if (x.body != q) continue;
        for (const RayPart& y : s.scene.parts) {
            if (y.body != b) continue;
            const double of = reference::signed_distance(x.hull, x.pose, y.hull, y.pose).distance;
            d.distance = std::min(d.distance, of);
            d.bound = std::max({d.bound, kBound * x.size(), y.hull.half_space ? 0 : kBound * y.size()});
        }
    }
    return d;
}

TEST(SceneShapes, OverlapsAreTheOracles) {
    ShapeScene s = make_scene(41, 120, 50, true);
    const auto queries = static_cast<std::uint32_t>(s.shapes.bodies.size());
    const auto bodies = static_cast<std::uint32_t>(s.scene.bodies.size());
    std::vector<std::uint64_t> offsets(queries + 1);
    std::vector<std::uint32_t> out(queries * bodies);
    QueryWorkspace workspace;
    std::size_t near = 0;
    std::size_t apart = 0;
    for (const float margin : {0.0F, 0.5F, 2.0F}) {
        const QueryResult r = overlap_scene(s.finder, s.queries(), margin, offsets, out, workspace);
        ASSERT_TRUE(r.status) << r.status.what;
        for (std::uint32_t q = 0; q < queries; ++q) {
            const std::span<const std::uint32_t> list(out.data() + offsets[q], offsets[q + 1] - offsets[q]);
            EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
            for (std::uint32_t b = 0; b < bodies; ++b) {
                const OracleDistance d = oracle_distance(s, q, b);
                const bool listed = std::binary_search(list.begin(), list.end(), b);
                if (std::fabs(d.distance - static_cast<double>(margin)) <= d.bound) continue;
                EXPECT_EQ(listed, d.distance < static_cast<double>(margin)) << q << " " << b << " " << d.distance;
                ++(listed ? near : apart);
            }
        }
    }
    std::printf("%zu overlaps, %zu apart\n", near, apart);
    EXPECT_GT(near, 200U);
    EXPECT_GT(apart, 1000U);
}

TEST(SceneShapes, ClosestPointsAreTheOracles) {
    ShapeScene s = make_scene(42, 60, 60, true);
    const auto queries = static_cast<std::uint32_t>(s.shapes.bodies.size());
    const auto bodies = static_cast<std::uint32_t>(s.scene.bodies.size());
    Random random(1);
    std::vector<float> radii(queries);
    for (float& r : radii) r = static_cast<float>(random.uniform(0.1, 6));
    std::vector<std::uint64_t> offsets(queries + 1);
    std::vector<ClosestPoints> all(queries * bodies * 12);
    std::vector<ClosestPoints> nearest(queries);
    QueryWorkspace workspace;
    const QueryResult r = closest_points_all(s.finder, s.queries(), radii, offsets, all, workspace);
    ASSERT_TRUE(r.status) << r.status.what;
    ASSERT_TRUE(closest_points(s.finder, s.queries(), radii, nearest, workspace).status);
    std::size_t found = 0;
    std::size_t apart = 0;
    double worst = 0;
    double off = 0;
    for (std::uint32_t q = 0; q < queries; ++q) {
        const std::span<const ClosestPoints> list(all.data() + offsets[q], offsets[q + 1] - offsets[q]);
        if (list.empty()) {
            EXPECT_EQ(nearest[q].body, kNoBody);
        } else {
            EXPECT_EQ(std::memcmp(&nearest[q], list.data(), sizeof(ClosestPoints)), 0) << q;
        }
        for (std::uint32_t b = 0; b < bodies; ++b) {
            const OracleDistance d = oracle_distance(s, q, b);
            const auto of = std::find_if(list.begin(), list.end(), [b](const auto& c) { return c.body == b; });
            if (of == list.end()) {
                EXPECT_GT(d.distance, static_cast<double>(radii[q]) - d.bound) << q << " " << b;
                continue;
            }
            ++found;
            worst = std::max(worst, std::fabs(static_cast<double>(of->distance) - d.distance) / d.bound * kBound);
            EXPECT_NEAR(static_cast<double>(of->distance), d.distance, d.bound) << q << " " << b;
            if (of->distance <= 0) continue;
            // The two points are on their surfaces and as far apart as the record says.
            ++apart;
            const BodyD& shape = s.shapes.bodies[q];
            const Vec3d origin = {shape.position[0], shape.position[1], shape.position[2]};
            const Vec3d x = origin + to_double({of->on_shape[0], of->on_shape[1], of->on_shape[2]});
            const Vec3d y = origin + to_double({of->on_body[0], of->on_body[1], of->on_body[2]});
            const RayPart& one = s.shapes.part(q, of->shape_child);
            const RayPart& other = s.scene.part(b, of->child);
            const double slack = 5 * d.bound + 1e-6;
            EXPECT_NEAR(length(y - x), static_cast<double>(of->distance), slack);
            off = std::max({off, std::fabs(one.distance(x)), std::fabs(other.distance(y))});
            EXPECT_NEAR(one.distance(x), 0, slack) << q << " " << b;
            EXPECT_NEAR(other.distance(y), 0, slack) << q << " " << b;
        }
    }
    std::printf("%zu found, %zu apart; worst distance %.2g of size, points off by %.2g\n", found, apart, worst, off);
    EXPECT_GT(found, 300U);
    EXPECT_GT(apart, 200U);
}

// The record of a query and a body or child as a sweep of two bodies gives it.
SweepRecord swept(const ShapeScene& s, std::uint32_t q, const BodyD& body) {
    const BodyD begin[2] = {s.shapes.bodies[q], body};
    const BodyD end[2] = {s.ends[q], body};
    const Pair pairs[1] = {{0, 1}};
    SweepRecord out[1];
    SweepWorkspace workspace;
    EXPECT_TRUE(sweep_serial(s.scene.hulls, BodyView(begin), BodyView(end), pairs, {}, out, workspace).status);
    return out[0];
}

void expect_cast(const ShapeScene& s, std::uint32_t q, std::span<const ShapeHit> hits, std::size_t (&by_state)[4]) {
    std::size_t expected = 0;
    for (std::uint32_t b = 0; b + 1 < s.scene.bodies.size(); ++b) {
        const BodyD& body = s.scene.bodies[b];
        const std::size_t children = s.scene.hulls.child_count(body.hull);
        for (std::uint32_t c = 0; c < std::max<std::size_t>(1, children); ++c) {
            const SweepRecord r = swept(s, q, children == 0 ? body : child_body(s.scene.hulls, body, c));
            const auto h =
                std::find_if(hits.begin(), hits.end(), [&](const ShapeHit& x) { return x.body == b && x.child == c; });
            ++by_state[static_cast<std::size_t>(r.state)];
            if (r.state == SweepState::miss) {
                EXPECT_EQ(h, hits.end());
                continue;
            }
            ++expected;
            ASSERT_NE(h, hits.end()) << q << " " << b;
            EXPECT_EQ(h->state, r.state);
            EXPECT_EQ(h->fraction, r.fraction);
            EXPECT_EQ(h->distance, r.distance);
            EXPECT_EQ(std::memcmp(h->normal, r.normal, sizeof r.normal), 0);
            EXPECT_EQ(std::memcmp(h->point, r.point, sizeof r.point), 0);
            EXPECT_EQ(h->feature_shape, r.feature_a);
            EXPECT_EQ(h->feature_body, r.feature_b);
        }
    }
    const auto plane = static_cast<std::uint32_t>(s.scene.bodies.size() - 1);
    expected += static_cast<std::size_t>(
        std::count_if(hits.begin(), hits.end(), [plane](const ShapeHit& h) { return h.body == plane; }));
    EXPECT_EQ(hits.size(), expected);
}

TEST(SceneShapes, CastsEqualSweepsOfAllPairs) {
    ShapeScene s = make_scene(43, 140, 60, false);
    const auto queries = static_cast<std::uint32_t>(s.shapes.bodies.size());
    std::vector<std::uint64_t> offsets(queries + 1);
    std::vector<ShapeHit> all(queries * 200);
    std::vector<ShapeHit> first(queries);
    QueryWorkspace workspace;
    const QueryResult r = cast_shapes_all(s.finder, s.queries(), s.last(), {}, offsets, all, workspace);
    ASSERT_TRUE(r.status) << r.status.what;
    ASSERT_TRUE(cast_shapes(s.finder, s.queries(), s.last(), {}, first, workspace).status);
    std::size_t by_state[4] = {};
    for (std::uint32_t q = 0; q < queries; ++q) {
        const std::span<const ShapeHit> hits(all.data() + offsets[q], offsets[q + 1] - offsets[q]);
        expect_cast(s, q, hits, by_state);
        if (hits.empty()) {
            EXPECT_EQ(first[q].body, kNoBody);
            EXPECT_EQ(first[q].fraction, 1);
        } else {
            EXPECT_EQ(std::memcmp(&first[q], hits.data(), sizeof(ShapeHit)), 0) << q;
        }
    }
    std::printf("misses %zu, hits %zu, overlapping %zu; %zu candidates\n", by_state[0], by_state[1], by_state[2],
                static_cast<std::size_t>(r.candidates));
    EXPECT_GT(by_state[0], 500U);
    EXPECT_GT(by_state[1], 50U);
    EXPECT_GT(by_state[2], 20U);
    EXPECT_LT(r.candidates, by_state[0]) << "boxes must leave out most pairs";
}

TEST(SceneShapes, CastsAtAPlaneAreClosedForms) {
    ShapeScene s = make_scene(44, 1, 300, false);
    const RayPart& plane = s.scene.parts.back();
    const auto queries = static_cast<std::uint32_t>(s.shapes.bodies.size());
    for (std::uint32_t q = 0; q < queries; ++q) s.ends[q].position[2] -= 8;
    std::vector<std::uint64_t> offsets(queries + 1);
    std::vector<ShapeHit> all(queries * 4);
    QueryWorkspace workspace;
    ASSERT_TRUE(cast_shapes_all(s.finder, s.queries(), s.last(), {}, offsets, all, workspace).status);
    std::size_t by_state[4] = {};
    double worst = 0;
    for (std::uint32_t q = 0; q < queries; ++q) {
        const auto* const h = std::find_if(all.data() + offsets[q], all.data() + offsets[q + 1],
                                           [&](const ShapeHit& x) { return x.body == plane.body; });
        const BodyD& b = s.shapes.bodies[q];
        const BodyD& e = s.ends[q];
        const auto distance = [&](double t) {
            PoseD pose = s.shapes.parts[q].pose;
            pose.position =
                pose.position + Vec3d{(e.position[0] - b.position[0]) * t, (e.position[1] - b.position[1]) * t,
                                      (e.position[2] - b.position[2]) * t};
            return reference::signed_distance(s.shapes.parts[q].hull, pose, plane.hull, plane.pose).distance;
        };
        // tests/sweep/kinds_test.cpp has those that turn.
        if (q % 2 != 0) continue;
        if (h == all.data() + offsets[q + 1]) {
            ++by_state[0];
            EXPECT_GT(std::min(distance(0), distance(1)), -1e-9) << q;
            continue;
        }
        ++by_state[static_cast<std::size_t>(h->state)];
        if (h->state == SweepState::overlapping) {
            EXPECT_LE(distance(0), 1e-9);
            continue;
        }
        worst = std::max(worst, std::fabs(distance(h->fraction)));
        EXPECT_NEAR(distance(h->fraction), 0, 1e-6) << q;
        EXPECT_GE(distance(h->fraction), -1e-9) << "late: " << q;
    }
    std::printf("misses %zu, hits %zu, overlapping %zu, failed %zu; off by %.2g\n", by_state[0], by_state[1],
                by_state[2], by_state[3], worst);
    EXPECT_GT(by_state[0], 20U);
    EXPECT_GT(by_state[1], 20U);
    EXPECT_GT(by_state[2], 2U);
    EXPECT_EQ(by_state[3], 0U);
}

template <class Record, class Call>
void expect_any_threads(std::size_t queries, const Call& call) {
    std::vector<std::uint64_t> offsets(queries + 1);
    std::vector<Record> out(queries * 300);
    QueryWorkspace workspace;
    const QueryResult r = call(offsets, out, workspace, 1U);
    ASSERT_TRUE(r.status) << r.status.what;
    ASSERT_GT(r.written, 20U);
    tbb::task_arena arena(4);
    std::vector<std::uint64_t> other(queries + 1);
    std::vector<Record> again(r.written);
    arena.execute([&] { ASSERT_TRUE(call(other, again, workspace, 0U).status); });
    EXPECT_EQ(other, offsets);
    EXPECT_EQ(std::memcmp(again.data(), out.data(), r.written * sizeof(Record)), 0);
    again.resize(r.written / 2);
    const QueryResult less = call(other, again, workspace, 0U);
    EXPECT_EQ(less.status.code, Status::truncated);
    EXPECT_EQ(less.required, r.required);
    EXPECT_EQ(other, offsets);
    EXPECT_EQ(less.written, offsets[less.next_query]);
    EXPECT_GT(offsets[less.next_query + 1], again.size());
    EXPECT_EQ(std::memcmp(again.data(), out.data(), less.written * sizeof(Record)), 0);
}

TEST(SceneShapes, AnyThreadsGiveTheSameAndTruncatedCallsHaveWholeQueries) {
    ShapeScene s = make_scene(45, 80, 70, false);
    const std::size_t n = s.shapes.bodies.size();
    const std::vector<float> radii(n, 2);
    const auto options = [](unsigned threads) {
        QueryOptions o;
        o.threads = threads;
        return o;
    };
    expect_any_threads<std::uint32_t>(n, [&](auto& offsets, auto& out, auto& workspace, unsigned threads) {
        return overlap_scene(s.finder, s.queries(), 1, offsets, out, workspace, options(threads));
    });
    expect_any_threads<ClosestPoints>(n, [&](auto& offsets, auto& out, auto& workspace, unsigned threads) {
        return closest_points_all(s.finder, s.queries(), radii, offsets, out, workspace, options(threads));
    });
    expect_any_threads<ShapeHit>(n, [&](auto& offsets, auto& out, auto& workspace, unsigned threads) {
        return cast_shapes_all(s.finder, s.queries(), s.last(), {}, offsets, out, workspace, {}, options(threads));
    });
}

TEST(SceneShapes, BadShapesAreAStatusOfTheirQuery) {
    ShapeScene s = make_scene(46, 60, 40, false);
    const std::size_t n = s.shapes.bodies.size();
    const std::vector<float> radii(n, 3);
    std::vector<ClosestPoints> good(n);
    std::vector<ShapeHit> good_casts(n);
    QueryWorkspace workspace;
    ASSERT_TRUE(closest_points(s.finder, s.queries(), radii, good, workspace).status);
    ASSERT_TRUE(cast_shapes(s.finder, s.queries(), s.last(), {}, good_casts, workspace).status);
    s.shapes.bodies[3].position[0] = std::numeric_limits<double>::quiet_NaN();
    s.shapes.bodies[4].hull = 5000;
    s.shapes.bodies[5].hull = static_cast<std::uint32_t>(s.scene.hulls.size() - 1);  // a half-space
    s.ends[6].position[2] = std::numeric_limits<double>::infinity();
    const Status expected[4] = {Status::bad_pose, Status::bad_hull, Status::bad_hull, Status::bad_pose};
    std::vector<ClosestPoints> out(n);
    std::vector<ShapeHit> casts(n);
    const QueryResult r = closest_points(s.finder, s.queries(), radii, out, workspace);
    EXPECT_EQ(r.first_bad, 3U);
    EXPECT_EQ(r.by_status[static_cast<std::size_t>(Status::bad_hull)], 2U);
    ASSERT_TRUE(cast_shapes(s.finder, s.queries(), s.last(), {}, casts, workspace).status);
    for (std::size_t q = 0; q < n; ++q) {
        if (q >= 3 && q <= 6) {
            EXPECT_EQ(casts[q].status, expected[q - 3]) << q;
            EXPECT_EQ(casts[q].state, SweepState::failed) << q;
        } else {
            EXPECT_EQ(std::memcmp(&casts[q], &good_casts[q], sizeof(ShapeHit)), 0) << q;
        }
        if (q >= 3 && q <= 5) {
            EXPECT_EQ(out[q].status, expected[q - 3]) << q;
            EXPECT_EQ(out[q].body, kNoBody) << q;
        } else {
            EXPECT_EQ(std::memcmp(&out[q], &good[q], sizeof(ClosestPoints)), 0) << q;
        }
    }
    std::vector<std::uint64_t> offsets(n + 1);
    std::vector<std::uint32_t> bodies(n * 100);
    std::vector<Status> statuses(n);
    ASSERT_TRUE(overlap_scene(s.finder, s.queries(), 0, offsets, bodies, workspace, {}, statuses).status);
    for (std::size_t q = 0; q < n; ++q) EXPECT_EQ(statuses[q], q >= 3 && q <= 5 ? expected[q - 3] : Status::ok) << q;
    EXPECT_STREQ(overlap_scene(s.finder, s.queries(), -1, offsets, bodies, workspace).status.what,
                 "margin must be 0 or more, and at most 1e30");
    std::vector<float> negative = radii;
    negative[7] = -1;
    const QueryResult refused = closest_points(s.finder, s.queries(), negative, out, workspace);
    EXPECT_STREQ(refused.status.what, "radii must be 0 or more, and at most 1e30");
    EXPECT_EQ(refused.status.where, 7U);
    SweepOptions target;
    target.target = -1;
    EXPECT_STREQ(cast_shapes(s.finder, s.queries(), s.last(), target, casts, workspace).status.what,
                 "target must be 0 or more, and finite");
}

}  // namespace
}  // namespace lanefold::test
