// SPDX-License-Identifier: MIT
//
// Simulates a scene and writes a scene. While it runs, frames and checkpoints are in a folder beside the output. A run
// that was interrupted or killed goes on from the last checkpoint and gives the same bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lanefold/stop.hpp>
#include <lanefold/world.hpp>

#include "console/progress.hpp"
#include "events/event_settings.hpp"
#include "simulate/setup.hpp"

namespace lanefold::tools {

struct SimulateRequest {
    std::filesystem::path scene;
    std::filesystem::path output;
    std::filesystem::path setup;  // empty: none
    std::int64_t frame = 0;       // first frame of the simulation; negative: from the scene's end
    std::uint64_t steps = 600;
    double rate = 60;         // steps a second
    std::uint32_t every = 1;  // steps a frame
    WorldSettings settings;
    bool gravity_given = false;  // settings.gravity counts; else it is the earth's, against the scene's up axis
    BodyDefaults defaults;
    // How many of the scene's unit of length a metre is; absent: as the name of the scene's unit says. Defaults are in
    // SI units whatever it is, and settings.unit becomes it.
    std::optional<double> unit;
    std::optional<float> pairs_margin;  // in the scene's unit; absent: 2 cm
    bool pairs = true;
    std::filesystem::path events;  // folder to write; empty: none
    AskedEvents asked;             // release distance and filters
    bool replace = false;
    bool resume = false;
    double checkpoint_seconds = 10;  // running time between checkpoints
    ProgressMode progress = ProgressMode::automatic;
    StopToken stop;
};

struct SimulateReport {
    std::string unit;  // of all lengths and speeds below, and of the scene that was written
    std::vector<std::string> warnings;
    double smallest = 0;  // sizes (half diagonals) of the bodies' hulls
    double largest = 0;
    double mass = 0;  // of all dynamic bodies, kg where masses or densities are
    std::uint64_t bodies = 0;
    std::uint64_t dynamic = 0;
    std::uint64_t links = 0;
    std::uint64_t frames = 0;
    std::uint64_t resumed_at = 0;  // first step of a resumed run; 0: not resumed
    std::uint64_t steps_run = 0;   // by this call
    std::uint64_t contacts = 0;    // of the last step
    std::uint64_t pairs = 0;       // candidates of all steps that were run
    std::uint64_t carried = 0;     // of these, not computed
    std::uint64_t awake = 0;
    std::uint64_t events = 0;         // that were written
    std::uint64_t between = 0;        // of them those that no frame shows
    std::vector<LostBody> lost;       // in the order of their steps
    double link_error = 0;            // of the link that was off most in this call, as a share of its length
    std::uint64_t worst_link = 0;     // that link
    std::uint64_t link_error_at = 0;  // after this step
    double fastest_at_end = 0;
    double deepest = 0;  // overlap of the last step's contacts
    double kinetic_energy = 0;
    double seconds = 0;
    double seconds_pairs = 0;
    double seconds_collide = 0;
    double seconds_solve = 0;
    std::uint64_t state_hash = 0;  // of the bytes of World::save at the end
    Isa isa = Isa::scalar;
};

// Throws Failure. An interrupted run keeps its frames for --resume.
SimulateReport run_simulation(const SimulateRequest& request);

}  // namespace lanefold::tools
