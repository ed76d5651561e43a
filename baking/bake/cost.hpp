// SPDX-License-Identifier: MIT
//
// The cost of frames, by pairs and vertices, so that shards are of equal cost and not of equal count.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/hull_set.hpp>

#include "contacts/frame_range.hpp"
#include "contacts/settings.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

// One per frame, > 0, in nanoseconds of one thread, roughly; a function of scene and margin alone, so that every shard
// gets the same, on every machine. Vertices are those of a sample of a frame's pairs. If the tool finds the pairs, it
// counts them in a few frames and takes what lies between for a straight line.
std::vector<double> frame_costs(const Scene& scene, const HullSet& hulls, const ContactsSettings& settings,
                                std::span<const std::uint64_t> frames, std::uint32_t threads);

// All frames of the scene in so many shards.
std::vector<std::vector<std::uint64_t>> choose_shards(std::uint64_t shards, const Scene& scene, const HullSet& hulls,
                                                      const ContactsSettings& settings, std::uint32_t threads);

// The frames of a range and a shard.
std::vector<std::uint64_t> choose_frames(const FrameRange& range, const Scene& scene, const HullSet& hulls,
                                         const ContactsSettings& settings, std::uint32_t threads);

}  // namespace lanefold::tools
