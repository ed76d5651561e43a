// SPDX-License-Identifier: MIT
//
// The facts of a scene that are known before anything is computed.
#include "experiments/scene_row.hpp"

namespace lanefold::bench {

SceneRow scene_row(const Scene& scene) {
    SceneRow row;
    row.name = scene.name;
    row.description = scene.description;
    row.hulls = scene.hulls.size();
    row.bodies = scene.frames.back().bodies.size();
    row.frames = scene.frames.size();
    row.pairs = scene.frames.back().pairs.size();
    row.hot_bytes = scene.hulls.hot_bytes();
    row.max_vertices = scene.hulls.max_vertices();
    row.margin = scene.margin;
    for (std::size_t h = 0; h < scene.hulls.size(); ++h) {
        row.mean_vertices += scene.hulls[h].vertex_count / static_cast<double>(scene.hulls.size());
        row.mean_faces += scene.hulls[h].face_count / static_cast<double>(scene.hulls.size());
    }
    return row;
}

}  // namespace lanefold::bench
