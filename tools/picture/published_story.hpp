// SPDX-License-Identifier: MIT
//
// What the published methods say of a pair, in the form in which their source prints it.
#pragma once

#include <string>

#include "contacts/method.hpp"
#include "picture/pair_story.hpp"

namespace lanefold::tools {

// World coordinates, full precision. `method`: published or published_literal. Indices are those of the hulls'
// canonical numbering; the vertices are named beside them, because the source numbers its edges and faces by hand.
std::string tell_as_published(const PairStory& story, Method method);

}  // namespace lanefold::tools
