// SPDX-License-Identifier: MIT
//
// The one settled pile that `lanefold generate` does not make: triangulated rocks of 32 to 42 vertices. They
// are the largest that every peer takes, so the widest comparison is on them.
#pragma once

#include <cstdint>
#include <filesystem>

namespace lanefold::bench {

// Lets `bodies` rocks (at most a bin full) fall and settle, by Bullet, and writes the last frame with its
// candidate pairs as a scene folder. Takes a minute or more. Throws when the folder holds a scene.
void write_rock_pile(const std::filesystem::path& folder, std::uint32_t bodies, std::uint32_t hulls, std::uint64_t seed,
                     float margin);

}  // namespace lanefold::bench
