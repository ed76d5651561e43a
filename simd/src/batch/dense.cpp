// SPDX-License-Identifier: MIT
//
// Dense output (one element per pair) at every level. Tasks claim runs of chunks from one counter and write only the
// elements of their own chunks. Sums are integers, so their order does not matter.
#include <algorithm>
#include <bit>
#include <cstring>

#include <lanefold/detail/block_runs.hpp>
#include <lanefold/hash.hpp>

#include "batch/batch.hpp"

namespace lanefold::detail {
namespace {

// Runs of chunks per task. Runs are long because neighbouring pairs share bodies and a claim costs a shared cache line.
// They are short in small batches, so that tasks finish together.
//
// The counter is as fast as oneTBB's own ranges. parallel_for over ranges of chunks took, by its partitioner, 0.98 to
// 1.00 (auto), 0.99 to 1.04 (simple) and 1.00 to 1.16 (static) of its time for 100,000 pairs of rocks and of cubes on 2
// threads of a busy machine, in turns; for 600 pairs, which the second thread seldom reached in time there, 0.98 to
// 1.02 (static once 1.30). Ranges would need a second way for what a call promises: at most Options::threads tasks,
// each with its own slot of the workspace; chunks in order for compact output; and after a cancellation the chunks that
// nobody took.
constexpr std::uint64_t kRunsPerSlot = 16;
constexpr std::uint64_t kLongestRun = 8;

// Outputs larger than this number of bytes are written past the caches. It is twice the last-level cache of one core on
// current servers. A larger output leaves the cache before the caller reads it, and loading each line only to overwrite
// it would double the memory traffic. It changes no result.
constexpr std::uint64_t kStreamBytes = 16U << 20U;

class Dense {
public:
    explicit Dense(Batch& batch)
        : batch_(batch),
          level_(batch.arguments().level),
          element_(element_bytes(level_)),
          stream_(streams(batch.arguments(), element_)),
          run_(std::clamp<std::uint64_t>(batch.chunk_count() / (batch.slots() * kRunsPerSlot), 1, kLongestRun)) {}

    void compute() {
        run_slots(batch_.executor(), batch_.slots(), *this);
        // Chunks that no task claimed, because the executor cancelled before a task began, are not computed.
        cancel_from(std::min(next_.load(std::memory_order_relaxed), batch_.chunk_count()));
    }

    void cancel() { cancel_from(0); }

    // The work of one task.
    void operator()(unsigned index) {
        WorkSlot& slot = batch_.slot(index);
        for (;;) {
            const std::uint64_t first = next_.fetch_add(run_, std::memory_order_relaxed);
            if (first >= batch_.chunk_count()) return;
            const std::uint64_t last = std::min(batch_.chunk_count(), first + run_);
            for (std::uint64_t c = first; c < last; ++c) {
                if (batch_.stopped()) {
                    cancel_chunk(c, slot.totals);
                } else {
                    collide_chunk(c, slot);
                }
            }
        }
    }

    void finish(BatchResult& result) {
        result.pairs = batch_.arguments().pairs.size();
        for (unsigned i = 0; i < batch_.slots(); ++i) {
            add_totals(result, batch_.slot(i).totals);
            result.hash += batch_.slot(i).hash;
        }
        add_totals(result, late_);
        const std::uint64_t left = first_left_.load(std::memory_order_relaxed);
        if (left != kNone) result.status = {Status::cancelled, kStopped, left};
    }

private:
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};

    // Marks the pairs of the chunks from this one on as cancelled.
    void cancel_from(std::uint64_t first) {
        ChunkTotals totals;
        for (std::uint64_t c = first; c < batch_.chunk_count(); ++c) cancel_chunk(c, totals);
        add_totals(late_, totals);
    }

    // Streaming needs whole cache lines: records fill them if the caller's memory begins on a line.
    static bool streams(const BatchArguments& a, std::size_t element) {
        return a.level >= OutputLevel::manifold4 && reinterpret_cast<std::uintptr_t>(a.out) % 64 == 0 &&
               a.pairs.size() * element > kStreamBytes;
    }

    std::byte* at(std::uint64_t pair) const {
        return static_cast<std::byte*>(batch_.arguments().out) + pair * element_;
    }

