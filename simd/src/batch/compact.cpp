// SPDX-License-Identifier: MIT
//
// Compact output: only the reported records, in input order, in one pass and without a record for every pair. Tasks
// claim chunks in order and compute each into a private staging area. Once the counts of all earlier chunks are known,
// the task that computed a chunk copies its records to the output.
//
// The chain of counts is lock-free. A task that finishes chunk c publishes its count, then reads where chunk c - 1
// ends. If that is known, it publishes where c ends, and goes on through all later chunks whose counts are known. If
// not, the task that publishes the end of c - 1 reads the count of c afterwards. Both tasks read after they have
// published (sequentially consistent), so at least one of them sees the other's value. If both do, they write the same
// value.
//
// When the output is too small, the call still counts the remaining records, at the cheapest level, unless
// options.count_required is false. Its sums are then those of the pairs before next_pair, so the sums of a resumed
// sequence of calls add up to those of one call.
#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>
#include <thread>

#include <lanefold/hash.hpp>

#include "batch/several.hpp"

namespace lanefold::detail {
namespace {

constexpr const char* kTruncated = "out is too small; continue from pair";

class Compact {
public:
    explicit Compact(Batch& batch)
        : batch_(batch),
          level_(batch.arguments().level),
          element_(element_bytes(level_)),
          capacity_(batch.arguments().out_count),
          records_(batch.workspace().chunk_records.data()),
          ends_(batch.workspace().chunk_end.data()),
          next_pair_(batch.arguments().pairs.size()) {
        std::fill_n(records_, batch.chunk_count(), 0);
        std::fill_n(ends_, batch.chunk_count(), 0);
    }

    void compute() { run_slots(batch_.executor(), batch_.slots(), *this); }

    // Nothing is written for pairs that are not computed.
    void cancel() {}

    // The work of one task.
    void operator()(unsigned index) {
        try {
            work(batch_.slot(index));
        } catch (...) {
            failed_.store(true);  // the others must not wait for this task's chunk
            throw;
        }
    }

    void finish(CompactResult& result) {
        for (unsigned i = 0; i < batch_.slots(); ++i) {
            add_totals(result, batch_.slot(i).totals);
            result.hash += batch_.slot(i).hash;
            result.written += batch_.slot(i).written;
            if (batch_.arguments().anchors.states == nullptr) continue;
            *batch_.arguments().carried += batch_.slot(i).carried;
            *batch_.arguments().anchored += batch_.slot(i).anchored;
        }
        const std::uint64_t computed = std::min(next_.load(), batch_.chunk_count());
        result.required = computed == 0 ? 0 : load(ends_[computed - 1]) - 1;
        result.next_pair = next_pair_.load();
        const bool cut = result.required > capacity_;
        if (cut) {
            add_cut_chunk(result);
            result.status = {Status::truncated, kTruncated, result.next_pair};
        }
        if (cut && !counts()) {
            // The number of chunks that were still computed depends on timing, so it must not show.
            result.required = result.written + next_records_.load();
        } else if (computed < batch_.chunk_count()) {
            const std::uint64_t left = batch_.chunk(computed).begin;
            result.next_pair = std::min(result.next_pair, left);
            result.status = {Status::cancelled, kStopped, left};
        }
        result.pairs = result.next_pair - batch_.arguments().first_pair;
    }

private:
    bool counts() const { return batch_.arguments().options->count_required; }
    // True once the end of the output is reached, if the records beyond it need not be counted.
    bool has_enough() const { return !counts() && full_.load(std::memory_order_relaxed); }

    // libc++ has no atomic_ref before version 19.
#ifdef __cpp_lib_atomic_ref
    static std::uint64_t load(std::uint64_t& x) { return std::atomic_ref(x).load(); }
    static void store(std::uint64_t& x, std::uint64_t value) { std::atomic_ref(x).store(value); }
#else
    static std::uint64_t load(std::uint64_t& x) { return __atomic_load_n(&x, __ATOMIC_SEQ_CST); }
    static void store(std::uint64_t& x, std::uint64_t value) { __atomic_store_n(&x, value, __ATOMIC_SEQ_CST); }
#endif

    // Chunks that this task computed and has not yet placed, oldest first, in a ring.
    struct Queue {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        std::uint32_t free_areas = 0;  // one bit per staging area
    };

    void work(WorkSlot& slot) {
        const std::uint32_t areas = batch_.slots() > 1 ? kMaxPending : 1;
        Queue queue;
        queue.free_areas = (1U << areas) - 1;
        // A task checks for a stop BEFORE a claim. A claimed chunk is always computed, so the computed chunks are a
        // prefix of the call, and no task waits for a chunk that never comes.
        while (!batch_.stopped() && !failed_.load(std::memory_order_relaxed) && !has_enough()) {
            const std::uint64_t c = claim();
            if (c >= batch_.chunk_count()) break;
            compute_chunk(c, slot, queue);
            place_ready(slot, queue);
            if (queue.count == areas && !place_oldest(slot, queue)) return;
        }
        while (queue.count != 0) {
            if (!place_oldest(slot, queue)) return;
        }
    }

