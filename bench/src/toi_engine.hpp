// SPDX-License-Identifier: MIT
//
// Engines of lanefold_toi: times of impact of pairs that move and turn.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <lanefold/hull_set.hpp>

#include "toi.h"

namespace lanefold::bench {

// Hulls, bodies with their motions, and pairs of them.
struct ToiScene {
    HullSet hulls;
    std::vector<LanefoldMotion> bodies;
    std::vector<LanefoldAdapterPair> pairs;
};

// The way in which an engine turns a body from its first to its last orientation.
enum class Turn {
    steady,  // at a constant rate
    lerp,    // quaternions on a line, normalised: the same way, faster in the middle
};

class ToiEngine {
public:
    ToiEngine() = default;
    ToiEngine(const ToiEngine&) = delete;
    ToiEngine& operator=(const ToiEngine&) = delete;
    virtual ~ToiEngine() = default;
    virtual std::string title() const = 0;
    virtual std::string settings() const = 0;
    virtual Turn turn() const { return Turn::steady; }
    // Takes a scene, which stays: "", or why not. Not timed.
    virtual std::string prepare(const ToiScene& scene) = 0;
    // Timed: one finding for each pair of the scene.
    virtual void impacts(std::span<LanefoldImpact> out) = 0;
};

// Box3D's, where it is linked.
std::unique_ptr<ToiEngine> box3d_toi();

}  // namespace lanefold::bench
