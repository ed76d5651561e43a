// SPDX-License-Identifier: MIT
//
// Files that bypass the kernel's cache have the bytes of all others, whatever their size, and also where the file
// system cannot bypass it.

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>
#include <string>

#include "console/failure.hpp"
#include "files/atomic_file.hpp"
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
