// SPDX-License-Identifier: MIT
//
// All that decides the bits of the steps to come. The step's working memory is not here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <lanefold/hull_set.hpp>
#include <lanefold/world.hpp>

#include "anchored_pairs.hpp"
#include "state/bodies.hpp"
#include "state/contacts.hpp"
#include "state/links.hpp"
#include "state/sleep.hpp"

namespace lanefold::detail {

// The ids of hulls at the scales of bodies, by hull and scale.
using ScaledIdsOfWorld = std::map<std::pair<std::uint32_t, float>, std::uint32_t>;

struct WorldState {
    HullSet hulls;
    ScaledIdsOfWorld scaled;  // in `hulls`, unless they were removed
    WorldSettings settings;
    Bodies bodies;
    Links links;
    Contacts contacts;
    Sleep sleep;
    std::unique_ptr<AnchoredPairs> anchored;  // of reuse; null: there is none
    std::uint32_t steps = 0;                  // so many were done
    std::vector<LostBody> lost;               // in the order of their steps, in each ascending
    float substep = 0;  // duration of the last step's substeps, which impulses refer to; 0: there was no step
};

}  // namespace lanefold::detail
