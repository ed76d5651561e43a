// SPDX-License-Identifier: MIT
//
// The other faces of thin hulls that may carry a contact.
#pragma once

#include "precise/contact.hpp"

namespace lanefold::detail {

// Several faces of a thin hull may be one plane within rounding, while only one of them lies over the other hull. Tries
// the reference faces that separate as well as `face` within the bend of merged faces, and the incident faces that are
// as opposed and as deep as the best one, lowest indices first. Takes the first pair whose points are on both hulls and
// reach `limit`. Returns false, with other points in memory, if there is none.
bool clip_other_faces(const Problem& p, PreciseScratch::Impl& memory, FaceAxis& face, double limit, FaceContact& out);

// Same with the support patches of the other reference faces. `band`: their height (a length).
bool clip_other_patches(const Problem& p, PreciseScratch::Impl& memory, FaceAxis& face, double band, double limit,
                        FaceContact& out);

}  // namespace lanefold::detail
