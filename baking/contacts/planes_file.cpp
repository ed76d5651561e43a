// SPDX-License-Identifier: MIT
//
// See the header. Nothing is allocated by a number of the file before the heads agree with one another and with the
// file's size.

#include "contacts/planes_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <vector>

#include "console/failure.hpp"
#include "contacts/records_file.hpp"
#include "files/content_hash.hpp"
#include "files/input_file.hpp"
#include "files/zstd_file.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "files are little endian");

constexpr std::uint32_t kSkipped = 0x184D2A50;  // of a frame that Zstandard skips
constexpr char kMagic[8] = {'l', 'f', 'p', 'l', 'a', 'n', 'e', 's'};
constexpr std::uint32_t kVersion = 2;

// The file's head. `sum` is the hash of the bytes before it, in both heads.
struct FileHead {
    std::uint32_t skipped = kSkipped;
    std::uint32_t rest = sizeof(FileHead) - 8;
    char magic[8] = {};
    std::uint32_t version = kVersion;
    std::uint32_t capacity = 0;
    std::uint64_t records = 0;
    std::uint64_t pieces = 0;
    std::uint64_t bytes = 0;  // of the file
    std::uint64_t sum = 0;
};
struct PieceHead {
    std::uint32_t skipped = kSkipped;
    std::uint32_t rest = sizeof(PieceHead) - 8;
    std::uint32_t records = 0;
    std::uint32_t head_bytes = 0;
    std::uint32_t points = 0;
    std::uint32_t packed = 0;    // bytes of the Zstandard frame behind this head
    std::uint64_t unpacked = 0;  // bytes of planes in it
    std::uint64_t content = 0;   // hash of the frame: half of the bytes that the planes have
    std::uint64_t sum = 0;
};
static_assert(sizeof(FileHead) == kPlanesFileHead && sizeof(PieceHead) == kPlanesPieceHead);

template <class Head>
std::uint64_t sum_of(const Head& head) {
    return ContentHash::of(std::as_bytes(std::span(&head, 1)).first(offsetof(Head, sum)));
}

template <class Head>
bool is_whole(const Head& head) {
    return head.skipped == kSkipped && head.rest == sizeof(Head) - 8 && head.sum == sum_of(head);
}

struct Piece {
    PlanesShape shape;
    std::uint64_t first = 0;  // record
    std::uint64_t place = 0;  // of the Zstandard frame
    std::uint32_t packed = 0;
    std::uint64_t content = 0;  // its hash
};

}  // namespace

std::string planes_file_head(std::uint32_t capacity, std::uint64_t records, std::uint64_t pieces, std::uint64_t bytes) {
    FileHead head;
    std::memcpy(head.magic, kMagic, sizeof(kMagic));
    head.capacity = capacity;
    head.records = records;
    head.pieces = pieces;
    head.bytes = bytes;
    head.sum = sum_of(head);
    std::string text(sizeof(head), '\0');
    std::memcpy(text.data(), &head, sizeof(head));
    return text;
}

void write_piece_head(const PlanesShape& shape, std::span<const std::byte> frame, std::byte* out) {
    PieceHead head;
    head.records = shape.records;
    head.head_bytes = shape.head_bytes;
    head.points = shape.points;
    head.packed = static_cast<std::uint32_t>(frame.size());
    head.unpacked = shape.bytes();
    head.content = ContentHash::of(frame);
    head.sum = sum_of(head);
    std::memcpy(out, &head, sizeof(head));
}

struct PlanesReader::State {
    State(const fs::path& name, std::uint32_t points) : path(name), file(name), capacity(points) {
        const FileHead head = read_file_head();
        std::uint64_t place = sizeof(head);
        for (std::uint64_t i = 0; i < head.pieces; ++i) place = add_piece(i, place, head.bytes);
        if (place != head.bytes || length != head.records) {
            throw bad_input("{}: damaged: its pieces have {} records in {} bytes, its head says {} in {}",
                            path.string(), length, place, head.records, head.bytes);
        }
    }

