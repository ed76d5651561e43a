// SPDX-License-Identifier: MIT
//
// Opens files that users name. A FIFO would block the program, a device has no end, and a folder is no file: each is
// refused by name before anything is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "console/failure.hpp"

namespace lanefold::tools {

// A file of the input that is not there.
class NotThere : public Failure {
public:
    explicit NotThere(const std::string& message) : Failure(ExitCode::bad_input, message) {}
};

// A descriptor of a regular file, for reading. Throws Failure(bad_input) with the reason, NotThere where it is missing.
int open_input(const std::filesystem::path& path);

// Reads a regular file from its beginning on.
class InputFile {
public:
    // Throws Failure(bad_input) with the reason if it cannot be opened.
    explicit InputFile(const std::filesystem::path& path);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    // Reads at most out.size() bytes and returns how many; 0 at the end of the file.
    std::size_t read(std::span<std::byte> out);
    // Bytes from `offset` on, wherever read() is. False if the file ends before.
    bool read_at(std::uint64_t offset, std::span<std::byte> out) const;
    std::uint64_t size() const;

private:
    std::filesystem::path path_;
    int file_;
};

// True if the path exists. Throws Failure(bad_input) when that cannot be known (a loop of links, a folder that may not
// be searched).
bool is_there(const std::filesystem::path& path);

// The file that a writer of `path` replaces; links are followed. Throws Failure(bad_input) when it is no regular file
// (a device, a folder, a FIFO): a rename would replace it.
std::filesystem::path output_file(const std::filesystem::path& path);

}  // namespace lanefold::tools
