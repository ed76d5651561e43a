// SPDX-License-Identifier: MIT
//
// Judges the records of a pair of which one body has a surface.
#pragma once

#include "contacts/judge_bodies.hpp"

namespace lanefold::tools {

// See judge_bodies(). Distance and errors are those of judge_ground(), which also judges normals and points; the
// numbers of features are not judged. Records of surfaces that meet each other or a half-space are invented.
template <class M>
reference::Judgement judge_with_surface(const HullSet& hulls, const JudgedShapes& shapes, const BodyD& a,
                                        const BodyD& b, const Pair& pair, const PairSettings& how,
                                        std::span<const M> records);

}  // namespace lanefold::tools
