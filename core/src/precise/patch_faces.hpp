// SPDX-License-Identifier: MIT
//
// Contacts of support patches.
#pragma once

#include "precise/contact.hpp"

namespace lanefold::detail {

// Fills memory.points with the manifold of the two support patches (ContactMethod::patch). `band`: height of the
// patches, a length.
FaceContact clip_patches(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double band);

}  // namespace lanefold::detail
