// SPDX-License-Identifier: MIT
//
// Records as planes: they come back as they were, whatever they are, and a file that is not whole is refused by name.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <lanefold/manifold.hpp>

#include "console/failure.hpp"
#include "contacts/io.hpp"
#include "contacts/planes_file.hpp"
#include "contacts/record_planes.hpp"
#include "files/byte_planes.hpp"
#include "files/zstd_file.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;
using test::TemporaryFolder;

Bytes random_bytes(std::size_t size, std::mt19937& random) {
    Bytes bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
}

TEST(BytePlanes, AreTheColumnsOfTheRows) {
    std::mt19937 random(1);
    int compared = 0;
    for (const std::size_t width : {16U, 20U, 36U, 48U, 50U, 128U, 384U}) {
        for (std::size_t count = 0; count < 70; ++count) {
            const std::size_t stride = width + random() % 20;
            const std::size_t plane = count + random() % 20;
            const Bytes rows = random_bytes(count * stride + 1, random);
            Bytes planes(width * plane + 1, std::byte{0xee});
            Bytes wanted = planes;
            for (std::size_t r = 0; r < count; ++r) {
                for (std::size_t b = 0; b < width; ++b) wanted[b * plane + r] = rows[r * stride + b];
            }
            to_planes(rows.data(), count, stride, width, planes.data(), plane);
            ASSERT_EQ(planes, wanted) << width << " " << count;
            Bytes back = random_bytes(rows.size(), random);
            Bytes same = back;
            for (std::size_t r = 0; r < count; ++r) std::copy_n(&rows[r * stride], width, &same[r * stride]);
            from_planes(planes.data(), plane, count, width, back.data(), stride);
            ASSERT_EQ(back, same) << width << " " << count;
            ++compared;
        }
    }
    std::printf("%d shapes\n", compared);
}

// Records of any bytes, whose points are as many as `count` says, zeros behind them.
template <class M>
std::vector<M> random_records(std::size_t count, std::mt19937& random) {
    std::vector<M> records(count);
    for (M& record : records) {
        const Bytes head = random_bytes(offsetof(M, points), random);
        std::memcpy(static_cast<void*>(&record), head.data(), head.size());
        record.count = static_cast<std::uint8_t>(random() % (M::kCapacity + 1));
        const Bytes points = random_bytes(record.count * sizeof(ContactPoint), random);
        if (!points.empty()) std::memcpy(static_cast<void*>(record.points), points.data(), points.size());
    }
    return records;
}

template <class M>
std::byte& byte_of(std::vector<M>& records, std::size_t record, std::size_t byte) {
    return *(reinterpret_cast<std::byte*>(&records[record]) + byte);
}

// There and back, whole and in parts; returns the shape.
template <class M>
PlanesShape go_there_and_back(const std::vector<M>& records) {
    constexpr std::uint32_t kCapacity = M::kCapacity;
    const auto bytes = std::as_bytes(std::span(records));
    const PlanesShape shape = shape_of(bytes, kCapacity);
    EXPECT_EQ(shape.records, records.size());
    EXPECT_TRUE(is_possible(shape, kCapacity));
    Bytes planes(shape.bytes() + 1, std::byte{0xee});
    records_to_planes(bytes, kCapacity, shape, planes.data());
    EXPECT_EQ(planes.back(), std::byte{0xee}) << "beyond the end";
    const auto content = std::span(planes).first(shape.bytes());
    EXPECT_TRUE(PlanesView::is_right(content, kCapacity, shape));
    const PlanesView view(planes.data(), kCapacity, shape);
    for (const std::size_t step : {records.size(), std::size_t{7}}) {
        std::vector<M> back(records.size());
        for (std::size_t first = 0; first < records.size(); first += step) {
            const std::size_t count = std::min(step, records.size() - first);
            view.read(first, std::as_writable_bytes(std::span(back).subspan(first, count)));
        }
        EXPECT_EQ(std::memcmp(back.data(), records.data(), bytes.size()), 0) << step;
    }
    return shape;
}

