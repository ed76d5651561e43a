// SPDX-License-Identifier: MIT
//
// Errors as data. A pair has a Status in its record; a call has one in its result, with the reason and the place.
// Nothing here allocates, throws or prints.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/export.hpp>

namespace lanefold {

// The outcome of a pair, or of a call.
enum class Status : std::uint8_t {
    ok = 0,
    bad_pose = 1,       // position not finite, or quaternion not finite or not near unit length
    bad_index = 2,      // body index out of range, or a body paired with itself
    bad_hull = 3,       // hull id of a body out of range, or of a removed hull
    truncated = 4,      // call: the output span was too small; pair: never
    cancelled = 5,      // the stop token was set; pairs that are not computed have this
    bad_argument = 6,   // call: spans of different lengths, null or overlapping spans, options out of range
    out_of_memory = 7,  // call: the workspace could not grow; ignore what was written
};
inline constexpr std::size_t kStatusCount = 8;

// "ok", "bad_pose", ... ; "unknown" for a value outside the enumeration.
LANEFOLD_EXPORT const char* to_string(Status status);

// Why a call was refused or incomplete. `what` has static storage; `where` is the index that it refers to (0 if none).
struct [[nodiscard]] CallStatus {
    Status code = Status::ok;
    const char* what = "";
    std::uint64_t where = 0;

    explicit operator bool() const { return code == Status::ok; }
};

}  // namespace lanefold
