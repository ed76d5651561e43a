// SPDX-License-Identifier: MIT
//
// Saved states that somebody has changed on purpose: where numbers are in them, and the checksum.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace lanefold::test {

inline constexpr std::size_t kSavedHead = 72;
inline constexpr std::size_t kSavedBody = 120;
inline constexpr std::size_t kSavedVelocity = 80;  // from the body's first byte

inline std::size_t saved_body(std::size_t i) { return kSavedHead + i * kSavedBody; }

// Writes the checksum: FNV-1a over words, as saved_state.cpp makes it.
inline void sign(std::vector<std::byte>& bytes) {
    constexpr std::size_t kCheck = 56;  // where it is in the head
    std::memset(bytes.data() + kCheck, 0, 8);
    std::uint64_t h = 0xCBF29CE484222325U;
    const auto add = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, end - i));
            h = std::rotl((h ^ word) * 0x100000001B3U, 29);
        }
    };
    add(0, kSavedHead);
    add(kSavedHead, bytes.size());
    std::memcpy(bytes.data() + kCheck, &h, 8);
}

}  // namespace lanefold::test
