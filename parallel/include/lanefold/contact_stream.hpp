// SPDX-License-Identifier: MIT
//
// The contacts of a simulation, step after step. A stream owns what the batch calls take from one step to the next: the
// workspace, the previous records, the pair caches, and which pair of a step is which of the step before. Candidate
// pairs may come and go.
//
// A step gives the records of collide_compact() with the same options, bit for bit: with `previous` where hysteresis is
// on and the method takes previous records (clip), otherwise without. With StreamOptions::reuse a step gives records
// within a bound instead, in less time. Once a stream has seen steps of the size, a step
// does not allocate. A stream holds the hull set of its last step, and for each pair of the largest step 256 bytes that
// say how far apart the two hulls were or which face was best (certificates of motion, DESIGN.md), besides records and
// caches; with reuse 208 bytes more (592 for Manifold16), and room for a record of each pair.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/call_inputs.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/match_contacts.hpp>
#include <lanefold/options.hpp>

namespace lanefold {

// Sums over the step's pairs, and what became of the contacts of the step before. A pair that is listed twice counts as
// kept twice; `ended` and `points_broken` are too low by that.
struct [[nodiscard]] StreamResult : BatchResult {
    std::uint64_t next_pair = 0;   // pairs.size(), or where a stopped step ended
    std::uint64_t new_pairs = 0;   // pairs that the step before did not have
    std::uint64_t begun = 0;       // records whose pair had none in the step before; some may tell of a bad pose
    std::uint64_t kept = 0;        // the others
    std::uint64_t ended = 0;       // records of the step before whose pair has none now
    std::uint64_t points_new = 0;  // these three: with PointMatching::on
    std::uint64_t points_kept = 0;
    std::uint64_t points_broken = 0;
    // With StreamOptions::reuse; equal for every instruction set, number of threads and order of the pairs.
    std::uint64_t carried = 0;   // pairs that were not computed, because they had moved too little since their anchors
    std::uint64_t anchored = 0;  // pairs that were computed and got an anchor
};

// The settings of a stream's step that no other call has.
struct StreamOptions {
    // Bounded reuse, relative to the smaller hull's size; 0 to kMaxReuse. 0: every record is exact. Otherwise a pair
    // that was computed keeps its contact as an anchor: while the hulls have moved against one another by at most
    // e = reuse * (size of the smaller hull) since, its record is the anchor's, carried by both bodies. Separations,
    // points and normal follow the poses; ids and features stay. Promised against the exact manifold, each with the
    // bound of exact calls in addition (docs/contract.md): the distance is within 2 e; points are within 2 e of both
    // surfaces; the normal is within sqrt(3) reuse radians of one that separates within 2 e and the face preference; a
    // pair nearer than the margin by more than 2 e is reported, and one further by more than 2 e is not. Motions count
    // from the anchor, so errors do not grow from step to step.
    //
    // A record depends on hulls, poses, options and the pair's own earlier steps, never on other pairs, their order,
    // threads or instruction set. Pairs of boxes, which cost as little, pairs of sizes beyond 64:1, and all pairs of a
    // set with a rounded hull, a compound or a surface are computed in every step. So is every pair in a step with
    // other options (margins may differ) or other hulls.
    float reuse = 0.0F;
};

// Whether a stream finds the previous point of each point. Off saves some 10 ns a contact.
enum class PointMatching : std::uint8_t { off = 0, on = 1 };

// `Manifold`: Manifold4 or Manifold16. One step at a time, in the caller's tbb::task_arena (narrowphase.hpp); different
// streams are independent. Bodies and pairs are the caller's and borrowed for the call; what a stream gives is its own.
template <class Manifold>
class LANEFOLD_EXPORT ContactStream {
public:
    // A stream without steps.
    explicit ContactStream(PointMatching matching = PointMatching::on);
    ContactStream(ContactStream&&) noexcept;
    ContactStream& operator=(ContactStream&&) noexcept;
    ~ContactStream();

    // Computes the contacts of the pairs. `pairs` are those of this step, in any order; fastest where they ascend, as
    // they do here and in the step before. A pair that is listed twice is carried over by its first place.
    //
    // options.hysteresis: 0 decides each step by itself.
    //
    // Refused calls (see narrowphase.hpp; and more than 4,294,967,280 pairs) leave contacts() and candidates() as they
    // were, and the next step goes on from them; matches() and previous() are empty until then. A step that is stopped
    // has the records of the pairs before next_pair only: those of the others have ended, so the next step computes
    // them anew, without previous points.
    StreamResult step(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs, const Options& options,
                      const StepInputs& inputs = {}, const StreamOptions& stream = {});

    // The records of the last step; valid until the next, as all that follows. They stand in the order of the pairs,
    // those with a status that is not ok among them.
    std::span<const Manifold> contacts() const;
    // For each record its index in `pairs`.
    std::span<const std::uint32_t> candidates() const;
    // For each record which one of the step before has the same pair, with the previous point of each of its points.
    // (A record of the step before whose index occurs in no match has ended.) None with PointMatching::off, and after a
    // refused step.
    std::span<const RecordMatch<Manifold>> matches() const;
    // Records of the step before, which `matches` name. Empty after a refused step.
    std::span<const Manifold> previous() const;

    // Forgets all steps, keeps the memory.
    void reset();

private:
    struct State;
    std::unique_ptr<State> state_;
};

extern template class ContactStream<Manifold4>;
extern template class ContactStream<Manifold16>;

}  // namespace lanefold
