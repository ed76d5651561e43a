// SPDX-License-Identifier: MIT
//
// See the header.

#include "bake/frame_source.hpp"

#include <utility>

namespace lanefold::tools {

FrameSource::FrameSource(const Scene& scene, StoredPairs pairs, std::function<std::optional<std::uint64_t>()> numbers,
                         std::size_t ahead)
    : scene_(scene), pairs_(pairs), numbers_(std::move(numbers)), ahead_(ahead), times_(ahead == 0) {
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
    StageTimer times(ahead_ == 0);
    {
        const StageClock clock = times.clock(&StageTimes::read);
        if (pairs_ == StoredPairs::read) {
            scene_.read_frame(frame, *out);
        } else {
            scene_.read_poses(frame, 0, scene_.bodies(), *out);
        }
    }
    const std::lock_guard lock(mutex_);
    times_.add(times);
    return out;
}

void FrameSource::read_ahead() {
    for (;;) {
        std::unique_ptr<SceneFrame> out;
        std::exception_ptr failure;
        try {
            if (const std::optional<std::uint64_t> number = numbers_()) out = read(*number);
        } catch (...) {
            failure = std::current_exception();
        }
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stop_ || waiting_.size() < ahead_; });
        if (stop_) return;
        failure_ = failure;
        ended_ = !out;
        if (out) waiting_.push_back(std::move(out));
        changed_.notify_all();
        if (ended_) return;
    }
}

std::unique_ptr<SceneFrame> FrameSource::next() {
    if (ahead_ == 0) {
        const std::optional<std::uint64_t> number = numbers_();
        return number ? read(*number) : nullptr;
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
    if (waiting_.empty()) {
        if (failure_) std::rethrow_exception(failure_);
        return nullptr;
    }
    std::unique_ptr<SceneFrame> out = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    return out;
}

void FrameSource::recycle(std::unique_ptr<SceneFrame> frame) {
    const std::lock_guard lock(mutex_);
    if (pairs_ == StoredPairs::left_out) spare_.push_back(std::move(frame->pairs));
    unused_.push_back(std::move(frame));
}

std::vector<Pair> FrameSource::spare_pairs() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    std::vector<Pair> pairs = std::move(spare_.back());
    spare_.pop_back();
    return pairs;
}

StageTimer FrameSource::times() const {
    const std::lock_guard lock(mutex_);
    return times_;
}

}  // namespace lanefold::tools
