// SPDX-License-Identifier: MIT
//
// One task leads through the stages and opens each; all claim parts of the open one. A stage ends before the next
// opens.
#include "solve/stages.hpp"

#include <algorithm>
#include <thread>

#include <lanefold/fp_environment.hpp>

#include "batch/executor.hpp"

namespace lanefold::detail {
namespace {

constexpr std::uint64_t kNothingOpen = 0xFFFFFFFFU;  // in the lower half of a ticket
// Instead of a stage.
constexpr std::uint32_t kNoneYet = 0xFFFFFFFFU;
constexpr std::uint32_t kAllDone = 0xFFFFFFFEU;

// Waits a moment, and lets others have the processor when the moments add up: more tasks than free cores must not
// stall.
class Patience {
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

void StageRunner::run(std::span<const Stage> stages, const SolverJob& job, Executor& executor, unsigned slots) {
    if (slots <= 1) {
        const FpEnvironmentGuard guard;
        for (const Stage& stage : stages) {
            if (stage.first < stage.last) stage.run(job, stage.first, stage.last);
        }
        return;
    }
    stages_ = stages;
    job_ = &job;
    runs_ = std::min(slots, kMostRuns);
    for (unsigned r = 0; r < runs_; ++r) tickets_[r].value.store(kNothingOpen, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    opened_.store(kNoneYet, std::memory_order_relaxed);
    led_.store(0, std::memory_order_release);
    auto task = [this](unsigned slot) { work(slot); };
    run_slots(executor, slots, task);
}

void StageRunner::work(unsigned slot) {
    const FpEnvironmentGuard guard;
    if (led_.exchange(1, std::memory_order_acq_rel) == 0) {
        lead(slot % runs_);
    } else {
        follow(slot % runs_);
    }
}

// The first claim of a run; that of the run behind the last is the number of claims.
std::uint32_t StageRunner::first_claim(const Stage& stage, unsigned run) const {
    return static_cast<std::uint32_t>(std::uint64_t{stage.claims()} * run / runs_);
}

// Does the next claim of a run of the open stage, and adds to `count`. False if there is none.
bool StageRunner::claim(unsigned run, std::uint32_t& count) {
    std::atomic<std::uint64_t>& next = tickets_[run].value;
    std::uint64_t ticket = next.load(std::memory_order_acquire);
    const auto number = static_cast<std::uint32_t>(ticket);
    if (number == kNothingOpen) return false;
    const Stage& stage = stages_[ticket >> 32U];
    if (number >= first_claim(stage, run + 1)) return false;
    if (!next.compare_exchange_strong(ticket, ticket + 1, std::memory_order_acq_rel)) return true;
    const std::uint32_t first = stage.first + number * stage.grain;
    stage.run(*job_, first, std::min(stage.last, first + stage.grain));
    ++count;
    return true;
}

// Does what is left of the open stage, from the task's own run on.
void StageRunner::help(unsigned run) {
    for (unsigned r = 0; r < runs_; ++r) {
        // All tasks write done_, so each adds once for many claims.
        std::uint32_t count = 0;
        while (claim((run + r) % runs_, count)) {
        }
        if (count != 0) done_.fetch_add(count, std::memory_order_release);
    }
}

void StageRunner::open(std::uint32_t stage) {
    done_.store(0, std::memory_order_relaxed);
    for (unsigned r = 0; r < runs_; ++r) {
        const std::uint64_t first = first_claim(stages_[stage], r);
        tickets_[r].value.store(std::uint64_t{stage} << 32U | first, std::memory_order_release);
    }
    opened_.store(stage, std::memory_order_release);
}

void StageRunner::lead(unsigned run) {
    for (std::uint32_t i = 0; i < stages_.size(); ++i) {
        const Stage& stage = stages_[i];
        const std::uint32_t claims = stage.claims();
        if (claims == 0) continue;
        if (claims == 1) {
            stage.run(*job_, stage.first, stage.last);
            continue;
        }
        open(i);
        help(run);
        Patience patience;
        while (done_.load(std::memory_order_acquire) != claims) patience.wait();
    }
    opened_.store(kAllDone, std::memory_order_release);
}

void StageRunner::follow(unsigned run) {
    // Who waits looks at opened_ only: the tickets belong to those who work.
    std::uint32_t seen = kNoneYet;
    Patience patience;
    while (seen != kAllDone) {
        const std::uint32_t stage = opened_.load(std::memory_order_acquire);
        if (stage == seen) {
            patience.wait();
            continue;
        }
        seen = stage;
        help(run);
        patience = {};
    }
}

}  // namespace lanefold::detail