template <class M>
void expect_any_records_come_back(std::uint32_t seed) {
    std::mt19937 random(seed);
    int trimmed = 0;
    int whole = 0;
    for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 63U, 64U, 65U, 300U, 1000U}) {
        std::vector<M> records = random_records<M>(count, random);
        EXPECT_EQ(go_there_and_back(records).head_bytes, offsetof(M, points));
        ++trimmed;
        // A byte that is not used, behind the points of a record; the last byte of all; a count that cannot be.
        const std::vector<M> clean = records;
        const std::size_t at = random() % count;
        records[at].count = static_cast<std::uint8_t>(random() % M::kCapacity);
        const std::size_t used = offsetof(M, points) + records[at].count * sizeof(ContactPoint);
        std::memset(&byte_of(records, at, used), 0, sizeof(M) - used);
        EXPECT_EQ(go_there_and_back(records).head_bytes, offsetof(M, points));
        byte_of(records, at, used + random() % (sizeof(M) - used)) = std::byte{1};
        EXPECT_EQ(go_there_and_back(records).head_bytes, sizeof(M));
        records = clean;
        records.back().count = 0;
        byte_of(records, count - 1, sizeof(M) - 1) = std::byte{0x80};
        EXPECT_EQ(go_there_and_back(records).head_bytes, sizeof(M));
        records = clean;
        records[at].count = static_cast<std::uint8_t>(M::kCapacity + 1 + random() % (255 - M::kCapacity));
        EXPECT_EQ(go_there_and_back(records).head_bytes, sizeof(M));
        whole += 3;
    }
    std::printf("capacity %zu: %d pieces trimmed, %d whole\n", M::kCapacity, trimmed, whole);
}

TEST(RecordPlanes, AnyRecordsComeBackAsTheyWere) {
    expect_any_records_come_back<Manifold4>(2);
    expect_any_records_come_back<Manifold16>(3);
}

template <class M>
void write_frame(const fs::path& path, const std::vector<M>& records, Compression compression) {
    RecordsWriter file(path, M::kCapacity, compression, Durability::written);
    file.append(std::span<const M>(records));
    file.commit();
}

// The records of a file, or what is wrong with it.
std::optional<std::string> read_frame(const fs::path& path, std::vector<Manifold4>& records) {
    try {
        const RecordsReader reader(path, 4);
        records.resize(reader.length());
        reader.read(0, std::span(records));
        return std::nullopt;
    } catch (const Failure& failure) {
        return failure.what();
    }
}

template <class M>
void expect_the_same_from_a_file(const fs::path& path, std::uint32_t seed) {
    std::mt19937 random(seed);
    const std::vector<M> some_records = random_records<M>(777, random);
    std::vector<M> records;
    for (std::size_t i = 0; i < kPiecePairs + 1000; ++i) records.push_back(some_records[i % some_records.size()]);
    byte_of(records, kPiecePairs + 5, sizeof(M) - 1) = std::byte{9};  // the second piece keeps whole records
    records[kPiecePairs + 5].count = 0;
    for (const Compression compression : {Compression::zstd, Compression::fast, Compression::small}) {
        const fs::path file = path / records_file_name(0, compression);
        write_frame(file, records, compression);
        const RecordsReader reader(file, M::kCapacity);
        ASSERT_EQ(reader.length(), records.size());
        std::vector<M> back(records.size());
        reader.read(0, std::span(back));
        EXPECT_EQ(std::memcmp(back.data(), records.data(), records.size() * sizeof(M)), 0) << to_string(compression);
        // Anywhere, also across the pieces and backwards.
        for (const std::size_t first : {kPiecePairs + 900, kPiecePairs - 50, std::size_t{12345}}) {
            const std::span<M> some(back.data(), 100);
            reader.read(first, some);
            EXPECT_EQ(std::memcmp(some.data(), &records[first], some.size_bytes()), 0) << first;
        }
        EXPECT_THROW(RecordsReader(file, M::kCapacity == 4 ? 16 : 4), Failure);
        if (!is_planes(compression)) continue;
        // The head says how many pieces there are: small ones with fast.
        std::uint64_t pieces = 0;
        std::memcpy(&pieces, test::read_bytes(file).data() + 32, sizeof(pieces));
        EXPECT_EQ(pieces, compression == Compression::fast ? kPiecePairs / 3000 + 1 + 1 : 2U);
    }
}

TEST(PlanesFile, FramesOfSeveralPiecesAreReadAnywhere) {
    const TemporaryFolder folder;
    expect_the_same_from_a_file<Manifold4>(folder.path(), 4);
    expect_the_same_from_a_file<Manifold16>(folder.path(), 5);
}

TEST(PlanesFile, AFrameWithoutRecordsIsItsHead) {
    const TemporaryFolder folder;
    const fs::path path = folder / "frame_000000.planes";
    write_frame(path, std::vector<Manifold4>{}, Compression::fast);
    EXPECT_EQ(fs::file_size(path), kPlanesFileHead);
    std::vector<Manifold4> records(3);
    EXPECT_EQ(read_frame(path, records), std::nullopt);
    EXPECT_TRUE(records.empty());
}

