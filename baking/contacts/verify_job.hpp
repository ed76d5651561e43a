// SPDX-License-Identifier: MIT
//
// The work of `lanefold verify`: checks every candidate pair of a contacts folder, or a seeded sample, against the
// float64 oracle.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lanefold/judge.hpp>
#include <lanefold/stop.hpp>

#include "console/progress.hpp"
#include "contacts/frame_range.hpp"
#include "contacts/io.hpp"

namespace lanefold::tools {

struct VerifyRequest {
    std::filesystem::path scene;
    std::filesystem::path contacts;
    FrameRange frames;
    std::uint64_t sample = 0;  // pairs to check, chosen over all selected frames; 0: all of them
    std::uint64_t seed = 1;
    // The oracle's hulls are those of the imported files' float64 numbers, not of the scene's float32 vertices.
    bool against_files = false;
    // 0: the folder's records are judged. Otherwise those of a stream with this reuse (0 to kMaxReuse), which goes
    // through the selected frames with the folder's settings, by the bound of reuse.
    float reuse = 0;
    std::uint32_t threads = 0;
    ProgressMode progress = ProgressMode::automatic;
};

// The largest error of a kind, and where it occurred.
struct Worst {
    double value = 0;
    std::uint64_t frame = 0;
    std::uint64_t row = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    bool any = false;

    void merge(const Worst& other);
};

struct VerifyReport {
    ContactsSettings settings;  // of contacts.json; the method decides how points are checked
    std::uint64_t frames = 0;
    std::uint64_t missing_frames = 0;  // selected, but not in the contacts folder
    std::uint64_t pairs = 0;           // candidates of the selected frames
    std::uint64_t checked = 0;
    std::uint64_t touching = 0;     // of those checked, by the oracle
    std::uint64_t overlapping = 0;  // by the oracle
    std::uint64_t in_band = 0;      // |distance - margin| within the tolerance: either answer is right
    std::uint64_t reported = 0;
    std::uint64_t points = 0;
    std::uint64_t carried = 0;   // by the stream, of all candidates
    std::uint64_t anchored = 0;  // the same
    std::uint64_t by_violation[reference::kViolationCount] = {};
    std::vector<std::string> examples;  // the first few violations, in order of frame and row

    // Relative to the length that the bound of 2e-6 refers to (judge.hpp): the size of the larger hull, beyond 64:1
    // that of the smaller one, or more where the rounding of the stored number requires it. The error of a normal is
    // its shortfall from the maximal separation; for face contacts from the lower end of the face preference's band.
    Worst distance;
    Worst normal;
    Worst surface;

    std::uint64_t violations() const;
};

VerifyReport run_verify(const VerifyRequest& request, const StopToken& stop);

}  // namespace lanefold::tools
