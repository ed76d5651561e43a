// SPDX-License-Identifier: MIT
//
// Candidate pairs of several frames at once, for callers that have the frames before they need the pairs: a bake, a
// recorded simulation. The list of each frame is that of PairFinder, which is that of testing every pair of float64
// boxes.
//
// A WindowFinder searches one tree for a whole window of frames: of boxes around all boxes of a body. A pair that it
// finds is then compared in all frames at once, a frame per lane. No list depends on earlier windows: these may be
// searched in any order, and by several finders at once. The tree is kept for the next window if most bodies rest or
// creep; then only bodies that left their fat boxes are searched. A window of 16 frames takes as long as six frames of
// a PairFinder whose bodies all move, or as ten whose bodies rest. Frame by frame a PairFinder is faster. The finder
// holds the hull set of the latest window.
//
//     WindowFinder finder;                                     // link lanefold::broadphase
//     std::vector<BodyView> frames = ...;                      // up to 16
//     if (!finder.find(hulls, frames, options).status) ...;
//     for (std::size_t f = 0; f < frames.size(); ++f) {
//         pairs.resize(finder.count(f));
//         finder.list(f, pairs);                               // then collide(), or ContactStream::step()
//     }
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>
#include <lanefold/status.hpp>

namespace lanefold {

// The most frames of a window. More would save little, because the boxes of each frame are then most of the time.
inline constexpr std::size_t kMostFramesInWindow = 16;

// Whether a window was searched, and how.
struct [[nodiscard]] WindowFinderResult {
    CallStatus status;
    std::uint64_t searches = 0;  // trees: one, or more where bodies move so fast that parts of the window are better
    std::uint64_t searched = 0;  // bodies, in all searches: all of them, those that left their box, or none
    std::uint64_t compared = 0;  // pairs of boxes around frames, kept or found
    Isa isa = Isa::scalar;       // that ran
};

// Finds the candidate pairs of one window after the other; its memory grows to the largest and is reused. One finder
// serves one caller at a time; any number of finders may work at once.
class LANEFOLD_EXPORT WindowFinder {
public:
    WindowFinder();
    WindowFinder(WindowFinder&&) noexcept;
    WindowFinder& operator=(WindowFinder&&) noexcept;
    ~WindowFinder();

    // Searches frames[0] to frames[n - 1], 1 <= n <= kMostFramesInWindow: the same bodies, with the same hulls, at
    // other poses. They need not follow each other, but less time is needed if bodies move little between them. All
    // options mean what they mean for PairFinder::find(), and hold in every frame.
    //
    // Does not throw, print or change the bodies. Refused with bad_argument: what PairFinder::find() refuses, another
    // number of frames, frames with other numbers of bodies (status.where: the frame) or hulls (the body), and
    // options.motion or options.unmoved; then the latest window stays. After out_of_memory there is none, and the
    // finder starts anew with the next call.
    WindowFinderResult find(const HullSet& hulls, std::span<const BodyView> frames,
                            const PairFinderOptions& options = {});

    // The following calls read nothing of the caller's; any number of threads may call it between two calls of find().
    // Number of candidate pairs in a frame of the latest window. 0 for a frame that it does not have.
    std::size_t count(std::size_t frame) const;

    // Number of bodies without a box (WorldBoxesResult) in a frame of the latest window. 0 for a frame that it does not
    // have.
    std::uint64_t without_box(std::size_t frame) const;

    // Writes the candidate pairs of a frame of the latest window: (a, b), a < b, ascending. Refused with bad_argument:
    // a frame that the window does not have, `out` of another length than count(frame). threads: as in
    // PairFinderOptions.
    CallStatus list(std::size_t frame, std::span<Pair> out, std::uint32_t threads = 0) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanefold
