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
std::uint32_t find_several(const ChunkJob& job, std::uint64_t* pairs) {
    std::fill_n(pairs, kChunkWords, std::uint64_t{0});
    std::uint32_t n = 0;
    for (std::uint32_t i = 0; i < job.count; ++i) {
        const HullRecord* a = nullptr;
        const HullRecord* b = nullptr;
        if (!hulls_of(job, i, a, b) || !(gives_several(*a) || gives_several(*b))) continue;
        set_bit(pairs, i);
        ++n;
    }
    return n;
}

}  // namespace

// The memory of a task for such pairs.
struct SeveralMemory {
    std::uint64_t pairs[kChunkWords];
    std::uint64_t skip[kChunkWords];
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

bool Batch::set_several_apart(ChunkJob& job, WorkSlot& slot, const ChunkOutput& to) const {
    prepare_own_frames(job, slot);
    SeveralMemory& memory = *slot.several->memory;
    const std::uint32_t n = find_several(job, memory.pairs);
    if (to.several != nullptr) to.several->begin(memory.pairs);
    if (n == 0) return false;
    // Bodies at rest or not, such pairs are computed.
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
