// SPDX-License-Identifier: MIT
//
// Arenas for the build with ThreadSanitizer, found instead of oneTBB's header: an arena is a number of threads, which
// the calls inside of it see. oneTBB's own library is not compiled with the sanitizer, which then reports races that
// are none.
#pragma once

#include <utility>

namespace tbb {

namespace detail {

inline constexpr int kThreads = 4;

inline int& concurrency() {
    thread_local int threads = kThreads;
    return threads;
}

}  // namespace detail

class task_arena {
public:
    explicit task_arena(int threads = detail::kThreads) : threads_(threads) {}

    template <class F>
    auto execute(const F& f) -> decltype(f()) {
        struct Inside {
            explicit Inside(int threads) : before(std::exchange(detail::concurrency(), threads)) {}
            Inside(const Inside&) = delete;
            Inside& operator=(const Inside&) = delete;
            ~Inside() { detail::concurrency() = before; }
            int before;
        };
        const Inside inside(threads_);
        return f();
    }

private:
    int threads_;
};

namespace this_task_arena {

inline int max_concurrency() { return detail::concurrency(); }

template <class F>
auto isolate(const F& f) -> decltype(f()) {
    return f();
}

}  // namespace this_task_arena
}  // namespace tbb
