// SPDX-License-Identifier: MIT
//
// Large arrays request huge pages; the system's table of mappings shows it.
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/huge_pages.hpp>

#include "support/hulls.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

// True if the mapping of this address has the mark of madvise(MADV_HUGEPAGE), "hg" in /proc/self/smaps.
bool is_marked(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    std::ifstream maps("/proc/self/smaps");
    bool inside = false;
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t first = 0;
        std::uintptr_t last = 0;
        char dash = 0;
        std::istringstream range(line);
        if (range >> std::hex >> first >> dash >> last && dash == '-') inside = first <= at && at < last;
        if (inside && line.rfind("VmFlags:", 0) == 0) return line.find(" hg") != std::string::npos;
    }
    return false;
}

bool system_has_huge_pages() { return std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good(); }

TEST(HugePages, LargeBuffersAreMarkedAndZeroed) {
    if (!system_has_huge_pages()) GTEST_SKIP() << "no transparent huge pages here";
    constexpr std::size_t kBytes = std::size_t{64} << 20;
    AlignedBuffer<std::byte> buffer;
    buffer.reserve(kBytes);
    EXPECT_TRUE(is_marked(buffer.data() + kBytes / 2));
    for (std::size_t i = 0; i < kBytes; i += 4093) ASSERT_EQ(buffer[i], std::byte{0}) << i;
}

TEST(HugePages, TheBlocksOfALargeHullSetAreMarked) {
    if (!system_has_huge_pages()) GTEST_SKIP() << "no transparent huge pages here";
    Random random(21);
    std::vector<Points> points;
    for (int i = 0; i < 600; ++i) {
        points.emplace_back();
        for (int k = 0; k < 150; ++k) points.back().push_back(to_float(random.direction()));
    }
    const Library library = build_library(points);
    ASSERT_GT(library.hulls.hot_bytes(), std::size_t{8} << 20) << "several huge pages";
    EXPECT_TRUE(is_marked(library.hulls[300].block));
}

// A range without a whole huge page requests nothing, and its surroundings do not change.
TEST(HugePages, SmallRangesAreLeftAlone) {
    std::vector<std::byte> bytes(1 << 20, std::byte{7});
    detail::advise_huge_pages(bytes.data() + 5, bytes.size() - 10);
    detail::advise_huge_pages(bytes.data(), 0);
    detail::advise_huge_pages(nullptr, 0);
    for (const std::byte b : bytes) ASSERT_EQ(b, std::byte{7});
}

}  // namespace
}  // namespace lanefold::test
