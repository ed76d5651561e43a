// SPDX-License-Identifier: MIT
//
// Scenes in which features flicker, for tests of hysteresis: bodies that tremble about their start, and a check of
// their frames by the judge.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "support/coherent_scene.hpp"
#include "support/flicker.hpp"
#include "support/poses.hpp"
#include "support/question.hpp"
#include "support/stored_scene.hpp"

namespace lanefold::test {

// A scene whose bodies tremble about their start: by `reach` in position and `angle` radians in orientation, each body
// with its own frequency. Bodies at rest on others stay at rest on them.
class Trembling {
public:
    Trembling(std::vector<Body> bodies, std::vector<Pair> pairs, double reach, double angle, std::uint64_t seed)
        : start_{std::move(bodies), std::move(pairs)}, reach_(reach), angle_(angle) {
        Random random(seed);
        for (std::size_t i = 0; i < start_.bodies.size(); ++i) {
            rhythms_.push_back({random.direction(), random.direction(), random.uniform(0.2, 1.0),
                                random.uniform(0.2, 1.0), random.uniform(0, 6)});
        }
        std::sort(start_.pairs.begin(), start_.pairs.end());
    }

    void operator()(int frame, Frame& out) const {
        out = start_;
        for (std::size_t i = 0; i < out.bodies.size(); ++i) {
            const Rhythm& r = rhythms_[i];
            Body& body = out.bodies[i];
            const double s = reach_ * std::sin(r.pace * frame + r.phase);
            body.position[0] += static_cast<float>(r.way.x * s);
            body.position[1] += static_cast<float>(r.way.y * s);
            body.position[2] += static_cast<float>(r.way.z * s);
            const float axis[3] = {static_cast<float>(r.axis.x), static_cast<float>(r.axis.y),
                                   static_cast<float>(r.axis.z)};
            CoherentScene::turn(axis, static_cast<float>(angle_ * std::sin(r.spin * frame + 2 * r.phase)),
                                start_.bodies[i].orientation, body.orientation);
        }
    }

private:
    struct Rhythm {
        Vec3d way;
        Vec3d axis;
        double pace;
        double spin;
        double phase;
    };

    Frame start_;
    double reach_;
    double angle_;
    std::vector<Rhythm> rhythms_;
};

struct Scenario {
    const char* name;
    Library library;
    Frames frames;
    Options options;
};

// 40 stacks of 6 boxes, all tilted by 0.2 degrees, each box sunk by a thousandth into the one below.
inline Scenario tilted_stacks() {
    Scenario s;
    s.name = "tilted stacks of boxes";
    const Points lists[] = {box_points(0.5, 0.5, 0.25), box_points(0.4, 0.45, 0.25)};
    s.library = build_library(lists);
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    const Quat tilt = about({0.6, 0.8, 0}, 0.0035);
    Random random(3);
    for (std::uint32_t stack = 0; stack < 40; ++stack) {
        for (std::uint32_t level = 0; level < 6; ++level) {
            Body b{};
            const Vec3d up =
                rotation(tilt) * Vec3d{random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), 0.499 * level};
            b.position[0] = static_cast<float>(up.x + 3 * stack);
            b.position[1] = static_cast<float>(up.y);
            b.position[2] = static_cast<float>(up.z);
            b.hull = level % 2;
            set_orientation(b, tilt * about({0, 0, 1}, random.uniform(-0.3, 0.3)));
            if (level > 0) pairs.push_back({6 * stack + level - 1, 6 * stack + level});
            bodies.push_back(b);
        }
    }
    s.frames = Trembling(bodies, pairs, 1e-4, 5e-4, 17);
    s.options.margin = 0.01F;
    return s;
}

// 30 stacks of 6 bodies of this shape flush on each other, each turned about the upright. `sunk`: by how much a body is
// sunk into the one below; negative: by how much it is above. They tremble by `angle`.
inline Scenario flush_stacks(const char* name, const Points& shape, double height, double sunk, double angle) {
    Scenario s;
    s.name = name;
    const Points lists[] = {shape};
    s.library = build_library(lists);
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    Random random(11);
    for (std::uint32_t stack = 0; stack < 30; ++stack) {
        for (std::uint32_t level = 0; level < 6; ++level) {
            Body b{};
            b.position[0] = static_cast<float>(random.uniform(-0.1, 0.1) + 3 * stack);
            b.position[1] = static_cast<float>(random.uniform(-0.1, 0.1));
            b.position[2] = static_cast<float>((height - sunk) * level);
            set_orientation(b, about({0, 0, 1}, random.uniform(0, 3)));
            if (level > 0) pairs.push_back({6 * stack + level - 1, 6 * stack + level});
            bodies.push_back(b);
        }
    }
    s.frames = Trembling(bodies, pairs, 0.2 * angle, angle, 23);
    s.options.margin = 0.02F;
    return s;
}

