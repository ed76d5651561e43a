// SPDX-License-Identifier: MIT
//
// Lets TBB use eight threads in a test program even on a machine with fewer cores: order and races must be
// tested everywhere. Include it in tests that use arenas.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include <tbb/global_control.h>

namespace lanefold::test {

class EightThreads : public testing::Environment {
public:
    void SetUp() override {
        control_ = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, 8);
    }
    void TearDown() override { control_.reset(); }

private:
    std::unique_ptr<tbb::global_control> control_;
};

inline testing::Environment* const eight_threads = testing::AddGlobalTestEnvironment(new EightThreads);

}  // namespace lanefold::test
