// SPDX-License-Identifier: MIT
//
// All that a bake needs besides its frames, made once: the scene, its hulls, the settings as they hold for it, and the
// options of the calls.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>

#include "contacts/frame_range.hpp"
#include "contacts/reference_batch.hpp"
#include "contacts/settings.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

struct BakeInputs {
    // Pairs are found where the scene has none. Refuses frames that the scene lacks before it builds the hulls. Throws
    // Failure.
    BakeInputs(const std::filesystem::path& folder, const FrameRange& frames, const ContactsSettings& asked, Isa isa,
               int threads);

    Options options;  // with the instruction set that runs
    Scene scene;
    ContactsSettings settings;
    std::string note;  // for the user: contacts may be missing; usually empty
    HullSet hulls;
    std::optional<ReferenceSettings> reference;
};

}  // namespace lanefold::tools
