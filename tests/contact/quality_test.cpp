// SPDX-License-Identifier: MIT
//
// Quality of manifolds for a solver: how much of the contact area four points keep, that the deepest point is always
// among them, that points keep their ids while bodies move a little. Measured on the stored piles and on random shallow
// contacts of faceted and of round hulls; the distributions are printed. The oracle sweeps check that points lie on
// both surfaces and agree with the normal.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/serial.hpp>

#include "support/polygons.hpp"
#include "support/stored_scene.hpp"
#include "support/sweep.hpp"

namespace lanefold::test {
namespace {

struct Scene {
    std::string name;
    StoredScene stored;
    Library made;
    std::vector<BodyD> bodies;
    std::vector<Pair> pairs;
    Options options;
    const Library* library = nullptr;
};

void stored_pile(const char* name, Scene& s) {
    s.name = name;
    s.stored = read_stored_scene(std::string(LANEFOLD_TEST_DATA) + "/scenes/" + name);
    s.library = &s.stored.library;
    s.pairs = s.stored.pairs;
    for (const Body& b : s.stored.bodies) {
        BodyD d{};
        std::copy(b.position, b.position + 3, d.position);
        std::copy(b.orientation, b.orientation + 4, d.orientation);
        d.hull = b.hull;
        s.bodies.push_back(d);
    }
    s.options.margin = 0.02F;
}

// Contacts as a simulation makes them: shallow overlaps and small gaps.
void shallow_contacts(const char* name, std::uint64_t seed, std::span<const Shape> shapes, Scene& s) {
    SweepConfig config;
    config.seed = sweep_seed(seed);
    config.pairs = sweep_pairs(12000, 400000);
    config.shapes = shapes;
    config.min_scale = 0.7;
    config.max_scale = 1.4;
    config.reach = 0.01;
    config.kinds_mask = 1U << static_cast<unsigned>(PoseKind::shallow) | 1U << static_cast<unsigned>(PoseKind::near) |
                        1U << static_cast<unsigned>(PoseKind::touching);
    config.float_positions = false;
    s.name = std::string(name) + ", seed " + std::to_string(config.seed);
    s.made = random_library(config.seed, config.hulls, config.shapes, config.min_scale, config.max_scale);
    SweepBlock block = make_block(config, s.made, 0, config.pairs);
    s.library = &s.made;
    s.bodies = std::move(block.bodies);
    s.pairs = std::move(block.pairs);
    s.options.margin = 0.02F;
}

constexpr Shape kFaceted[] = {Shape::box,   Shape::rotated_box, Shape::wedge,
                              Shape::prism, Shape::octahedron,  Shape::debris};
constexpr Shape kRound[] = {Shape::cylinder, Shape::sphere, Shape::rock, Shape::prism};

template <class Test>
void for_each_scene(const Test& test) {
    for (int k = 0; k < 4; ++k) {
        Scene s;
        if (k == 0) stored_pile("boxes_pile", s);
        if (k == 1) stored_pile("debris_pile", s);
        if (k == 2) shallow_contacts("faceted hulls", 761, kFaceted, s);
        if (k == 3) shallow_contacts("cylinders, spheres, rocks, prisms", 762, kRound, s);
        SCOPED_TRACE(s.name);
        test(s);
    }
}

template <class M>
std::vector<M> run(const Scene& s) {
    Workspace workspace;
    std::vector<M> out(s.pairs.size());
    const BatchResult r = collide_serial(s.library->hulls, std::span<const BodyD>(s.bodies), s.pairs, s.options,
                                         std::span<M>(out), workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    return out;
}

double cross2(const Point2& a, const Point2& b, const Point2& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Two axes across a unit normal; seen against it they turn counter-clockwise.
std::pair<Vec3d, Vec3d> plane_axes(const Vec3d& n) {
    const Vec3d across = normalized(cross(n, std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
    return {across, cross(n, across)};
}

// The points of a manifold seen along its normal.
template <class M>
std::vector<Point2> flat_points(const M& m) {
    const Vec3d n = normalized(Vec3d{m.normal[0], m.normal[1], m.normal[2]});
    const auto [across, along] = plane_axes(n);
    std::vector<Point2> out;
    for (int i = 0; i < m.count; ++i) {
        const Vec3d p{m.points[i].position[0], m.points[i].position[1], m.points[i].position[2]};
        out.push_back({dot(across, p), dot(along, p)});
    }
    return out;
}

double area_of(const std::vector<Point2>& points) {
    const std::vector<Point2> o = convex_hull(points);
    double twice = 0;
    for (std::size_t i = 2; i < o.size(); ++i) twice += cross2(o[0], o[i - 1], o[i]);
    return 0.5 * twice;
}

// The largest area of any four of the points, one of them `kept`. No reduction to four can exceed it.
double best_of_four(const std::vector<Point2>& p, std::size_t kept) {
    double best = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        for (std::size_t j = i + 1; j < p.size(); ++j) {
            for (std::size_t k = j + 1; k < p.size(); ++k) {
                if (i == kept || j == kept || k == kept) continue;
                best = std::max(best, area_of({p[kept], p[i], p[j], p[k]}));
            }
        }
    }
    return best;
}

template <class M>
std::size_t deepest_index(const M& m) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < m.count; ++i) {
        if (m.points[i].separation < m.points[best].separation) best = i;
    }
    return best;
}

struct Distribution {
    std::vector<double> values;

    double at(double quantile) {
        if (values.empty()) return 0;
        std::sort(values.begin(), values.end());
        return values[static_cast<std::size_t>(quantile * static_cast<double>(values.size() - 1))];
    }
    double mean() const {
        double sum = 0;
        for (const double v : values) sum += v;
        return sum / static_cast<double>(values.size());
    }
    double share_from(double limit) const {
        const auto n = std::count_if(values.begin(), values.end(), [&](double v) { return v >= limit; });
        return 100.0 * static_cast<double>(n) / static_cast<double>(values.size());
    }
};

TEST(ManifoldQuality, FourPointsKeepTheContactArea) {
    for_each_scene([](Scene& s) {
        const std::vector<Manifold4> four = run<Manifold4>(s);
        const std::vector<Manifold16> all = run<Manifold16>(s);
        Distribution of_polygon;
        Distribution of_best;
        Distribution of_all;  // contacts of three points and more, whether reduced or not
        std::size_t multi = 0;
        std::size_t beyond = 0;
        for (std::size_t i = 0; i < four.size(); ++i) {
            const Manifold4& m = four[i];
            if (m.kind == ContactKind::none) continue;
            ASSERT_EQ(m.total, all[i].total) << i;
            multi += m.count > 1 ? 1U : 0U;
            // The deepest of all is always kept.
            ASSERT_EQ(m.points[deepest_index(m)].separation, all[i].points[deepest_index(all[i])].separation) << i;
            if (m.total == 3 || m.total == 4) of_all.values.push_back(1);
            if (m.total <= 4) continue;
            if (m.total > 16) ++beyond;  // compared with the sixteen that were kept
            const std::vector<Point2> points = flat_points(all[i]);
            const double whole = area_of(points);
            const double size = std::min(s.library->oracle[s.bodies[s.pairs[i].a].hull].size,
                                         s.library->oracle[s.bodies[s.pairs[i].b].hull].size);
            if (whole < 1e-6 * size * size) continue;  // a line: no area to keep
            const double kept = area_of(flat_points(m));
            of_polygon.values.push_back(kept / whole);
            of_all.values.push_back(kept / whole);
            of_best.values.push_back(kept / best_of_four(points, deepest_index(all[i])));
        }
        std::printf(
            "%s: %zu contacts of several points, %zu of more than four (%zu of more than sixteen); area of the "
            "four, of the whole polygon: least %.3f, 1%% %.3f, median %.3f, %.1f%% keep 90%%; of the best four "
            "with the deepest: least %.3f, 1%% %.3f, median %.3f, %.1f%% keep 90%%. Of all %zu contacts with an area "
            "%.1f%% keep 90%% of it, on average %.2f%%\n",
            s.name.c_str(), multi, of_polygon.values.size(), beyond, of_polygon.at(0), of_polygon.at(0.01),
            of_polygon.at(0.5), of_polygon.share_from(0.9), of_best.at(0), of_best.at(0.01), of_best.at(0.5),
            of_best.share_from(0.9), of_all.values.size(), of_all.share_from(0.9), 100.0 * of_all.mean());
        // Compared with the best four points, because no four keep the whole area (of a regular octagon at most 71%).
        EXPECT_GT(multi, s.pairs.size() / 10);
        EXPECT_GT(of_polygon.values.size(), 30U);
        EXPECT_GT(of_best.at(0.5), 0.99);
        EXPECT_GT(of_best.at(0.0), 0.7);
        EXPECT_GT(of_best.share_from(0.9), 93.0);
        if (s.stored.pairs.empty()) return;
        EXPECT_GT(of_polygon.at(0.5), 0.9);
        EXPECT_GT(of_all.mean(), 0.95);
        EXPECT_GT(of_all.share_from(0.9), 85.0);
    });
}

// A face of a hull in world axes about `origin`.
std::vector<Vec3d> face_corners(const HullRecord& record, const reference::OracleHull& hull, std::uint32_t face,
                                const PoseD& pose, const Vec3d& origin) {
    const detail::HullView view(record);
    std::vector<Vec3d> out;
    for (std::uint32_t k = view.face_first[face]; k < view.face_first[face + 1]; ++k) {
        out.push_back(pose.rotation * hull.vertices[view.face_vertex[k]] + (pose.position - origin));
    }
    return out;
}

// The area in which the two faces of the record face each other, by an intersection of polygons that shares no code
// with the engine. Corners further apart than the margin are no contact.
double facing_area(const Scene& s, std::size_t i, const Manifold16& m) {
    const BodyD& a = s.bodies[s.pairs[i].a];
    const BodyD& b = s.bodies[s.pairs[i].b];
    const PoseD pose_a = pose_of(a);
    const PoseD pose_b = pose_of(b);
    const Vec3d n = normalized(Vec3d{m.normal[0], m.normal[1], m.normal[2]});
    const std::pair<Vec3d, Vec3d> axes = plane_axes(n);
    const Vec3d &u = axes.first, &v = axes.second;  // clang 14 captures no structured binding
    // Heights along the normal are a plane over (u, v): h = h0 + gu u + gv v.
    struct Side {
        std::vector<Point2> outline;
        double h0, gu, gv;
    };
    const auto side = [&](const std::vector<Vec3d>& corners) {
        Side out{};
        Vec3d normal;
        for (std::size_t k = 0; k < corners.size(); ++k) {
            out.outline.push_back({dot(u, corners[k]), dot(v, corners[k])});
            normal = normal + cross(corners[k] - corners[0], corners[(k + 1) % corners.size()] - corners[0]);
        }
        out.gu = -dot(normal, u) / dot(normal, n);
        out.gv = -dot(normal, v) / dot(normal, n);
        out.h0 = dot(n, corners[0]) - out.gu * out.outline[0].x - out.gv * out.outline[0].y;
        if (dot(normal, n) < 0) std::reverse(out.outline.begin(), out.outline.end());
        return out;
    };
    const Side side_a =
        side(face_corners(s.library->hulls[a.hull], s.library->oracle[a.hull], m.feature_a, pose_a, pose_a.position));
    const Side side_b =
        side(face_corners(s.library->hulls[b.hull], s.library->oracle[b.hull], m.feature_b, pose_b, pose_a.position));
    std::vector<Point2> within;
    for (const Point2& p : intersection(side_b.outline, side_a.outline)) {
        const double gap =
            (side_b.h0 + side_b.gu * p.x + side_b.gv * p.y) - (side_a.h0 + side_a.gu * p.x + side_a.gv * p.y);
        if (gap <= static_cast<double>(s.options.margin)) within.push_back(p);
    }
    return area(within);
}

// No corner of the contact is lost by clipping: the outline of all points has the area in which the faces overlap.
TEST(ManifoldQuality, PointsSpanTheWholeAreaInWhichTheFacesMeet) {
    for_each_scene([](Scene& s) {
        const std::vector<Manifold16> all = run<Manifold16>(s);
        std::size_t faces = 0;
        std::size_t off = 0;
        double worst = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Manifold16& m = all[i];
            if ((m.kind != ContactKind::face_a && m.kind != ContactKind::face_b) || m.total > 16) continue;
            ++faces;
            const double size = std::min(s.library->oracle[s.bodies[s.pairs[i].a].hull].size,
                                         s.library->oracle[s.bodies[s.pairs[i].b].hull].size);
            const double expected = facing_area(s, i, m);
            const double found = area_of(flat_points(m));
            // Corners within rounding of a side or of the margin may count or not: they move the area by a sliver.
            const double difference = std::fabs(found - expected) / (size * size);
            worst = std::max(worst, difference);
            if (difference <= 1e-4) continue;
            if (++off <= 5) {
                std::printf("  pair %zu: kind %d, %d points, area %.6g, the faces' %.6g of size^2\n", i, int(m.kind),
                            int(m.total), found / (size * size), expected / (size * size));
            }
        }
        std::printf("%s: %zu face contacts, worst difference of area %.2e of size^2, %zu beyond 1e-4\n", s.name.c_str(),
                    faces, worst, off);
        EXPECT_GT(faces, s.pairs.size() / 10);
        EXPECT_EQ(off, 0U);
    });
}

// Counts of what stays between two frames of slowly moving bodies.
struct Kept {
    std::size_t pairs = 0;          // in contact in both
    std::size_t same_features = 0;  // of these: with the same kind and features
    std::size_t points = 0;         // of their points: near a point of the frame before
    std::size_t same_id = 0;        // of these: with its id
};

double apart(const ContactPoint& p, const ContactPoint& q) {
    return length(Vec3d{p.position[0], p.position[1], p.position[2]} -
                  Vec3d{q.position[0], q.position[1], q.position[2]});
}

void count_kept(const Manifold4& before, const Manifold4& now, double near, Kept& kept) {
    if (before.kind == ContactKind::none || now.kind == ContactKind::none) return;
    ++kept.pairs;
    if (before.kind != now.kind || before.feature_a != now.feature_a || before.feature_b != now.feature_b) return;
    ++kept.same_features;
    for (int k = 0; k < now.count; ++k) {
        const ContactPoint& point = now.points[k];
        const ContactPoint* nearest = std::min_element(
            before.points, before.points + before.count,
            [&](const ContactPoint& p, const ContactPoint& q) { return apart(p, point) < apart(q, point); });
        if (apart(*nearest, point) > near) continue;
        ++kept.points;
        kept.same_id += nearest->feature == point.feature ? 1U : 0U;
    }
}

// How each body of a scene moves per frame.
struct Motion {
    std::vector<Vec3d> drift;
    std::vector<Quat> spin;

