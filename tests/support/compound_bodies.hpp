// SPDX-License-Identifier: MIT
//
// Rigid bodies of several pieces: a table, a dumbbell, a bent post, a jack, a hook, a figure of capsules. Metres; a
// piece has no turn unless it is said.
#pragma once

#include <cmath>
#include <vector>

#include <lanefold/compound.hpp>

#include "support/standing_scenes.hpp"

namespace lanefold::test {

// A set whose hull 0 is the floor of world_floor() and hull 1 a unit cube, and compounds that are added piece by piece.
class CompoundBodies {
public:
    CompoundBodies() : set_(world_hulls()) {}

    const HullSet& hulls() const { return set_; }

    std::uint32_t box(double hx, double hy, double hz) { return hull(box_points(hx, hy, hz), 0); }
    std::uint32_t ball(float radius) { return hull({{0, 0, 0}}, radius); }
    // Along x; `half` is that of its segment.
    std::uint32_t capsule(float half, float radius) { return hull({{-half, 0, 0}, {half, 0, 0}}, radius); }
    std::uint32_t hull(const Points& points, float radius) {
        const std::vector<Points> all{points};
        set_ = set_.append(build_library(all, std::vector<float>{radius}).hulls);
        return static_cast<std::uint32_t>(set_.size() - 1);
    }

    // A piece of the compound under way.
    CompoundBodies& piece(std::uint32_t hull, double x, double y, double z, const Quat& q = {0, 0, 0, 1}) {
        CompoundChild child;
        child.hull = hull;
        child.position[0] = x;
        child.position[1] = y;
        child.position[2] = z;
        child.orientation[0] = static_cast<float>(q.x);
        child.orientation[1] = static_cast<float>(q.y);
        child.orientation[2] = static_cast<float>(q.z);
        child.orientation[3] = static_cast<float>(q.w);
        pieces_.push_back(child);
        return *this;
    }
    std::uint32_t compound() {
        set_ = build_compound(set_, pieces_).hulls;
        pieces_.clear();
        return static_cast<std::uint32_t>(set_.size() - 1);
    }

    // 1 m by 0.6 m, 0.8 m high over y = 0; legs of 8 cm.
    std::uint32_t table() {
        const std::uint32_t top = box(0.5, 0.04, 0.3), leg = box(0.04, 0.36, 0.04);
        piece(top, 0, 0.76, 0);
        for (const double x : {-0.46, 0.46})
            for (const double z : {-0.26, 0.26}) piece(leg, x, 0.36, z);
        return compound();
    }
    // Balls of 0.2 m, their middles 0.8 m apart along x, and a bar of 8 cm between them.
    std::uint32_t dumbbell() {
        const std::uint32_t end = ball(0.2F), bar = box(0.2, 0.04, 0.04);
        return piece(end, -0.4, 0, 0).piece(end, 0.4, 0, 0).piece(bar, 0, 0, 0).compound();
    }
    // Three crossed bars of 1 m.
    std::uint32_t jack() {
        return piece(box(0.5, 0.08, 0.08), 0, 0, 0)
            .piece(box(0.08, 0.5, 0.08), 0, 0, 0)
            .piece(box(0.08, 0.08, 0.5), 0, 0, 0)
            .compound();
    }
    // A post of 0.2 m by 1 m that stands at the origin, and an arm on its top that reaches to x = 0.1 + reach.
    std::uint32_t bent_post(double reach) {
        const double half = 0.1 + 0.5 * reach;
        return piece(box(0.1, 0.5, 0.1), 0, 0.5, 0).piece(box(half, 0.1, 0.1), half - 0.1, 1.1, 0).compound();
    }
    // A trunk, a head, arms and legs of capsules, 1.7 m high, as one rigid body.
    std::uint32_t figure() {
        const double side = std::sqrt(0.5);
        const Quat up{0, 0, side, side}, lean{0, 0, 0.6, 0.8};
        piece(capsule(0.2F, 0.15F), 0, 0.2, 0, up).piece(ball(0.12F), 0, 0.72, 0);
        for (const double x : {-1.0, 1.0}) {
            piece(capsule(0.3F, 0.05F), 0.45 * x, 0.3, 0, x < 0 ? Quat{0, 0, 0.2, std::sqrt(0.96)} : Quat{0, 0, 0, 1});
            piece(capsule(0.4F, 0.07F), 0.15 * x, -0.5, 0, x < 0 ? up : lean);
        }
        return compound();
    }

private:
    HullSet set_;
    std::vector<CompoundChild> pieces_;
};

// The set with a compound of each of the first `count` ids alone behind them, in their order.
inline HullSet with_lone_children(const HullSet& hulls) {
    std::vector<CompoundChild> children;
    std::vector<std::uint64_t> offsets{0};
    for (std::uint32_t i = 0; i < hulls.size(); ++i) {
        CompoundChild child;
        child.hull = i;
        children.push_back(child);
        offsets.push_back(children.size());
    }
    return build_compounds(hulls, children, offsets).hulls;
}

}  // namespace lanefold::test
