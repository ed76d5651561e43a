// SPDX-License-Identifier: MIT
//
// Anchors that come from outside, in a saved state: whether each tells of a contact that an exact call could have made.
// A forged one would carry a record that is off by more than bounded reuse promises.
#pragma once

#include <span>

#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>

#include "anchored_pairs.hpp"

namespace lanefold::detail {

// Takes the contact from those anchors whose witnesses are not on the surfaces, whose distance is not the exact one at
// their pose, or whose normal separates by less than the preferences allow. `options`: those with which they were made.
// Anchors whose hulls are not those of their pair stay, because they cover nothing. Returns how many it took. `anchors`
// pass AnchoredPairs::fits(). Takes all if the call for the exact distances runs out of memory. Throws
// std::bad_alloc.
LANEFOLD_EXPORT std::size_t drop_forged_anchors(const HullSet& hulls, const Options& options,
                                                std::span<SavedAnchor> anchors);

}  // namespace lanefold::detail
