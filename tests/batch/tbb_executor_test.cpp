// SPDX-License-Identifier: MIT
//
// The promises of oneTBB's executor about tasks that throw.
#include <gtest/gtest.h>

#include <atomic>
#include <new>

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "support/batch_threads.hpp"
#include "tbb_executor.hpp"

namespace lanefold::test {
namespace {

// Runs `slots` tasks in a group of the host's, of which one cancels the group, if it is to, and throws.
bool is_told(unsigned slots, unsigned thrower, bool cancel) {
    bool told = false;
    std::atomic<unsigned> ended = 0;
    tbb::task_arena arena(4);
    arena.execute([&] {
        tbb::task_group group;
        group.run([&] {
            detail::TbbExecutor executor;
            auto task = [&](unsigned slot) {
                if (slot == thrower) {
                    if (cancel) group.cancel();
                    throw std::bad_alloc();
                }
                ended.fetch_add(1);
            };
            try {
                detail::run_slots(executor, slots, task);
            } catch (const std::bad_alloc&) {
                told = true;
            }
        });
        group.wait();
    });
    if (!cancel) {
        EXPECT_EQ(ended.load(), slots - 1);
    }
    return told;
}

TEST(TbbExecutor, WhatATaskThrowsIsToldAlsoInACancelledGroup) {
    for (const unsigned slots : {1U, 2U, 5U, 64U}) {
        // The first task always starts.
        EXPECT_TRUE(is_told(slots, 0, true)) << slots;
        EXPECT_TRUE(is_told(slots, slots - 1, false)) << slots;
    }
}

}  // namespace
}  // namespace lanefold::test