    // step: of the body's size, and radians
    Motion(const Scene& s, double step) {
        for (std::uint32_t i = 0; i < s.bodies.size(); ++i) {
            Random random(763, i);
            drift.push_back(random.in_ball() * (step * s.library->oracle[s.bodies[i].hull].size));
            spin.push_back(about(random.direction(), step));
        }
    }

    void apply(Scene& s) const {
        for (std::size_t i = 0; i < s.bodies.size(); ++i) {
            BodyD& b = s.bodies[i];
            b.position[0] += drift[i].x;
            b.position[1] += drift[i].y;
            b.position[2] += drift[i].z;
            const Quat now{b.orientation[0], b.orientation[1], b.orientation[2], b.orientation[3]};
            set_orientation(b, spin[i] * now);
        }
    }
};

// Every body drifts and turns a little per frame. If a point of the same two features was at a point's place in the
// frame before, the point must have its id.
TEST(ManifoldQuality, IdsStayWhileBodiesMoveALittle) {
    constexpr int kFrames = 10;
    constexpr double kStep = 1e-4;  // per frame, of the body's size, and radians
    for_each_scene([](Scene& s) {
        const Motion motion(s, kStep);
        std::vector<Manifold4> before = run<Manifold4>(s);
        Kept kept;
        for (int frame = 1; frame < kFrames; ++frame) {
            motion.apply(s);
            std::vector<Manifold4> now = run<Manifold4>(s);
            for (std::size_t i = 0; i < now.size(); ++i) {
                const double size_a = s.library->oracle[s.bodies[s.pairs[i].a].hull].size;
                const double size_b = s.library->oracle[s.bodies[s.pairs[i].b].hull].size;
                count_kept(before[i], now[i], 20 * kStep * std::min(size_a, size_b), kept);
            }
            before = std::move(now);
        }
        const double features = 100.0 * static_cast<double>(kept.same_features) / static_cast<double>(kept.pairs);
        const double ids = 100.0 * static_cast<double>(kept.same_id) / static_cast<double>(kept.points);
        std::printf(
            "%s: %zu contacts followed over %d steps, %.2f%% keep kind and features; %zu of their points stay in "
            "place, %.3f%% of these keep their id\n",
            s.name.c_str(), kept.pairs, kFrames - 1, features, kept.points, ids);
        EXPECT_GT(kept.points, s.pairs.size());
        // A third of the random pairs are aligned to the last bit: corners on corners, where two names fit one point.
        EXPECT_GT(features, s.stored.pairs.empty() ? 98.0 : 99.5);
        EXPECT_GT(ids, s.stored.pairs.empty() ? 97.0 : 99.9);
    });
}

}  // namespace
}  // namespace lanefold::test