    // The counter never exceeds the number of chunks, so it is the number of chunks that were computed.
    std::uint64_t claim() {
        std::uint64_t c = next_.load(std::memory_order_relaxed);
        while (c < batch_.chunk_count() && !next_.compare_exchange_weak(c, c + 1, std::memory_order_relaxed)) {
        }
        return c;
    }

    void compute_chunk(std::uint64_t c, WorkSlot& slot, Queue& queue) {
        PendingChunk& pending = slot.pending[(queue.first + queue.count) % kMaxPending];
        // The lowest free area is the most recently used one and still in the cache.
        const auto area = static_cast<std::uint32_t>(std::countr_zero(queue.free_areas));
        pending.chunk = c;
        pending.staging = area;
        pending.totals = {};
        pending.counted_only = full_.load(std::memory_order_relaxed);
        ChunkOutput to;
        to.level = pending.counted_only ? OutputLevel::overlap : level_;
        to.out = pending.counted_only ? nullptr : staging(slot, area);
        to.write_unreported = false;
        to.reported = pending.reported;
        to.overlapping = slot.overlapping;
        to.found = pending.found;
        to.several = pending.several.get();
        const PairRange range = batch_.chunk(c);
        batch_.collide(range, slot, to, pending.totals);
        std::copy_n(slot.skip, kChunkWords, pending.standing);
        pending.records = 0;
        for (std::uint32_t w = 0; w < (range.count() + 63) / 64; ++w) {
            pending.records += static_cast<std::uint64_t>(std::popcount(pending.reported[w]));
        }
        if (to.several != nullptr) pending.records += to.several->total - to.several->reported(pending.reported);
        queue.free_areas &= queue.free_areas - 1;
        ++queue.count;
        publish(c, pending.records);
    }

    std::byte* staging(WorkSlot& slot, std::uint32_t area) const {
        return slot.staging.data() + area * element_ * kChunkPairs;
    }

    void publish(std::uint64_t c, std::uint64_t count) {
        store(records_[c], count + 1);
        std::uint64_t end = 1;
        if (c != 0) {
            end = load(ends_[c - 1]);
            if (end == 0) return;
        }
        for (;;) {
            end += count;
            // Another task has published this end and goes on from here.
            if (load(ends_[c]) != 0) return;
            store(ends_[c], end);
            if (end - 1 > capacity_) full_.store(true, std::memory_order_relaxed);
            if (++c == batch_.chunk_count()) return;
            count = load(records_[c]);
            if (count == 0) return;
            --count;
        }
    }

    bool is_ready(std::uint64_t c) const { return c == 0 || load(ends_[c - 1]) != 0; }

    void place_ready(WorkSlot& slot, Queue& queue) {
        while (queue.count != 0 && is_ready(slot.pending[queue.first].chunk)) place(slot, queue);
    }

    // Waits until the oldest chunk's place is known. False when another task failed.
    bool place_oldest(WorkSlot& slot, Queue& queue) {
        for (unsigned spins = 0; !is_ready(slot.pending[queue.first].chunk); ++spins) {
            if (failed_.load(std::memory_order_relaxed)) return false;
            if (spins > 64) std::this_thread::yield();
        }
        place(slot, queue);
        return true;
    }

    void place(WorkSlot& slot, Queue& queue) {
        PendingChunk& pending = slot.pending[queue.first];
        const std::uint64_t start = pending.chunk == 0 ? 0 : load(ends_[pending.chunk - 1]) - 1;
        const std::uint64_t end = start + pending.records;
        if (start < capacity_ && !pending.counted_only) {
            with_record(level_, [&]<class Record>() { copy<Record>(pending, start, slot); });
        }
        if (end <= capacity_) {
            add_totals(slot.totals, pending.totals);
        } else if (start <= capacity_) {
            store_next_pair(pending, capacity_ - start);
        }
        queue.free_areas |= 1U << pending.staging;
        queue.first = (queue.first + 1) % kMaxPending;
        --queue.count;
    }

