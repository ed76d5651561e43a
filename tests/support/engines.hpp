// SPDX-License-Identifier: MIT
//
// The engines a sweep can judge: the float64 path pair by pair, and the serial batch call on one or on every
// instruction set.
#pragma once

#include <string>
#include <vector>

#include "support/sweep.hpp"

namespace lanefold::test {

Engine4 precise_engine4();
Engine16 precise_engine16();

// The serial batch on one instruction set; a refused call or another instruction set ends as a GoogleTest
// failure and records that the judge refuses.
Engine4 serial_engine4(Isa isa);
Engine16 serial_engine16(Isa isa);

// The serial batch on every available instruction set. Returns the records of the weakest; any bit that
// differs elsewhere is counted, and the first few are described.
struct IsaDifferences {
    std::uint64_t records = 0;  // compared
    std::uint64_t differing = 0;
    std::vector<std::string> first;
    Counters counters;  // of the weakest instruction set
};
Engine4 all_isas_engine4(IsaDifferences& differences);
Engine16 all_isas_engine16(IsaDifferences& differences);

}  // namespace lanefold::test
