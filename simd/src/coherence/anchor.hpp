// SPDX-License-Identifier: MIT
//
// An anchor of a pair: its exact manifold at one relative pose, each point by its witnesses in the frames of both
// bodies. While the hulls have moved little since, the pair's record is the anchor's, carried by the poses of both
// bodies. coherence/carry.hpp has the rule and its proof. No SIMD types.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/detail/chunk.hpp>

namespace lanefold::detail {

// AnchorState::what. A pair whose state is carried or plain would get the same bits again if nothing moved.
inline constexpr std::uint8_t kNoAnchor = 0;
inline constexpr std::uint8_t kFreshAnchor = 1;    // made in the last step: that record was the exact one
inline constexpr std::uint8_t kCarriedAnchor = 2;  // the last record was carried
inline constexpr std::uint8_t kPlainPair = 3;      // could have had an anchor, but had no contact to keep

// Anchors in a row that did not carry a single step, of which each doubles the steps until the next attempt. An attempt
// in 16 steps costs a falling pair little; more rest would delay the anchors of a pile that settles.
inline constexpr std::uint8_t kMostVainAnchors = 4;

// The parts of an anchor that every step reads of every pair, and those that a carried record needs.
struct alignas(16) AnchorState {
    std::uint8_t what;
    std::uint8_t vain;  // anchors in a row that carried nothing, at most kMostVainAnchors
    std::uint8_t rest;  // steps in which the pair is computed and not anchored
    std::uint8_t reserved;
    std::uint32_t feature_a;
    std::uint32_t feature_b;
    float offset;  // the distance, from the deepest point's separation

    // After a step that the anchor did not cover.
    void miss() {
        if (what == kFreshAnchor) {
            vain = vain < kMostVainAnchors ? static_cast<std::uint8_t>(vain + 1) : vain;
            rest = static_cast<std::uint8_t>((1U << vain) - 1U);
        } else {
            vain = 0;
            rest = 0;
        }
        what = kNoAnchor;
    }
};
static_assert(sizeof(AnchorState) == 16);

// The relative pose at which the anchor was made, of the hulls' internal frames. One cache line.
struct alignas(64) AnchorPose {
    float pose[12];  // from B's frame into A's: rotation by rows, then translation
    std::uint32_t hull_a;
    std::uint32_t hull_b;
    float margin;  // the margin of the exact call: the manifold has every point up to it, before reduction
    float reserved;
};
static_assert(sizeof(AnchorPose) == 64);

// Four points of a manifold. Manifold16 takes four of these.
inline constexpr std::uint32_t kAnchorBlock = 4;
struct alignas(64) AnchorPoints {
    float normal[3];       // from A to B, in the frame of the hull of the reference face, otherwise in A's
    std::uint32_t counts;  // bytes 32 to 35 of the record: total, count, kind
    std::uint32_t feature[kAnchorBlock];
    float on_a[kAnchorBlock][3];  // witnesses in A's frame
    float on_b[kAnchorBlock][3];  // and in B's
};
static_assert(sizeof(AnchorPoints) == 128 && offsetof(AnchorPoints, on_a) == 32 && offsetof(AnchorPoints, on_b) == 80);

// The anchors of a call, or of a chunk.
struct AnchorTable {
    AnchorState* states = nullptr;  // null: none
    AnchorPose* poses = nullptr;
    AnchorPoints* points = nullptr;     // `blocks` for each place
    const std::uint32_t* of = nullptr;  // pair i has place of[i], which no other pair of the call has
    std::uint32_t blocks = 1;
    float reuse = 0;

    AnchorTable from(std::uint64_t pair) const {
        AnchorTable chunk = *this;
        chunk.of += pair;
        return chunk;
    }
};

// The anchors of one chunk between its kernels.
struct ReuseMemory {
    AnchorTable anchors;
    const float* own_margins = nullptr;        // of the call, of this chunk's pairs; null: ChunkJob::margin
    const std::uint32_t* previous = nullptr;   // per pair: its previous record, as PreviousRecords has it
    std::uint64_t standing[kChunkWords] = {};  // in: pairs of unmoved bodies
    std::uint64_t carried[kChunkWords] = {};   // out: pairs that their anchors cover, reported or not
    std::uint64_t willing[kChunkWords] = {};   // of the others: pairs that get an anchor if they touch
    std::uint64_t skip[kChunkWords] = {};      // standing or carried
    std::uint64_t reported[kChunkWords] = {};  // of the carried ones
    std::uint64_t overlapping[kChunkWords] = {};
    std::uint32_t carried_count = 0;
    std::uint32_t anchored_count = 0;
    alignas(64) float margins[kChunkPairs] = {};  // of the exact call
};

}  // namespace lanefold::detail
