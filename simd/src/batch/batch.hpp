// SPDX-License-Identifier: MIT
//
// A batch call with valid arguments: chooses kernels, chunks and memory, and computes one chunk. The loops over chunks
// are in batch/dense.cpp and batch/compact.cpp.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include <lanefold/export.hpp>
#include <lanefold/isa.hpp>

#include "batch/arguments.hpp"
#include "batch/workspace_impl.hpp"
#include "tasks/executor.hpp"

namespace lanefold::detail {

// The memory that one chunk writes.
struct ChunkOutput {
    void* out = nullptr;
    OutputLevel level = OutputLevel::manifold4;
    bool write_unreported = true;
    bool stream = false;
    std::uint64_t* reported = nullptr;     // kChunkWords
    std::uint64_t* overlapping = nullptr;  // kChunkWords
    std::size_t* found = nullptr;          // compact, of unmoved pairs: index of the previous record, or kNoPrevious
    SeveralRecords* several = nullptr;     // compact: where the records of pairs that give several go
};

class LANEFOLD_EXPORT Batch {
public:
    // Takes the workspace, chooses the kernels and the number of tasks, and reserves memory. On failure status() says
    // why, and nothing else may be called.
    Batch(const BatchArguments& arguments, Executor& executor);
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    ~Batch();

    // Checks the pair margins and the order of previous records and prepares the bodies, on all slots. Returns false if
    // something is wrong (see status()) or if the work stopped early (status() is then good, and every pair is
    // cancelled).
    bool prepare();

    const CallStatus& status() const { return status_; }
    Isa isa() const { return table_->isa; }
    Executor& executor() { return executor_; }
    Workspace::Impl& workspace() { return *workspace_; }
    const BatchArguments& arguments() const { return arguments_; }
    unsigned slots() const { return slots_; }
    WorkSlot& slot(unsigned i) { return *workspace_->slots[i]; }
    // Clears what the tasks of an earlier call counted.
    void begin_slots();

    std::uint64_t chunk_count() const { return chunk_count_; }
    // Chunks cover [first_pair, pairs.size()); all but the last have the same length, a multiple of 64.
    PairRange chunk(std::uint64_t i) const;

    // True once the caller's stop token is set or the executor has cancelled the work.
    bool stopped() const { return arguments_.inputs.stop.stop_requested() || executor_.cancelled(); }

    // Runs the kernels on these pairs, at most kChunkPairs, and adds their sums to `totals`.
    void collide(const PairRange& range, WorkSlot& slot, const ChunkOutput& to, ChunkTotals& totals) const;

    // Sets the bits of the pairs whose bodies are both marked as unmoved; returns how many.
    std::uint32_t find_unmoved(const PairRange& range, std::uint64_t* bits) const;
    bool hull_removed(std::uint32_t body) const;
    // Counts the kept records of those pairs and sets their bits: in dense output those that stand there, in compact
    // output the previous ones, whose indices it writes to `to.found`.
    void add_standing(const PairRange& range, const std::uint64_t* bits, const ChunkOutput& to,
                      ChunkTotals& totals) const;

    // Clears the bits of pairs that are reported because of a status; those of touching pairs stay.
    void keep_touching(const PairRange& range, const WorkSlot& slot, std::uint64_t* reported) const;

private:
    bool reserve();
    void reserve_several(WorkSlot& slot) const;
    bool check_margins();
    bool check_previous();
    bool index_worlds();
    // Whether a chunk of this level reads previous contacts.
    bool holds(OutputLevel level) const;
    // Writes where the previous records of the pairs in `bits` are, and which of them have one.
    void find_standing(const PairRange& range, const std::uint64_t* bits, std::size_t* found,
                       std::uint64_t* recorded) const;
    // collide() of a stream with reuse.
    void collide_reusing(const PairRange& range, WorkSlot& slot, const ChunkOutput& to, ChunkTotals& totals) const;
    // The frames of a job's pairs, if frames are prepared per pair.
    void prepare_own_frames(const ChunkJob& job, WorkSlot& slot) const;
    // Runs the kernels on a job whose pairs are not all skipped and whose frames are prepared. Adds to the job what
    // its rounded hulls need.
    void compute(ChunkJob& job, WorkSlot& slot, ChunkTotals& totals) const;
    // Pairs that give several records (batch/expand.cpp). The first finds those of the job and has the kernels skip
    // them; false: there is none. The second computes them.
    bool set_several_apart(ChunkJob& job, WorkSlot& slot, const ChunkOutput& to) const;
    void find_resting(const ChunkJob& job, const WorkSlot& slot) const;
    void expand(const ChunkJob& job, WorkSlot& slot, const ChunkOutput& to, ChunkTotals& totals) const;
    template <class Record>
    void expand_as(const ChunkJob& job, WorkSlot& slot, const ChunkOutput& to, ChunkTotals& totals) const;
    template <class Record>
    void collide_run(const ChunkJob& job, WorkSlot& slot, Counters& counters) const;
    static void shorten(const ChunkJob& job, PairDistance* out, ChunkTotals& totals);
    ChunkJob job_of(const PairRange& range, WorkSlot& slot, const ChunkOutput& to) const;
    bool prepare_frames();
    template <class F>
    bool for_blocks(std::uint64_t count, std::uint64_t block, F f);

