// SPDX-License-Identifier: MIT
//
// Cuts a surface mesh without names, as STL and PLY files have it, into its pieces.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "import/piece.hpp"

namespace lanefold::tools {

struct Surface {
    std::vector<Vec3d> points;
    std::vector<std::uint32_t> corners;    // of its faces, as indices into points, counter-clockwise from outside
    std::vector<std::uint32_t> face_ends;  // where the corners of each face end
};

// Adds the pieces of a surface to the file, an object each: faces that are joined by edges. Points at one place count
// as one. Where pieces share an edge or a whole face, each keeps the faces between which its own inside lies. A surface
// without faces is one piece, the hull of its points. Objects are called `name`, or `name_0`, `name_1` and so on. If
// `name` is among `whole`, it is not cut: all its faces are one piece, as `--surface` wants it.
void add_surface(const Surface& surface, const std::string& name, SourceFile& file,
                 std::span<const std::string> whole = {});

}  // namespace lanefold::tools
