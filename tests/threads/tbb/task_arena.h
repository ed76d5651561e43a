// SPDX-License-Identifier: MIT
//
// Arenas for the build with ThreadSanitizer, found instead of oneTBB's header: an arena is a number of threads, which
// the calls inside of it see. oneTBB's own library is not compiled with the sanitizer, which then reports races that
// are none.
#pragma once

#include <atomic>
#include <utility>

namespace tbb {

namespace detail {

inline constexpr int kThreads = 4;

// Threads of the arena that the calling thread is in.
inline const std::atomic<int>*& arena_threads() {
    static const std::atomic<int> usual = kThreads;
    thread_local const std::atomic<int>* threads = &usual;
    return threads;
}

}  // namespace detail

class task_arena {
public:
    static constexpr int not_initialized = -2;

    explicit task_arena(int threads = detail::kThreads) : own_(threads), threads_(threads) {}

    template <class F>
    auto execute(const F& f) -> decltype(f()) {
        struct Inside {
            explicit Inside(const std::atomic<int>& threads)
                : before(std::exchange(detail::arena_threads(), &threads)) {}
            Inside(const Inside&) = delete;
            Inside& operator=(const Inside&) = delete;
            ~Inside() { detail::arena_threads() = before; }
            const std::atomic<int>* before;
        };
        const Inside inside(threads_);
        return f();
    }

    // As oneTBB may do, gives the arena another thread for the task; the next one takes it away.
    template <class F>
    void enqueue(const F& f) {
        execute(f);
        threads_.store(threads_.load() == own_ ? own_ + 1 : own_);
    }

private:
    int own_;
    std::atomic<int> threads_;
};

namespace this_task_arena {

inline int max_concurrency() { return detail::arena_threads()->load(); }
inline int current_thread_index() { return 0; }

template <class F>
auto isolate(const F& f) -> decltype(f()) {
    return f();
}

}  // namespace this_task_arena
}  // namespace tbb
