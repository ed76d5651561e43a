// SPDX-License-Identifier: MIT
//
// Tests that run once for every instruction set of this build and machine, and fail if another one ran.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <lanefold/detail/chunk.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/options.hpp>

namespace lanefold::test {

class IsaTest : public testing::TestWithParam<Isa> {
protected:
    void SetUp() override {
        const detail::KernelTable* table = detail::kernel_table(GetParam());
        ASSERT_NE(table, nullptr) << to_string(GetParam());
        ASSERT_EQ(table->isa, GetParam());
        ASSERT_EQ(table->width, isa_width(GetParam()));
    }

    // Call it for every batch: it expects that the requested instruction set ran.
    void expect_ran(const BatchResult& r) const {
        ASSERT_TRUE(r.status) << r.status.what << " at " << r.status.where;
        EXPECT_EQ(r.isa, GetParam()) << "ran " << to_string(r.isa) << " instead of " << to_string(GetParam());
    }
};

inline std::string isa_test_name(const testing::TestParamInfo<Isa>& info) {
    std::string name = to_string(info.param);
    for (char& c : name) {
        if (c == '.') c = '_';
    }
    return name;
}

}  // namespace lanefold::test

// LANEFOLD_INSTANTIATE_ISA_TESTS(Fixture): one instance for every available instruction set.
#define LANEFOLD_INSTANTIATE_ISA_TESTS(Fixture)                                                                       \
    INSTANTIATE_TEST_SUITE_P(Isa, Fixture,                                                                            \
                             testing::ValuesIn(lanefold::available_isas().begin(), lanefold::available_isas().end()), \
                             lanefold::test::isa_test_name)
