// SPDX-License-Identifier: MIT
//
// The hash that proves equal bits (see hash.hpp), over the little-endian record.
#include <lanefold/hash.hpp>

#include <bit>

#include <xxhash.h>

namespace lanefold {

namespace {

static_assert(std::endian::native == std::endian::little,
              "records are hashed as they lie in memory; a big-endian host would have to swap them first");

// Equal numbers must hash equally. -0 and +0 compare equal, and which one a formula gives can depend on how the
// compiler writes a negation. The test is on bits, because on a host thread that runs with DAZ denormals compare equal
// to zero.
void normalize_zero(float& x) {
    constexpr std::uint32_t kMinusZero = 0x80000000U;
    if (std::bit_cast<std::uint32_t>(x) == kMinusZero) x = 0.0F;
}

template <class Manifold>
std::uint64_t hash_any(const Manifold& m) {
    Manifold c = m;
    // The indices of the bodies are not part of the contact.
    c.pair[0] = 0;
    c.pair[1] = 0;
    for (float& x : c.normal) normalize_zero(x);
    normalize_zero(c.distance);
    for (ContactPoint& p : c.points) {
        for (float& x : p.position) normalize_zero(x);
        normalize_zero(p.separation);
    }
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
