// SPDX-License-Identifier: MIT
//
// An output that is larger than the caches and aligned to cache lines is written past the caches. Its records must be
// those of an unaligned output, on every instruction set and with any number of threads.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include <lanefold/isa.hpp>

#include "support/batch_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 20'011;
constexpr std::size_t kCopies = 7;  // 140,077 records of 128 bytes: more than 16 MiB

const BatchScene& large_scene() {
    static const BatchScene kScene = [] {
        BatchScene s = make_bad_batch_scene(31, 700, kPairs);
        const std::vector<Pair> once = s.pairs;
        for (std::size_t k = 1; k < kCopies; ++k) s.pairs.insert(s.pairs.end(), once.begin(), once.end());
        return s;
    }();
    return kScene;
}

template <class Record>
void expect_streamed_records_are_the_same(Isa isa, unsigned threads) {
    const BatchScene& scene = large_scene();
    const std::size_t n = scene.pairs.size();
    ASSERT_GT(n * sizeof(Record), std::size_t{16} << 20U);
    Options options = scene.options();
    options.isa = isa;
    options.threads = threads;
    std::vector<unsigned char> first(n * sizeof(Record) + 128, 0xAB);
    std::vector<unsigned char> second(n * sizeof(Record) + 128, 0xCD);
    const auto on_line = [](std::vector<unsigned char>& memory) {
        const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
        return memory.data() + (64 - at % 64) % 64;
    };
    auto* on_lines = reinterpret_cast<Record*>(on_line(first));
    auto* shifted = reinterpret_cast<Record*>(on_line(second) + 16);
    Workspace workspace;
    const BatchResult a = collide(scene.hulls, scene.view(), scene.pairs, options, std::span(on_lines, n), workspace);
    const BatchResult b = collide(scene.hulls, scene.view(), scene.pairs, options, std::span(shifted, n), workspace);
    ASSERT_TRUE(a.status && b.status);
    EXPECT_GT(a.touching, n / 4);
    EXPECT_EQ(a.isa, isa);
    EXPECT_EQ(std::memcmp(on_lines, shifted, n * sizeof(Record)), 0) << to_string(isa);
    expect_same_sums(a, b, to_string(isa));
}

TEST(BatchStream, RecordsWrittenPastTheCachesAreTheSame) {
    for (const Isa isa : available_isas()) expect_streamed_records_are_the_same<Manifold4>(isa, 0);
}

TEST(BatchStream, LargeRecordsAndOneThread) {
    expect_streamed_records_are_the_same<Manifold16>(available_isas().back(), 1);
}

}  // namespace
}  // namespace lanefold::test
