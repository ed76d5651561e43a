// SPDX-License-Identifier: MIT
//
// Progress of a long command on standard error: a bar on a terminal, one line of JSON per step for a
// farm's scheduler, or nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace lanefold::tools {

// automatic: a bar when standard error is a terminal, otherwise nothing.
enum class ProgressMode { automatic, none, bar, json };

std::optional<ProgressMode> parse_progress_mode(std::string_view name);

// A figure beside the bar: {"pairs_per_second", "pairs/s", 1.2e7}.
struct ProgressField {
    std::string_view key;    // in JSON
    std::string_view label;  // after the value in the bar
    double value = 0;
};

class Progress {
public:
    // Progress(mode, "collide", "frames", 60)
    Progress(ProgressMode mode, std::string task, std::string unit, std::uint64_t total);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();  // ends the bar's line

    // `done` of `total` units are finished. The bar is redrawn at most ten times a second.
    void update(std::uint64_t done, std::initializer_list<ProgressField> fields = {});

private:
    using Clock = std::chrono::steady_clock;

    void draw_bar(std::uint64_t done, double elapsed, std::initializer_list<ProgressField> fields) const;
    void write_json(std::uint64_t done, double elapsed, std::initializer_list<ProgressField> fields) const;

    ProgressMode mode_;
    std::string task_;
    std::string unit_;
    std::uint64_t total_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point drawn_{};
    bool open_line_ = false;
};

// 1234567 -> "1.23 M": for bars and tables.
std::string short_number(double value);
// 75.2 -> "1:15"; 3725 -> "1:02:05".
std::string short_duration(double seconds);

}  // namespace lanefold::tools
