// SPDX-License-Identifier: MIT
//
// The measures of one pair of bodies, in float64 (docs/measures.md).
#pragma once

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/measure_record.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

class CutSolid;

// The record of bodies a and b, of which b is moved by `shift` (world axes). `solid` is working memory.
LANEFOLD_EXPORT ContactMeasures measure_pair(const HullSet& hulls, const BodyD& a, const BodyD& b, const Vec3d& shift,
                                             CutSolid& solid);

}  // namespace lanefold::detail
