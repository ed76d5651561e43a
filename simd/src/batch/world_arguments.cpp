// SPDX-License-Identifier: MIT
//
// See the header.
#include "batch/world_arguments.hpp"

#include <lanefold/detail/caller_memory.hpp>

namespace lanefold::detail {
namespace {

struct OffsetWords {
    const char* count;
    const char* null;
    const char* order;
    const char* end;
};
constexpr OffsetWords kPairOffsets{"worlds.pairs needs one number more than results",
                                   "worlds.pairs is null but has a length", "worlds.pairs does not ascend",
                                   "worlds.pairs ends behind the pairs"};
constexpr OffsetWords kRecordOffsets{"worlds.records needs one number more than results",
                                     "worlds.records is null but has a length", "worlds.records does not ascend",
                                     "worlds.records ends behind out"};
constexpr OffsetWords kPreviousOffsets{"worlds.previous_records needs one number more than results, or none",
                                       "worlds.previous_records is null but has a length",
                                       "worlds.previous_records does not ascend",
                                       "worlds.previous_records ends behind inputs.previous"};
constexpr OffsetWords kBodyOffsets{"worlds.bodies needs one number more than results, or none",
                                   "worlds.bodies is null but has a length", "worlds.bodies does not ascend",
                                   "worlds.bodies ends behind the bodies"};

// One offset more than worlds, ascending, none above `limit`.
CallStatus check_offsets(std::span<const std::uint64_t> offsets, std::size_t worlds, std::uint64_t limit,
                         const OffsetWords& words) {
    if (offsets.size() != worlds + 1) return refuse(words.count, offsets.size());
    if (offsets.data() == nullptr) return refuse(words.null, offsets.size());
    for (std::size_t w = 0; w < worlds; ++w) {
        if (offsets[w] > offsets[w + 1]) return refuse(words.order, w + 1);
    }
    return offsets.back() > limit ? refuse(words.end, offsets.back()) : CallStatus{};
}

CallStatus check_previous_worlds(const PreviousContacts& previous, const WorldRanges& worlds, std::size_t results) {
    if (worlds.previous_records.empty() && worlds.previous_results.empty()) return {};
    if (worlds.previous_results.size() != results)
        return refuse("worlds.previous_results needs as many as results, or none", worlds.previous_results.size());
    if (worlds.previous_results.data() == nullptr && results != 0)
        return refuse("worlds.previous_results is null but has a length", results);
    if (!previous.empty() && previous.one_per_pair) return refuse("worlds.previous_records: inputs.previous is dense");
    if (previous.count > kMostIndexedPairs)
        return refuse("inputs.previous: more than 2^32 - 16 records", previous.count);
    const CallStatus status = check_offsets(worlds.previous_records, results, previous.count, kPreviousOffsets);
    if (!status) return status;
    for (std::size_t w = 0; w < results; ++w) {
        if (worlds.previous_results[w].written > worlds.previous_records[w + 1] - worlds.previous_records[w])
            return refuse("worlds.previous_results: more records than room", w);
    }
    return {};
}

}  // namespace

CallStatus check_worlds(const BatchArguments& arguments, const WorldRanges& worlds, std::size_t results) {
    CallStatus status = check_offsets(worlds.pairs, results, arguments.pairs.size(), kPairOffsets);
    if (!status) return status;
    status = check_offsets(worlds.records, results, arguments.out_count, kRecordOffsets);
    if (!status) return status;
    if (!worlds.bodies.empty()) status = check_offsets(worlds.bodies, results, arguments.bodies->count, kBodyOffsets);
    if (!status) return status;
    if (!worlds.active.empty() && worlds.active.size() != results)
        return refuse("worlds.active needs one byte for each of the results, or none", worlds.active.size());
    if (!worlds.active.empty() && worlds.active.data() == nullptr)
        return refuse("worlds.active is null but has a length", worlds.active.size());
    if (!arguments.inputs.unmoved.empty() && worlds.previous_records.empty())
        return refuse("inputs.unmoved: a call of worlds needs worlds.previous_records",
                      arguments.inputs.unmoved.size());
    return check_previous_worlds(arguments.inputs.previous, worlds, results);
}

}  // namespace lanefold::detail
