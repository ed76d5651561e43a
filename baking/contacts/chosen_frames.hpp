// SPDX-License-Identifier: MIT
//
// The frames that are drawn or exported.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contacts/io.hpp"

namespace lanefold::tools {

// The frames of --frames, ascending; if it is empty, all of the scene that the contacts (if there are any) have. Throws
// bad_input for a frame that the scene lacks, and for one of --frames that has not been computed.
std::vector<std::uint64_t> choose_frames(const std::string& range, std::uint64_t frames_in_scene,
                                         const ContactsReader* contacts);

// The sentence about the frames that choose_frames() has left out, because they have no contacts; empty if there are
// none.
std::string left_out(const std::string& range, std::uint64_t chosen, std::uint64_t frames_in_scene);

}  // namespace lanefold::tools
