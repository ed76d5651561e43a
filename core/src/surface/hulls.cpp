// SPDX-License-Identifier: MIT
//
// One surface of convex pieces that never move.
#include <new>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/fp_environment.hpp>

#include "surface/mesh_builder.hpp"

namespace lanefold {

namespace {

struct Pieces {
    std::vector<Vec3d> points;
    std::vector<detail::Corners> triangles;
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint16_t> materials;
};

const char* fault(const HullSet& hulls, const SurfacePiece& piece) {
    if (!hulls.contains(piece.hull)) return "a piece's hull is out of range or removed";
    const HullRecord& record = hulls[piece.hull];
    if (record.shape != ShapeKind::hull) return "a piece is no hull";
    if (record.round_radius > 0) return "a piece's hull is rounded";
    if (!is_finite(piece.position)) return "a piece's position is not finite";
    const Quat& q = piece.orientation;
    const double norm = ((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w;
    return std::fabs(norm - 1.0) <= kQuaternionTolerance ? nullptr : "a piece's orientation is not of unit length";
}

void add_piece(const HullSet& hulls, const SurfacePiece& piece, std::uint32_t number, Pieces& out) {
    const auto first = static_cast<std::uint32_t>(out.points.size());
    Quat q = piece.orientation;
    const double norm = std::sqrt(((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w);
    q = {q.x / norm, q.y / norm, q.z / norm, q.w / norm};
    const PoseD pose{rotation(q), piece.position};
    for (const Vec3f& v : hulls.vertices(piece.hull)) out.points.push_back(transform(pose, to_double(v)));
    const detail::HullView view(hulls[piece.hull]);
    for (std::uint32_t f = 0; f < hulls[piece.hull].face_count; ++f) {
        const std::uint32_t begin = view.face_first[f];
        const std::uint32_t end = view.face_first[f + 1];
        for (std::uint32_t k = begin + 2; k < end; ++k) {
            out.triangles.push_back(
                {first + view.face_vertex[begin], first + view.face_vertex[k - 1], first + view.face_vertex[k]});
            out.numbers.push_back(number);
        }
    }
    out.materials.push_back(piece.material);
}

}  // namespace

SurfaceResult surface_of_hulls(const HullSet& hulls, std::span<const SurfacePiece> pieces,
                               const SurfaceOptions& options) {
    SurfaceResult result;
    if (!options.materials.empty()) {
        result.status = {Status::bad_argument, "pieces have their own materials", 0};
        return result;
    }
    try {
        Pieces all;
        const CallStatus status = in_default_environment([&]() -> CallStatus {
            for (std::size_t i = 0; i < pieces.size(); ++i) {
                if (const char* what = fault(hulls, pieces[i])) return {Status::bad_argument, what, i};
                add_piece(hulls, pieces[i], static_cast<std::uint32_t>(i), all);
            }
            return {};
        });
        result.status = status;
        if (!result.status) return result;
        return detail::build_mesh(std::span<const Vec3d>(all.points), {all.triangles, all.numbers, all.materials, 0},
                                  options);
    } catch (const std::bad_alloc&) {
        result.status = {Status::out_of_memory, "out of memory", 0};
        return result;
    }
}

}  // namespace lanefold
