// SPDX-License-Identifier: MIT
//
// Pieces of text that several exports write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "export/axes.hpp"
#include "export/output.hpp"
#include "scene/info.hpp"

namespace lanefold::tools {

// A field of CSV that may hold commas and quotes.
std::string csv_quoted(const std::string& text);

// A string of USD.
std::string usd_quoted(std::string_view text);

// Numbers that people give to the first frame and the last.
struct TimeRange {
    std::int64_t first;
    std::int64_t last;
};

// The head of a USD file. Returns what a reader should know, if there is something.
std::optional<std::string> write_usd_head(ExportFile& file, const SceneInfo& info, const Axes& axes, TimeRange times);

}  // namespace lanefold::tools
