// SPDX-License-Identifier: MIT
//
// The pairs of children of two bodies, one of them a compound: those whose boxes overlap within the margin, as bodies
// relative to the position of body a, so that only the difference of the positions counts.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/body_frame.hpp>
#include <lanefold/detail/chunk.hpp>
#include <lanefold/detail/compound_block.hpp>

namespace lanefold::detail {

// A body of a pair. A hull is its own only child, number 0.
struct ExpandedBody {
    const HullRecord* record = nullptr;
    BodyD body;
    BodyTurn turn;
    Vec3d origin;  // its position relative to that of body a

    // The body must be good.
    ExpandedBody(const HullRecord* hulls, const BodyD& read);
    bool compound() const { return is_compound(*record); }
    std::uint32_t children() const { return compound() ? record->loops : 1; }
    // The body of a child. A hull keeps the bits of its orientation.
    BodyD child(std::uint32_t k) const;
};

// The pairs of children of neighbouring pairs of bodies: as many as a chunk has pairs.
struct ChildRun {
    // Names of a pair: that of the bodies in the chunk, and the children.
    struct Name {
        std::uint32_t pair;
        std::uint32_t a;
        std::uint32_t b;
    };

    std::uint32_t count = 0;
    std::uint32_t body_count = 0;
    Pair pairs[kChunkPairs];  // of the bodies below
    Name names[kChunkPairs];
    float margins[kChunkPairs];
    std::uint64_t reported[kChunkWords];
    std::uint64_t overlapping[kChunkWords];
    AlignedBuffer<BodyD> bodies;
    AlignedBuffer<BodyFrame> frames;
    AlignedBuffer<std::byte> records;

    bool full() const { return count == kChunkPairs; }
};

// Lists the pairs of children. It has the memory of one task.
class ChildPairs {
public:
    // For compounds of up to so many children.
    void reserve(std::uint32_t most_children);

    ChildRun& run() { return run_; }
    // Forgets the run.
    void clear();

    // Appends the pairs of children of a pair of bodies to the run, ascending by (child a, child b). Calls flush()
    // whenever the run is full; it must clear the run.
    template <class Flush>
    void list(std::uint32_t pair, const ExpandedBody& a, const ExpandedBody& b, float margin, Flush flush) {
        if (!begin(a, b, margin)) return;
        for (std::uint32_t ka = next_a(a, 0); ka < a.children(); ka = next_a(a, ka + 1)) {
            find_b(a, ka);
            for (std::uint32_t n = 0; n < met_count_; ++n) {
                if (run_.full()) flush();
                append({pair, ka, met_[n]}, a, b, margin);
            }
        }
    }

private:
    struct Place {
        std::uint64_t stamp;  // of the pair and the run in which the child became a body
        std::uint32_t body;
    };
    struct Box {
        float low[3];
        float high[3];
    };

    bool begin(const ExpandedBody& a, const ExpandedBody& b, float margin);
    std::uint32_t next_a(const ExpandedBody& a, std::uint32_t from);
    void find_b(const ExpandedBody& a, std::uint32_t ka);
    void append(const ChildRun::Name& name, const ExpandedBody& a, const ExpandedBody& b, float margin);
    std::uint32_t place(Place& place, const ExpandedBody& body, std::uint32_t k);
    void add_near(std::uint32_t k, const CentredBox& own, const PoseD& pose, double grow);
    static Box narrow(const CentredBox& box);

    ChildRun run_;
    std::uint64_t stamp_ = 0;
    AlignedBuffer<Place> place_a_;
    AlignedBuffer<Place> place_b_;
    // The children of b that are near a: their numbers, and their boxes in a's frame with the margin, in six columns.
    std::uint32_t near_count_ = 0;
    std::size_t stride_ = 0;
    AlignedBuffer<std::uint32_t> near_;
    AlignedBuffer<float> near_bounds_;
    Box around_near_{};
    // The ones among them that meet the child of a at hand.
    std::uint32_t met_count_ = 0;
    AlignedBuffer<std::uint32_t> met_;
    // 16 children of a that were tested together, as bits.
    std::uint32_t tested_ = 0;
    std::uint32_t tested_bits_ = 0;
};

}  // namespace lanefold::detail
