// SPDX-License-Identifier: MIT
//
// How the frames of one bake are shared by several processes that work at the same time. Without one a process does all
// of its frames itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <lanefold/options.hpp>

#include "contacts/summary.hpp"

namespace lanefold::tools {

// A piece of a frame that several processes compute: number, counts, records as they are in memory.
struct SharedPiece {
    std::uint64_t number = 0;
    FrameSummary summary;
    std::vector<std::byte> records;
};

class Distribution {
public:
    Distribution() = default;
    Distribution(const Distribution&) = delete;
    Distribution& operator=(const Distribution&) = delete;
    virtual ~Distribution() = default;

    virtual std::size_t rank() const = 0;
    virtual std::size_t ranks() const = 0;

    // Waits for all processes. False if any of them passed false.
    virtual bool all(bool right) = 0;

    // Frames are handed out one by one, each to one process, until none is left. begin_frames: by all processes, with
    // the same list. next_frame may be called by a thread of its own, one at a time.
    virtual void begin_frames(std::span<const std::uint64_t> frames) = 0;
    virtual std::optional<std::uint64_t> next_frame() = 0;
    virtual void end_frames() = 0;

    // Pieces of a single frame: `compute` is called with the numbers that are handed to this process, `write` on rank 0
    // alone, with every piece in order. The number of bytes that wait to be written is bounded. All processes call it.
    virtual void share_pieces(std::uint64_t pieces, const std::function<SharedPiece(std::uint64_t)>& compute,
                              const std::function<void(const SharedPiece&)>& write) = 0;
};

}  // namespace lanefold::tools
