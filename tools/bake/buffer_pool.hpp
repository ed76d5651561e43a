// SPDX-License-Identifier: MIT
//
// A fixed number of equal buffers. Who needs one waits until one is free.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace lanefold::tools {

template <class T>
class BufferPool {
public:
    // Allocates when a buffer is first needed; pages that nothing reaches are never touched.
    BufferPool(std::size_t buffers, std::size_t elements) : left_(buffers), elements_(elements) {}

    // Room for `elements`. It comes back when the last copy of the pointer goes; the pool must outlive it.
    std::shared_ptr<T[]> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return left_ > 0 || !free_.empty(); });
        std::unique_ptr<T[]> buffer;
        if (free_.empty()) {
            buffer = std::make_unique_for_overwrite<T[]>(elements_);
            --left_;
        } else {
            buffer = std::move(free_.back());
            free_.pop_back();
        }
        return {buffer.release(), [this](T* used) { give_back(std::unique_ptr<T[]>(used)); }};
    }

private:
    void give_back(std::unique_ptr<T[]> buffer) {
        {
            const std::lock_guard lock(mutex_);
            free_.push_back(std::move(buffer));
        }
        changed_.notify_one();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t left_;  // not yet allocated
    std::size_t elements_;
    std::vector<std::unique_ptr<T[]>> free_;
};

}  // namespace lanefold::tools
