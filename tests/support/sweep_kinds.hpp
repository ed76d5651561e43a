// SPDX-License-Identifier: MIT
//
// Sweeps of half-spaces and compounds for tests: scenes, and a march in float64 over distances by brute force.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/compound.hpp>
#include <lanefold/sweep.hpp>

#include "support/sweep_scene.hpp"

namespace lanefold::test {

// Bodies of a set with half-spaces or compounds, in motion.
struct KindScene {
    HullSet hulls;
    std::vector<reference::OracleHull> oracle;  // per id; of a compound nothing
    std::vector<BodyD> begin, end;
    std::vector<Vec3d> spins;
    std::vector<Pair> pairs;

    std::vector<SweepRecord> sweep_all(const SweepOptions& options = {}) const {
        std::vector<SweepRecord> out(pairs.size());
        SweepWorkspace workspace;
        SweepInputs inputs;
        inputs.spins = spins;
        const SweepResult r =
            sweep_serial(hulls, BodyView(std::span<const BodyD>(begin)), BodyView(std::span<const BodyD>(end)), pairs,
                         options, out, workspace, inputs);
        EXPECT_TRUE(r.status) << r.status.what;
        return out;
    }
};

// A hull of a body, or of its child.
struct Part {
    const reference::OracleHull* hull = nullptr;
    Mat3d rotation;  // in the body
    Vec3d place;
};

inline std::vector<Part> parts_of(const KindScene& s, std::uint32_t hull) {
    const std::size_t children = s.hulls.child_count(hull);
    if (children == 0) return {{&s.oracle[hull], {}, {}}};
    std::vector<Part> parts;
    for (std::size_t k = 0; k < children; ++k) {
        const CompoundChild child = s.hulls.child(hull, k);
        Quat q;
        EXPECT_TRUE(normalize(child.orientation, q));
        parts.push_back(
            {&s.oracle[child.hull], rotation(q), {child.position[0], child.position[1], child.position[2]}});
    }
    return parts;
}

// A pair in motion, for the march.
struct KindPair {
    std::vector<Part> a, b;
    reference::OracleMotion motion_a, motion_b;
    double smaller = std::numeric_limits<double>::infinity();
    double larger = 0;
    double levers = 0;
    double fastest = 0;  // no distance changes faster

    KindPair(const KindScene& s, const Pair& pair)
        : a(parts_of(s, s.begin[pair.a].hull)), b(parts_of(s, s.begin[pair.b].hull)) {
        motion_a = motion(s, pair.a);
        motion_b = motion(s, pair.b);
        double lever[2] = {};
        for (const std::vector<Part>* parts : {&a, &b}) {
            for (const Part& part : *parts) {
                if (part.hull->half_space) continue;
                double& most = lever[parts == &b ? 1 : 0];
                for (const Vec3d& v : part.hull->vertices)
                    most = std::max(most, length(part.rotation * v + part.place) + part.hull->round_radius);
                smaller = std::min(smaller, part.hull->size + part.hull->round_radius);
                larger = std::max(larger, part.hull->size + part.hull->round_radius);
            }
        }
        levers = lever[0] + lever[1];
        const Vec3d apart = motion_b.position - motion_a.position;
        const Vec3d shift = motion_b.shift - motion_a.shift;
        fastest = length(shift) + length(motion_a.spin) * lever[0] + length(motion_b.spin) * lever[1];
        // The plane of a half-space that turns sweeps the other body's place.
        const double reach = length(apart) + length(shift) + levers;
        if (a[0].hull->half_space) fastest += length(motion_a.spin) * reach;
        if (b[0].hull->half_space) fastest += length(motion_b.spin) * reach;
    }

    static reference::OracleMotion motion(const KindScene& s, std::uint32_t i) {
        return reference::oracle_motion(s.begin[i].position, s.begin[i].orientation, s.end[i].position, s.spins[i]);
    }

    // The distance of two parts at a fraction.
    double distance(double t, std::size_t child_a, std::size_t child_b) const {
        reference::OraclePair p{a[child_a].hull, b[child_b].hull, motion_a, motion_b};
        PoseD at_a, at_b;
        reference::oracle_poses(p, t, at_a, at_b);
        const auto placed = [](const PoseD& body, const Part& part) {
            return PoseD{body.rotation * part.rotation, body.rotation * part.place + body.position};
        };
        return reference::signed_distance(*p.a, placed(at_a, a[child_a]), *p.b, placed(at_b, b[child_b])).distance;
    }

    double distance(double t) const {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (std::size_t k = 0; k < b.size(); ++k) least = std::min(least, distance(t, i, k));
        }
        return least;
    }

    // The first fraction at which a march sees the target, or 2. It may step over what is less deep than `slack`.
    double reached(double target, double slack) const {
        int steps = 0;
        for (double t = 0; t <= 1; ++steps) {
            const double d = distance(t);
            if (d <= target) return t;
            if (steps == 20000) {
                ADD_FAILURE() << "the march does not end";
                return 2;
            }
            t += fastest > 0 ? std::max(d - target, slack) / fastest : 2;
        }
        return 2;
    }
};

}  // namespace lanefold::test
