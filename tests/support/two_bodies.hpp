// SPDX-License-Identifier: MIT
//
// One pair as a test writes it: two lists of points, two poses, options. It runs every instruction set, expects equal
// bits, and compares the record with the oracle. The test adds its own expectations.
#pragma once

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

#include "support/question.hpp"

namespace lanefold::test {

struct TwoBodies {
    Library library;
    BodyD a{};
    BodyD b{};
    Options options;
    Workspace workspace;
    Coverage coverage;

    TwoBodies(const Points& hull_a, const Points& hull_b) {
        const Points lists[] = {hull_a, hull_b};
        library = build_library(lists);
        b.hull = 1;
        turn_a(Quat{});
        turn_b(Quat{});
    }

    TwoBodies& move_a(double x, double y, double z) { return place(a, x, y, z); }
    TwoBodies& move_b(double x, double y, double z) { return place(b, x, y, z); }
    TwoBodies& turn_a(const Quat& q) {
        set_orientation(a, q);
        return *this;
    }
    TwoBodies& turn_b(const Quat& q) {
        set_orientation(b, q);
        return *this;
    }
    TwoBodies& margin(float m) {
        options.margin = m;
        return *this;
    }
    TwoBodies& strict() {
        options.face_preference = 0;
        return *this;
    }

    double oracle_distance() const {
        return reference::signed_distance(library.oracle[a.hull], pose_of(a), library.oracle[b.hull], pose_of(b))
            .distance;
    }

    reference::JudgedPair question() const { return question_of(library, a, b, {0, 1}, options); }

    Manifold4 collide() { return ask<Manifold4>(); }
    Manifold16 collide16() { return ask<Manifold16>(); }

private:
    TwoBodies& place(BodyD& body, double x, double y, double z) {
        body.position[0] = x;
        body.position[1] = y;
        body.position[2] = z;
        return *this;
    }

    template <class M>
    M ask() {
        M first{};
        bool have = false;
        for (const Isa isa : available_isas()) {
            options.isa = isa;
            M out{};
            const BatchResult r = collide_pair(library.hulls, a, b, options, out, workspace);
            EXPECT_TRUE(r.status) << r.status.what;
            EXPECT_EQ(r.isa, isa);
            if (!have) first = out;
            have = true;
            EXPECT_EQ(bitwise_difference(first, out), "")
                << to_string(available_isas()[0]) << " and " << to_string(isa);
        }
        const std::string wrong = check_manifold(question(), first, coverage);
        EXPECT_EQ(wrong, "") << describe(question(), a.position, a.orientation, b.position, b.orientation);
        return first;
    }
};

template <class M>
double deepest(const M& m) {
    double s = m.count > 0 ? static_cast<double>(m.points[0].separation) : 0.0;
    for (int i = 1; i < m.count; ++i) s = std::min(s, static_cast<double>(m.points[i].separation));
    return s;
}

inline void expect_normal(const float normal[3], const Vec3d& expected, double bound = 1e-6) {
    EXPECT_NEAR(static_cast<double>(normal[0]), expected.x, bound);
    EXPECT_NEAR(static_cast<double>(normal[1]), expected.y, bound);
    EXPECT_NEAR(static_cast<double>(normal[2]), expected.z, bound);
}

}  // namespace lanefold::test
