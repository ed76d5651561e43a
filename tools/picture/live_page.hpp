// SPDX-License-Identifier: MIT
//
// Frames of a scene and their contacts inside the live page: one HTML file. The page itself (web/, made by ./dev page)
// is a file that this program finds and puts the data into; bindings/web/page/frames_data.js reads them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lanefold/hull_set.hpp>

#include "contacts/io.hpp"
#include "events/event.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

struct LivePageInput {
    const Scene* scene = nullptr;
    const HullSet* hulls = nullptr;
    const ContactsReader* contacts = nullptr;  // null: bodies only
    std::vector<Event> events;                 // ascending by begin; of any frames of the scene
    bool has_events = false;
    std::vector<std::uint64_t> frames;  // ascending; with contacts all of them finished
    std::string name;
    int up = 1;  // axis: 0, 1, 2
    std::uint64_t max_bytes = 0;
};

struct LivePageReport {
    std::uint64_t bytes = 0;         // of the file
    std::uint64_t records = 0;       // in the page
    std::uint64_t events = 0;        // that begin in its frames
    std::uint64_t without_kind = 0;  // records of pairs with a bad status, which are not drawn
    // Half the step of quantised positions, in the scene's unit; 0: positions are as float32 has them.
    double position_error = 0;
};

// The page without data: the file `given`, or if it is empty the one of the environment variable LANEFOLD_PAGE, or
// ../share/lanefold/page.html beside an installed program, or build/page/lanefold.html beside a built one. Throws
// bad_input, which says what to install, when there is none.
std::filesystem::path find_live_page(const std::filesystem::path& given);

// Writes the page, whole or not at all. Poses are float32 if the file then stays below max_bytes, otherwise 16 bits a
// number (positions relative to the extent of the scene). Throws bad_input when that is too large, too, and says how
// many frames would fit.
LivePageReport write_live_page(const LivePageInput& input, const std::filesystem::path& page,
                               const std::filesystem::path& output);

}  // namespace lanefold::tools
