// SPDX-License-Identifier: MIT
//
// The work of `lanefold collide --events`: pieces of the frames asked for, then, if all are there, their events.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lanefold/options.hpp>
#include <lanefold/stop.hpp>

#include "console/progress.hpp"
#include "contacts/frame_range.hpp"
#include "events/event_settings.hpp"
#include "events/folder.hpp"
#include "events/interval.hpp"

namespace lanefold::tools {

struct EventsRequest {
    std::filesystem::path scene;
    std::filesystem::path output;
    FrameRange frames;  // frame f stands for the motion from f to f + 1
    AskedEvents asked;
    Isa isa = Isa::automatic;
    std::uint32_t threads = 0;  // 0: as many as the machine has
    bool resume = false;
    ProgressMode progress = ProgressMode::automatic;
};

struct EventsReport {
    std::string unit;
    EventSettings settings;
    std::uint64_t intervals = 0;  // asked for
    std::uint64_t resumed = 0;    // were there already
    IntervalCounts counts;        // of all that are there, once they are joined; else of those asked for
    bool joined = false;
    std::uint64_t events = 0;
    std::uint64_t between = 0;           // that no frame shows
    std::uint64_t bounces = 0;           // that are estimated
    std::vector<std::uint64_t> missing;  // frames
    double seconds = 0;
    double seconds_join = 0;
};

// Throws Failure. When `stop` is requested, it throws Failure(interrupted); finished pieces stay.
EventsReport run_events(const EventsRequest& request, const StopToken& stop);

// Throws what run_events() would refuse, and writes nothing: for a caller who has other work to do first.
void check_events(const EventsRequest& request);

// Copies the pieces of several folders into one and joins them. Throws Failure(bad_input) before anything is written
// when the folders are of different scenes or settings, Failure(violation) when pieces are damaged or differ.
EventsReport merge_events(std::span<const std::filesystem::path> inputs, const std::filesystem::path& output,
                          ProgressMode progress, const StopToken& stop);

// Joins the pieces of a folder.
EventsReport join_events(const EventsFolder& folder, ProgressMode progress);

// Whether a folder holds events.
bool is_events_folder(const std::filesystem::path& folder);

}  // namespace lanefold::tools
