// SPDX-License-Identifier: MIT
//
// See the header. Records are read twice: once for their shape, once to be turned.

#include "contacts/record_planes.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <lanefold/manifold.hpp>

#include "contacts/records_file.hpp"
#include "files/byte_planes.hpp"

namespace lanefold::tools {
namespace {

constexpr std::size_t kHead = offsetof(Manifold4, points);
constexpr std::size_t kPoint = sizeof(ContactPoint);
constexpr std::size_t kCount = offsetof(Manifold4, count);
static_assert(offsetof(Manifold16, points) == kHead && offsetof(Manifold16, count) == kCount);
static_assert(kHead == 48 && kPoint == 20 && kCount == 34, "the form of the file");

std::size_t count_of(const std::byte* record) { return std::to_integer<std::size_t>(record[kCount]); }

// Ones behind zeros: from the byte that lies as far from the border as a record's points are long, it covers what
// follows them.
template <class M>
constexpr auto make_mask() {
    constexpr std::size_t kPoints = M::kCapacity * kPoint;
    std::array<std::uint8_t, kPoints + sizeof(M) - kHead> mask{};
    for (std::size_t i = kPoints; i < mask.size(); ++i) mask[i] = 0xff;
    return mask;
}

template <class M>
PlanesShape shape_as(std::span<const std::byte> records) {
    static constexpr auto kMask = make_mask<M>();
    constexpr std::size_t kPoints = M::kCapacity * kPoint;
    const auto count = static_cast<std::uint32_t>(records.size() / sizeof(M));
    const PlanesShape whole{count, sizeof(M), 0};
    std::uint32_t points = 0;
    std::uint64_t rest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* const record = records.data() + i * sizeof(M);
        const std::size_t used = count_of(record);
        if (used > M::kCapacity) return whole;
        points += static_cast<std::uint32_t>(used);
        const std::uint8_t* const mask = kMask.data() + kPoints - used * kPoint;
        for (std::size_t b = 0; b < sizeof(M) - kHead; b += sizeof(rest)) {
            std::uint64_t bytes = 0;
            std::uint64_t beyond = 0;
            std::memcpy(&bytes, record + kHead + b, sizeof(bytes));
            std::memcpy(&beyond, mask + b, sizeof(beyond));
            rest |= bytes & beyond;
        }
    }
    return rest == 0 ? PlanesShape{count, kHead, points} : whole;
}

// Points lie in planes of all of them. They are collected until there are enough to turn.
template <class M>
void points_to_planes(std::span<const std::byte> records, std::size_t points, std::byte* planes) {
    constexpr std::size_t kTurned = 64;
    std::array<std::byte, (kTurned + M::kCapacity) * kPoint> rows;
    std::size_t waiting = 0;
    std::size_t done = 0;
    for (std::size_t at = 0; at < records.size(); at += sizeof(M)) {
        // All points are copied, so that the length is known; those beyond count are overwritten by the next ones.
        std::memcpy(rows.data() + waiting * kPoint, records.data() + at + kHead, M::kCapacity * kPoint);
        waiting += count_of(records.data() + at);
        if (waiting < kTurned) continue;
        to_planes(rows.data(), kTurned, kPoint, kPoint, planes + done, points);
        done += kTurned;
        waiting -= kTurned;
        std::memcpy(rows.data(), rows.data() + kTurned * kPoint, M::kCapacity * kPoint);
    }
    to_planes(rows.data(), waiting, kPoint, kPoint, planes + done, points);
}

// Points of `count` records, from `point` on, to where they belong. out: the heads are there, zeros behind them.
void points_from_planes(const std::byte* planes, std::size_t plane, std::size_t point, std::span<std::byte> out,
                        std::size_t record) {
    constexpr std::size_t kTogether = 64;
    std::array<std::byte, kTogether * Manifold16::kCapacity * kPoint> rows;
    for (std::size_t at = 0; at < out.size(); at += kTogether * record) {
        const std::span<std::byte> some = out.subspan(at, std::min(kTogether * record, out.size() - at));
        std::size_t points = 0;
        for (std::size_t r = 0; r < some.size(); r += record) points += count_of(some.data() + r);
        from_planes(planes + point, plane, points, kPoint, rows.data(), kPoint);
        point += points;
        const std::byte* row = rows.data();
        for (std::size_t r = 0; r < some.size(); r += record) {
            const std::size_t bytes = count_of(some.data() + r) * kPoint;
            std::memcpy(some.data() + r + kHead, row, bytes);
            row += bytes;
        }
    }
}

}  // namespace

std::size_t PlanesShape::bytes() const { return std::size_t{records} * head_bytes + std::size_t{points} * kPoint; }

PlanesShape shape_of(std::span<const std::byte> records, std::uint32_t capacity) {
    return capacity == 4 ? shape_as<Manifold4>(records) : shape_as<Manifold16>(records);
}

bool is_possible(const PlanesShape& shape, std::uint32_t capacity) {
    if (shape.records == 0 || shape.records > kPiecePairs) return false;
    if (shape.head_bytes == record_bytes(capacity)) return shape.points == 0;
    return shape.head_bytes == kHead && shape.points <= std::uint64_t{shape.records} * capacity;
}

void records_to_planes(std::span<const std::byte> records, std::uint32_t capacity, const PlanesShape& shape,
                       std::byte* planes) {
    const std::size_t record = record_bytes(capacity);
    to_planes(records.data(), shape.records, record, shape.head_bytes, planes, shape.records);
    if (shape.head_bytes == record) return;
    std::byte* const points = planes + std::size_t{shape.records} * kHead;
    if (capacity == 4) {
        points_to_planes<Manifold4>(records, shape.points, points);
    } else {
        points_to_planes<Manifold16>(records, shape.points, points);
    }
}

bool PlanesView::is_right(std::span<const std::byte> planes, std::uint32_t capacity, const PlanesShape& shape) {
    if (!is_possible(shape, capacity) || planes.size() != shape.bytes()) return false;
    if (shape.head_bytes != kHead) return true;
    std::uint64_t points = 0;
    for (const std::byte count : planes.subspan(kCount * shape.records, shape.records)) {
        if (std::to_integer<std::uint32_t>(count) > capacity) return false;
        points += std::to_integer<std::uint32_t>(count);
    }
    return points == shape.points;
}

void PlanesView::read(std::size_t first, std::span<std::byte> out) const {
    const std::size_t record = record_bytes(capacity_);
    const std::size_t count = out.size() / record;
    const bool trimmed = shape_.head_bytes == kHead;
    if (trimmed) std::memset(out.data(), 0, out.size());
    from_planes(planes_ + first, shape_.records, count, shape_.head_bytes, out.data(), record);
    if (!trimmed) return;
    std::size_t point = 0;
    const std::byte* const counts = planes_ + kCount * shape_.records;
    for (std::size_t i = 0; i < first; ++i) point += std::to_integer<std::size_t>(counts[i]);
    points_from_planes(planes_ + std::size_t{shape_.records} * kHead, shape_.points, point, out, record);
}

}  // namespace lanefold::tools
