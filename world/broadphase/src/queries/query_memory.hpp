// SPDX-License-Identifier: MIT
//
// The memory of a workspace of queries.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/detail/ray_batch.hpp>
#include <lanefold/detail/scaled_bodies.hpp>
#include <lanefold/scene_queries.hpp>
#include <lanefold/serial_sweep.hpp>
#include <lanefold/workspace.hpp>

#include "queries/neighbours.hpp"

namespace lanefold {

struct QueryWorkspace::Impl {
    std::atomic<std::uint32_t> in_use = 0;  // 1 while a call runs: refuses a second one
    detail::ScaledBodies scaled;            // shapes at their scales
    detail::RayMemory rays;
    detail::Neighbours neighbours;
    Workspace narrowphase;
    SweepWorkspace sweeps;
    std::vector<float> margins;          // per pair
    std::vector<std::uint64_t> bits;     // per pair
    std::vector<Manifold4> manifolds;    // of pairs that touch
    std::vector<std::uint32_t> pair_of;  // per manifold
    std::vector<SweepRecord> records;    // per pair
    std::vector<BodyD> ends;             // second poses of the pass's bodies
    std::vector<Vec3d> spins;            // of the pass's bodies
    std::vector<ClosestPoints> closest;  // of one query
    std::vector<ShapeHit> hits;          // of one query
};

}  // namespace lanefold
