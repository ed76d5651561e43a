// SPDX-License-Identifier: MIT
//
// The records of one frame as a file: frame_NNNNNN.npy; or the same bytes as Zstandard frames in frame_NNNNNN.npy.zst,
// of which the first stores the header and each of the others holds one piece of records; or frame_NNNNNN.planes
// (planes_file.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "contacts/compression.hpp"
#include "contacts/planes_file.hpp"
#include "files/atomic_file.hpp"
#include "files/npy.hpp"
#include "files/zstd_file.hpp"

namespace lanefold::tools {

// Pairs of a piece: a frame is computed, compressed and written piece by piece, so that memory does not grow with it. A
// piece takes milliseconds, and no more than 16 MiB of records (48 with 16 points). The pieces of a compressed frame
// are these, or parts of them (RecordsPacker), so that its bytes depend on nothing else: another number makes other
// files.
inline constexpr std::size_t kPiecePairs = std::size_t{1} << 17U;

std::uint64_t record_bytes(std::uint32_t capacity);

// "frame_000012.npy", "frame_000012.npy.zst" or "frame_000012.planes".
std::string records_file_name(std::uint64_t frame, Compression compression);

// Front to back under a temporary name; appears under its own, whole, at commit().
class RecordsWriter {
public:
    // `path` ends as records_file_name() says. `durability`: that of commit(). `cached`: through the kernel's cache,
    // which takes more of the processor's time and never waits for the disk.
    RecordsWriter(const std::filesystem::path& path, std::uint32_t capacity, Compression compression,
                  Durability durability, bool cached = false);
    // Bytes before the records. Pieces whose addresses have the same rest by UncachedOutput::kBlock as their place in
    // the file are written from where they are.
    static std::size_t begin_bytes(std::uint32_t capacity, Compression compression);

    // Records as they are.
    template <class M>
    void append(std::span<const M> records) {
        append_bytes(std::as_bytes(records));
    }
    void append_bytes(std::span<const std::byte> records);
    // The pieces of `records` records that RecordsPacker made. Only of a compressed file.
    void append_packed(std::span<const std::byte> pieces, std::uint64_t records);

    std::uint64_t records() const { return records_; }
    Durability durability() const { return durability_; }
    // How long commit() waited for the disk.
    double sync_seconds() const { return file_.sync_seconds(); }
    void commit();

private:
    std::string head() const;  // of what was written so far; its size is always the same

    AtomicFile file_;
    std::uint32_t capacity_ = 0;
    std::string dtype_;
    std::uint64_t record_bytes_ = 0;
    std::uint64_t records_ = 0;
    std::uint64_t pieces_ = 0;        // compressed ones
    std::uint64_t pieces_bytes_ = 0;  // of these
    std::size_t header_bytes_ = 0;
    Compression compression_;
    Durability durability_;
};

// Reads every form, which the name of the file tells. Every failure is a Failure that names the file; the element type
// is checked at once, and the size but of a .zst, whose end is checked when it is reached.
class RecordsReader {
public:
    RecordsReader(const std::filesystem::path& path, std::uint32_t capacity);

    const std::filesystem::path& path() const;
    std::uint64_t length() const;

    // out.size() records from `first` on. Cheap in ascending order.
    template <class M>
    void read(std::uint64_t first, std::span<M> out) const {
        read_bytes(first, std::as_writable_bytes(out));
    }

private:
    struct Packed {
        mutable ZstdReader stream;
        NpyHeader header;
    };
    struct Planes {
        mutable PlanesReader reader;
    };
    void read_bytes(std::uint64_t first, std::span<std::byte> out) const;
    void read_packed(const Packed& packed, std::uint64_t first, std::span<std::byte> out) const;

    std::uint64_t record_bytes_ = 0;
    std::variant<NpyReader, Packed, Planes> file_;
};

}  // namespace lanefold::tools
