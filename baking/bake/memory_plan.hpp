// SPDX-License-Identifier: MIT
//
// How much of a bake may be in flight, so that it stays below a limit of memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <lanefold/hull_set.hpp>

#include "contacts/settings.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

struct MemoryPlan {
    std::size_t frames_ahead = 2;  // read, but not begun
    std::size_t window = 1;        // taken from these at once, to find their pairs
    std::size_t tokens = 3;        // pieces between search and file
    std::size_t buffers = 5;       // of records: for the tokens, and for pieces that wait to be written
    std::size_t writers = 3;       // threads that write
    std::size_t piece_pairs = 0;   // pairs of the largest piece: a buffer has room for their records
    std::uint64_t bytes = 0;       // what the bake takes at most, by estimate
};

// "500M", "2G", "2GiB" (powers of 1024) or a number of bytes. Throws Failure(bad_input).
std::uint64_t parse_bytes(std::string_view text, std::string_view option);

// The purpose of a plan, besides the scene.
struct MemoryRequest {
    std::size_t threads = 1;
    std::uint64_t window = 1;  // frames whose pairs may be found at once
    std::optional<std::uint64_t> limit;
};

// As much in flight as helps so many threads, less where the limit asks for it. Throws Failure(bad_input) when even the
// least is above the limit, and says what that is. No limit: the plan aims at 1 GiB, and takes more where one frame
// needs it.
MemoryPlan plan_memory(const Scene& scene, const HullSet& hulls, const ContactsSettings& settings,
                       const MemoryRequest& request);

}  // namespace lanefold::tools