    FileHead read_file_head() const {
        FileHead head;
        if (!file.read_at(0, std::as_writable_bytes(std::span(&head, 1)))) {
            throw bad_input("{}: truncated: it has no whole head", path.string());
        }
        if (std::memcmp(head.magic, kMagic, sizeof(kMagic)) != 0) {
            throw bad_input("{}: is no file of planes: its head is of something else, or damaged", path.string());
        }
        if (!is_whole(head)) throw bad_input("{}: damaged: its head has a wrong checksum", path.string());
        if (head.version != kVersion) {
            throw bad_input("{}: version {}; this program reads version {}", path.string(), head.version, kVersion);
        }
        if (head.capacity != capacity) throw bad_input("{}: holds no records of capacity {}", path.string(), capacity);
        const std::uint64_t size = file.size();
        if (size == head.bytes) return head;
        throw bad_input("{}: {}: it has {} bytes, its head says {}", path.string(),
                        size < head.bytes ? "truncated" : "wrong size", size, head.bytes);
    }

    // Returns where the next piece begins.
    std::uint64_t add_piece(std::uint64_t number, std::uint64_t place, std::uint64_t end) {
        PieceHead head;
        if (end - place < sizeof(head) || !file.read_at(place, std::as_writable_bytes(std::span(&head, 1)))) {
            throw bad_input("{}: truncated: it ends before piece {}", path.string(), number);
        }
        if (!is_whole(head)) {
            throw bad_input("{}: damaged: the head of piece {} has a wrong checksum", path.string(), number);
        }
        const PlanesShape shape{head.records, head.head_bytes, head.points};
        if (!is_possible(shape, capacity) || head.unpacked != shape.bytes()) {
            throw bad_input("{}: damaged: piece {} cannot have {} records with heads of {} bytes and {} points",
                            path.string(), number, head.records, head.head_bytes, head.points);
        }
        place += sizeof(head);
        if (end - place < head.packed) {
            throw bad_input("{}: truncated: it ends inside piece {}", path.string(), number);
        }
        pieces.push_back({shape, length, place, head.packed, head.content});
        length += head.records;
        return place + head.packed;
    }

    void open(std::size_t number) {
        if (number == open_piece) return;
        open_piece = pieces.size();
        const Piece& piece = pieces[number];
        std::vector<std::byte> packed(piece.packed);
        if (!file.read_at(piece.place, packed)) {
            throw bad_input("{}: truncated: it ends inside piece {}", path.string(), number);
        }
        planes.resize(piece.shape.bytes());
        const char* wrong =
            ContentHash::of(packed) == piece.content ? unpack_frame(packed, planes) : "a wrong checksum";
        if (wrong == nullptr && !PlanesView::is_right(planes, capacity, piece.shape)) {
            wrong = "its records have another number of points than its head says";
        }
        if (wrong != nullptr) throw bad_input("{}: damaged: piece {}: {}", path.string(), number, wrong);
        open_piece = number;
    }

    fs::path path;
    InputFile file;
    std::uint32_t capacity;
    std::uint64_t length = 0;
    std::vector<Piece> pieces;
    std::size_t open_piece = ~std::size_t{0};
    std::vector<std::byte> planes;  // of it
};

PlanesReader::PlanesReader(const fs::path& path, std::uint32_t capacity)
    : state_(std::make_unique<State>(path, capacity)) {}
PlanesReader::PlanesReader(PlanesReader&&) noexcept = default;
PlanesReader& PlanesReader::operator=(PlanesReader&&) noexcept = default;
PlanesReader::~PlanesReader() = default;

const fs::path& PlanesReader::path() const { return state_->path; }
std::uint64_t PlanesReader::length() const { return state_->length; }

void PlanesReader::read(std::uint64_t first, std::span<std::byte> out) {
    State& state = *state_;
    const std::uint64_t record = record_bytes(state.capacity);
    while (!out.empty()) {
        const auto after = std::upper_bound(state.pieces.begin(), state.pieces.end(), first,
                                            [](std::uint64_t r, const Piece& piece) { return r < piece.first; });
        if (after == state.pieces.begin() || first >= state.length) {
            throw bad_input("{}: has no record {}, but {}", state.path.string(), first, state.length);
        }
        const Piece& piece = *(after - 1);
        state.open(static_cast<std::size_t>(after - state.pieces.begin()) - 1);
        const std::uint64_t begin = first - piece.first;
        const std::uint64_t count = std::min<std::uint64_t>(piece.shape.records - begin, out.size() / record);
        const auto bytes = static_cast<std::size_t>(count * record);
        PlanesView(state.planes.data(), state.capacity, piece.shape).read(begin, out.first(bytes));
        out = out.subspan(bytes);
        first += count;
    }
}

}  // namespace lanefold::tools
