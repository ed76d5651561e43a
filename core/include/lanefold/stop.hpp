// SPDX-License-Identifier: MIT
//
// Ways to stop a running call: a flag of our own, a function, or a std::stop_token if the standard library has it
// (libc++ 14 to 19 does not).
#pragma once

#include <atomic>
#include <cstddef>
#include <new>
#include <utility>
#include <version>

#ifdef __cpp_lib_jthread
#include <stop_token>
#endif

namespace lanefold {

// A flag that one thread sets and others read. The caller owns it; it must outlive the calls that read it.
class StopFlag {
public:
    // Stops all calls that read the flag, at their next chunk. From any thread, also in a signal handler.
    void request_stop() noexcept { stop_.store(true, std::memory_order_relaxed); }
    // Allows calls again.
    void reset() noexcept { stop_.store(false, std::memory_order_relaxed); }
    // Whether a stop was requested since the last reset().
    bool stop_requested() const noexcept { return stop_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> stop_{false};
};

// The token that a call checks, on any of its threads. Empty: never stops. Its size and layout do not depend on the
// standard library, and it never allocates.
class StopToken {
public:
    // Returns true if the call shall stop. Called by several threads at once; must not throw.
    using Asked = bool (*)(const void* context);

    StopToken() noexcept = default;

    // Checks the flag, which must outlive the call.
    StopToken(const StopFlag& flag) noexcept  // NOLINT(google-explicit-constructor): inputs.stop = flag
        : StopToken([](const void* context) { return static_cast<const StopFlag*>(context)->stop_requested(); },
                    &flag) {}

    // Calls a function, with a context that must outlive the call.
    StopToken(Asked asked, const void* context) noexcept : asked_(asked), context_(context) {}

#ifdef __cpp_lib_jthread
    // Keeps a copy.
    StopToken(std::stop_token token) noexcept  // NOLINT(google-explicit-constructor): inputs.stop = source.get_token()
        : asked_([](const void* own) { return static_cast<const std::stop_token*>(own)->stop_requested(); }),
          copy_(
              [](const void* from, void* to) { new (to) std::stop_token(*static_cast<const std::stop_token*>(from)); }),
          destroy_([](void* own) { static_cast<std::stop_token*>(own)->~stop_token(); }) {
        static_assert(sizeof(std::stop_token) <= sizeof(own_) && alignof(std::stop_token) <= alignof(void*));
        new (own_) std::stop_token(std::move(token));
    }
#endif

    StopToken(const StopToken& o) noexcept
        : asked_(o.asked_), context_(o.context_), copy_(o.copy_), destroy_(o.destroy_) {
        if (copy_ != nullptr) copy_(o.own_, own_);
    }

    StopToken& operator=(const StopToken& o) noexcept {
        if (this == &o) return *this;
        if (destroy_ != nullptr) destroy_(own_);
        asked_ = o.asked_;
        context_ = o.context_;
        copy_ = o.copy_;
        destroy_ = o.destroy_;
        if (copy_ != nullptr) copy_(o.own_, own_);
        return *this;
    }

    ~StopToken() {
        if (destroy_ != nullptr) destroy_(own_);
    }

    // Whether the call shall stop.
    bool stop_requested() const noexcept {
        return asked_ != nullptr && asked_(copy_ != nullptr ? static_cast<const void*>(own_) : context_);
    }

private:
    Asked asked_ = nullptr;
    const void* context_ = nullptr;
    // Set only if own_ holds a token.
    void (*copy_)(const void* from, void* to) = nullptr;
    void (*destroy_)(void* own) = nullptr;
    alignas(void*) std::byte own_[2 * sizeof(void*)] = {};
};

}  // namespace lanefold
