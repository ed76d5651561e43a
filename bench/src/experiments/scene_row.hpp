// SPDX-License-Identifier: MIT
//
// The row of a scene in the results, without what lanefold finds in it: from `touching` on.
#pragma once

#include "results/results.hpp"
#include "scenes/scene.hpp"

namespace lanefold::bench {

SceneRow scene_row(const Scene& scene);

}  // namespace lanefold::bench
