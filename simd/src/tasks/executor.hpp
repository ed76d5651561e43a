// SPDX-License-Identifier: MIT
//
// Executors run the tasks of a batch call, on the calling thread (SerialExecutor) or in the caller's TBB arena
// (parallel/src/tbb_executor.hpp). The batch code depends on neither.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lanefold::detail {

class Executor {
public:
    using Task = void (*)(void* context, unsigned slot);

    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    // Number of tasks that can run at the same time, >= 1.
    virtual unsigned concurrency() const = 0;

    // Runs task(context, slot) once for every slot in [0, slots), on any threads, and returns when all have ended. An
    // exception of a task is thrown then. It may skip slots that have not started once cancelled() is true.
    virtual void run(unsigned slots, Task task, void* context) = 0;

    // True once the host (not the stop token) has cancelled the work. Called on the threads that work.
    virtual bool cancelled() const = 0;
};

class SerialExecutor final : public Executor {
public:
    unsigned concurrency() const override { return 1; }
    void run(unsigned slots, Task task, void* context) override {
        for (unsigned slot = 0; slot < slots; ++slot) task(context, slot);
    }
    bool cancelled() const override { return false; }
};

// Tasks for so many parts on at most `threads` threads, 0: all. For one thread or one part the executor is not asked,
// because that touches the scheduler.
inline unsigned tasks_for(const Executor& executor, std::uint32_t threads, std::uint64_t parts) {
    if (threads == 1 || parts <= 1) return 1;
    const unsigned all = executor.concurrency();
    return static_cast<unsigned>(std::min<std::uint64_t>(threads == 0 ? all : std::min(all, threads), parts));
}

// Runs f(slot) for every slot on the executor.
template <class F>
void run_slots(Executor& executor, unsigned slots, F& f) {
    executor.run(
        slots, [](void* context, unsigned slot) { (*static_cast<F*>(context))(slot); }, &f);
}

}  // namespace lanefold::detail
