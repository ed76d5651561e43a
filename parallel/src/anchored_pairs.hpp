// SPDX-License-Identifier: MIT
//
// Bounded reuse for a caller who keeps the records of its steps, as a world does: what one step leaves to the next are
// anchors (coherence/anchor.hpp), certificates and caches, by pair. The anchors decide bits, so they can be saved; the
// rest decides time only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/body.hpp>
#include <lanefold/call_inputs.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/workspace.hpp>

#include "coherence/anchor_pool.hpp"
#include "coherence/certificate_pool.hpp"
#include "coherence/pair_carrier.hpp"

namespace lanefold::detail {

// An anchor with its pair, as saved states have it. Zeros where the pair has a state only.
struct SavedAnchor {
    AnchorPose pose;
    AnchorPoints points;
    AnchorState state;
    std::uint32_t pair[2];
    std::uint32_t reserved[10];
};
static_assert(sizeof(SavedAnchor) == 256);

class LANEFOLD_EXPORT AnchoredPairs {
public:
    // collide_compact() with bounded reuse (StreamOptions::reuse, above 0) of pairs that ascend, each once. `last`: the
    // records of the step before, ascending by pair; inputs.previous is the same or empty. `out` has room for a record
    // of each pair. The set passes carries_pairs(). Throws std::bad_alloc. After a call that throws or is refused,
    // forget() must follow.
    CompactResult step(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                       const Options& options, const CallInputs& inputs, float reuse, std::span<const Manifold4> last,
                       std::span<Manifold4> out, Workspace& workspace);
    // Pairs that the last step did not compute.
    std::uint64_t carried() const { return carried_; }

    // The next step computes all pairs.
    void forget();

    // Appends all that decides bits of the steps to come. Throws std::bad_alloc.
    void save(std::vector<SavedAnchor>& out) const;
    // Takes it back. `anchors` passes fits(). Throws std::bad_alloc; forget() must follow then.
    void restore(const HullSet& hulls, std::span<const SavedAnchor> anchors);
    // Whether steps of a world with so many bodies could have saved these: pairs ascend, and numbers are finite.
    static bool fits(std::size_t bodies, std::span<const SavedAnchor> anchors);

private:
    struct Side {
        AlignedBuffer<Pair> pairs;
        AlignedBuffer<std::uint32_t> places;
        AlignedBuffer<PairCache> cache;
        std::size_t count = 0;

        void reserve(std::size_t n);
    };
    void carry(std::span<const Pair> pairs, std::span<const Manifold4> last, Executor& executor, unsigned slots);

    Side sides_[2];
    unsigned last_ = 0;  // the side of the last step
    PairCarrier carrier_;
    CertificatePool certificates_;
    AnchorPool anchors_;
    AlignedBuffer<std::uint32_t> previous_index_;  // per pair: its record of the step before
    std::uint64_t carried_ = 0;
};

}  // namespace lanefold::detail