void expect_refused(const fs::path& path, const std::string& bytes, const std::string& what) {
    test::write_bytes(path, bytes);
    std::vector<Manifold4> records;
    const auto wrong = read_frame(path, records);
    ASSERT_TRUE(wrong) << what;
    EXPECT_NE(wrong->find(path.string() + ": "), std::string::npos) << *wrong;
}

TEST(PlanesFile, EveryBitAndEveryLengthIsChecked) {
    const TemporaryFolder folder;
    const fs::path path = folder / "frame_000000.planes";
    std::mt19937 random(6);
    const std::vector<Manifold4> records = random_records<Manifold4>(20, random);
    write_frame(path, records, Compression::fast);
    const std::string whole = test::read_bytes(path);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        expect_refused(path, whole.substr(0, i), "cut off at " + std::to_string(i));
        std::string bytes = whole;
        bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ (1U << random() % 8U));
        expect_refused(path, bytes, "changed at " + std::to_string(i));
    }
    expect_refused(path, whole + "x", "longer");
    expect_refused(path, whole + whole, "twice");
    std::printf("%zu bytes\n", whole.size());
}

// A file whose sums are right and whose numbers are not.
std::string file_of(PlanesShape shape, const std::string& planes, std::uint64_t records, std::uint64_t pieces,
                    std::uint32_t more_packed = 0) {
    std::vector<std::byte> frame(ZstdCompressor::most_bytes(planes.size()));
    frame.resize(ZstdCompressor(1, FrameChecksum::no).compress(std::as_bytes(std::span(planes)), frame));
    std::string piece(kPlanesPieceHead, '\0');
    frame.resize(frame.size() + more_packed);
    write_piece_head(shape, frame, reinterpret_cast<std::byte*>(piece.data()));
    piece.append(reinterpret_cast<const char*>(frame.data()), frame.size() - more_packed);
    return planes_file_head(4, records, pieces, kPlanesFileHead + piece.size()) + piece;
}

TEST(PlanesFile, NumbersThatCannotBeAreRefusedBeforeAnythingIsAllocated) {
    const TemporaryFolder folder;
    const fs::path path = folder / "frame_000000.planes";
    const std::string zeros(2 * 48, '\0');  // two records without points
    const std::uint64_t huge = ~std::uint64_t{0};
    test::write_bytes(path, file_of({2, 48, 0}, zeros, 2, 1));
    std::vector<Manifold4> records;
    ASSERT_EQ(read_frame(path, records), std::nullopt);
    ASSERT_EQ(records.size(), 2U);
    expect_refused(path, file_of({2, 48, 0}, zeros, 3, 1), "records of the file");
    expect_refused(path, file_of({2, 48, 0}, zeros, huge, 1), "huge records of the file");
    expect_refused(path, file_of({2, 48, 0}, zeros, 2, 2), "pieces");
    expect_refused(path, file_of({2, 48, 0}, zeros, 2, 0), "no pieces");
    expect_refused(path, file_of({2, 48, 0}, zeros, 2, huge), "huge pieces");
    expect_refused(path, file_of({3, 48, 0}, zeros, 3, 1), "records of the piece");
    expect_refused(path, file_of({0, 48, 0}, "", 0, 1), "a piece without records");
    expect_refused(path, file_of({~0U, 48, 0}, zeros, ~0U, 1), "huge records of the piece");
    expect_refused(path, file_of({kPiecePairs + 1, 48, 0}, zeros, kPiecePairs + 1, 1), "more than a piece has");
    expect_refused(path, file_of({kPiecePairs, 48, kPiecePairs * 4}, zeros, kPiecePairs, 1), "more than the frame has");
    expect_refused(path, file_of({2, 48, 9}, zeros, 2, 1), "more points than there is room for");
    expect_refused(path, file_of({2, 48, 1}, zeros + std::string(20, 'x'), 2, 1), "points that no record has");
    expect_refused(path, file_of({2, 49, 0}, zeros + "..", 2, 1), "heads of another size");
    expect_refused(path, file_of({2, 128, 0}, zeros, 2, 1), "whole records");
    expect_refused(path, file_of({2, 48, 0}, zeros, 2, 1, 1), "a frame beyond the end");
    std::string counts = zeros;
    counts[34 * 2] = 5;  // of the first record
    expect_refused(path, file_of({2, 48, 5}, counts + std::string(100, 'x'), 2, 1), "more points than the capacity");
    counts[34 * 2] = 3;
    expect_refused(path, file_of({2, 48, 2}, counts + std::string(40, 'x'), 2, 1),
                   "fewer points than the records have");
    test::write_bytes(path, file_of({2, 48, 3}, counts + std::string(60, 'x'), 2, 1));
    EXPECT_EQ(read_frame(path, records), std::nullopt);
}

}  // namespace
}  // namespace lanefold::tools
