// SPDX-License-Identifier: MIT
//
// See the header.

#include "bake/frame_source.hpp"

#include <utility>

#include "bake/stage_times.hpp"

namespace lanefold::tools {

FrameSource::FrameSource(const Scene& scene, std::span<const std::uint64_t> frames, std::size_t ahead)
    : scene_(scene), frames_(frames.begin(), frames.end()), ahead_(ahead) {
    if (ahead_ > 0) thread_ = std::thread([this] { read_ahead(); });
}

FrameSource::~FrameSource() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

std::unique_ptr<SceneFrame> FrameSource::read(std::uint64_t frame) {
    std::unique_ptr<SceneFrame> out;
    {
        const std::lock_guard lock(mutex_);
        if (!unused_.empty()) {
            out = std::move(unused_.back());
            unused_.pop_back();
        }
    }
    if (!out) out = std::make_unique<SceneFrame>();
    double seconds = 0;
    {
        const StageClock clock(seconds);
        scene_.read_frame(frame, *out);
    }
    const std::lock_guard lock(mutex_);
    seconds_ += seconds;
    return out;
}

void FrameSource::read_ahead() {
    for (const std::uint64_t frame : frames_) {
        std::unique_ptr<SceneFrame> out;
        std::exception_ptr failure;
        try {
            out = read(frame);
        } catch (...) {
            failure = std::current_exception();
        }
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stop_ || waiting_.size() < ahead_; });
        if (stop_) return;
        waiting_.push_back(std::move(out));
        failure_ = failure;
        changed_.notify_all();
        if (failure) return;
    }
}

std::unique_ptr<SceneFrame> FrameSource::next() {
    if (taken_ == frames_.size()) return nullptr;
    const std::uint64_t frame = frames_[taken_++];
    if (ahead_ == 0) return read(frame);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_.empty(); });
    std::unique_ptr<SceneFrame> out = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    if (!out) std::rethrow_exception(failure_);
    return out;
}

void FrameSource::recycle(std::unique_ptr<SceneFrame> frame) {
    const std::lock_guard lock(mutex_);
    unused_.push_back(std::move(frame));
}

double FrameSource::seconds() const {
    const std::lock_guard lock(mutex_);
    return seconds_;
}

}  // namespace lanefold::tools
