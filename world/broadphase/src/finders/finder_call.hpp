// SPDX-License-Identifier: MIT
//
// The course of a call of either finder: refusal, choice of the kernels, the work, memory that runs out.
#pragma once

#include <new>

#include <lanefold/fp_environment.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/status.hpp>

#include "finders/finder_table.hpp"

namespace lanefold::detail {

// Calls run(table) if the arguments were not refused, and reset() if memory ran out in it. Returns true if it ran to
// its end; otherwise result.status says why not.
template <class Result, class Run, class Reset>
bool call_finder(const CallStatus& arguments, Isa isa, Result& result, const Run& run, const Reset& reset) {
    result.status = arguments;
    if (!result.status) return false;
    const IsaChoice choice = choose_isa(isa);
    result.status = choice.status;
    if (!result.status) return false;
    const FinderTable& table = finder_table(choice.isa);
    result.isa = table.isa;
    try {
        in_default_environment([&] { run(table); });
    } catch (const std::bad_alloc&) {
        reset();
        result = {};
        result.isa = table.isa;
        result.status = {Status::out_of_memory, "the candidate pairs do not fit into memory", 0};
        return false;
    }
    return true;
}

}  // namespace lanefold::detail
