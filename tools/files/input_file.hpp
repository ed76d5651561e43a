// SPDX-License-Identifier: MIT
//
// Opens files that users name. A FIFO would block the program, a device has no end, and a folder is no file: each is
// refused by name before anything is read.
#pragma once

#include <filesystem>

namespace lanefold::tools {

// A descriptor of a regular file, for reading. Throws Failure(bad_input) with the reason.
int open_input(const std::filesystem::path& path);

// True if the path exists. Throws Failure(bad_input) when that cannot be known (a loop of links, a folder that may not
// be searched).
bool is_there(const std::filesystem::path& path);

// The file that a writer of `path` replaces; links are followed. Throws Failure(bad_input) when it is no regular file
// (a device, a folder, a FIFO): a rename would replace it.
std::filesystem::path output_file(const std::filesystem::path& path);

}  // namespace lanefold::tools
