// SPDX-License-Identifier: MIT
//
// The calls of the operating system that files need and std::filesystem lacks: those of POSIX (system_posix.cpp), and
// what takes their place on Windows (system_windows.cpp). Files are numbers as POSIX has them. A call that fails says
// so by -1 or false, and errno says why; none is interrupted by a signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace lanefold::tools::system {

struct FileStatus {
    std::filesystem::file_type type;
    std::uint64_t size;
    std::uint64_t names;  // 0: somebody has removed it
};

// For reading. Does not wait for the other end of a FIFO.
int open_input(const std::filesystem::path& path);
// A new file, for reading and writing. Fails with EEXIST if something has the name.
int create(const std::filesystem::path& path);
// For lock(). Follows no link.
int open_folder(const std::filesystem::path& path);
// A file that a killed process left: for reading and writing, and follows no link.
int open_leftover(const std::filesystem::path& path);
void close(int file);

std::optional<FileStatus> status(int file);
std::ptrdiff_t read(int file, std::span<std::byte> out);
std::ptrdiff_t read_at(int file, std::uint64_t offset, std::span<std::byte> out);
std::ptrdiff_t write(int file, std::span<const std::byte> bytes);
std::ptrdiff_t write_at(int file, std::uint64_t offset, std::span<const std::byte> bytes);
std::ptrdiff_t write_both_at(int file, std::uint64_t offset, std::span<const std::byte> first,
                             std::span<const std::byte> second);
bool rewind(int file);
// Whether `path` still names what was opened as `file`.
bool is_same(int file, const std::filesystem::path& path);
// Whether writes go past the system's cache from now on, as they were asked to. Then addresses, sizes and places in the
// file must be whole blocks.
bool bypass_cache(int file, bool bypass);

// Holds it until it is closed, also a folder. EWOULDBLOCK: another process has it. Anything else: nobody can lock it.
bool lock(int file);
// The contents are on the disk.
bool sync(int file);
// The same by name, of a file or a folder, where the file system can.
bool sync(const std::filesystem::path& path);

// Bytes of memory that this process may have at most; UINT64_MAX: nothing limits it.
std::uint64_t memory_limit();

// The name of this machine; empty if it tells none.
std::string host_name();

// A new folder that only this user reads; `name` ends in XXXXXX, which become what makes it new.
bool make_private_folder(std::string& name);

bool remove_file(const std::filesystem::path& path);
// Takes the place of a file.
bool rename_file(const std::filesystem::path& from, const std::filesystem::path& to);
// Takes the place of an empty folder. ENOTEMPTY or EEXIST: it is not empty.
bool rename_folder(const std::filesystem::path& from, const std::filesystem::path& to);
// Gives a file or a folder another name, if nothing has it. EEXIST: something has.
bool rename_unless_there(const std::filesystem::path& from, const std::filesystem::path& to);
// Two names exchange what they name, in one step, where the file system can.
bool exchange_names(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace lanefold::tools::system
