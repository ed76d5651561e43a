// SPDX-License-Identifier: MIT
//
// Matching of contacts, and captures.
#include <memory>
#include <vector>

#include <lanefold_stream.h>
#include <lanefold/capture.hpp>
#include <lanefold/match_contacts.hpp>

#include "convert.hpp"

struct lanefold_capture {
    lanefold::Capture own;
    std::vector<std::byte> bytes;  // of the last lanefold_capture_bytes()
};

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

static_assert(sizeof(lanefold_fate) == sizeof(RecordFate));

template <class Record, class CRecord, class CMatch>
lanefold_status match(std::span<const CRecord> previous, std::span<const CRecord> current, CMatch* matches,
                      lanefold_fate* fates, lanefold_match_result* result) {
    return guarded([&] {
        if ((previous.data() == nullptr && !previous.empty()) || (current.data() == nullptr && !current.empty()) ||
            (matches == nullptr && !current.empty())) {
            return refuse("previous, current or matches is null with a count");
        }
        lanefold_match_result out = LANEFOLD_MATCH_RESULT_INIT;
        if (!read_versioned(result, out)) {
            return refuse("result.struct_size is not set: begin with LANEFOLD_MATCH_RESULT_INIT");
        }
        const std::size_t fate_count = fates != nullptr ? previous.size() : 0;
        const MatchResult r =
            match_contacts(std::span(reinterpret_cast<const Record*>(previous.data()), previous.size()),
                           std::span(reinterpret_cast<const Record*>(current.data()), current.size()),
                           std::span(reinterpret_cast<RecordMatch<Record>*>(matches), current.size()),
                           std::span(reinterpret_cast<RecordFate*>(fates), fate_count));
        out = {sizeof out, r.begun, r.kept, r.ended, r.points_new, r.points_kept, r.points_broken};
        write_versioned(out, result);
        return status_of(r.status);
    });
}

// The call whose pair a capture gets.
struct Call {
    const lanefold_hulls* hulls;
    const lanefold_body_view* bodies;
    const lanefold_pair* pairs;
    std::uint64_t pair_count;
    const lanefold_options* options;
    const char* instruction_set;
    std::uint64_t frame;
};

template <class Record, class CRecord>
lanefold_status add(lanefold_capture* capture, const Call& c, std::uint64_t i, const CRecord* record) {
    return guarded([&] {
        if (capture == nullptr || c.hulls == nullptr || c.bodies == nullptr || record == nullptr) {
            return refuse("capture, hulls, bodies or record is null");
        }
        if (c.pairs == nullptr && c.pair_count != 0) return refuse("pairs is null with a count");
        const BodyView view = view_of(*c.bodies);
        Options options;
        CallInputs inputs;
        lanefold_status refused{};
        if (!options_of(c.options, view, c.pair_count, options, inputs, refused)) return refused;
        Isa isa;
        if (!take_instruction_set(c.instruction_set, isa)) return refuse("instruction_set is not a known name");
        const std::span<const Pair> pairs(reinterpret_cast<const Pair*>(c.pairs), c.pair_count);
        const CapturedCall call{c.hulls->set, view, pairs, options, inputs, isa, c.frame, {}, {}, {}};
        Record own;
        std::memcpy(&own, record, sizeof own);
        return status_of(capture->own.add(call, i, own));
    });
}

}  // namespace

extern "C" {

lanefold_status lanefold_match_contacts4(const lanefold_manifold4* previous, uint64_t previous_count,
                                         const lanefold_manifold4* current, uint64_t current_count,
                                         lanefold_match4* matches, lanefold_fate* fates,
                                         lanefold_match_result* result) {
    return match<Manifold4>(std::span(previous, previous_count), std::span(current, current_count), matches, fates,
                            result);
}

lanefold_status lanefold_match_contacts16(const lanefold_manifold16* previous, uint64_t previous_count,
                                          const lanefold_manifold16* current, uint64_t current_count,
                                          lanefold_match16* matches, lanefold_fate* fates,
                                          lanefold_match_result* result) {
    return match<Manifold16>(std::span(previous, previous_count), std::span(current, current_count), matches, fates,
                             result);
}

lanefold_capture* lanefold_capture_create(const char* note) {
    try {
        auto capture = std::make_unique<lanefold_capture>();
        if (note != nullptr) capture->own.note = note;
        return capture.release();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void lanefold_capture_free(lanefold_capture* capture) { delete capture; }

uint64_t lanefold_capture_count(const lanefold_capture* capture) {
    return capture != nullptr ? capture->own.pairs().size() : 0;
}

lanefold_status lanefold_capture_add4(lanefold_capture* capture, const lanefold_hulls* hulls,
                                      const lanefold_body_view* bodies, const lanefold_pair* pairs, uint64_t pair_count,
                                      const lanefold_options* options, const char* instruction_set, uint64_t frame,
                                      uint64_t i, const lanefold_manifold4* record) {
    return add<Manifold4>(capture, {hulls, bodies, pairs, pair_count, options, instruction_set, frame}, i, record);
}

lanefold_status lanefold_capture_add16(lanefold_capture* capture, const lanefold_hulls* hulls,
                                       const lanefold_body_view* bodies, const lanefold_pair* pairs,
                                       uint64_t pair_count, const lanefold_options* options,
                                       const char* instruction_set, uint64_t frame, uint64_t i,
                                       const lanefold_manifold16* record) {
    return add<Manifold16>(capture, {hulls, bodies, pairs, pair_count, options, instruction_set, frame}, i, record);
}

lanefold_status lanefold_capture_bytes(lanefold_capture* capture, const void** bytes, uint64_t* size) {
    return guarded([&] {
        if (capture == nullptr || bytes == nullptr || size == nullptr) return refuse("capture, bytes or size is null");
        capture->bytes = capture->own.bytes();
        *bytes = capture->bytes.data();
        *size = capture->bytes.size();
        return status_of({});
    });
}

}  // extern "C"
