// SPDX-License-Identifier: MIT
//
// Scenes of round bodies: a crowd of capsules that walk, and figures whose parts are linked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace lanefold::tools {

enum class FigureKind : std::uint8_t {
    crowd,     // upright capsules that walk to and fro on a floor, through each other
    ragdolls,  // figures of 11 capsules and a ball that fall on a floor, with a setup file for their links
};

// Nothing for a name that is no kind.
std::optional<FigureKind> parse_figure_kind(std::string_view name);

inline constexpr std::uint32_t kWalkers = 1000;
inline constexpr std::uint32_t kPartsOfAFigure = 11;
inline constexpr std::uint32_t kFigureBodies = 10 * kPartsOfAFigure;
// The file of links within a scene of ragdolls, for `lanefold simulate --setup`.
inline constexpr const char* kSetupFile = "ragdoll_setup.json";

struct FiguresRequest {
    FigureKind kind = FigureKind::crowd;
    std::filesystem::path folder;
    std::uint32_t bodies = kWalkers;  // that move; of ragdolls that are not rigid a multiple of kPartsOfAFigure
    std::uint32_t frames = 60;        // of a crowd; ragdolls have one
    std::uint64_t seed = 1;
    bool replace = false;
    bool plane = false;  // the floor is a half-space, not a box
    bool rigid = false;  // a figure of ragdolls is one body, a compound of its parts, and the scene has no links
};

// Writes a scene folder of version 3 without pairs, whole or not at all. Body 0 is the floor, whose top is y = 0.
// The same request gives the same bytes everywhere. Throws Failure.
void write_figures(const FiguresRequest& request);

}  // namespace lanefold::tools
