// SPDX-License-Identifier: MIT
//
// See the header.

#include "contacts/records_file.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <lanefold/manifold.hpp>

#include "console/failure.hpp"
#include "contacts/io.hpp"
#include "contacts/records_packer.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

// The longest header that a file of ours has; a real one has about 450 bytes.
constexpr std::size_t kHeaderRoom = 4096;

const char* extension_of(Compression compression) {
    switch (compression) {
        case Compression::zstd:
            return ".npy.zst";
        case Compression::fast:
        case Compression::small:
            return ".planes";
        case Compression::none:
            break;
    }
    return ".npy";
}

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
    return frame_file_name(frame, extension_of(compression));
}

RecordsWriter::RecordsWriter(const fs::path& path, std::uint32_t capacity, Compression compression,
                             Durability durability, bool cached)
    : file_(path),
      capacity_(capacity),
      dtype_(contacts_dtype(capacity)),
      record_bytes_(record_bytes(capacity)),
      header_bytes_(header_room(dtype_)),
      compression_(compression),
      durability_(durability) {
    if (!cached) file_.bypass_cache();
    file_.write(head());
}

std::size_t RecordsWriter::begin_bytes(std::uint32_t capacity, Compression compression) {
    if (is_planes(compression)) return kPlanesFileHead;
    return header_room(contacts_dtype(capacity)) + (compression == Compression::zstd ? kStoredFrameBytes : 0);
}

std::string RecordsWriter::head() const {
    if (is_planes(compression_)) {
        return planes_file_head(capacity_, records_, pieces_, kPlanesFileHead + pieces_bytes_);
    }
    const std::string header = make_npy_header(dtype_, std::vector<std::uint64_t>{records_}, header_bytes_);
    return compression_ == Compression::zstd ? stored_frame(header) : header;
}

void RecordsWriter::append_bytes(std::span<const std::byte> records) {
    if (compression_ == Compression::none) {
        file_.write(records);
        records_ += records.size() / record_bytes_;
        return;
    }
    RecordsPacker packer(compression_, capacity_);
    while (!records.empty()) {
        const auto part = records.first(std::min<std::size_t>(records.size(), kPiecePairs * record_bytes_));
        std::vector<std::byte> scratch(RecordsPacker::scratch_bytes(compression_, capacity_, part.size()));
        std::vector<std::byte> piece(RecordsPacker::most_bytes(part.size()));
        piece.resize(packer.pack(part, scratch.data(), piece.data()));
        append_packed(piece, part.size() / record_bytes_);
        records = records.subspan(part.size());
    }
}

void RecordsWriter::append_packed(std::span<const std::byte> pieces, std::uint64_t records) {
    if (pieces.empty()) return;
    file_.write(pieces);
    records_ += records;
    pieces_ += RecordsPacker::pieces(compression_, records);
    pieces_bytes_ += pieces.size();
}

void RecordsWriter::commit() {
    file_.rewrite(0, head());
    file_.commit(durability_);
}

RecordsReader::RecordsReader(const fs::path& path, std::uint32_t capacity)
    : record_bytes_(record_bytes(capacity)), file_([&]() -> std::variant<NpyReader, Packed, Planes> {
          if (path.extension() == ".planes") return Planes{PlanesReader(path, capacity)};
          if (path.extension() != ".zst") return NpyReader(path);
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
    if (const auto* planes = std::get_if<Planes>(&file_)) return planes->reader.path();
    return std::get<Packed>(file_).stream.path();
}

std::uint64_t RecordsReader::length() const {
    if (const auto* plain = std::get_if<NpyReader>(&file_)) return plain->length();
    if (const auto* planes = std::get_if<Planes>(&file_)) return planes->reader.length();
    return std::get<Packed>(file_).header.shape[0];
}

void RecordsReader::read_bytes(std::uint64_t first, std::span<std::byte> out) const {
    reading_results([&] {
        if (const auto* plain = std::get_if<NpyReader>(&file_)) return plain->read_bytes(first * record_bytes_, out);
        if (const auto* planes = std::get_if<Planes>(&file_)) return planes->reader.read(first, out);
        read_packed(std::get<Packed>(file_), first, out);
    });
}

void RecordsReader::read_packed(const Packed& packed, std::uint64_t first, std::span<std::byte> out) const {
    const std::string name = packed.stream.path().string();
    const std::uint64_t length = packed.header.shape[0];
    const std::uint64_t offset = packed.header.data_offset + first * record_bytes_;
    const std::uint64_t end = first + out.size() / record_bytes_;
    if (packed.stream.read(offset, out) < out.size()) {
        throw bad_input("{}: truncated: it ends before record {} of {}", name, end, length);
    }
    if (end < length) return;
    std::byte more{};
    if (packed.stream.read(offset + out.size(), std::span(&more, 1)) != 0) {
        throw bad_input("{}: wrong size: it goes on after the {} records of its header", name, length);
    }
}

}  // namespace lanefold::tools
