// SPDX-License-Identifier: MIT
//
// See the header.

#include "export/output.hpp"

#include "files/input_file.hpp"

namespace lanefold::tools {

ExportFile::ExportFile(const std::filesystem::path& path) : file_(output_file(path)) { buffer_.reserve(2 * kFull); }

void ExportFile::bytes(std::span<const std::byte> bytes) {
    buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (buffer_.size() >= kFull) flush();
}

void ExportFile::flush() {
    file_.write(std::string_view(buffer_));
    written_ += buffer_.size();
    buffer_.clear();
}

std::uint64_t ExportFile::commit() {
    flush();
    file_.commit();
    return written_;
}

}  // namespace lanefold::tools
