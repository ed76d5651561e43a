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

constexpr std::uint64_t kNothingOpen = 0xFFFFFFFFU;

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
    ticket_.store(kNothingOpen, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    finished_.store(false, std::memory_order_relaxed);
    led_.store(false, std::memory_order_release);
    auto task = [this](unsigned) { work(); };
    run_slots(executor, slots, task);
}

void StageRunner::work() {
    const FpEnvironmentGuard guard;
    if (!led_.exchange(true, std::memory_order_acq_rel)) {
        lead();
    } else {
        follow();
    }
}

// Does the claim that the ticket names, if it is still open.
bool StageRunner::claim(std::uint64_t ticket) {
    const auto index = static_cast<std::uint32_t>(ticket >> 32U);
    const auto number = static_cast<std::uint32_t>(ticket);
    const Stage& stage = stages_[index];
    if (number >= stage.claims()) return false;
    if (!ticket_.compare_exchange_strong(ticket, ticket + 1, std::memory_order_acq_rel)) return true;
    const std::uint32_t first = stage.first + number * stage.grain;
    stage.run(*job_, first, std::min(stage.last, first + stage.grain));
    done_.fetch_add(1, std::memory_order_release);
    return true;
}

void StageRunner::lead() {
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        const Stage& stage = stages_[i];
        const std::uint32_t claims = stage.claims();
        if (claims == 0) continue;
        if (claims == 1) {
            stage.run(*job_, stage.first, stage.last);
            continue;
        }
        done_.store(0, std::memory_order_relaxed);
        ticket_.store(std::uint64_t{i} << 32U, std::memory_order_release);
        while (claim(ticket_.load(std::memory_order_acquire))) {
        }
        Patience patience;
        while (done_.load(std::memory_order_acquire) != claims) patience.wait();
    }
    finished_.store(true, std::memory_order_release);
}

void StageRunner::follow() {
    Patience patience;
    while (!finished_.load(std::memory_order_acquire)) {
        if (claim(ticket_.load(std::memory_order_acquire))) {
            patience = {};
        } else {
            patience.wait();
        }
    }
}

}  // namespace lanefold::detail
