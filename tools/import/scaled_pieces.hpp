// SPDX-License-Identifier: MIT
//
// Pieces of one shape at different sizes share a hull, and their bodies have scales.
#pragma once

#include "import/cast.hpp"
#include "import/compounds.hpp"
#include "import/request.hpp"

namespace lanefold::tools {

// Scales the pieces as ImportRequest::scales says. Throws Failure(bad_input) with file and row for what is no scale.
void take_scales(const ImportRequest& request, Cast& cast);

// Gives bodies whose pieces differ by a uniform scale only (SourcePiece::scale) one hull and a scale each. Sizes that
// one piece alone has stay in its vertices, as do all where compounds, surfaces or pieces at rest ask for them there.
// The report has the hulls that are left, the bodies with scales, and the rounding of their vertices.
void share_scaled(const ImportRequest& request, const Cast& cast, ImportBodies& bodies, ImportReport& report);

}  // namespace lanefold::tools
