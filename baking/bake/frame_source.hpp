// SPDX-License-Identifier: MIT
//
// Frames of a scene in order, read ahead by a thread of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "bake/stage_times.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

enum class StoredPairs : bool { left_out, read };

class FrameSource {
public:
    // pairs: a bake that finds its pairs does not need those that the scene has.
    // ahead: how many frames may wait to be taken besides the one that is being read; 0: nothing is read ahead.
    // numbers: says which frame is next, nothing after the last; called by the thread that reads.
    FrameSource(const Scene& scene, StoredPairs pairs, std::function<std::optional<std::uint64_t>()> numbers,
                std::size_t ahead);
    FrameSource(const FrameSource&) = delete;
    FrameSource& operator=(const FrameSource&) = delete;
    ~FrameSource();

    // The next frame, null after the last. Throws what reading it threw.
    std::unique_ptr<SceneFrame> next();
    // A frame that is no longer needed: its memory serves for another.
    void recycle(std::unique_ptr<SceneFrame> frame);
    // Room for pairs that a recycled frame had, with anything in it. If pairs are left out, frames that wait have no
    // room for them.
    std::vector<Pair> spare_pairs();

    StageTimer times() const;  // of reading

private:
    std::unique_ptr<SceneFrame> read(std::uint64_t frame);
    void read_ahead();

    const Scene& scene_;
    StoredPairs pairs_;
    std::function<std::optional<std::uint64_t>()> numbers_;
    std::size_t ahead_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::unique_ptr<SceneFrame>> waiting_;
    std::vector<std::unique_ptr<SceneFrame>> unused_;
    std::vector<std::vector<Pair>> spare_;
    std::exception_ptr failure_;
    StageTimer times_;
    bool ended_ = false;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace lanefold::tools