    // A pair's records are copied all or none.
    template <class Record>
    void copy(const PendingChunk& pending, std::uint64_t start, WorkSlot& slot) const {
        const PreviousContacts& previous = batch_.arguments().inputs.previous;
        const std::byte* from = staging(slot, pending.staging);
        std::byte* const first = static_cast<std::byte*>(batch_.arguments().out) + start * sizeof(Record);
        std::byte* to = first;
        std::uint64_t room = std::min(pending.records, capacity_ - start);
        std::uint32_t* candidates = batch_.arguments().candidates;
        if (candidates != nullptr) candidates += start;
        const auto begin = static_cast<std::uint32_t>(batch_.chunk(pending.chunk).begin);
        std::uint64_t several = 0;  // records of such pairs so far
        for (std::uint32_t w = 0; room != 0; ++w) {
            for (std::uint64_t bits = pending.reported[w]; bits != 0 && room != 0; bits &= bits - 1) {
                const auto i = 64 * w + static_cast<std::uint32_t>(std::countr_zero(bits));
                const std::uint64_t n = records_of(pending, i);
                if (n > room) {
                    room = 0;
                    break;
                }
                room -= n;
                if (is_several(pending, i)) {
                    copy_several<Record>(batch_, *pending.several, batch_.chunk(pending.chunk), i, several, slot, to);
                    to += n * sizeof(Record);
                    several += n;
                } else {
                    const bool stands = has_bit(pending.standing, i);
                    std::memcpy(
                        to, stands ? previous.records + pending.found[i] * sizeof(Record) : from + i * sizeof(Record),
                        sizeof(Record));
                    // That of a world alone names its bodies otherwise.
                    if (stands && batch_.arguments().previous_of_worlds != nullptr)
                        std::memcpy(to, &batch_.arguments().pairs[begin + i], sizeof(Pair));
                    to += sizeof(Record);
                }
                if (candidates != nullptr) candidates = std::fill_n(candidates, n, begin + i);
            }
        }
        slot.written += static_cast<std::uint64_t>(to - first) / sizeof(Record);
        // Distances have no hash, as in dense output.
        if constexpr (!std::same_as<Record, PairDistance>) {
            if (!batch_.arguments().options->hash) return;
            for (const std::byte* r = first; r != to; r += sizeof(Record))
                slot.hash += hash_record(*reinterpret_cast<const Record*>(r));
        }
    }

    static bool is_several(const PendingChunk& pending, std::uint32_t i) {
        return pending.several != nullptr && has_bit(pending.several->pairs, i);
    }
    // How many records a reported pair has.
    static std::uint64_t records_of(const PendingChunk& pending, std::uint32_t i) {
        return is_several(pending, i) ? pending.several->count[i] : 1;
    }

    // The first pair whose records do not fit is that of the chunk's n-th record, counted from 0.
    void store_next_pair(const PendingChunk& pending, std::uint64_t n) {
        const std::uint64_t begin = batch_.chunk(pending.chunk).begin;
        for (std::uint32_t w = 0;; ++w) {
            for (std::uint64_t bits = pending.reported[w]; bits != 0; bits &= bits - 1) {
                const auto i = 64 * w + static_cast<std::uint32_t>(std::countr_zero(bits));
                const std::uint64_t own = records_of(pending, i);
                if (n < own) {
                    next_pair_.store(begin + i);
                    next_records_.store(own);
                    return;
                }
                n -= own;
            }
        }
    }

    // Adds the sums of the chunk in which the output became full, up to next_pair, by computing that part again.
    void add_cut_chunk(CompactResult& result) {
        std::uint64_t c = 0;
        while (batch_.chunk(c).end <= result.next_pair) ++c;
        const PairRange range{batch_.chunk(c).begin, result.next_pair};
        if (range.count() == 0) return;
        WorkSlot& slot = batch_.slot(0);
        ChunkOutput to;
        to.level = level_;
        to.out = staging(slot, 0);
        to.write_unreported = false;
        to.reported = slot.reported;
        to.overlapping = slot.overlapping;
        to.found = slot.pending[0].found;
        to.several = slot.pending[0].several.get();
        ChunkTotals totals;
        batch_.collide(range, slot, to, totals);
        add_totals(result, totals);
    }

    Batch& batch_;
    OutputLevel level_;
    std::size_t element_;
    std::uint64_t capacity_;
    std::uint64_t* records_;
    std::uint64_t* ends_;
    std::atomic<std::uint64_t> next_pair_;
    std::atomic<std::uint64_t> next_records_ = 0;  // of that pair, when the output became full there
    std::atomic<bool> full_ = false;               // the end of some chunk lies beyond the capacity
    std::atomic<bool> failed_ = false;
    alignas(128) std::atomic<std::uint64_t> next_ = 0;  // on a cache line of its own, because all tasks write it
};

}  // namespace

CompactResult run_compact(const BatchArguments& arguments, Executor& executor) {
    CompactResult nothing;
    nothing.next_pair = arguments.first_pair;
    return run_batch<Compact>(arguments, executor, nothing);
}

CompactResult run_compact(BatchArguments arguments, std::uint64_t first_pair, std::span<std::uint32_t> candidates,
                          Executor& executor) {
    CompactResult refused;
    refused.next_pair = first_pair;
    if (!candidates.empty() && candidates.size() != arguments.out_count) {
        refused.status = {Status::bad_argument, "candidates and out differ in length", candidates.size()};
        return refused;
    }
    arguments.compact = true;
    arguments.first_pair = first_pair;
    arguments.candidates = candidates.data();
    return run_at_scale(arguments, refused, [&](const BatchArguments& mine) { return run_compact(mine, executor); });
}

}  // namespace lanefold::detail
