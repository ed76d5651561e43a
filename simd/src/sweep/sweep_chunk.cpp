// SPDX-License-Identifier: MIT
//
// See the header.
#include "sweep/sweep_chunk.hpp"

#include <algorithm>

#include "batch/workspace_impl.hpp"
#include "sweep/rounds.hpp"

namespace lanefold::detail {
namespace {

// The children of compounds, whose records are in slot.children until a batch of them is decided.
class Children {
public:
    Children(const Motions& motions, std::span<const Pair> pairs, const SweepOptions& options, SweepRecord* out,
             SweepSlot& slot)
        : motions_(motions),
          pairs_(pairs),
          out_(out),
          slot_(slot),
          rounds_(motions, options, slot.children.data(), slot) {}

    CallStatus compute() {
        CallStatus status;
        for (std::uint32_t k = 0; status && k < slot_.compound_count; ++k) status = add(slot_.compounds[k]);
        return status ? decide() : status;
    }

private:
    CallStatus add(std::uint32_t i) {
        PairMotion whole;
        static_cast<void>(read_pair(motions_, pairs_[i], whole));  // it has no problem, or it would not be here
        const HullSet& hulls = *motions_.hulls;
        const bool of_a = moves_children(whole.a), of_b = moves_children(whole.b);
        const std::size_t parts_a = of_a ? hulls.child_count(whole.a.hull_id) : 1;
        const std::size_t parts_b = of_b ? hulls.child_count(whole.b.hull_id) : 1;
        PairMotion part = whole;
        for (std::uint32_t a = 0; a < parts_a; ++a) {
            if (of_a) part.a = child_motion(hulls, whole.a, a);
            for (std::uint32_t b = 0; b < parts_b; ++b) {
                if (of_b) part.b = child_motion(hulls, whole.b, b);
                rounds_.add(count_, pairs_[i], part);
                slot_.children[count_].child_a = static_cast<std::uint16_t>(a);
                slot_.children[count_].child_b = static_cast<std::uint16_t>(b);
                slot_.owners[count_++] = i;
                const CallStatus status = count_ == kSweepChunk ? decide() : CallStatus{};
                if (!status) return status;
            }
        }
        return {};
    }

    // The first of all children's meetings is the pair's: children ascend, so the lowest of equal ones stays.
    CallStatus decide() {
        const CallStatus status = rounds_.decide_all();
        for (std::uint32_t k = 0; status && k < count_; ++k) {
            const SweepRecord& child = slot_.children[k];
            SweepRecord& r = out_[slot_.owners[k]];
            const unsigned rounds = std::min(0xFFFFU, unsigned{r.rounds} + child.rounds);
            if (is_before(child, r)) r = child;
            r.rounds = static_cast<std::uint16_t>(rounds);
        }
        count_ = 0;
        return status;
    }

    // Overlaps come first, the deepest of all; then hits, then failures.
    static bool is_before(const SweepRecord& x, const SweepRecord& y) {
        const auto rank = [](const SweepRecord& r) {
            return r.state == SweepState::overlapping ? 0 : r.state == SweepState::hit ? 1 : 2;
        };
        if (x.state == SweepState::miss || y.state == SweepState::miss)
            return x.state != y.state && y.state == SweepState::miss;
        if (x.fraction != y.fraction) return x.fraction < y.fraction;
        if (rank(x) != rank(y)) return rank(x) < rank(y);
        return rank(x) == 0 && x.distance < y.distance;
    }

    const Motions& motions_;
    std::span<const Pair> pairs_;
    SweepRecord* out_;
    SweepSlot& slot_;
    SweepRounds rounds_;
    std::uint32_t count_ = 0;
};

}  // namespace

void SweepSlot::reserve(const HullSet& hulls) {
    clearance.reserve(std::max<std::size_t>(1, hulls.max_vertices()));
    live.reserve(kSweepChunk);
    found.reserve(kSweepChunk);
    frames.reserve(kSweepChunk);
    bodies.reserve(2 * std::size_t{kSweepChunk});
    pairs.reserve(kSweepChunk);
    margins.reserve(kSweepChunk);
    distances.reserve(kSweepChunk);
    contacts.reserve(kSweepChunk);
    // A slot may get its first pair in a later call, when no thread came for it before; and a later round may have more
    // pairs. So the kernels' memory is that of the largest round, as their own calls reserve it.
    Workspace::Impl& memory = kernels.impl();
    memory.reserve_slots(1, hulls);
    memory.frames.reserve_grown(2 * std::size_t{kSweepChunk});
    memory.slots[0]->records.reserve(kChunkPairs);
    if (hulls.max_children() != 0 || hulls.has_surfaces()) {
        if (memory.slots[0]->several == nullptr) memory.slots[0]->several = std::make_unique<SeveralSlot>();
        memory.slots[0]->several->reserve(hulls.max_children());
    }
    if (hulls.max_children() == 0) return;
    compounds.reserve(kSweepChunk);
    children.reserve(kSweepChunk);
    owners.reserve(kSweepChunk);
}

CallStatus sweep_chunk(const Motions& motions, std::span<const Pair> pairs, const SweepOptions& options,
                       SweepRecord* out, SweepSlot& slot) {
    const CallStatus status = SweepRounds(motions, options, out, slot).compute(pairs);
    if (!status || slot.compound_count == 0) return status;
    return Children(motions, pairs, options, out, slot).compute();
}

}  // namespace lanefold::detail
