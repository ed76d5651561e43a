// SPDX-License-Identifier: MIT
//
// Content hashes by the streaming interface of xxHash.

#include "files/content_hash.hpp"

#include <xxhash.h>

namespace lanefold::tools {

struct ContentHash::State {
    XXH64_state_t xxh;
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) { XXH64_reset(&state_->xxh, 0); }
ContentHash::ContentHash(ContentHash&&) noexcept = default;
ContentHash& ContentHash::operator=(ContentHash&&) noexcept = default;
ContentHash::~ContentHash() = default;

void ContentHash::add(std::span<const std::byte> bytes) { XXH64_update(&state_->xxh, bytes.data(), bytes.size()); }

std::uint64_t ContentHash::value() const { return XXH64_digest(&state_->xxh); }

}  // namespace lanefold::tools
