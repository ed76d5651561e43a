// SPDX-License-Identifier: MIT
//
// The work of `lanefold collide`: reads a scene frame after frame, runs the batch calls, measures their time, and
// writes a contacts folder or keeps the result in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lanefold/options.hpp>
#include <lanefold/stop.hpp>

#include "bake/distribution.hpp"
#include "bake/frame_sink.hpp"
#include "bake/stage_times.hpp"
#include "console/progress.hpp"
#include "contacts/frame_range.hpp"
#include "contacts/io.hpp"

namespace lanefold::tools {

class CaptureRecorder;

struct CollideRequest {
    std::filesystem::path scene;
    std::optional<std::filesystem::path> output;
    FrameRange frames;
    ContactsSettings settings;
    Isa isa = Isa::automatic;
    std::uint32_t threads = 0;  // 0: as many as the machine has
    std::uint32_t repeat = 0;   // measured runs in memory; 0: one run, streamed
    bool resume = false;
    Sync sync = Sync::frame;
    std::optional<std::uint64_t> memory_limit;  // bytes
    bool overlap = true;                        // false: stages one after the other, for measuring
    Distribution* distribution = nullptr;       // over several processes, each of which calls run_collide
    std::uint64_t shared_pairs = 0;             // frames of more stored pairs are shared piece by piece; 0: by size
    CaptureRecorder* capture = nullptr;         // looks at the records of all frames that are computed
    ProgressMode progress = ProgressMode::automatic;
};

struct CollideReport {
    FrameSummary total;  // over the selected frames; frame, input and hash unused
    std::uint64_t hash = 0;
    std::uint64_t frames = 0;
    std::uint64_t resumed_frames = 0;  // already finished; their counts are in the total
    std::uint64_t remade_frames = 0;   // were there, but nobody asked to resume
    std::uint64_t timed_pairs = 0;     // pairs of one run: those of the frames computed
    Counters counters;                 // of one run
    StageTimes stages;                 // of what went to files, and of its reading
    StageTimes processor;              // seconds of all threads; zeros when stages overlapped
    double seconds_to_files = 0;       // from the first frame's reading to the last one's end
    double processor_to_files = 0;     // seconds of all threads during it
    std::uint64_t stored_bytes = 0;    // of records, as they were written
    std::uint64_t record_bytes = 0;    // the same before compression
    Isa isa = Isa::scalar;
    std::uint32_t threads = 0;
    std::string output_form;
    std::vector<double> run_seconds;  // one per measured run
    double seconds_total = 0;

    double fastest_seconds() const;
    double ns_per_pair(double seconds) const;
    double median_ns_per_pair() const;
};

// Throws Failure. When `stop` is requested, it throws Failure(interrupted); finished frames stay.
CollideReport run_collide(const CollideRequest& asked, const StopToken& stop);

}  // namespace lanefold::tools
