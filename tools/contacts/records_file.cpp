// SPDX-License-Identifier: MIT
//
// See the header.

#include "contacts/records_file.hpp"

#include <limits>
#include <vector>

#include <fmt/format.h>

#include <lanefold/manifold.hpp>

#include "console/failure.hpp"
#include "contacts/io.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

// The longest header that a file of ours has; a real one has about 450 bytes.
constexpr std::size_t kHeaderRoom = 4096;

bool is_packed(const fs::path& path) { return path.extension() == ".zst"; }

// Room for any number of records, so that the final header has the size of the first one.
std::size_t header_room(const std::string& dtype) {
    return make_npy_header(dtype, std::vector<std::uint64_t>{std::numeric_limits<std::uint64_t>::max() - 1}).size();
}

NpyHeader read_header(ZstdReader& stream, std::uint32_t capacity) {
    std::string start(kHeaderRoom, '\0');
    start.resize(stream.read(0, std::as_writable_bytes(std::span(start))));
    NpyHeader header = parse_npy_header(start, stream.path().string());
    if (header.dtype != contacts_dtype(capacity) || header.shape.size() != 1) {
        throw bad_input("{}: holds no records of capacity {}", stream.path().string(), capacity);
    }
    return header;
}

}  // namespace

std::uint64_t record_bytes(std::uint32_t capacity) { return capacity == 4 ? sizeof(Manifold4) : sizeof(Manifold16); }

std::string records_file_name(std::uint64_t frame, Compression compression) {
    return frame_file_name(frame, compression == Compression::zstd ? ".npy.zst" : ".npy");
}

RecordsWriter::RecordsWriter(const fs::path& path, std::uint32_t capacity, Compression compression,
                             Durability durability, bool cached)
    : file_(path),
      dtype_(contacts_dtype(capacity)),
      record_bytes_(record_bytes(capacity)),
      header_bytes_(header_room(dtype_)),
      compression_(compression),
      durability_(durability) {
    if (!cached) file_.bypass_cache();
    const std::string first = header(0);
    file_.write(compression_ == Compression::zstd ? stored_frame(first) : first);
}

std::size_t RecordsWriter::begin_bytes(std::uint32_t capacity, Compression compression) {
    return header_room(contacts_dtype(capacity)) + (compression == Compression::zstd ? kStoredFrameBytes : 0);
}

std::string RecordsWriter::header(std::uint64_t records) const {
    return make_npy_header(dtype_, std::vector<std::uint64_t>{records}, header_bytes_);
}

void RecordsWriter::append_bytes(std::span<const std::byte> records) {
    const std::uint64_t count = records.size() / record_bytes_;
    if (compression_ == Compression::none) {
        file_.write(records);
        records_ += count;
    } else if (count > 0) {
        std::vector<std::byte> packed(ZstdCompressor::most_bytes(records.size()));
        packed.resize(ZstdCompressor().compress(records, packed));
        append_packed(packed, count);
    }
}

void RecordsWriter::append_packed(std::span<const std::byte> frames, std::uint64_t records) {
    file_.write(frames);
    records_ += records;
}

void RecordsWriter::commit() {
    const std::string last = header(records_);
    file_.rewrite(0, compression_ == Compression::zstd ? stored_frame(last) : last);
    file_.commit(durability_);
}

RecordsReader::RecordsReader(const fs::path& path, std::uint32_t capacity)
    : record_bytes_(record_bytes(capacity)), file_([&]() -> std::variant<NpyReader, Packed> {
          if (!is_packed(path)) return NpyReader(path);
          ZstdReader stream(path);
          NpyHeader header = read_header(stream, capacity);
          return Packed{std::move(stream), std::move(header)};
      }()) {
    if (const auto* plain = std::get_if<NpyReader>(&file_)) {
        plain->expect_shape({kAnyLength});
        plain->expect_dtype(contacts_dtype(capacity), record_bytes_);
    } else if (length() == 0) {
        read_bytes(0, {});  // looks for the end
    }
}

const fs::path& RecordsReader::path() const {
    if (const auto* plain = std::get_if<NpyReader>(&file_)) return plain->path();
    return std::get<Packed>(file_).stream.path();
}

std::uint64_t RecordsReader::length() const {
    if (const auto* plain = std::get_if<NpyReader>(&file_)) return plain->length();
    return std::get<Packed>(file_).header.shape[0];
}

void RecordsReader::read_bytes(std::uint64_t first, std::span<std::byte> out) const {
    if (const auto* plain = std::get_if<NpyReader>(&file_)) return plain->read_bytes(first * record_bytes_, out);
    const Packed& packed = std::get<Packed>(file_);
    const std::uint64_t offset = packed.header.data_offset + first * record_bytes_;
    if (packed.stream.read(offset, out) < out.size()) {
        throw bad_input("{}: truncated: it ends before record {} of {}", path().string(),
                        first + out.size() / record_bytes_, length());
    }
    if (first + out.size() / record_bytes_ < length()) return;
    std::byte more{};
    if (packed.stream.read(offset + out.size(), std::span(&more, 1)) != 0) {
        throw bad_input("{}: wrong size: it goes on after the {} records of its header", path().string(), length());
    }
}

}  // namespace lanefold::tools
