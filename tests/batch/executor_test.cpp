// SPDX-License-Identifier: MIT
//
// The batch code on executors with unusual behaviour: plain threads (ThreadSanitizer runs these, because it does not
// understand TBB), tasks one after the other in any order, skipped tasks, and work that stops after an exact number of
// steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>

#include "batch/batch.hpp"
#include "support/batch_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kBodies = 250;
constexpr std::uint32_t kPairs = 9000;

const BatchScene& scene() {
    static const BatchScene instance = make_bad_batch_scene(8, kBodies, kPairs);
    return instance;
}

const std::vector<Manifold4>& dense() {
    static const std::vector<Manifold4> instance = dense_reference<Manifold4>(scene(), scene().options());
    return instance;
}

class ThreadExecutor final : public detail::Executor {
public:
    explicit ThreadExecutor(unsigned threads) : threads_(threads) {}
    unsigned concurrency() const override { return threads_; }
    void run(unsigned slots, Task task, void* context) override {
        std::vector<std::jthread> threads;
        for (unsigned slot = 0; slot < slots; ++slot) threads.emplace_back([=] { task(context, slot); });
    }
    bool cancelled() const override { return false; }

private:
    unsigned threads_;
};

// Runs the last slot first, and each to its end before the next.
class BackwardExecutor final : public detail::Executor {
public:
    unsigned concurrency() const override { return 5; }
    void run(unsigned slots, Task task, void* context) override {
        for (unsigned slot = slots; slot-- > 0;) task(context, slot);
    }
    bool cancelled() const override { return false; }
};

// Stops at the n-th question, and skips the slots that have not begun.
class QuittingExecutor final : public detail::Executor {
public:
    explicit QuittingExecutor(int patience) : patience_(patience) {}
    unsigned concurrency() const override { return 3; }
    void run(unsigned slots, Task task, void* context) override {
        for (unsigned slot = 0; slot < slots && patience_ > 0; ++slot) task(context, slot);
    }
    bool cancelled() const override { return --patience_ <= 0; }

private:
    mutable int patience_;
};

// Threads of which one fails: the n-th question throws. run() rethrows like TBB does.
class FailingThreads final : public detail::Executor {
public:
    explicit FailingThreads(int patience) : patience_(patience) {}
    unsigned concurrency() const override { return 4; }
    void run(unsigned slots, Task task, void* context) override {
        std::exception_ptr failure;
        std::mutex mutex;
        {
            std::vector<std::jthread> threads;
            for (unsigned slot = 0; slot < slots; ++slot) {
                threads.emplace_back([&, slot] {
                    try {
                        task(context, slot);
                    } catch (...) {
                        const std::lock_guard lock(mutex);
                        failure = std::current_exception();
                    }
                });
            }
        }
        if (failure) std::rethrow_exception(failure);
    }
    bool cancelled() const override {
        if (--patience_ == 0) throw std::runtime_error("test");
        return false;
    }

private:
    mutable std::atomic<int> patience_;
};

class ThrowingExecutor final : public detail::Executor {
public:
    unsigned concurrency() const override { return 2; }
    void run(unsigned, Task, void*) override { throw std::bad_alloc(); }
    bool cancelled() const override { return false; }
};

// `view` and `options` must outlive the arguments, which point at them.
detail::BatchArguments arguments_for(const BodyView& view, const Options& options, std::span<Manifold4> out,
                                     Workspace& workspace) {
    return detail::arguments_of(scene().hulls, view, scene().pairs, options, {}, out, workspace);
}

struct Outcome {
    std::vector<Manifold4> out;
    CompactResult result;
};

Outcome run_on(detail::Executor& executor, bool compact, std::size_t size) {
    const BodyView view = scene().view();
    const Options options = scene().options();
    Workspace workspace;
    Outcome r;
    r.out.resize(size);
    detail::BatchArguments arguments = arguments_for(view, options, r.out, workspace);
    arguments.compact = compact;
    if (compact) {
        r.result = detail::run_compact(arguments, executor);
    } else {
        static_cast<BatchResult&>(r.result) = detail::run_dense(arguments, executor);
    }
    return r;
}

TEST(BatchExecutor, PlainThreadsGiveTheSame) {
    const std::vector<Manifold4> reported = reported_of(dense());
    for (unsigned threads = 1; threads <= 8; ++threads) {
        ThreadExecutor executor(threads);
        const Outcome d = run_on(executor, false, kPairs);
        ASSERT_TRUE(static_cast<bool>(d.result.status)) << d.result.status.what;
        expect_same(d.out, dense(), "dense on threads");
        const Outcome c = run_on(executor, true, reported.size());
        ASSERT_TRUE(static_cast<bool>(c.result.status)) << c.result.status.what;
        expect_same(c.out, reported, "compact on threads");
        EXPECT_EQ(d.result.hash, c.result.hash);
    }
}

