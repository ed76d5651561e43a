// SPDX-License-Identifier: MIT
//
// Writes the front of a large file past the kernel's cache. A file that is synced at its end goes to the disk anyway;
// the copy into the cache, and finding pages for it, take more of the processor's time than the whole rest of a write.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>

namespace lanefold::tools {

// Collects what is appended, and writes it when a room is full, with O_DIRECT where the file system has that. What is
// left at the end is written in the ordinary way, so small files are written as ever. A failed call returns false and
// leaves errno.
class UncachedOutput {
public:
    // Bytes of a write: enough to keep a disk busy, and a whole number of blocks of any disk.
    static constexpr std::size_t kRoom = std::size_t{1} << 20U;

    // `file` is open for writing, at its end, and somebody else closes it.
    explicit UncachedOutput(int file);

    bool append(std::span<const std::byte> bytes);
    // Writes the rest. Afterwards the file is an ordinary one again.
    bool finish();

private:
    struct Free {
        void operator()(std::byte* room) const { std::free(room); }
    };
    bool put(std::span<const std::byte> bytes);
    void set_direct(bool direct);

    int file_;
    bool direct_ = false;
    bool possible_ = true;  // nothing has told otherwise yet
    std::unique_ptr<std::byte, Free> room_;
    std::size_t used_ = 0;
};

}  // namespace lanefold::tools
