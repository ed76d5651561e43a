// SPDX-License-Identifier: MIT
//
// The results of the published methods for a pair, in the form in which their source prints them.
#pragma once

#include <optional>
#include <string>

#include <lanefold/published.hpp>

#include "contacts/method.hpp"
#include "picture/pair_story.hpp"

namespace lanefold::tools {

// The solids of a and b as their source has them, without a pose.
struct PairSources {
    std::optional<published::Polyhedron> a;
    std::optional<published::Polyhedron> b;
};

// World coordinates, full precision. `method`: published or published_literal. Indices are those of the canonical
// numbering; published_literal takes numbers and indices of `sources` where a hull has one.
// The source numbers its edges and faces by hand, so the vertices are named beside each index.
std::string tell_as_published(const PairStory& story, Method method, const PairSources& sources = {});

}  // namespace lanefold::tools
