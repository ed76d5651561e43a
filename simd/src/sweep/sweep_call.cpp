// SPDX-License-Identifier: MIT
//
// Sets up a call, gives chunks to tasks, packs compact output.
#include "sweep/sweep_call.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include <lanefold/detail/block_runs.hpp>
#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>

#include "batch/batch.hpp"

namespace lanefold::detail {
namespace {

// Chunks of a compact call that are computed before their records are packed: enough for every task, at 64 KiB each.
constexpr std::uint64_t kStagedChunksPerSlot = 4;

// Pairs of a chunk at least: whole vectors, and time enough that a claim of it costs nothing.
constexpr std::uint64_t kLeastSwept = 64;

class SweepCall {
public:
    SweepCall(const SweepArguments& arguments, Executor& executor)
        : arguments_(arguments),
          executor_(executor),
          workspace_(arguments.workspace->impl()),
          motions_{arguments.hulls, arguments.begin, arguments.end, arguments.inputs->spins} {}

    ~SweepCall() {
        if (taken_) workspace_.in_use.store(0, std::memory_order_release);
    }
    SweepCall(const SweepCall&) = delete;
    SweepCall& operator=(const SweepCall&) = delete;

    SweepResult run() {
        SweepResult result;
        if (workspace_.in_use.exchange(1, std::memory_order_acquire) != 0) {
            result.status = refuse("workspace is in use by another call");
            return result;
        }
        taken_ = true;
        reserve();
        const std::uint64_t pairs = arguments_.pairs.size();
        result.next_pair = arguments_.first_pair;
        if (!arguments_.compact) {
            const std::uint64_t done = compute(0, pairs, arguments_.out.data());
            count(result, arguments_.out);
            stop(result, done, pairs);
            result.next_pair = done;
        } else {
            compact(result);
        }
        for (unsigned i = 0; i < slots_; ++i) {
            const SweepSlot& s = *workspace_.slots[i];
            result.culled += s.totals.culled;
            result.distances += s.totals.distances;
            if (result.status && !s.status) result.status = s.status;
        }
        return result;
    }

private:
    void reserve() {
        const std::uint64_t pairs = arguments_.pairs.size() - arguments_.first_pair;
        const unsigned most =
            tasks_for(executor_, arguments_.options->threads, (pairs + kLeastSwept - 1) / kLeastSwept);
        // The length of a chunk changes no result: small batches are cut so that every task gets some.
        chunk_ = std::clamp<std::uint64_t>(pairs / (std::uint64_t{most} * 4), kLeastSwept, kSweepChunk);
        slots_ = static_cast<unsigned>(std::clamp<std::uint64_t>((pairs + chunk_ - 1) / chunk_, 1, most));
        while (workspace_.slots.size() < slots_) workspace_.slots.push_back(std::make_unique<SweepSlot>());
        for (unsigned i = 0; i < slots_; ++i) {
            SweepSlot& s = *workspace_.slots[i];
            s.reserve(*arguments_.hulls);
            s.totals = {};
            s.status = {};
        }
        if (arguments_.compact) workspace_.staging.reserve(staged());
    }

    std::uint64_t staged() const { return kStagedChunksPerSlot * slots_ * chunk_; }

    bool stopped() const { return arguments_.inputs->stop.stop_requested() || executor_.cancelled(); }

