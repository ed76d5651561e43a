// SPDX-License-Identifier: MIT
//
// A bake whose frames its caller names one after the other, as the Python package does: what is there and whole stays.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include <lanefold/stop.hpp>

#include "bake/bake_inputs.hpp"
#include "bake/frame_sink.hpp"
#include "contacts/io.hpp"

namespace lanefold::tools {

class FrameBake {
public:
    // Opens the scene, builds its hulls and opens the contacts folder, in this order: a scene that is refused leaves no
    // folder. threads: of each call of make(); 0: as many as the machine has. Throws Failure.
    FrameBake(const std::filesystem::path& scene, const std::filesystem::path& contacts,
              const ContactsSettings& settings, std::uint32_t threads, Sync sync);

    const BakeInputs& inputs() const { return inputs_; }

    // All frames in runs of about equal cost, those of --shard.
    std::vector<std::vector<std::uint64_t>> shards(std::uint64_t count) const;

    // The next frame, nothing after the last. Called by one thread at a time, not by the caller's, and ahead of the
    // frames that are being made.
    using Numbers = std::function<std::optional<std::uint64_t>()>;
    // A frame is there and whole. `made`: it was not before. Called by several threads, one at a time.
    using Told = std::function<void(std::uint64_t frame, bool made)>;
    // Makes those frames that are not there or not whole. Throws Failure; where a frame is wrong, the frames before it
    // are made. Several threads may call it at the same time.
    void make(const Numbers& numbers, const Told& told, const StopToken& stop) const;

private:
    BakeInputs inputs_;
    ContactsWriter writer_;
    Sync sync_;
};

}  // namespace lanefold::tools
