// SPDX-License-Identifier: MIT
//
// One task leads through the stages and opens each; all claim parts of the open one. A stage ends before the next
// opens.
#include "solve/stages.hpp"

#include <algorithm>
#include <thread>

#include <lanefold/detail/block_runs.hpp>
#include <lanefold/fp_environment.hpp>

#include "tasks/executor.hpp"

namespace lanefold::detail {
namespace {

// Stand for the number of a stage.
constexpr std::uint32_t kNoneYet = 0xFFFFFFFFU;
constexpr std::uint32_t kAllDone = 0xFFFFFFFEU;
// Tasks help each other in stages with so many claims per run; with fewer, looking costs more than it spares. The
// leader always looks, because a task may not have started.
constexpr std::uint32_t kClaimsToShare = 4;

// Waits a moment, and lets others have the processor when the moments add up: more tasks than free cores must not
// stall.
class Backoff {
public:
    void wait() {
        if (++turns_ < kSpins) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#elif defined(__aarch64__)
            __asm__ volatile("yield");
#endif
        } else {
            std::this_thread::yield();
        }
    }

private:
    static constexpr unsigned kSpins = 2000;
    unsigned turns_ = 0;
};

}  // namespace

void StageRunner::run(std::span<const SolverStage> stages, const SolverJob& job, Executor& executor, unsigned slots) {
    if (slots <= 1) {
        const FpEnvironmentGuard guard;
        for (const SolverStage& stage : stages) {
            if (stage.first < stage.last) stage.run(job, stage.first, stage.last);
        }
        return;
    }
    stages_ = stages;
    job_ = &job;
    runs_ = std::min(slots, kMostRuns);
    for (unsigned r = 0; r < runs_; ++r) tickets_[r].value.store(0, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    opened_.store(kNoneYet, std::memory_order_relaxed);
    led_.store(0, std::memory_order_release);
    auto task = [this](unsigned slot) { work(slot); };
    run_slots(executor, slots, task);
    // An executor may leave out tasks of a cancelled group, even all.
    work(0);
}

void StageRunner::work(unsigned slot) {
    const FpEnvironmentGuard guard;
    if (led_.exchange(1, std::memory_order_acq_rel) == 0) {
        lead(slot % runs_);
    } else {
        follow(slot % runs_);
    }
}

// Does the rest of a task's run of a stage. Returns the number of claims that it did.
std::uint32_t StageRunner::take(std::uint32_t stage_number, unsigned run) {
    const SolverStage& stage = stages_[stage_number];
    const auto first = static_cast<std::uint32_t>(run_begin(stage.claims(), run, runs_));
    const auto end = static_cast<std::uint32_t>(run_begin(stage.claims(), run + std::size_t{1}, runs_));
    const std::uint64_t this_stage = (std::uint64_t{stage_number} + 1) << 32U;
    std::atomic<std::uint64_t>& ticket = tickets_[run].value;
    std::uint64_t next = ticket.load(std::memory_order_acquire);
    std::uint32_t count = 0;
    for (;;) {
        // The first task to come begins the run. A later stage: this one is done.
        if (next < this_stage) {
            if (!ticket.compare_exchange_weak(next, this_stage | first, std::memory_order_acq_rel)) continue;
            next = this_stage | first;
        }
        if (next - this_stage >= end) return count;
        if (!ticket.compare_exchange_weak(next, next + 1, std::memory_order_acq_rel)) continue;
        const std::uint32_t begin = stage.first + static_cast<std::uint32_t>(next - this_stage) * stage.grain;
        stage.run(*job_, begin, std::min(stage.last, begin + stage.grain));
        ++count;
        ++next;
    }
}

// Reports that so many claims are done. True if that was the rest of the stage.
bool StageRunner::report(std::uint32_t stage, std::uint32_t count) {
    const std::uint32_t before =
        count != 0 ? done_.fetch_add(count, std::memory_order_acq_rel) : done_.load(std::memory_order_acquire);
    return before + count == stages_[stage].claims();
}

// Takes from another task's run. True if that was the rest of the stage.
bool StageRunner::help(std::uint32_t stage, unsigned run) {
    const std::uint32_t count = take(stage, run);
    return count != 0 && report(stage, count);
}

void StageRunner::lead(unsigned run) {
    for (std::uint32_t i = 0; i < stages_.size(); ++i) {
        const SolverStage& stage = stages_[i];
        const std::uint32_t claims = stage.claims();
        if (claims == 0) continue;
        if (claims == 1) {
            stage.run(*job_, stage.first, stage.last);
            continue;
        }
        done_.store(0, std::memory_order_relaxed);
        opened_.store(i, std::memory_order_release);
        bool over = report(i, take(i, run));
        for (unsigned r = 1; r < runs_ && !over; ++r) over = help(i, (run + r) % runs_);
        Backoff backoff;
        while (!over) {
            over = done_.load(std::memory_order_acquire) == claims;
            backoff.wait();
        }
    }
    opened_.store(kAllDone, std::memory_order_release);
}

void StageRunner::follow(unsigned run) {
    // A waiting task reads opened_ only, because the tickets belong to working tasks.
    std::uint32_t seen = kNoneYet;
    Backoff backoff;
    for (;;) {
        const std::uint32_t stage = opened_.load(std::memory_order_acquire);
        if (stage == kAllDone) return;
        if (stage == seen) {
            backoff.wait();
            continue;
        }
        seen = stage;
        backoff = {};
        bool over = report(stage, take(stage, run));
        if (stages_[stage].claims() < kClaimsToShare * runs_) continue;
        for (unsigned r = 1; r < runs_ && !over; ++r) over = help(stage, (run + r) % runs_);
    }
}

}  // namespace lanefold::detail
