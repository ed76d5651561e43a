// SPDX-License-Identifier: MIT
//
// See the header.
#include "npy_column.hpp"

#include <array>

namespace lanefold::c_api {
namespace {

// The text without blanks: writers differ in them.
std::string packed(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c != ' ' && c != '\n') out.push_back(c);
    }
    return out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

NpyColumn::NpyColumn(const std::string& path, std::string_view dtype, std::uint64_t rows, std::uint64_t width,
                     std::uint64_t row_bytes)
    : file_(path, std::ios::binary) {
    if (!file_) {
        what_ = "a file of the events folder is missing or cannot be read";
        return;
    }
    if (!header_is(dtype, rows, width)) {
        what_ = "a column is not a .npy file of the right type and shape";
        return;
    }
    const std::streamoff begin = file_.tellg();
    file_.seekg(0, std::ios::end);
    const auto left = static_cast<std::uint64_t>(file_.tellg() - begin);
    file_.seekg(begin);
    valid_ = file_ && left % row_bytes == 0 && left / row_bytes == rows;
    if (!valid_) what_ = "a column is not as long as the folder says";
}

bool NpyColumn::read(std::span<std::byte> out) {
    file_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
    return static_cast<std::size_t>(file_.gcount()) == out.size();
}

// Leaves the file at the first element.
bool NpyColumn::header_is(std::string_view dtype, std::uint64_t rows, std::uint64_t width) {
    std::array<unsigned char, 12> head{};
    constexpr std::string_view kMagic("\x93NUMPY", 6);
    const auto take = [&](std::size_t from, std::size_t count) {
        file_.read(reinterpret_cast<char*>(head.data() + from), static_cast<std::streamsize>(count));
        return static_cast<std::size_t>(file_.gcount()) == count;
    };
    if (!take(0, 10) || std::string_view(reinterpret_cast<char*>(head.data()), 6) != kMagic) return false;
    if (head[6] < 1 || head[6] > 3) return false;
    std::size_t length = head[8] + 256U * head[9];
    if (head[6] > 1) {
        if (!take(10, 2)) return false;
        length += 65536U * head[10] + 16777216U * head[11];
    }
    if (length > 65536) return false;  // a column's header is a hundred bytes
    std::string text(length, '\0');
    file_.read(text.data(), static_cast<std::streamsize>(length));
    if (static_cast<std::size_t>(file_.gcount()) != length) return false;
    text = packed(text);
    const std::string shape = std::to_string(rows) + "," + (width == 1 ? std::string() : std::to_string(width)) + ")";
    return has(text, "'descr':'" + std::string(dtype) + "'") && has(text, "'fortran_order':False") &&
           has(text, "'shape':(" + shape);
}

}  // namespace lanefold::c_api
