// SPDX-License-Identifier: MIT
//
// Content hashes by the streaming interface of xxHash.

#include "files/content_hash.hpp"

#include <xxhash.h>

namespace lanefold::tools {

// xxHash wants its state at multiples of 64 bytes, and says so by the type.
struct ContentHash::State {
    XXH3_state_t xxh;
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) {
    XXH3_INITSTATE(&state_->xxh);
    XXH3_64bits_reset(&state_->xxh);
}
ContentHash::ContentHash(ContentHash&&) noexcept = default;
ContentHash& ContentHash::operator=(ContentHash&&) noexcept = default;
ContentHash::~ContentHash() = default;

void ContentHash::add(std::span<const std::byte> bytes) {
    XXH3_64bits_update(&state_->xxh, bytes.data(), bytes.size());
}

std::uint64_t ContentHash::value() const { return XXH3_64bits_digest(&state_->xxh); }

std::uint64_t ContentHash::of(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace lanefold::tools
