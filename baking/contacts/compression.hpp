// SPDX-License-Identifier: MIT
//
// The forms in which a frame's records are stored, and the names that `--compress` and contacts.json give them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lanefold::tools {

enum class Compression : std::uint8_t {
    none,   // frame_NNNNNN.npy
    zstd,   // the same bytes as Zstandard frames: frame_NNNNNN.npy.zst
    fast,   // planes of bytes in Zstandard frames, at a level that takes little time: frame_NNNNNN.planes
    small,  // the same at a level that gives fewer bytes
};
inline constexpr std::array kCompressions{Compression::none, Compression::fast, Compression::small, Compression::zstd};

constexpr const char* to_string(Compression compression) {
    switch (compression) {
        case Compression::zstd:
            return "zstd";
        case Compression::fast:
            return "fast";
        case Compression::small:
            return "small";
        case Compression::none:
            break;
    }
    return "none";
}

constexpr std::optional<Compression> parse_compression(std::string_view name) {
    for (const Compression compression : kCompressions) {
        if (name == to_string(compression)) return compression;
    }
    return std::nullopt;
}

constexpr bool is_planes(Compression compression) {
    return compression == Compression::fast || compression == Compression::small;
}

}  // namespace lanefold::tools