    std::uint64_t* words_of(const PairRange& range) const {
        return static_cast<std::uint64_t*>(batch_.arguments().out) + range.begin / 64;
    }

    void collide_chunk(std::uint64_t c, WorkSlot& slot) {
        const PairRange range = batch_.chunk(c);
        ChunkOutput to;
        to.level = level_;
        to.out = level_ == OutputLevel::overlap ? nullptr : at(range.begin);
        to.stream = stream_;
        to.reported = slot.reported;
        to.overlapping = slot.overlapping;
        const std::uint64_t good = slot.totals.by_status[static_cast<std::size_t>(Status::ok)];
        batch_.collide(range, slot, to, slot.totals);
        if (level_ == OutputLevel::overlap) {
            const bool all_good = slot.totals.by_status[static_cast<std::size_t>(Status::ok)] - good == range.count();
            if (!all_good) batch_.keep_touching(range, slot, slot.reported);
            std::memcpy(words_of(range), slot.reported, (range.count() + 63) / 64 * sizeof(std::uint64_t));
        } else if (batch_.arguments().options->hash && level_ == OutputLevel::manifold4) {
            slot.hash += hash_reported<Manifold4>(range, slot.reported);
        } else if (batch_.arguments().options->hash && level_ == OutputLevel::manifold16) {
            slot.hash += hash_reported<Manifold16>(range, slot.reported);
        }
    }

    template <class Record>
    std::uint64_t hash_reported(const PairRange& range, const std::uint64_t* reported) const {
        const Record* records = static_cast<const Record*>(batch_.arguments().out) + range.begin;
        std::uint64_t sum = 0;
        for (std::uint32_t w = 0; w < (range.count() + 63) / 64; ++w) {
            for (std::uint64_t bits = reported[w]; bits != 0; bits &= bits - 1) {
                sum += hash_record(records[64 * w + static_cast<std::uint32_t>(std::countr_zero(bits))]);
            }
        }
        return sum;
    }

    template <class Record>
    void cancel_records(const PairRange& range, const std::uint64_t* standing) const {
        for (std::uint64_t i = range.begin; i < range.end; ++i) {
            const std::uint64_t k = i - range.begin;
            if (has_bit(standing, k)) continue;
            Record record{};
            if constexpr (requires { record.pair; }) {
                record.pair[0] = batch_.arguments().pairs[i].a;
                record.pair[1] = batch_.arguments().pairs[i].b;
            }
            record.status = Status::cancelled;
            std::memcpy(at(i), &record, sizeof(record));
        }
    }

    void cancel_chunk(std::uint64_t c, ChunkTotals& totals) {
        const PairRange range = batch_.chunk(c);
        std::uint64_t standing[kChunkWords];
        std::uint64_t reported[kChunkWords] = {};
        std::uint64_t overlapping[kChunkWords] = {};
        const std::uint32_t unmoved = batch_.find_unmoved(range, standing);
        if (level_ == OutputLevel::overlap)
            std::memset(words_of(range), 0, (range.count() + 63) / 64 * sizeof(std::uint64_t));
        else
            with_record(level_, [&]<class Record>() { cancel_records<Record>(range, standing); });
        totals.by_status[static_cast<std::size_t>(Status::cancelled)] += range.count() - unmoved;
        totals.by_kind[static_cast<std::size_t>(ContactKind::none)] += range.count() - unmoved;
        if (unmoved != 0) {
            batch_.add_standing(range, standing, {at(range.begin), level_, true, false, reported, overlapping}, totals);
            totals.counters.unmoved_pairs += unmoved;
        }
        keep_lowest(first_left_, range.begin);
    }

    Batch& batch_;
    OutputLevel level_;
    std::size_t element_;
    bool stream_;
    std::uint64_t run_;
    ChunkTotals late_;
    alignas(128) std::atomic<std::uint64_t> next_ = 0;  // on a cache line of its own, because all tasks write it
    alignas(128) std::atomic<std::uint64_t> first_left_ = kNone;
};

}  // namespace

BatchResult run_dense(const BatchArguments& arguments, Executor& executor) {
    return run_at_scale(arguments, BatchResult{},
                        [&](const BatchArguments& mine) { return run_batch<Dense>(mine, executor, BatchResult{}); });
}

}  // namespace lanefold::detail
