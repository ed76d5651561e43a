// SPDX-License-Identifier: MIT
//
// The hash that proves equal bits (see hash.hpp), over the little-endian record.
#include <lanefold/hash.hpp>

#include <bit>
#include <cstddef>
#include <cstring>

#include <xxhash.h>

namespace lanefold {

namespace {

static_assert(std::endian::native == std::endian::little,
              "records are hashed as they lie in memory; a big-endian host would have to swap them first");

// Equal numbers must hash equally. -0 and +0 compare equal, and which one a formula gives can depend on how the
// compiler writes a negation. The test is on bits, because on a host thread that runs with DAZ denormals compare equal
// to zero.
constexpr std::uint32_t kMinusZero = 0x80000000U;

// A record as words of four bytes, and which of them are numbers. Words go through it in any order and many at once.
template <class Manifold>
struct Words {
    static constexpr std::size_t kCount = sizeof(Manifold) / sizeof(std::uint32_t);
    std::uint32_t word[kCount];
};

// The sign bit for the words that hold a float, 0 for all others.
template <class Manifold>
constexpr Words<Manifold> signs_of_floats() {
    Words<Manifold> signs{};
    const auto mark = [&signs](std::size_t offset, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; i += sizeof(float)) signs.word[(offset + i) / sizeof(float)] = kMinusZero;
    };
    mark(offsetof(Manifold, normal), sizeof(Manifold::normal));
    mark(offsetof(Manifold, distance), sizeof(Manifold::distance));
    for (std::size_t i = 0; i < Manifold::kCapacity; ++i) {
        const std::size_t point = offsetof(Manifold, points) + i * sizeof(ContactPoint);
        mark(point + offsetof(ContactPoint, position), sizeof(ContactPoint::position));
        mark(point + offsetof(ContactPoint, separation), sizeof(ContactPoint::separation));
    }
    return signs;
}

template <class Manifold>
std::uint64_t hash_any(const Manifold& m) {
    static constexpr Words<Manifold> kSigns = signs_of_floats<Manifold>();
    Words<Manifold> c;
    std::memcpy(&c, &m, sizeof c);
    for (std::size_t i = 0; i < c.kCount; ++i) {
        c.word[i] ^= c.word[i] == kMinusZero ? kSigns.word[i] : 0;
    }
    // The indices of the bodies are not part of the contact.
    static_assert(offsetof(Manifold, pair) == 0 && sizeof(Manifold::pair) == 8);
    c.word[0] = 0;
    c.word[1] = 0;
    return XXH64(&c, sizeof(c), 0);
}

}  // namespace

std::uint64_t hash_record(const Manifold4& m) { return hash_any(m); }

std::uint64_t hash_record(const Manifold16& m) { return hash_any(m); }

std::uint64_t mix_frame_hash(std::uint64_t frame, std::uint64_t frame_hash) {
    const std::uint64_t bytes[2] = {frame, frame_hash};
    return XXH64(bytes, sizeof(bytes), 0);
}

std::string hash_string(std::uint64_t hash) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string s(16, '0');
    for (std::size_t i = 0; i < 16; ++i) s[15 - i] = kDigits[(hash >> (4 * i)) & 0xF];
    return s;
}

}  // namespace lanefold
