// SPDX-License-Identifier: MIT
//
// Compresses records to pieces, as they lie in the file of a frame. The bytes depend on the records, on the form and on
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

    // Room that so many bytes of records may need.
    static std::size_t most_bytes(std::size_t bytes);
    // Room that they need while they are being packed.
    static std::size_t scratch_bytes(Compression compression, std::uint32_t capacity, std::size_t bytes);
    // Pieces of so many records.
    static std::uint64_t pieces(Compression compression, std::uint64_t records);

    // The pieces of these records, at the front of `out`, which has that room as `scratch` has. Returns their size; of
    // no records 0.
    std::size_t pack(std::span<const std::byte> records, std::byte* scratch, std::byte* out);

private:
    std::size_t pack_planes(std::span<const std::byte> records, std::byte* scratch, std::span<std::byte> room);

    Compression compression_;
    std::uint32_t capacity_;
    ZstdCompressor zstd_;
};

}  // namespace lanefold::tools
