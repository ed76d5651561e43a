// SPDX-License-Identifier: MIT
//
// The constraints of a step: contacts of the last step's manifolds and links, coloured and in blocks of lanes.
#pragma once

#include <span>
#include <vector>

#include <lanefold/status.hpp>
#include <lanefold/world.hpp>

#include "solve/colours.hpp"
#include "solve/link_groups.hpp"
#include "solve/loops.hpp"
#include "state/world_state.hpp"

namespace lanefold::detail {

class Constraints {
public:
    // Blocks for the kernels of an instruction set, without the manifolds that are marked as left out. Counts
    // constraints and colours in `result`. Refused: more than the blocks can number. Throws std::bad_alloc. Either way
    // nothing else has changed.
    CallStatus build(const WorldState& world, std::span<const std::uint8_t> left, Isa isa, Loops& loops,
                     StepResult& result);

    // Per manifold, also where it is no constraint: its bodies.
    std::span<const ConstraintEnds> contact_ends() const { return contact_ends_; }
    // Per manifold: its children's; null in a world without compounds.
    const PartMaterial* parts() const { return parts_.empty() ? nullptr : parts_.data(); }
    ColouredBlocks& contacts() { return contacts_; }
    // The links that are solved one by one; the others are in groups.
    ColouredBlocks& links() { return links_; }
    LinkGroups& link_groups() { return groups_; }

private:
    void find_parts(const WorldState& world, Loops& loops);

    std::vector<ConstraintEnds> contact_ends_;
    std::vector<PartMaterial> parts_;
    std::vector<ConstraintEnds> link_ends_;
    ColouredBlocks contacts_;
    ColouredBlocks links_;
    LinkGroups groups_;
};

}  // namespace lanefold::detail
