// SPDX-License-Identifier: MIT
//
// The record hash and the names of results.
#include <cstddef>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include <lanefold/hash.hpp>
#include <lanefold/options.hpp>

namespace lanefold {
namespace {

// XXH64 from its specification, seed 0: an independent implementation to compare with.
std::uint64_t xxh64(const unsigned char* p, std::size_t size) {
    constexpr std::uint64_t k1 = 0x9E3779B185EBCA87U, k2 = 0xC2B2AE3D27D4EB4FU, k3 = 0x165667B19E3779F9U,
                            k4 = 0x85EBCA77C2B2AE63U, k5 = 0x27D4EB2F165667C5U;
    const auto turn = [](std::uint64_t x, unsigned r) { return x << r | x >> (64 - r); };
    const auto read64 = [](const unsigned char* q) {
        std::uint64_t v = 0;
        std::memcpy(&v, q, 8);
        return v;
    };
    const auto step = [&](std::uint64_t acc, std::uint64_t lane) { return turn(acc + lane * k2, 31) * k1; };
    const unsigned char* const end = p + size;
    std::uint64_t h = k5;
    if (size >= 32) {
        std::uint64_t acc[4] = {k1 + k2, k2, 0, 0 - k1};
        for (; p + 32 <= end; p += 32) {
            for (int i = 0; i < 4; ++i) acc[i] = step(acc[i], read64(p + 8 * i));
        }
        h = turn(acc[0], 1) + turn(acc[1], 7) + turn(acc[2], 12) + turn(acc[3], 18);
        for (const std::uint64_t a : acc) h = (h ^ step(0, a)) * k1 + k4;
    }
    h += size;
    for (; p + 8 <= end; p += 8) h = turn(h ^ step(0, read64(p)), 27) * k1 + k4;
    if (p + 4 <= end) {
        std::uint32_t v = 0;
        std::memcpy(&v, p, 4);
        h = turn(h ^ v * k1, 23) * k2 + k3;
        p += 4;
    }
    for (; p < end; ++p) h = turn(h ^ *p * k5, 11) * k1;
    h = (h ^ h >> 33U) * k2;
    h = (h ^ h >> 29U) * k3;
    return h ^ h >> 32U;
}

template <class T>
std::uint64_t xxh64_of(const T& value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    return xxh64(bytes, sizeof(T));
}

Manifold4 sample() {
    Manifold4 m{};
    m.normal[2] = 1.0F;
    m.distance = -0.25F;
    m.feature_a = 3;
    m.feature_b = 17;
    m.total = 5;
    m.count = 2;
    m.kind = ContactKind::face_b;
    for (int i = 0; i < 2; ++i) {
        m.points[i].position[0] = 0.5F + static_cast<float>(i);
        m.points[i].separation = -0.25F;
        m.points[i].feature = 100U + static_cast<std::uint32_t>(i);
    }
    return m;
}

TEST(HashRecord, IsXxh64OfTheBytesWithoutThePair) {
    const Manifold4 m = sample();
    EXPECT_EQ(hash_record(m), xxh64_of(m));
    Manifold4 other = m;
    other.pair[0] = 7;
    other.pair[1] = 9;
    EXPECT_EQ(hash_record(other), hash_record(m));
    Manifold16 wide{};
    wide.distance = 3.0F;
    wide.pair[1] = 4;
    Manifold16 plain = wide;
    plain.pair[1] = 0;
    EXPECT_EQ(hash_record(wide), xxh64_of(plain));
}

TEST(HashRecord, IgnoresTheSignOfZeroInEveryFloat) {
    const Manifold4 plus{};
    Manifold4 minus{};
    for (float& x : minus.normal) x = -0.0F;
    minus.distance = -0.0F;
    for (ContactPoint& p : minus.points) {
        for (float& x : p.position) x = -0.0F;
        p.separation = -0.0F;
    }
    ASSERT_NE(std::memcmp(&plus, &minus, sizeof(plus)), 0);
    EXPECT_EQ(hash_record(minus), hash_record(plus));
}

// The bits of -0 in a word that holds no number are not a zero.
template <class Manifold>
void expect_only_numbers_change() {
    constexpr std::size_t kWords = sizeof(Manifold) / sizeof(std::uint32_t);
    const auto is_number = [](std::size_t byte) {
        if (byte >= offsetof(Manifold, normal) && byte < offsetof(Manifold, feature_a)) return true;
        if (byte < offsetof(Manifold, points)) return false;
        const std::size_t in_points = byte - offsetof(Manifold, points);
        if (in_points >= sizeof(Manifold::points)) return false;
        return in_points % sizeof(ContactPoint) < offsetof(ContactPoint, feature);
    };
    std::size_t numbers = 0;
    for (std::size_t i = 2; i < kWords; ++i) {
        std::uint32_t words[kWords] = {};
        words[i] = 0x80000000U;
        Manifold m;
        std::memcpy(&m, words, sizeof(m));
        const bool number = is_number(i * sizeof(std::uint32_t));
        EXPECT_EQ(hash_record(m), number ? xxh64_of(Manifold{}) : xxh64_of(m)) << "word " << i;
        numbers += number ? 1 : 0;
    }
    EXPECT_EQ(numbers, 4 + 4 * Manifold::kCapacity);
}

TEST(HashRecord, TakesTheSignOfZeroFromNumbersOnly) {
    expect_only_numbers_change<Manifold4>();
    expect_only_numbers_change<Manifold16>();
}

TEST(HashRecord, SeesEveryOtherByte) {
    const Manifold4 m = sample();
    for (std::size_t i = sizeof(m.pair); i < sizeof(m); ++i) {
        Manifold4 changed = m;
        unsigned char bytes[sizeof(m)];
        std::memcpy(bytes, &m, sizeof(m));
        bytes[i] ^= 1U;
        std::memcpy(&changed, bytes, sizeof(m));
        EXPECT_NE(hash_record(changed), hash_record(m)) << "byte " << i;
    }
}

TEST(MixFrameHash, IsXxh64OfBothNumbers) {
    const std::uint64_t words[2] = {3, 0x0123456789ABCDEFU};
    EXPECT_EQ(mix_frame_hash(3, 0x0123456789ABCDEFU), xxh64_of(words));
    EXPECT_NE(mix_frame_hash(0, 1), mix_frame_hash(1, 0));
}

TEST(HashString, Is16LowerCaseHexDigits) {
    EXPECT_EQ(hash_string(0), "0000000000000000");
    EXPECT_EQ(hash_string(0x0123456789ABCDEFU), "0123456789abcdef");
    EXPECT_EQ(hash_string(~std::uint64_t{0}), "ffffffffffffffff");
}

TEST(ToString, NamesEveryStatusAndKind) {
    const char* const statuses[kStatusCount] = {"ok",        "bad_pose",  "bad_index",    "bad_hull",
                                                "truncated", "cancelled", "bad_argument", "out_of_memory"};
    for (std::size_t i = 0; i < kStatusCount; ++i) EXPECT_STREQ(to_string(static_cast<Status>(i)), statuses[i]);
    EXPECT_STREQ(to_string(static_cast<Status>(kStatusCount)), "unknown");
    const char* const kinds[kContactKindCount] = {"none",        "face_a",      "face_b",       "edge_edge",
                                                  "vertex_edge", "edge_vertex", "vertex_vertex"};
    for (std::size_t i = 0; i < kContactKindCount; ++i) EXPECT_STREQ(to_string(static_cast<ContactKind>(i)), kinds[i]);
    EXPECT_STREQ(to_string(static_cast<ContactKind>(kContactKindCount)), "unknown");
}

TEST(Counters, AddEveryField) {
    // All fields are 64-bit counts. They are filled by position, so a new field that the sum lacks is found.
    constexpr std::size_t kFields = sizeof(Counters) / sizeof(std::uint64_t);
    std::uint64_t a[kFields];
    std::uint64_t b[kFields];
    for (std::size_t i = 0; i < kFields; ++i) {
        a[i] = i + 1;
        b[i] = 1000 * (i + 1);
    }
    Counters x;
    Counters y;
    std::memcpy(&x, a, sizeof(x));
    std::memcpy(&y, b, sizeof(y));
    x += y;
    std::memcpy(a, &x, sizeof(x));
    for (std::size_t i = 0; i < kFields; ++i) EXPECT_EQ(a[i], 1001 * (i + 1)) << "field " << i;
}

}  // namespace
}  // namespace lanefold
