// SPDX-License-Identifier: MIT
//
// Compact calls whose number of records nobody knows before: pairs with surfaces and compounds have any number.
#pragma once

#include <span>
#include <vector>

#include <lanefold/options.hpp>

namespace lanefold::tools {

// Runs call(records), a compact call from its first pair on, and once more if `out` had too little room. `out` then has
// all records of the call and no more.
template <class Record, class Call>
CompactResult whole_output(std::vector<Record>& out, const Call& call) {
    CompactResult result = call(std::span<Record>(out));
    if (result.status.code == Status::truncated) {
        out.resize(result.required);
        result = call(std::span<Record>(out));
    }
    out.resize(result.written);
    return result;
}

}  // namespace lanefold::tools
