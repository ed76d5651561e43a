// SPDX-License-Identifier: MIT
//
// Files that are either absent or whole: they are written under a temporary name, synced, then renamed. A killed run
// leaves only hidden ".<name>.<random>.tmp" files, which the next run into the folder removes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "files/uncached_output.hpp"

namespace lanefold::tools {

// The event that a commit waits for. synced: the disk, so that the file survives a power cut. written: only the kernel;
// the file survives the death of the process, and a power cut only if the kernel has written it back by then.
enum class Durability { synced, written };

class AtomicFile {
public:
    // Creates the temporary file beside `path`. Throws Failure(interrupted) naming it when that fails.
    explicit AtomicFile(const std::filesystem::path& path);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();  // removes the temporary file unless committed

    // Bytes written from here on go past the kernel's cache where that is possible: for large files that are not read
    // again at once. Call it before anything is written.
    void bypass_cache();

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    // Overwrites bytes already written (a header whose counts are known only at the end).
    void rewrite(std::uint64_t offset, std::string_view text);

    // Renames over `path`; with `synced` the file is whole under its name afterwards even after a power cut.
    void commit(Durability durability = Durability::synced);

    // The same, but if `path` exists it changes nothing and returns false. If several processes call it for one path,
    // exactly one gets true.
    bool commit_exclusive();

    // How long commits waited for the disk.
    double sync_seconds() const { return sync_seconds_; }
    const std::filesystem::path& path() const { return path_; }

private:
    void finish_uncached();
    void sync();
    void sync_folder();
    void close_file();

    std::filesystem::path path_;
    std::filesystem::path temporary_;
    int file_ = -1;
    std::optional<UncachedOutput> uncached_;
    double sync_seconds_ = 0;
};

// Makes a file that was committed as `written`, or the names in a folder, survive a power cut.
void sync_path(const std::filesystem::path& path);

void write_file(const std::filesystem::path& path, std::string_view text);
bool write_file_exclusive(const std::filesystem::path& path, std::string_view text);

// Reads a small file. Throws Failure(bad_input) when it does not exist or is larger than the limit.
std::string read_file(const std::filesystem::path& path, std::uint64_t limit = 16U << 20U);

// Writes a file that the user named: follows links, refuses to replace what is no file (output_file), and removes the
// temporary files of killed runs.
void write_output(const std::filesystem::path& path, std::string_view text);

// Removes the temporary files of dead processes from a folder: those of the file `name`, or all. A running writer holds
// a lock on its file, which stays. Returns the number of removed files.
std::size_t remove_stale_temporaries(const std::filesystem::path& folder, std::string_view name = {});

}  // namespace lanefold::tools