// Flush stacks of boxes, bricks and prisms of few and of many sides.
inline std::vector<Scenario> all_flush_stacks(double sunk, double angle) {
    std::vector<Scenario> all;
    all.push_back(flush_stacks("stacks of boxes", box_points(0.5, 0.5, 0.25), 0.5, sunk, angle));
    all.push_back(flush_stacks("stacks of bricks", box_points(0.5, 0.25, 0.15), 0.3, sunk, angle));
    for (const std::uint32_t sides : {3U, 6U, 8U, 16U})
        all.push_back(flush_stacks("stacks of prisms", prism_points(sides, 0.6, 0.25), 0.5, sunk, angle));
    return all;
}

// Cylinders that stand on a plate of 2 * half, which is the first or the last body. Their lids are bent: the rim's
// points lie up to 2e-4 above the plane, so each lid of the hull has facets whose neighbours are nearly coplanar.
inline Scenario bent_lids(double half = 40, bool plate_first = true) {
    Scenario s;
    s.name = "cylinders with bent lids";
    std::vector<Points> lists{box_points(half, half, 0.5)};
    Random random(9);
    for (int n = 0; n < 8; ++n) {
        Points points = prism_points(static_cast<std::uint32_t>(10 + 2 * n), 0.5, 0.5);
        for (Vec3f& p : points) p.z += static_cast<float>(random.uniform(-1e-4, 1e-4));
        lists.push_back(points);
    }
    s.library = build_library(lists);
    Body plate{};
    plate.position[2] = -0.5F;
    set_orientation(plate, Quat{});
    std::vector<Body> bodies;
    if (plate_first) bodies.push_back(plate);
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < 200; ++i) {
        Body b{};
        const std::uint32_t row = i / 20;
        b.position[0] = static_cast<float>(i % 20) * 2.5F - 24.0F;
        b.position[1] = static_cast<float>(row) * 2.5F - 12.0F;
        b.position[2] = 0.4998F;
        b.hull = 1 + i % 8;
        set_orientation(b, about({0, 0, 1}, random.uniform(0, 3)));
        pairs.push_back(plate_first ? Pair{0, i + 1} : Pair{i, 200});
        bodies.push_back(b);
    }
    if (!plate_first) bodies.push_back(plate);
    s.frames = Trembling(bodies, pairs, 1e-4, 4e-4, 18);
    s.options.margin = 0.01F;
    return s;
}

inline Scenario trembling_pile(const char* name, const char* folder) {
    Scenario s;
    s.name = name;
    StoredScene scene = read_stored_scene(std::string(LANEFOLD_TEST_DATA) + "/scenes/" + folder);
    s.library = std::move(scene.library);
    s.frames = Trembling(scene.bodies, scene.pairs, 1e-4, 5e-4, 19);
    s.options.margin = 0.02F;
    return s;
}

// Drifting bodies that overlap deeply, for which choices are hardest.
inline Scenario drifting_crowd() {
    Scenario s;
    s.name = "drifting crowd";
    s.library = random_library(5, 40, small_shapes(), 0.5, 1.5);
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    Random random(21);
    for (std::uint32_t i = 0; i < 150; ++i) {
        Body b{};
        b.hull = random.index(40);
        const Quat q = random.rotation();
        set_orientation(b, q);
        const Vec3d x = random.in_ball() * 3.0 - rotation(q) * centre_of(s.library.oracle[b.hull]);
        b.position[0] = static_cast<float>(x.x);
        b.position[1] = static_cast<float>(x.y);
        b.position[2] = static_cast<float>(x.z);
        bodies.push_back(b);
        for (std::uint32_t k = 0; k < i; ++k) pairs.push_back({k, i});
    }
    s.frames = Trembling(bodies, pairs, 2e-2, 2e-2, 22);
    s.options.margin = 0.05F;
    return s;
}

inline void judge_frame(const Scenario& s, const Frame& frame, float hysteresis, const std::vector<Manifold4>& records,
                        Coverage& coverage) {
    for (const Manifold4& m : records) {
        const Body& a = frame.bodies[m.pair[0]];
        const Body& b = frame.bodies[m.pair[1]];
        reference::JudgedPair q = question_of(s.library, a, b, {m.pair[0], m.pair[1]}, s.options);
        q.hysteresis = hysteresis;
        ASSERT_EQ(check_manifold(q, m, coverage), "") << s.name << ", pair " << m.pair[0] << ", " << m.pair[1];
    }
}

inline void expect_same_distances(const std::vector<Manifold4>& with, const std::vector<Manifold4>& without) {
    ASSERT_EQ(with.size(), without.size());
    for (std::size_t i = 0; i < with.size(); ++i) {
        ASSERT_EQ(with[i].pair[0], without[i].pair[0]);
        ASSERT_EQ(with[i].pair[1], without[i].pair[1]);
        ASSERT_EQ(std::memcmp(&with[i].distance, &without[i].distance, sizeof(float)), 0);
        ASSERT_EQ(with[i].status, without[i].status);
    }
}

}  // namespace lanefold::test
