// SPDX-License-Identifier: MIT
//
// The bodies of an import: the pieces of all files with names, hulls, groups and masses.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>

#include "import/piece.hpp"
#include "import/poses.hpp"
#include "import/request.hpp"
#include "scene/surfaces.hpp"

namespace lanefold::tools {

// One body of the scene.
struct CastPiece {
    const SourceFile* file = nullptr;
    const SourcePiece* source = nullptr;
    std::uint32_t object = 0;  // over all files
    std::uint32_t file_number = 0;
    std::uint32_t number = 0;  // of the piece in its file, or of the piece that it is a part of
    std::uint32_t whole = 0;   // that piece among all: into Cast::whole_names
    bool is_surface = false;   // not a hull; it has no mass
    // From the file's coordinates, scaled, to those of the piece's hull: x -> rest^T (x - origin) - centre.
    Mat3d rest;
    Vec3d origin;
    Vec3d centre;

    Vec3d to_hull(const Vec3d& scaled) const { return transpose_times(rest, scaled - origin) - centre; }
    // The place that the file gives the hull.
    PoseD as_modelled() const { return {rest, origin + rest * centre}; }
};

struct Cast {
    std::vector<SourceFile> files;
    std::vector<CastPiece> pieces;
    std::vector<std::string> names;  // of pieces, all different
    // The names of the files' pieces, in the same order; the same as names unless a decomposition has split some of
    // them. An option for a piece holds for all of its parts.
    std::vector<std::string> whole_names;
    std::deque<SourcePiece> parts;     // that a decomposition has made; pieces refer to them
    std::vector<std::string> objects;  // names of objects, which may be equal
    bool reordered = false;            // the numbers in names changed an order
    std::vector<std::uint64_t> offsets{0};
    std::vector<Vec3f> vertices;
    std::vector<Vec3d> source_vertices;  // the numbers that were rounded to these
    double rounding = 0;                 // the largest distance by which that moved one, after scaling
    bool has_own_origins = false;        // some hull's origin is not its file's
    HullSet hulls;                       // then the surfaces
    SceneSurfaces surfaces;
    std::vector<ImportedSurface> built_surfaces;
    std::vector<std::uint32_t> body_hull;
    std::vector<std::uint32_t> group;
    std::vector<float> inverse_mass;

    const HullRecord& hull_of(std::size_t piece) const { return hulls[body_hull[piece]]; }
    // Kinds of all hulls, as a scene has them; nothing if there are no surfaces.
    std::vector<std::uint8_t> kinds() const {
        std::vector<std::uint8_t> out(built_surfaces.empty() ? 0 : hulls.size(), 0);
        const auto surface = static_cast<std::uint8_t>(lanefold::ShapeKind::surface);
        for (std::size_t h = out.size() - built_surfaces.size(); h < out.size(); ++h) out[h] = surface;
        return out;
    }
    std::string describe(std::size_t piece) const { return pieces[piece].file->describe(*pieces[piece].source); }
};

// Reads all files; gives pieces their order and their names.
void read_pieces(const ImportRequest& request, Cast& cast);

// Makes vertices, hulls and surfaces. Pieces with equal vertices share a hull. `rest`: poses of the pieces that the
// files have at their places (ImportRequest::at_rest); empty: the files' origin is that of each piece. A piece far from
// its origin gets the middle of its box for one, before anything is rounded; all do where the request says so.
void build_cast(const ImportRequest& request, std::span<const RigidPose> rest, Cast& cast);

// Groups and masses.
void assign_cast(const ImportRequest& request, Cast& cast);

}  // namespace lanefold::tools
