// SPDX-License-Identifier: MIT
//
// Pairs with compounds or surfaces in a chunk: the kernels skip them, then run on the pairs of compounds' children, a
// chunk at a time, in the memory of the task. Pairs with surfaces are computed between them (batch/ground.hpp).
#include <algorithm>
#include <bit>
#include <span>
#include <type_traits>

#include <lanefold/detail/read_body.hpp>
#include <lanefold/fp_environment.hpp>

#include "batch/children.hpp"
#include "batch/ground.hpp"
#include "batch/several.hpp"

namespace lanefold::detail {
namespace {

// Makes the record of two children one of their bodies. Body a is at the origin of the children's positions.
void name_record(const Pair&, const ChildRun::Name& name, const BodyD&, PairDistance& r) {
    r.child_a = child_number<std::uint16_t>(name.a);
    r.child_b = child_number<std::uint16_t>(name.b);
}

template <class Manifold>
void name_record(const Pair& pair, const ChildRun::Name& name, const BodyD& a, Manifold& r) {
    r.pair[0] = pair.a;
    r.pair[1] = pair.b;
    r.child_a = name.a;
    r.child_b = name.b;
    for (std::uint32_t k = 0; k < r.count; ++k) {
        for (std::size_t i = 0; i < 3; ++i) {
            float& x = r.points[k].position[i];
            x = static_cast<float>(static_cast<double>(x) + a.position[i]) + 0.0F;
        }
    }
}

bool gives_several(const HullRecord& r) { return is_compound(r) || is_surface(r); }

// The pairs of a job that give several records. Pairs that get a status give one.
void find_several(const ChunkJob& job, std::uint64_t* pairs) {
    std::fill_n(pairs, kChunkWords, std::uint64_t{0});
    for (std::uint32_t i = 0; i < job.count; ++i) {
        const HullRecord* a = nullptr;
        const HullRecord* b = nullptr;
        if (!hulls_of(job, i, a, b) || !(gives_several(*a) || gives_several(*b))) continue;
        set_bit(pairs, i);
    }
}

// Takes the previous records of pair i from the first on. No pair has two equal records: where the first comes again,
// the pair was listed twice.
template <class Kept, class Record>
void take_previous(const PreviousContacts& previous, std::size_t first, std::uint32_t i, RecordTaker<Record>& taker) {
    const std::byte* const head = previous.records + first * previous.stride;
    for (std::size_t k = first; k < previous.count; ++k) {
        const std::byte* const from = previous.records + k * previous.stride;
        if (std::memcmp(from, head, sizeof(Pair)) != 0) return;
        if (k != first && std::memcmp(from, head, sizeof(Kept)) == 0) return;
        Kept kept;
        std::memcpy(&kept, from, sizeof kept);
        if constexpr (std::is_same_v<Kept, Record>) {
            taker.take(i, kept);
        } else if constexpr (std::is_same_v<Record, PairDistance>) {
            taker.take(i, distance_of(kept));  // a chunk that is only counted
        }
    }
}

}  // namespace

// The memory of a task for such pairs.
struct SeveralMemory {
    std::uint64_t pairs[kChunkWords];
    std::uint64_t skip[kChunkWords];
    std::uint64_t standing[kChunkWords];  // of them: records are the previous ones,
    std::size_t found[kChunkPairs];       // from here on, if there are any
    ChildPairs children;
    GroundMemory ground;
};

SeveralSlot::SeveralSlot() : memory(std::make_unique<SeveralMemory>()) {}
SeveralSlot::~SeveralSlot() = default;

void SeveralSlot::reserve(std::uint32_t most_children) { memory->children.reserve(most_children); }

void Batch::reserve_several(WorkSlot& slot) const {
    if (!expands_) {
        // An earlier call with compounds or surfaces may have used this memory.
        for (PendingChunk& pending : slot.pending) pending.several.reset();
        return;
    }
    if (slot.several == nullptr) slot.several = std::make_unique<SeveralSlot>();
    slot.several->reserve(arguments_.hulls->max_children());
    for (PendingChunk& pending : slot.pending) {
        if (arguments_.compact && pending.several == nullptr) pending.several = std::make_shared<SeveralRecords>();
    }
}

// Pairs with surfaces whose bodies are at rest keep their records. Those of a dense call stay where they are, as other
// pairs' do. Those of a compact call are taken from the previous records, which must have all of a pair.
void Batch::find_resting(const ChunkJob& job, const WorkSlot& slot) const {
    SeveralMemory& memory = *slot.several->memory;
    std::fill_n(memory.standing, kChunkWords, std::uint64_t{0});
    // The records of a world do not end where those of its last pair do.
    const bool complete = !previous_.contacts().one_per_pair && arguments_.previous_of_worlds == nullptr &&
                          arguments_.level >= OutputLevel::manifold4;
    if (job.skip_count == 0 || (arguments_.compact && !complete)) return;
    for (std::uint32_t i = 0; i < job.count; ++i) {
        if (!has_bit(memory.pairs, i) || !has_bit(slot.skip, i)) continue;
        const HullRecord* a = nullptr;
        const HullRecord* b = nullptr;
        if (!hulls_of(job, i, a, b) || !(is_surface(*a) || is_surface(*b))) continue;
        if (arguments_.compact) {
            set_bit(memory.standing, i);
        } else {
            clear_bit(memory.pairs, i);
        }
    }
    std::uint64_t recorded[kChunkWords];
    const auto first = static_cast<std::uint64_t>(job.pairs - arguments_.pairs.data());
    if (arguments_.compact) find_standing({first, first + job.count}, memory.standing, memory.found, recorded);
}

bool Batch::set_several_apart(ChunkJob& job, WorkSlot& slot, const ChunkOutput& to) const {
    prepare_own_frames(job, slot);
    SeveralMemory& memory = *slot.several->memory;
    find_several(job, memory.pairs);
    find_resting(job, slot);
    if (to.several != nullptr) to.several->begin(memory.pairs);
    if (count_bits(memory.pairs) == 0) return false;
    // The others are computed, bodies at rest or not.
    job.skip_count = 0;
    for (std::uint32_t w = 0; w < kChunkWords; ++w) {
        slot.skip[w] &= ~memory.pairs[w];
        memory.skip[w] = slot.skip[w] | memory.pairs[w];
        job.skip_count += static_cast<std::uint32_t>(std::popcount(memory.skip[w]));
    }
    job.skip = memory.skip;
    return true;
}

template <class Record>
void Batch::collide_run(const ChunkJob& job, WorkSlot& slot, Counters& counters) const {
    ChildRun& run = slot.several->memory->children.run();
    const BodyView bodies(std::span<const BodyD>(run.bodies.data(), run.body_count));
    table_->prepare_bodies(bodies, arguments_.hulls->records(), arguments_.hulls->size(), nullptr, 0, run.body_count,
                           run.frames.data());
    ChunkJob own = job;
    own.bodies = &bodies;
    own.set_pairs(run.pairs);
    own.frames = run.frames.data();
    own.count = run.count;
    own.pair_margins = own.core_margins = run.margins;
    own.rounded = nullptr;
    own.cache = nullptr;
    own.certificates = nullptr;
    own.hold = nullptr;
    own.skip = nullptr;
    own.skip_count = 0;
    own.level = std::is_same_v<Record, PairDistance> ? OutputLevel::distance
                : std::is_same_v<Record, Manifold4>  ? OutputLevel::manifold4
                                                     : OutputLevel::manifold16;
    own.out = run.records.data();
    own.write_unreported = false;
    own.stream = false;
    own.reported = run.reported;
    own.overlapping = run.overlapping;
    ChunkTotals totals;
    compute(own, slot, totals);
    counters += totals.counters;
}

template <class Record>
void Batch::expand_as(const ChunkJob& job, WorkSlot& slot, const ChunkOutput& to, ChunkTotals& totals) const {
    SeveralMemory& memory = *slot.several->memory;
    ChildRun& run = memory.children.run();
    RecordTaker<Record> taker(job, to, totals);
    const auto flush = [&] {
        if (run.count == 0) return;
        collide_run<Record>(job, slot, totals.counters);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            if (!has_bit(run.reported, i)) continue;
            Record& record = reinterpret_cast<Record*>(run.records.data())[i];
            const ChildRun::Name& name = run.names[i];
            name_record(job.pairs[name.pair], name, run.bodies[run.pairs[i].a], record);
            taker.take(name.pair, record);
        }
        memory.children.clear();
    };
    for (std::uint32_t i = 0; i < job.count; ++i) {
        if (!has_bit(memory.pairs, i)) continue;
        if (has_bit(memory.standing, i)) {
            flush();
            ++totals.counters.unmoved_pairs;
            if (memory.found[i] == kNoPrevious) continue;
            if (arguments_.level == OutputLevel::manifold16) {
                take_previous<Manifold16>(previous_.contacts(), memory.found[i], i, taker);
            } else {
                take_previous<Manifold4>(previous_.contacts(), memory.found[i], i, taker);
            }
            continue;
        }
        const ExpandedBody a(job.hulls, read_body(*job.bodies, job.pairs[i].a));
        ExpandedBody b(job.hulls, read_body(*job.bodies, job.pairs[i].b));
        b.origin = position_of(b.body) - position_of(a.body);
        if (is_surface(*a.record) || is_surface(*b.record)) {
            flush();  // records are taken in the order of the pairs
            take_ground(job, i, a, b, memory.ground, taker, totals.counters);
            continue;
        }
        memory.children.list(i, a, b, job.margin_of(i), flush);
    }
    flush();
    taker.finish(memory.pairs);
}

void Batch::expand(const ChunkJob& job, WorkSlot& slot, const ChunkOutput& to, ChunkTotals& totals) const {
    const FpEnvironmentGuard environment;
    // Level overlap has the stages of distances.
    const OutputLevel level = to.level == OutputLevel::overlap ? OutputLevel::distance : to.level;
    with_record(level, [&]<class Record>() { expand_as<Record>(job, slot, to, totals); });
}

}  // namespace lanefold::detail
