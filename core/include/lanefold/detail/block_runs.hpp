// SPDX-License-Identifier: MIT
//
// Blocks of a loop, shared out among tasks: each has a run of neighbours of its own and then helps with the other runs.
// Loop after loop over the same things a task so begins with the same part of them, which its core's cache may hold,
// and no two tasks write the same counter before one is done.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lanefold::detail {

// The first block of a task's run; that of the run behind the last is the number of blocks.
constexpr std::size_t run_begin(std::size_t blocks, std::size_t run, std::size_t runs) { return blocks * run / runs; }

class BlockRuns {
public:
    // For blocks 0 to blocks - 1 and tasks 0 to tasks - 1.
    BlockRuns(std::size_t blocks, unsigned tasks) : runs_(std::clamp(tasks, 1U, kMostRuns)) {
        for (unsigned r = 0; r < runs_; ++r) {
            run_[r].next.store(run_begin(blocks, r, runs_), std::memory_order_relaxed);
            run_[r].end = run_begin(blocks, r + std::size_t{1}, runs_);
        }
    }

    // Calls f(block) for blocks that no other call of work() has, until all are taken. Any number of calls may run at
    // once or one after the other; one call does all that the others leave.
    template <class F>
    void work(unsigned task, const F& f) {
        work_while(task, [&](std::size_t block) {
            f(block);
            return true;
        });
    }

    // The same, but the call ends where f returns false: blocks may be left over.
    template <class F>
    void work_while(unsigned task, const F& f) {
        for (unsigned k = 0; k < runs_; ++k) {
            Run& run = run_[(task + k) % runs_];
            while (run.next.load(std::memory_order_relaxed) < run.end) {
                const std::size_t block = run.next.fetch_add(1, std::memory_order_relaxed);
                if (block < run.end && !f(block)) return;
            }
        }
    }

private:
    // More tasks share the runs of the first so many.
    static constexpr unsigned kMostRuns = 64;

    struct alignas(64) Run {
        std::atomic<std::size_t> next{0};
        std::size_t end = 0;
    };

    unsigned runs_;
    Run run_[kMostRuns];
};

// Lowers `first` to `value` if `value` is smaller. Any number of tasks may call it.
inline void keep_lowest(std::atomic<std::uint64_t>& first, std::uint64_t value) {
    std::uint64_t seen = first.load(std::memory_order_relaxed);
    while (value < seen && !first.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
}

}  // namespace lanefold::detail
