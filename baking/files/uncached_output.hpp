// SPDX-License-Identifier: MIT
//
// Writes a large file past the kernel's cache. The copy into the cache, and finding pages for it, take more of the
// processor's time than the whole rest of a write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "files/large_memory.hpp"

namespace lanefold::tools {

// Collects what is appended, and writes it when a room is full, with O_DIRECT where the file system has that. Many
// bytes that lie in memory as they will in the file, up to whole blocks, are written from where they are. The first
// block and what is left at the end are written at the end, in the ordinary way, so small files are written as ever. A
// failed call returns false and leaves errno.
class UncachedOutput {
public:
    // Bytes of a write: enough to keep a disk busy, and a whole number of blocks of any disk.
    static constexpr std::size_t kRoom = std::size_t{1} << 20U;
    // Addresses, sizes and places in the file are multiples of it: a page, and a whole number of blocks of any disk.
    static constexpr std::size_t kBlock = 4096;
    // The memory that one of these takes, in bytes.
    static constexpr std::size_t kMemory = kBlock + kRoom;

    // `file` is open for writing and empty, and somebody else closes it.
    explicit UncachedOutput(int file);

    // Cheapest when the address of `bytes` and appended() have the same rest by kBlock.
    bool append(std::span<const std::byte> bytes);
    std::uint64_t appended() const { return appended_; }
    // Bytes that were copied before they were written.
    std::uint64_t copied() const { return copied_; }
    // Replaces bytes that were appended. False, without errno, when they are not all in the first block.
    bool rewrite(std::uint64_t offset, std::span<const std::byte> bytes);
    // Writes the rest. Afterwards the file is an ordinary one again.
    bool finish();

private:
    std::span<const std::byte> keep_first(std::span<const std::byte> bytes);
    std::size_t writable_from(std::span<const std::byte> bytes) const;
    bool put(std::span<const std::byte> room, std::span<const std::byte> more);
    bool put_first();
    void set_direct(bool direct);

    int file_;
    bool direct_ = false;
    bool possible_ = true;  // nothing has told otherwise yet
    LargeMemory memory_;    // the first block, then the room
    std::byte* room_;
    std::size_t used_ = 0;  // bytes in the room
    std::uint64_t appended_ = 0;
    std::uint64_t copied_ = 0;
    std::uint64_t written_ = kBlock;  // where in the file the room belongs
};

}  // namespace lanefold::tools
