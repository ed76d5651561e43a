// SPDX-License-Identifier: MIT
//
// Compresses pieces of records, as they lie in the file of a frame. Its bytes depend on the records, on the form and on
// the release of zstd, and on nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "contacts/compression.hpp"
#include "files/zstd_file.hpp"

namespace lanefold::tools {

// For one thread at a time. Not for Compression::none.
class RecordsPacker {
public:
    RecordsPacker(Compression compression, std::uint32_t capacity);

    // Room that a piece of so many bytes of records may need.
    static std::size_t most_bytes(std::size_t bytes);
    // Room that it needs while it is being made.
    static std::size_t scratch_bytes(Compression compression, std::size_t bytes) {
        return is_planes(compression) ? bytes : 0;
    }

    // The piece of these records, at the front of `out`, which has that room as `scratch` has. Returns its size; of no
    // records 0.
    std::size_t pack(std::span<const std::byte> records, std::byte* scratch, std::byte* out);

private:
    Compression compression_;
    std::uint32_t capacity_;
    ZstdCompressor zstd_;
};

}  // namespace lanefold::tools
