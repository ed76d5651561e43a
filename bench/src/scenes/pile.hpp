// SPDX-License-Identifier: MIT
//
// A settled pile that `lanefold generate` does not make: triangulated rocks of 32 to 42 vertices. Larger rocks are too
// large for some peers, so this pile compares the most engines.
#pragma once

#include <cstdint>
#include <filesystem>

namespace lanefold::bench {

// Lets `bodies` rocks (at most a bin full) fall and settle, by Bullet, and writes the last frame with its
// candidate pairs as a scene folder. Takes a minute or more. Throws when the folder holds a scene.
void write_rock_pile(const std::filesystem::path& folder, std::uint32_t bodies, std::uint32_t hulls, std::uint64_t seed,
                     float margin);

}  // namespace lanefold::bench
