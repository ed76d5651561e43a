// SPDX-License-Identifier: MIT
//
// Convex pieces from a Wavefront OBJ file: one piece per group (g) of each object (o). The statements are
// taken apart by tinyobjloader; coordinates and indices are checked here, because a mistake in a file should be
// told with its line and not become a vertex at the origin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lanefold/vec.hpp>

namespace lanefold::tools {

struct ObjPiece {
    std::string group;          // "" when the object has no groups
    std::uint32_t object = 0;   // into ObjFile::objects
    std::uint64_t line = 0;     // of the statement that opened it, from 1
    std::vector<Vec3d> points;  // the vertices its faces use, in order of the file, each once
    std::vector<std::uint64_t> point_lines;
    // Middles of its faces and where they stand: a piece is convex when these are on its hull as well. An L has all
    // its corners on the surface of its hull, but not its inner walls.
    std::vector<Vec3d> face_centres;
    std::vector<std::uint64_t> face_lines;
};

struct ObjFile {
    std::filesystem::path path;
    std::vector<std::string> objects;  // names; "" for what comes before the first o
    std::vector<ObjPiece> pieces;      // in order of the file, none empty

    // "box.obj:12: group 'lid' of object 'box'"
    std::string describe(const ObjPiece& piece) const;
};

// A group named twice in one object is one piece. A file without a single face is a list of points: then the
// vertices that stand under a group are its piece. Throws Failure(bad_input) naming file and line.
ObjFile read_obj(const std::filesystem::path& path);

}  // namespace lanefold::tools
