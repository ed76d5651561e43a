// SPDX-License-Identifier: MIT
//
// Frames of one contacts folder into another: merging what several machines made, and unpacking.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <lanefold/stop.hpp>

namespace lanefold::tools {

struct MergeReport {
    std::uint64_t copied = 0;
    std::uint64_t kept = 0;     // were there already
    std::uint64_t damaged = 0;  // in the folders they would have come from; passed over
    std::vector<std::string> damage;
    std::vector<std::uint64_t> missing;  // in the output afterwards
    std::uint64_t frames = 0;            // of the scene
};

// Copies every whole frame of the inputs into `output`, which is made if it is not there. All must be of the same scene
// with the same settings (Failure(bad_input)). Frames of one number must be equal (Failure(violation)). A damaged frame
// of the output is replaced. progress: how many of how many.
MergeReport merge_folders(std::span<const std::filesystem::path> inputs, const std::filesystem::path& output,
                          const std::function<void(std::uint64_t, std::uint64_t)>& progress, const StopToken& stop);

// Writes what `collide` would have written without --compress. Returns the number of frames. Frames that `output` holds
// are kept. Throws Failure(violation) when a frame is damaged.
std::uint64_t unpack_folder(const std::filesystem::path& input, const std::filesystem::path& output,
                            const std::function<void(std::uint64_t, std::uint64_t)>& progress, const StopToken& stop);

}  // namespace lanefold::tools
