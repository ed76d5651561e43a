// SPDX-License-Identifier: MIT
//
// A column of numbers in a .npy file of NumPy: format versions 1 to 3, little endian, C order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

namespace lanefold::c_api {

// Opened only if type, shape and length of the file are what is asked for, so nothing is allocated for a file that
// promises more than it holds.
class NpyColumn {
public:
    // dtype as in the file: "<f8". width: numbers a row; 1: the shape has one axis. Opens nothing if `path` is absent.
    NpyColumn(const std::string& path, std::string_view dtype, std::uint64_t rows, std::uint64_t width,
              std::uint64_t row_bytes);

    bool valid() const { return valid_; }
    // Why it is not valid, or null. Static storage.
    const char* what() const { return what_; }
    // The bytes that follow. False when the file ends, or cannot be read.
    bool read(std::span<std::byte> out);

private:
    bool header_is(std::string_view dtype, std::uint64_t rows, std::uint64_t width);

    std::ifstream file_;
    const char* what_ = nullptr;
    bool valid_ = false;
};

}  // namespace lanefold::c_api
