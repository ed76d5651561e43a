// SPDX-License-Identifier: MIT
//
// Convex pieces as a file has them, whatever its format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
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
    std::vector<std::uint32_t> corners;    // of its faces, as indices into points, face after face
    std::vector<std::uint32_t> face_ends;  // where the corners of each face end
    std::vector<std::uint64_t> face_lines;
    // The line in which the piece's name opens again with faces that share no vertex with those before; 0: none.
    std::uint64_t again = 0;
    // The file has the points at another size: points[k] is scale * unscaled[k] but for rounding. 1: it has not.
    double scale = 1;
    std::vector<Vec3d> unscaled;
    std::uint32_t part = 0;  // from 1, of the pieces that a decomposition made of one; 0: it is whole

    std::size_t faces() const { return face_ends.size(); }
    std::span<const std::uint32_t> face(std::size_t f) const {
        const std::size_t begin = f == 0 ? 0 : face_ends[f - 1];
        return std::span(corners).subspan(begin, face_ends[f] - begin);
    }
    // The middle of its corners. A piece is convex when these, too, are on its hull: an L-shaped piece may have all
    // vertices on the surface of its hull, but not its inner walls.
    Vec3d face_centre(std::size_t f) const {
        Vec3d sum;
        for (const std::uint32_t corner : face(f)) sum = sum + points[corner];
        return sum * (1.0 / static_cast<double>(face(f).size()));
    }
};

struct SourceFile {
    std::filesystem::path path;
    std::vector<std::string> objects;  // names; "" for the statements before the first o
    std::vector<SourcePiece> pieces;   // in order of the file, none empty
    bool float_numbers = false;        // coordinates are float32 in the file

    std::shared_ptr<PoseSource> poses;  // of the pieces, a row each, where the file has them; null: it does not
    std::vector<std::string> notes;     // what was left out

    // "box.obj:12: group 'lid' of object 'box'", "box.glb: node 'lid'"
    std::string describe(const SourcePiece& piece) const;
};

}  // namespace lanefold::tools
