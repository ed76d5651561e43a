// SPDX-License-Identifier: MIT
//
// A solver step is some hundred short stages one after the other, each of items that can be done in any order. Starting
// a parallel loop for each would cost more than the work; so the tasks of a step start once and go through the stages
// together.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "solve/solver_job.hpp"

namespace lanefold::detail {

class Executor;

struct SolverStage {
    SolverFn run = nullptr;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t grain = 1;  // items that are claimed together; as many as there are: one task does all
    // The constraints that it solves; null: it has none of that kind.
    ConstraintBlocks SolverJob::*blocks = nullptr;
    bool linked = false;    // its items are groups of links
    bool together = false;  // it solves all contacts that it reaches as one problem: strikes, tight contacts

    std::uint32_t claims() const { return (last - first + grain - 1) / grain; }
};

// The task that arrives first leads: it opens stage after stage, works like all others, and waits at the end of each
// for the claims of others. The others look for open stages until the last is done. No task waits for one that has not
// started, so any number of tasks may run, one after the other even.
//
// A stage's claims are cut into one run of neighbours per task. A task begins with its own run, which is the same part
// of the constraints in every pass over them, so they stay in its core's cache; then it helps with the other runs.
class StageRunner {
public:
    void run(std::span<const SolverStage> stages, const SolverJob& job, Executor& executor, unsigned slots);

private:
    // The state of one task's run: in the upper half the last stage that a task began, plus 1; in the lower its next
    // claim. Mostly that task alone uses it, so it stays in its core's cache.
    struct alignas(64) Ticket {
        std::atomic<std::uint64_t> value{0};
    };
    // More tasks than this share runs.
    static constexpr unsigned kMostRuns = 64;

    void work(unsigned slot);
    void lead(unsigned run);
    void follow(unsigned run);
    std::uint32_t take(std::uint32_t stage_number, unsigned run);
    bool report(std::uint32_t stage, std::uint32_t count);
    bool help(std::uint32_t stage, unsigned run);

    std::span<const SolverStage> stages_;
    const SolverJob* job_ = nullptr;
    unsigned runs_ = 1;
    Ticket tickets_[kMostRuns];
    alignas(64) std::atomic<std::uint32_t> done_{0};
    alignas(64) std::atomic<std::uint32_t> opened_{0};  // the last stage that was opened, or that all are done
    alignas(64) std::atomic<std::uint32_t> led_{0};     // a word, because not every processor can exchange a byte
};

}  // namespace lanefold::detail
