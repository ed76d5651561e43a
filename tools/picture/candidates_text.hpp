// SPDX-License-Identifier: MIT
//
// The candidates for a pair's manifold as text (DESIGN.md: This is a manifold).
#pragma once

#include <string>

#include "picture/pair_story.hpp"

namespace lanefold::tools {

// One line for each candidate that the float64 path tries, in its order, with the reason why it was refused. The last
// one is the contact. Throws Failure(bad_input) for the methods that are not the engine's.
std::string tell_candidates(const PairStory& story, const StoryRequest& request);

}  // namespace lanefold::tools
