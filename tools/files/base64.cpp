// SPDX-License-Identifier: MIT
//
// See the header.

#include "files/base64.hpp"

#include <cstdint>
#include <string_view>

namespace lanefold::tools {

std::string base64(std::span<const std::byte> bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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

}  // namespace lanefold::tools
