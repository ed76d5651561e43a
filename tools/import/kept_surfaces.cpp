// SPDX-License-Identifier: MIT
//
// See the header.

#include "import/kept_surfaces.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <lanefold/surface.hpp>
#include <lanefold/surface_set.hpp>

#include "console/failure.hpp"
#include "import/triangulate.hpp"

namespace lanefold::tools {
namespace {

void append(const SourcePiece& from, SourcePiece& to) {
    const auto first = static_cast<std::uint32_t>(to.points.size());
    const auto corners = static_cast<std::uint32_t>(to.corners.size());
    to.points.insert(to.points.end(), from.points.begin(), from.points.end());
    to.point_lines.insert(to.point_lines.end(), from.point_lines.begin(), from.point_lines.end());
    for (const std::uint32_t corner : from.corners) to.corners.push_back(first + corner);
    for (const std::uint32_t end : from.face_ends) to.face_ends.push_back(corners + end);
    to.face_lines.insert(to.face_lines.end(), from.face_lines.begin(), from.face_lines.end());
}

lanefold::Surface build(const ImportRequest& request, const Cast& cast, std::size_t i) {
    const CastPiece& piece = cast.pieces[i];
    const SourcePiece& source = *piece.source;
    if (source.faces() == 0) throw bad_input("{}: a surface needs faces", cast.describe(i));
    std::vector<Vec3d> points;
    for (const Vec3d& p : source.points) points.push_back(piece.to_hull(p * request.scale));
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::size_t f = 0; f < source.faces(); ++f) triangulate(points, source.face(f), triangles);
    const SurfaceResult built = build_surface(points, triangles);
    if (!built) {
        throw bad_input("{}: cannot be a surface: {} ({})", cast.describe(i), built.status.what, built.status.where);
    }
    if (built.surface.empty()) throw bad_input("{}: cannot be a surface: no triangle is left", cast.describe(i));
    return built.surface;
}

bool are_same(const lanefold::Surface& a, const lanefold::Surface& b) {
    return a.fingerprint() == b.fingerprint() && a.triangle_count() == b.triangle_count() &&
           std::equal(a.vertices().begin(), a.vertices().end(), b.vertices().begin(), b.vertices().end());
}

}  // namespace

void join_surfaces(const ImportRequest& request, SourceFile& file) {
    std::vector<SourcePiece> kept;
    std::vector<std::size_t> at(file.objects.size(), ~std::size_t{0});  // of an object: its place among the kept
    for (SourcePiece& piece : file.pieces) {
        const std::string& object = file.objects[piece.object];
        const bool named =
            std::find(request.surfaces.begin(), request.surfaces.end(), object) != request.surfaces.end();
        std::size_t& place = at[piece.object];
        if (named && place != ~std::size_t{0}) {
            append(piece, kept[place]);
            kept[place].group.clear();
            continue;
        }
        place = kept.size();
        kept.push_back(std::move(piece));
    }
    file.pieces = std::move(kept);
}

void build_surfaces(const ImportRequest& request, Cast& cast) {
    std::vector<lanefold::Surface> surfaces;
    const auto hulls = static_cast<std::uint32_t>(cast.hulls.size());
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        if (!cast.pieces[i].is_surface) continue;
        const lanefold::Surface made = build(request, cast, i);
        cast.rounding = std::max(cast.rounding, made.rounding());
        const auto same = std::find_if(surfaces.begin(), surfaces.end(),
                                       [&](const lanefold::Surface& known) { return are_same(known, made); });
        cast.body_hull[i] = hulls + static_cast<std::uint32_t>(same - surfaces.begin());
        if (same != surfaces.end()) continue;
        surfaces.push_back(made);
        const SurfaceArrays arrays = surface_arrays(made);
        cast.surfaces.add_mesh(arrays.vertices, arrays.triangles);
        cast.built_surfaces.push_back({cast.names[i], made.vertex_count(), made.triangle_count(), made.report()});
    }
    if (surfaces.empty()) return;
    BuildResult set = surface_set(surfaces);
    if (!set) throw io_failure("a surface is none: {}", set.failures.front().what);
    cast.hulls = cast.hulls.append(set.hulls);
    cast.offsets.resize(cast.hulls.size() + 1, cast.offsets.back());
}

}  // namespace lanefold::tools
