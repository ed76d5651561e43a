// SPDX-License-Identifier: MIT
//
// Files of planes. The first byte chooses: any file whose heads get right checksums, so that the counts behind them are
// tried; any planes of any shape; any records, which must come back.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "contacts/planes_file.hpp"
#include "contacts/record_planes.hpp"
#include "contacts/records_file.hpp"
#include "files/content_hash.hpp"
#include "fuzz/folder.hpp"

namespace {

using namespace lanefold;

// Sizes and places in the heads (docs/formats.md).
constexpr std::size_t kFileHead = tools::kPlanesFileHead;
constexpr std::size_t kPieceHead = tools::kPlanesPieceHead;
constexpr std::size_t kFileBytes = 40;
constexpr std::size_t kPacked = 20;
constexpr std::size_t kContent = 32;

template <class T>
void put(std::string& file, std::size_t at, T value) {
    std::memcpy(file.data() + at, &value, sizeof(value));
}

// The last 8 bytes of a head are the checksum of the others.
void put_sum(std::string& file, std::size_t at, std::size_t head) {
    put(file, at + head - 8, tools::ContentHash::of(std::as_bytes(std::span(file).subspan(at, head - 8))));
}

// Gives the heads what their readers ask for first: marks, size, checksums. All other numbers stay.
void repair(std::string& file, std::uint32_t capacity) {
    if (file.size() < kFileHead) return;
    const std::string head = tools::planes_file_head(capacity, 0, 0, file.size());
    file.replace(0, 24, head, 0, 24);
    put(file, kFileBytes, std::uint64_t{file.size()});
    put_sum(file, 0, kFileHead);
    for (std::size_t at = kFileHead; file.size() - at >= kPieceHead;) {
        file.replace(at, 4, head, 0, 4);
        put(file, at + 4, static_cast<std::uint32_t>(kPieceHead - 8));
        std::uint32_t packed = 0;
        std::memcpy(&packed, file.data() + at + kPacked, sizeof(packed));
        const auto behind = std::as_bytes(std::span(file).subspan(at + kPieceHead));
        if (packed <= behind.size()) put(file, at + kContent, tools::ContentHash::of(behind.first(packed)));
        put_sum(file, at, kPieceHead);
        if (packed > behind.size()) return;
        at += kPieceHead + packed;
    }
}

void try_file(fuzz::Input in, std::uint32_t capacity) {
    static const fuzz::Folder folder;
    std::string file(in.rest());
    repair(file, capacity);
    folder.write("frame.planes", file);
    const std::string path = (folder.path() / "frame.planes").string();
    fuzz::read_or_refuse(path, [&] {
        tools::PlanesReader reader(path, capacity);
        // A head may promise many records of a piece that does not unpack.
        std::vector<std::byte> some(64 * tools::record_bytes(capacity));
        for (std::uint64_t first = 0; first < reader.length(); first += 64) {
            const std::uint64_t count = std::min<std::uint64_t>(64, reader.length() - first);
            reader.read(first, std::span(some).first(count * tools::record_bytes(capacity)));
        }
    });
}

void try_planes(fuzz::Input in, std::uint32_t capacity) {
    const bool trimmed = in.take<std::uint8_t>() % 2 != 0;
    const std::uint32_t record = static_cast<std::uint32_t>(tools::record_bytes(capacity));
    tools::PlanesShape shape{in.take<std::uint8_t>(), trimmed ? 48U : record, in.take<std::uint8_t>()};
    const auto planes = std::as_bytes(std::span(in.rest()));
    if (!tools::PlanesView::is_right(planes, capacity, shape)) return;
    const tools::PlanesView view(planes.data(), capacity, shape);
    std::vector<std::byte> all(std::size_t{shape.records} * record);
    view.read(0, all);
    std::vector<std::byte> one(record);
    for (std::size_t r = 0; r < shape.records; ++r) {
        view.read(r, one);
        fuzz::require(std::memcmp(one.data(), all.data() + r * record, record) == 0, "a record alone is another");
    }
}

void try_records(const fuzz::Input& in, std::uint32_t capacity) {
    const std::size_t record = tools::record_bytes(capacity);
    const auto records = std::as_bytes(std::span(in.rest())).first(in.left() / record * record);
    if (records.empty()) return;
    const tools::PlanesShape shape = tools::shape_of(records, capacity);
    fuzz::require(tools::is_possible(shape, capacity), "an impossible shape");
    std::vector<std::byte> planes(shape.bytes());
    tools::records_to_planes(records, capacity, shape, planes.data());
    fuzz::require(tools::PlanesView::is_right(planes, capacity, shape), "planes of another shape");
    std::vector<std::byte> back(records.size());
    tools::PlanesView(planes.data(), capacity, shape).read(0, back);
    fuzz::require(std::memcmp(back.data(), records.data(), back.size()) == 0, "other records come back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input in(data, size);
    const auto what = in.take<std::uint8_t>();
    const std::uint32_t capacity = (what & 4U) != 0 ? 16 : 4;
    switch (what % 4) {
        case 0:
            try_file(in, capacity);
            break;
        case 1:
            try_planes(in, capacity);
            break;
        default:
            try_records(in, capacity);
            break;
    }
    return 0;
}
