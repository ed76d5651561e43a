// SPDX-License-Identifier: MIT
//
// See the header.

#include "contacts/chosen_frames.hpp"

#include <algorithm>

#include "console/failure.hpp"
#include "console/table.hpp"
#include "contacts/frame_range.hpp"

namespace lanefold::tools {

std::vector<std::uint64_t> choose_frames(const std::string& range, std::uint64_t frames_in_scene,
                                         const ContactsReader* contacts) {
    FrameRange chosen;
    if (!range.empty()) chosen.parse_frames(range);
    std::vector<std::uint64_t> frames = chosen.select(frames_in_scene);
    if (contacts == nullptr) return frames;
    const std::string name = contacts->folder().string();
    const std::span<const std::uint64_t> finished = contacts->frames();
    const auto missing = [&](std::uint64_t f) { return !std::binary_search(finished.begin(), finished.end(), f); };
    const auto first = std::find_if(frames.begin(), frames.end(), missing);
    if (first == frames.end()) return frames;
    if (!range.empty()) throw bad_input("{}: frame {} has not been computed", name, *first);
    std::erase_if(frames, missing);
    if (frames.empty()) throw bad_input("{}: no frame has been computed", name);
    return frames;
}

std::string left_out(const std::string& range, std::uint64_t chosen, std::uint64_t frames_in_scene) {
    if (!range.empty() || chosen == frames_in_scene) return {};
    return fmt::format("{} of {} frames have no contacts yet and were left out", with_commas(frames_in_scene - chosen),
                       with_commas(frames_in_scene));
}

}  // namespace lanefold::tools
