// SPDX-License-Identifier: MIT
//
// Engines for sweeps: the float64 path pair by pair, and the serial batch call on one or on every instruction set.
#pragma once

#include <string>
#include <vector>

#include "support/sweep.hpp"

namespace lanefold::test {

Engine4 precise_engine4();
Engine16 precise_engine16();

// The serial batch on one instruction set. If the call is refused, or another instruction set runs, it fails the test
// and returns records that the judge refuses.
Engine4 serial_engine4(Isa isa);

// The serial batch on every available instruction set. Returns the records of the weakest, counts records of the others
// that differ in a bit, and describes the first few.
struct IsaDifferences {
    std::uint64_t records = 0;  // compared
    std::uint64_t differing = 0;
    std::vector<std::string> first;
    Counters counters;  // of the weakest instruction set
};
Engine4 all_isas_engine4(IsaDifferences& differences);
Engine16 all_isas_engine16(IsaDifferences& differences);

// Expect no violation, and no record that differs; fail with the first few in words otherwise.
void expect_clean(const SweepResult& r);
void expect_same(const IsaDifferences& d);

}  // namespace lanefold::test
