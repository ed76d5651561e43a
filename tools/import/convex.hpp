// SPDX-License-Identifier: MIT
//
// Judges the pieces of an import one by one: are they convex, and where do their hulls lie?
#pragma once

#include <cstddef>
#include <vector>

#include "import/cast.hpp"

namespace lanefold::tools {

// The pieces that judge_pieces() would refuse, in order.
std::vector<std::size_t> concave_pieces(const ImportRequest& request, const Cast& cast);

// Throws Failure(bad_input) for a piece that is not convex, unless its hull is wanted; then it is a warning. float32
// numbers of a file that are coarse for its pieces are a warning, too.
void judge_pieces(const ImportRequest& request, const Cast& cast, ImportReport& report);

}  // namespace lanefold::tools
