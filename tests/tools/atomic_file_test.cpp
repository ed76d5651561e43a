// SPDX-License-Identifier: MIT
//
// Files that bypass the kernel's cache have the bytes of all others, whatever their size, and also where the file
// system cannot bypass it.

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "console/failure.hpp"
#include "files/atomic_file.hpp"
#include "files/large_memory.hpp"
#include "files/uncached_output.hpp"
#include "support/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::read_bytes;
using test::TemporaryFolder;

constexpr std::size_t kRoom = UncachedOutput::kRoom;

std::string some_bytes(std::size_t size) {
    std::string out(size, '\0');
    std::uint32_t x = 1;
    for (char& c : out) {
        x = x * 1664525U + 1013904223U;
        c = static_cast<char>(x >> 24U);
    }
    return out;
}

// Writes `text` in pieces, the first bytes once more at the end as a header is.
void write_in_pieces(const fs::path& path, const std::string& text, std::size_t piece, Durability durability) {
    AtomicFile file(path);
    file.bypass_cache();
    std::string first = text.substr(0, std::min<std::size_t>(text.size(), 128));
    for (std::size_t at = 0; at < text.size(); at += piece) {
        std::string now = text.substr(at, piece);
        if (at == 0) std::fill_n(now.begin(), std::min(now.size(), first.size()), '?');
        file.write(now);
    }
    file.rewrite(0, first);
    file.commit(durability);
}

TEST(AtomicFile, BytesPastTheCacheAreThoseOfAnyOtherFile) {
    const TemporaryFolder disk;
    // A file system in memory has no O_DIRECT.
    const fs::path memory = fs::path("/dev/shm") / disk.path().filename();
    fs::create_directories(memory);
    int files = 0;
    for (const fs::path& folder : {disk.path(), memory}) {
        for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kRoom - 1, kRoom, kRoom + 1, 3 * kRoom + 4097}) {
            for (const std::size_t piece : {std::size_t{4096}, std::size_t{100003}, 2 * kRoom + 5}) {
                const std::string text = some_bytes(size);
                const Durability durability = files % 2 == 0 ? Durability::synced : Durability::written;
                write_in_pieces(folder / "file", text, piece, durability);
                ASSERT_TRUE(read_bytes(folder / "file") == text) << folder << ", " << size << " in pieces of " << piece;
                ++files;
            }
        }
    }
    fs::remove_all(memory);
    EXPECT_EQ(files, 36);
}

// Pieces that lie in memory as they will in the file, up to whole blocks: only the ends of each are copied where the
// file system lets a program bypass the cache. Sizes that end inside a block move the places of all later pieces.
TEST(AtomicFile, PiecesInTheirPlacesAreWrittenFromWhereTheyAre) {
    const TemporaryFolder disk;
    const fs::path memory = fs::path("/dev/shm") / disk.path().filename();
    fs::create_directories(memory);
    constexpr std::size_t kBlock = UncachedOutput::kBlock;
    const std::vector<std::size_t> sizes{448, 3 * kRoom + 128, 700, 2 * kRoom, kBlock, 5 * kRoom + 77, kRoom / 3, 1};
    std::size_t all = 0;
    for (const std::size_t size : sizes) all += size;
    const std::string text = some_bytes(all);
    for (const fs::path& folder : {disk.path(), memory}) {
        const fs::path path = folder / "file";
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT, 0644);
        ASSERT_GE(file, 0);
        const bool bypasses = ::fcntl(file, F_SETFL, O_DIRECT) == 0;
        ::fcntl(file, F_SETFL, 0);
        UncachedOutput out(file);
        std::size_t at = 0;
        for (const std::size_t size : sizes) {
            const LargeMemory memory_of_piece(size + kBlock);
            std::byte* const piece = memory_of_piece.data() + at % kBlock;
            std::memcpy(piece, text.data() + at, size);
            ASSERT_EQ(out.appended(), at);
            ASSERT_TRUE(out.append({piece, size}));
            std::fill_n(piece, size, std::byte{'!'});  // what was appended is written, or kept elsewhere
            at += size;
        }
        EXPECT_FALSE(out.rewrite(kBlock - 1, std::as_bytes(std::span("??", 2)))) << "not all in the first block";
        ASSERT_TRUE(out.rewrite(1, std::as_bytes(std::span("head", 4))));
        ASSERT_TRUE(out.finish());
        ::close(file);
        std::string expected = text;
        expected.replace(1, 4, "head");
        EXPECT_TRUE(read_bytes(path) == expected) << folder;
        if (bypasses) {
            EXPECT_LT(out.copied(), sizes.size() * 2 * kBlock) << folder;
        } else {
            std::printf("%s: no O_DIRECT here, %llu bytes copied\n", folder.c_str(),
                        static_cast<unsigned long long>(out.copied()));
        }
    }
    fs::remove_all(memory);
}

// The kernel ends a write at the largest size that a file may have, in the middle of a block.
TEST(AtomicFile, AWriteThatEndsInsideABlockIsToldWhenThereIsNoMoreRoom) {
    const TemporaryFolder folder;
    const std::string text = some_bytes(3 * kRoom);
    AtomicFile file(folder / "file");
    file.bypass_cache();
    file.write(std::string_view(text).substr(0, kRoom));
    struct rlimit before {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit less = before;
    less.rlim_cur = 2 * kRoom - 100;
    const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &less), 0);
    std::string why;
    try {
        file.write(std::string_view(text).substr(kRoom));
    } catch (const Failure& failure) {
        why = failure.what();
    }
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, ignored);
    EXPECT_NE(why.find("cannot write: File too large"), std::string::npos) << why;
}

}  // namespace
}  // namespace lanefold::tools
