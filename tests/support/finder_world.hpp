// SPDX-License-Identifier: MIT
//
// A world of bodies for PairFinder, and the pairs of each frame by brute force over all float64 boxes.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/isa.hpp>

#include "support/random.hpp"

namespace lanefold::test {

struct FinderWorld {
    HullSet hulls;
    std::vector<BodyD> bodies;
    std::vector<float> inverse_mass;
    std::vector<std::uint32_t> group;
    std::vector<std::uint32_t> category;
    std::vector<std::uint32_t> collides_with;
    Isa isa = Isa::automatic;

    PairFinderOptions options(float margin) const {
        PairFinderOptions o;
        o.isa = isa;
        o.margin = margin;
        o.inverse_mass = inverse_mass;
        o.group = group;
        o.category = category;
        o.collides_with = collides_with;
        return o;
    }
    BodyView view() const { return std::span<const BodyD>(bodies); }
};

inline void turn(Random& random, BodyD& b, double by) {
    double q[4];
    double length = 0;
    for (int k = 0; k < 4; ++k) {
        q[k] = static_cast<double>(b.orientation[k]) + random.uniform(-by, by);
        length += q[k] * q[k];
    }
    for (int k = 0; k < 4; ++k) b.orientation[k] = static_cast<float>(q[k] / std::sqrt(length));
}

inline BodyD body_at(Random& random, double spread, std::uint32_t hulls) {
    BodyD b{};
    for (double& x : b.position) x = random.uniform(-spread, spread);
    b.orientation[3] = 1;
    turn(random, b, 0.9);
    b.hull = static_cast<std::uint32_t>(random.uniform(0, hulls));
    return b;
}

// Bodies of sizes 0.05 to 1 and one plate as large as the world. A body is immovable with a probability of a tenth, and
// in one of four groups with a probability of a third.
inline FinderWorld make_world(std::uint64_t seed, std::uint32_t count, double spread, Isa isa) {
    Random random(seed);
    FinderWorld w;
    w.isa = isa;
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    const auto add_hull = [&](double x, double y, double z) {
        for (int i = 0; i < 16; ++i) {
            const Vec3d p{random.uniform(-x, x), random.uniform(-y, y), random.uniform(-z, z)};
            points.push_back(to_float(p));
        }
        offsets.push_back(points.size());
    };
    for (int h = 0; h < 20; ++h) {
        const double size = random.uniform(0.05, 1);
        add_hull(size, size, size);
    }
    add_hull(3 * spread, 3 * spread, 0.5);
    const BuildResult built = build_hulls(points, offsets);
    EXPECT_TRUE(built);
    w.hulls = built.hulls;
    for (std::uint32_t i = 0; i < count; ++i) {
        w.bodies.push_back(body_at(random, spread, 20));
        w.inverse_mass.push_back(random.uniform(0, 1) < 0.1 ? 0.0F : 1.0F);
        w.group.push_back(random.uniform(0, 1) < 0.33 ? static_cast<std::uint32_t>(random.uniform(1, 5)) : 0);
        const auto bit = std::uint32_t{1} << static_cast<std::uint32_t>(random.uniform(0, 3));
        w.category.push_back(bit);
        w.collides_with.push_back(bit == 1 ? 3 : 7);
    }
    if (count != 0) w.bodies[count / 2].hull = 20;
    return w;
}

inline std::vector<Pair> brute_force(const FinderWorld& w, const PairFinderOptions& o) {
    std::vector<WorldBox> boxes(w.bodies.size());
    EXPECT_TRUE(world_boxes(w.hulls, w.view(), static_cast<double>(o.margin) / 2, boxes).status);
    for (std::size_t i = 0; i < boxes.size() && !o.growth.empty(); ++i) {
        const BodyD& body = w.bodies[i];
        Quat q;
        if (!normalize(body.orientation, q)) continue;
        const double growth = static_cast<double>(o.margin) / 2 + static_cast<double>(o.growth[i]);
        WorldBox& box = boxes[i];
        box = world_box(w.hulls.vertices(body.hull),
                        {rotation(q), {body.position[0], body.position[1], body.position[2]}}, growth);
        const Vec3d by = to_double(o.motion[i]);
        box.lower = box.lower + Vec3d{std::min(by.x, 0.0), std::min(by.y, 0.0), std::min(by.z, 0.0)};
        box.upper = box.upper + Vec3d{std::max(by.x, 0.0), std::max(by.y, 0.0), std::max(by.z, 0.0)};
    }
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < boxes.size(); ++a) {
        for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
            if (!overlap(boxes[a], boxes[b])) continue;
            if (!o.inverse_mass.empty() && o.inverse_mass[a] == 0 && o.inverse_mass[b] == 0) continue;
            if (!o.group.empty() && o.group[a] != 0 && o.group[a] == o.group[b]) continue;
            if (!o.category.empty() &&
                ((o.category[a] & o.collides_with[b]) == 0 || (o.category[b] & o.collides_with[a]) == 0))
                continue;
            pairs.push_back({a, b});
        }
    }
    return pairs;
}

// Compares one frame, and returns the result for its counters.
inline PairFinderResult expect_frame(PairFinder& finder, const FinderWorld& w, const PairFinderOptions& o) {
    const PairFinderResult found = finder.find(w.hulls, w.view(), o);
    EXPECT_TRUE(found.status) << found.status.what;
    EXPECT_EQ(found.isa, w.isa);
    const std::vector<Pair> expected = brute_force(w, o);
    EXPECT_TRUE(std::equal(found.pairs.begin(), found.pairs.end(), expected.begin(), expected.end()))
        << found.pairs.size() << " found, " << expected.size() << " expected";
    return found;
}

}  // namespace lanefold::test
