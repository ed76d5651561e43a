// SPDX-License-Identifier: MIT
//
// Writes the presets as a scene folder.

#include <span>

#include "files/atomic_file.hpp"
#include "files/staged_folder.hpp"
#include "generate/presets.hpp"
#include "scene/hull_sources.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

void write_presets(const std::filesystem::path& folder, bool replace) {
    StagedFolder stage(folder, replace);
    std::vector<std::uint64_t> offsets{0};
    std::vector<Vec3f> vertices;
    std::vector<std::uint32_t> body_hull;
    std::vector<float> position;
    std::vector<float> orientation;
    std::vector<Pair> pairs;
    std::vector<HullSource> sources;
    float place = 0;
    for (const Preset& preset : presets()) {
        pairs.push_back(
            {static_cast<std::uint32_t>(body_hull.size()), static_cast<std::uint32_t>(body_hull.size() + 1)});
        for (const bool second : {false, true}) {
            const std::vector<Vec3f>& points = second ? preset.b : preset.a;
            const Body& body = second ? preset.body_b : preset.body_a;
            const std::optional<published::Polyhedron>& source = second ? preset.source_b : preset.source_a;
            if (source) sources.push_back({static_cast<std::uint32_t>(body_hull.size()), *source});
            vertices.insert(vertices.end(), points.begin(), points.end());
            offsets.push_back(vertices.size());
            body_hull.push_back(static_cast<std::uint32_t>(body_hull.size()));
            position.insert(position.end(), {place + body.position[0], body.position[1], body.position[2]});
            orientation.insert(orientation.end(), std::begin(body.orientation), std::end(body.orientation));
        }
        place += kPresetPitch;
    }
    SceneWriter::Contents contents;
    contents.info.pairs_margin = static_cast<double>(kPresetMargin);
    contents.hull_offsets = offsets;
    contents.hull_vertices = vertices;
    contents.body_hull = body_hull;
    contents.with_pairs = true;
    SceneWriter writer(stage.path(), contents);
    writer.add_frame(std::span<const float>(position), orientation, pairs);
    writer.commit();
    write_file(stage.path() / kHullSourcesFile, hull_sources_text(sources));
    stage.commit();
}

}  // namespace lanefold::tools
