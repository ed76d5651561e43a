// SPDX-License-Identifier: MIT
//
// The steps of the float64 methods as JSON.
#pragma once

#include "engine/request.hpp"

namespace lanefold::web {

// {"a", "b": {"vertex", "face", "alignment"}, "reference_on_b", "cuts": [{"face", "from", "to", "normal", "offset",
//  "before", "after"}], "corners": [{"at", "above", "plane_ray", "furthest_vertex", "fate"}]}
Json to_json(const tools::FaceClipStory& told);

// {"tied", "as_found", "a", "b": {"direction", "angle", "candidates": [{"feature", "sine", "towards", "aligned",
//  "chosen"}], "stages": [{"feature", "vertices", "gauss_map"}]}}
Json to_json(const tools::FeatureStory& told);

Json to_json(const std::vector<Vec3d>& vectors);
Json to_json(const Feature& f);

}  // namespace lanefold::web
