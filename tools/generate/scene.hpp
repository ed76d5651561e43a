// SPDX-License-Identifier: MIT
//
// Makes a scene folder from a request: shapes, bins, fall, candidate pairs, files.
#pragma once

#include <cstdint>
#include <filesystem>

#include <lanefold/stop.hpp>

#include "console/progress.hpp"
#include "generate/fall.hpp"
#include "generate/shapes.hpp"

namespace lanefold::tools {

struct GenerateRequest {
    ShapeKind kind = ShapeKind::debris;
    std::filesystem::path folder;
    std::uint32_t bodies = 5000;  // that move; floors and walls come on top
    std::uint32_t frames = 60;
    std::uint64_t seed = 1;
    std::uint32_t hulls = 256;  // distinct shapes, at most one per body
    float margin = 0.02F;       // of the stored pairs, metres
    bool pairs = true;          // find and store them
    double seconds = 0;         // simulated time; 0: until the pile is at rest
    FallEngine engine = FallEngine::lanefold;
    Isa isa = Isa::automatic;  // of lanefold's engine; never changes the scene
    bool replace = false;      // a scene that is in the folder already
    std::uint32_t threads = 0;
    ProgressMode progress = ProgressMode::automatic;
    StopToken stop;
};

struct GenerateReport {
    std::uint64_t bodies = 0;  // with floors and walls
    std::uint64_t hulls = 0;
    std::uint64_t bins = 0;
    std::uint64_t pairs = 0;  // of all frames
    std::uint64_t pairs_last_frame = 0;
    double simulated_seconds = 0;
    double seconds_shapes = 0;
    double seconds_fall = 0;
    double seconds_write = 0;
    double fastest_at_end = 0;  // m/s
    std::uint64_t escaped = 0;  // body poses outside their bin, over all frames; 0 unless something is wrong
};

// Writes the folder, whole or not at all. Throws Failure.
GenerateReport generate_scene(const GenerateRequest& request);

}  // namespace lanefold::tools
