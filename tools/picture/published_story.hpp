// SPDX-License-Identifier: MIT
//
// The results of the published methods for a pair, in the form in which their source prints them.
#pragma once

#include <string>

#include "contacts/method.hpp"
#include "picture/pair_story.hpp"

namespace lanefold::tools {

// World coordinates, full precision. `method`: published or published_literal. Indices are those of the canonical
// numbering. The source numbers its edges and faces by hand, so the vertices are named beside each index.
std::string tell_as_published(const PairStory& story, Method method);

}  // namespace lanefold::tools
