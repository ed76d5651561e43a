// SPDX-License-Identifier: MIT
//
// Runs the tasks of a batch call inside the caller's tbb::task_arena. Only this header's source uses TBB.
#pragma once

#include <lanefold/export.hpp>

#include "tasks/executor.hpp"

namespace lanefold::detail {

// A thread limit needs no arena or global control: a call starts at most that many tasks, and each works until nothing
// is left. An arena of our own would be created and joined at every call, and a global control would affect the host.
class LANEFOLD_EXPORT TbbExecutor final : public Executor {
public:
    unsigned concurrency() const override;
    void run(unsigned slots, Task task, void* context) override;
    bool cancelled() const override;
};

}  // namespace lanefold::detail
