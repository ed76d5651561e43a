// SPDX-License-Identifier: MIT
//
// See the header.

#include "contacts/records_packer.hpp"

#include <algorithm>

#include <lanefold/manifold.hpp>

#include "contacts/planes_file.hpp"
#include "contacts/record_planes.hpp"
#include "contacts/records_file.hpp"

namespace lanefold::tools {
namespace {

// Records of the demo shrink 2.07 times at level 1 and 2.17 times at 6, which takes five times as long. Planes shrink
// 2.5 times at level 1. At -200 zstd looks for repetitions only and in few places: they shrink 2.08 times, in a tenth
// of the time. Another level makes other bytes of the same records.
constexpr int kLevel = 1;
constexpr int kFastLevel = -200;

// Records of a piece at the fast level. They and their planes, 640 KB, stay in L2, which makes planes in half of the
// time. With a power of two, planes would lie at the same places of L1, and take each other's. Level 1 finds more
// repetitions in whole pieces: 2.5 instead of 2.36.
constexpr std::size_t kFastRecords = 3000;

// The bytes that a compressed piece may have beyond Zstandard's bound on the whole: its head, and the allowance of
// that bound for short contents.
constexpr std::size_t kPieceRoom = kPlanesPieceHead + 64;

std::size_t most_records(Compression compression) {
    return compression == Compression::fast ? kFastRecords : kPiecePairs;
}

}  // namespace

RecordsPacker::RecordsPacker(Compression compression, std::uint32_t capacity)
    : compression_(compression),
      capacity_(capacity),
      zstd_(compression == Compression::fast ? kFastLevel : kLevel,
            is_planes(compression) ? FrameChecksum::no : FrameChecksum::yes) {}

std::size_t RecordsPacker::most_bytes(std::size_t bytes) {
    return ZstdCompressor::most_bytes(bytes) + (bytes / (kFastRecords * sizeof(Manifold4)) + 1) * kPieceRoom;
}

std::size_t RecordsPacker::scratch_bytes(Compression compression, std::uint32_t capacity, std::size_t bytes) {
    if (!is_planes(compression)) return 0;
    return std::min<std::size_t>(bytes, most_records(compression) * record_bytes(capacity));
}

std::uint64_t RecordsPacker::pieces(Compression compression, std::uint64_t records) {
    const std::uint64_t most = most_records(compression);
    return (records + most - 1) / most;
}

std::size_t RecordsPacker::pack(std::span<const std::byte> records, std::byte* scratch, std::byte* out) {
    const std::span<std::byte> room(out, most_bytes(records.size()));
    const std::size_t most = most_records(compression_) * record_bytes(capacity_);
    std::size_t written = 0;
    for (; !records.empty(); records = records.subspan(std::min(most, records.size()))) {
        const auto piece = records.first(std::min(most, records.size()));
        written += is_planes(compression_) ? pack_planes(piece, scratch, room.subspan(written))
                                           : zstd_.compress(piece, room.subspan(written));
    }
    return written;
}

std::size_t RecordsPacker::pack_planes(std::span<const std::byte> records, std::byte* scratch,
                                       std::span<std::byte> room) {
    const PlanesShape shape = shape_of(records, capacity_);
    records_to_planes(records, capacity_, shape, scratch);
    const std::size_t packed = zstd_.compress({scratch, shape.bytes()}, room.subspan(kPlanesPieceHead));
    write_piece_head(shape, room.subspan(kPlanesPieceHead, packed), room.data());
    return kPlanesPieceHead + packed;
}

}  // namespace lanefold::tools
