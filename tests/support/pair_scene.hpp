// SPDX-License-Identifier: MIT
//
// Scenes of pairs that are placed one by one, and their records on every instruction set against judge and float64
// path.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include <lanefold/isa.hpp>

#include "support/engines.hpp"
#include "support/question.hpp"

namespace lanefold::test {

inline double component(const Vec3d& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

// The place of hull b in the frame of hull a, and of both in the world.
struct PairPlace {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Vec3d at;
    Quat turn;
    Vec3d origin;
    Quat world;
    bool swapped = false;  // b is the pair's first body

    // Any place in the world, in either order.
    void put_anywhere(Random& random) {
        origin = random.in_ball();
        world = random.rotation();
        swapped = random.chance(0.5);
    }
};

// The turn of the z axis to a direction.
inline Quat turn_of_z_to(const Vec3d& n) {
    const Vec3d axis = cross({0, 0, 1}, n);
    const double sine = length(axis);
    return sine > 1e-9 ? about(axis * (1 / sine), std::atan2(sine, n.z))
           : n.z > 0   ? Quat{}
                       : about({1, 0, 0}, 3.14159265358979);
}

// Bodies 2 i and 2 i + 1 make pair i.
struct PairScene {
    Library library;
    SweepConfig config;
    std::vector<BodyD> bodies;
    std::vector<Body> float_bodies;
    std::vector<Pair> pairs;
    bool thin = false;  // hulls that the float64 path takes

    void add(const PairPlace& place) {
        const auto i = static_cast<std::uint32_t>(pairs.size());
        const BodyD a = body(place.a, place.origin, place.world);
        const BodyD b = body(place.b, place.origin + rotation(place.world) * place.at, place.world * place.turn);
        for (const BodyD& x : {place.swapped ? b : a, place.swapped ? a : b}) {
            bodies.push_back(x);
            if (config.float_positions) float_bodies.push_back(as_float(x));
        }
        pairs.push_back({2 * i, 2 * i + 1});
    }

private:
    BodyD body(std::uint32_t hull, const Vec3d& at, const Quat& q) const {
        BodyD out{};
        out.hull = hull;
        set_orientation(out, q);
        const double p[3] = {at.x, at.y, at.z};
        for (int k = 0; k < 3; ++k)
            out.position[k] = config.float_positions ? static_cast<double>(static_cast<float>(p[k])) : p[k];
        return out;
    }
    static Body as_float(const BodyD& from) {
        Body b{};
        for (int k = 0; k < 3; ++k) b.position[k] = static_cast<float>(from.position[k]);
        for (int k = 0; k < 4; ++k) b.orientation[k] = from.orientation[k];
        b.hull = from.hull;
        return b;
    }
};

struct PairVerdict {
    Coverage coverage;
    Counters counters;
    double other = 0;     // part of the pairs that is reported by lanes or float64 path only
    double finished = 0;  // part that the lanes leave to the float64 path
    double worst = 0;     // difference from the float64 path's distance, of the larger size
    double part(ContactKind kind) const {
        return static_cast<double>(coverage.by_kind[static_cast<std::size_t>(kind)]) /
               static_cast<double>(coverage.pairs);
    }
    double faces() const { return part(ContactKind::face_a) + part(ContactKind::face_b); }
    double corners_on_edges() const { return part(ContactKind::vertex_edge) + part(ContactKind::edge_vertex); }
    void print_features() const {
        std::printf("    edges %.1f%%, corner and edge %.1f%%, corners %.1f%%\n", 100 * part(ContactKind::edge_edge),
                    100 * corners_on_edges(), 100 * part(ContactKind::vertex_vertex));
    }
};

// Expects that all instruction sets give the same bytes, that the judge finds nothing wrong, neither in them nor in the
// float64 path's records, and that distances are
// those of the float64 path within the promise.
inline PairVerdict judge_pairs(const PairScene& s) {
    const std::size_t n = s.pairs.size();
    const SweepBlock block{s.library, s.bodies, s.float_bodies, s.pairs, s.config, 0};
    std::vector<Manifold4> records(n);
    std::vector<Manifold4> precise(n);
    IsaDifferences differences;
    all_isas_engine4(differences)(block, records);
    precise_engine4()(block, precise);
    expect_same(differences);
    EXPECT_GE(differences.records, available_isas().size() > 1 ? n : 0U);
    EXPECT_EQ(s.thin ? 0U : differences.counters.precise_pairs, 0U) << "sizes beyond the limit of lanes prove nothing";

    PairVerdict v;
    Coverage of_precise;
    v.counters = differences.counters;
    std::size_t other = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Manifold4& m = records[i];
        const BodyD& a = s.bodies[2 * i];
        const BodyD& b = s.bodies[2 * i + 1];
        const std::string wrong =
            check_manifold(question_of(s.library, a, b, s.pairs[i], s.config.options), m, v.coverage);
        if (!wrong.empty() && v.coverage.violations < 5)
            ADD_FAILURE() << s.config.name << ", pair " << i << ": " << wrong << "\n" << save_pair(block, i, m);
        const std::string precise_wrong =
            check_manifold(question_of(s.library, a, b, s.pairs[i], s.config.options), precise[i], of_precise);
        if (!precise_wrong.empty() && of_precise.violations < 5)
            ADD_FAILURE() << s.config.name << ", pair " << i << ", float64 path: " << precise_wrong << "\n"
                          << save_pair(block, i, precise[i]);
        if ((m.kind == ContactKind::none) != (precise[i].kind == ContactKind::none)) {
            ++other;
            continue;
        }
        const float larger = std::max(s.library.hulls[a.hull].size, s.library.hulls[b.hull].size);
        v.worst = std::max(v.worst, static_cast<double>(std::fabs(m.distance - precise[i].distance) / larger));
    }
    v.other = static_cast<double>(other) / static_cast<double>(n);
    v.finished = static_cast<double>(v.counters.distance_finished) / static_cast<double>(n);
    std::printf(
        "  %s: %.3f%% finished in float64, %.2f%% faces; worst against the float64 path %.2e of the larger "
        "size, against the oracle %.2e\n",
        s.config.name, 100 * v.finished, 100 * v.faces(), v.worst, v.coverage.worst_distance_size);
    EXPECT_EQ(v.coverage.violations, 0U);
    EXPECT_EQ(of_precise.violations, 0U);
    EXPECT_LE(v.worst, 2e-6);
    EXPECT_LT(v.other, 0.02);
    return v;
}

}  // namespace lanefold::test
