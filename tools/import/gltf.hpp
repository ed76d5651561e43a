// SPDX-License-Identifier: MIT
//
// Reads pieces and their poses from a glTF file: a piece for each node that has a mesh, about the node's own origin,
// and a frame for each step of the animation.
#pragma once

#include <filesystem>
#include <string_view>

#include "import/gltf_nodes.hpp"
#include "import/piece.hpp"

namespace lanefold::tools {

struct GltfRequest {
    GltfAnimationChoice animation;
    // Takes the scale, shear and mirroring that a node has in the first frame in which it is there into its vertices.
    bool apply_scale = false;
};

// The end of the path's name, in any case: ".stl".
bool has_extension(const std::filesystem::path& path, std::string_view lower_case);

// By the end of its name.
bool is_gltf(const std::filesystem::path& path);

// The file's `poses` give each piece's place in the world. Throws Failure(bad_input) that names the node, the mesh or
// the accessor. Skinned and morphed meshes, and instances by extension, are refused.
SourceFile read_gltf(const std::filesystem::path& path, const GltfRequest& request);

}  // namespace lanefold::tools
