// SPDX-License-Identifier: MIT
//
// Which frames of a scene a command works on: "--frames a:b" as in Python (b excluded, either end may be
// left out), several of them between commas, and "--shard i/n" for jobs on many machines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanefold::tools {

class FrameRange {
public:
    // "3:10", "3:", ":10", "7" (that frame only), "2,5:8,11". Throws Failure(bad_input).
    void parse_frames(std::string_view text);
    // "i/n" with 0 <= i < n.
    void parse_shard(std::string_view text);

    std::uint64_t shard() const { return shard_; }
    std::uint64_t shards() const { return shards_; }

    // The frames of all shards, ascending; throws when the scene has fewer than were asked for.
    std::vector<std::uint64_t> select(std::uint64_t frames_in_scene) const;

private:
    struct Part {
        std::uint64_t begin = 0;
        std::uint64_t end = ~std::uint64_t{0};  // clipped to the scene
    };
    std::vector<Part> parts_{Part{}};
    std::uint64_t shard_ = 0;
    std::uint64_t shards_ = 1;
};

// Cuts frames into `shards` runs of about equal cost and returns the one with number `shard`. One cost per frame, each
// > 0; every frame is in exactly one shard. If there are no fewer shards than frames, a frame has one of its own.
std::vector<std::uint64_t> cut_shard(std::span<const std::uint64_t> frames, std::span<const double> costs,
                                     std::uint64_t shard, std::uint64_t shards);

// As --frames takes them: "2,5:8". Empty for none.
std::string frame_list(std::span<const std::uint64_t> ascending);

// Frame `number` of a scene, negative ones counted from the end as in Python. Throws when the scene has no such frame.
std::uint64_t one_frame(std::string_view scene, std::int64_t number, std::uint64_t frames_in_scene);

}  // namespace lanefold::tools
