// SPDX-License-Identifier: MIT
//
// The scene of a finder's latest frame, for queries: its bodies, the tree of their fat boxes, and half-spaces, which
// are in no tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>

#include "boxes/lazy_boxes.hpp"
#include "finders/plane_pairs.hpp"
#include "tree/kept_tree.hpp"

namespace lanefold::detail {

struct FinderScene {
    const HullSet* hulls = nullptr;  // null: the finder has no frame
    std::span<const BodyD> bodies;
    const LazyBoxes* boxes = nullptr;
    const KeptTree* tree = nullptr;
    std::span<const WorldPlane> planes;
    std::uint64_t without_box = 0;
    std::size_t named = 0;  // shapes may name the hulls below it: those behind are bodies' at their scales

    static FinderScene of(const PairFinder& finder);
};

}  // namespace lanefold::detail
