// SPDX-License-Identifier: MIT
//
// Contacts with the inside of a compound. The narrowphase treats each child for itself, so a body that has sagged a
// little into the seam of two level children touches the face in which they meet, and a ball the edge there. Such a
// contact would stop what slides over the seam, and push stacks of compounds aside. seams.hpp has the same question for
// fixed hulls side by side. These stand, so a surface of them is worth making; those of a compound may move.
#pragma once

#include "state/world_state.hpp"

namespace lanefold::detail {

// Leaves out the found manifolds whose points all lie where another child goes on, if the pair has others: where it has
// none they may be all that holds the bodies apart.
void drop_inner_contacts(WorldState& world);

}  // namespace lanefold::detail
