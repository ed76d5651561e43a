// SPDX-License-Identifier: MIT
//
// UTF-8, one character at a time (Unicode 15, table 3-7: well-formed byte sequences).

#include "console/printable.hpp"

#include <cstddef>

#include <fmt/format.h>

namespace lanefold::tools {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// Length of the character at the start of `text`, 0 if there is none.
std::size_t character(std::string_view text) {
    const unsigned first = byte_at(text, 0);
    if (first < 0x80) return 1;
    std::size_t length = 0;
    unsigned least = 0x80;
    unsigned most = 0xBF;
    if (first >= 0xC2 && first <= 0xDF) length = 2;
    if (first >= 0xE0 && first <= 0xEF) length = 3;
    if (first >= 0xF0 && first <= 0xF4) length = 4;
    if (first == 0xE0) least = 0xA0;  // below it a shorter sequence has the same code point
    if (first == 0xED) most = 0x9F;   // surrogates
    if (first == 0xF0) least = 0x90;
    if (first == 0xF4) most = 0x8F;  // beyond U+10FFFF
    if (length == 0 || text.size() < length) return 0;
    if (byte_at(text, 1) < least || byte_at(text, 1) > most) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if (byte_at(text, i) < 0x80 || byte_at(text, i) > 0xBF) return 0;
    }
    return length;
}

bool is_control(std::string_view one) {
    const unsigned first = byte_at(one, 0);
    if (one.size() == 1) return (first < 0x20 && first != '\n') || first == 0x7F;
    return one.size() == 2 && first == 0xC2 && byte_at(one, 1) < 0xA0;  // U+0080 to U+009F
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = character(text);
        const std::string_view one = text.substr(0, length == 0 ? 1 : length);
        if (length != 0 && !is_control(one)) {
            out += one;
        } else {
            for (std::size_t i = 0; i < one.size(); ++i) out += fmt::format("\\x{:02x}", byte_at(one, i));
        }
        text.remove_prefix(one.size());
    }
    return out;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = character(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace lanefold::tools