TEST(BatchExecutor, TruncationOnPlainThreadsIsExact) {
    const std::vector<Manifold4> reported = reported_of(dense());
    ThreadExecutor executor(6);
    for (const std::size_t capacity : {std::size_t{0}, std::size_t{1}, reported.size() / 3, reported.size() - 1}) {
        const Outcome c = run_on(executor, true, capacity);
        EXPECT_EQ(c.result.status.code, Status::truncated);
        EXPECT_EQ(c.result.required, reported.size());
        EXPECT_EQ(c.result.written, capacity);
        for (std::size_t i = 0; i < capacity; ++i) ASSERT_TRUE(same_bits(c.out[i], reported[i])) << i;
    }
}

TEST(BatchExecutor, SlotsOneAfterTheOtherGiveTheSame) {
    const std::vector<Manifold4> reported = reported_of(dense());
    BackwardExecutor executor;
    expect_same(run_on(executor, false, kPairs).out, dense(), "dense, backward");
    expect_same(run_on(executor, true, reported.size()).out, reported, "compact, backward");
}

TEST(BatchExecutor, GivingUpAfterAnyNumberOfStepsLeavesWholeResults) {
    const std::vector<Manifold4> reported = reported_of(dense());
    std::size_t partial_dense = 0;
    std::size_t partial_compact = 0;
    for (int patience = 1; patience < 120; ++patience) {
        QuittingExecutor dense_executor(patience);
        const Outcome d = run_on(dense_executor, false, kPairs);
        std::uint64_t cancelled = 0;
        std::uint64_t first = kPairs;
        for (std::size_t i = 0; i < kPairs; ++i) {
            if (d.out[i].status != Status::cancelled) {
                ASSERT_TRUE(same_bits(d.out[i], dense()[i])) << patience << " " << i;
                continue;
            }
            if (cancelled++ == 0) first = i;
            ASSERT_EQ(d.out[i].pair[0], scene().pairs[i].a);
            ASSERT_EQ(d.out[i].kind, ContactKind::none);
        }
        ASSERT_EQ(d.result.by_status[static_cast<std::size_t>(Status::cancelled)], cancelled);
        ASSERT_EQ(d.result.status.code, cancelled == 0 ? Status::ok : Status::cancelled);
        if (cancelled != 0) {
            ASSERT_EQ(d.result.status.where, first);
        }
        partial_dense += cancelled != 0 && cancelled != kPairs ? 1 : 0;

        QuittingExecutor compact_executor(patience);
        const Outcome c = run_on(compact_executor, true, reported.size());
        ASSERT_LE(c.result.next_pair, kPairs);
        ASSERT_EQ(c.result.required, c.result.written);
        for (std::size_t i = 0; i < c.result.written; ++i) ASSERT_TRUE(same_bits(c.out[i], reported[i])) << i;
        const auto before =
            std::count_if(dense().begin(), dense().begin() + static_cast<std::ptrdiff_t>(c.result.next_pair),
                          [](const Manifold4& m) { return is_reported(m); });
        ASSERT_EQ(c.result.written, static_cast<std::uint64_t>(before)) << "every pair before next_pair is settled";
        ASSERT_EQ(c.result.status.code, c.result.next_pair == kPairs ? Status::ok : Status::cancelled);
        partial_compact += c.result.written != 0 && c.result.next_pair != kPairs ? 1 : 0;
    }
    EXPECT_GT(partial_dense, 20U);
    EXPECT_GT(partial_compact, 20U);
}

TEST(BatchExecutor, ExceptionsBecomeAStatus) {
    ThrowingExecutor executor;
    const Outcome d = run_on(executor, false, kPairs);
    EXPECT_EQ(d.result.status.code, Status::out_of_memory);
    EXPECT_STREQ(d.result.status.what, "memory ran out during the call");
    const Outcome c = run_on(executor, true, 10);
    EXPECT_EQ(c.result.status.code, Status::out_of_memory);
    EXPECT_EQ(c.result.next_pair, 0U);
}

TEST(BatchExecutor, NobodyWaitsForATaskThatFailed) {
    const std::size_t required = reported_of(dense()).size();
    for (int patience = 1; patience < 25; ++patience) {
        for (const bool compact : {false, true}) {
            FailingThreads executor(patience);
            const Outcome r = run_on(executor, compact, compact ? required : kPairs);
            ASSERT_EQ(r.result.status.code, Status::bad_argument);
            ASSERT_STREQ(r.result.status.what, "an exception ended the call");
        }
    }
}

TEST(BatchExecutor, ChunksAreWholeWordsAndNeverTooLong) {
    std::size_t small = 0;
    for (std::uint64_t pairs = 0; pairs < 400000; pairs = pairs * 5 / 4 + 1) {
        for (const unsigned slots : {1U, 2U, 16U, 128U}) {
            const std::uint32_t n = detail::chunk_pairs(pairs, slots);
            EXPECT_EQ(n % 64, 0U);
            EXPECT_GE(n, 64U);
            EXPECT_LE(n, detail::kChunkPairs);
            if (slots == 1) {
                EXPECT_EQ(n, detail::kChunkPairs);
            }
            small += n < detail::kChunkPairs ? 1 : 0;
        }
    }
    EXPECT_GT(small, 20U);
}

}  // namespace
}  // namespace lanefold::test
