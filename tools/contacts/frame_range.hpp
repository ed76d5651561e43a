// SPDX-License-Identifier: MIT
//
// Which frames of a scene a command works on: "--frames a:b" as in Python (b excluded, either end may be
// left out), and "--shard i/n" for jobs on many machines.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanefold::tools {

struct FrameRange {
    std::uint64_t begin = 0;
    std::uint64_t end = ~std::uint64_t{0};  // clipped to the scene
    std::uint64_t shard = 0;
    std::uint64_t shards = 1;

    // "3:10", "3:", ":10", "7" (that frame only). Throws Failure(bad_input).
    void parse_frames(std::string_view text);
    // "i/n" with 0 <= i < n: every n-th of the frames, starting with the i-th.
    void parse_shard(std::string_view text);

    // The selected frames. Throws when the scene has fewer frames than the range names.
    std::vector<std::uint64_t> select(std::uint64_t frames_in_scene) const;
};

// Frame `number` of a scene, negative ones counted from the end as in Python. Throws when the scene has no such frame.
std::uint64_t one_frame(std::string_view scene, std::int64_t number, std::uint64_t frames_in_scene);

}  // namespace lanefold::tools
