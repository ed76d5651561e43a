// SPDX-License-Identifier: MIT
//
// See the header.

#include "files/base64.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace lanefold::tools {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            word = word << 8U | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            out += i + k > bytes.size() ? '=' : kDigits[word >> (18 - 6 * k) & 63U];
        }
    }
    return out;
}

bool from_base64(std::string_view text, std::vector<std::byte>& out) {
    while (text.ends_with('=')) text.remove_suffix(1);
    if (text.size() % 4 == 1) return false;
    out.clear();
    out.reserve(text.size() / 4 * 3 + 2);
    std::array<std::uint8_t, 256> value{};
    value.fill(64);
    for (std::size_t i = 0; i < kDigits.size(); ++i) {
        value[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
    }
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::uint32_t digit = value[static_cast<unsigned char>(text[i])];
        if (digit == 64) return false;
        word = word << 6U | digit;
        // The second, third and fourth digit of four complete a byte each.
        if (i % 4 != 0) out.push_back(static_cast<std::byte>(word >> (6 - 2 * (i % 4)) & 255U));
    }
    return true;
}

}  // namespace lanefold::tools
