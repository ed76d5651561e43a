// SPDX-License-Identifier: MIT
//
// Cancellation for the build with ThreadSanitizer, found instead of oneTBB's header: there are no task groups.
#pragma once

namespace tbb {

inline bool is_current_task_group_canceling() { return false; }

}  // namespace tbb
