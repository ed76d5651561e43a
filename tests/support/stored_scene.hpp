// SPDX-License-Identifier: MIT
//
// The first frame of a stored scene, for tests without the tools: a simple reader of the .npy arrays of a scene folder.
// Anything unexpected ends the test program with a message.
#pragma once

#include <string>
#include <vector>

#include <lanefold/body.hpp>

#include "support/hulls.hpp"

namespace lanefold::test {

struct StoredScene {
    Library library;
    std::vector<Body> bodies;
    std::vector<BodyD> double_bodies;  // the same, exactly
    std::vector<Pair> pairs;
};

// `folder` holds hull_offsets, hull_vertices, body_hull, position (float32 or float64), orientation, pair_offsets,
// pairs.
StoredScene read_stored_scene(const std::string& folder);

}  // namespace lanefold::test
