// SPDX-License-Identifier: MIT
//
// Drawing of the bar and of the JSON lines.

#include "console/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanefold::tools {
namespace {

constexpr int kBarWidth = 24;
constexpr std::chrono::milliseconds kRedraw{100};

double remaining(std::uint64_t done, std::uint64_t total, double elapsed) {
    return done == 0 ? 0.0 : elapsed * static_cast<double>(total - std::min(done, total)) / static_cast<double>(done);
}

}  // namespace

std::optional<ProgressMode> parse_progress_mode(std::string_view name) {
    if (name == "auto") return ProgressMode::automatic;
    if (name == "none") return ProgressMode::none;
    if (name == "bar") return ProgressMode::bar;
    if (name == "json") return ProgressMode::json;
    return std::nullopt;
}

Progress::Progress(ProgressMode mode, std::string task, std::string unit, std::uint64_t total)
    : mode_(mode), task_(std::move(task)), unit_(std::move(unit)), total_(total) {
    if (mode_ == ProgressMode::automatic) {
        mode_ = ::isatty(STDERR_FILENO) != 0 ? ProgressMode::bar : ProgressMode::none;
    }
}

Progress::~Progress() {
    if (open_line_) std::fputc('\n', stderr);
}

void Progress::update(std::uint64_t done, std::initializer_list<ProgressField> fields) {
    if (mode_ == ProgressMode::none) return;
    const Clock::time_point now = Clock::now();
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    if (mode_ == ProgressMode::json) {
        write_json(done, elapsed, fields);
        return;
    }
    if (open_line_ && done < total_ && now - drawn_ < kRedraw) return;
    drawn_ = now;
    draw_bar(done, elapsed, fields);
    open_line_ = true;
}

void Progress::draw_bar(std::uint64_t done, double elapsed, std::initializer_list<ProgressField> fields) const {
    const double share = total_ == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total_);
    const int filled = static_cast<int>(share * kBarWidth);
    std::string line =
        fmt::format("{} [{:=<{}}{: <{}}] {}/{} {}", task_, "", filled, "", kBarWidth - filled, done, total_, unit_);
    for (const ProgressField& field : fields) line += fmt::format("  {} {}", short_number(field.value), field.label);
    line += fmt::format("  {} left", short_duration(remaining(done, total_, elapsed)));
    // Goes back to the first column and clears the rest of a longer line.
    std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
    std::fflush(stderr);
}

void Progress::write_json(std::uint64_t done, double elapsed, std::initializer_list<ProgressField> fields) const {
    nlohmann::ordered_json json{{"task", task_},      {"unit", unit_},
                                {"done", done},       {"total", total_},
                                {"seconds", elapsed}, {"seconds_left", remaining(done, total_, elapsed)}};
    for (const ProgressField& field : fields) json[std::string(field.key)] = field.value;
    std::fprintf(stderr, "%s\n", json.dump().c_str());
    std::fflush(stderr);
}

std::string short_number(double value) {
    constexpr const char* kSuffix[] = {"", " k", " M", " G", " T"};
    std::size_t i = 0;
    while (std::fabs(value) >= 1000.0 && i + 1 < std::size(kSuffix)) {
        value /= 1000.0;
        ++i;
    }
    if (i == 0 && value == std::floor(value)) return fmt::format("{:.0f}", value);
    return fmt::format("{:.3g}{}", value, kSuffix[i]);
}

std::string short_duration(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::ceil(std::max(seconds, 0.0)));
    const std::uint64_t hours = whole / 3600;
    const std::uint64_t minutes = whole / 60 % 60;
    if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
    return fmt::format("{}:{:02}", minutes, whole % 60);
}

}  // namespace lanefold::tools
