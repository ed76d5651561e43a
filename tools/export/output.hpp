// SPDX-License-Identifier: MIT
//
// A file of an export: buffered text and bytes into an AtomicFile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "files/atomic_file.hpp"

namespace lanefold::tools {

class ExportFile {
public:
    // Follows links; refuses to replace what is no file.
    explicit ExportFile(const std::filesystem::path& path);

    template <class... Args>
    void print(fmt::format_string<Args...> text, Args&&... args) {
        fmt::format_to(std::back_inserter(buffer_), text, std::forward<Args>(args)...);
        if (buffer_.size() >= kFull) flush();
    }
    void text(std::string_view text) { bytes(std::as_bytes(std::span(text))); }
    void bytes(std::span<const std::byte> bytes);
    // Gives the whole file its name. Returns its size.
    std::uint64_t commit();

private:
    static constexpr std::size_t kFull = std::size_t{1} << 20U;
    void flush();

    AtomicFile file_;
    std::string buffer_;
    std::uint64_t written_ = 0;
};

}  // namespace lanefold::tools
