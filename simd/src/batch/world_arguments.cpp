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
    if (!arguments.inputs.unmoved.empty())
        return refuse("inputs.unmoved: a call of worlds has no records to keep", arguments.inputs.unmoved.size());
    return {};
}

}  // namespace lanefold::detail
