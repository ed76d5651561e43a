// SPDX-License-Identifier: MIT
//
// Lists of more than 2^32 pairs: no count, index or size may be cut to 32 bits. The list is reserved address space, and
// most of it is never touched: a compact call that starts near its end computes only the last few thousand pairs. It
// must give the same as for a short list of these pairs.
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/narrowphase.hpp>

#include "support/check.hpp"
#include "support/sweep.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint64_t kBoundary = std::uint64_t{1} << 32;
constexpr std::uint64_t kTail = 3000;  // pairs on either side of the boundary

// Memory that is reserved and not touched reads as zeros: pairs of body 0 with itself.
class ReservedPairs {
public:
    explicit ReservedPairs(std::uint64_t count) : bytes_(count * sizeof(Pair)) {
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    ~ReservedPairs() {
        if (*this) munmap(memory_, bytes_);
    }
    ReservedPairs(const ReservedPairs&) = delete;
    ReservedPairs& operator=(const ReservedPairs&) = delete;
    explicit operator bool() const { return memory_ != MAP_FAILED; }
    std::span<Pair> pairs() const { return {static_cast<Pair*>(memory_), bytes_ / sizeof(Pair)}; }

private:
    std::size_t bytes_;
    void* memory_;
};

TEST(BatchCounts, MoreThanTwoToThe32PairsAreCountedWhole) {
    const ReservedPairs reserved(kBoundary + kTail);
    if (!reserved) GTEST_SKIP() << "no 32 GiB of address space";
    SweepConfig config;
    config.seed = 771;
    config.pairs = 2 * kTail;
    const Library library = random_library(config.seed, 24, config.shapes);
    const SweepBlock block = make_block(config, library, 0, config.pairs);
    const std::span<Pair> pairs = reserved.pairs();
    std::copy(block.pairs.begin(), block.pairs.end(), pairs.end() - static_cast<std::ptrdiff_t>(2 * kTail));

    Options options;
    options.margin = 0.05F;
    const BodyView bodies{std::span<const Body>(block.float_bodies)};
    Workspace workspace;
    std::vector<Manifold4> expected(2 * kTail);
    const CompactResult of_short =
        collide_compact(library.hulls, bodies, block.pairs, options, std::span<Manifold4>(expected), workspace);
    ASSERT_TRUE(of_short.status) << of_short.status.what;
    ASSERT_EQ(of_short.written, of_short.required);
    ASSERT_GT(of_short.written, kTail);

    // A thousand records per call, so that calls end and begin on both sides of 2^32.
    std::vector<Manifold4> out(1000);
    std::uint64_t next = kBoundary - kTail;
    std::uint64_t done = 0;
    std::uint64_t touching = 0;
    while (next < pairs.size()) {
        const CompactResult r =
            collide_compact(library.hulls, bodies, pairs, options, std::span<Manifold4>(out), workspace, {}, next);
        ASSERT_EQ(r.required, of_short.required - done);
        ASSERT_EQ(r.status.code, r.required > out.size() ? Status::truncated : Status::ok) << r.status.what;
        ASSERT_GT(r.next_pair, next);
        for (std::uint64_t i = 0; i < r.written; ++i) {
            ASSERT_EQ(bitwise_difference(out[i], expected[done + i]), "") << "record " << done + i;
        }
        done += r.written;
        touching += r.touching;
        next = r.next_pair;
    }
    EXPECT_EQ(next, kBoundary + kTail);
    EXPECT_EQ(done, of_short.written);
    EXPECT_EQ(touching, of_short.touching);
}

}  // namespace
}  // namespace lanefold::test
