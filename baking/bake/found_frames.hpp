// SPDX-License-Identifier: MIT
//
// Frames whose candidate pairs the bake finds, in order: some are taken from the source at once, so that one search
// serves all of them (lanefold/window_finder.hpp).
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <vector>

#include <lanefold/window_finder.hpp>

#include "bake/frame_source.hpp"
#include "bake/stage_times.hpp"

namespace lanefold::tools {

class FoundFrames {
public:
    // margin: of the pairs. window: the most frames that are searched at once. Works in the arena of each call.
    FoundFrames(const Scene& scene, const HullSet& hulls, float margin, std::size_t window);

    // The next frame of `source`, with its pairs, null after the last. An exception of `source` comes after the frames
    // before it. The times of the search go to `times`.
    std::unique_ptr<SceneFrame> next(FrameSource& source, StageTimer& times);

    // Forgets the frames that were taken, and their source.
    void clear();

private:
    void fill(FrameSource& source, StageTimer& times);

    const Scene& scene_;
    const HullSet& hulls_;
    float margin_;
    std::size_t window_;
    WindowFinder finder_;
    std::deque<std::unique_ptr<SceneFrame>> frames_;  // of the latest window that are left
    std::size_t given_ = 0;                           // frames of it that are not
    std::exception_ptr failure_;                      // of the frame behind them
    std::vector<BodyView> views_;                     // scratch
};

}  // namespace lanefold::tools
