// SPDX-License-Identifier: MIT
//
// Measures of contacts, overlap volume and patch, on all cores of the caller's tbb::task_arena. docs/measures.md has
// the definitions.
#pragma once

#include <span>

#include <lanefold/serial_measures.hpp>

namespace lanefold {

// See measure_contacts_serial(). The same bits.
LANEFOLD_EXPORT MeasureResult measure_contacts(const HullSet& hulls, const BodyView& bodies,
                                               std::span<const Pair> pairs, std::span<ContactMeasures> out,
                                               MeasureWorkspace& workspace, std::span<const Vec3d> shifts = {});

}  // namespace lanefold
