// SPDX-License-Identifier: MIT
//
// Who runs the work of a batch call: the calling thread (batch/serial.cpp) or the caller's TBB arena
// (parallel/src). The batch code itself knows neither.
#pragma once

namespace lanefold::detail {

class Executor {
public:
    using Task = void (*)(void* context, unsigned slot);

    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    // Most tasks that can make progress at the same time, >= 1.
    virtual unsigned concurrency() const = 0;

    // Runs task(context, slot) for every slot in [0, slots), each once, on whatever threads there are; returns
    // when all have. May skip slots that have not started once cancelled() is true. Rethrows what a task throws.
    virtual void run(unsigned slots, Task task, void* context) = 0;

    // True when the surroundings (not the stop token) gave the work up. Asked on the threads that work.
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

// Calls f(slot) on the executor.
template <class F>
void run_slots(Executor& executor, unsigned slots, F& f) {
    executor.run(
        slots, [](void* context, unsigned slot) { (*static_cast<F*>(context))(slot); }, &f);
}

}  // namespace lanefold::detail
