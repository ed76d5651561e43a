// SPDX-License-Identifier: MIT
//
// Parsing of --frames and --shard.

#include "contacts/frame_range.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

std::uint64_t number(std::string_view digits, std::string_view option, std::string_view whole) {
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc{} || stop != end)
        throw bad_input("{} {}: '{}' is not a whole number", option, whole, digits);
    return value;
}

}  // namespace

void FrameRange::parse_frames(std::string_view text) {
    parts_.clear();
    if (!text.empty() && text.back() == ',') throw bad_input("--frames {}: a frame or a range is missing", text);
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view item = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), item.size() + 1));
        Part part;
        const std::size_t colon = item.find(':');
        if (colon == std::string_view::npos) {
            part.begin = number(item, "--frames", text);
            part.end = part.begin + 1;
        } else {
            if (colon > 0) part.begin = number(item.substr(0, colon), "--frames", text);
            if (colon + 1 < item.size()) part.end = number(item.substr(colon + 1), "--frames", text);
        }
        if (part.begin >= part.end) throw bad_input("--frames {}: the range holds no frame", text);
        parts_.push_back(part);
    }
}

void FrameRange::parse_shard(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) throw bad_input("--shard {}: expected i/n, such as 0/8", text);
    shard_ = number(text.substr(0, slash), "--shard", text);
    shards_ = number(text.substr(slash + 1), "--shard", text);
    if (shard_ >= shards_) throw bad_input("--shard {}: the first number must be below the second", text);
}

std::vector<std::uint64_t> FrameRange::select(std::uint64_t frames_in_scene) const {
    std::vector<std::uint64_t> frames;
    if (frames_in_scene == 0) throw bad_input("the scene has no frames");
    for (const Part& part : parts_) {
        const bool open = part.end == ~std::uint64_t{0};
        if (part.begin >= frames_in_scene || (!open && part.end > frames_in_scene)) {
            const bool single = !open && part.end == part.begin + 1;
            const std::string end = open ? ":" : single ? "" : fmt::format(":{}", part.end);
            throw bad_input("--frames {}{}: the scene has {} frame{}", part.begin, end, frames_in_scene,
                            frames_in_scene == 1 ? "" : "s");
        }
        for (std::uint64_t i = part.begin; i < std::min(part.end, frames_in_scene); ++i) frames.push_back(i);
    }
    std::sort(frames.begin(), frames.end());
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
    return frames;
}

std::vector<std::uint64_t> cut_shard(std::span<const std::uint64_t> frames, std::span<const double> costs,
                                     std::uint64_t shard, std::uint64_t shards) {
    if (shards >= frames.size()) {
        if (shard >= frames.size()) return {};
        return {frames[static_cast<std::size_t>(shard)]};
    }
    const double total = std::accumulate(costs.begin(), costs.end(), 0.0);
    std::vector<std::uint64_t> mine;
    double before = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        // The shard in which the middle of the frame's cost lies.
        const double place = (before + costs[i] / 2) / total * static_cast<double>(shards);
        const auto at = std::min(static_cast<std::uint64_t>(place), shards - 1);
        if (at == shard) mine.push_back(frames[i]);
        before += costs[i];
    }
    return mine;
}

std::string frame_list(std::span<const std::uint64_t> ascending) {
    std::string text;
    for (std::size_t i = 0; i < ascending.size();) {
        std::size_t last = i;
        while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ",", ascending[i]);
        if (last > i) text += fmt::format(":{}", ascending[last] + 1);
        i = last + 1;
    }
    return text;
}

std::uint64_t one_frame(std::string_view scene, std::int64_t number, std::uint64_t frames_in_scene) {
    const auto frames = static_cast<std::int64_t>(frames_in_scene);
    const std::int64_t frame = number < 0 ? frames + number : number;
    if (frame < 0 || frame >= frames) throw bad_input("{}: no frame {}, there are {}", scene, number, frames);
    return static_cast<std::uint64_t>(frame);
}

}  // namespace lanefold::tools
