// SPDX-License-Identifier: MIT
//
// Scenes with compounds beside hulls, and what their records must be: those of the children as bodies of their own, by
// brute force over all pairs of children, on a set without compounds.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include <lanefold/compound.hpp>
#include <lanefold/detail/read_body.hpp>

#include "support/batch_scene.hpp"

namespace lanefold::test {

// The hulls, and behind them compounds of 1 to `most` of them.
inline HullSet with_compounds(const HullSet& hulls, std::uint64_t seed, std::uint32_t compounds, std::uint32_t most,
                              float spread = 0.8F) {
    BatchRandom random(seed);
    std::vector<CompoundChild> children;
    std::vector<std::uint64_t> offsets{0};
    for (std::uint32_t i = 0; i < compounds; ++i) {
        const std::uint32_t count = i == 0 ? 1 : 1 + random.below(most);
        for (std::uint32_t k = 0; k < count; ++k) {
            CompoundChild child;
            child.hull = random.below(static_cast<std::uint32_t>(hulls.size()));
            for (double& x : child.position) x = static_cast<double>(random.uniform(-spread, spread));
            random.rotation(child.orientation);
            children.push_back(child);
        }
        offsets.push_back(children.size());
    }
    CompoundResult built = build_compounds(hulls, children, offsets);
    EXPECT_TRUE(static_cast<bool>(built)) << "the test's own compounds must build";
    return built.hulls;
}

struct CompoundScene {
    HullSet plain;  // the hulls without the compounds, of the same ids
    BatchScene scene;
};

// Half of the bodies are compounds; some bodies and pairs are bad.
inline CompoundScene make_compound_scene(const HullSet& hulls, std::uint64_t seed, std::uint32_t bodies,
                                         std::uint32_t pairs) {
    CompoundScene s{hulls, make_bad_batch_scene(seed, bodies, pairs)};
    s.scene.hulls = with_compounds(hulls, seed + 1, 12, 10);
    BatchRandom random(seed + 2);
    for (Body& body : s.scene.bodies) {
        if (random.below(2) == 0 || body.hull == 0xFFFFFFFFU) continue;
        body.hull = static_cast<std::uint32_t>(hulls.size()) + random.below(12);
    }
    return s;
}

inline bool has_compound(const BatchScene& scene, const Pair& pair) {
    const auto is = [&](std::uint32_t body) {
        if (body >= scene.bodies.size()) return false;
        const std::uint32_t hull = scene.bodies[body].hull;
        return hull < scene.hulls.size() && scene.hulls.contains(hull) && scene.hulls.child_count(hull) != 0;
    };
    return is(pair.a) || is(pair.b);
}

// The bodies that a body of a pair stands for, relative to the position of body a.
inline std::vector<BodyD> children_of_body(const HullSet& hulls, BodyD body, const Vec3d& origin) {
    const std::size_t count = hulls.child_count(body.hull);
    const double at[3] = {body.position[0] - origin.x, body.position[1] - origin.y, body.position[2] - origin.z};
    std::copy_n(at, 3, body.position);
    if (count == 0) return {body};
    std::vector<BodyD> children;
    for (std::size_t k = 0; k < count; ++k) children.push_back(child_body(hulls, body, k));
    return children;
}

// The records of a pair whose indices, poses and hulls are good and that has a compound, by brute force over all
// children as bodies of the set `plain`.
template <class Manifold>
std::vector<Manifold> child_records(const HullSet& hulls, const HullSet& plain, const BodyView& bodies,
                                    const Pair& pair, const Options& options) {
    const BodyD a = detail::read_body(bodies, pair.a);
    const BodyD b = detail::read_body(bodies, pair.b);
    const Vec3d origin = detail::position_of(a);
    std::vector<BodyD> all = children_of_body(hulls, a, origin);
    const auto split = static_cast<std::uint32_t>(all.size());
    const std::vector<BodyD> others = children_of_body(hulls, b, origin);
    all.insert(all.end(), others.begin(), others.end());
    std::vector<Pair> pairs;
    for (std::uint32_t ka = 0; ka < split; ++ka)
        for (std::uint32_t kb = split; kb < all.size(); ++kb) pairs.push_back({ka, kb});
    std::vector<Manifold> out(pairs.size());
    Workspace workspace;
    const BatchResult r = collide_serial(plain, BodyView(all), pairs, options, out, workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    std::vector<Manifold> records;
    for (Manifold m : out) {
        if (!is_reported(m)) continue;
        m.child_a = m.pair[0];
        m.child_b = m.pair[1] - split;
        const BodyD& child = all[m.pair[0]];
        for (std::uint32_t k = 0; k < m.count; ++k) {
            for (std::size_t i = 0; i < 3; ++i)
                m.points[k].position[i] =
                    static_cast<float>(static_cast<double>(m.points[k].position[i]) + child.position[i]) + 0.0F;
        }
        m.pair[0] = pair.a;
        m.pair[1] = pair.b;
        records.push_back(m);
    }
    return records;
}

}  // namespace lanefold::test