    const BatchArguments& arguments_;  // of the call, which outlives this
    Executor& executor_;
    CallStatus status_;
    Workspace::Impl* workspace_ = nullptr;
    bool taken_ = false;
    const KernelTable* table_ = nullptr;
    PreviousRecords previous_;
    unsigned slots_ = 1;
    std::uint32_t chunk_pairs_ = kChunkPairs;
    std::uint64_t chunk_count_ = 0;
    bool frames_per_pair_ = false;
    bool expands_ = false;  // the set has a compound or a surface
};

// Pairs per chunk: kChunkPairs, or fewer if the batch is so small that some tasks would get only a few chunks. A
// multiple of 64 (whole words of overlap bits, whole vectors). It changes no result.
LANEFOLD_EXPORT std::uint32_t chunk_pairs(std::uint64_t pairs, unsigned slots);

// The distance of a record of points, without the children's numbers.
template <class Manifold>
PairDistance distance_of(const Manifold& r) {
    PairDistance d{};
    std::memcpy(d.normal, r.normal, sizeof d.normal);
    d.distance = r.distance;
    d.kind = r.kind;
    d.status = r.status;
    return d;
}

// `Totals`, `From`: ChunkTotals, or a call's result, which has the same members.
template <class Totals, class From>
void add_totals(Totals& to, const From& from) {
    to.touching += from.touching;
    to.overlapping += from.overlapping;
    to.points += from.points;
    for (std::size_t i = 0; i < kStatusCount; ++i) to.by_status[i] += from.by_status[i];
    for (std::size_t i = 0; i < kContactKindCount; ++i) to.by_kind[i] += from.by_kind[i];
    to.counters += from.counters;
}

// A set of a chunk's pairs as bits, 64 to a word.
inline bool has_bit(const std::uint64_t* words, std::uint64_t i) { return ((words[i / 64] >> (i % 64)) & 1U) != 0; }
inline void set_bit(std::uint64_t* words, std::uint64_t i) { words[i / 64] |= std::uint64_t{1} << (i % 64); }
inline void clear_bit(std::uint64_t* words, std::uint64_t i) { words[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }

// How many pairs are in a set.
inline std::uint32_t count_bits(const std::uint64_t* words) {
    std::uint32_t n = 0;
    for (std::uint32_t w = 0; w < kChunkWords; ++w) n += static_cast<std::uint32_t>(std::popcount(words[w]));
    return n;
}

// CallStatus::what of a call that stopped early.
inline constexpr const char* kStopped = "stopped before all pairs were computed; the first pair left is";

// The status for the exception that is being handled. Calls never throw to the caller.
LANEFOLD_EXPORT CallStatus failure_of_current_exception();

// Runs a call in one of the forms of output. `nothing`: the result of a call that computes nothing.
template <class Form, class Result>
Result run_batch(const BatchArguments& arguments, Executor& executor, const Result& nothing) {
    Result result = nothing;
    try {
        Batch batch(arguments, executor);
        result.status = batch.status();
        if (!result.status) return result;
        batch.begin_slots();
        Form form(batch);
        if (batch.prepare())
            form.compute();
        else if (batch.status())
            form.cancel();
        else {
            result.status = batch.status();
            return result;
        }
        result.isa = batch.isa();
        form.finish(result);
    } catch (...) {
        result = nothing;
        result.status = failure_of_current_exception();
    }
    return result;
}

// Runs f(arguments) with the call's bodies at their scales.
template <class Result, class F>
Result run_at_scale(const BatchArguments& arguments, const Result& nothing, const F& f) {
    if (!arguments.workspace->valid()) return f(arguments);  // which refuses it
    ScaledBodies& memory = arguments.workspace->impl().scaled;
    // Small calls are spared the copy of the arguments.
    if (!memory.serves(*arguments.bodies)) return f(arguments);
    const auto run = [&](const HullSet& hulls, const BodyView& bodies) {
        BatchArguments mine = arguments;
        mine.hulls = &hulls;
        mine.bodies = &bodies;
        return f(mine);
    };
    return at_scale(memory, *arguments.hulls, *arguments.bodies, run, nothing);
}

// The forms. The result's status is that of the call. This form of run_compact() takes no scales.
LANEFOLD_EXPORT BatchResult run_dense(const BatchArguments& arguments, Executor& executor);
LANEFOLD_EXPORT CompactResult run_compact(const BatchArguments& arguments, Executor& executor);
// A compact call by the arguments of a dense one. `candidates`: as many as records, or none.
LANEFOLD_EXPORT CompactResult run_compact(BatchArguments arguments, std::uint64_t first_pair,
                                          std::span<std::uint32_t> candidates, Executor& executor);

}  // namespace lanefold::detail
