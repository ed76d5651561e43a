// SPDX-License-Identifier: MIT
//
// A fixed number of equal buffers. A thread that needs one waits until one is free. What fits none is allocated.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "files/large_memory.hpp"

namespace lanefold::tools {

class BufferPool {
public:
    // Allocates when a buffer is first needed; what nothing reaches is never touched.
    BufferPool(std::size_t buffers, std::size_t bytes) : left_(buffers), bytes_(bytes) {}

    // Room for the bytes, which begins on a page. It comes back when the last copy of the pointer goes; the pool must
    // outlive it. The latest that came back goes first: its pages are there, and its front may be in a cache.
    std::shared_ptr<std::byte> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return left_ > 0 || !free_.empty(); });
        if (free_.empty()) {
            free_.push_back(all_.emplace_back(bytes_).data());
            --left_;
        }
        std::byte* const buffer = free_.back();
        free_.pop_back();
        return {buffer, [this](std::byte* used) { give_back(used); }};
    }

    // The same for any number of bytes: for more than the buffers have, memory of its own, which does not wait.
    std::shared_ptr<std::byte> take(std::size_t bytes) {
        if (bytes <= bytes_) return take();
        const auto own = std::make_shared<LargeMemory>(bytes);
        return {own, own->data()};
    }

private:
    void give_back(std::byte* buffer) {
        {
            const std::lock_guard lock(mutex_);
            free_.push_back(buffer);
        }
        changed_.notify_one();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t left_;  // not yet allocated
    std::size_t bytes_;
    std::vector<LargeMemory> all_;
    std::vector<std::byte*> free_;
};

}  // namespace lanefold::tools
