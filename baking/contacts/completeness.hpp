// SPDX-License-Identifier: MIT
//
// Which frames of a contacts folder are there and whole, and how those that are missing are made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <lanefold/stop.hpp>

#include "contacts/io.hpp"

namespace lanefold::tools {

// Reads every record of a frame and compares it with the frame's summary: number, counts, both hashes. Empty when the
// frame is whole, else what is wrong. `found`: what the records count, if they could be read.
std::string damage_of(const ContactsReader& contacts, std::uint64_t frame, FrameSummary& found);

// The records of a frame that are whole. Throws Failure(violation) if they are not what their summary says.
RecordsReader open_whole(const ContactsReader& contacts, std::uint64_t frame);

struct FolderCheck {
    FrameSummary total;  // over the frames that are whole; `hash` is that of the scene
    std::uint64_t whole = 0;
    std::vector<std::uint64_t> damaged;  // their summary is there, but the records are not what it says; ascending
    std::vector<std::string> damage;     // what is wrong, one each
    std::vector<std::uint64_t> missing;  // not there, or damaged; ascending
};

// Checks every frame by damage_of(), several at a time, in the caller's arena. progress: told how many are done, from
// any thread. Throws Failure(interrupted) when stopped.
FolderCheck check_folder(const ContactsReader& contacts, const std::function<void(std::uint64_t)>& progress,
                         const StopToken& stop);

// The command that makes these frames. A contacts folder does not know where its scene is: without `scene` the command
// says SCENE.
std::string command_for(const ContactsReader& contacts, std::span<const std::uint64_t> frames,
                        const std::string& scene = {});

}  // namespace lanefold::tools
