// SPDX-License-Identifier: MIT
//
// Convex pieces as a file has them, whatever its format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <lanefold/vec.hpp>

namespace lanefold::tools {

class PoseSource;

struct SourcePiece {
    std::string group;          // "" when the object has no groups
    std::uint32_t object = 0;   // into SourceFile::objects
    std::uint64_t line = 0;     // of the statement that opened it, from 1; 0: the file has no lines
    std::vector<Vec3d> points;  // the vertices its faces use, in order of the file, each once
    std::vector<std::uint64_t> point_lines;
    // Middles of its faces, and their lines. A piece is convex when these, too, are on its hull: an L-shaped piece may
    // have all vertices on the surface of its hull, but not its inner walls.
    std::vector<Vec3d> face_centres;
    std::vector<std::uint64_t> face_lines;
};

struct SourceFile {
    std::filesystem::path path;
    std::vector<std::string> objects;  // names; "" for the statements before the first o
    std::vector<SourcePiece> pieces;   // in order of the file, none empty

    std::shared_ptr<PoseSource> poses;  // of the pieces, a row each, where the file has them; null: it does not
    std::vector<std::string> notes;     // what was left out

    // "box.obj:12: group 'lid' of object 'box'", "box.glb: node 'lid'"
    std::string describe(const SourcePiece& piece) const;
};

}  // namespace lanefold::tools
