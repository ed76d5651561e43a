// SPDX-License-Identifier: MIT
//
// The sweeps of one chunk of pairs: conservative advancement in rounds. Each round computes the distances of all pairs
// that are not decided, by the kernels, and follows each one's axis as far as it provably separates. Decided pairs are
// packed away. The pairs of a compound's children go through the same rounds, and the first that meets is the pair's.
#pragma once

#include <cstdint>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/ground_pair.hpp>
#include <lanefold/serial.hpp>
#include <lanefold/workspace.hpp>

#include "sweep/clearance.hpp"
#include "sweep/motion.hpp"

namespace lanefold::detail {

// Pairs per chunk: enough that the kernels' lanes are full when most pairs are decided, few enough that a chunk's
// memory (about 1,000 bytes a pair) stays in an L2 cache. It changes no result.
inline constexpr std::uint32_t kSweepChunk = 1024;

// A pair that is not decided.
struct LivePair {
    PairMotion motion;
    Arms arms;
    Moment now;       // clear up to here
    double last = 1;  // clear from here on
    std::uint32_t record = 0;
};

// A pair that needs its contact, and where.
struct FoundPair {
    BodyD bodies[2];
    Mat3d frame;
    Vec3d beside;  // from a's position to its child's, world axes
    float margin = 0;
    std::uint32_t record = 0;
    bool of_child = false;
};

struct SweepTotals {
    std::uint64_t culled = 0;
    std::uint64_t distances = 0;
};

// Everything that one task writes.
struct alignas(128) SweepSlot {
    Workspace kernels;
    ClearanceScratch clearance;
    GroundMemory ground;
    AlignedBuffer<LivePair> live;
    AlignedBuffer<FoundPair> found;
    AlignedBuffer<Mat3d> frames;
    AlignedBuffer<BodyD> bodies;
    AlignedBuffer<Pair> pairs;
    AlignedBuffer<float> margins;
    AlignedBuffer<PairDistance> distances;
    AlignedBuffer<Manifold4> contacts;
    AlignedBuffer<std::uint32_t> compounds;  // pairs of the chunk that have one
    std::uint32_t compound_count = 0;
    AlignedBuffer<SweepRecord> children;  // of a batch of pairs of children
    AlignedBuffer<std::uint32_t> owners;  // their pairs
    SweepTotals totals;
    CallStatus status;

    void reserve(const HullSet& hulls);
};

// Writes the records of at most kSweepChunk pairs. Returns the status of the kernels' calls. The floating-point
// environment must be the default one.
CallStatus sweep_chunk(const Motions& motions, std::span<const Pair> pairs, const SweepOptions& options,
                       SweepRecord* out, SweepSlot& slot);

}  // namespace lanefold::detail
