// SPDX-License-Identifier: MIT
//
// The records of one frame as a file: frame_NNNNNN.npy, or the same bytes as Zstandard frames in frame_NNNNNN.npy.zst,
// of which the first stores the header and each of the others holds one piece of records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "files/atomic_file.hpp"
#include "files/npy.hpp"
#include "files/zstd_file.hpp"

namespace lanefold::tools {

enum class Compression { none, zstd };

// Pairs of a piece: a frame is computed, compressed and written piece by piece, so that memory does not grow with it. A
// piece takes milliseconds, and no more than 16 MiB of records (48 with 16 points). The pieces of a compressed frame
// are these, so that its bytes depend on nothing else: another number makes other files.
inline constexpr std::size_t kPiecePairs = std::size_t{1} << 17U;

std::uint64_t record_bytes(std::uint32_t capacity);

// "frame_000012.npy" or "frame_000012.npy.zst".
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
    // `records` records that were compressed already: whole frames. Only of a compressed file.
    void append_packed(std::span<const std::byte> frames, std::uint64_t records);

    std::uint64_t records() const { return records_; }
    Durability durability() const { return durability_; }
    // How long commit() waited for the disk.
    double sync_seconds() const { return file_.sync_seconds(); }
    void commit();

private:
    std::string header(std::uint64_t records) const;

    AtomicFile file_;
    std::string dtype_;
    std::uint64_t record_bytes_ = 0;
    std::uint64_t records_ = 0;
    std::size_t header_bytes_ = 0;
    Compression compression_;
    Durability durability_;
};

// Reads either form. Every failure is a Failure that names the file; the element type, and with a plain file its size,
// are checked at once, the end of a compressed one when it is reached.
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
    void read_bytes(std::uint64_t first, std::span<std::byte> out) const;

    std::uint64_t record_bytes_ = 0;
    std::variant<NpyReader, Packed> file_;
};

}  // namespace lanefold::tools
