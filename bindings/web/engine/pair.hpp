// SPDX-License-Identifier: MIT
//
// Requests about two bodies.
#pragma once

#include "engine/request.hpp"

namespace lanefold::web {

// {"op": "pair", "a": {"vertices", "position", "orientation"}, "b", "margin", "face_preference", "method", "points",
//  "band", "feature_angle", "capacity"} -> "hulls" [2], "record", "story" (with "face_clip" or "features",
// steps.hpp, where the method has these steps). Throws tools::Failure.
Json answer_pair(const Json& request, Hulls& hulls);

// The same with "step" (seconds), "restitution", "gravity" [3], and "velocity" [3] of each body and "inverse_mass" (0:
// immovable) -> "a" and "b" with "position" and "velocity" after the step, and the "penetration" that was found. Bodies
// are moved first, then contacts are found and resolved (contact_response.hpp): linear motion only.
Json answer_react(const Json& request, Hulls& hulls);

}  // namespace lanefold::web
