// SPDX-License-Identifier: MIT
//
// See the header.
#include "bake/found_frames.hpp"

#include <new>
#include <utility>

#include "console/failure.hpp"

namespace lanefold::tools {

FoundFrames::FoundFrames(const Scene& scene, const HullSet& hulls, float margin, std::size_t window)
    : scene_(scene), hulls_(hulls), margin_(margin), window_(window) {}

void FoundFrames::fill(FrameSource& source, StageTimer& times) {
    given_ = 0;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    try {
        while (frames_.size() < window_) {
            std::unique_ptr<SceneFrame> frame = source.next();
            if (!frame) break;
            frames_.push_back(std::move(frame));
        }
    } catch (...) {
        if (frames_.empty()) throw;
        failure_ = std::current_exception();
    }
    if (frames_.empty()) return;
    const StageClock clock = times.clock(&StageTimes::search);
    views_.clear();
    for (const std::unique_ptr<SceneFrame>& frame : frames_) views_.push_back(scene_.view(*frame));
    PairFinderOptions options;
    options.margin = margin_;
    options.inverse_mass = scene_.inverse_mass();
    options.group = scene_.group();
    const CallStatus status = finder_.find(hulls_, views_, options).status;
    if (status.code == Status::out_of_memory) throw std::bad_alloc();
    if (!status)
        throw bad_input("candidate pairs of {} bodies: {} (given: {})", scene_.bodies(), status.what, status.where);
}

std::unique_ptr<SceneFrame> FoundFrames::next(FrameSource& source, StageTimer& times) {
    if (frames_.empty()) fill(source, times);
    if (frames_.empty()) return nullptr;
    std::unique_ptr<SceneFrame> frame = std::move(frames_.front());
    frames_.pop_front();
    const StageClock clock = times.clock(&StageTimes::search);
    frame->pairs = source.spare_pairs();
    frame->pairs.resize(finder_.count(given_));
    const CallStatus listed = finder_.list(given_++, frame->pairs);
    if (!listed) throw bad_input("the candidate pairs of a frame: {} ({})", listed.what, listed.where);
    return frame;
}

void FoundFrames::clear() {
    frames_.clear();
    failure_ = nullptr;
}

}  // namespace lanefold::tools
