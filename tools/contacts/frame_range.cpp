// SPDX-License-Identifier: MIT
//
// Parsing of --frames and --shard.

#include "contacts/frame_range.hpp"

#include <algorithm>
#include <charconv>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

std::uint64_t number(std::string_view digits, std::string_view option, std::string_view whole) {
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc{} || stop != end)
        throw bad_input("{} {}: '{}' is not a frame number", option, whole, digits);
    return value;
}

}  // namespace

void FrameRange::parse_frames(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        begin = number(text, "--frames", text);
        end = begin + 1;
        return;
    }
    if (colon > 0) begin = number(text.substr(0, colon), "--frames", text);
    if (colon + 1 < text.size()) end = number(text.substr(colon + 1), "--frames", text);
    if (begin >= end) throw bad_input("--frames {}: the range holds no frame", text);
}

void FrameRange::parse_shard(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) throw bad_input("--shard {}: expected i/n, such as 0/8", text);
    shard = number(text.substr(0, slash), "--shard", text);
    shards = number(text.substr(slash + 1), "--shard", text);
    if (shard >= shards) throw bad_input("--shard {}: the first number must be below the second", text);
}

std::vector<std::uint64_t> FrameRange::select(std::uint64_t frames_in_scene) const {
    if (begin >= frames_in_scene || (end != ~std::uint64_t{0} && end > frames_in_scene)) {
        throw bad_input("--frames {}:{}: the scene has {} frame{}", begin,
                        end == ~std::uint64_t{0} ? "" : std::to_string(end), frames_in_scene,
                        frames_in_scene == 1 ? "" : "s");
    }
    std::vector<std::uint64_t> frames;
    const std::uint64_t last = std::min(end, frames_in_scene);
    // Counts down what is left, because adding `shards` (up to 2^64 - 1) to a frame number could wrap.
    for (std::uint64_t left = last - begin; left > shard; left -= std::min(left, shards)) {
        frames.push_back(last - left + shard);
    }
    return frames;
}

std::uint64_t one_frame(std::string_view scene, std::int64_t number, std::uint64_t frames_in_scene) {
    const auto frames = static_cast<std::int64_t>(frames_in_scene);
    const std::int64_t frame = number < 0 ? frames + number : number;
    if (frame < 0 || frame >= frames) throw bad_input("{}: no frame {}, there are {}", scene, number, frames);
    return static_cast<std::uint64_t>(frame);
}

}  // namespace lanefold::tools
