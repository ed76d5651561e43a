// SPDX-License-Identifier: MIT
//
// See the header.
#include "json_text.hpp"

#include <charconv>
#include <locale>
#include <sstream>

namespace lanefold::c_api {
namespace {

void append_utf8(std::uint32_t code, std::string& out) {
    const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
        put(0xC0U | code >> 6U);
    } else if (code < 0x10000) {
        put(0xE0U | code >> 12U);
        put(0x80U | (code >> 6U & 0x3FU));
    } else {
        put(0xF0U | code >> 18U);
        put(0x80U | (code >> 12U & 0x3FU));
        put(0x80U | (code >> 6U & 0x3FU));
    }
    put(0x80U | (code & 0x3FU));
}

}  // namespace

char JsonText::next() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonText::take(char c) {
    if (next() != c || c == '\0') return false;
    ++at_;
    return true;
}

bool JsonText::word(std::string_view w) {
    next();
    if (text_.substr(at_, w.size()) != w) return false;
    at_ += w.size();
    return true;
}

bool JsonText::hexadecimal(std::uint32_t& out) {
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out, 16);
    if (digits.size() != 4 || error != std::errc{} || end != digits.data() + 4) return false;
    at_ += 4;
    return true;
}

// Behind a backslash. Two escapes of UTF-16 that belong together are one character.
bool JsonText::escaped(std::string& out) {
    if (at_ == text_.size()) return false;
    const char c = text_[at_++];
    constexpr std::string_view kNamed = "\"\\/bfnrt";
    if (const std::size_t i = kNamed.find(c); i != std::string_view::npos) {
        out.push_back("\"\\/\b\f\n\r\t"[i]);
        return true;
    }
    std::uint32_t code = 0;
    if (c != 'u' || !hexadecimal(code) || (code >= 0xDC00 && code < 0xE000)) return false;
    if (code >= 0xD800 && code < 0xDC00) {
        std::uint32_t low = 0;
        if (text_.substr(at_, 2) != "\\u") return false;
        at_ += 2;
        if (!hexadecimal(low) || low < 0xDC00 || low >= 0xE000) return false;
        code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    }
    append_utf8(code, out);
    return true;
}

bool JsonText::string(std::string& out) {
    out.clear();
    if (!take('"')) return false;
    while (at_ < text_.size()) {
        const char c = text_[at_++];
        if (c == '"') return true;
        if (static_cast<unsigned char>(c) < 0x20) return false;
        if (c != '\\') {
            out.push_back(c);
        } else if (!escaped(out)) {
            return false;
        }
    }
    return false;
}

std::string_view JsonText::number_text() {
    next();
    const std::size_t end = text_.find_first_not_of("+-.0123456789eE", at_);
    const std::string_view out = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
    at_ += out.size();
    return out;
}

// Not by std::from_chars, which libc++ has for float64 only since version 20, nor by strtod, which knows the locale.
bool JsonText::number(double& out) {
    std::istringstream text{std::string(number_text())};
    text.imbue(std::locale::classic());
    return text >> out && text.peek() == std::istringstream::traits_type::eof();
}

bool JsonText::count(std::uint64_t& out) {
    const std::string_view text = number_text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return !text.empty() && error == std::errc{} && end == text.data() + text.size();
}

bool JsonText::boolean(bool& out) {
    out = word("true");
    return out || word("false");
}

bool JsonText::skip() {
    std::string text;
    double value = 0;
    switch (next()) {
        case '{':
            return object([&](std::string_view) { return skip(); });
        case '[':
            return array([&] { return skip(); });
        case '"':
            return string(text);
        case 't':
            return word("true");
        case 'f':
            return word("false");
        case 'n':
            return word("null");
        default:
            return number(value);
    }
}

bool JsonText::ended() { return next() == '\0' && at_ == text_.size(); }

}  // namespace lanefold::c_api
