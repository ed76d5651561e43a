// SPDX-License-Identifier: MIT
//
// Scenes for tests of the program: the two piles of tests/data, and a version of them in motion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "scene/io.hpp"

namespace lanefold::test {

inline std::filesystem::path stored_scene(const std::string& name) {
    return std::filesystem::path(LANEFOLD_TEST_DATA) / "scenes" / name;
}

// The hulls and bodies of a scene, for a writer of other frames of it, which have pairs.
inline tools::SceneWriter::Contents contents_of(const tools::Scene& scene) {
    tools::SceneWriter::Contents contents;
    set_shapes(scene, contents);
    contents.with_pairs = true;
    return contents;
}

// The stored pile in `frames` frames, each with bodies displaced a little more, with or without its pairs (the first
// max_pairs of them).
inline void write_moving_scene(const std::filesystem::path& folder, std::uint64_t frames, bool with_pairs = true,
                               bool positions_are_double = false, const std::string& pile = "debris_pile",
                               std::size_t max_pairs = ~std::size_t{0}) {
    const tools::Scene pile_scene(stored_scene(pile));
    tools::SceneFrame frame;
    pile_scene.read_frame(0, frame);
    frame.pairs.resize(std::min(frame.pairs.size(), max_pairs));
    tools::SceneWriter::Contents contents = contents_of(pile_scene);
    contents.positions_are_double = positions_are_double;
    contents.with_pairs = with_pairs;
    tools::SceneWriter writer(folder, contents);
    std::mt19937 random(17);
    for (std::uint64_t i = 0; i < frames; ++i) {
        if (positions_are_double) {
            const std::vector<double> position(frame.position.begin(), frame.position.end());
            writer.add_frame(std::span<const double>(position), frame.orientation, frame.pairs);
        } else {
            writer.add_frame(std::span<const float>(frame.position), frame.orientation, frame.pairs);
        }
        for (float& x : frame.position) x += (static_cast<float>(random() % 2001U) - 1000.0F) * 1e-5F;
    }
    writer.commit();
}

}  // namespace lanefold::test
