// SPDX-License-Identifier: MIT
//
// Makes a scene from OBJ files and baked poses: one hull and one body per piece.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lanefold/stop.hpp>

#include "console/progress.hpp"

namespace lanefold::tools {

// Pieces of one group never collide with each other; this chooses the groups.
enum class ImportGroups : std::uint8_t { object, file, none };

struct ImportRequest {
    std::vector<std::filesystem::path> files;
    // float32 or float64 [T, N, 7] or [N, 7]: position, then quaternion; N is the number of pieces or of objects.
    // Empty: one frame, with every piece at the place that its file gives.
    std::filesystem::path poses;
    std::filesystem::path folder;
    bool w_first = false;            // quaternions in the poses are (w, x, y, z)
    double scale = 1;                // of vertices and positions
    std::string unit = "m";          // after scaling
    double density = 1000;           // mass per volume in that unit
    std::vector<std::string> fixed;  // objects that do not move: inverse mass 0
    ImportGroups groups = ImportGroups::object;
    bool accept_concave = false;  // take the convex hull of a piece that is not convex, with a warning
    bool recentre = false;        // move every hull's origin to the middle of its box
    bool pairs = false;           // find and store candidate pairs
    float margin = 0.02F;         // for these
    bool replace = false;
    std::uint32_t threads = 0;
    ProgressMode progress = ProgressMode::automatic;
    StopToken stop;
};

struct ImportReport {
    std::uint64_t objects = 0;
    std::uint64_t pieces = 0;
    std::uint64_t vertices = 0;  // of the files' pieces
    std::uint64_t boxes = 0;
    std::uint64_t frames = 0;
    std::uint64_t pairs = 0;
    std::vector<std::string> warnings;
};

// Writes the folder, whole or not at all. Throws Failure naming file, line, group or frame.
ImportReport import_scene(const ImportRequest& request);

}  // namespace lanefold::tools
