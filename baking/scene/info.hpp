// SPDX-License-Identifier: MIT
//
// scene.json and names.json: what a scene says of itself besides its arrays. Version 1 knows unit and pairs_margin;
// version 2 also says how frames are numbered and timed, how the axes lie, and may have names and a mask of bodies;
// version 3 also has hulls of other kinds and rounded ones. A scene is written in the lowest version that can say what
// it has, so that older programs read it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanefold::tools {

enum class Handedness : std::uint8_t { right, left };
const char* to_string(Handedness handedness);
// Throws Failure(bad_input) that names `where` for another word than right and left.
Handedness parse_handedness(std::string_view text, std::string_view where);

// Axis 0, 1 or 2 of "x", "y" or "z". Throws Failure(bad_input) that names `where`.
int parse_axis(std::string_view text, std::string_view where);
const char* axis_name(int axis);

// The content of scene.json. Optional members are absent when the file does not say.
struct SceneInfo {
    int version = 1;  // as read; the writer chooses its own
    std::string unit = "m";
    std::optional<double> pairs_margin;       // the stored pairs hold every pair nearer than this; absent: not known
    std::optional<std::int64_t> first_frame;  // the number that people give to frame 0
    std::optional<double> frames_per_second;
    std::optional<int> up;                 // axis 0, 1, 2
    std::optional<Handedness> handedness;  // of the axes; absent: right

    int up_axis() const { return up.value_or(1); }
    bool is_left_handed() const { return handedness == Handedness::left; }
    // The number by which people call a frame.
    std::int64_t number_of(std::uint64_t frame) const {
        return first_frame.value_or(0) + static_cast<std::int64_t>(frame);
    }
    // The lowest version that can say this.
    int least_version() const { return first_frame || frames_per_second || up || handedness ? 2 : 1; }
};

// Limits of what a file may say, so that sums and times of frames stay exact.
inline constexpr std::int64_t kMostFrameNumber = 1'000'000'000;
inline constexpr double kMostFramesPerSecond = 1e6;

SceneInfo read_scene_info(const std::filesystem::path& path);
// `least_version`: other files of the scene need it.
std::string scene_info_text(const SceneInfo& info, int least_version);

// Names of the bodies, one each, different from one another: {"bodies": ["a", "b"]}.
std::vector<std::string> read_names(const std::filesystem::path& path, std::uint64_t bodies);
std::string names_text(std::span<const std::string> names);

}  // namespace lanefold::tools