    // Writes the records of pairs [begin, end). Returns the first pair that was left out because of a stop, or end.
    std::uint64_t compute(std::uint64_t begin, std::uint64_t end, SweepRecord* out) {
        const std::uint64_t blocks = (end - begin + chunk_ - 1) / chunk_;
        if (blocks == 0) return end;
        const auto tasks = static_cast<unsigned>(std::min<std::uint64_t>(blocks, slots_));
        BlockRuns runs(static_cast<std::size_t>(blocks), tasks);
        std::atomic<std::uint64_t> left = end;
        const auto cancel = [&](std::uint64_t first, std::uint64_t last) {
            for (std::uint64_t i = first; i < last; ++i) {
                SweepRecord& r = out[i - begin];
                r = {};
                r.pair[0] = arguments_.pairs[i].a;
                r.pair[1] = arguments_.pairs[i].b;
                r.state = SweepState::failed;
                r.status = Status::cancelled;
            }
            keep_lowest(left, first);
        };
        auto work = [&](unsigned task) {
            const FpEnvironmentGuard environment;
            SweepSlot& slot = *workspace_.slots[task];
            runs.work(task, [&](std::size_t b) {
                const std::uint64_t first = begin + b * chunk_;
                const std::uint64_t last = std::min(end, first + chunk_);
                if (stopped() || !slot.status) {
                    cancel(first, last);
                    return;
                }
                const CallStatus status = sweep_chunk(motions_, arguments_.pairs.subspan(first, last - first),
                                                      *arguments_.options, out + (first - begin), slot);
                if (status) return;
                slot.status = status;
                cancel(first, last);
            });
        };
        run_slots(executor_, tasks, work);
        // An executor may leave out tasks of a cancelled group.
        work(0);
        return left.load(std::memory_order_relaxed);
    }

    static void count(SweepResult& result, std::span<const SweepRecord> records) {
        result.pairs += records.size();
        for (const SweepRecord& r : records) {
            ++result.by_state[static_cast<std::size_t>(r.state)];
            ++result.by_status[static_cast<std::size_t>(r.status)];
        }
    }

    static void stop(SweepResult& result, std::uint64_t done, std::uint64_t end) {
        if (done != end) result.status = {Status::cancelled, kStopped, done};
    }

    void compact(SweepResult& result) {
        const std::uint64_t pairs = arguments_.pairs.size();
        bool full = false;
        for (std::uint64_t begin = arguments_.first_pair; begin < pairs && result.status;) {
            const std::uint64_t end = std::min(pairs, begin + staged());
            SweepRecord* const staging = workspace_.staging.data();
            const std::uint64_t done = compute(begin, end, staging);
            pack(result, {staging, static_cast<std::size_t>(done - begin)}, begin, full);
            stop(result, done, end);
            begin = end;
        }
        if (full && result.status) {
            result.status = {Status::truncated, "out is too small: go on from next_pair", result.next_pair};
        }
    }

    // Appends the records of the pairs from `begin` on that are no misses. The first one that finds no room is where a
    // later call goes on; from there on records are only counted as required.
    void pack(SweepResult& result, std::span<const SweepRecord> records, std::uint64_t begin, bool& full) const {
        std::size_t whole = full ? 0 : records.size();
        for (std::size_t i = 0; i < records.size(); ++i) {
            if (records[i].state == SweepState::miss) continue;
            ++result.required;
            if (full) continue;
            if (result.written == arguments_.out.size()) {
                full = true;
                whole = i;
                result.next_pair = begin + i;
                continue;
            }
            arguments_.out[result.written++] = records[i];
        }
        count(result, records.first(whole));
        if (!full) result.next_pair = begin + records.size();
    }

    const SweepArguments& arguments_;
    Executor& executor_;
    SweepWorkspace::Impl& workspace_;
    Motions motions_;
    unsigned slots_ = 1;
    std::uint64_t chunk_ = kSweepChunk;
    bool taken_ = false;
};

}  // namespace

SweepResult run_sweep(const SweepArguments& arguments, Executor& executor) {
    const auto run = [&](const HullSet& hulls, const BodyView& begin) {
        SweepArguments mine = arguments;
        BodyView end = *arguments.end;  // the second poses only
        end.scale = nullptr;
        mine.hulls = &hulls;
        mine.begin = &begin;
        mine.end = &end;
        SweepResult result;
        result.status = check_sweep(mine);
        if (!result.status) return result;
        try {
            return SweepCall(mine, executor).run();
        } catch (...) {
            result.status = failure_of_current_exception();
        }
        return result;
    };
    if (!arguments.workspace->valid()) return run(*arguments.hulls, *arguments.begin);  // which refuses it
    return at_scale<SweepResult>(arguments.workspace->impl().scaled, *arguments.hulls, *arguments.begin, run);
}

}  // namespace lanefold::detail
