// SPDX-License-Identifier: MIT
//
// Checks the arguments of sweeps, before anything is written.
#include <bit>
#include <cstdint>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/isa.hpp>

#include "batch/arguments.hpp"
#include "sweep/sweep_call.hpp"

namespace lanefold::detail {
namespace {

CallStatus check_options(const SweepOptions& options) {
    if (!is_length(options.target)) return refuse("options.target is negative or not finite");
    if (!is_length(options.tolerance) || std::bit_cast<std::uint32_t>(options.tolerance) << 1 == 0)
        return refuse("options.tolerance is not above 0 and finite");
    return {};
}

}  // namespace

CallStatus check_sweep(const SweepArguments& arguments) {
    const std::span<const Pair> pairs = arguments.pairs;
    const std::span<const Vec3d> spins = arguments.inputs->spins;
    if (!arguments.workspace->valid()) return refuse("workspace was moved from");
    CallStatus status = check_options(*arguments.options);
    if (!status) return status;
    Bytes out;
    Bytes read[8];
    status = check_array(pairs, kPairsTexts, read[0]);
    if (!status) return status;
    status = check_array(arguments.out, kOutTexts, out);
    if (!status) return status;
    status = check_array(spins,
                         {"inputs.spins is null but has a length", "inputs.spins is not aligned",
                          "inputs.spins exceed the address space"},
                         read[1]);
    if (!status) return status;
    const std::size_t bodies = arguments.begin->count;
    if (!arguments.compact && arguments.out.size() != pairs.size()) {
        return refuse("out and pairs differ in length", arguments.out.size());
    }
    if (arguments.first_pair > pairs.size()) {
        return refuse("first_pair lies beyond the pairs", arguments.first_pair);
    }
    if (arguments.end->count != bodies) return refuse("begin and end differ in length", arguments.end->count);
    if (!spins.empty() && spins.size() != bodies) {
        return refuse("inputs.spins and bodies differ in length", spins.size());
    }
    if (bodies > (std::uint64_t{1} << 32)) return refuse("bodies: more than 2^32", bodies);
    Bytes begin[3];
    Bytes end[3];
    status = check_body_view(*arguments.begin, begin);
    if (!status) return status;
    status = check_body_view(*arguments.end, end);
    if (!status) return status;
    for (int i = 0; i < 3; ++i) {
        read[2 + i] = begin[i];
        read[5 + i] = end[i];
    }
    for (const Bytes& in : read) {
        if (overlap(out, in)) return refuse("out overlaps an input");
    }
    return choose_isa(arguments.options->isa).status;
}

}  // namespace lanefold::detail
