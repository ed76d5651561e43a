// SPDX-License-Identifier: MIT
//
// Looks at the first frame of an import for what goes wrong when poses and pieces do not belong together: pieces deep
// inside one another, pieces that touched and are flung apart, quaternions that look as if they were in another order,
// no pair at all. Each is a warning with the remedy.
#pragma once

#include <cstdint>

#include "import/cast.hpp"
#include "import/frames.hpp"

namespace lanefold::tools {

// `frames` holds frame 0.
void check_first_frame(const ImportRequest& request, const Cast& cast, const ImportFrames& frames,
                       ImportReport& report);

// A scene in which nothing can touch. `pairs`: candidate pairs of the frames that were searched, `all_frames`: these
// are all of the scene.
void check_pairs(const ImportRequest& request, const Cast& cast, std::uint64_t pairs, bool all_frames,
                 ImportReport& report);

}  // namespace lanefold::tools
