// SPDX-License-Identifier: MIT
//
// Opening of what users name. A FIFO would hang the program, a device has no end, a folder is no file: each is refused
// by name before anything is read.
#pragma once

#include <filesystem>

namespace lanefold::tools {

// A descriptor of a regular file, for reading. Throws Failure(bad_input) with the reason.
int open_input(const std::filesystem::path& path);

// Is there something of that name? Throws Failure(bad_input) when that cannot be known (a loop of links, a folder that
// may not be searched).
bool is_there(const std::filesystem::path& path);

// The file that writing to `path` means: links are followed. Throws Failure(bad_input) when what is there is no
// regular file (a device, a folder, a FIFO), which a rename would replace.
std::filesystem::path output_file(const std::filesystem::path& path);

}  // namespace lanefold::tools
